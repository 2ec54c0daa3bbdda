"""A rough, syntactic look at recursion: is there an argument that plainly gets smaller in every recursive call?

Lean proves termination; we do not. A definition that passes here, or states its measure, is taken as it is; the others
are reported with an `information` diagnostic of kind `termination` and are accepted all the same.
"""

from __future__ import annotations

from typing import Final

from specgen.lean import syntax
from specgen.lean.elab.surface import walk

_SHRINKING_METHODS: Final = frozenset(
    ["tail", "tail!", "drop", "dropLast", "pop", "pred", "erase", "dropWhile", "filter", "eraseIdx", "extract"]
)
_SHRINKING_OPS: Final = frozenset(["-", "/", "%", ">>>"])


def terminates(decl: syntax.Declaration) -> bool:
    """Tell whether every recursive call has an argument that looks smaller (a part of a pattern, `n - 1`, a tail)."""
    short = decl.name.rpartition(".")[2]
    body = (decl.value, decl.alts, decl.fields)
    parts = _pattern_variables(body)
    calls = [n for n in walk(body) if isinstance(n, syntax.App) and _calls(n.fn, decl.name, short)]
    if not calls:
        # The function occurs, but never applied by name: `x.go` or a bare reference.
        return _by_method(body, short, parts)
    grows = _guarded_upwards(body)
    return all(any(_smaller(a, parts) or (grows and _next(a)) for a in c.args) for c in calls)


def _calls(fn: object, full: str, short: str) -> bool:
    return isinstance(fn, syntax.Ident) and (fn.name in (full, short) or fn.parts[-1] == short)


def _by_method(body: object, short: str, parts: set[str]) -> bool:
    for node in walk(body):
        if isinstance(node, syntax.Ident) and len(node.parts) > 1 and node.parts[-1] == short:
            return node.parts[0] in parts
    return bool(parts)


def _pattern_variables(body: object) -> set[str]:
    """Return the variables that stand inside a constructor pattern or `n + 1`."""
    found: set[str] = set()
    for node in walk(body):
        if isinstance(node, syntax.MatchAlt):
            for patterns in node.patterns:
                for pattern in patterns:
                    found |= _inner_variables(pattern)
        elif isinstance(node, (syntax.LetDecl, syntax.IfLet)) and node.pattern is not None:
            found |= _inner_variables(node.pattern)
    return found


def _inner_variables(pattern: syntax.Term) -> set[str]:
    if isinstance(pattern, syntax.Ident):
        return set()
    return {n.parts[0] for n in walk(pattern) if isinstance(n, syntax.Ident) and len(n.parts) == 1}


def _smaller(arg: object, parts: set[str]) -> bool:
    if isinstance(arg, syntax.Paren):
        return _smaller(arg.inner, parts)
    if isinstance(arg, syntax.NamedArg):
        return _smaller(arg.value, parts)
    if isinstance(arg, syntax.Ident):
        if len(arg.parts) == 1:
            return arg.parts[0] in parts
        return arg.parts[-1] in _SHRINKING_METHODS or arg.parts[-1] in ("1", "2", "fst", "snd", "toNat")
    if isinstance(arg, syntax.BinOp):
        return arg.op in _SHRINKING_OPS
    if isinstance(arg, syntax.Proj):
        return str(arg.field) in _SHRINKING_METHODS
    if isinstance(arg, syntax.App):
        fn = arg.fn
        if isinstance(fn, syntax.Proj):
            return str(fn.field) in _SHRINKING_METHODS
        if isinstance(fn, syntax.Ident):
            return fn.parts[-1] in _SHRINKING_METHODS
    return False


def _guarded_upwards(body: object) -> bool:
    """Tell whether there is a comparison or a check that may bound an index from above."""
    return any(isinstance(n, syntax.BinOp) and n.op in ("<", "≤", ">", "≥", "=", "==", "≠", "!=") for n in walk(body))


def _next(arg: object) -> bool:
    if isinstance(arg, syntax.Paren):
        return _next(arg.inner)
    return isinstance(arg, syntax.BinOp) and arg.op in ("+", "*")
