"""The lexer: text to parallel token lists, by one master pattern and longest match, as Lean's own tokenizer does.

Every text is accepted. What is no token becomes an `ERROR` token with a message, and the parser reports it when it
gets there. Time is linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right

EOF = 0
IDENT = 1
SYM = 2
NUM = 3
SCI = 4
STR = 5
CHAR = 6
FIELD = 7
"""`.1`: a dot and digits that follow something without space."""
NAME = 8
"""A quoted name: `` `foo ``."""
DOC = 9
MODDOC = 10
ISTR = 11
"""An interpolated string, or its first piece; `text` ends with `{` when a term follows."""
ISTR_NEXT = 12
"""A further piece of an interpolated string, beginning with `}`."""
ERROR = 13

LOOKAHEAD = 6


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS = _words(
    """
    abbrev alias assert! at attribute axiom break builtin_initialize by calc catch class coinductive_fixpoint continue
    dbg_trace
    declare_syntax_cat decreasing_by def deriving do elab elab_rules else end example exists export extends
    finally for forall from fun generalizing have haveI hiding if import in inductive inductive_fixpoint infix
    infixl infixr
    init_quot initialize instance let letI lemma let_fun local macro macro_rules match matches mut mutual
    namespace nofun nomatch noncomputable nonrec notation notation3 opaque open panic! partial partial_fixpoint
    postfix prefix
    private protected renaming repeat return run_cmd scoped section set_option show sorry structure suffices
    syntax termination_by termination_by? theorem then try universe unless unreachable! unsafe until using variable
    where while with Prop Type Sort
    """
)
"""Tokens that look like identifiers."""

_SYMBOLS = r"""
( ) [ ] { } ⟨ ⟩ ⦃ ⦄ ⟪ ⟫ ‹ › , ; : := :: => ↦ → -> ← <- ↔ <-> . .. ... ...= <... <...= .{ | || ||| |>
|>. <| $ <|> $> @ @[ @& _ ? ! ' · λ Π Σ Σ' ∀ ∀ᵉ ∃ ∃! ∃ᵉ ∑ ∑' ∏ ∏' ∑ᶠ ∏ᶠ ⋃ ⋂ ⨆ ⨅ + - * / % ^ = ≠ !=
== < > ≤ ≥ <= >= ∈ ∉ ∋ ∣ ∤ ⊆ ⊂ ⊇ ⊃ ⊄ ⊈ ⊊ ⊋ ≡ ≢ ≈ ≃ ≍ ≺ ≻ ≼ ≽ ⋖ ⩿ ∼ ~ ~~ ~~~ <+ <+~ <+: <:+ <:+: <~
++ +++ ∧ ∨ ¬ /\ \/ && &&& ^^ ^^^ << >> <<< >>> <$> <&> <*> <* *> >>= =<< >=> <=< <;> ∘ ∘' × ×' ×ˢ ×ᶠ
• ▸ ∩ ∪ \ ⊓ ⊔ ⊕ ⊗ ⊕' ⊎ ⊖ ⊙ ≫ ≪ ⟶ ⥤ ⇒ ⇔ ⇑ ⇓ ↑ ↥ ↪ ↠ √ ∛ ∜ ‖ ‖₊ ⌊ ⌋ ⌋₊ ⌈ ⌉ ⌉₊ ⁻¹ ⁻¹' '' ᶜ ᵀ ᴴ † ˣ ᵒᵖ
ᵒᵈ ᵐᵒᵖ ⁺ ⁻ # #[ #v[ // /// /. ⊤ ⊥ ∅ ∞ ∆ ≃+ ≃* ≃o ⬝ᵥ *ᵥ ᵥ* ]' ⟂ ∥ ∦ ⋙ ℵ₀ ::ᵥ ::ₘ ⌜ ⌝ 𝒫 𝓝 ^[ .( `( #' &
"""

FOREIGN = _words("""
    ⨁ ⨂ ∫ ∮ ∂ ∐ ℘ ⋆ ∗ ⟵ ⟹ ⟷ ↓ ↾ ∇ ≅ ≃ᵢ ≃ₜ ⬝ +ᵥ -ᵥ ⊙ᵥ ∥₊ ∠ ° !![ ‼ ◃ ⋊ ⧸ ⁅ ⁆ ∙ ⊚ □ ◇ ∷ ∎ ≜ ≝ ≔ ⊢ ⊨ ⊣
    ∀ᶠ ∃ᶠ ∀ᵐ ∃ᵐ =o[ =O[ =Θ[ =ᵐ[ ≤ᵐ[ =ᶠ[ ≤ᶠ[ →ₗ[ →ₗ⁅ →+* →+ →* →ₐ[ ≃ₗ[ ≃ₐ[ ≃+* ∘ₗ ⊗[ ⊗ₜ 𝓝[ →ₒ ≪≫ ⊹ ⨯
    ∑ₖ ∏ᵖ
    """)
"""Tokens of Mathlib notation that the parser does not know: meeting one is our limit, not a mistake of the text."""


_FIRST = (
    "A-Za-z_\u03b1-\u03ba\u03bc-\u03c9\u0391-\u039f\u03a1\u03a2\u03a4-\u03a9\u03ca-\u03fb\u1f00-\u1ffe\u2100-\u214f"
    "\U0001d49c-\U0001d59f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f"
)
_REST = _FIRST + "0-9'!?\u2080-\u2089\u2090-\u209c\u1d62-\u1d6a\u2c7c"
_PART = f"(?:[{_FIRST}][{_REST}]*+|«[^»\n]*+»)"
_IDENT = rf"{_PART}(?:\.{_PART})*+"


def _symbol_pattern() -> str:
    """Longest match over the symbols: grouped by the first character, longer ones first."""
    groups: dict[str, set[str]] = {}
    for symbol in [*_SYMBOLS.split(), *FOREIGN]:
        groups.setdefault(symbol[0], set()).add(symbol[1:])
    single = "".join(re.escape(first) for first, rests in groups.items() if rests == {""})
    several = []
    for first, rests in groups.items():
        if rests == {""}:
            continue
        ordered = sorted(rests, key=lambda rest: (-len(rest), rest))
        several.append(re.escape(first) + "(?:" + "|".join(re.escape(rest) for rest in ordered) + ")")
    return f"[{single}]|" + "|".join(several)


# Groups: 1 space, 2 identifier, 3 number, 4 symbol, 5 string, 6 character, 7 field index, 8 comment opener, 9 special
# tokens made of letters and signs, 10 quoted name, 11 raw string opener. Possessive repeats keep it linear.
_MASTER = re.compile(
    r"((?:[ \n]++|\r\n|--[^\n]*+)*+)(?:"
    r"(?:r(\#*)(?P<raw>\"))"
    rf"|(?P<special>(?:Type|Sort)\*|ℝ≥0∞?|ℕ∞(?!\w)|\[[ZPS]?MOD(?=\s)|\#[a-z_]++(?:\.[a-z]+)*(?:[!?]|(?!\[)))"
    rf"|(?P<id>{_IDENT})"
    r"|(?P<num>0[xX][0-9a-fA-F_]++|0[bB][01_]++|0[oO][0-7_]++"
    r"|[0-9][0-9_]*+(?P<sci>(?:\.(?!\.)(?:[0-9][0-9_]*+)?)?(?:[eE][+-]?[0-9][0-9_]*+)?))"
    r"|(?P<field>\.[0-9]++)"
    r"|(?P<comment>/-[-!]?)"
    rf"|(?P<name>``?{_IDENT})"
    r"|(?P<str>\"(?:[^\"\\]++|\\[\s\S])*+\")"
    r"|(?P<char>'(?:[^\\'\n]|\\(?:[\\\"'rnt]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}))')"
    rf"|(?P<sym>{_symbol_pattern()})"
    r"|(?P<bad>[\s\S])"
    r"|(?P<eof>))"
)
_G = _MASTER.groupindex
_RAW, _SPECIAL, _ID, _NUM, _SCI = _G["raw"], _G["special"], _G["id"], _G["num"], _G["sci"]
_FIELD, _COMMENT, _NAME, _STR, _CHAR = _G["field"], _G["comment"], _G["name"], _G["str"], _G["char"]
_SYM, _BAD, _END = _G["sym"], _G["bad"], _G["eof"]

_COMMENT_EDGE = re.compile(r"/-|-/")
_ISTR_PIECE = re.compile(r"(?:[^\"\\{]++|\\[\s\S])*+([\"{])?")
# Commands of Mathlib, whose names are free without it: keywords only where a command can begin.
_LIBRARY = frozenset({"lemma", "alias"})
_BEFORE = frozenset({"]", "private", "protected", "noncomputable", "unsafe", "nonrec", "in", "partial", "public"})
_INTERPOLATING = frozenset({"s!", "f!", "m!", "panic!", "dbg_trace", "println!", "eprintln!", "throwError", "logInfo"})


class Tokens:
    """Token lists of equal length, closed by `EOF` tokens: `LOOKAHEAD` of them, so that looking ahead needs no bound.

    `space` is 0 when nothing separates a token from the one before, 1 for space on the same line, 2 for a line break.
    `messages` maps the index of an `ERROR` token to what is wrong with it.
    """

    __slots__ = ("columns", "ends", "kinds", "messages", "space", "starts", "text", "texts")

    def __init__(self, text: str) -> None:
        self.text = text
        self.kinds: list[int] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.columns: list[int] = []
        self.space: list[int] = []
        self.messages: dict[int, str] = {}


# Arrows, mathematical operators and shapes, superscripts and subscripts: characters that notation is made of.
_NOTATION = re.compile("[\u2070-\u209f\u2190-\u25ff\u27c0-\u2aff\u1d2c-\u1dbf\u02b0-\u02ff¹²³±·×÷]")


def foreign(tokens: Tokens, index: int) -> bool:
    """Whether the token at `index` is notation that we do not know, but that a library may."""
    text = tokens.texts[index]
    if tokens.kinds[index] == SYM:
        return text in FOREIGN
    return tokens.kinds[index] == ERROR and len(text) == 1 and _NOTATION.match(text) is not None


def lex(text: str) -> Tokens:
    """Split a text into tokens; never raises."""
    return _Lexer(text).run()


class _Lexer:
    __slots__ = ("braces", "out", "pending_space", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.out = Tokens(text)
        # A comment was skipped since the last token: 1, or 2 if it held a line break.
        self.pending_space = 0
        # Open braces inside each interpolated string that surrounds the current place.
        self.braces: list[int] = []

    def run(self) -> Tokens:
        at = 0
        while at >= 0:
            at = self._scan(at)
        for _ in range(LOOKAHEAD - 1):
            self._add(EOF, len(self.text), len(self.text), 1, "")
        self._columns()
        return self.out

    def _columns(self) -> None:
        """Fill in the columns by walking the line starts along the tokens."""
        text = self.text
        lines = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            lines.append(at + 1)
            at = find("\n", at + 1)
        self.out.columns = [start - lines[bisect_right(lines, start) - 1] for start in self.out.starts]

    def _add(self, kind: int, start: int, end: int, space: int, text: str | None = None) -> None:
        out = self.out
        out.kinds.append(kind)
        out.texts.append(self.text[start:end] if text is None else text)
        out.starts.append(start)
        out.ends.append(end)
        out.space.append(max(space, self.pending_space))
        self.pending_space = 0

    def _error(self, start: int, end: int, space: int, message: str) -> None:
        self.out.messages[len(self.out.kinds)] = message
        self._add(ERROR, start, end, space)

    def _scan(self, at: int) -> int:
        """Scan ordinary tokens from `at`; stop at whatever needs a scanner of its own. -1 at the end."""
        out = self.out
        kinds, texts, starts, ends, spaces = out.kinds, out.texts, out.starts, out.ends, out.space
        braces = self.braces
        for m in _MASTER.finditer(self.text, at):
            group = m.lastindex
            gap = m.group(1)
            space = (2 if "\n" in gap else 1) if gap else 0
            if self.pending_space:
                space = max(space, self.pending_space)
                self.pending_space = 0
            start, end = m.end(1), m.end()
            if group == _ID:
                word = m.group(_ID)
                kind = SYM if word in KEYWORDS or word == "_" else IDENT
                if word in _LIBRARY and not (space == 2 or not texts or texts[-1] in _BEFORE or kinds[-1] == DOC):
                    kind = IDENT
                if word in _INTERPOLATING and self._opens_string(end):
                    self._add(SYM, start, end, space)
                    return self._interpolated(self.text.index('"', end), 1, 1 if self.text[end] != '"' else 0)
            elif group == _SYM:
                kind = SYM
                word = m.group(_SYM)
                if braces:
                    if word == "{":
                        braces[-1] += 1
                    elif word == "}":
                        if braces[-1] == 0:
                            braces.pop()
                            return self._interpolated(start, 0, space)
                        braces[-1] -= 1
            elif group in (_NUM, _SCI):
                kind = SCI if m.group(_SCI) else NUM
                word = m.group(_NUM)
            elif group == _SPECIAL:
                word = m.group(_SPECIAL)
                kind = IDENT if word[0] in "ℝℕ" else SYM
            elif group == _FIELD:
                kind, word = FIELD, m.group(_FIELD)
            elif group == _STR:
                kind, word = STR, m.group(_STR)
            elif group == _CHAR:
                kind, word = CHAR, m.group(_CHAR)
            elif group == _NAME:
                kind, word = NAME, m.group(_NAME)
            elif group == _END:
                if end < len(self.text):
                    return end
                self._add(EOF, end, end, space or 1, "")
                return -1
            else:
                return self._rare(m, start, end, space)
            kinds.append(kind)
            texts.append(word)
            starts.append(start)
            ends.append(end)
            spaces.append(space)
        self._add(EOF, len(self.text), len(self.text), 1, "")
        return -1

    def _opens_string(self, at: int) -> bool:
        text = self.text
        while at < len(text) and text[at] == " ":
            at += 1
        return at < len(text) and text[at] == '"'

    def _rare(self, m: re.Match[str], start: int, end: int, space: int) -> int:
        """Comments, raw strings and characters that begin no token; returns where to go on."""
        if m.lastindex == _COMMENT:
            return self._comment(m.group(_COMMENT), start, end, space)
        if m.lastindex == _RAW:
            close = '"' + m.group(2)
            stop = self.text.find(close, end)
            if stop < 0:
                self._error(start, len(self.text), space, "unterminated raw string literal")
                return len(self.text)
            self._add(STR, start, stop + len(close), space)
            return stop + len(close)
        char = self.text[start]
        if char == '"':
            self._error(start, len(self.text), space, "unterminated string literal")
            return len(self.text)
        if char == "\t":
            self._error(start, end, space, "tabs are not allowed; please configure your editor to expand them")
        elif char == "\r":
            self._error(start, end, space, "isolated carriage returns are not allowed")
        elif char == "«":
            # The rest of the line goes with it: looking for `»` from every `«` again would take quadratic time.
            stop = self.text.find("\n", end)
            end = len(self.text) if stop < 0 else stop
            self._error(start, end, space, "unterminated identifier escape")
        else:
            self._error(start, end, space, "expected token" if char != "`" else "unexpected token '`'")
        return end

    def _comment(self, opener: str, start: int, end: int, space: int) -> int:
        depth = 1
        # `/--/` opens a documentation comment that is not closed yet.
        at = end
        while depth:
            edge = _COMMENT_EDGE.search(self.text, at)
            if edge is None:
                self._error(start, len(self.text), space, "unterminated comment")
                return len(self.text)
            depth += 1 if edge.group() == "/-" else -1
            at = edge.end()
        if opener == "/-":
            broken = self.text.find("\n", start, at) >= 0
            self.pending_space = max(space, 2 if broken else 1)
            return at
        self._add(DOC if opener == "/--" else MODDOC, start, at, space)
        return at

    def _interpolated(self, start: int, first: int, space: int) -> int:
        """One piece of an interpolated string from its quote or closing brace on."""
        piece = _ISTR_PIECE.match(self.text, start + 1)
        if piece is None or piece.group(1) is None:
            self._error(start, len(self.text), space, "unterminated string literal")
            self.braces.clear()
            return len(self.text)
        if piece.group(1) == "{":
            self.braces.append(0)
        self._add(ISTR if first else ISTR_NEXT, start, piece.end(), space)
        return piece.end()
