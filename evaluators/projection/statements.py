"""Theorems about the task's function as relational contracts: `theorem t (x : A) (h : P x) : S x (f x)` becomes
`def t (f : A → B) (x : A) (h : P x) : Prop := S x (f x)`, by surgery on the text.

The variables to which the function is applied are the inputs, in the order of its signature; a binder of another
variable stays a `∀`; a hypothesis that speaks of the inputs alone is a guard, any other stays a premise. Where the
function is applied to something else than variables, `S (f p)` is read as `x = p → S (f p)`, which says the same of all
x. Several theorems are one contract, their conjunction. What proves them is left out: nothing depends on it.

All of it is decided on syntax, but which binders are data, and of which types: that the engine says of the heads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluators.projection.form import lean_env, with_preamble
from evaluators.projection.reading import Item, binder_names, identifiers, nodes, strip
from evaluators.projection.task_types import SignatureTypes, signature_types
from specgen.lean import syntax as s
from specgen.lean.core import Term
from specgen.lean.engine import Program, load
from specgen.lean.parser import parse_file
from specgen.tasks.model import Task

PROBE = "statement_head_"
_LETTER = re.compile(r"[a-zA-Z][\d₀-₉]*'?")


class StatementError(Exception):
    """A statement that cannot be read as a contract; `unsupported` when that is our limit and not its fault."""

    def __init__(self, message: str, unsupported: bool = False) -> None:
        super().__init__(message)
        self.unsupported = unsupported


@dataclass
class Bound:
    """One variable or hypothesis of a statement's head.

    Attributes:
        name: as written; `_` or empty for an anonymous hypothesis.
        type: its type as written, None where it has none.
        mentions: identifiers in its type, first components.
        kind: what it turned out to be.
        core: its type as the engine sees it, for data.
    """

    name: str
    type: str | None
    mentions: frozenset[str]
    implicit: bool = False
    kind: str = "unknown"
    core: Term | None = None


@dataclass
class Statement:
    """A statement about the function: its head, and the offsets of what is left as body."""

    label: str
    item: Item
    head: list[Bound]
    body: s.Term
    applied: list[tuple[s.Term, ...]]
    names: frozenset[str]
    arguments: tuple[s.Term, ...] = ()
    guards: list[Bound] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    equations: list[tuple[str, str, str]] = field(default_factory=list)


def applications(tree: object, spellings: frozenset[str], arity: int) -> list[tuple[s.Term, ...]]:
    """Return the arguments of each full application of the function, in the order of the text."""
    out: list[tuple[s.Term, ...]] = []
    for node in nodes(tree):
        if arity == 0 and isinstance(node, s.Ident) and spelled(node) in spellings:
            out.append(())
        if not isinstance(node, s.App):
            continue
        named = any(isinstance(a, s.NamedArg) for a in node.args)
        if named and isinstance(node.fn, s.Ident) and spelled(node.fn) in spellings:
            raise StatementError("the function is given arguments by name", unsupported=True)
        fn, args = spread(node)
        if isinstance(fn, s.Ident) and spelled(fn) in spellings and len(args) >= arity:
            out.append(args[:arity])
    return out


def spread(term: s.Term) -> tuple[s.Term, tuple[s.Term, ...]]:
    """Return head and plain arguments of an application, through parentheses around its head."""
    args: tuple[s.Term, ...] = ()
    term = strip(term)
    while isinstance(term, s.App):
        if any(isinstance(a, s.NamedArg | s.EllipsisArg) for a in term.args):
            return term, ()
        args = (*[a for a in term.args if not isinstance(a, s.NamedArg | s.EllipsisArg)], *args)
        term = strip(term.fn)
    if isinstance(term, s.Explicit):
        term = strip(term.fn)
    return term, args


def spelled(ident: s.Ident) -> str:
    """Return an identifier's name without `_root_`."""
    return ident.name


def mentions(tree: object, spellings: frozenset[str]) -> bool:
    """Tell whether the function is named in a tree (also as `f.1`, a field of its value or it)."""
    heads = {name.partition(".")[0] for name in spellings if "." not in name}
    return any(spelled(i) in spellings or i.parts[0] in heads for i in identifiers(tree))


class Statements:
    """Turns statements of one text into a relational contract's text."""

    def __init__(
        self, task: Task, text: str, imports: tuple[str, ...], spellings: frozenset[str], declared: Sequence[str] = ()
    ) -> None:
        self.task = task
        self.declared = declared
        self.text = text
        self.imports = imports
        self.spellings = spellings
        self.types: SignatureTypes = signature_types(task)
        self.taken = {i.parts[0] for i in identifiers_of(text)}
        self.notes: list[str] = []
        self.parameter = next((n for n in sorted(spellings) if "." not in n), task.signature.name)

    # ---- reading

    def read(self, item: Item, label: str) -> list[Statement]:
        """Read one declaration: a theorem, or a definition of a proposition about the function.

        A conjunction whose parts each bind the inputs for themselves gives a statement a part.
        """
        command = item.command
        assert isinstance(command, s.Declaration)  # noqa: S101 - the caller has looked
        body = command.type if item.is_theorem else command.value
        assert body is not None  # noqa: S101 - the caller has looked
        notes = list(self.notes)
        whole = self._settled(item, label, body)
        parts = conjuncts(body)
        # Each part of `f 0 = 1 ∧ f 1 = 1` has its own input.
        several = whole is not None and len(parts) > 1 and whole.equations and self._differ(whole)
        if whole is not None and not several:
            return [whole]
        of_whole, self.notes = self.notes, notes
        settled = [self._settled(item, f"{label}, part {n}", part) for n, part in enumerate(parts, 1)]
        if whole is not None and None in settled:
            self.notes = of_whole
            return [whole]
        if len(parts) == 1 or None in settled:
            name = self.task.signature.name
            raise StatementError(f"{label} applies {name} only to variables that are bound inside", True)
        return [part for part in settled if part is not None]

    def _settled(self, item: Item, label: str, body: s.Term) -> Statement | None:
        """Read one statement; None where the function stands under binders that cannot be its inputs."""
        command = item.command
        used = {i.parts[0] for i in identifiers((command.binders, body))}
        groups = (*_needed(item.variables, used), *command.binders)
        head = [b for group in groups for b in self._bounds(group) if b.name not in self.spellings]
        found = Statement(label, item, head, body, [], self.spellings)
        found.applied = applications((command.binders, body), self.spellings, len(self.types.inputs))
        self._auto_bound(found, used)
        self._open(found)
        return found if self.settle(found) else None

    def _auto_bound(self, found: Statement, used: set[str]) -> None:
        """Give the single letters that Lean would bind by itself a place in the head."""
        bound = bound_inside((found.item.command.binders, found.body)) | set(self.declared) | set(self.spellings)
        letters = [n for n in sorted(used - bound) if _LETTER.fullmatch(n) and n not in {b.name for b in found.head}]
        found.head += [Bound(n, None, frozenset(), True) for n in letters]

    def _bounds(self, group: s.Binder) -> list[Bound]:
        type_ = None if group.type is None else self._text(group.type)
        if group.kind == "instance" and not group.names:
            return [Bound("", f"[{type_}]", frozenset(_heads(group.type)), True, "instance")]
        heads = frozenset(_heads(group.type))
        out = [Bound(name, type_, heads, group.kind != "explicit") for name in group.names]
        if group.pred is not None:
            op, rhs = group.pred
            for bound in list(out):
                text = f"{bound.name} {op} {self._text(rhs)}"
                out.append(Bound("_", text, frozenset({bound.name, *_heads(rhs)})))
        return out

    def _text(self, node: s.Node) -> str:
        return self.text[node.span[0] : node.span[1]]

    def _open(self, found: Statement) -> None:
        """Take as many leading `∀` and premises of the body into the head as bind arguments of the function."""
        while True:
            bound = {b.name for b in found.head}
            wanted = {a.name for args in found.applied for a in map(strip, args) if isinstance(a, s.Ident)} - bound
            body = strip(found.body)
            more: list[Bound]
            if isinstance(body, s.Quantifier) and body.symbol in ("∀", "forall"):
                if any(b.pattern is not None for b in body.binders):
                    return
                more, rest = [b for group in body.binders for b in self._bounds(group)], body.body
            elif isinstance(body, s.DepArrow):
                more, rest = self._bounds(body.binder), body.body
            elif isinstance(body, s.Arrow):
                more, rest = [Bound("_", self._text(body.domain), frozenset(_heads(body.domain)))], body.codomain
            else:
                return
            if not wanted & _leading_names(body):
                return
            found.head += more
            found.body = rest

    # ---- deciding

    def settle(self, found: Statement) -> bool:
        """Decide what each part of the head is, and which variables are the inputs; False where none can be."""
        arity = len(self.types.inputs)
        if not found.applied:
            self._by_types(found)
        names = [b.name for b in found.head]
        plain = [args for args in found.applied if _distinct_variables(args, names)]
        inner = bound_inside(spine_end(found.body)) - set(names)
        chosen = next(iter(plain or [a for a in found.applied if not any(_heads(x) & inner for x in a)]), None)
        if chosen is None:
            return False
        if self._differ(found):
            shown = " ".join(self._text(a) for a in chosen)
            self.notes.append(f"{found.label} applies the function to several arguments; its inputs are {shown}")
        found.arguments = chosen
        self._probe(found)
        data = {b.name: b for b in found.head if b.kind == "data"}
        for i in range(arity):
            argument = strip(chosen[i])
            name = argument.name if isinstance(argument, s.Ident) else ""
            bound = data.get(name)
            same = bound is not None and (
                bound.core is None or self._program.same_type(bound.core, self.types.inputs[i])
            )
            if bound is not None and same and name not in found.inputs:
                bound.kind = "input"
                found.inputs.append(name)
            else:
                fresh = self._fresh(self.task.signature.parameters[i].name, found)
                found.inputs.append(fresh)
                found.equations.append((fresh, self._text(chosen[i]), self.task.signature.parameters[i].type))
        if found.equations:
            shown = ", ".join(f"{fresh} = {text}" for fresh, text, _ in found.equations)
            self.notes.append(f"{found.label} speaks of the function at other arguments than variables: {shown}")
        self._guards(found)
        return True

    def _differ(self, found: Statement) -> bool:
        """Tell whether the function is applied to different arguments."""
        return len({tuple(map(self._text, args)) for args in found.applied}) > 1

    def _fits(self, bound: Bound, position: int) -> bool:
        """Tell whether a variable has the type of an input."""
        return bound.core is None or self._program.same_type(bound.core, self.types.inputs[position])

    def _by_types(self, found: Statement) -> None:
        """Where the function is applied inside a definition only, the variables of its inputs' types are its inputs."""
        self._probe(found)
        data = [b for b in found.head if b.kind == "data"]
        fits = len(data) == len(self.types.inputs) and all(
            b.core is not None and self._fits(b, i) for i, b in enumerate(data)
        )
        if not fits:
            name = self.task.signature.name
            raise StatementError(f"{found.label} does not apply {name} to all of its arguments", unsupported=True)
        self.notes.append(f"the variables of {found.label} are the inputs, by their types")
        span = found.item.span
        found.applied = [tuple([s.Ident(span, (b.name,)) for b in data])]

    def _fresh(self, wanted: str, found: Statement) -> str:
        while wanted in self.taken or wanted in found.inputs or wanted == self.parameter:
            wanted += "'"
        return wanted

    def _probe(self, found: Statement) -> None:
        """Ask the engine which binders of the head are data, and of what types."""
        typed: list[Bound] = []
        for b in found.head:
            if b.type is None:
                b.kind = "data"
                position = _position(found.arguments or (found.applied[0] if found.applied else ()), b.name)
                b.type = None if position is None else self.task.signature.parameters[position].type
            if b.type is not None and b.kind != "instance":
                typed.append(b)
        named = [f"{PROBE}{i}" for i in range(len(typed))]
        lines: list[str] = []
        for i in range(len(typed)):
            inner = " ".join(_binder(b) for b in typed[: i + 1])
            lines.append(f"def {named[i]} ({self.parameter} : {self._function_type()}) {inner} : Prop := True")
        at = found.item.whole[0]
        before = self.text[:at]
        self._program = _load(self.task, self.imports, before + "\n".join(lines) + "\n")
        space = f"{found.item.namespace}." if found.item.namespace else ""
        have = set(self._program.names())
        count = 1
        for b, name in zip(typed, named, strict=True):
            if f"{space}{name}" not in have:
                break
            parameters = self._program.data_parameters(f"{space}{name}")
            if len(parameters) > count:
                b.kind, b.core = "data", parameters[-1][1]
            else:
                b.kind = "hypothesis"
            count = len(parameters)

    def _function_type(self) -> str:
        return self.task.signature.function_type()

    def _guards(self, found: Statement) -> None:
        """Find the hypotheses about the inputs alone."""
        barred = set(found.names) | {b.name for b in found.head if b.kind not in ("input", "hypothesis")}
        for b in found.head:
            if b.kind != "hypothesis":
                continue
            if b.mentions & barred:
                barred.add(b.name)
            else:
                b.kind = "guard"
                found.guards.append(b)

    # ---- writing

    def definition(self, found: Statement, name: str, alone: bool) -> str:
        """Return the definition that takes the statement's place; only one that stands alone has guards as binders."""
        types = {b.name: b.type for b in found.head if b.kind == "input"}
        parameters = zip(found.inputs, self.task.signature.parameters, strict=True)
        inputs = " ".join(f"({x} : {types.get(x) or p.type})" for x, p in parameters)
        instances = [b for b in found.head if b.kind == "instance"]
        guards = [_binder(b) for b in found.guards]
        others = [b for b in found.head if b.kind in ("data", "hypothesis", "unknown")]
        head = " ".join(
            filter(None, [f"({self.parameter} : {self._function_type()})", inputs, *(b.type or "" for b in instances)])
        )
        prefix = ""
        if alone:
            head = " ".join([head, *guards])
        elif guards:
            prefix += f"∀ {' '.join(guards)}, "
        if others:
            prefix += f"∀ {' '.join(_binder(b) for b in others)}, "
        lines = [f"def {name} {head} : Prop :="]
        if prefix:
            lines.append(f"  {prefix.rstrip()}")
        rest = found.body
        if found.equations:
            # The arguments may use what the body binds before it comes to the point.
            rest = spine_end(found.body)
            spine = self.text[found.body.span[0] : rest.span[0]].rstrip()
            if spine:
                lines.append(" " * self._column(found.body) + spine)
            equations = " ".join([f"{fresh} = ({text}) →" for fresh, text, _ in found.equations])
            lines.append(" " * self._column(rest) + equations)
        lines.append(" " * self._column(rest) + self.text[rest.span[0] : rest.span[1]])
        return "\n".join(lines)

    def _column(self, node: s.Node) -> int:
        """Return the column of a node: what is written further right would be an argument of what stands before it."""
        start = node.span[0]
        return start - (self.text.rfind("\n", 0, start) + 1)

    def call(self, name: str, inputs: Sequence[str]) -> str:
        """Return the application of a statement's definition to the contract's variables."""
        return " ".join([name, self.parameter, *inputs])


def spine_end(body: s.Term) -> s.Term:
    """Return what follows the leading `let`s, `∀`s and premises of a body."""
    while True:
        if isinstance(body, s.Let | s.DepArrow) or (isinstance(body, s.Quantifier) and body.symbol in ("∀", "forall")):
            body = body.body
        elif isinstance(body, s.Arrow):
            body = body.codomain
        else:
            return body


def bound_inside(tree: object) -> set[str]:
    """Return the names that are bound somewhere in a tree, by whatever."""
    out = binder_names(tree)
    for node in nodes(tree):
        if isinstance(node, s.LetDecl):
            out.add(node.name)
            out |= _heads(node.pattern)
        elif isinstance(node, s.Binder):
            out |= _heads(node.pattern)
        elif isinstance(node, s.MatchAlt):
            out |= {i.parts[0] for i in identifiers(node.patterns)}
    return out


def conjuncts(body: s.Term) -> list[s.Term]:
    """Return the top-level conjuncts of a body."""
    inner = strip(body)
    if isinstance(inner, s.BinOp) and inner.op in ("∧", "/\\"):
        return [*conjuncts(inner.lhs), *conjuncts(inner.rhs)]
    return [inner]


def identifiers_of(text: str) -> list[s.Ident]:
    """Return the identifiers of a whole text."""
    return list(identifiers(parse_file(text).file))


def _heads(tree: object) -> set[str]:
    return {i.parts[0] for i in identifiers(tree)} if tree is not None else set()


def _binder(b: Bound) -> str:
    if b.kind == "instance":
        return b.type or ""
    name = b.name or "_"
    return f"({name} : {b.type})" if b.type is not None else f"({name})"


def _leading_names(body: s.Term) -> set[str]:
    """Return the names that a chain of leading `∀` and premises binds."""
    out: set[str] = set()
    while True:
        body = strip(body)
        if isinstance(body, s.Quantifier) and body.symbol in ("∀", "forall"):
            out |= {name for group in body.binders for name in group.names}
            body = body.body
        elif isinstance(body, s.DepArrow):
            out |= set(body.binder.names)
            body = body.body
        elif isinstance(body, s.Arrow):
            body = body.codomain
        else:
            return out


def _distinct_variables(args: Sequence[s.Term], names: Sequence[str]) -> bool:
    plain = [a.name for a in map(strip, args) if isinstance(a, s.Ident) and a.name in names]
    return len(plain) == len(args) == len(set(plain))


def _position(args: Sequence[s.Term], name: str) -> int | None:
    for i, a in enumerate(map(strip, args)):
        if isinstance(a, s.Ident) and a.name == name:
            return i
    return None


def _needed(variables: Sequence[s.Binder], used: set[str]) -> list[s.Binder]:
    """Return the section variables that a statement uses, with those that their types use and their instances."""
    wanted = set(used)
    kept: list[s.Binder] = []
    for group in reversed(variables):
        if set(group.names) & wanted or (not group.names and _heads(group.type) & wanted):
            kept.insert(0, group)
            wanted |= _heads(group.type)
    return kept


def _load(task: Task, imports: tuple[str, ...], text: str) -> Program:
    source, _ = with_preamble(task, text)
    return load(source, lean_env(task.context, imports))


__all__ = ["Statement", "StatementError", "Statements", "applications", "binder_names", "mentions"]
