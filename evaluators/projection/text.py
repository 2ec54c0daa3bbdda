"""Contracts from free Lean text: predicates found by type and name, else theorems about the function."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluators.projection.form import Contract, ProjectionFailure, lean_env, with_preamble
from evaluators.projection.predicates import AmbiguousError, Chosen, Predicate, choose, predicates, used_names
from evaluators.projection.reading import (
    Item,
    declared_items,
    errors_of,
    identifiers,
    offset_of,
    open_namespace,
    uses_sorry,
)
from evaluators.projection.reply import lean_of_reply
from evaluators.projection.statements import StatementError, Statements, applications, mentions
from evaluators.projection.task_types import signature_types, task_program
from specgen.lean import syntax as s
from specgen.lean.engine import Program, ReadError, load
from specgen.lean.parser import parse_file
from specgen.tasks.model import Representation, Signature, Task

_MAX_PROOFS = 40
_DEFINED = re.compile(r"\b(?:def|abbrev)[ \t]+(?:_root_\.)?([^\s({\[:]+)")
_UNKNOWN = re.compile(r"[Uu]nknown (?:identifier|constant) [`'‘]([^`'’]+)[`'’]")


@dataclass
class _Text:
    """A reply's Lean text on its way to a contract."""

    task: Task
    text: str
    imports: tuple[str, ...]
    notes: list[str] = field(default_factory=list)
    file: s.File = field(init=False)
    items: list[Item] = field(init=False)

    def __post_init__(self) -> None:
        self._read()

    def _read(self) -> None:
        self.file = parse_file(self.text).file
        self.items = declared_items(self.file.commands)

    def load(self) -> Program:
        """Elaborate the text after the task's preamble."""
        return load(with_preamble(self.task, self.text)[0], lean_env(self.task.context, self.imports))

    def edit(self, edits: Sequence[tuple[int, int, str]]) -> None:
        """Replace spans, and read the text again."""
        for start, end, new in sorted(set(edits), reverse=True):
            self.text = self.text[:start] + new + self.text[end:]
        self._read()

    def contract(self, relational: bool, post: str, pre: str = "") -> Contract:
        """Return the contract with these names."""
        source, own_from = with_preamble(self.task, self.text)
        lean = lean_env(self.task.context, self.imports)
        kind: Representation = "relational" if relational else "prepost"
        return Contract(self.task.id, kind, source, lean, post, pre, tuple(self.notes), own_from)

    def fail(self, message: str, unsupported: bool = False) -> ProjectionFailure:
        """Return a failure with the notes so far."""
        return ProjectionFailure("unsupported" if unsupported else "not_well_formed", message, tuple(self.notes))

    def fresh(self, name: str) -> str:
        """Return a name that the text does not use."""
        used = {part for i in identifiers(self.file) for part in i.parts}
        used |= {part for item in self.items for part in item.name.split(".")}
        while name in used:
            name += "'"
        return name


def text_contract(task: Task, reply: str) -> Contract | ProjectionFailure:
    """Find the contract in a reply of free text."""
    lean = lean_of_reply(reply)
    unknown = lean.unknown_import()
    if unknown:
        return ProjectionFailure("not_well_formed", f"unknown module {unknown}", lean.notes)
    if not lean.text.strip():
        return ProjectionFailure("no_output", "no Lean text in the reply", lean.notes)
    return contract_in(task, lean.text, lean.imports, lean.notes)


def contract_in(
    task: Task, lean: str, imports: tuple[str, ...], notes: Sequence[str] = ()
) -> Contract | ProjectionFailure:
    """Find the contract in Lean text without imports."""
    text = _Text(task, lean, imports, list(notes))
    _complete_proofs(text)
    try:
        return _find(text)
    except AmbiguousError as error:
        return text.fail(str(error), unsupported=True)
    except StatementError as error:
        return text.fail(str(error), error.unsupported)
    except ReadError as error:
        return text.fail(f"the task's signature: {error}", unsupported=True)


def _complete_proofs(text: _Text) -> None:
    """Give theorems that end without a proof one, so that they are read at all."""
    for _ in range(_MAX_PROOFS):
        parsed = parse_file(text.text)
        first = next((d for d in parsed.diagnostics if d.severity == "error"), None)
        if first is None or "expected ':='" not in first.message:
            return
        at = offset_of(text.text, first.start.line, first.start.column)
        before = text.text[:at].rstrip()
        # A comment at the end would swallow what is put behind it.
        text.edit([(len(before), len(before), "\n  := sorry\n")])
        if "a statement without a proof is read as one" not in text.notes:
            text.notes.append("a statement without a proof is read as one")


def _find(text: _Text) -> Contract | ProjectionFailure:
    name = text.task.signature.name
    program = text.load()
    types = signature_types(text.task)
    stated = _about_function(text, program)
    ambiguous: AmbiguousError | None = None
    chosen: Chosen | None = None
    try:
        chosen = choose(predicates(program, text.items, types, name), text.items, name)
    except AmbiguousError as error:
        ambiguous = error
    if chosen is not None and (chosen.named or stated is None):
        return _predicate_contract(text, chosen)
    canonical = _by_name(text)
    if canonical is not None:
        return canonical
    if stated is not None:
        return _from_statements(text, *stated, chosen)
    if ambiguous is not None:
        raise ambiguous
    errors = [d for d in program.report.diagnostics if d.severity == "error"]
    hard = [d for d in errors if d.kind != "unsupported"]
    if hard:
        return text.fail(f"line {hard[0].start.line}: {hard[0].message}")
    extended = any(isinstance(c, s.Unsupported) for c in text.file.commands)
    if errors and (extended or any(not item.is_theorem and item.name != name for item in text.items)):
        return text.fail(f"line {errors[0].start.line}: {errors[0].message}", unsupported=True)
    if any(item.is_theorem for item in text.items):
        return text.fail(f"no statement of the text speaks of {name}")
    wanted = f"a predicate over inputs and result (as {name}_postcond), or over the function (as {name}_spec)"
    return text.fail(f"the text defines none of what makes a contract: {wanted}")


def _by_name(text: _Text) -> Contract | None:
    """Return the contract whose definitions have the usual names, whatever their types: checks will say."""
    name = text.task.signature.name
    last = {item.name.rpartition(".")[2]: item.name for item in text.items if not item.is_theorem}
    if errors_of(text.text):
        last = {n.rpartition(".")[2]: n for n in _DEFINED.findall(text.text)} | last
    if {f"{name}_postcond", f"{name}_spec", "generated_spec", "problem_spec"} & set(last):
        _set_aside(text)
    if f"{name}_postcond" in last:
        return text.contract(False, last[f"{name}_postcond"], last.get(f"{name}_precond", ""))
    for relational in (f"{name}_spec", "generated_spec", "problem_spec"):
        if relational in last:
            return text.contract(True, last[relational])
    return None


# ---------------------------------------------------------------------------------------------------------- predicates


def _predicate_contract(text: _Text, chosen: Chosen) -> Contract | ProjectionFailure:
    main, pre = chosen.main, chosen.precondition
    name = text.task.signature.name
    usual = (f"{name}_postcond", f"{name}_precond", f"{name}_spec", "generated_spec", "problem_spec")
    for what, predicate in (("contract", main), ("precondition", pre)):
        if predicate is not None and predicate.name.rpartition(".")[2] not in usual:
            text.notes.append(f"the {what} is {predicate.name}, by its type")
    _set_aside(text)
    if main.role == "closed":
        item = next(i for i in text.items if i.name == main.name)
        command = item.command
        binders = command.binders if isinstance(command, s.Declaration) else ()
        if len(binders) != 1 or len(binders[0].names) != 1:
            return text.fail(f"{main.name} does not name the function among its parameters", unsupported=True)
        return _statement_contract(text, [item], frozenset(binders[0].names))
    if main.role == "post" and pre is None:
        text.notes.append("no precondition defined, read as True")
    post = _adapted(text, main, "_spec" if main.role == "relation" else "_postcond")
    before = "" if pre is None else _adapted(text, pre, "_precond")
    return text.contract(main.role == "relation", post, before)


def _set_aside(text: _Text) -> None:
    """Leave out a stub of the function, and theorems about a function that the text does not have; the contract beside
    them is what counts.
    """
    name = text.task.signature.name
    stubs = [i for i in text.items if i.name.rpartition(".")[2] == name and _is_stub(text, i)]
    users = used_names(text.items, lambda item: not item.is_theorem)
    stubs = [i for i in stubs if not users[i.name]]
    if stubs:
        text.notes.append(f"a declaration of {name} without a body is set aside")
        text.edit([(*item.whole, "") for item in stubs])
    if any(item.name.rpartition(".")[2] == name for item in text.items):
        return
    spellings = frozenset({name, *(i.name for i in stubs)})
    extra = [item for item in text.items if item.is_theorem and mentions(item.command, spellings)]
    if extra:
        text.notes.append(f"{len(extra)} theorem(s) about {name} beside the contract left out")
        text.edit([(*item.whole, "") for item in extra])


def _is_stub(text: _Text, item: Item) -> bool:
    command = item.command
    if not isinstance(command, s.Declaration) or item.is_theorem:
        return False
    return command.kind in ("axiom", "opaque") or uses_sorry(text.text[item.span[0] : item.span[1]])


def _adapted(text: _Text, found: Predicate, suffix: str) -> str:
    """Return the predicate's name, or that of a definition that calls it with its parameters in the usual order."""
    signature = text.task.signature
    command = found.item.command
    if found.usual and isinstance(command, s.Declaration):
        return found.name
    explicit = sum(len(b.names) for b in command.binders if b.kind == "explicit")
    if explicit > len(found.order):
        raise StatementError(f"the parameters of {found.name} are in another order, with proofs among them", True)
    parameters = [(p.name, p.type) for p in signature.parameters]
    if found.role == "relation":
        parameters.insert(0, (signature.name, signature.function_type()))
    elif found.role == "post":
        parameters.append(("result", signature.result_type))
    names: list[str] = []
    for given, _ in parameters:
        name = text.fresh(given)
        while name in names:
            name += "'"
        names.append(name)
    binders = " ".join(f"({n} : {t})" for n, (_, t) in zip(names, parameters, strict=True))
    adapter = text.fresh(f"{signature.name}{suffix}")
    call = " ".join([f"_root_.{found.name}", *(names[i] for i in found.order)])
    space = open_namespace(text.file.commands)
    text.notes.append(f"{found.name} is called with its parameters in the usual order")
    text.text = f"{text.text.rstrip()}\n\ndef {adapter} {binders} : Prop :=\n  {call}\n"
    text.edit([])
    return f"{space}.{adapter}" if space else adapter


# ---------------------------------------------------------------------------------------------------------- statements


def _about_function(text: _Text, program: Program) -> tuple[list[Item], frozenset[str]] | None:
    """Return the statements about the task's function, and the names that it has in them; None when there are none."""
    name = text.task.signature.name
    own = [i.name for i in text.items if i.name.rpartition(".")[2] == name and not i.is_theorem]
    spellings = frozenset({name, *own})
    found = _statements(text, spellings)
    if found:
        return found, spellings
    for other in _other_names(text, program):
        found = _statements(text, frozenset({other}))
        if found:
            text.notes.append(f"the function is called {other}")
            return found, frozenset({other})
    return None


def _statements(text: _Text, spellings: frozenset[str]) -> list[Item]:
    """Return the theorems that speak of the function, also through definitions; else a definition that states it."""
    through = set(_parameterised(text, spellings))
    every = frozenset({*spellings, *(n.rpartition(".")[2] for n in through), *through})
    theorems = [i for i in text.items if i.is_theorem and mentions(_stated(i), every)]
    if theorems:
        return theorems
    used = {part for i in text.items for ident in identifiers(i.command) for part in ident.parts}
    return [
        i for i in text.items if i.name in through and i.name.rpartition(".")[2] not in used and _states_proposition(i)
    ]


def _stated(item: Item) -> object:
    command = item.command
    return (command.binders, command.type)


def _states_proposition(item: Item) -> bool:
    command = item.command
    return (
        isinstance(command, s.Declaration)
        and command.kind in ("def", "abbrev")
        and isinstance(command.type, s.SortTerm)
        and command.type.kind == "Prop"
        and command.value is not None
    )


def _parameterised(text: _Text, spellings: frozenset[str]) -> list[str]:
    """Return the definitions that speak of the function without having it as a parameter, in order, transitively."""
    out: list[str] = []
    names = set(spellings)
    for item in text.items:
        command = item.command
        if item.is_theorem or not isinstance(command, s.Declaration) or item.name in spellings:
            continue
        bound = {n for b in command.binders for n in b.names}
        if mentions((command.binders, command.type, command.value, command.alts), frozenset(names - bound)):
            out.append(item.name)
            names |= {item.name, item.name.rpartition(".")[2]}
    return out


def _other_names(text: _Text, program: Program) -> list[str]:
    """Return what else could be the function: a variable of a theorem of its type, the only unknown name applied."""
    arity = len(text.task.signature.parameters)
    theorems = [i for i in text.items if i.is_theorem]
    trusted, types = task_program(text.task), signature_types(text.task)
    out: dict[str, None] = {}
    for item in theorems:
        for group in (*item.variables, *item.command.binders):
            if group.type is None or group.kind == "instance":
                continue
            try:
                if trusted.same_type(trusted.type(text.text[group.type.span[0] : group.type.span[1]]), types.function):
                    out.update(dict.fromkeys(group.names))
            except ReadError:
                continue
    names = {m[1] for d in program.report.diagnostics for m in [_UNKNOWN.search(d.message)] if m is not None}
    for item in theorems:
        bound = {n for b in (*item.variables, *item.command.binders) for n in b.names}
        for ident in identifiers(_stated(item)):
            if re.fullmatch(r"[a-zα-ω]\d*'?", ident.name) and ident.name not in bound:
                names.add(ident.name)
    applied = {n for n in names for i in theorems if applications(_stated(i), frozenset({n}), arity)}
    if len(applied) == 1 and not out:
        out.update(dict.fromkeys(applied))
    return list(out) if len(out) == 1 else []


def _from_statements(
    text: _Text, items: list[Item], spellings: frozenset[str], chosen: Chosen | None
) -> Contract | ProjectionFailure:
    """Read statements, or (where they only apply a predicate of functions to the function) that predicate.

    What Lean would accept as it was written and not as we wrote it is our limit.
    """
    before, notes = text.text, list(text.notes)
    try:
        found = _statement_contract(text, items, spellings)
    except StatementError:
        if chosen is None:
            raise
        text.notes[:] = notes
        text.text = before
        text.edit([])
        return _predicate_contract(text, chosen)
    fault = _first_fault(text.load())
    if fault and not isinstance(found, ProjectionFailure):
        signature = text.task.signature
        declared = "" if any(i in spellings for i in _names_in(before)) else _as_axioms(spellings, signature)
        if not _first_fault(_with_source(text, f"{declared}{before}").load()):
            return text.fail(f"read as a relation, the statement is not accepted: {fault}", unsupported=True)
    return found


def _first_fault(program: Program) -> str:
    errors = [d for d in program.report.diagnostics if d.severity == "error" and d.kind != "unsupported"]
    return errors[0].message if errors else ""


def _names_in(text: str) -> list[str]:
    return [item.name for item in declared_items(parse_file(text).file.commands)]


def _as_axioms(spellings: frozenset[str], signature: Signature) -> str:
    return "".join(f"axiom {name} : {signature.function_type()}\n" for name in sorted(spellings))


def _with_source(text: _Text, source: str) -> _Text:
    """Return the same reply with another text."""
    return _Text(text.task, source, text.imports)


def _statement_contract(text: _Text, items: list[Item], spellings: frozenset[str]) -> Contract | ProjectionFailure:
    wanted = _prepared(text, [i.whole[0] for i in items], spellings)
    items = [i for i in text.items if i.whole[0] in wanted]
    spelled = frozenset({_parameter(text.task, spellings)})
    declared = [i.name.rpartition(".")[2] for i in text.items]
    statements = Statements(text.task, text.text, text.imports, spelled, declared)
    found = [(item, statements.read(item, _label(item))) for item in items]
    alone = sum(len(parts) for _, parts in found) == 1
    edits: list[tuple[int, int, str]] = []
    calls: list[str] = []
    name = text.task.signature.name
    inputs = [text.fresh(p.name) if p.name == name else p.name for p in text.task.signature.parameters]
    combined = text.fresh(f"{name}_spec")
    full = combined
    for item, parts in found:
        definitions: list[str] = []
        for part in parts:
            short = item.name.rpartition(".")[2] or (combined if alone else f"{name}_part")
            if len(parts) > 1 or (not item.name and not alone):
                short = text.fresh(f"{short}{len(calls) + 1}")
            definitions.append(statements.definition(part, short, alone))
            full = f"{item.namespace}.{short}" if item.namespace else short
            calls.append(statements.call(f"_root_.{full}", inputs))
        edits.append((*item.span, "\n\n".join(definitions)))
    text.notes += statements.notes
    text.edit(edits)
    if alone:
        text.notes.append(f"the statement {full} is read as a relation of the function and its inputs")
        return text.contract(True, full)
    space = open_namespace(text.file.commands)
    binders = " ".join(f"({n} : {p.type})" for n, p in zip(inputs, text.task.signature.parameters, strict=True))
    head = f"def {combined} ({statements.parameter} : {text.task.signature.function_type()}) {binders} : Prop :="
    text.text = f"{text.text.rstrip()}\n\n{head}\n  " + " ∧\n  ".join(calls) + "\n"
    text.edit([])
    text.notes.append(f"{len(calls)} statements about the function are read as their conjunction")
    return text.contract(True, f"{space}.{combined}" if space else combined)


def _label(item: Item) -> str:
    return item.name or f"the {getattr(item.command, 'kind', 'statement')}"


def _parameter(task: Task, spellings: frozenset[str]) -> str:
    return next((n for n in sorted(spellings) if "." not in n), task.signature.name)


def _prepared(text: _Text, starts: list[int], spellings: frozenset[str]) -> set[int]:
    """Make the function the parameter of what speaks of it: its own definition goes, other definitions that name it get
    it as a parameter, and it has one name everywhere. Returns the new offsets of the statements.
    """
    parameter, task = _parameter(text.task, spellings), text.task
    own = [i for i in text.items if i.name in spellings and not i.is_theorem]
    through = [
        n for n in _parameterised(text, spellings) if all(i.whole[0] not in starts for i in text.items if i.name == n)
    ]
    short = {n: n for n in through} | {n.rpartition(".")[2]: n for n in through}
    edits: list[tuple[int, int, str]] = [(*i.whole, "") for i in own]
    for item in own:
        what = "a declaration without a body" if _is_stub(text, item) else "an implementation"
        text.notes.append(f"{what} of {item.name} in the text is set aside")
    for item in text.items:
        if item in own:
            continue
        for ident in identifiers(item.command):
            start, end = ident.span
            if ident.name in spellings and ident.name != parameter:
                edits.append((start, end, parameter))
            elif ident.name in short:
                edits.append((start, end, f"({text.text[start:end]} {parameter})"))
        if item.name in through:
            edits.append(_with_parameter(text, item, f" ({parameter} : {task.signature.function_type()})"))
            text.notes.append(f"{item.name} gets the function as a parameter")
    moved: set[int] = set()
    for start in starts:
        moved.add(start + sum(len(new) - (b - a) for a, b, new in set(edits) if b <= start))
    text.edit(edits)
    return moved


def _with_parameter(text: _Text, item: Item, binder: str) -> tuple[int, int, str]:
    last = re.escape(item.name.rpartition(".")[2])
    found = re.compile(rf"\b(?:def|abbrev)\s+\S*?{last}(?=[\s(:{{\[|])").search(text.text, item.span[0], item.span[1])
    if found is None:
        raise StatementError(f"{item.name} speaks of the function and is no plain definition", unsupported=True)
    return (found.end(), found.end(), binder)
