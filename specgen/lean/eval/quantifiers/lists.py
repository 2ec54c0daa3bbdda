"""Lists of bounded length over a finite alphabet.

Soundness. The literals say of a list x (or a string, an array) that its length lies between known bounds, and of its
elements that each satisfies something from which the rules derive finitely many candidates (`∀ y ∈ x, …`, `x.all …`,
`x ⊆ l`), or the element type is finite. So x is one of the words of these lengths over these candidates; with
`x.Nodup` in addition the alphabet bounds the length, and where x increases strictly, or is a `Finset`, it is given by
the set of its elements. Where a bound on the sum of numbers that are all positive is known, only words up to that sum
are listed: a part of such a word has a sum that is no larger. Where the words are too many to list, the rule does not
apply.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from typing import Any, Final, TypeAlias

from specgen.lean import core
from specgen.lean.core import Const, FVar, Term
from specgen.lean.elab.subst import beta
from specgen.lean.eval.nodes import CAUGHT, Code, Frame, is_fatal
from specgen.lean.eval.quantifiers import bounds, finite
from specgen.lean.eval.quantifiers.literals import Literal, conjuncts, expose, quantified
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import Arr, Finset, key, to_list

_MAX_WORDS: Final = 300_000
_LENGTHS: Final = frozenset({"List.length", "Array.size", "String.length", "Finset.card"})
Choice: TypeAlias = Callable[[list[Any], int], Iterator[tuple[Any, ...]]]
_FRESH_RANK: Final = 55
_LARGE: Final = 60
"""Rank of types with too many values to go through for nothing."""


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the words over the alphabet that the literals leave for the elements of x."""
    from specgen.lean.eval.quantifiers.rules import proposals

    head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
    type_name = head.name if isinstance(head, Const) and head.name not in search.c.env.constants else ""
    make = _BUILDERS.get(type_name)
    if make is None:
        return []
    element = args[0] if args else Const("Char")
    lows, highs, distinct = length_bounds(search, x, s)
    rising = _rises(search, x, s)
    sums = _sum_bounds(search, x, s) if type_name == "List" else ()
    if not highs and not distinct and not rising and not sums and type_name != "Finset":
        return []
    e = search.c.types.local("element", element)
    about = [lit for one in s.literals for lit in of_elements(search, one, x, e, s.ids)]
    known = [lit for lit in about if not search.mentions(lit.term, s.ids)]
    inner = State([e], known)
    candidates = [g for g in proposals(search, e, inner) if g.covers and g.complete]
    candidates.sort(key=lambda g: g.rank)
    if candidates and candidates[0].rank >= _LARGE and not known:
        return []
    alphabet: Code
    if candidates:
        alphabet = candidates[0].code
    else:
        domain = finite.domain(search, element, 0)
        if domain is None or (domain[0] >= _LARGE and not known):
            return []
        alphabet = domain[1]
    at = search.scope.bind(e)
    checks = tuple([search.check(lit) for lit in known])
    choose: Choice = product_of
    if type_name == "Finset" or rising:
        choose = _subsets
    elif distinct:
        choose = permutations
    words = _words(alphabet, at, checks, lows, highs, choose, make)
    if sums and choose is product_of:
        words = _summed(alphabet, at, checks, lows, highs, sums, words)
    return [Generator(_FRESH_RANK, words, total=False)]


def length_bounds(search: Search, x: FVar, s: State) -> tuple[tuple[Code, ...], tuple[Code, ...], bool]:
    """Return codes of lower and upper bounds of the length, and whether no element repeats."""
    lows: list[Code] = []
    highs: list[Code] = []
    distinct = False
    for lit in s.literals:
        name, args, _ = expose(search.c, lit.term)
        if lit.positive and name == "List.Nodup" and args[-1] == x:
            distinct = True
        for a, b, k in bounds.inequalities(search, lit):
            if _is_length(search, a, x) and not search.mentions(b, s.ids):
                highs.append(_less(search.c.code(b, search.scope), k))
            elif _is_length(search, b, x) and not search.mentions(a, s.ids):
                lows.append(_less(search.c.code(a, search.scope), -k))
    return tuple(lows), tuple(highs), distinct


def _sum_bounds(search: Search, x: FVar, s: State) -> tuple[Code, ...]:
    """Return codes of upper bounds of the sum of x."""
    highs: list[Code] = []
    for lit in s.literals:
        for a, b, k in bounds.inequalities(search, lit):
            name, args, _ = expose(search.c, a)
            if name == "Int.ofNat" and args:
                name, args, _ = expose(search.c, args[0])
            if name == "List.sum" and args[-1] == x and not search.mentions(b, s.ids):
                highs.append(_less(search.c.code(b, search.scope), k))
    return tuple(highs)


_RISING: Final = frozenset({"List.Pairwise", "List.Sorted", "List.Chain'", "List.IsChain"})


def _rises(search: Search, x: FVar, s: State) -> bool:
    """Tell whether a literal says that the elements of x, numbers or characters, increase strictly."""
    for lit in s.literals:
        name, args, _ = expose(search.c, lit.term)
        if not lit.positive or name not in _RISING or args[-1] != x:
            continue
        a, b = search.c.types.local("a", args[0]), search.c.types.local("b", args[0])
        inner, sides, _ = expose(search.c, beta(args[1], (a, b)))
        if inner in ("Nat.lt", "Int.lt", "Char.lt", "String.lt") and sides == (a, b):
            return True
    return False


def _less(code: Code, k: int) -> Code:
    return lambda fr: code(fr) - k


def _is_length(search: Search, term: Term, x: FVar) -> bool:
    name, args, _ = expose(search.c, term)
    if name == "Int.ofNat" and args:
        return _is_length(search, args[0], x)
    return name in _LENGTHS and args[-1] == x


def of_elements(search: Search, lit: Literal, x: FVar, e: FVar, ids: frozenset[int]) -> list[Literal]:
    """Return what a literal says of every element e of x."""
    name, args, _ = expose(search.c, lit.term)
    if lit.positive and name in ("List.all", "Array.all") and len(args) == 3 and args[1] == x:
        return conjuncts(search.c, Literal(beta(args[2], (e,))))
    opened = quantified(search.c, Literal(lit.term, not lit.positive))
    if opened is None:
        return []
    y, body = opened
    parts = conjuncts(search.c, body)
    rest: list[Literal] = []
    guarded = False
    for part in parts:
        head, inner, _ = expose(search.c, part.term)
        if part.positive and head in ("List.Mem", "Array.Mem", "Finset.Mem") and y in inner and x in inner:
            guarded = True
        else:
            rest.append(part)
    if not guarded or len(rest) != 1 or search.mentions(rest[0].term, ids):
        return []
    term = core.instantiate(core.abstract(rest[0].term, (y,)), (e,))
    return conjuncts(search.c, Literal(term, not rest[0].positive))


def _words(
    alphabet: Code,
    at: int,
    checks: tuple[Code, ...],
    lows: tuple[Code, ...],
    highs: tuple[Code, ...],
    choose: Choice,
    make: Callable[[tuple[Any, ...]], Any],
) -> Code:
    def run(fr: Frame) -> Any:
        found = alphabet(fr)
        if found is None:
            return None
        letters = [v for v in found if may_be(checks, fr, at, v)]
        low = max([0, *[code(fr) for code in lows]])
        limits = [code(fr) for code in highs]
        if choose is not product_of:
            letters = distinct_letters(letters)
            limits.append(len(letters))
        if not limits:
            return None
        high = min(limits)
        if high < low:
            return ()
        if _count(len(letters), low, high, choose) > _MAX_WORDS:
            return None
        if choose is _subsets:
            letters.sort(key=_order)
        return _spell(letters, low, high, choose, make)

    return run


def _summed(
    alphabet: Code,
    at: int,
    checks: tuple[Code, ...],
    lows: tuple[Code, ...],
    highs: tuple[Code, ...],
    sums: tuple[Code, ...],
    otherwise: Code,
) -> Code:
    """List the words of positive numbers up to a sum, or leave it to `otherwise`."""

    def run(fr: Frame) -> Any:
        found = alphabet(fr)
        if found is None:
            return None
        letters = distinct_letters([v for v in found if may_be(checks, fr, at, v)])
        if any(type(v) is not int or v <= 0 for v in letters):
            return otherwise(fr)
        total = min([code(fr) for code in sums])
        low = max([0, *[code(fr) for code in lows]])
        high = min([max(total, 0), *[code(fr) for code in highs]])
        if total < 0 or high < low:
            return ()
        if not _few_sums(letters, total):
            return otherwise(fr)
        return _spell_sums(letters, total, low, high)

    return run


def _few_sums(letters: list[int], total: int) -> bool:
    """Tell whether the words up to a sum can be listed."""
    if total > _MAX_WORDS:
        return False
    ways = [1] + [0] * total
    count = 1
    for n in range(1, total + 1):
        charge(len(letters))
        ways[n] = sum(ways[n - v] for v in letters if v <= n)
        count += ways[n]
        if count > _MAX_WORDS:
            return False
    return True


def _spell_sums(letters: list[int], total: int, low: int, high: int) -> Iterator[Any]:
    """Yield the words by length, the shortest first."""
    level: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for n in range(high + 1):
        if n >= low:
            for _, word in level:
                charge_cells(n)
                yield to_list(word)
        level = [(have + v, (*word, v)) for have, word in level for v in letters if have + v <= total]
        charge(len(level) * (n + 1))
        if not level:
            return


def may_be(checks: tuple[Code, ...], fr: Frame, at: int, value: Any) -> bool:
    """Tell whether a candidate is not excluded by what is said of elements."""
    charge(1)
    fr[at] = value
    for check in checks:
        try:
            if check(fr) is False:
                return False
        except CAUGHT as error:
            if is_fatal(error):
                raise
    return True


def product_of(letters: list[Any], n: int) -> Iterator[tuple[Any, ...]]:
    """Return all words of length n."""
    return product(letters, repeat=n)


def _subsets(letters: list[Any], n: int) -> Iterator[tuple[Any, ...]]:
    return combinations(letters, n)


def distinct_letters(letters: list[Any]) -> list[Any]:
    """Return the letters without repetitions; raises `Unknown` where they cannot be told apart."""
    return list({key(v): v for v in letters}.values())


def _order(letter: Any) -> Any:
    return letter if isinstance(letter, int | str) else 0


def _count(letters: int, low: int, high: int, choose: Choice) -> int:
    """Return how many words there are, or something above the limit."""
    total = 0
    for n in range(low, high + 1):
        if choose is _subsets:
            total += math.comb(letters, n)
        elif choose is permutations:
            total += math.perm(letters, n)
        else:
            total += letters ** min(n, 64) if letters > 1 else 1
        if total > _MAX_WORDS:
            break
    return total


def _spell(
    letters: list[Any], low: int, high: int, choose: Choice, make: Callable[[tuple[Any, ...]], Any]
) -> Iterator[Any]:
    for n in range(low, high + 1):
        for word in choose(letters, n):
            charge_cells(n)
            yield make(word)


_BUILDERS: Final[dict[str, Callable[[tuple[Any, ...]], Any]]] = {
    "List": to_list,
    "Array": lambda word: Arr(list(word)),
    "String": "".join,
    "Finset": Finset.of,
}
