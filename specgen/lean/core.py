"""Core terms: what elaboration produces and evaluation consumes.

Locally nameless: `BVar(i)` counts binders outwards from 0; free variables are `FVar` with a unique id; metavariables
(`MVar`) occur only during elaboration. Universe levels are not tracked: a sort is `Prop`, or some `Type`.

Terms are immutable and compared structurally; binder names and infos do not take part in equality. Each term caches
its hash, whether it has metavariables or free variables, and the number of loose bound variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

BinderInfo: TypeAlias = Literal["explicit", "implicit", "strict", "instance"]


class Term:
    """Base of core terms."""

    __slots__ = ("_hash", "has_fvar", "has_mvar", "loose")

    _hash: int
    has_mvar: bool
    has_fvar: bool
    loose: int
    """One more than the largest loose bound-variable index, 0 when the term is closed."""

    def _key(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Term) or self._hash != other._hash:
            return False
        return type(self) is type(other) and self._key() == other._key()

    def __repr__(self) -> str:
        from specgen.lean.core_printer import show_core

        return show_core(self)


class BVar(Term):
    """A bound variable, by distance to its binder."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index
        self._hash = hash((1, index))
        self.has_mvar = False
        self.has_fvar = False
        self.loose = index + 1

    def _key(self) -> tuple[object, ...]:
        return (self.index,)


class FVar(Term):
    """A free (local) variable; its type stands in the local context."""

    __slots__ = ("id", "name")

    def __init__(self, id: int, name: str) -> None:
        self.id = id
        self.name = name
        self._hash = hash((2, id))
        self.has_mvar = False
        self.has_fvar = True
        self.loose = 0

    def _key(self) -> tuple[object, ...]:
        return (self.id,)


class MVar(Term):
    """A metavariable of elaboration."""

    __slots__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id = id
        self._hash = hash((3, id))
        self.has_mvar = True
        self.has_fvar = False
        self.loose = 0

    def _key(self) -> tuple[object, ...]:
        return (self.id,)


class Sort(Term):
    """`Prop` (`is_prop`) or a `Type` of some level."""

    __slots__ = ("is_prop",)

    def __init__(self, is_prop: bool) -> None:
        self.is_prop = is_prop
        self._hash = hash((4, is_prop))
        self.has_mvar = False
        self.has_fvar = False
        self.loose = 0

    def _key(self) -> tuple[object, ...]:
        return (self.is_prop,)


class Const(Term):
    """A constant of the environment, by full name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name
        self._hash = hash((5, name))
        self.has_mvar = False
        self.has_fvar = False
        self.loose = 0

    def _key(self) -> tuple[object, ...]:
        return (self.name,)


class Lit(Term):
    """A natural number (`int`) or string (`str`) literal. A character is `Char.ofNat` of a literal."""

    __slots__ = ("value",)

    def __init__(self, value: int | str) -> None:
        self.value = value
        self._hash = hash((6, value))
        self.has_mvar = False
        self.has_fvar = False
        self.loose = 0

    def _key(self) -> tuple[object, ...]:
        return (self.value,)


class App(Term):
    """Application to one or more arguments; `fn` is never itself an `App` (build with `mk_app`)."""

    __slots__ = ("args", "fn")

    def __init__(self, fn: Term, args: tuple[Term, ...]) -> None:
        self.fn = fn
        self.args = args
        mvar, fvar, loose = fn.has_mvar, fn.has_fvar, fn.loose
        for a in args:
            mvar = mvar or a.has_mvar
            fvar = fvar or a.has_fvar
            if a.loose > loose:
                loose = a.loose
        self._hash = hash((7, fn._hash, args))
        self.has_mvar = mvar
        self.has_fvar = fvar
        self.loose = loose

    def _key(self) -> tuple[object, ...]:
        return (self.fn, self.args)


class _Binding(Term):
    """Shared by `Lam` and `Pi`."""

    __slots__ = ("body", "info", "name", "type")

    def __init__(self, name: str, type: Term, body: Term, info: BinderInfo = "explicit") -> None:
        self.name = name
        self.type = type
        self.body = body
        self.info: BinderInfo = info
        self._hash = hash((self._tag, type._hash, body._hash))
        self.has_mvar = type.has_mvar or body.has_mvar
        self.has_fvar = type.has_fvar or body.has_fvar
        self.loose = max(type.loose, body.loose - 1, 0)

    _tag: int = 0

    def _key(self) -> tuple[object, ...]:
        return (self.type, self.body)


class Lam(_Binding):
    """`fun (name : type) => body`; `BVar(0)` of the body is the parameter."""

    __slots__ = ()
    _tag = 8


class Pi(_Binding):
    """`(name : type) → body`; a proposition when the body is one (`∀`, `→`)."""

    __slots__ = ()
    _tag = 9


class Let(Term):
    """`let name : type := value; body`."""

    __slots__ = ("body", "name", "type", "value")

    def __init__(self, name: str, type: Term, value: Term, body: Term) -> None:
        self.name = name
        self.type = type
        self.value = value
        self.body = body
        self._hash = hash((10, type._hash, value._hash, body._hash))
        self.has_mvar = type.has_mvar or value.has_mvar or body.has_mvar
        self.has_fvar = type.has_fvar or value.has_fvar or body.has_fvar
        self.loose = max(type.loose, value.loose, body.loose - 1, 0)

    def _key(self) -> tuple[object, ...]:
        return (self.type, self.value, self.body)


class Proj(Term):
    """Field `index` (from 0, parameters not counted) of a value of the structure `struct`."""

    __slots__ = ("index", "struct", "target")

    def __init__(self, struct: str, index: int, target: Term) -> None:
        self.struct = struct
        self.index = index
        self.target = target
        self._hash = hash((11, struct, index, target._hash))
        self.has_mvar = target.has_mvar
        self.has_fvar = target.has_fvar
        self.loose = target.loose

    def _key(self) -> tuple[object, ...]:
        return (self.struct, self.index, self.target)


class Proof(Term):
    """An erased proof of `type`: a `by` block, a proof term we did not check. `sorry` marks an admitted one.

    A `Proof` whose type is data (a `sorry` or `by` used as a value) evaluates to unknown.
    """

    __slots__ = ("sorry", "type")

    def __init__(self, type: Term, sorry: bool = False) -> None:
        self.type = type
        self.sorry = sorry
        self._hash = hash((12, type._hash))
        self.has_mvar = type.has_mvar
        self.has_fvar = type.has_fvar
        self.loose = type.loose

    def _key(self) -> tuple[object, ...]:
        return (self.type,)


# ------------------------------------------------------------------------------------------------------------ matching


class Pattern:
    """Base of patterns. Variables are bound in order of appearance, left to right."""

    __slots__ = ()


class PVar(Pattern):
    """A variable; binds the value."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class PWild(Pattern):
    """`_`, or an inaccessible pattern."""

    __slots__ = ()


class PCtor(Pattern):
    """A constructor with one pattern a field (parameters not among them)."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, args: tuple[Pattern, ...]) -> None:
        self.name = name
        self.args = args


class PLit(Pattern):
    """A literal: `int` for Nat, Int, Fin, UInt…, `str` for String, a one-character `str` for Char.

    `kind` tells the head of the type.
    """

    __slots__ = ("kind", "value")

    def __init__(self, value: int | str, kind: str) -> None:
        self.value = value
        self.kind = kind


class PSucc(Pattern):
    """`p + n` on Nat, n > 0: matches values of at least n, and p the rest."""

    __slots__ = ("offset", "pattern")

    def __init__(self, pattern: Pattern, offset: int) -> None:
        self.pattern = pattern
        self.offset = offset


class PAs(Pattern):
    """`x@p`; binds x before the variables of p."""

    __slots__ = ("name", "pattern")

    def __init__(self, name: str, pattern: Pattern) -> None:
        self.name = name
        self.pattern = pattern


class PArray(Pattern):
    """`#[p, q]`: an array of exactly that length."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Pattern, ...]) -> None:
        self.items = items


class Alt:
    """One alternative of a match: a pattern for each discriminant; `body` has `nvars` loose bound variables.

    `BVar(0)` is the last variable bound, as if under `nvars` nested lambdas in order of appearance.
    """

    __slots__ = ("body", "names", "patterns")

    def __init__(self, patterns: tuple[Pattern, ...], names: tuple[str, ...], body: Term) -> None:
        self.patterns = patterns
        self.names = names
        self.body = body

    @property
    def nvars(self) -> int:
        """The number of variables that the patterns bind."""
        return len(self.names)


class Match(Term):
    """`match d₁, …, dₙ with …`, alternatives tried in order; `type` is the type of the whole."""

    __slots__ = ("alts", "discrs", "type")

    def __init__(self, discrs: tuple[Term, ...], alts: tuple[Alt, ...], type: Term) -> None:
        self.discrs = discrs
        self.alts = alts
        self.type = type
        parts = [*discrs, type]
        self._hash = hash((13, discrs, tuple(a.body._hash for a in alts)))
        self.has_mvar = any(p.has_mvar for p in parts) or any(a.body.has_mvar for a in alts)
        self.has_fvar = any(p.has_fvar for p in parts) or any(a.body.has_fvar for a in alts)
        self.loose = max(0, *(p.loose for p in parts), *(a.body.loose - a.nvars for a in alts))

    def _key(self) -> tuple[object, ...]:
        return (self.discrs, tuple((pattern_key(a.patterns), a.body) for a in self.alts))


def pattern_key(patterns: Sequence[Pattern]) -> tuple[object, ...]:
    """Return a hashable key of patterns up to names."""
    out: list[object] = []
    for p in patterns:
        match p:
            case PVar() | PWild():
                out.append("v" if isinstance(p, PVar) else "_")
            case PCtor():
                out.append(("c", p.name, pattern_key(p.args)))
            case PLit():
                out.append(("l", p.kind, p.value))
            case PSucc():
                out.append(("s", p.offset, pattern_key((p.pattern,))))
            case PAs():
                out.append(("a", pattern_key((p.pattern,))))
            case PArray():
                out.append(("r", pattern_key(p.items)))
            case _:
                raise TypeError(f"unknown pattern {type(p).__name__}")
    return tuple(out)


# ---------------------------------------------------------------------------------------------------------- operations

PROP: Final = Sort(True)
TYPE: Final = Sort(False)
SORT: Final = Sort(False)
"""A sort of unknown level (`Sort u`): equal to `TYPE`, told apart by identity where a proposition is welcome too."""


def mk_app(fn: Term, *args: Term) -> Term:
    """Apply `fn` to `args`, flattening nested applications."""
    if not args:
        return fn
    if isinstance(fn, App):
        return App(fn.fn, fn.args + args)
    return App(fn, args)


def unfold_app(term: Term) -> tuple[Term, tuple[Term, ...]]:
    """Return head and arguments."""
    if isinstance(term, App):
        return term.fn, term.args
    return term, ()


def map_children(term: Term, f: Callable[[Term, int], Term], depth: int = 0) -> Term:
    """Rebuild a term from its children; `f` gets each child with the binder depth at which it stands."""
    match term:
        case App():
            fn = f(term.fn, depth)
            args = tuple(f(a, depth) for a in term.args)
            return mk_app(fn, *args)
        case Lam() | Pi():
            ty, body = f(term.type, depth), f(term.body, depth + 1)
            return term if ty is term.type and body is term.body else type(term)(term.name, ty, body, term.info)
        case Let():
            return Let(term.name, f(term.type, depth), f(term.value, depth), f(term.body, depth + 1))
        case Proj():
            return Proj(term.struct, term.index, f(term.target, depth))
        case Proof():
            return Proof(f(term.type, depth), term.sorry)
        case Match():
            alts = tuple(Alt(a.patterns, a.names, f(a.body, depth + a.nvars)) for a in term.alts)
            return Match(tuple(f(d, depth) for d in term.discrs), alts, f(term.type, depth))
        case _:
            return term


def instantiate(term: Term, values: Sequence[Term]) -> Term:
    """Replace the outermost loose bound variables: `BVar(0)` becomes the LAST of `values`, as after n binders."""
    n = len(values)
    if n == 0 or term.loose == 0:
        return term

    def go(t: Term, depth: int) -> Term:
        if t.loose <= depth:
            return t
        if isinstance(t, BVar):
            i = t.index - depth
            if i < n:
                return lift(values[n - 1 - i], depth)
            return BVar(t.index - n)
        return map_children(t, go, depth)

    return go(term, 0)


def lift(term: Term, by: int, cutoff: int = 0) -> Term:
    """Add `by` to every loose bound variable at or above `cutoff`."""
    if by == 0 or term.loose <= cutoff:
        return term

    def go(t: Term, depth: int) -> Term:
        if t.loose <= depth:
            return t
        if isinstance(t, BVar):
            return BVar(t.index + by)
        return map_children(t, go, depth)

    return go(term, cutoff)


def abstract(term: Term, fvars: Sequence[FVar]) -> Term:
    """Replace free variables by bound ones: the LAST of `fvars` becomes `BVar(0)`; inverse of `instantiate`."""
    n = len(fvars)
    if n == 0 or not term.has_fvar:
        return lift(term, n) if n else term
    index = {v.id: n - 1 - i for i, v in enumerate(fvars)}

    def go(t: Term, depth: int) -> Term:
        if isinstance(t, FVar):
            i = index.get(t.id)
            return t if i is None else BVar(i + depth)
        if isinstance(t, BVar):
            return BVar(t.index + n) if t.index >= depth else t
        if not t.has_fvar and t.loose <= depth:
            return t
        return map_children(t, go, depth)

    return go(term, 0)
