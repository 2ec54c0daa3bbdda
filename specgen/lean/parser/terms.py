"""Terms: table-driven precedence climbing, and the leading forms without a module of their own."""

from __future__ import annotations

from collections.abc import Callable

from .. import syntax as s
from ..lexer import CHAR, ERROR, FIELD, IDENT, ISTR, ISTR_NEXT, NAME, NUM, SCI, STR, SYM
from .binders import Binders, binder_names
from .core import LITERALS
from .literals import EscapeError, number_value, scientific_value, string_value, unescape
from .tables import (
    ARG,
    BRACKETS,
    IDENTIFIER_SYMBOLS,
    INFIX,
    LEAD,
    MAX,
    MIN,
    POSTFIX,
    PREFIX,
    SOFT_COMMANDS,
    words,
)

_TIGHT = frozenset([".", "[", ".{", "@", "#", "#'"])
_TRAILING = frozenset(INFIX) | frozenset(POSTFIX) | words("→ -> <| $ |> |>. ! matches ... ...= <... <...= ≡")
_POSTFIX = frozenset(POSTFIX) | {"!"}
_RANGES = words("... ...= <... <...=")


class Terms(Binders):
    """The term parser."""

    leading: dict[str, tuple[int, Callable[[Terms], s.Term]]]

    def term(self, prec: int = 0) -> s.Term:
        """Parse a term of at least this precedence."""
        self.depth += 1
        if self.depth > self.max_depth:
            self.unsupported(f"the text nests deeper than {self.max_depth} levels")
        kind = self.kinds[self.i]
        if kind == IDENT:
            lhs: s.Term = self._ident()
            self.lhs_prec = MAX
        elif kind == SYM:
            entry = self.leading.get(self.texts[self.i])
            if entry is None:
                lhs = self._other_leading()
                self.lhs_prec = MAX
            else:
                if entry[0] < prec:
                    self.fail_expected("term")
                self.wanted = prec
                lhs = entry[1](self)
                self.lhs_prec = entry[0]
        else:
            lhs = self._literal(kind)
            self.lhs_prec = MAX
        lhs = self.trailing(lhs, prec)
        self.depth -= 1
        return lhs

    # -------------------------------------------------------------------------------------------------------- trailing

    def trailing(self, lhs: s.Term, prec: int) -> s.Term:
        """Everything that may follow a term: projections, arguments, infix and postfix notation."""
        kinds, texts, space = self.kinds, self.texts, self.space
        links = 0
        while True:
            i = self.i
            kind, text = kinds[i], texts[i]
            if space[i] == 0:
                if kind == FIELD:
                    self.i = i + 1
                    lhs = s.Proj((lhs.span[0], self.ends[i]), lhs, number_value(text[1:]))
                    links = self._link(links)
                    continue
                if kind == SYM and text in _TIGHT:
                    found = self._tight(lhs, text)
                    if found is not None:
                        lhs = found
                        links = self._link(links)
                        continue
            elif (
                self.lhs_prec >= MAX
                and prec <= LEAD
                and (kind in (IDENT, SYM) or kind in LITERALS)
                and (self.position < 0 or self.columns[i] > self.position)
                and self.argument_follows()
            ):
                lhs = self._application(lhs)
                self.lhs_prec = LEAD
                continue
            if kind != SYM or text not in _TRAILING:
                return lhs
            entry = INFIX.get(text)
            if entry is None:
                found = self._special(lhs, text, prec)
                if found is None:
                    return lhs
                lhs = found
            elif prec <= entry[0] and self.lhs_prec >= entry[1]:
                self.i = i + 1
                rhs = self.inside() if text == "^[" else self.term(entry[2])
                if text == "≡" and texts[self.i].endswith("MOD"):
                    lhs = self._modular(lhs, rhs)
                elif entry[0] == 35 and text[0] == "×" and _typed_names(lhs):
                    binder = s.Binder(lhs.span, _typed_names(lhs), lhs.type if isinstance(lhs, s.Ascription) else None)
                    lhs = s.DepProd(self.span_from(lhs.span[0]), text, binder, rhs)
                else:
                    if text == "^[":
                        self.expect("]")
                    lhs = s.BinOp((lhs.span[0], self.ends[self.i - 1]), text, lhs, rhs)
                self.lhs_prec = entry[0]
            else:
                return lhs
            links = self._link(links)

    def _link(self, links: int) -> int:
        """Count one more link of a chain of operators: it makes the tree as deep as nesting does."""
        self.links += 1
        if links >= self.max_depth:
            self.unsupported(f"a chain of more than {self.max_depth} operators")
        return links + 1

    def argument_follows(self) -> bool:
        """Whether the current token begins an application argument."""
        i = self.i
        if self.kinds[i] == SYM:
            text = self.texts[i]
            if text == "|":
                return self._bar_opens(i)
            if text == "!" and self._factorial_at(i):
                return False
            if text == "..":
                return True
            if text not in self.leading and text not in IDENTIFIER_SYMBOLS and text[0] != "#":
                return False
        elif self.space[i] == 2 and self.library_command(i):
            return False
        return self.arg_follows(i)

    def library_command(self, index: int) -> bool:
        """Whether a word at the left margin is a command, though the lexer takes it for an identifier."""
        return self.columns[index] == 0 and self.kinds[index] == IDENT and self.texts[index] in SOFT_COMMANDS

    def _factorial_at(self, index: int) -> bool:
        """Whether the `!` here is the postfix one: nothing that it could negate follows without space."""
        if not self.factorial or self.space[index] == 2:
            return False
        return self.space[index] == 0 or self.space[index + 1] != 0 or not self.arg_follows(index + 1)

    def _tight(self, lhs: s.Term, text: str) -> s.Term | None:
        """What follows a term without space, or None if it does not belong to it."""
        i = self.i
        start = lhs.span[0]
        following = self.space[i + 1]
        if text == "[":
            return self._index(lhs)
        if text == "#'" and isinstance(lhs, s.NumLit):
            self.unsupported("bit vector literals with a proof are not supported")
        if following != 0:
            return None
        if text == ".":
            if self.kinds[i + 1] != IDENT and not self.texts[i + 1].isidentifier():
                return None
            self.i = i + 2
            return self._projections(lhs, self.texts[i + 1], self.ends[i + 1])
        if text == ".{" and isinstance(lhs, s.Ident):
            self.i = i + 1
            levels = self.level_list()
            return s.Ident(self.span_from(start), lhs.parts, lhs.root, levels)
        if text == "@" and isinstance(lhs, s.Ident):
            self.i = i + 1
            hyp = ""
            if self.kinds[i + 2] == IDENT and self.texts[i + 3] == ":" and self.space[i + 3] == 0:
                hyp = self.expect_ident()
                self.i += 1
            pattern = self.term(MAX)
            self.lhs_prec = MAX
            return s.NamedPattern(self.span_from(start), lhs.name, pattern, hyp)
        if text == "#" and isinstance(lhs, s.NumLit):
            self.i = i + 1
            rhs = self.term(MAX)
            self.lhs_prec = MAX
            return s.BinOp(self.span_from(start), "#", lhs, rhs)
        return None

    def _projections(self, target: s.Term, text: str, end: int) -> s.Term:
        if isinstance(target, s.Ident) and target.parts[0][0] == "·":
            return s.Ident((target.span[0], end), target.parts + split_name(text))
        for part in split_name(text):
            target = s.Proj((target.span[0], end), target, part)
        return target

    def _index(self, target: s.Term) -> s.Term:
        """`xs[i]` and its variants, at the `[`."""
        start = target.span[0]
        self.i += 1
        first = None if self.at(":") else self.inside()
        if self.take(":"):
            stop = None if self.at("]") else self.inside()
            self.expect("]")
            self.lhs_prec = MAX
            return s.Slice(self.span_from(start), target, first, stop)
        if first is None:
            self.fail_expected("term")
        self.lhs_prec = MAX
        if self.take("]'"):
            proof = self.term(MAX)
            self.lhs_prec = MAX
            return s.Index(self.span_from(start), target, first, "'", proof)
        self.expect("]")
        if self.space[self.i] == 0 and self.texts[self.i] in ("!", "?"):
            self.i += 1
            return s.Index(self.span_from(start), target, first, "!" if self.texts[self.i - 1] == "!" else "?")
        return s.Index(self.span_from(start), target, first, "")

    def _application(self, fn: s.Term) -> s.Term:
        """Arguments of `fn`; the first is known to follow."""
        args: list[s.Arg] = []
        self._arguments(args)
        return s.App((fn.span[0], self.ends[self.i - 1]), fn, tuple(args))

    def _arguments(self, args: list[s.Arg]) -> None:
        kinds, texts, columns, space = self.kinds, self.texts, self.columns, self.space
        while True:
            i = self.i
            kind = kinds[i]
            if space[i] == 0 or (self.position >= 0 and columns[i] <= self.position):
                return
            if kind == IDENT:
                if space[i] == 2 and self.library_command(i):
                    return
                if space[i + 1] and texts[i + 1] not in _POSTFIX:
                    args.append(self._ident())
                    continue
            elif kind == SYM:
                if not self.argument_follows():
                    return
                text = texts[i]
                if text == "(" and kinds[i + 1] == IDENT and texts[i + 2] == ":=":
                    args.append(self._named_argument())
                    continue
                if text == "..":
                    self.i = i + 1
                    args.append(s.EllipsisArg((self.starts[i], self.ends[i])))
                    continue
            elif kind not in LITERALS:
                return
            args.append(self.term(ARG))

    def _named_argument(self) -> s.NamedArg:
        start = self.start()
        self.i += 1
        name = self.expect_ident()
        self.i += 1
        value = self.inside()
        self.expect(")")
        return s.NamedArg(self.span_from(start), name, value)

    def _special(self, lhs: s.Term, text: str, prec: int) -> s.Term | None:
        """Trailing notation that is not a plain infix; None if it does not apply here."""
        start = lhs.span[0]
        if text in ("→", "->"):
            if prec > 25:
                return None
            self.i += 1
            rhs = self.term(25)
            self.lhs_prec = MAX
            names = _typed_names(lhs)
            if names and isinstance(lhs, s.Ascription):
                return s.DepArrow(self.span_from(start), s.Binder(lhs.span, names, lhs.type), rhs)
            return s.Arrow((start, self.ends[self.i - 1]), lhs, rhs)
        if text in POSTFIX:
            if self.lhs_prec < MAX:
                return None
            self.i += 1
            return s.PostfixOp(self.span_from(start), text, lhs)
        if text == "!":
            if not self._factorial_at(self.i):
                return None
            self.i += 1
            return s.PostfixOp(self.span_from(start), "!", lhs)
        if text == "matches":
            if prec > 50 or self.lhs_prec <= 50:
                return None
            return self._matches(lhs)
        if text in _RANGES:
            return self._range_tail(lhs, text) if prec <= LEAD else None
        if prec > MIN:
            return None
        return self._pipe(lhs, text)

    def _matches(self, lhs: s.Term) -> s.Term:
        self.i += 1
        patterns = [self.term()]
        while self.take("|"):
            patterns.append(self.term())
        self.lhs_prec = 50
        return s.Matches(self.span_from(lhs.span[0]), lhs, tuple(patterns))

    def _range_tail(self, lhs: s.Term, text: str) -> s.Term:
        self.i += 1
        if self.take("*"):
            stop = None
        else:
            stop = self.term(MAX)
        self.lhs_prec = MAX
        return s.PolyRange(self.span_from(lhs.span[0]), text, lhs, stop)

    def _pipe(self, lhs: s.Term, text: str) -> s.Term | None:
        """`<|`, `$`, `|>` and `|>.`."""
        start = lhs.span[0]
        i = self.i
        if text == "|>.":
            if self.space[i + 1] or self.kinds[i + 1] not in (IDENT, NUM):
                self.i += 1
                self.fail_expected("identifier")
            self.i = i + 2
            lhs = self._pipe_target(lhs, self.texts[i + 1], i + 1)
            args: list[s.Arg] = []
            self._arguments(args)
            if args:
                lhs = s.App(self.span_from(start), lhs, tuple(args))
            self.lhs_prec = MIN
            return lhs
        if text == "$" and self.space[i + 1] == 0:
            return None
        self.i = i + 1
        rhs = self.term(MIN + 1 if text == "|>" else MIN)
        self.lhs_prec = MIN
        fn, arg = (rhs, lhs) if text == "|>" else (lhs, rhs)
        span = self.span_from(start)
        if isinstance(fn, s.App) and not fn.op:
            return s.App(span, fn.fn, (*fn.args, arg), text)
        return s.App(span, fn, (arg,), text)

    def _pipe_target(self, lhs: s.Term, text: str, index: int) -> s.Term:
        end = self.ends[index]
        if self.kinds[index] == NUM:
            return s.Proj((lhs.span[0], end), lhs, number_value(text), True)
        first, *rest = split_name(text)
        lhs = s.Proj((lhs.span[0], end), lhs, first, True)
        for part in rest:
            lhs = s.Proj((lhs.span[0], end), lhs, part)
        while self.space[self.i] == 0 and self.kinds[self.i] == FIELD:
            self.i += 1
            lhs = s.Proj(self.span_from(lhs.span[0]), lhs, number_value(self.texts[self.i - 1][1:]))
        return lhs

    def _modular(self, lhs: s.Term, rhs: s.Term) -> s.Term:
        kind = self.texts[self.i][1:]
        self.i += 1
        modulus = self.inside()
        self.expect("]")
        return s.ModEq(self.span_from(lhs.span[0]), kind, lhs, rhs, modulus)

    # --------------------------------------------------------------------------------------------------- leading forms

    def _ident(self) -> s.Ident:
        i = self.i
        text = self.texts[i]
        self.i = i + 1
        span = (self.starts[i], self.ends[i])
        if "." not in text and "«" not in text:
            return s.Ident(span, (text,))
        parts = split_name(text)
        if parts[0] == "_root_" and len(parts) > 1:
            return s.Ident(span, parts[1:], True)
        return s.Ident(span, parts)

    def _literal(self, kind: int) -> s.Term:
        i = self.i
        text = self.texts[i]
        span = (self.starts[i], self.ends[i])
        self.i = i + 1
        if kind == NUM:
            return s.NumLit(span, number_value(text))
        if kind == STR:
            return s.StrLit(span, self._decoded(i, text))
        if kind == CHAR:
            return s.CharLit(span, self._decoded(i, text))
        if kind == SCI:
            return s.SciLit(span, *scientific_value(text))
        if kind == NAME:
            return s.TermMacro(span, text, ())
        self.i = i
        if kind == ISTR:
            return s.StrLit(span, self._decoded(i, text))
        if kind == ERROR:
            self.fail("unexpected token")
        return self.fail_expected("term")

    def _decoded(self, index: int, text: str) -> str:
        try:
            return string_value(text)
        except EscapeError as error:
            self.fail(str(error), index)

    def _other_leading(self) -> s.Term:
        """A symbol that is no leading form of the table."""
        text = self.texts[self.i]
        if text in IDENTIFIER_SYMBOLS:
            self.i += 1
            return s.Ident(self.span_from(self.starts[self.i - 1]), (text,))
        if text == "|" and self._bar_opens(self.i):
            return self._bars()
        if text == "‖" and not self.in_norm:
            return self._norm()
        if text == "*" and self.texts[self.i + 1] in _RANGES:
            self.unsupported("ranges without a lower bound are not supported")
        if text[0] == "#" and len(text) > 1 and text not in ("#[", "#v["):
            start = self.start()
            self.i += 1
            name = s.Ident((start + 1, self.ends[self.i - 1]), split_name(text[1:]))
            return s.PrefixOp(self.span_from(start), "#", name)
        return self.fail_expected("term")

    def _bar_opens(self, index: int) -> bool:
        """Whether the `|` here begins an absolute value: a `|` with no space before it closes it further on."""
        if self.space[index + 1]:
            return False
        kinds, texts = self.kinds, self.texts
        at = index + 1
        # The bound keeps the look-ahead, which is repeated for every bar, linear.
        for _ in range(200):
            kind, text = kinds[at], texts[at]
            if kind == SYM:
                if text == "|" and self.space[at] == 0:
                    return True
                if text in _BAR_STOPS or (text == "|" and self.space[at] == 2):
                    return False
                if text in ("(", "[", "⟨", "{"):
                    at = self.closing(at)
            elif kind == 0:
                return False
            at = min(at + 1, len(kinds) - 1)
        return False

    def _bars(self) -> s.Term:
        start = self.start()
        self.i += 1
        inner = self.inside()
        if not (self.at("|") and self.space[self.i] == 0):
            self.fail_expected("'|'")
        self.i += 1
        return s.Bracketed(self.span_from(start), "|", inner)

    def _norm(self) -> s.Term:
        start = self.start()
        self.i += 1
        saved = self.position, self.no_do
        self.position, self.no_do, self.in_norm = -1, False, True
        inner = self.term()
        self.position, self.no_do = saved
        self.in_norm = False
        kind = self.expect("‖", "‖₊")
        return s.Bracketed(self.span_from(start), kind, inner)

    def prefix(self) -> s.Term:
        """`¬ p`, `-x`, `↑x`, …."""
        start = self.start()
        op = self.texts[self.i]
        if op == "!" and self.texts[self.i + 1] == "[" and self.space[self.i + 1] == 0:
            # With Mathlib `![` is one token, of vectors; without it this negates something that begins with a list.
            self.unsupported("the notation '![' is not supported")
        self.i += 1
        arg = self.term(PREFIX[op][1])
        return s.PrefixOp((start, self.ends[self.i - 1]), op, arg)

    def quotation(self) -> s.Term:
        """`` `(…) ``: syntax as a value, of which a contract has no need."""
        self.unsupported("syntax quotations are not supported")

    def bracket(self) -> s.Term:
        """`⌊x⌋`, `‹T›`, …."""
        start = self.start()
        kind = self.texts[self.i]
        self.i += 1
        inner = self.inside()
        close = self.expect(*BRACKETS[kind])
        return s.Bracketed(self.span_from(start), kind + ("₊" if close.endswith("₊") else ""), inner)

    def hole(self) -> s.Term:
        """`_`."""
        self.i += 1
        return s.Hole(self.span_from(self.starts[self.i - 1]))

    def synthetic_hole(self) -> s.Term:
        """`?x` and `?_`."""
        start = self.start()
        self.i += 1
        if self.take("_"):
            return s.Hole(self.span_from(start), "_")
        return s.Hole(self.span_from(start), self.expect_ident())

    def sorry(self) -> s.Term:
        """`sorry`."""
        self.i += 1
        return s.Sorry(self.span_from(self.starts[self.i - 1]))

    def explicit(self) -> s.Term:
        """`@f`."""
        start = self.start()
        self.i += 1
        return s.Explicit(self.span_from(start), self.term(MAX))

    def dot(self) -> s.Term:
        """`·`: a fresh name, bound at the innermost parentheses."""
        raise NotImplementedError

    def dot_ident(self) -> s.Term:
        """`.name`, or the old spelling of `·`."""
        start = self.start()
        following = self.texts[self.i + 1]
        if self.dots is not None and (self.space[self.i + 1] or not self._wordlike(following or " ")):
            return self.dot()
        self.i += 1
        if self.space[self.i] or self.kinds[self.i] not in (IDENT, SYM) or not self._wordlike(self.texts[self.i]):
            self.fail_expected("identifier")
        self.i += 1
        return s.DotIdent(self.span_from(start), split_name(self.texts[self.i - 1]))

    @staticmethod
    def _wordlike(text: str) -> bool:
        return text[0].isalpha() or text[0] in "_«"

    def sort(self) -> s.Term:
        """`Prop`, `Type u`, `Sort u`."""
        start = self.start()
        text = self.texts[self.i]
        self.i += 1
        kind: s.SortTerm
        if text == "Prop":
            return s.SortTerm(self.span_from(start), "Prop")
        level = ""
        if (
            self.space[self.i]
            and self.col_gt()
            and (self.kinds[self.i] in (IDENT, NUM) or self.texts[self.i] in ("(", "_"))
        ):
            level = self.level()
        kind = s.SortTerm(self.span_from(start), "Type" if text == "Type" else "Sort", level)
        return kind

    def level(self) -> str:
        """An atomic universe level as text."""
        first = self.i
        if self.texts[first] == "(":
            close = self.closing(first)
            if self.texts[close] != ")":
                self.i = close
                self.fail_expected("')'")
            self.i = close + 1
        else:
            self.i += 1
        return " ".join(self.texts[first : self.i]).replace("( ", "(").replace(" )", ")")

    def level_list(self) -> tuple[str, ...]:
        """`u, v}` after `.{`."""
        levels = [""]
        while not self.take("}"):
            if self.kinds[self.i] not in (IDENT, NUM) and self.texts[self.i] not in ("(", ")", ",", "+", "_"):
                self.fail_expected("','", "'}'")
            if self.take(","):
                levels.append("")
                continue
            levels[-1] = (levels[-1] + " " + self.texts[self.i]).strip()
            self.i += 1
        return tuple(levels)

    def interpolated(self) -> s.Term:
        """`s!"…{x}…"`."""
        start = self.start()
        prefix = self.texts[self.i]
        self.i += 1
        if self.kinds[self.i] != ISTR:
            self.fail_expected("interpolated string")
        pieces = self.interpolation()
        return s.InterpStr(self.span_from(start), prefix, pieces)

    def interpolation(self) -> tuple[str | s.Term, ...]:
        """The pieces of an interpolated string, at its first one."""
        parts: list[str | s.Term] = []
        while True:
            i = self.i
            text = self.texts[i]
            try:
                body = unescape(text[1:-1])
            except EscapeError as error:
                self.fail(str(error), i)
            if body:
                parts.append(body)
            self.i = i + 1
            if text[-1] != "{" or len(text) == 1:
                break
            parts.append(self.inside())
            if self.kinds[self.i] != ISTR_NEXT:
                self.fail_expected("'}'")
        return tuple(parts)


_BAR_STOPS = words(
    "=> := ; , ) ] } ⟩ ‖ then else with do ∀ ∃ fun λ match if let have def theorem ∧ ∨ ↔ → ↦ from by where"
)


def _typed_names(term: s.Term) -> tuple[str, ...]:
    """The names of `(x y : A)`, which before an arrow or `×` is a binder; empty if the term is none."""
    return binder_names(term.term) if isinstance(term, s.Ascription) and term.type is not None else ()


def split_name(text: str) -> tuple[str, ...]:
    """Components of a dotted name, `«»` dropped."""
    if "«" not in text:
        return tuple(text.split("."))
    parts: list[str] = []
    for number, piece in enumerate(text.replace("»", "«").split("«")):
        if number % 2:
            parts.append(piece)
        else:
            parts.extend(part for part in piece.split(".") if part)
    return tuple(parts)
