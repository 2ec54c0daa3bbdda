"""`do` blocks."""

from __future__ import annotations

from .. import syntax as s
from ..lexer import EOF, IDENT, SYM
from .core import LITERALS
from .forms import Forms
from .tables import words

_ARROWS = ("←", "<-")
_STARTS = words("let have if unless for while repeat match return break continue try dbg_trace assert! do")
_NOT_ITEMS = words("open set_option")


class DoBlocks(Forms):
    """Parsers of do items."""

    def do_block(self) -> tuple[s.DoItem, ...]:
        """Items in one column, or between braces."""
        if self.at("{"):
            return self._braced()
        if not self._item_follows():
            self.fail_expected("do element") if self.kinds[self.i] != EOF else self.fail_expected("'{'", "do element")
        saved, self.position = self.position, self.columns[self.i]
        no_do, self.no_do = self.no_do, False
        self.enter()
        items: list[s.DoItem] = []
        while True:
            items.append(self.do_item())
            self.take(";")
            if not (self.columns[self.i] >= self.position and self._item_follows()):
                break
        self.depth -= 1
        self.position, self.no_do = saved, no_do
        return tuple(items)

    def _braced(self) -> tuple[s.DoItem, ...]:
        self.i += 1
        saved = self.position, self.no_do
        self.position, self.no_do = -1, False
        self.enter()
        items: list[s.DoItem] = []
        while not self.take("}"):
            items.append(self.do_item())
            self.take(";")
        self.depth -= 1
        self.position, self.no_do = saved
        return tuple(items)

    def _item_follows(self) -> bool:
        kind, text = self.kinds[self.i], self.texts[self.i]
        if kind == SYM:
            if text in _NOT_ITEMS:
                return False
            return text in _STARTS or text in self.leading or (text == "|" and self._bar_opens(self.i))
        return kind == IDENT or kind in LITERALS

    def do_item(self) -> s.DoItem:
        """One do element."""
        start = self.start()
        text = self.texts[self.i] if self.kinds[self.i] == SYM else ""
        if text == "let" or text == "have":
            return self._let_item(start, text)
        if text == "if":
            return self._if_item(start)
        if text in ("for", "while", "repeat", "unless"):
            return self._loop(start, text)
        if text == "match":
            self.i += 1
            discrs, _ = self.match_discriminants()
            alts = self._do_alternatives()
            return s.DoMatch(self.span_from(start), discrs, alts)
        if text == "return":
            return self._return(start)
        if text == "break":
            self.i += 1
            return s.DoBreak(self.span_from(start))
        if text == "continue":
            self.i += 1
            return s.DoContinue(self.span_from(start))
        if text == "try":
            return self._try(start)
        if text in ("dbg_trace", "assert!"):
            return self._debug(start, text)
        if text == "do":
            return s.DoExpr(self.span_from(start), self.do_term())
        return self._expression(start)

    def _expression(self, start: int) -> s.DoItem:
        """An action, or a reassignment."""
        target = self.term()
        type_: s.Term | None = None
        if self.at(":"):
            self.i += 1
            type_ = self.term()
            if self.texts[self.i] not in (":=", *_ARROWS):
                self.fail_expected("':='", "'←'")
        if self.take(":="):
            value = self.term()
            return s.DoReassign(self.span_from(start), target, type_, value, False)
        if self.texts[self.i] in _ARROWS:
            self.i += 1
            value = self._action()
            return s.DoReassign(self.span_from(start), target, type_, value, True)
        return s.DoExpr(self.span_from(start), target)

    def _action(self) -> s.Term:
        """The right side of `←`: a do element, wrapped into `Do` if it is no term."""
        start = self.start()
        item = self.do_item()
        if isinstance(item, s.DoExpr):
            return item.term
        return s.Do(self.span_from(start), (item,))

    # ------------------------------------------------------------------------------------------------------------- let

    def _let_item(self, start: int, keyword: str) -> s.DoItem:
        self.i += 1
        if keyword == "let" and self.at_word("rec"):
            self.i += 1
            decls = [self.rec_decl()]
            while self.take(","):
                decls.append(self.rec_decl())
            return s.DoLetRec(self.span_from(start), tuple(decls))
        mutable = keyword == "let" and self.take("mut")
        decl_start = self.start()
        lhs = self.i
        name, binders, pattern = self.let_lhs(keyword == "have")
        type_ = self.optional_type()
        arrow = False
        alts: tuple[s.MatchAlt, ...] = ()
        value: s.Term | None = None
        if self.texts[self.i] in _ARROWS:
            arrow = True
            saved, self.position = self.position, self.columns[self.i] if self.position < 0 else self.position
            self.i += 1
            value = self._action()
            self.position = saved
        elif self.take(":="):
            value = self.term()
        elif self.at("|") and pattern is None:
            alts = self.alternatives()
        else:
            self.fail_expected("':='", "'|'") if pattern is None else self.fail_expected("':='", "'←'")
        otherwise: tuple[s.DoItem, ...] | None = None
        if value is not None and self.at("|") and self.col_gt():
            if pattern is None:
                name, binders, pattern = "", (), self._pattern_at(lhs)
            self.i += 1
            otherwise = self.do_block()
        decl = s.LetDecl(self.span_from(decl_start), name, binders, type_, value, pattern, alts)
        return s.DoLet(self.span_from(start), mutable, arrow, decl, otherwise, keyword)

    def _pattern_at(self, index: int) -> s.Term:
        """Read a left side again as a pattern: `some x` was taken for a function `some` of `x`."""
        saved = self.i, self.position
        self.i, self.position = index, -1
        pattern = self.term()
        self.i, self.position = saved
        return pattern

    # -------------------------------------------------------------------------------------------------------- branches

    def _condition(self) -> s.DoCond:
        start = self.start()
        if self.take("let"):
            pattern = self.term()
            arrow = self.expect(":=", *_ARROWS) != ":="
            term = self.term()
            return s.DoCond(self.span_from(start), term, "", pattern, arrow)
        hyp = ""
        if (self.kinds[self.i] == IDENT or self.at("_")) and self.texts[self.i + 1] == ":":
            hyp = self.texts[self.i]
            self.i += 2
        term = self.term()
        return s.DoCond(self.span_from(start), term, hyp)

    def _if_item(self, start: int) -> s.DoItem:
        saved = self.position
        if self.space[self.i] == 2:
            self.position = self.columns[self.i]
        self.i += 1
        branches = [self._branch()]
        otherwise: tuple[s.DoItem, ...] | None = None
        while self.at("else") and self.col_ge():
            self.i += 1
            if self.at("if") and self.space[self.i] != 2:
                self.i += 1
                branches.append(self._branch())
            else:
                otherwise = self.do_block()
                break
        self.position = saved
        return s.DoIf(self.span_from(start), tuple(branches), otherwise)

    def _branch(self) -> tuple[s.DoCond, tuple[s.DoItem, ...]]:
        condition = self._condition()
        self.expect("then")
        return condition, self.do_block()

    def _do_alternatives(self) -> tuple[s.DoMatchAlt, ...]:
        if not self.at("|"):
            self.fail_expected("'|'")
        saved = self.position, self.in_alts
        self.position, self.in_alts = self.columns[self.i], True
        alts: list[s.DoMatchAlt] = []
        while self.at("|") and self.col_ge():
            start = self.start()
            patterns = self.alternative_patterns()
            body = self.do_block()
            alts.append(s.DoMatchAlt(self.span_from(start), patterns, body))
        self.position, self.in_alts = saved
        return tuple(alts)

    # ----------------------------------------------------------------------------------------------------------- loops

    def _loop(self, start: int, text: str) -> s.DoItem:
        self.i += 1
        if text == "repeat":
            body = self.do_block()
            until = self.term() if self.take("until") else None
            return s.DoWhile(self.span_from(start), None, body, until)
        saved, self.no_do = self.no_do, True
        if text == "unless":
            cond = self.term()
            self.no_do = saved
            self.expect("do")
            return s.DoUnless(self.span_from(start), cond, self.do_block())
        if text == "while":
            condition = self._condition()
            self.no_do = saved
            self.expect("do")
            body = self.do_block()
            return s.DoWhile(self.span_from(start), condition, body)
        iters = [self._iterator()]
        while self.take(","):
            iters.append(self._iterator())
        self.no_do = saved
        self.expect("do")
        body = self.do_block()
        return s.DoFor(self.span_from(start), tuple(iters), body)

    def _iterator(self) -> s.ForIter:
        start = self.start()
        hyp = ""
        if self.kinds[self.i] == IDENT and self.texts[self.i + 1] == ":":
            hyp = self.expect_ident()
            self.i += 1
        pattern = self.term()
        self.expect("in")
        collection = self.term()
        return s.ForIter(self.span_from(start), pattern, collection, hyp)

    # ----------------------------------------------------------------------------------------------------------- exits

    def _return(self, start: int) -> s.DoItem:
        saved, self.position = self.position, self.columns[self.i]
        self.i += 1
        value: s.Term | None = None
        if self.space[self.i] != 2 and self._item_follows():
            value = self.term()
        self.position = saved
        return s.DoReturn(self.span_from(start), value)

    def _debug(self, start: int, keyword: str) -> s.DoItem:
        self.i += 1
        first = self.start()
        arg: s.Term
        if keyword == "dbg_trace" and self.texts[self.i].startswith('"') and self.kinds[self.i] not in LITERALS - {11}:
            pieces = self.interpolation()
            arg = s.InterpStr(self.span_from(first), "", pieces)
        else:
            arg = self.term()
        span = self.span_from(start)
        return s.DoExpr(span, s.TermMacro(span, keyword, (arg,)))

    def _try(self, start: int) -> s.DoItem:
        self.i += 1
        body = self.do_block()
        catches: list[tuple[str, s.Term | None, tuple[s.DoItem, ...]]] = []
        while self.take("catch"):
            name = "_" if self.take("_") else self.expect_ident()
            type_ = self.optional_type()
            self.expect("=>")
            catches.append((name, type_, self.do_block()))
        final = self.do_block() if self.take("finally") else None
        return s.DoTry(self.span_from(start), body, tuple(catches), final)
