"""The declarations of a contract's text, by full name, and which of them its clauses reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluators.contract import Contract
from evaluators.similarity.terms import Scope, Terms
from evaluators.similarity.trees import Tree
from specgen.lean import syntax as s
from specgen.lean.parser import parse_file


class NoClausesError(Exception):
    """The clauses of a contract cannot be found in its text; `unsupported` when that is our limit and not its fault."""

    def __init__(self, message: str, unsupported: bool = False) -> None:
        super().__init__(message)
        self.unsupported = unsupported


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration with its namespace and whether it stands in the task's preamble, which everybody is given."""

    name: str
    namespace: str
    command: s.Declaration | s.Inductive | s.Structure
    given: bool


def declarations(contract: Contract) -> list[Declared]:
    """Return the declarations of a contract's text, in order.

    Raises:
        NoClausesError: the text does not parse.
    """
    parsed = parse_file(contract.source)
    errors = [d for d in parsed.diagnostics if d.severity == "error"]
    if errors:
        at = errors[0].start
        ours = all(d.kind == "unsupported" for d in errors)
        raise NoClausesError(f"the contract does not parse: {at.line}:{at.column}: {errors[0].message}", ours)
    return list(_walk(parsed.file.commands, contract.own_from, []))


def _walk(commands: Sequence[s.Command], own_from: int, spaces: list[str]) -> Iterator[Declared]:
    for command in commands:
        match command:
            case s.Namespace():
                spaces.append(command.name)
            case s.Section():
                spaces.append("")
            case s.End() if spaces:
                spaces.pop()
            case s.Mutual():
                yield from _walk(command.commands, own_from, spaces)
            case s.InCommand():
                yield from _walk((command.inner,), own_from, spaces)
            case s.Declaration() | s.Inductive() | s.Structure():
                namespace = ".".join(part for part in spaces if part)
                root = command.name.startswith("_root_.")
                full = command.name.removeprefix("_root_.")
                name = full if root or not namespace else f"{namespace}.{full}"
                yield Declared(name, namespace, command, command.span[0] < own_from)
            case _:
                pass


class OwnNames:
    """Resolves constants of a contract's text; own definitions are numbered in the order in which they are reached."""

    def __init__(self, declared: Sequence[Declared]) -> None:
        self.declared = {d.name: d for d in declared if d.name}
        self.namespace = ""
        self.reached: list[Declared] = []
        self.labels: dict[str, str] = {}
        self._count = 0
        self._by_last: dict[str, list[str]] = {}
        for name in self.declared:
            self._by_last.setdefault(name.rpartition(".")[2], []).append(name)
        self._constructors = {
            c.name.rpartition(".")[2]
            for d in declared
            if isinstance(d.command, s.Inductive)
            for c in d.command.constructors
        }
        self._anonymous = [d for d in declared if not d.given and _is_instance(d.command)]

    def find(self, name: str) -> Declared | None:
        """Return the declaration that a name means: in the namespaces around, at the root, or in one that is open."""
        space = self.namespace
        while True:
            found = self.declared.get(f"{space}.{name}" if space else name)
            if found is not None or not space:
                break
            space = space.rpartition(".")[0]
        if found is None and "." not in name:
            last = self._by_last.get(name, [])
            return self.declared[last[0]] if len(last) == 1 else None
        return found

    def constant(self, name: str) -> str:
        """Return the label of a constant; asking for it reaches its definition."""
        found = self.find(name)
        if found is None and "." in name:
            # A constructor or a field of an own type; a field of the value of an own definition.
            owner = self.find(name.rpartition(".")[0])
            if owner is not None and not owner.given:
                self._reach(owner)
            return name
        return name if found is None else self._reach(found)

    def method(self, name: str) -> str | None:
        """Return the label of the text's own function `T.name` for some T, or None."""
        found = [self.declared[full] for full in self._by_last.get(name, []) if "." in full]
        return self._reach(found[0]) if len(found) == 1 and isinstance(found[0].command, s.Declaration) else None

    def is_constructor(self, name: str) -> bool:
        """Tell whether a plain name in a pattern is a constructor of the text."""
        return name in self._constructors

    def fix(self, name: str, label: str) -> None:
        """Give an own definition a label of its own: it is not reached as an auxiliary one."""
        found = self.find(name) if name else None
        if found is not None:
            self.labels[found.name] = label

    def _reach(self, found: Declared) -> str:
        if found.given:
            return found.name
        label = self.labels.get(found.name)
        if label is None:
            label = self.labels[found.name] = f"def#{self._count}"
            self._count += 1
            self.reached.append(found)
        return label

    def definitions(self, terms: Terms) -> list[Tree]:
        """Return the trees of what has been reached, in that order, and of what these reach in turn.

        Instances act without being named, so all of the contract's own come along, last.
        """
        out: list[Tree] = []
        done = 0
        pending = list(self._anonymous)
        while done < len(self.reached) or pending:
            if done < len(self.reached):
                found, done = self.reached[done], done + 1
            else:
                found = pending.pop(0)
                if found in self.reached:
                    continue
            self.namespace = found.namespace
            out.append(_definition(found.command, terms))
        return out


def _is_instance(command: s.Command) -> bool:
    return isinstance(command, s.Declaration) and command.kind == "instance"


def _definition(command: s.Declaration | s.Inductive | s.Structure, terms: Terms) -> Tree:
    """Return the tree of a definition: parameters as a function's, result type, body."""
    match command:
        case s.Declaration():
            return declaration_tree(command, terms)
        case s.Inductive():
            constructors = []
            for c in command.constructors:
                type_ = s.Hole(c.span) if c.type is None else c.type
                constructors.append(Tree(c.name, (terms.binders("∀", c.binders, Scope(), type_),)))
            return Tree("inductive", tuple(constructors))
        case s.Structure():
            scope, out = Scope(), []
            for group in command.fields:
                for name in group.names:
                    type_tree = () if group.type is None else (terms.term(group.type, scope),)
                    out.append(Tree(name, type_tree))
                    scope = scope.bind((name,))
            return Tree("structure", tuple(out))


def declaration_tree(command: s.Declaration, terms: Terms) -> Tree:
    """Return `def(type, value)` with both under the parameters' binders."""
    parts = []
    scope = Scope()
    if command.type is not None and command.kind != "instance":
        parts.append(terms.binders("∀", command.binders, scope, command.type))
    elif command.type is not None:
        parts.append(terms.term(command.type, scope))
    body = body_of(command)
    if body is not None:
        parts.append(terms.binders("fun", command.binders, scope, body))
    if command.fields is not None:
        instance = s.StructInst(command.span, (), command.fields, False, None)
        parts.append(terms.binders("fun", command.binders, scope, instance))
    return Tree("theorem" if command.kind in ("theorem", "lemma") else "def", tuple(parts))


def body_of(command: s.Declaration) -> s.Term | None:
    """Return a definition's body as one term: its equations as `fun | …`, its local functions as `let rec`."""
    value: s.Term | None = command.value
    if command.alts:
        value = s.FunMatch(command.span, command.alts)
    if value is None or not command.where_decls:
        return value
    local = [s.LetDecl(d.span, d.name, d.binders, d.type, d.value, alts=d.alts) for d in command.where_decls]
    return s.LetRec(command.span, tuple(local), value)
