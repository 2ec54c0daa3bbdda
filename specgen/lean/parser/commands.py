"""Commands other than declarations, and the file loop with its recovery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TypeAlias

from .. import syntax as s
from ..lexer import DOC, EOF, ERROR, IDENT, MODDOC, NUM, STR, SYM
from .core import ParseFailure, unquote
from .decls import Declarations
from .tables import COMMANDS, MODIFIERS, SOFT_COMMANDS, words

_UNSUPPORTED = words("""
    notation notation3 infix infixl infixr prefix postfix macro macro_rules syntax elab elab_rules declare_syntax_cat
    initialize builtin_initialize run_cmd init_quot unif_hint simproc dsimproc run_meta run_elab register_simp_attr
    irreducible_def alias coinductive grind_pattern recall
    """)
_MISC = words("""
    include omit assert_not_exists assert_not_imported compile_inductive library_note add_decl_doc proof_wanted
    initialize_simps_projections suppress_compilation module prelude
    """)
_HASH_TERM = words("#eval #eval! #check #check_failure #reduce #guard #synth #whnf #norm_num #test")
_HASH = _HASH_TERM | words(
    "#print #guard_msgs #help #exit #guard_expr #find #version #where #lint #time #count_heartbeats #simp #html"
)


Failure: TypeAlias = tuple[str, str, tuple[int, int]]
"""Kind, message and span of what could not be parsed."""


class Commands(Declarations):
    """The command parser."""

    def command(self) -> s.Command:
        """One command; fails if none begins here."""
        i = self.i
        kind, text = self.kinds[i], self.texts[i]
        if kind == MODDOC:
            self.i += 1
            return s.Misc(self.span_from(self.starts[i]), "/-!", text[3:-2].strip())
        if kind == SYM:
            handler = _HANDLERS.get(text)
            if handler is not None:
                return handler(self)
            if text in _HASH:
                return self._hash(text)
        if text in ("section", "noncomputable", "public") and self._section_follows():
            return self._section()
        if kind == IDENT and text in _MISC:
            return self._misc()
        return self._declaration_like()

    def _declaration_like(self) -> s.Command:
        """A declaration after its modifiers, or a notation command (also `local`, `scoped`)."""
        first = self.i
        modifiers = self.modifiers()
        text = self.texts[self.i]
        if text == "#guard_msgs" and modifiers.doc and not (modifiers.attributes or modifiers.keywords):
            return self._hash(text)
        if text in _UNSUPPORTED and self.kinds[self.i] in (SYM, IDENT):
            return self._unsupported_command(first, text)
        return self.declaration(first, modifiers)

    # --------------------------------------------------------------------------------------------------- small commands

    def _import(self) -> s.Command:
        start = self.start()
        keywords: list[str] = []
        self.i += 1
        while self.at_word("all") or self.at_word("runtime"):
            keywords.append(self.texts[self.i])
            self.i += 1
        name = self.expect_ident()
        return s.Import(self.span_from(start), (name,), tuple(keywords))

    def open_command(self) -> s.Command:
        """`open …`, without `in`."""
        start = self.start()
        self.i += 1
        scoped = self.take("scoped")
        names: list[str] = []
        while self.kinds[self.i] == IDENT and not (self._line_command() and names):
            names.append(self.expect_ident())
        if not names:
            self.fail_expected("identifier")
        if any(name.split(".")[-1] == "Nat" for name in names):
            self.factorial = True
        only: tuple[str, ...] = ()
        hiding: tuple[str, ...] = ()
        renaming: list[tuple[str, str]] = []
        if self.at("(") and not scoped:
            self.i += 1
            only = self._identifiers()
            self.expect(")")
        elif self.take("hiding"):
            hiding = self._identifiers()
        elif self.take("renaming"):
            renaming.append(self._renaming())
            while self.take(","):
                renaming.append(self._renaming())
        return s.Open(self.span_from(start), tuple(names), only, hiding, tuple(renaming), scoped)

    def _renaming(self) -> tuple[str, str]:
        old = self.expect_ident()
        self.expect("→", "->")
        return old, self.expect_ident()

    def _identifiers(self) -> tuple[str, ...]:
        names = [self.expect_ident()]
        while self.kinds[self.i] == IDENT and not self._line_command():
            names.append(self.expect_ident())
        return tuple(names)

    def _line_command(self) -> bool:
        """Whether an identifier at the beginning of a line is really a command of a library."""
        return self.space[self.i] == 2 and self.texts[self.i] in SOFT_COMMANDS and self.columns[self.i] == 0

    def _export(self) -> s.Command:
        start = self.start()
        self.i += 1
        name = self.expect_ident()
        self.expect("(")
        names = self._identifiers()
        self.expect(")")
        return s.Export(self.span_from(start), name, names)

    def _namespace(self) -> s.Command:
        start = self.start()
        self.i += 1
        name = self.expect_ident()
        if name.split(".")[0] == "Nat":
            self.factorial = True
        return s.Namespace(self.span_from(start), name)

    def _section_follows(self) -> bool:
        index = self.i
        while self.texts[index] in ("noncomputable", "public", "meta"):
            index += 1
        return self.texts[index] == "section"

    def _section(self) -> s.Command:
        start = self.start()
        keywords: list[str] = []
        while not self.take("section"):
            keywords.append(self.texts[self.i])
            self.i += 1
        name = ""
        if self.kinds[self.i] == IDENT and not self._line_command():
            name = self.expect_ident()
        return s.Section(self.span_from(start), name, tuple(keywords))

    def _end(self) -> s.Command:
        start = self.start()
        self.i += 1
        name = ""
        if self.kinds[self.i] == IDENT and not self._line_command():
            name = self.expect_ident()
        return s.End(self.span_from(start), name)

    def _variable(self) -> s.Command:
        start = self.start()
        self.i += 1
        binders = self.binders(bare=False)
        if not binders:
            self.fail_expected("'('", "'['", "'{'", "'⦃'")
        return s.Variable(self.span_from(start), binders)

    def _universe(self) -> s.Command:
        start = self.start()
        self.i += 1
        return s.Universe(self.span_from(start), self._identifiers())

    def set_option(self) -> s.Command:
        """`set_option …`, without `in`."""
        start = self.start()
        self.i += 1
        name = self.expect_ident()
        if self.kinds[self.i] not in (NUM, STR) and self.texts[self.i] not in ("true", "false"):
            self.fail_expected("'false'", "'true'", "numeral", "string literal")
        self.i += 1
        return s.SetOption(self.span_from(start), name, self.texts[self.i - 1])

    def _attribute(self) -> s.Command:
        start = self.start()
        self.i += 1
        attributes = self.attribute_list()
        names = self._identifiers()
        return s.AttributeCmd(self.span_from(start), attributes, names)

    def _mutual(self) -> s.Command:
        start = self.start()
        self.i += 1
        commands: list[s.Command] = []
        self.enter()
        while not self.take("end"):
            if self.kinds[self.i] == EOF:
                self.fail_expected("'end'")
            commands.append(self.command())
        self.depth -= 1
        return s.Mutual(self.span_from(start), tuple(commands))

    def _deriving(self) -> s.Command:
        start = self.start()
        self.i += 1
        self.expect("instance")
        classes = self.deriving_classes()
        self.expect("for")
        types = [self.expect_ident()]
        while self.take(","):
            types.append(self.expect_ident())
        return s.DerivingCmd(self.span_from(start), classes, tuple(types))

    def _hash(self, name: str) -> s.Command:
        start = self.start()
        self.i += 1
        first = self.i
        term: s.Term | None = None
        if name in _HASH_TERM:
            while name == "#reduce" and self.at("(") and self.texts[self.i + 2] == ":=":
                self.i = self.closing(self.i) + 1
            term = self.term()
        else:
            while not self._starts_line_command(self.i) and not self.at("in"):
                self.i += 1
                if self.kinds[self.i - 1] == EOF:
                    self.i -= 1
                    break
        skipped = term is None and self.i > first
        text = self.tokens.text[self.starts[first] : self.ends[self.i - 1]] if skipped else ""
        return s.HashCommand(self.span_from(start), name, term, " ".join(text.split()))

    def _misc(self) -> s.Command:
        start = self.start()
        keyword = self.texts[self.i]
        first = self.i = self.i + 1
        self._skip_command()
        text = self.tokens.text[self.starts[first] : self.ends[self.i - 1]] if self.i > first else ""
        return s.Misc(self.span_from(start), keyword, " ".join(text.split()))

    def _unsupported_command(self, first: int, keyword: str) -> s.Command:
        self.i += 1
        at = self.i
        self._skip_command()
        tokens: list[str] = []
        for index in range(at, self.i):
            if self.texts[index] == "=>":
                break
            if self.kinds[index] == STR:
                tokens.append(self.texts[index][1:-1].strip())
        text = self.tokens.text[self.starts[first] : self.ends[self.i - 1]]
        return s.Unsupported(self.span_from(self.starts[first]), keyword, text, tuple(tokens))

    def _skip_command(self) -> None:
        """Step to the next command, over balanced brackets."""
        while self.kinds[self.i] != EOF and not self._starts_line_command(self.i) and not self.at("in"):
            index = self.i
            if self.kinds[index] == ERROR:
                if self.tokens.text[self.starts[index]] in '"«':
                    self.fail("unexpected token")
                self.unsupported("this command is not supported")
            close = self.closing(index) if self.texts[index] in ("(", "[", "{", "`(") else index
            self.i = close + 1 if close != index and self.texts[close] in (")", "]", "}") else index + 1

    # ------------------------------------------------------------------------------------------------------------ files

    def _starts_line_command(self, index: int) -> bool:
        """Whether a line begins with a command at this token."""
        kind = self.kinds[index]
        if kind == EOF:
            return True
        if self.space[index] != 2:
            return False
        text = self.texts[index]
        if kind == SYM:
            return text in COMMANDS or text in _HASH
        return kind in (DOC, MODDOC) or (kind == IDENT and text in SOFT_COMMANDS)

    def file(self) -> tuple[s.File, list[Failure]]:
        """Every command of the text, and the failures."""
        commands: list[s.Command] = []
        failures: list[Failure] = []
        # Tokens that notation commands of the file itself introduce, and whether there was such a command.
        tokens: list[str] = []
        notations = False
        while self.kinds[self.i] != EOF:
            first = self.i
            self.reset_layout()
            try:
                command = self._with_in()
                self.check_height(command)
            except (ParseFailure, RecursionError) as failure:
                failures.append(self._failure(failure, notations))
                self._recover(first)
                continue
            used = self._uses(command, tokens)
            if used:
                failures.append(("unsupported", f"the notation '{used}' of this file is not supported", command.span))
                command = s.Unsupported(command.span, "notation", self.tokens.text[slice(*command.span)], (used,))
            elif isinstance(command, s.Unsupported):
                notations = True
                tokens.extend(command.tokens)
                failures.append(("unsupported", f"the command '{command.keyword}' is not supported", command.span))
            elif isinstance(command, s.Import) and any(not _is_header(earlier) for earlier in commands):
                message = "invalid 'import' command, it must be used in the beginning of the file"
                failures.append(("syntax", message, command.span))
            commands.append(command)
        return s.File((0, len(self.tokens.text)), tuple(commands)), failures

    def _uses(self, command: s.Command, tokens: list[str]) -> str:
        """The first of these tokens that the text of a command holds, or an empty string.

        Such a command may have parsed, but as something else than Lean reads there.
        """
        if not tokens or isinstance(command, s.Unsupported):
            return ""
        text = self.tokens.text[slice(*command.span)]
        return next((token for token in tokens if token and token in text), "")

    def _failure(self, failure: ParseFailure | RecursionError, notations: bool) -> Failure:
        if isinstance(failure, RecursionError):
            here = (self.starts[self.i], self.ends[self.i])
            return "unsupported", "the text nests too deeply", here
        # After a notation command of the file itself a failure may be ours.
        return "unsupported" if notations else failure.kind, failure.message, failure.span

    def _with_in(self) -> s.Command:
        """A command, with `open … in` and its like in front of it."""
        start = self.start()
        outer: list[s.Command] = []
        command = self.command()
        while self.at("in") and isinstance(
            command, (s.Open, s.SetOption, s.Variable, s.Misc, s.HashCommand, s.Universe, s.AttributeCmd)
        ):
            self.i += 1
            outer.append(command)
            if len(outer) > self.max_depth:
                self.unsupported("too many commands joined by 'in'")
            command = self.command()
        for earlier in reversed(outer):
            command = s.InCommand(self.span_from(start), earlier, command)
        return command

    def check_height(self, node: s.Node) -> None:
        """Refuse a tree in which nesting and chains together are too deep; only long chains can make one."""
        if self.links <= self.max_depth:
            return
        level: list[s.Node] = [node]
        for _ in range(4 * self.max_depth):
            level = [child for parent in level for child in _children(parent)]
            if not level:
                return
        raise ParseFailure("the text nests too deeply", node.span, "unsupported")

    def _recover(self, first: int) -> None:
        """Go to the next line that begins with a command, no further right than the broken one."""
        self.i = first
        # Attributes may stand on lines of their own, and the declaration after them must not be read twice.
        while self.kinds[self.i] == DOC or self.at("@[") or self.texts[self.i] in MODIFIERS:
            self.i = max(self.i + 1, self.closing(self.i) + 1 if self.at("@[") else 0)
        if self.kinds[self.i] != EOF:
            self.i += 1
        column = self.columns[first]
        while not (self._starts_line_command(self.i) and (self.columns[self.i] <= column or self.kinds[self.i] == EOF)):
            self.i += 1


def _is_header(command: s.Command) -> bool:
    return isinstance(command, s.Import) or (isinstance(command, s.Misc) and command.keyword in ("module", "prelude"))


def _children(node: s.Node) -> Iterator[s.Node]:
    pending: list[object] = [getattr(node, slot.name) for slot in fields(node)]
    while pending:
        value = pending.pop()
        if isinstance(value, s.Node):
            yield value
        elif isinstance(value, tuple):
            pending.extend(value)


_HANDLERS = {
    "import": Commands._import,
    "open": Commands.open_command,
    "export": Commands._export,
    "namespace": Commands._namespace,
    "section": Commands._section,
    "end": Commands._end,
    "variable": Commands._variable,
    "universe": Commands._universe,
    "set_option": Commands.set_option,
    "attribute": Commands._attribute,
    "mutual": Commands._mutual,
    "deriving": Commands._deriving,
}

__all__ = ["Commands", "unquote"]
