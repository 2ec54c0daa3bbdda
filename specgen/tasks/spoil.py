"""Defined ways of spoiling a reference contract, for simulated models and for calibration.

Each spoiled contract differs from its reference by one stated edit of the text. That an edit changes what the contract
*says* on a task's labels is for an evaluator to find out; what is promised here is that a kind other than `unparsable`
still parses, and that an `ill_typed` one cannot elaborate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal, TypeAlias, get_args

from specgen.errors import UserError
from specgen.lean import syntax as s
from specgen.lean.parser import parse_file
from specgen.tasks._props import AND, OR, Chain, Site, skeleton
from specgen.tasks._text import mask
from specgen.tasks.model import ContractSource, Representation, Task
from specgen.tasks.values import parse_type

SpoilKind: TypeAlias = Literal[
    "dropped_clause", "weakened", "strengthened", "restricted_input", "vacuous", "ill_typed", "unparsable"
]
Part: TypeAlias = Literal["precondition", "postcondition"]
SPOIL_KINDS: tuple[SpoilKind, ...] = get_args(SpoilKind)

# What makes a comparison weaker where it stands positively, and stronger where it stands negatively.
_WEAKER = {"<": "≤", ">": "≥"}
_STRONGER = {"≤": "<", "<=": "<", "≥": ">", ">=": ">"}
_MISTYPED = ('(0 : Nat) = "0"', '"a" - 1 = "a"', "noSuchPredicate")


@dataclass(frozen=True, slots=True)
class ContractFields:
    """A pre/post contract in the fields of a structured reply; bodies are dedented, `precond` is `True` when absent."""

    precond_aux: str
    precond: str
    postcond_aux: str
    postcond: str


@dataclass(frozen=True, slots=True)
class SpoiledContract:
    """A reference with one defined fault.

    `touched` says what was edited, for a person; `clause` is the index of the clause it was in (None: the whole part).
    `fields` is there for `prepost`.
    """

    kind: SpoilKind
    part: Part
    touched: str
    clause: int | None
    contract: ContractSource
    fields: ContractFields | None = None


@dataclass(frozen=True, slots=True)
class _Edit:
    kind: SpoilKind
    part: Part
    touched: str
    clause: int | None
    cuts: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class _Target:
    """The declaration of one part of a contract: where it starts, its body, and the parameters it may speak of."""

    part: Part
    start: int
    body: s.Term


def spoil(
    task: Task, representation: Representation = "prepost", *, limit_per_kind: int = 6
) -> tuple[SpoiledContract, ...]:
    """Return spoiled versions of a task's reference contract.

    Args:
        task: with a reference in that representation.
        representation: `prepost` or `relational`.
        limit_per_kind: at most so many of each kind, those that come first in the text.

    Returns:
        Distinct contracts, ordered by kind (as in `SPOIL_KINDS`) and position; the same for the same task always. There
        is at least one `vacuous`, `ill_typed` and `unparsable`; other kinds as the contract allows.

    Raises:
        UserError: the task has no such reference, or its reference cannot be parsed.
    """
    reference = task.reference(representation)
    if reference is None:
        raise UserError(f"the task {task.id} has no {representation} reference to spoil")
    targets = _targets(task, reference)
    every = sorted(_edits(task, reference, targets), key=lambda e: SPOIL_KINDS.index(e.kind))
    out, seen, count = list[SpoiledContract](), {reference.text}, dict.fromkeys(SPOIL_KINDS, 0)
    for edit in every:
        if count[edit.kind] >= limit_per_kind:
            continue
        text = _applied(reference.text, edit.cuts)
        if text in seen or (edit.kind == "unparsable") == _parses(text):
            continue
        seen.add(text)
        count[edit.kind] += 1
        out.append(_finished(edit, reference, text, targets))
    return tuple(out)


def contract_fields(contract: ContractSource) -> ContractFields:
    """Cut a pre/post contract into the fields of a structured reply; `UserError` when it cannot be parsed."""
    return _fields(contract, contract.text, (), _declarations(contract, contract.text))


# --------------------------------------------------------------------------------------------------------------- edits


def _edits(task: Task, reference: ContractSource, targets: tuple[_Target, ...]) -> Iterator[_Edit]:
    for target in targets:
        bones = skeleton(target.body)
        for chain in bones.chains:
            yield from _drops(target, chain, bones.clauses)
        for site in bones.sites:
            yield from _comparisons(reference.text, target, site, task)
        yield from _whole(reference.text, target)
    yield from _restrictions(task, reference, targets)


def _drops(target: _Target, chain: Chain, clauses: list[tuple[int, int]]) -> Iterator[_Edit]:
    for at, span in enumerate(chain.clauses):
        index = clauses.index(span) if span in clauses else at
        start, end = chain.without(at)
        yield _Edit(
            "dropped_clause", target.part, f"clause {at + 1} of {len(chain.clauses)}", index, ((start, end, ""),)
        )


def _comparisons(text: str, target: _Target, site: Site, task: Task) -> Iterator[_Edit]:
    node = site.node
    if isinstance(node, s.Arrow):
        parts = f"(({_cut(text, node.domain)}) ∧ ({_cut(text, node.codomain)}))"
        kind: SpoilKind = "strengthened" if site.positive else "weakened"
        yield _Edit(kind, target.part, "`→` became `∧`", site.clause, ((*node.span, parts),))
        return
    if not isinstance(node, s.BinOp):
        return
    for new, weaker in _alternatives(node, task):
        kind = "weakened" if weaker == site.positive else "strengthened"
        touched = f"`{node.op}` became `{new}`"
        if node.op in ("↔", "<->"):
            both = f"(({_cut(text, node.lhs)}) {new} ({_cut(text, node.rhs)}))"
            yield _Edit(kind, target.part, touched, site.clause, ((*node.span, both),))
            continue
        place = _operator(text, node)
        if place is not None:
            yield _Edit(kind, target.part, touched, site.clause, ((*place, new),))


def _alternatives(node: s.BinOp, task: Task) -> Iterator[tuple[str, bool]]:
    """Yield other operators for a node, each with whether it makes the proposition weaker."""
    if node.op in _WEAKER:
        yield _WEAKER[node.op], True
    elif node.op in _STRONGER:
        yield _STRONGER[node.op], False
    elif node.op in OR:
        yield "∧", False
    elif node.op in AND:
        yield "∨", True
    elif node.op in ("↔", "<->"):
        yield "→", True
        yield "←", True
    elif node.op == "=" and _is_number(task) and any(_is_result(side) for side in (node.lhs, node.rhs)):
        yield "≤", True
        yield "≥", True


def _is_number(task: Task) -> bool:
    return parse_type(task.signature.result_type).head in ("Nat", "Int", "Rat", "ℕ", "ℤ", "ℚ")


def _is_result(term: s.Term) -> bool:
    return isinstance(term, s.Ident) and term.name == "result"


def _operator(text: str, node: s.BinOp) -> tuple[int, int] | None:
    """Return the span of a node's operator: between its sides, comments left out."""
    start, end = node.lhs.span[1], node.rhs.span[0]
    at = mask(text[start:end]).find(node.op)
    return (start + at, start + at + len(node.op)) if at >= 0 else None


def _cut(text: str, term: s.Term) -> str:
    return text[slice(*term.span)]


def _whole(text: str, target: _Target) -> Iterator[_Edit]:
    """Yield the edits of a part as a whole."""
    span = target.body.span
    name = target.part
    if name == "postcondition":
        yield _Edit("vacuous", name, "the whole postcondition became `True`", None, ((*span, "True"),))
        body = _cut_in_parens(text, target.body)
        for wrong in _MISTYPED:
            yield _Edit("ill_typed", name, f"`{wrong}` added", None, ((*span, f"{body} ∧ {wrong}"),))
        yield _Edit("unparsable", name, "a connective without a right side", None, ((span[1], span[1], " ∧"),))
        yield _Edit("unparsable", name, "a parenthesis that is not closed", None, ((span[0], span[0], "("),))
    else:
        yield _Edit("vacuous", name, "the whole precondition became `False`", None, ((*span, "False"),))


def _cut_in_parens(text: str, term: s.Term) -> str:
    return f"({_cut(text, term)})"


def _restrictions(task: Task, reference: ContractSource, targets: tuple[_Target, ...]) -> Iterator[_Edit]:
    """Yield edits that speak of fewer inputs: an extra precondition, or a guard before a relational contract."""
    pre = next((t for t in targets if t.part == "precondition"), None)
    post = next(t for t in targets if t.part == "postcondition")
    for condition in _conditions(task):
        touched = f"only inputs with `{condition}`"
        if reference.representation == "relational":
            new = f"{condition} → {_cut_in_parens(reference.text, post.body)}"
            yield _Edit("restricted_input", "postcondition", touched, None, ((*post.body.span, new),))
        elif pre is not None:
            new = condition if _cut(reference.text, pre.body).strip() == "True" else ""
            new = new or f"{_cut_in_parens(reference.text, pre.body)} ∧ {condition}"
            yield _Edit("restricted_input", "precondition", touched, None, ((*pre.body.span, new),))
        else:
            head = f"def {task.signature.name}_precond {task.signature.binders()} : Prop :=\n  {condition}\n\n"
            yield _Edit("restricted_input", "precondition", touched, None, ((post.start, post.start, head),))


def _conditions(task: Task) -> Iterator[str]:
    """Yield, for each parameter that has one, a condition that excludes some inputs of its type."""
    shapes = {"List": "{} ≠ []", "Array": "{}.size > 0", "Option": "{}.isSome", "Bool": "{} = true"}
    numbers = ("Nat", "Int", "Rat", "ℕ", "ℤ", "ℚ")
    for parameter in task.signature.parameters:
        head = parse_type(parameter.type).head
        if head in numbers:
            yield f"{parameter.name} ≠ 0"
            yield f"{parameter.name} > 1"
        elif head == "String":
            yield f'{parameter.name} ≠ ""'
        elif head in shapes:
            yield shapes[head].format(parameter.name)


# ------------------------------------------------------------------------------------------------------------- results


def _finished(edit: _Edit, reference: ContractSource, text: str, targets: tuple[_Target, ...]) -> SpoiledContract:
    pre = reference.precondition
    if not pre and edit.kind == "restricted_input" and reference.representation == "prepost":
        pre = reference.postcondition.removesuffix("_postcond") + "_precond"
    contract = ContractSource(reference.representation, text, reference.postcondition, pre)
    fields = None
    if reference.representation == "prepost":
        fields = _fields(reference, reference.text, edit.cuts, targets)
    return SpoiledContract(edit.kind, edit.part, edit.touched, edit.clause, contract, fields)


def _fields(
    reference: ContractSource, text: str, cuts: tuple[tuple[int, int, str], ...], targets: tuple[_Target, ...]
) -> ContractFields:
    """Cut the fields out of the reference's text, the edit applied: offsets are those of the reference."""
    pre = next((t for t in targets if t.part == "precondition"), None)
    post = next(t for t in targets if t.part == "postcondition")

    def body(target: _Target) -> str:
        start, end = target.body.span
        inside = tuple((a - start, b - start, new) for a, b, new in cuts if start <= a and b <= end)
        column = start - (text.rfind("\n", 0, start) + 1)
        return dedent(" " * column + _applied(text[start:end], inside)).strip("\n")

    start = 0
    pre_aux = ""
    condition = "True"
    if pre is not None:
        pre_aux, start = text[: pre.start].strip("\n"), pre.body.span[1]
        condition = body(pre)
    else:
        added = next((new for a, b, new in cuts if a == b == post.start), "")
        condition = added.partition(":=\n")[2].strip() or condition
    return ContractFields(pre_aux, condition, text[start : post.start].strip("\n"), body(post))


def _applied(text: str, cuts: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(cuts, reverse=True):
        if not new and end < len(text) and text[start - 1 : start].isspace():
            text = text[:start] + text[end:].lstrip(" ")
        else:
            text = text[:start] + new + text[end:]
    return text


def _parses(text: str) -> bool:
    return not any(d.severity == "error" for d in parse_file(text).diagnostics)


def _targets(task: Task, reference: ContractSource) -> tuple[_Target, ...]:
    try:
        return _declarations(reference, reference.text)
    except UserError as error:
        raise UserError(f"the reference of {task.id} cannot be spoiled: {error.message}") from None


def _declarations(reference: ContractSource, text: str) -> tuple[_Target, ...]:
    parsed = parse_file(text)
    found: dict[str, _Target] = {}
    parts: dict[str, Part] = {reference.postcondition: "postcondition"}
    if reference.precondition:
        parts[reference.precondition] = "precondition"
    for command in parsed.file.commands:
        if isinstance(command, s.Declaration) and command.name in parts and command.value is not None:
            part = parts[command.name]
            found[part] = _Target(part, _start(text, command.span[0]), command.value)
    if "postcondition" not in found:
        problem = next((d.message for d in parsed.diagnostics), "no definition of that name with a body")
        raise UserError(f"{reference.postcondition}: {problem}")
    return tuple(found[part] for part in ("precondition", "postcondition") if part in found)


def _start(text: str, start: int) -> int:
    """Return where a declaration starts with its attributes, should the parser's span begin after them."""
    before = text[:start].rstrip()
    found = re.search(r"@\[[^\]]*\]$", before)
    return found.start() if found else start
