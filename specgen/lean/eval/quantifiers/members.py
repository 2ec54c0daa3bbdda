"""Candidates from membership, positions, divisors, parts and rearrangements of known lists.

Soundness, by literal (x the variable, everything else known):
- `x ∈ l` (lists, arrays, finite sets) and `l.contains x` with lawful equality: x is one of the elements.
- `l[x]? = some …` (or its being `some` at all): x is below the length.
- `x ∣ n`, `n % x = 0` with n ≠ 0: x is between 1 and n (for integers, or between -n and -1). For n = 0 every x may do,
  and the rule does not apply.
- `u * x * v = n` on natural numbers: x is a divisor of n ≠ 0.
- `x ∣ n` and x prime: x is one of the prime divisors of n ≠ 0.
- `x.isPrefixOf t`, `t.startsWith x`, `t.endsWith x` for a text t: x is one of its beginnings or ends.
- `x <+: l`, `x <:+ l`, `x <:+: l`, `x.Sublist l`, `x.Perm l`: x is one of the prefixes, suffixes, infixes,
  subsequences, rearrangements.
- `t <+: l` and the like for a term t that has x among its elements (`[x, y]`, `x :: s`, …): x is an element of l.
- `l = t` with t a concatenation in which `List.replicate x e` occurs: x is at most the length of l.
- `l = t` with t a concatenation: when everything left of x in t is known, x begins where that ends, so it is a prefix
  of the rest (all of the rest when x comes last); a single element there is the next element.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import Const, FVar, Term
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.bounds import natural_factors
from specgen.lean.eval.quantifiers.elements import lawful
from specgen.lean.eval.quantifiers.literals import Literal, equation, expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import Unknown, charge, charge_cells
from specgen.lean.eval.unordered import Unordered
from specgen.lean.eval.values import Arr, Finset, Multiset, from_list, key, to_list

_LOOKUPS: Final = frozenset({"List.get?Internal", "Array.get?Internal", "List.get?", "Array.get?"})
MEMBERSHIP: Final = {"List.Mem": 1, "Array.Mem": 2, "Finset.Mem": 2, "Multiset.Mem": 2}
"""Position of the element; the collection is the other one of 1 and 2."""
_APPEND: Final = frozenset({"List.append", "String.append"})


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose candidates for x from the literals of these kinds."""
    out: list[Generator] = []
    for lit in s.literals:
        if search.mentions(lit.term, (x.id,)):
            out.extend(_literal(search, x, lit, s))
    return out


def _literal(search: Search, x: FVar, lit: Literal, s: State) -> list[Generator]:
    ids = s.ids
    name, args, _ = expose(search.c, lit.term)
    if lit.positive:
        found = _membership(search, x, name, args, ids, lit) or _part(search, x, name, args, ids, lit)
        if found:
            return found
        if name in ("Nat.dvdInternal", "Int.dvdInternal") and args[0] == x and not search.mentions(args[1], ids):
            if name.startswith("Nat") and _is_prime(search, x, s):
                return [Generator(24, _prime_divisors(search.c.code(args[1], search.scope)), total=False)]
            return [Generator(40, _divisors(search.c.code(args[1], search.scope), name.startswith("Int")), total=False)]
        if name == "Option.isSome":
            return _position(search, x, args[-1], ids)
        sides = equation(search.c, lit)
        return [] if sides is None else _equation(search, x, *sides, ids)
    if name == "Eq" and len(args) == 3:
        for this, other in ((args[1], args[2]), (args[2], args[1])):
            if expose(search.c, other)[0] == "Option.none":
                return _position(search, x, this, ids)
    if name == "Option.isNone":
        return _position(search, x, args[-1], ids)
    return []


def _membership(
    search: Search, x: FVar, name: str, args: tuple[Term, ...], ids: frozenset[int], lit: Literal
) -> list[Generator]:
    if name in MEMBERSHIP and len(args) == 3:
        element, collection = args[MEMBERSHIP[name]], args[3 - MEMBERSHIP[name]]
    elif name in ("List.contains", "Array.contains") and lawful(search.c, args[1]):
        collection, element = args[2], args[3]
    elif name == "List.elem" and lawful(search.c, args[1]):
        element, collection = args[2], args[3]
    elif name == "String.contains" and len(args) == 2:
        collection, element = args
    else:
        return []
    if search.mentions(collection, ids):
        return []
    items = _items(search.c.code(collection, search.scope))
    if element == x:
        return [Generator(20, items, settles=(lit,))]
    inverse = _shifted(search, element, x, ids)
    return [] if inverse is None else [Generator(21, _preimages(items, inverse))]


def _shifted(search: Search, term: Term, x: FVar, ids: frozenset[int]) -> Callable[[Any, Frame], Any] | None:
    """Return how x follows from the value of `x + c`, `x - c` (integers) or a cast of these; it may give None."""
    if term == x:
        return lambda v, fr: v
    name, args, _ = expose(search.c, term)
    if name == "Int.ofNat" and args:
        natural = _shifted(search, args[-1], x, ids)
        return None if natural is None else lambda v, fr: natural(v, fr) if v >= 0 else None
    if name not in ("Nat.add", "Int.add", "Int.sub") or len(args) != 2:
        return None
    at = 0 if search.mentions(args[0], (x.id,)) else 1
    if search.mentions(args[1 - at], ids) or (name == "Int.sub" and at == 1):
        return None
    inner = _shifted(search, args[at], x, ids)
    if inner is None:
        return None
    known, rest = search.c.code(args[1 - at], search.scope), inner
    if name == "Int.sub":
        return lambda v, fr: rest(v + known(fr), fr)
    if name == "Int.add":
        return lambda v, fr: rest(v - known(fr), fr)
    return lambda v, fr: rest(v - known(fr), fr) if v >= known(fr) else None


def _preimages(items: Code, inverse: Callable[[Any, Frame], Any]) -> Code:
    return lambda fr: [x for v in items(fr) if (x := inverse(v, fr)) is not None]


def _items(collection: Code) -> Code:
    def run(fr: Frame) -> Any:
        return distinct(items_of(collection(fr)))

    return run


def items_of(value: Any) -> list[Any]:
    """Return the elements of a list, an array or a string."""
    if type(value) is str:
        return list(value)
    if type(value) is Arr:
        return value.tolist()
    if type(value) is Unordered:
        return value.items
    if isinstance(value, Finset | Multiset):
        return list(value)
    return from_list(value)


def distinct(items: list[Any]) -> list[Any]:
    """Return the items without repetitions, where they can be told apart."""
    charge(len(items))
    try:
        return list({key(x): x for x in items}.values())
    except Unknown:
        return items


def _position(search: Search, x: FVar, term: Term, ids: frozenset[int]) -> list[Generator]:
    name, args, _ = expose(search.c, term)
    if name in _LOOKUPS and args[2] == x and not search.mentions(args[1], ids):
        collection = search.c.code(args[1], search.scope)

        def run(fr: Frame) -> Any:
            value = collection(fr)
            return range(len(items_of(value)))

        return [Generator(25, run)]
    return []


def _equation(search: Search, x: FVar, type_: Term, left: Term, right: Term, ids: frozenset[int]) -> list[Generator]:
    out: list[Generator] = []
    for this, other in ((left, right), (right, left)):
        if expose(search.c, other)[0] == "Option.some":
            out.extend(_position(search, x, this, ids))
        name, args, _ = expose(search.c, this)
        if name in ("Nat.mod", "Int.emod") and args[1] == x and not search.mentions(args[0], ids):
            zero = expose(search.c, other)[2]
            if search.c.types.nat_literal(zero) == 0 or _is_zero(search, other):
                n = search.c.code(args[0], search.scope)
                out.append(Generator(40, _divisors(n, name.startswith("Int")), total=False))
        if name in ("Nat.mul", "Int.mul") and not search.mentions(other, ids):
            factors = natural_factors(search, this)
            if x in factors and None not in factors:
                out.append(Generator(27, _divisors(search.c.code(other, search.scope), False), total=False))
        if (name in _APPEND or name == "List.cons") and not search.mentions(other, ids):
            out.extend(_split(search, x, this, other, ids))
    return out


def _is_zero(search: Search, term: Term) -> bool:
    name, args, _ = expose(search.c, term)
    return name == "Int.ofNat" and search.c.types.nat_literal(args[0]) == 0


def _divisors(n: Code, integers: bool) -> Code:
    def run(fr: Frame) -> Any:
        m = abs(n(fr))
        if m == 0:
            return None
        if m > 1 << 48:
            return None
        return divisors(m, integers)

    return run


def _is_prime(search: Search, x: FVar, s: State) -> bool:
    """Tell whether a literal says that x is prime."""
    for lit in s.literals:
        name, args, _ = expose(search.c, lit.term)
        if lit.positive and name == "Nat.Prime" and args == (x,):
            return True
    return False


def _prime_divisors(n: Code) -> Code:
    def run(fr: Frame) -> Any:
        m = n(fr)
        return None if m == 0 else prime_factors(m)

    return run


def prime_factors(m: int) -> list[int] | None:
    """Return the prime divisors of m > 0; None where trial division up to a million does not settle it."""
    found: list[int] = []
    d = 2
    while d * d <= m:
        if d > 1_000_000:
            return None
        if m % d == 0:
            found.append(d)
            while m % d == 0:
                m //= d
        d += 1 if d == 2 else 2
        charge(1)
    return [*found, m] if m > 1 else found


def divisors(m: int, integers: bool) -> list[int]:
    """Return the divisors of m > 0, the negative ones too for integers; takes √m steps."""
    charge(math.isqrt(m) // 4 + 1)
    low = [d for d in range(1, math.isqrt(m) + 1) if m % d == 0]
    found = sorted({*low, *[m // d for d in low]})
    return [*[-d for d in reversed(found)], *found] if integers else found


# --------------------------------------------------------------------------------------------------------------- parts


def _part(
    search: Search, x: FVar, name: str, args: tuple[Term, ...], ids: frozenset[int], lit: Literal
) -> list[Generator]:
    make = _PARTS.get(name)
    if make is None or len(args) != 3:
        return _end_of_text(search, x, name, args, ids, lit)
    if args[1] == x and not search.mentions(args[2], ids):
        whole = args[2]
    elif name == "List.Perm" and args[2] == x and not search.mentions(args[1], ids):
        whole = args[1]
    elif not search.mentions(args[2], ids) and (True, x) in _leaves(search, args[1]):
        return [Generator(22, _items(search.c.code(args[2], search.scope)))]
    else:
        return []
    code = search.c.code(whole, search.scope)
    rank, parts = make
    return [Generator(rank, lambda fr: parts(from_list(code(fr))), settles=(lit,))]


def _end_of_text(
    search: Search, x: FVar, name: str, args: tuple[Term, ...], ids: frozenset[int], lit: Literal
) -> list[Generator]:
    if name not in _ENDS_OF_TEXT or len(args) != 2:
        return []
    at, front = _ENDS_OF_TEXT[name]
    if args[at] != x or search.mentions(args[1 - at], ids):
        return []
    code = search.c.code(args[1 - at], search.scope)

    def run(fr: Frame) -> Any:
        text = code(fr)
        charge_cells(len(text) ** 2 // 2)
        return [text[:n] if front else text[len(text) - n :] for n in range(len(text) + 1)]

    return [Generator(32, run, settles=(lit,))]


_ENDS_OF_TEXT: Final = {
    "String.isPrefixOf": (0, True),
    "String.startsWith": (1, True),
    "String.isSuffixOf": (0, False),
    "String.endsWith": (1, False),
}
"""Which argument is the part, and whether it is the beginning."""


def _prefixes(items: list[Any]) -> Iterator[Any]:
    for n in range(len(items) + 1):
        charge_cells(n)
        yield to_list(items[:n])


def _suffixes(items: list[Any]) -> Iterator[Any]:
    cells: Any = ()
    yield cells
    for item in reversed(items):
        cells = (item, cells)
        yield cells


def _infixes(items: list[Any]) -> Iterator[Any]:
    yield ()
    for i in range(len(items)):
        for j in range(i + 1, len(items) + 1):
            charge_cells(j - i)
            yield to_list(items[i:j])


def _sublists(items: list[Any]) -> Iterator[Any]:
    for n in range(len(items) + 1):
        for chosen in combinations(items, n):
            charge(n)
            yield to_list(chosen)


def _rearrangements(items: list[Any]) -> Iterator[Any]:
    for order in permutations(items):
        charge(len(items))
        yield to_list(order)


_PARTS: Final = {
    "List.IsPrefix": (32, _prefixes),
    "List.IsSuffix": (32, _suffixes),
    "List.IsInfix": (34, _infixes),
    "List.Sublist": (45, _sublists),
    "List.Perm": (46, _rearrangements),
}


# -------------------------------------------------------------------------------------------------------------- splits


def _leaves(search: Search, term: Term) -> list[tuple[bool, Term]]:
    """Return the parts of a concatenation, each with whether it is a single element."""
    name, args, exposed = expose(search.c, term)
    if name in _APPEND:
        return [*_leaves(search, args[-2]), *_leaves(search, args[-1])]
    if name == "List.cons" and len(args) == 3:
        return [(True, args[1]), *_leaves(search, args[2])]
    if name == "List.nil":
        return []
    return [(False, exposed)]


def _split(search: Search, x: FVar, concatenation: Term, whole: Term, ids: frozenset[int]) -> list[Generator]:
    leaves = _leaves(search, concatenation)
    before: list[tuple[bool, Code]] = []
    for i, (single, leaf) in enumerate(leaves):
        if search.mentions(leaf, ids):
            if leaf != x:
                return _repeated(search, x, leaves, whole)
            code = search.c.code(whole, search.scope)
            last = i + 1 == len(leaves)
            return [Generator(8 if last or single else 33, _rest(code, tuple(before), single, last))]
        before.append((single, search.c.code(leaf, search.scope)))
    return []


def _repeated(search: Search, x: FVar, leaves: list[tuple[bool, Term]], whole: Term) -> list[Generator]:
    """Bound x by the length of a list that holds `List.replicate x e`."""
    for single, leaf in leaves:
        name, args, _ = expose(search.c, leaf)
        if not single and name == "List.replicate" and len(args) == 3 and args[1] == x:
            return [Generator(35, _up_to_length(search.c.code(whole, search.scope)))]
    return []


def _up_to_length(code: Code) -> Code:
    return lambda fr: range(len(items_of(code(fr))) + 1)


def _rest(whole: Code, before: tuple[tuple[bool, Code], ...], single: bool, last: bool) -> Code:
    def run(fr: Frame) -> Any:
        value = whole(fr)
        text = type(value) is str
        items: Any = value if text else from_list(value)
        at = 0
        for one, code in before:
            part = code(fr)
            at += 1 if one else len(part) if text else len(from_list(part))
        if at > len(items) or (single and at == len(items)):
            return ()
        rest = items[at:]
        if single:
            return (rest[0],)
        if last:
            return (rest if text else to_list(rest),)
        charge_cells(len(rest) ** 2 // 2)
        if text:
            return [rest[:n] for n in range(len(rest) + 1)]
        return [to_list(rest[:n]) for n in range(len(rest) + 1)]

    return run


def member_pattern(search: Search, lit: Literal, ids: frozenset[int]) -> tuple[FVar, list[Literal]] | None:
    """Replace `(a, b) ∈ l`, where the element is a term in unbound variables, by `p ∈ l ∧ (a, b) = p`.

    An equivalence; it gives the element a name that the membership rule can bind.
    """
    if not lit.positive:
        return None
    name, args, _ = expose(search.c, lit.term)
    at = MEMBERSHIP.get(name, 0)
    if at == 0 or len(args) != 3:
        return None
    element, collection = args[at], args[3 - at]
    if isinstance(element, FVar) or search.mentions(collection, ids) or not search.mentions(element, ids):
        return None
    p = search.c.types.local("element", args[0])
    fields = list(args)
    fields[at] = p
    return p, [
        Literal(core.mk_app(Const(name), *fields)),
        Literal(core.mk_app(Const("Eq"), args[0], element, p)),
    ]
