"""Precedence tables: Lean core and Mathlib notation.

The precedences follow `Init/Prelude`, `Init/Core` and the notation commands of Mathlib. An entry of `INFIX` is
`(precedence of the result, least precedence of the left side, precedence of the right side)`.
"""

from __future__ import annotations

MAX = 1024
ARG = MAX - 1
LEAD = MAX - 2
MIN = 10


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


Entry = tuple[int, int, int]


def _left(prec: int) -> Entry:
    return (prec, prec, prec + 1)


def _right(prec: int) -> Entry:
    return (prec, prec + 1, prec)


def _none(prec: int) -> Entry:
    return (prec, prec + 1, prec + 1)


_RIGHT = {
    20: "<|>",
    25: "⇒",
    30: r"∨ \/ ⊕ ⊕'",
    35: r"∧ /\ × ×'",
    37: "▹",
    55: "=<< >=> <=<",
    67: ":: ::ᵥ ::ₘ",
    73: "•",
    75: "^",
    80: "≫ ⋙",
    82: "×ˢ ×ᶠ",
    90: "∘ ∘'",
    100: "<$>",
    10: "⟶ ⇔",
    26: "⥤",
    72: "⊗",
}
_LEFT = {
    30: "||",
    33: "^^",
    35: "&&",
    50: "~ <+ <+~ <+: <:+ <:+:",
    55: "||| >>=",
    58: "^^^",
    60: "&&& <*> <* *> >>",
    65: "+ - ++ ∪ ⊎ +++",
    68: "⊔",
    69: "⊓",
    70: "* / % ∩ /.",
    75: "<<< >>>",
    80: "'' ⁻¹'",
    100: "<&> ∆",
    73: "*ᵥ ᵥ* ⊙",
}
_NONE = {
    20: "↔ <->",
    25: "≃ ↪ ≃+ ≃* ≃o ↠",
    50: "= ≠ != == < > ≤ ≥ <= >= ∈ ∉ ∋ ∣ ∤ ⊆ ⊂ ⊇ ⊃ ⊊ ⊋ ⊄ ⊈ ≡ ≢ ≈ ≍ ∼ ≺ ≻ ≼ ≽ ⋖ ⩿ ≪ ∥ ⟂ ∦",
    70: "\\",
    72: "⬝ᵥ",
}

INFIX: dict[str, Entry] = {}
for _table, _make in ((_RIGHT, _right), (_LEFT, _left), (_NONE, _none)):
    for _prec, _ops in _table.items():
        for _op in _ops.split():
            INFIX[_op] = _make(_prec)
INFIX["▸"] = (75, 0, 75)
# `f^[n]`, the iterate of a function; its closing bracket is read by the parser.
INFIX["^["] = (MAX, MAX, 0)

PREFIX: dict[str, tuple[int, int]] = {
    "¬": (MAX, 40),
    "!": (MAX, 40),
    "-": (75, 75),
    "~~~": (100, 100),
    "√": (100, 100),
    "∛": (100, 100),
    "∜": (100, 100),
    "↑": (MAX, MAX),
    "⇑": (MAX, MAX),
    "↥": (MAX, MAX),
    "𝒫": (100, 100),
    "#": (MAX, MAX),
    "@&": (MAX, LEAD),
}
"""`(precedence of the result, precedence of the argument)`."""

POSTFIX: dict[str, int] = {
    "⁻¹": MAX,
    "ᶜ": MAX,
    "ᵀ": MAX,
    "ᴴ": MAX,
    "†": MAX,
    "ˣ": MAX,
    "ᵒᵖ": MAX,
    "ᵒᵈ": MAX,
    "ᵐᵒᵖ": MAX,
    "⁺": MAX,
    "⁻": MAX,
}

QUANTIFIERS: dict[str, tuple[int, int]] = {
    "∀": (LEAD, 0),
    "forall": (LEAD, 0),
    "∃": (LEAD, 0),
    "exists": (LEAD, 0),
    "∃!": (LEAD, 0),
    "∀ᵉ": (LEAD, 0),
    "∃ᵉ": (LEAD, 0),
    "Σ": (LEAD, 0),
    "Σ'": (LEAD, 0),
    "∑": (LEAD, 67),
    "∑'": (LEAD, 67),
    "∑ᶠ": (LEAD, 67),
    "∏": (LEAD, 67),
    "∏'": (LEAD, 67),
    "∏ᶠ": (LEAD, 67),
    "⋃": (LEAD, 60),
    "⋂": (LEAD, 60),
    "⨆": (LEAD, 60),
    "⨅": (LEAD, 60),
}
"""`(precedence of the result, precedence of the body)`."""

BINDER_PREDICATES = words("∈ ∉ < > ≤ ≥ <= >= ≠ ⊆ ⊂ ⊇ ⊃ ∣")

BRACKETS = {"⌊": ("⌋", "⌋₊"), "⌈": ("⌉", "⌉₊"), "‹": ("›",), "⟪": ("⟫",), "⌜": ("⌝",)}

OPENERS = words("( [ { ⟨ ⦃ ⟪ ‹ ⌊ ⌈ ⌜ .{ .( `( @[ #[ #v[ !![ ^[ [MOD [ZMOD [PMOD [SMOD ⁅")
CLOSERS = words(") ] ]' } ⟩ ⦄ ⟫ › ⌋ ⌋₊ ⌉ ⌉₊ ⌝ ⁆")

# Tokens besides literals and identifiers that may begin an application argument.
ARG_START = words(
    """
    ( [ { ⟨ #[ #v[ @ . _ ? · ⌊ ⌈ ‹ ⟪ ⌜ fun λ do ! ¬ ↑ ⇑ ↥ # Prop Type Sort Type* Sort* sorry .( s! f! m! ∅ ⊤ ⊥
    nofun ∞ @& !![ ‖ `(
    """
)

IDENTIFIER_SYMBOLS = words("∅ ⊤ ⊥ ∞ ℵ₀ Type* Sort*")

MODIFIERS = words("private protected public noncomputable unsafe partial nonrec meta local scoped")

DECLARATIONS = words("def abbrev theorem lemma instance example axiom opaque")

HARD_COMMANDS = words("def abbrev theorem axiom opaque inductive structure namespace section import")
"""Reserved tokens that begin a command wherever they stand."""

COMMANDS = (
    DECLARATIONS
    | MODIFIERS
    | words("""
        inductive structure class import open export namespace section end variable universe set_option attribute mutual
        deriving notation notation3 infix infixl infixr prefix postfix macro macro_rules syntax elab elab_rules
        declare_syntax_cat initialize builtin_initialize run_cmd init_quot alias @[ include omit irreducible_def
        """)
)
"""Tokens that begin a command (besides documentation comments and `#` commands)."""

SOFT_COMMANDS = words("""
    lemma include omit alias irreducible_def assert_not_exists compile_inductive library_note add_decl_doc
    unif_hint proof_wanted simproc dsimproc run_meta run_elab register_simp_attr module prelude coinductive
    public meta grind_pattern recall assert_not_imported initialize_simps_projections suppress_compilation
    """)
"""Words that begin a command but are plain identifiers to the lexer."""
