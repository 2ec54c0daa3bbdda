"""Core terms in Lean notation, for messages: implicit arguments are left out, common operators are infix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specgen.lean import core
from specgen.lean.core import Term
from specgen.lean.elab.subst import subst

if TYPE_CHECKING:
    from specgen.lean.elab.unify import Unifier

_INFIX: dict[str, tuple[str, int, int, int]] = {
    "HAdd.hAdd": ("+", 65, 65, 66),
    "HSub.hSub": ("-", 65, 65, 66),
    "HMul.hMul": ("*", 70, 70, 71),
    "HDiv.hDiv": ("/", 70, 70, 71),
    "HMod.hMod": ("%", 70, 70, 71),
    "HPow.hPow": ("^", 75, 76, 75),
    "HAppend.hAppend": ("++", 65, 65, 66),
    "Eq": ("=", 50, 51, 51),
    "Ne": ("≠", 50, 51, 51),
    "LT.lt": ("<", 50, 51, 51),
    "LE.le": ("≤", 50, 51, 51),
    "GT.gt": (">", 50, 51, 51),
    "GE.ge": ("≥", 50, 51, 51),
    "BEq.beq": ("==", 50, 51, 51),
    "bne": ("!=", 50, 51, 51),
    "And": ("∧", 35, 36, 35),
    "Or": ("∨", 30, 31, 30),
    "Iff": ("↔", 20, 21, 21),
    "and": ("&&", 35, 35, 36),
    "or": ("||", 30, 30, 31),
    "Prod": ("×", 35, 36, 35),
    "List.cons": ("::", 67, 68, 67),
    "Dvd.dvd": ("∣", 50, 51, 51),
}
_MAX_WIDTH = 400
_APP = 1024


class Shower:
    """Renders terms of one elaborator (whose local names and constants it uses)."""

    def __init__(self, elab: Unifier) -> None:
        self.elab = elab

    def show(self, term: Term, prec: int = 0) -> str:
        """Return the text of a term, in parentheses where the precedence asks for it, cut when very long."""
        text = self._show(term, prec, 0)
        return text if len(text) <= _MAX_WIDTH else text[:_MAX_WIDTH] + "…"

    def _show(self, term: Term, prec: int, depth: int) -> str:
        if depth > 40:
            return "⋯"
        match term:
            case core.FVar():
                return term.name
            case core.MVar():
                return f"?m.{term.id}"
            case core.Sort():
                return "Prop" if term.is_prop else "Type"
            case core.Const():
                return self._const(term.name)
            case core.Lit():
                return str(term.value) if isinstance(term.value, int) else _quote(term.value)
            case core.Pi():
                return self._pi(term, prec, depth)
            case core.Lam():
                x, body = self._open(term)
                return _paren(f"fun {x.name} => {self._show(body, 0, depth + 1)}", prec > 0)
            case core.Let():
                body = subst(term.body, (core.FVar(-1, term.name),))
                value = self._show(term.value, 0, depth + 1)
                return _paren(f"let {term.name} := {value}; {self._show(body, 0, depth + 1)}", prec > 0)
            case core.Proj():
                return f"{self._show(term.target, _APP, depth + 1)}.{term.index + 1}"
            case core.Match():
                discrs = ", ".join(self._show(d, 0, depth + 1) for d in term.discrs)
                return _paren(f"match {discrs} with ⋯", prec > 0)
            case core.App():
                return self._app(term, prec, depth)
            case _:
                return "⋯"

    def _const(self, name: str) -> str:
        short = {"Bool.true": "true", "Bool.false": "false", "List.nil": "[]", "PUnit": "Unit", "PUnit.unit": "()"}
        for prefix in ("Option.", "Decidable."):
            if name.startswith(prefix) and name in ("Option.some", "Option.none", "Decidable.decide"):
                return name[len(prefix) :]
        return short.get(name, name)

    def _open(self, term: core.Lam | core.Pi) -> tuple[core.FVar, Term]:
        x = core.FVar(-1 - hash(term.name) % 100000, term.name)
        return x, subst(term.body, (x,))

    def _pi(self, term: core.Pi, prec: int, depth: int) -> str:
        x, body = self._open(term)
        rest = self._show(body, 24, depth + 1)
        if not term.body.loose and term.info == "explicit":
            return _paren(f"{self._show(term.type, 26, depth + 1)} → {rest}", prec > 25)
        marks = {"explicit": "()", "implicit": "{}", "strict": "⦃⦄", "instance": "[]"}[term.info]
        binder = f"{marks[0]}{x.name} : {self._show(term.type, 0, depth + 1)}{marks[1]}"
        return _paren(f"{binder} → {rest}", prec > 25)

    def _app(self, term: core.App, prec: int, depth: int) -> str:
        fn = term.fn
        args = list(term.args)
        if isinstance(fn, core.Const):
            infos = self.elab.binder_infos(fn.name)
            if fn.name == "OfNat.ofNat" and len(args) == 3 and isinstance(args[1], core.Lit):
                return str(args[1].value)
            shown = [a for i, a in enumerate(args) if i >= len(infos) or infos[i] == "explicit"]
            special = self._special(fn.name, shown, prec, depth)
            if special is not None:
                return special
            args = shown
            if not args:
                return self._const(fn.name)
        head = self._show(fn, _APP, depth + 1)
        return _paren(" ".join([head, *[self._show(a, _APP + 1, depth + 1) for a in args]]), prec > _APP)

    def _special(self, name: str, args: list[Term], prec: int, depth: int) -> str | None:
        op = _INFIX.get(name)
        if op is not None and len(args) == 2:
            left, right = self._show(args[0], op[2], depth + 1), self._show(args[1], op[3], depth + 1)
            return _paren(f"{left} {op[0]} {right}", prec > op[1])
        if name == "Not" and len(args) == 1:
            return _paren("¬" + self._show(args[0], 40, depth + 1), prec > 40)
        if name == "Membership.mem" and len(args) == 2:
            left, right = self._show(args[1], 51, depth + 1), self._show(args[0], 51, depth + 1)
            return _paren(f"{left} ∈ {right}", prec > 50)
        if name in ("Nat.cast", "Int.cast") and len(args) == 1:
            return "↑" + self._show(args[0], _APP + 1, depth + 1)
        if name == "Exists" and len(args) == 1 and isinstance(args[0], core.Lam):
            x, body = self._open(args[0])
            return _paren(f"∃ {x.name}, {self._show(body, 0, depth + 1)}", prec > 0)
        if name == "Prod.mk" and len(args) == 2:
            return f"({self._show(args[0], 0, depth + 1)}, {self._show(args[1], 0, depth + 1)})"
        if name == "Char.ofNat" and len(args) == 1 and isinstance(args[0], core.Lit):
            return f"'{chr(int(args[0].value))}'"
        return None


def _paren(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
