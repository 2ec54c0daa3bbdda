"""Substitution and beta reduction of core terms, written for speed."""

from __future__ import annotations

from collections.abc import Sequence

from specgen.lean import core
from specgen.lean.core import App, BVar, Lam, Pi, Term


def subst(term: Term, values: Sequence[Term]) -> Term:
    """Replace the outermost loose bound variables (`BVar(0)` by the last value), with beta reduction at new heads."""
    if term.loose == 0 or not values:
        return term
    n = len(values)

    def go(t: Term, depth: int) -> Term:
        if t.loose <= depth:
            return t
        if isinstance(t, App):
            fn = t.fn
            args = tuple([a if a.loose <= depth else go(a, depth) for a in t.args])
            if fn.loose <= depth:
                return App(fn, args)
            head = go(fn, depth)
            return beta(head, args) if isinstance(head, Lam) else core.mk_app(head, *args)
        if isinstance(t, BVar):
            i = t.index - depth
            if i >= n:
                return BVar(i + depth - n)
            value = values[n - 1 - i]
            return core.lift(value, depth) if value.loose else value
        if isinstance(t, (Lam, Pi)):
            return type(t)(t.name, go(t.type, depth), go(t.body, depth + 1), t.info)
        return core.map_children(t, go, depth)

    return go(term, 0)


def beta(fn: Term, args: Sequence[Term]) -> Term:
    """Apply `fn` to arguments, reducing as many leading lambdas as there are."""
    while args and isinstance(fn, Lam):
        n = 0
        body: Term = fn
        while n < len(args) and isinstance(body, Lam):
            body = body.body
            n += 1
        fn = subst(body, args[:n])
        args = args[n:]
    return core.mk_app(fn, *args) if args else fn
