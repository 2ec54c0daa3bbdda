"""Declarations: `def` and its kin, inductive types, structures."""

from __future__ import annotations

from typing import NoReturn

from .. import syntax as s
from ..lexer import DOC, IDENT, SYM
from .core import unquote
from .do import DoBlocks
from .layout import dedent
from .tables import DECLARATIONS, MODIFIERS, SOFT_COMMANDS

_FIXPOINTS = ("partial_fixpoint", "inductive_fixpoint", "coinductive_fixpoint")


class Declarations(DoBlocks):
    """Parsers of declarations."""

    def modifiers(self) -> s.Modifiers:
        """Doc comment, attributes and keywords before a declaration."""
        start = self.start()
        doc = ""
        attributes: list[s.Attribute] = []
        keywords: list[str] = []
        while True:
            kind, text = self.kinds[self.i], self.texts[self.i]
            if kind == DOC:
                doc = text[3:-2].strip()
                self.i += 1
            elif kind == SYM and text == "@[":
                attributes.extend(self.attribute_list())
            elif text in MODIFIERS and kind in (SYM, IDENT):
                keywords.append(text)
                self.i += 1
            else:
                return s.Modifiers((start, start), doc, tuple(attributes), tuple(keywords))

    def attribute_list(self) -> tuple[s.Attribute, ...]:
        """`@[a, b c]` or `[a, b c]`, at its opening bracket."""
        close = self.closing(self.i)
        if self.texts[close] != "]":
            self.i = close
            self.fail_expected("']'")
        found: list[s.Attribute] = []
        first = index = self.i + 1
        while index <= close:
            text = self.texts[index]
            if text == "," or index == close:
                if index > first:
                    found.append(self._attribute_at(first, index))
                first = index + 1
                index += 1
            elif text in ("(", "[", "{", "⟨") and self.closing(index) < close:
                index = self.closing(index) + 1
            else:
                index += 1
        if not found:
            self.i = close
            self.fail_expected("identifier")
        self.i = close + 1
        return tuple(found)

    def _attribute_at(self, first: int, end: int) -> s.Attribute:
        start = self.starts[first]
        name = self.texts[first]
        if name in ("local", "scoped", "-") and first + 1 < end:
            first += 1
            name += ("" if name == "-" else " ") + self.texts[first]
        args = ""
        if first + 1 < end:
            args = " ".join(self.tokens.text[self.starts[first + 1] : self.ends[end - 1]].split())
        return s.Attribute((start, self.ends[end - 1]), name, args)

    def declaration(self, first: int, modifiers: s.Modifiers) -> s.Command:
        """A declaration after its modifiers."""
        text = self.texts[self.i]
        start = self.starts[first]
        if self.kinds[self.i] not in (SYM, IDENT):
            self._no_command(first, modifiers)
        if text in DECLARATIONS:
            self.i += 1
            return self._definition(start, text, modifiers)
        if text == "inductive":
            self.i += 1
            return self._inductive(start, modifiers, False)
        if text == "class" and self.texts[self.i + 1] == "inductive":
            self.i += 2
            return self._inductive(start, modifiers, True)
        if text == "class" and self.texts[self.i + 1] == "abbrev":
            self.unsupported("the command 'class abbrev' is not supported")
        if text in ("structure", "class"):
            self.i += 1
            return self._structure_command(start, modifiers, text == "class")
        return self._no_command(first, modifiers)

    def _no_command(self, first: int, modifiers: s.Modifiers) -> NoReturn:
        if self.i == first:
            self.fail_expected("command")
        if modifiers.keywords:
            self.fail_expected("declaration")
        self.fail_expected("'lemma'")

    def declared_name(self) -> tuple[str, tuple[str, ...]]:
        """A name with universe levels."""
        name = self.expect_ident()
        levels: tuple[str, ...] = ()
        if self.at(".{") and self.space[self.i] == 0:
            self.i += 1
            levels = self.level_list()
        return name, levels

    def _definition(self, start: int, kind: str, modifiers: s.Modifiers) -> s.Command:
        name, priority = "", ""
        levels: tuple[str, ...] = ()
        if kind == "instance":
            if self.at("(") and self.texts[self.i + 1] == "priority" and self.texts[self.i + 2] == ":=":
                close = self.closing(self.i)
                priority = " ".join(self.texts[self.i + 3 : close])
                self.i = close + 1
            if self.kinds[self.i] == IDENT:
                name, levels = self.declared_name()
        elif kind != "example":
            name, levels = self.declared_name()
        binders = self.binders(bare=True)
        type_ = self.optional_type()
        needs_type = kind in ("theorem", "lemma", "instance", "axiom", "opaque")
        if needs_type and type_ is None:
            self.fail_expected("':'")
        return self._body(start, kind, modifiers, (name, levels, priority), binders, type_)

    def _body(
        self,
        start: int,
        kind: str,
        modifiers: s.Modifiers,
        head: tuple[str, tuple[str, ...], str],
        binders: tuple[s.Binder, ...],
        type_: s.Term | None,
    ) -> s.Declaration:
        """What follows the signature."""
        name, levels, priority = head
        value: s.Term | None = None
        alts: tuple[s.MatchAlt, ...] = ()
        fields: tuple[s.FieldInit, ...] | None = None
        terminations = decreasing = ""
        where: tuple[s.Declaration, ...] = ()
        if self.take(":="):
            value = self._value()
            terminations, decreasing = self.termination()
        elif self.at("|"):
            alts = self.alternatives()
            terminations, decreasing = self.termination()
        elif self.at("where"):
            self.i += 1
            fields = self._where_fields()
        elif kind not in ("axiom", "opaque"):
            self.fail_expected("':='", "'where'", "'|'")
        if self.at("where"):
            self.i += 1
            where = () if self.at("finally") else self._where_decls()
            if self.take("finally"):
                self.skip_block(top=True)
            if not terminations and not decreasing:
                terminations, decreasing = self.termination()
        deriving = self.optional_deriving()
        return s.Declaration(
            self.span_from(start),
            kind,
            modifiers,
            name,
            levels,
            binders,
            type_,
            value,
            alts,
            fields,
            where,
            terminations,
            decreasing,
            deriving,
            priority,
        )

    def _value(self) -> s.Term:
        """The term after `:=`; a tactic block here runs to the next command."""
        if not self.at("by"):
            return self.term()
        start = self.start()
        self.i += 1
        text = self.skip_block(top=True)
        return s.By(self.span_from(start), text)

    def termination(self) -> tuple[str, str]:
        """The texts of `termination_by` and `decreasing_by`, if there."""
        terminations = decreasing = ""
        if self.texts[self.i] in _FIXPOINTS:
            self.i += 1
            found = self.texts[self.i - 1]
            if self.at_word("monotonicity"):
                self.i += 1
                self.term()
            return found, ""
        if self.take("termination_by?"):
            return "?", ""
        if self.take("termination_by"):
            terminations = self._termination_text()
        if self.take("decreasing_by"):
            decreasing = self.skip_block(top=True)
        return terminations, decreasing

    def _termination_text(self) -> str:
        first = self.i
        if self.at_word("structural"):
            self.i += 1
        end = self.names_end(self.i)
        if self.texts[end] == "=>":
            self.i = end + 1
        self.term()
        while self.take(";"):
            self.term()
        text = self.tokens.text[self.starts[first] : self.ends[self.i - 1]]
        return dedent(text, self.columns[first])

    def _where_fields(self) -> tuple[s.FieldInit, ...]:
        """`where field := value …` of an instance."""
        found: list[s.FieldInit] = []
        saved, self.position = self.position, self.columns[self.i]
        while self.kinds[self.i] == IDENT and (not found or self._separated()):
            found.append(self.field_init(abbreviated=False))
            self.take(";")
        self.position = saved
        return tuple(found)

    def _separated(self) -> bool:
        """Whether the next item of an indented list begins here."""
        return self.columns[self.i] == self.position or self.texts[self.i - 1] == ";"

    def _where_decls(self) -> tuple[s.Declaration, ...]:
        """Local functions after `where`."""
        found: list[s.Declaration] = []
        saved, self.position = self.position, self.columns[self.i]
        while not found or self._separated():
            if self.kinds[self.i] not in (IDENT, DOC) and not self.at("@["):
                if not found:
                    self.fail_expected("identifier")
                break
            start = self.start()
            modifiers = self.modifiers()
            if self.kinds[self.i] != IDENT:
                break
            name, levels = self.declared_name()
            binders = self.binders(bare=True)
            type_ = self.optional_type()
            value: s.Term | None = None
            alts: tuple[s.MatchAlt, ...] = ()
            if self.at("|"):
                alts = self.alternatives()
            else:
                if not self.at(":="):
                    self.fail_expected("':='", "'|'")
                self.i += 1
                value = self.term()
            terminations, decreasing = self.termination()
            found.append(
                s.Declaration(
                    self.span_from(start),
                    "def",
                    modifiers,
                    name,
                    levels,
                    binders,
                    type_,
                    value,
                    alts,
                    termination_by=terminations,
                    decreasing_by=decreasing,
                )
            )
            self.take(";")
        self.position = saved
        return tuple(found)

    def optional_deriving(self) -> tuple[str, ...]:
        """`deriving C, D`, if there."""
        if self.at("deriving") and self.texts[self.i + 1] != "instance":
            self.i += 1
            return self.deriving_classes()
        return ()

    def deriving_classes(self) -> tuple[str, ...]:
        """Class names between commas."""
        names = [self.expect_ident()]
        while self.take(","):
            names.append(self.expect_ident())
        return tuple(names)

    # ------------------------------------------------------------------------------------------------ inductive types

    def _inductive(self, start: int, modifiers: s.Modifiers, is_class: bool) -> s.Command:
        name, levels = self.declared_name()
        binders = self.binders(bare=True)
        type_ = self.optional_type()
        if not self.take("where"):
            self.take(":=")
        constructors: list[s.Constructor] = []
        while self.at("|") or (self.kinds[self.i] == DOC and self.texts[self.i + 1] == "|"):
            constructors.append(self._constructor())
        deriving = self.optional_deriving()
        return s.Inductive(
            self.span_from(start), modifiers, name, levels, binders, type_, tuple(constructors), deriving, is_class
        )

    def _constructor(self) -> s.Constructor:
        start = self.start()
        doc = ""
        if self.kinds[self.i] == DOC:
            doc = self.texts[self.i][3:-2].strip()
            self.i += 1
        self.i += 1
        modifiers = self.modifiers()
        if doc:
            modifiers = s.Modifiers(modifiers.span, doc, modifiers.attributes, modifiers.keywords)
        if self.kinds[self.i] == SYM and self.texts[self.i].isidentifier():
            self.i += 1
            name = self.texts[self.i - 1]
        else:
            name = self.expect_ident()
        binders = self.binders(bare=True)
        type_ = self.optional_type()
        return s.Constructor(self.span_from(start), name, binders, type_, modifiers)

    # ------------------------------------------------------------------------------------------------------ structures

    def _structure_command(self, start: int, modifiers: s.Modifiers, is_class: bool) -> s.Command:
        name, levels = self.declared_name()
        binders = self.binders(bare=True)
        type_ = self.optional_type()
        parents: list[tuple[str, s.Term]] = []
        if self.take("extends"):
            parents.append(self._parent())
            while self.take(","):
                parents.append(self._parent())
            type_ = self.optional_type() or type_
        constructor = ""
        fields: tuple[s.Binder, ...] = ()
        if self.take("where") or self.take(":="):
            index = self.i + (self.kinds[self.i] == DOC)
            index += self.texts[index] in ("private", "protected")
            if self.kinds[index] == IDENT and self.texts[index + 1] == "::":
                constructor = self.texts[index]
                self.i = index + 2
            fields = self._structure_fields()
        deriving = self.optional_deriving()
        return s.Structure(
            self.span_from(start),
            modifiers,
            name,
            levels,
            binders,
            tuple(parents),
            type_,
            constructor,
            fields,
            deriving,
            is_class,
        )

    def _parent(self) -> tuple[str, s.Term]:
        name = ""
        if self.kinds[self.i] == IDENT and self.texts[self.i + 1] == ":":
            name = self.expect_ident()
            self.i += 1
        return name, self.term()

    def _structure_fields(self) -> tuple[s.Binder, ...]:
        found: list[s.Binder] = []
        saved, self.position = self.position, self.columns[self.i]
        while self.columns[self.i] >= self.position and self._field_starts(self.i):
            self.modifiers()
            if self.kinds[self.i] == SYM and self.texts[self.i] in ("(", "{", "["):
                found.append(self._bracketed_field())
            elif self.kinds[self.i] == IDENT:
                found.append(self._simple_field())
            else:
                self.fail_expected("identifier")
        self.position = saved
        return tuple(found)

    def _field_starts(self, index: int) -> bool:
        """Whether a field begins here, behind documentation and modifiers."""
        kind, text = self.kinds[index], self.texts[index]
        if kind == IDENT:
            return not (self.space[index] == 2 and self.columns[index] == 0 and text in SOFT_COMMANDS)
        if kind == SYM:
            if text in ("(", "{", "["):
                return True
            if text == "@[":
                return self._field_starts(min(self.closing(index) + 1, len(self.kinds) - 1))
            return text in ("private", "protected") and self._field_starts(index + 1)
        return kind == DOC and self._field_starts(index + 1)

    def _bracketed_field(self) -> s.Binder:
        """`(x y : A := d)`, or with binders: `(f (x : A) : B)`."""
        end = self.names_end(self.i + 1)
        if self.texts[end] in (":", ":=", "}", "]", ")"):
            return self.bracketed()
        start = self.start()
        self.i += 1
        names = self.names()
        binders = self.binders(bare=True)
        type_ = self._field_type(binders, self.optional_type())
        default = self.inside() if self.take(":=") else None
        self.expect(")", "}", "]")
        return s.Binder(self.span_from(start), names, type_, "explicit", default)

    def _field_type(self, binders: tuple[s.Binder, ...], type_: s.Term | None) -> s.Term | None:
        """The type of a field that has binders of its own."""
        if not binders or type_ is None:
            return type_
        return s.Quantifier((binders[0].span[0], type_.span[1]), "∀", binders, type_)

    def _simple_field(self) -> s.Binder:
        start = self.start()
        name = unquote(self.texts[self.i])
        self.i += 1
        binders = self.binders(bare=True)
        type_ = self._field_type(binders, self.optional_type())
        default: s.Term | None = None
        if self.take(":="):
            default = self.term()
        return s.Binder(self.span_from(start), (name,), type_, "explicit", default)
