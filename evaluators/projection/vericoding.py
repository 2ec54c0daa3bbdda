"""Contracts of VeriCoding files: the function that is to be written, and what the file says of it.

Source: Beneficial-AI-Foundation/vericoding-benchmark, the Lean files. A file declares the function by `sorry` (among
its parameters perhaps a proof of the precondition), and states what it must satisfy: `f_precond` and `f_postcond`, a
relation `problem_spec`, theorems about `f`. A file with several functions to write is read as the contract of the one
that its statements speak of most, the first of them where that does not decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluators.projection.form import Contract, ProjectionFailure
from evaluators.projection.reading import Item, declared_items, identifiers, nodes, uses_sorry
from evaluators.projection.reply import lean_of_reply
from evaluators.projection.text import contract_in
from specgen.lean import syntax as s
from specgen.lean.engine import Program, load
from specgen.lean.environment import LeanEnv
from specgen.lean.parser import parse_file
from specgen.tasks.model import LeanContext, Parameter, Provenance, Signature, Task

LEAN_VERSION = "4.24.0"
_NOT_FUNCTIONS = re.compile(r"(_precond|_postcond)$|^problem_spec$")


@dataclass(frozen=True, slots=True)
class FileContract:
    """A file's function, as a task without requirement and labels, and its contract."""

    task: Task
    contract: Contract


def vericoding_contract(text: str, name: str = "file") -> FileContract | ProjectionFailure:
    """Return the contract that a VeriCoding file states, or why there is none; `name` becomes the contract's task."""
    lean = lean_of_reply(text)
    parsed = parse_file(lean.text)
    items = declared_items(parsed.file.commands)
    functions = [i for i in items if _to_write(lean.text, i)] or [i for i in items if _plain(i)]
    if not functions:
        return ProjectionFailure("not_well_formed", "the text declares no function to specify")
    function = _spoken_of(functions, items)
    program = load(lean.text, LeanEnv((4, 24, 0), lean.imports))
    signature = _signature(lean.text, function, program)
    if isinstance(signature, ProjectionFailure):
        return signature
    own = _without_others(lean.text, items, function)
    if isinstance(own, ProjectionFailure):
        return own
    types = " ".join([*(p.type for p in signature.parameters), signature.result_type])
    given = _given(own, types)
    context = LeanContext(LEAN_VERSION, lean.imports, own[:given])
    task = Task(name, "", signature, context, Provenance("vericoding", name, "MIT"))
    found = contract_in(task, own[given:], lean.imports)
    return found if isinstance(found, ProjectionFailure) else FileContract(task, found)


def _without_others(text: str, items: list[Item], function: Item) -> str | ProjectionFailure:
    """Leave out what is only declared and what is stated of it, as far as the function's contract does not need it."""
    stubs = {i.name for i in items if i is not function and (_to_write(text, i) or _is_axiom(i))}
    about = [i for i in items if i.is_theorem and _names(i) & {function.name}]
    mine = [i for i in items if not i.is_theorem or i in about or not about]
    mine = [i for i in mine if i.name not in stubs]
    while True:
        used = {name for i in mine for name in _names(i)}
        spoiled = [i for i in mine if not i.is_theorem and i is not function and _spoken(i, stubs)]
        spoiled = [i for i in spoiled if i.name not in used]
        if not spoiled:
            break
        mine = [i for i in mine if i not in spoiled]
    for item in mine:
        missing = _spoken(item, stubs)
        if missing and item is not function:
            return ProjectionFailure("unsupported", f"{item.name} speaks of {min(missing)}, which is only declared")
    for item in reversed([i for i in items if i not in mine]):
        text = text[: item.whole[0]] + text[item.whole[1] :]
    return text


def _is_axiom(item: Item) -> bool:
    return isinstance(item.command, s.Declaration) and item.command.kind in ("axiom", "opaque")


def _names(item: Item) -> set[str]:
    """Return what a declaration may refer to by name, its own name and its parameters apart."""
    command = item.command
    bound = {n for b in getattr(command, "binders", ()) for n in b.names}
    tree = (command.binders, command.type) if item.is_theorem and isinstance(command, s.Declaration) else command
    names = {i.name for i in identifiers(tree) if i.parts[0] not in bound} - {item.name}
    # A function `T.g` may be called as `x.g`.
    fields = {part for i in identifiers(tree) for part in i.parts[1:]}
    fields |= {str(n.field) for n in nodes(tree) if isinstance(n, s.Proj)}
    return names | {f".{part}" for part in fields}


def _spoken(item: Item, stubs: set[str]) -> set[str]:
    """Return which of the names a declaration may refer to."""
    names = _names(item)
    return {n for n in stubs if n in names or ("." in n and f".{n.rpartition('.')[2]}" in names)}


def _given(text: str, types: str) -> int:
    """Return where the file's part ends that the types of the signature need; 0 where it needs none."""
    wanted = set(re.findall(r"[^\s()×→,\[\]{}.]+", types))
    end, level = 0, 0
    for command in parse_file(text).file.commands:
        match command:
            case s.Namespace() | s.Section():
                level += 1
            case s.End():
                level -= 1
            case s.Declaration() | s.Structure() | s.Inductive() if level == 0 and command.name in wanted:
                end = command.span[1]
            case _:
                pass
    return end


def _to_write(text: str, item: Item) -> bool:
    command = item.command
    definition = isinstance(command, s.Declaration) and command.kind in ("def", "abbrev", "opaque")
    return definition and uses_sorry(text[item.span[0] : item.span[1]])


def _plain(item: Item) -> bool:
    command = item.command
    definition = isinstance(command, s.Declaration) and command.kind in ("def", "abbrev")
    return definition and _NOT_FUNCTIONS.search(item.name) is None


def _spoken_of(functions: list[Item], items: list[Item]) -> Item:
    """Return the function that has a contract by name, else the one that the theorems mention most."""
    names = {item.name for item in items}
    for item in functions:
        if f"{item.name}_postcond" in names or (item.name == "implementation" and "problem_spec" in names):
            return item
    stated = [i for item in items if item.is_theorem for i in identifiers((item.command,))]
    count = {f.name: sum(i.name == f.name for i in stated) for f in functions}
    return max(functions, key=lambda f: count[f.name])


def _signature(text: str, function: Item, program: Program) -> Signature | ProjectionFailure:
    command = function.command
    assert isinstance(command, s.Declaration)  # noqa: S101 - functions are
    if function.name not in program.names():
        errors = [d.message for d in program.report.diagnostics if d.severity == "error"]
        why = errors[0] if errors else "it is not known"
        return ProjectionFailure("unsupported", f"the head of {function.name}: {why}")
    if any(b.kind != "explicit" for b in (*function.variables, *command.binders)):
        return ProjectionFailure("unsupported", f"{function.name} is generic")
    data = {name for name, _ in program.data_parameters(function.name)}
    parameters: list[Parameter] = []
    earlier: set[str] = set()
    for group in command.binders:
        for name in group.names:
            if name not in data:
                continue
            if group.type is None:
                return ProjectionFailure("unsupported", f"a parameter of {function.name} has no type")
            if {i.parts[0] for i in identifiers(group.type)} & earlier:
                return ProjectionFailure("unsupported", f"a type of {function.name} depends on a parameter")
            parameters.append(Parameter(name, _text(text, group.type)))
        earlier |= set(group.names)
    result = command.type
    if result is None:
        return ProjectionFailure("unsupported", f"{function.name} does not say what it returns")
    if {i.parts[0] for i in identifiers(result)} & earlier:
        return ProjectionFailure("unsupported", f"a type of {function.name} depends on a parameter")
    while isinstance(result, s.Arrow):
        parameters.append(Parameter(f"x{len(parameters) + 1}", _text(text, result.domain)))
        result = result.codomain
    return Signature(function.name, tuple(parameters), _text(text, result))


def _text(text: str, node: s.Node) -> str:
    return " ".join(text[node.span[0] : node.span[1]].split())


__all__ = ["FileContract", "vericoding_contract"]
