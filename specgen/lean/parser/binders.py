"""Binder groups: of declarations, of `fun`, and of the quantifiers."""

from __future__ import annotations

from .. import syntax as s
from ..lexer import IDENT, SYM
from .core import unquote
from .layout import Layout
from .tables import ARG, BINDER_PREDICATES, MAX

_KINDS: dict[str, tuple[s.BinderKind, str]] = {
    "(": ("explicit", ")"),
    "{": ("implicit", "}"),
    "⦃": ("strict", "⦄"),
    "[": ("instance", "]"),
}


class Binders(Layout):
    """Parsers of binder groups."""

    def names_end(self, index: int) -> int:
        """Index of the first token from `index` on that is neither an identifier nor `_`."""
        kinds, texts = self.kinds, self.texts
        while kinds[index] == IDENT or texts[index] == "_":
            index += 1
        return index

    def names(self) -> tuple[str, ...]:
        """One or more identifiers or `_`."""
        end = self.names_end(self.i)
        if end == self.i:
            self.fail_expected("'_'", "identifier")
        names = tuple([unquote(text) for text in self.texts[self.i : end]])
        self.i = end
        return names

    def optional_type(self) -> s.Term | None:
        """`: T`, if there."""
        return self.term() if self.take(":") else None

    def bracketed(self, *, predicates: bool = False) -> s.Binder:
        """One binder group in brackets; `predicates` admits `(x ∈ s)`."""
        start = self.start()
        kind, close = _KINDS[self.texts[self.i]]
        self.i += 1
        saved = self.position, self.no_do, self.in_norm, self.in_alts, self.dots
        self.position, self.no_do, self.in_norm, self.in_alts, self.dots = -1, False, False, False, None
        self.enter()
        if kind == "instance":
            binder = self._instance(start)
        else:
            if kind == "implicit" and self.at("{") and self.space[self.i] == 0:
                self.i += 1
                kind, close = "strict", "}}"
            binder = self._named(start, kind, predicates)
        self.depth -= 1
        self.position, self.no_do, self.in_norm, self.in_alts, self.dots = saved
        if close == "}}":
            self.expect("}")
            self.expect("}")
        elif not self.take(close):
            self._close_failure(binder, close)
        object.__setattr__(binder, "span", self.span_from(start))
        return binder

    def _close_failure(self, binder: s.Binder, close: str) -> None:
        if binder.kind == "explicit" and binder.type is None and binder.default is None:
            self.fail_expected("')'", "':'", "':='", "'_'", "identifier")
        self.fail_expected(f"'{close}'")

    def _instance(self, start: int) -> s.Binder:
        names: tuple[str, ...] = ()
        if self.kinds[self.i] == IDENT and self.texts[self.i + 1] == ":":
            names = (self.expect_ident(),)
            self.i += 1
        return s.Binder((start, start), names, self.term(), "instance")

    def _named(self, start: int, kind: s.BinderKind, predicates: bool) -> s.Binder:
        names = self.names()
        if predicates and self.texts[self.i] in BINDER_PREDICATES:
            op = self.texts[self.i]
            self.i += 1
            return s.Binder((start, start), names, None, kind, None, (op, self.term()))
        type_ = self.optional_type()
        default: s.Term | None = None
        if kind == "explicit" and self.take(":="):
            default = self.term()
        return s.Binder((start, start), names, type_, kind, default)

    def bare_names(self) -> s.Binder:
        """A run of identifiers without brackets."""
        start = self.start()
        names = self.names()
        return s.Binder(self.span_from(start), names)

    def binders(self, *, bare: bool) -> tuple[s.Binder, ...]:
        """Binder groups as long as they come; `bare` admits identifiers without brackets."""
        found: list[s.Binder] = []
        kinds, texts = self.kinds, self.texts
        while True:
            text = texts[self.i]
            if kinds[self.i] == SYM and text in _KINDS:
                found.append(self.bracketed())
            elif bare and (kinds[self.i] == IDENT or text == "_"):
                found.append(self.bare_names())
            else:
                return tuple(found)

    # ----------------------------------------------------------------------------------------------------------- `fun`

    def fun_binders(self) -> tuple[s.Binder, ...]:
        """The binders of `fun`, up to `=>`, with the type that may follow them."""
        found: list[s.Binder] = []
        while self.texts[self.i] not in ("=>", "↦", ":"):
            found.append(self._fun_binder(bool(found)))
        if self.take(":"):
            type_ = self.term()
            found = [
                s.Binder(b.span, b.names, type_, b.kind, b.default, b.pred, b.pattern) if b.type is None else b
                for b in found
            ]
        return tuple(found)

    def _fun_binder(self, more: bool) -> s.Binder:
        start = self.start()
        kind, text = self.kinds[self.i], self.texts[self.i]
        following = self.texts[self.i + 1]
        if text == "_" or (kind == IDENT and "." not in text):
            if not (following == "@" and self.space[self.i + 1] == 0):
                return self._fun_names()
        elif text == "(":
            end = self.names_end(self.i + 1)
            if self.texts[end] == ":" and end > self.i + 1:
                return self.bracketed()
        elif text == "{":
            end = self.names_end(self.i + 1)
            if end > self.i + 1 and self.texts[end] in (":", "}"):
                return self.bracketed()
            if following == "{":
                return self.bracketed()
        elif text in ("⦃", "["):
            return self.bracketed()
        if not self.arg_follows(self.i) or text in ("do", "fun", "λ", "sorry"):
            if more:
                self.fail_expected("'↦', '=>'")
            self.fail_expected("term")
        pattern = self.term(MAX)
        return s.Binder(self.span_from(start), (), None, "explicit", None, None, pattern)

    def _fun_names(self) -> s.Binder:
        start = self.start()
        names: list[str] = []
        while True:
            text = self.texts[self.i]
            if not (text == "_" or (self.kinds[self.i] == IDENT and "." not in text)):
                break
            if self.texts[self.i + 1] == "@" and self.space[self.i + 1] == 0:
                break
            names.append(unquote(text))
            self.i += 1
        return s.Binder(self.span_from(start), tuple(names))

    # ----------------------------------------------------------------------------------------------------- quantifiers

    def quantifier_binders(self, symbol: str) -> tuple[s.Binder, ...]:
        """Binders between a quantifier and its comma."""
        found: list[s.Binder] = []
        while self.texts[self.i] not in (",", "with"):
            found.append(self._quantifier_binder(symbol, found))
            # A type or a bound closes the list of bare names.
            if found[-1].pred is not None and not self._parenthesised(found[-1]):
                break
            if self.at(":") and found[-1].pred is None:
                found[-1] = self._typed(found)
                break
        if not found:
            self.fail_expected("'_'", "'('", "'{'", "'['", "identifier")
        return tuple(found)

    def _parenthesised(self, binder: s.Binder) -> bool:
        return self.tokens.text[binder.span[0]] == "(" and self.tokens.text[binder.span[1] - 1] == ")"

    def _typed(self, found: list[s.Binder]) -> s.Binder:
        last = found[-1]
        if last.type is not None:
            self.fail_expected("','")
        self.i += 1
        type_ = self.term()
        span = self.span_from(last.span[0])
        return s.Binder(span, last.names, type_, last.kind, None, None, last.pattern)

    def _quantifier_binder(self, symbol: str, found: list[s.Binder]) -> s.Binder:
        start = self.start()
        kind, text = self.kinds[self.i], self.texts[self.i]
        if kind == IDENT or text == "_":
            names = self.names()
            if self.texts[self.i] in BINDER_PREDICATES:
                return self._bounded(start, names, None, None)
            if self.at("in") and symbol[0] in "∑∏":
                return self._bounded(start, names, None, None)
            return s.Binder(self.span_from(start), names)
        if text == "(" and kind == SYM:
            end = self.names_end(self.i + 1)
            if end > self.i + 1 and (self.texts[end] in (":", ")", ":=") or self.texts[end] in BINDER_PREDICATES):
                return self.bracketed(predicates=True)
            if end > self.i + 1 and self.texts[end] != ",":
                self.i = end
                self.fail_expected("':'", "')'")
        elif text in ("{", "[", "⦃") and kind == SYM:
            return self.bracketed()
        if text not in ("(", "⟨") or symbol == "λ":
            if found:
                self.fail_expected("','")
            self.fail_expected("'_'", "'('", "'{'", "'['", "identifier")
        pattern = self.term(ARG)
        if self.texts[self.i] in BINDER_PREDICATES:
            return self._bounded(start, (), None, pattern)
        return s.Binder(self.span_from(start), (), None, "explicit", None, None, pattern)

    def _bounded(self, start: int, names: tuple[str, ...], type_: s.Term | None, pattern: s.Term | None) -> s.Binder:
        # `∑ x in s, f x` is the older spelling of `∑ x ∈ s, f x`.
        op = "∈" if self.at("in") else self.texts[self.i]
        self.i += 1
        bound = self.term()
        return s.Binder(self.span_from(start), names, type_, "explicit", None, (op, bound), pattern)


def binder_names(term: s.Term) -> tuple[str, ...]:
    """The names that a term such as `x`, `_` or `x y z` gives to a binder; empty if it is none."""
    if isinstance(term, s.Ident):
        return (unquote(term.name),) if len(term.parts) == 1 and not term.root else ()
    if isinstance(term, s.Hole) and not term.name:
        return ("_",)
    if isinstance(term, s.App) and not term.op:
        names = binder_names(term.fn)
        for arg in term.args:
            more = binder_names(arg) if isinstance(arg, (s.Ident, s.Hole)) else ()
            if not names or not more:
                return ()
            names += more
        return names
    return ()
