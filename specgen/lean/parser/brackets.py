"""Terms in brackets: parentheses, lists, anonymous constructors, and everything that begins with `{`."""

from __future__ import annotations

from .. import syntax as s
from ..lexer import FIELD, IDENT, NUM, SYM
from .binders import binder_names
from .literals import number_value
from .tables import BINDER_PREDICATES, LEAD
from .terms import Terms, split_name

_ARROWS = ("→", "->")


class Brackets(Terms):
    """Leading forms in brackets."""

    def paren(self) -> s.Term:
        """`(…)` of every kind."""
        start = self.start()
        self.i += 1
        if self.take(")"):
            return s.Tuple(self.span_from(start), ())
        saved = self.position, self.no_do, self.in_norm, self.in_alts, self.dots
        self.position, self.no_do, self.in_norm, self.in_alts = -1, False, False, False
        dots: list[s.Ident] = []
        self.dots = dots
        first = self.term()
        result = self._paren_tail(start, first, bool(dots))
        self.position, self.no_do, self.in_norm, self.in_alts, self.dots = saved
        if dots:
            binders = (s.Binder((dots[0].span[0], dots[-1].span[1]), tuple([dot.parts[0] for dot in dots])),)
            body = result.inner if isinstance(result, s.Paren) else result
            return s.Paren(result.span, s.Fun(result.span, binders, body))
        return result

    def _paren_tail(self, start: int, first: s.Term, dotted: bool) -> s.Term:
        """What follows the first term inside parentheses, up to the closing one."""
        if self.take(","):
            items = [first, self.term()]
            while self.take(","):
                items.append(self.term())
            self._close_paren("','")
            return s.Tuple(self.span_from(start), tuple(items))
        if self.take(":"):
            type_ = None if self.at(")") else self.term()
            if self.at(":=") and not dotted:
                return self._defaulted_arrow(start, first, type_)
            self._close_paren()
            return s.Ascription(self.span_from(start), first, type_)
        self._close_paren("','", "':'")
        return s.Paren(self.span_from(start), first)

    def _close_paren(self, *others: str) -> None:
        if not self.take(")"):
            self.fail_expected("')'", *others)

    def _defaulted_arrow(self, start: int, first: s.Term, type_: s.Term | None) -> s.Term:
        """`(x : A := d) → B`."""
        names = binder_names(first)
        if not names:
            self._close_paren()
        self.i += 1
        default = self.term()
        self._close_paren()
        binder = s.Binder(self.span_from(start), names, type_, "explicit", default)
        return self._dependent_arrow(binder)

    def _dependent_arrow(self, binder: s.Binder) -> s.Term:
        self.expect(*_ARROWS)
        body = self.term()
        return s.DepArrow(self.span_from(binder.span[0]), binder, body)

    def inaccessible(self) -> s.Term:
        """`.(e)`."""
        start = self.start()
        self.i += 1
        inner = self.inside()
        self.expect(")")
        return s.Inaccessible(self.span_from(start), inner)

    def dot(self) -> s.Term:
        """`·`: a fresh name, bound at the innermost parentheses."""
        if self.dots is None:
            self.fail("invalid occurrence of `·` notation, it must be surrounded by parentheses (e.g. `(· + 1)`)")
        span = (self.starts[self.i], self.ends[self.i])
        self.i += 1
        name = s.Ident(span, (f"·{len(self.dots) + 1}",))
        self.dots.append(name)
        return name

    # ----------------------------------------------------------------------------------------------------------- lists

    def items(self, close: str) -> tuple[s.Term, ...]:
        """Terms between commas, up to a closing token; a last comma is allowed."""
        found: list[s.Term] = []
        saved = self.position, self.no_do, self.in_norm, self.in_alts
        self.position, self.no_do, self.in_norm, self.in_alts = -1, False, False, False
        while not self.take(close):
            found.append(self.term())
            if not self.take(","):
                if not self.take(close):
                    self.fail_expected(f"'{close}'")
                break
        self.position, self.no_do, self.in_norm, self.in_alts = saved
        return tuple(found)

    def anonymous_constructor(self) -> s.Term:
        """`⟨a, b⟩`."""
        start = self.start()
        self.i += 1
        items = self.items("⟩")
        return s.AnonCtor(self.span_from(start), items)

    def array(self) -> s.Term:
        """`#[…]` and `#v[…]`."""
        start = self.start()
        vector = self.texts[self.i] == "#v["
        self.i += 1
        items = self.items("]")
        return s.ArrayLit(self.span_from(start), items, vector)

    def list_or_range(self) -> s.Term:
        """`[a, b]`, `[a:b]`, or the instance binder of `[C α] → B`."""
        start = self.start()
        close = self.closing(self.i)
        if (
            self.wanted <= 25
            and self.texts[close] == "]"
            and self.texts[close + 1] in _ARROWS
            and self._single(self.i, close)
        ):
            return self._dependent_arrow(self.bracketed())
        self.i += 1
        if self.take("]"):
            return s.ListLit(self.span_from(start), ())
        first = None if self.at(":") else self.inside()
        if self.take(":"):
            return self._range(start, first)
        found = [first] if first is not None else []
        if self.take(","):
            rest = self.items("]")
            return s.ListLit(self.span_from(start), (*found, *rest))
        if not self.take("]"):
            self.fail_expected("']'")
        return s.ListLit(self.span_from(start), tuple(found))

    def _single(self, index: int, close: int) -> bool:
        """Whether something without commas stands between two brackets."""
        if close == index + 1 or self.texts[index + 1] == ":":
            return False
        at = index + 1
        while at < close:
            if self.texts[at] == ",":
                return False
            at = self.closing(at) + 1 if self.texts[at] in ("(", "[", "{", "⟨") else at + 1
        return True

    def _range(self, start: int, first: s.Term | None) -> s.Term:
        stop = None if self.at("]") or self.at(":") else self.inside()
        step = None
        if self.take(":"):
            step = self.inside()
        self.expect("]")
        return s.RangeLit(self.span_from(start), first, stop, step)

    # ---------------------------------------------------------------------------------------------------------- braces

    def brace(self) -> s.Term:
        """`{…}`: a structure instance, set literal, set builder, subtype, or the implicit binder of an arrow."""
        start = self.start()
        opener = self.i
        end = self.names_end(opener + 1)
        if self.texts[end] == ":" and end > opener + 1 and self.wanted <= 25:
            close = self.closing(opener)
            if self.texts[close] == "}" and self.texts[close + 1] in _ARROWS and not self._builder_inside(end, close):
                return self._dependent_arrow(self.bracketed())
        if self.texts[opener + 1] == "{" and self.texts[self.names_end(opener + 2)] == ":":
            return self._dependent_arrow(self.bracketed())
        saved = self.position, self.no_do, self.in_norm, self.in_alts
        self.position, self.no_do, self.in_norm, self.in_alts = -1, False, False, False
        self.i += 1
        result = self._brace_body(start)
        self.position, self.no_do, self.in_norm, self.in_alts = saved
        return result

    def _builder_inside(self, index: int, close: int) -> bool:
        return any(self.texts[at] in ("|", "//") for at in range(index, min(close, index + 200)))

    def _brace_body(self, start: int) -> s.Term:
        if self.take("}"):
            return s.SetLit(self.span_from(start), ())
        if self.at("..") or self._field_follows():
            return self._structure(start, ())
        first = self.term()
        text = self.texts[self.i]
        if text == "}":
            self.i += 1
            return s.SetLit(self.span_from(start), (first,))
        if text == "|":
            return self._builder(start, first)
        if text == "//":
            return self._subtype(start, first, None)
        if text == ":":
            return self._typed_brace(start, first)
        items = [first]
        while self.take(","):
            if self.at("}"):
                break
            items.append(self.term())
        if self.take("with"):
            return self._structure(start, tuple(items))
        if self.take("}"):
            return s.SetLit(self.span_from(start), tuple(items))
        return self.fail_expected("'}'")

    def _field_follows(self) -> bool:
        """Whether a structure field `path := …` (or `name, path := …`) begins here."""
        index = self.i
        kinds, texts = self.kinds, self.texts
        while kinds[index] == IDENT and texts[index + 1] == ",":
            index += 2
        if kinds[index] != IDENT and kinds[index] != NUM:
            return False
        index += 1
        while True:
            if texts[index] == ":=":
                return True
            if kinds[index] == FIELD or kinds[index] == IDENT or texts[index] == "_":
                index += 1
            elif texts[index] in ("[", "(", "{") and kinds[index] == SYM:
                index = self.closing(index) + 1
            elif texts[index] == "." and self.space[index] == 0:
                index += 2
            else:
                return False
            if index >= len(kinds):
                return False

    def _structure(self, start: int, sources: tuple[s.Term, ...]) -> s.Term:
        """The fields and the end of a structure instance."""
        fields: list[s.FieldInit] = []
        position = self.columns[self.i]
        self.position = position
        while self.kinds[self.i] in (IDENT, NUM) or self.at("["):
            fields.append(self.field_init(abbreviated=True))
            if not self.take(",") and not (self.space[self.i] == 2 and self.columns[self.i] == position):
                break
        self.position = -1
        ellipsis = self.take("..")
        type_ = self.term() if self.take(":") else None
        if not self.take("}"):
            self.fail_expected("'}'")
        return s.StructInst(self.span_from(start), sources, tuple(fields), ellipsis, type_)

    def field_init(self, *, abbreviated: bool) -> s.FieldInit:
        """`path binders : T := value`, its form by equations, or an abbreviated field."""
        start = self.start()
        path = self._field_path()
        if abbreviated and len(path) == 1 and isinstance(path[0], str) and self.texts[self.i] in (",", "}", "..", ":"):
            return s.FieldInit(self.span_from(start), path, s.Ident(self.span_from(start), (path[0],)))
        if (
            abbreviated
            and len(path) == 1
            and isinstance(path[0], str)
            and self.space[self.i] == 2
            and (self.columns[self.i] == self.position)
        ):
            return s.FieldInit(self.span_from(start), path, s.Ident(self.span_from(start), (path[0],)))
        binders = self.binders(bare=True)
        type_ = self.optional_type()
        value: s.Term
        if self.at("|"):
            alts = self.alternatives()
            value = s.FunMatch(self.span_from(alts[0].span[0]), alts)
        else:
            self.expect(":=")
            value = self.term()
        if type_ is not None:
            value = s.Ascription((type_.span[0], value.span[1]), value, type_)
        if binders:
            value = s.Fun((binders[0].span[0], value.span[1]), binders, value)
        return s.FieldInit(self.span_from(start), path, value)

    def _field_path(self) -> tuple[str | int | s.Term, ...]:
        path: list[str | int | s.Term] = []
        while True:
            kind, text = self.kinds[self.i], self.texts[self.i]
            if path and self.space[self.i]:
                return tuple(path)
            self.i += 1
            if kind == IDENT:
                path.extend(split_name(text))
            elif kind == NUM:
                path.append(number_value(text))
            elif kind == FIELD:
                path.append(number_value(text[1:]))
            elif text == "[" and kind == SYM:
                path.append(self.inside())
                self.expect("]")
            elif not (text == "." and path):
                self.i -= 1
                if not path:
                    self.fail_expected("identifier")
                return tuple(path)

    def _subtype(self, start: int, first: s.Term, type_: s.Term | None) -> s.Term:
        names = binder_names(first)
        if not names:
            self.fail_expected("'}'")
        self.i += 1
        body = self.term()
        self.expect("}")
        return s.Subtype(self.span_from(start), s.Binder(first.span, names, type_), body)

    def _typed_brace(self, start: int, first: s.Term) -> s.Term:
        """`{x : T | p}`, `{x : T // p}`, `{ field : T }`."""
        self.i += 1
        type_ = self.term()
        if self.at("//"):
            return self._subtype(start, first, type_)
        if self.take("|"):
            body = self.term()
            self.expect("}")
            names = binder_names(first)
            pattern = None if names else first
            binder = s.Binder(first.span, names, type_, "explicit", None, None, pattern)
            return s.SetBuilder(self.span_from(start), binder, body)
        if self.at("}") and isinstance(first, s.Ident) and len(first.parts) == 1:
            self.i += 1
            field = s.FieldInit(first.span, (first.parts[0],), first)
            return s.StructInst(self.span_from(start), (), (field,), False, type_)
        return self.fail_expected("'|'", "'//'", "'}'")

    def _builder(self, start: int, first: s.Term) -> s.Term:
        """`{first | …}`."""
        self.i += 1
        binder = self._builder_binder(first)
        if binder is not None:
            body = self.term()
            self.expect("}")
            return s.SetBuilder(self.span_from(start), binder, body)
        image = self._image_binders()
        self.expect("}")
        return s.SetBuilder(self.span_from(start), None, first, image)

    def _builder_binder(self, first: s.Term) -> s.Binder | None:
        if isinstance(first, (s.Tuple, s.AnonCtor)):
            return s.Binder(first.span, (), None, "explicit", None, None, first)
        if isinstance(first, s.BinOp) and first.op in BINDER_PREDICATES:
            names = binder_names(first.lhs)
            pattern = None if names else first.lhs
            return s.Binder(first.span, names, None, "explicit", None, (first.op, first.rhs), pattern)
        names = binder_names(first)
        if len(names) == 1:
            return s.Binder(first.span, names)
        return None

    def _image_binders(self) -> tuple[s.Binder, ...]:
        """The binders of `{f x | (x : A) (h : p x)}`."""
        found: list[s.Binder] = []
        while not self.at("}"):
            found.append(self._quantifier_binder("∃", found))
            if self.at(":") and found[-1].pred is None:
                found[-1] = self._typed(found)
                break
            if found[-1].pred is not None and not self._parenthesised(found[-1]):
                break
        return tuple(found)

    def double_brace(self) -> s.Term:
        """`⦃x : A⦄ → B`, or a Hoare triple `⦃P⦄ prog ⦃Q⦄`."""
        end = self.names_end(self.i + 1)
        if self.texts[end] == ":" and end > self.i + 1:
            return self._dependent_arrow(self.bracketed())
        start = self.start()
        self.i += 1
        pre = self.inside()
        self.expect("⦄")
        program = self.term(LEAD)
        self.expect("⦃")
        post = self.inside()
        self.expect("⦄")
        return s.TermMacro(self.span_from(start), "⦃⦄", (pre, program, post))
