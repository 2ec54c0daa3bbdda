"""What is tried when no rule bounds a variable: a bounded number of candidates, which can find but not exclude."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from specgen.lean import core
from specgen.lean.core import Const, Term
from specgen.lean.eval import nodes
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.search import Generator, Search, State, loop_code
from specgen.lean.eval.runtime import METER
from specgen.lean.eval.values import to_list

_CHARS = "ab01 AZz"
_FEW = 9


def last_resort(search: Search, s: State) -> Code:
    """Ask z3 about linear arithmetic; else bind the first variable with samples by a search that is not complete.

    One variable is sampled before z3 is asked. With more, only a few samples of each are tried first: were z3 asked
    about the others at each sample, it would be asked very often.
    """
    from specgen.lean.eval.quantifiers.arithmetic import decide, first_then

    if search.enumerating or search.brief:
        return _sampled(search, s)
    exact = decide(search, s)
    if exact is None:
        return _sampled(search, s)
    if len(s.unbound) == 1:
        return first_then(_sampled(search, s), exact)
    search.brief = True
    few = _sampled(search, s)
    search.brief = False
    return first_then(few, first_then(exact, _sampled(search, s)))


def _sampled(search: Search, s: State) -> Code:
    for x in s.unbound:
        type_ = search.c.types.local_type(x)
        if samples(search, type_) is None:
            continue
        at = search.scope.bind(x)
        rest = search.plan(State([y for y in s.unbound if y is not x], s.literals, s.cases))
        return loop_code(at, (Generator(99, _bounded(search, type_), complete=False),), rest, rest)
    names = ", ".join([x.name for x in s.unbound])
    return nodes.failing("undecided", f"a quantifier without a bound over {names}")


def _bounded(search: Search, type_: Term) -> Code:
    few = search.brief

    def run(fr: Frame) -> Any:
        found = samples(search, type_)
        return () if found is None else islice(found, _FEW if few else METER.limits.search)

    return run


def samples(search: Search, type_: Term, depth: int = 0) -> Iterator[Any] | None:
    """Return values of a type, small ones first; None where we cannot make any."""
    head, args = core.unfold_app(search.c.types.normal_type(type_))
    if not isinstance(head, Const) or depth > 2:
        return None
    match head.name:
        case "Nat":
            return iter(range(100_000))
        case "Int":
            return _integers()
        case "Bool":
            return iter((False, True))
        case "Char":
            return iter(_CHARS)
        case "String":
            return ("".join(w) for w in _words(list(_CHARS[:4])))
        case "List":
            inner = samples(search, args[0], depth + 1)
            return None if inner is None else (to_list(w) for w in _words(list(islice(inner, 4))))
        case "Option":
            inner = samples(search, args[0], depth + 1)
            return None if inner is None else _options(inner)
        case "Prod":
            left, right = samples(search, args[0], depth + 1), samples(search, args[1], depth + 1)
            if left is None or right is None:
                return None
            return iter(list(product(islice(left, 12), islice(right, 12))))
        case _:
            return None


def _integers() -> Iterator[int]:
    yield 0
    for n in range(1, 50_000):
        yield n
        yield -n


def _options(inner: Iterator[Any]) -> Iterator[Any]:
    yield None
    for v in inner:
        yield (v,)


def _words(letters: list[Any]) -> Iterator[tuple[Any, ...]]:
    for n in range(6):
        yield from product(letters, repeat=n)
