"""Leading forms with keywords: `fun`, `let`, `if`, `match`, quantifiers, `by`, and their like."""

from __future__ import annotations

from dataclasses import replace

from .. import syntax as s
from ..lexer import EOF, IDENT, ISTR, SYM
from .brackets import Brackets
from .tables import ARG, BRACKETS, LEAD, MAX, MIN, PREFIX, QUANTIFIERS, words

_LETS = words("let have haveI letI let_fun")


class Forms(Brackets):
    """Leading forms with keywords."""

    # ------------------------------------------------------------------------------------------------ functions, match

    def fun(self) -> s.Term:
        """`fun x => e`, `fun | p => e`."""
        start = self.start()
        self.i += 1
        if self.at("|"):
            alts = self.alternatives()
            return s.FunMatch(self.span_from(start), alts)
        binders = self.fun_binders()
        if not binders:
            self.fail_expected("'_', identifier", "term")
        if self.texts[self.i] not in ("=>", "↦"):
            self.fail_expected("'↦', '=>'")
        self.i += 1
        body = self.term()
        return s.Fun((start, self.ends[self.i - 1]), binders, body)

    def alternatives(self) -> tuple[s.MatchAlt, ...]:
        """`| p => e` lines: one column for all, nested ones further right."""
        if not self.at("|"):
            self.fail_expected("'|'")
        saved = self.position, self.in_alts
        self.position, self.in_alts = self.columns[self.i], True
        alts: list[s.MatchAlt] = []
        while self.at("|") and self.col_ge():
            start = self.start()
            patterns = self.alternative_patterns()
            if not self.col_ge():
                self.fail(
                    "expected alternative right-hand-side to start in a column greater than or equal to the "
                    "corresponding '|'"
                )
            rhs = self.term()
            alts.append(s.MatchAlt((start, self.ends[self.i - 1]), patterns, rhs))
        self.position, self.in_alts = saved
        return tuple(alts)

    def alternative_patterns(self) -> tuple[tuple[s.Term, ...], ...]:
        """Patterns from `|` to `=>`, both included."""
        found: list[tuple[s.Term, ...]] = []
        while self.take("|"):
            patterns = [self.term()]
            while self.take(","):
                patterns.append(self.term())
            found.append(tuple(patterns))
        self.expect("=>")
        return tuple(found)

    def match(self) -> s.Term:
        """`match … with | …`."""
        start = self.start()
        self.i += 1
        discrs, motive = self.match_discriminants()
        alts = self.alternatives()
        return s.Match(self.span_from(start), discrs, alts, motive)

    def match_discriminants(self) -> tuple[tuple[s.Discr, ...], s.Term | None]:
        """What stands between `match` and `with` (both stepped over), and the motive."""
        motive: s.Term | None = None
        while self.at("(") and self.texts[self.i + 1] in ("motive", "generalizing") and self.texts[self.i + 2] == ":=":
            is_motive = self.texts[self.i + 1] == "motive"
            self.i += 3
            value = self.inside()
            motive = value if is_motive else motive
            self.expect(")")
        discrs = [self._discriminant()]
        while self.take(","):
            discrs.append(self._discriminant())
        if not self.take("with"):
            self.fail_expected("'with'")
        return tuple(discrs), motive

    def _discriminant(self) -> s.Discr:
        start = self.start()
        hyp = ""
        if (self.kinds[self.i] == IDENT or self.at("_")) and self.texts[self.i + 1] == ":":
            hyp = self.texts[self.i]
            self.i += 2
        term = self.term()
        return s.Discr(self.span_from(start), term, hyp)

    def nomatch(self) -> s.Term:
        """`nomatch e, …`."""
        start = self.start()
        self.i += 1
        discrs = [s.Discr(self.span_from(start), self.term())]
        while self.take(","):
            discrs.append(s.Discr(self.span_from(start), self.term()))
        return s.Match(self.span_from(start), tuple(discrs), ())

    def nofun(self) -> s.Term:
        """`nofun`."""
        self.i += 1
        return s.TermMacro(self.span_from(self.starts[self.i - 1]), "nofun", ())

    # ------------------------------------------------------------------------------------------------------------- let

    def let(self) -> s.Term:
        """`let x := e; body` and its kin; a run of them is read in a loop."""
        pending: list[tuple[int, str, s.LetDecl | tuple[s.LetDecl, ...]]] = []
        while True:
            start = self.start()
            keyword = self.texts[self.i]
            saved, self.position = self.position, self.columns[self.i]
            self.i += 1
            if keyword == "let" and self.at_word("rec"):
                self.i += 1
                decls = [self.rec_decl()]
                while self.take(","):
                    decls.append(self.rec_decl())
                pending.append((start, keyword, tuple(decls)))
            else:
                pending.append((start, keyword, self.let_decl(have=keyword.startswith("have"))))
            self.position = saved
            self.semicolon_or_linebreak()
            if len(pending) > self.max_depth:
                self.unsupported(f"more than {self.max_depth} local definitions in a row")
            if self.kinds[self.i] != SYM or self.texts[self.i] not in _LETS:
                break
        result = self.term()
        for start, keyword, decl in reversed(pending):
            span = (start, result.span[1])
            if isinstance(decl, tuple):
                result = s.LetRec(span, decl, result)
            else:
                result = s.Let(span, keyword, decl, result)
        return result

    def semicolon_or_linebreak(self) -> None:
        """`;` or a line break."""
        if not self.take(";") and self.space[self.i] != 2:
            self.fail_expected("';'", "line break")
        if self.kinds[self.i] == EOF:
            self.fail_expected("term")

    def rec_decl(self) -> s.LetDecl:
        """One declaration of `let rec`."""
        from ..lexer import DOC

        if self.kinds[self.i] == DOC:
            self.i += 1
        while self.at("@["):
            self.i = self.closing(self.i) + 1
        decl = self.let_decl()
        terminations, decreasing = self.termination()
        if terminations or decreasing:
            return replace(decl, termination_by=terminations, decreasing_by=decreasing)
        return decl

    def termination(self) -> tuple[str, str]:
        """The texts of `termination_by` and `decreasing_by`, if there."""
        raise NotImplementedError

    def let_decl(self, *, have: bool = False) -> s.LetDecl:
        """`x binders : T := e`, `x … | p => e`, or `pattern : T := e`."""
        start = self.start()
        name, binders, pattern = self.let_lhs(have)
        type_ = self.optional_type()
        if self.at("|") and pattern is None:
            alts = self.alternatives()
            return s.LetDecl(self.span_from(start), name, binders, type_, None, None, alts)
        if not self.take(":="):
            self.fail_expected("':='", "'|'") if pattern is None else self.fail_expected("':='")
        value = self.term()
        return s.LetDecl(self.span_from(start), name, binders, type_, value, pattern)

    def let_lhs(self, have: bool) -> tuple[str, tuple[s.Binder, ...], s.Term | None]:
        """Name and binders, or a pattern."""
        if have and self.texts[self.i] in (":", ":=", "|"):
            return "this", (), None
        if self.at("_") and self.texts[self.i + 1] in (":", ":=", "←", "<-"):
            self.i += 1
            return "_", (), None
        if self.kinds[self.i] == IDENT and self._plain_lhs():
            name = self.expect_ident()
            return name, self.binders(bare=True), None
        return "", (), self.term()

    def _plain_lhs(self) -> bool:
        """Whether a name with binders stands here, rather than a pattern."""
        kinds, texts, space = self.kinds, self.texts, self.space
        index = self.i + 1
        while True:
            text = texts[index]
            if kinds[index] == IDENT or text == "_":
                index += 1
            elif kinds[index] == SYM and text in ("(", "{", "[", "⦃") and space[index]:
                index = self.closing(index) + 1
                if index >= len(texts):
                    return True
            else:
                break
        if text in ("::", "@", ",", "+", ".{", ".", "."):
            return False
        return not (kinds[index] == SYM and text in ("++",))

    def suffices(self) -> s.Term:
        """`suffices h : T from e; body`."""
        start = self.start()
        saved, self.position = self.position, self.columns[self.i]
        self.i += 1
        decl_start = self.start()
        name = "this"
        if self.kinds[self.i] == IDENT and self.texts[self.i + 1] == ":":
            name = self.expect_ident()
            self.i += 1
        type_ = self.term()
        value = self._show_rhs()
        decl = s.LetDecl(self.span_from(decl_start), name, (), type_, value)
        self.position = saved
        self.semicolon_or_linebreak()
        body = self.term()
        return s.Let(self.span_from(start), "suffices", decl, body)

    def show(self) -> s.Term:
        """`show T from e`, `show T by …`."""
        start = self.start()
        self.i += 1
        type_ = self.term()
        value = self._show_rhs()
        return s.Show(self.span_from(start), type_, value)

    def _show_rhs(self) -> s.Term:
        if self.take("from"):
            return self.term()
        if self.at("by"):
            return self.by()
        return self.fail_expected("'by'", "'from'")

    # -------------------------------------------------------------------------------------------------------------- if

    def if_(self) -> s.Term:
        """`if c then a else b`, `if h : c …`, `if let p := e …`."""
        start = self.start()
        self.i += 1
        if self.take("let"):
            pattern = self.term()
            self.expect(":=")
            value = self.term()
            then, otherwise = self._branches()
            return s.IfLet(self.span_from(start), pattern, value, then, otherwise)
        hyp = ""
        if (self.kinds[self.i] == IDENT or self.at("_")) and self.texts[self.i + 1] == ":":
            hyp = self.texts[self.i]
            self.i += 2
        cond = self.term()
        then, otherwise = self._branches()
        return s.If((start, self.ends[self.i - 1]), cond, then, otherwise, hyp)

    def _branches(self) -> tuple[s.Term, s.Term]:
        self.expect("then")
        then = self.term()
        self.expect("else")
        return then, self.term()

    # ----------------------------------------------------------------------------------------------------- quantifiers

    def quantifier(self) -> s.Term:
        """`∀ x, p` and every notation of its shape."""
        start = self.start()
        symbol = self.texts[self.i]
        self.i += 1
        binders = self.quantifier_binders(symbol)
        condition = self.term() if self.take("with") else None
        if not self.take(","):
            self.fail_expected("','")
        body = self.term(QUANTIFIERS[symbol][1])
        return s.Quantifier((start, self.ends[self.i - 1]), symbol, binders, body, condition)

    # ---------------------------------------------------------------------------------------------------- tactics, etc.

    def by(self) -> s.By:
        """`by` and its tactic block."""
        start = self.start()
        self.i += 1
        text = self.skip_block()
        return s.By(self.span_from(start), text)

    def calc(self) -> s.Term:
        """`calc` and its steps."""
        start = self.start()
        self.i += 1
        text = self.skip_block(calc=True)
        return s.Calc(self.span_from(start), text)

    def nested_action(self) -> s.Term:
        """`← e`."""
        start = self.start()
        self.i += 1
        return s.NestedAction(self.span_from(start), self.term(MIN))

    def macro(self) -> s.Term:
        """`panic! e`, `unreachable!`, `dbg_trace e; b`, `assert! c; b`."""
        start = self.start()
        keyword = self.texts[self.i]
        self.i += 1
        args: list[s.Term] = []
        if keyword != "unreachable!":
            if self.kinds[self.i] == ISTR:
                first = self.start()
                pieces = self.interpolation()
                args.append(s.InterpStr(self.span_from(first), "", pieces))
            else:
                args.append(self.term())
            if keyword in ("dbg_trace", "assert!"):
                self.semicolon_or_linebreak()
                args.append(self.term())
        return s.TermMacro(self.span_from(start), keyword, tuple(args))

    def postcondition(self) -> s.Term:
        """`⇓ r => p`."""
        start = self.start()
        self.i += 1
        binders = self.fun_binders()
        self.expect("=>", "↦")
        body = self.term()
        fun = s.Fun(self.span_from(start), binders, body)
        return s.TermMacro(self.span_from(start), "⇓", (fun,))

    def scoped_command(self) -> s.Term:
        """`open N in e`, `set_option o v in e`."""
        start = self.start()
        command = self.open_command() if self.at("open") else self.set_option()
        self.expect("in")
        term = self.term()
        return s.ScopedTerm(self.span_from(start), command, term)

    def open_command(self) -> s.Command:
        """`open …`, without `in`."""
        raise NotImplementedError

    def set_option(self) -> s.Command:
        """`set_option …`, without `in`."""
        raise NotImplementedError

    def do_term(self) -> s.Term:
        """`do` with its items."""
        start = self.start()
        self.i += 1
        items = self.do_block()
        return s.Do(self.span_from(start), items)

    def do_element(self) -> s.Term:
        """A do element as a term: `return e`, `for …`, `unless …`, `try …`."""
        start = self.start()
        item = self.do_item()
        return s.Do(self.span_from(start), (item,))

    def do_item(self) -> s.DoItem:
        """One item of a do block."""
        raise NotImplementedError


def _table() -> None:
    leading = {
        "(": (MAX, Forms.paren),
        "[": (MAX, Forms.list_or_range),
        "{": (MAX, Forms.brace),
        "⟨": (MAX, Forms.anonymous_constructor),
        "⦃": (MAX, Forms.double_brace),
        "#[": (MAX, Forms.array),
        "#v[": (MAX, Forms.array),
        ".(": (MAX, Forms.inaccessible),
        ".": (MAX, Forms.dot_ident),
        "·": (MAX, Forms.dot),
        "`(": (MAX, Forms.quotation),
        "_": (MAX, Forms.hole),
        "?": (MAX, Forms.synthetic_hole),
        "@": (MAX, Forms.explicit),
        "sorry": (MAX, Forms.sorry),
        "Prop": (MAX, Forms.sort),
        "Type": (MAX, Forms.sort),
        "Sort": (MAX, Forms.sort),
        "fun": (MAX, Forms.fun),
        "λ": (MAX, Forms.fun),
        "nofun": (MAX, Forms.nofun),
        "do": (ARG, Forms.do_term),
        "let": (LEAD, Forms.let),
        "have": (LEAD, Forms.let),
        "haveI": (LEAD, Forms.let),
        "letI": (LEAD, Forms.let),
        "let_fun": (LEAD, Forms.let),
        "suffices": (LEAD, Forms.suffices),
        "show": (LEAD, Forms.show),
        "if": (LEAD, Forms.if_),
        "match": (LEAD, Forms.match),
        "nomatch": (LEAD, Forms.nomatch),
        "by": (LEAD, Forms.by),
        "calc": (LEAD, Forms.calc),
        "panic!": (LEAD, Forms.macro),
        "unreachable!": (LEAD, Forms.macro),
        "dbg_trace": (LEAD, Forms.macro),
        "assert!": (LEAD, Forms.macro),
        "s!": (MAX, Forms.interpolated),
        "f!": (MAX, Forms.interpolated),
        "m!": (MAX, Forms.interpolated),
        "⇓": (LEAD, Forms.postcondition),
        "open": (LEAD, Forms.scoped_command),
        "set_option": (LEAD, Forms.scoped_command),
        "return": (LEAD, Forms.do_element),
        "for": (LEAD, Forms.do_element),
        "unless": (LEAD, Forms.do_element),
        "try": (LEAD, Forms.do_element),
        "while": (LEAD, Forms.do_element),
        "←": (MIN, Forms.nested_action),
        "<-": (MIN, Forms.nested_action),
    }
    for op, (prec, _) in PREFIX.items():
        leading.setdefault(op, (prec, Forms.prefix))
    for op, (prec, _) in QUANTIFIERS.items():
        leading[op] = (prec, Forms.quantifier)
    for op in BRACKETS:
        leading[op] = (MAX, Forms.bracket)
    Forms.leading = leading  # type: ignore[assignment]


_table()
