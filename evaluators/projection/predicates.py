"""Which of a text's predicates is its precondition, its postcondition, its relation: found by type, settled by name.

A predicate over the inputs can be a precondition, one over the inputs and the result a postcondition, one over the
function and the inputs a relational contract. Auxiliary definitions may have these types by chance, so where several
fit, the one whose name says so is taken, then the only one that no other definition uses. What is still open is
ambiguous, and said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluators.projection.reading import Item, identifiers
from evaluators.projection.task_types import SignatureTypes
from specgen.lean import syntax as s
from specgen.lean.core import Term
from specgen.lean.engine import Program

Role: TypeAlias = Literal["pre", "post", "relation", "closed"]

_PRE = frozenset(
    ("pre", "precond", "precondition", "preconditions", "requires", "require", "required")
    + ("assumes", "assume", "assumption", "input")
)
_POST = frozenset(
    ("post", "postcond", "postcondition", "postconditions", "ensures", "ensure", "guarantees", "guarantee")
)
_SPEC = frozenset(
    ("spec", "specification", "contract", "correct", "correctness", "satisfies", "meets", "relation", "rel")
)
_OUTPUT = frozenset(("result", "res", "r", "out", "output", "ret", "ans", "answer", "y"))


class AmbiguousError(Exception):
    """Several predicates could be the contract's, and nothing decides."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate of the text that has one of the wanted types.

    `order` gives for each of its parameters which of the wanted ones it is (function, inputs…, result): the identity
    when they come in the usual order.
    """

    name: str
    role: Role
    order: tuple[int, ...]
    item: Item

    @property
    def usual(self) -> bool:
        """Whether its parameters come in the usual order."""
        return self.order == tuple(range(len(self.order)))


def words_of(name: str, function: str) -> set[str]:
    """Return the lower-case words of a name (snake or camel case) without those of the function's own name."""

    def split(text: str) -> list[str]:
        parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text.rpartition(".")[2])
        return [p.lower() for p in parts]

    rest = split(name)
    for word in split(function):
        if word in rest:
            rest.remove(word)
    return set(rest)


def predicates(program: Program, items: Sequence[Item], types: SignatureTypes, function: str) -> list[Predicate]:
    """Return the predicates of a loaded text that have one of the wanted types; the function itself is none."""
    wanted: list[tuple[Role, tuple[Term, ...]]] = [
        ("pre", types.inputs),
        ("post", (*types.inputs, types.result)),
        ("relation", (types.function, *types.inputs)),
        ("closed", (types.function,)),
    ]
    out: list[Predicate] = []
    known = set(program.names())
    for item in items:
        if item.is_theorem or item.name not in known or _is_instance(item.command):
            continue
        if item.name.rpartition(".")[2] == function:
            continue
        if not program.truth_kind(item.name):
            continue
        parameters = program.data_parameters(item.name)
        for role, sought in wanted:
            order = _order(program, parameters, sought, role)
            if order is not None:
                out.append(Predicate(item.name, role, order, item))
                break
    return out


def _is_instance(command: s.Command) -> bool:
    return isinstance(command, s.Declaration) and command.kind == "instance"


def _order(
    program: Program, parameters: Sequence[tuple[str, Term]], wanted: Sequence[Term], role: Role
) -> tuple[int, ...] | None:
    """Return which wanted parameter each parameter is, None where the types do not fit or fit in several ways."""
    n = len(wanted)
    if len(parameters) != n or (role == "pre" and n == 0):
        return None
    fits = [[j for j in range(n) if program.same_type(type_, wanted[j])] for _, type_ in parameters]
    moved = (n - 1, *range(n - 1))
    result_first = parameters[0][0].lower() in _OUTPUT and parameters[-1][0].lower() not in _OUTPUT
    if role == "post" and result_first and all(j in fits[i] for i, j in enumerate(moved)):
        return moved
    if all(i in fits[i] for i in range(n)):
        return tuple(range(n))
    if all(len(f) == 1 for f in fits) and len({f[0] for f in fits}) == n:
        return tuple([f[0] for f in fits])
    return moved if role == "post" and all(j in fits[i] for i, j in enumerate(moved)) else None


def used_names(items: Sequence[Item], by: Callable[[Item], bool] = lambda item: True) -> dict[str, set[str]]:
    """Return for each declared name the names of the declarations that mention it."""
    last: dict[str, set[str]] = {}
    for item in items:
        last.setdefault(item.name.rpartition(".")[2], set()).add(item.name)
    out: dict[str, set[str]] = {item.name: set() for item in items}
    for item in items:
        if not by(item):
            continue
        bound = {n for b in getattr(item.command, "binders", ()) for n in b.names}
        for ident in identifiers(item.command):
            for part in () if ident.parts[0] in bound else ident.parts:
                for name in last.get(part, ()):
                    if name != item.name:
                        out[name].add(item.name)
    return out


@dataclass(frozen=True, slots=True)
class Chosen:
    """The predicates that make up a contract; `named` says that a name, not only a type, tells so."""

    main: Predicate
    precondition: Predicate | None = None
    named: bool = False


def choose(found: Sequence[Predicate], items: Sequence[Item], function: str) -> Chosen | None:
    """Return the contract among predicates, None where there is none.

    Raises:
        AmbiguousError: several could be it.
    """
    users = used_names(items, lambda item: not item.is_theorem)
    mains = [p for p in found if p.role != "pre"]
    main, named = _main(mains, users, function)
    if main is None:
        return None
    if main.role != "post":
        return Chosen(main, None, named)
    pre = _pre([p for p in found if p.role == "pre"], main, users, function)
    return Chosen(main, pre, named or pre is not None)


def _main(mains: Sequence[Predicate], users: dict[str, set[str]], function: str) -> tuple[Predicate | None, bool]:
    def exact(name: str) -> list[Predicate]:
        return [p for p in mains if p.name.rpartition(".")[2] == name]

    for name in (f"{function}_postcond", f"{function}_spec", "generated_spec", "problem_spec"):
        if len(exact(name)) == 1:
            return exact(name)[0], True
    for hints in (_POST, _SPEC):
        hinted = [p for p in mains if words_of(p.name, function) & hints]
        # The whole contract may be a relation made of the postcondition.
        whole = [p for p in hinted if not users[p.name] & {q.name for q in mains if q is not p}] or hinted
        if hinted:
            above = [
                p for p in mains if p.role in ("relation", "closed") and any(p.name in users[q.name] for q in hinted)
            ]
            return _only(above or whole, "the contract"), True
    if not mains:
        return None, False
    free = [p for p in mains if not users[p.name]]
    return _only(free or mains, "the contract"), False


def _pre(pres: Sequence[Predicate], main: Predicate, users: dict[str, set[str]], function: str) -> Predicate | None:
    exact = [p for p in pres if p.name.rpartition(".")[2] == f"{function}_precond"]
    if len(exact) == 1:
        return exact[0]
    hinted = [p for p in pres if words_of(p.name, function) & _PRE]
    if hinted:
        inner = {p.name for p in hinted if users[p.name] & {q.name for q in hinted if q is not p}}
        return _only([p for p in hinted if p.name not in inner], "the precondition")
    # One that its postcondition uses is a helper of it, one that nothing uses has no other purpose.
    free = [p for p in pres if not users[p.name]]
    return _only(free, "the precondition") if free else None


def _only(found: Collection[Predicate], what: str) -> Predicate:
    first, *others = found
    if others:
        names = ", ".join(sorted(p.name for p in found))
        raise AmbiguousError(f"several definitions could be {what}: {names}")
    return first
