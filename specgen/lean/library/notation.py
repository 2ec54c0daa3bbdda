"""What each notation means: symbol → how it elaborates.

`kind` says by which of Lean's elaborators:

    binop       `binop%`: coercions at the leaves of the whole operator tree
    leftact, rightact   `leftact%`, `rightact%`: only one side takes part in the tree (`•`, `^`)
    binrel      `binrel%`: as `binop%` for the two sides, result Prop; Prop sides of `=` stay Prop
    binrel_no_prop   `binrel_no_prop%`: sides that are Props become Bools (`==`, `!=`)
    unop        `unop%`
    app         plain application of the function
    lazy        application with the right side as `fun _ : Unit => b`
    lazy_binop  `binop_lazy%`: `binop` with the right side lazy
    special     has its own code in the elaborator
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

RecipeKind: TypeAlias = Literal[
    "binop", "leftact", "rightact", "binrel", "binrel_no_prop", "unop", "app", "lazy", "lazy_binop", "special"
]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one notation elaborates.

    Attributes:
        kind: which elaborator, see above.
        fn: full name of the function.
        swap: the function takes the operands in reverse order (`a ∈ s`, `a > b` is not: it has its own `GT.gt`).
        negate: the notation is the negation of the application (`∉`).
        mathlib: known only under an import of Mathlib.
        scope: namespace that must be open (`~` of `List`), empty when the notation is global.
    """

    kind: RecipeKind
    fn: str
    swap: bool = False
    negate: bool = False
    mathlib: bool = False
    scope: str = ""


def _all(kind: RecipeKind, table: dict[str, str]) -> dict[str, Recipe]:
    return {symbol: Recipe(kind, fn) for symbol, fn in table.items()}


INFIX: Final[dict[str, Recipe]] = {
    "#": Recipe("app", "BitVec.ofNat", swap=True),
    **_all(
        "binop",
        {
            "+": "HAdd.hAdd",
            "-": "HSub.hSub",
            "*": "HMul.hMul",
            "/": "HDiv.hDiv",
            "%": "HMod.hMod",
            "++": "HAppend.hAppend",
            "&&&": "HAnd.hAnd",
            "|||": "HOr.hOr",
            "^^^": "HXor.hXor",
            "∪": "Union.union",
            "∩": "Inter.inter",
            "\\": "SDiff.sdiff",
        },
    ),
    "^": Recipe("rightact", "HPow.hPow"),
    "•": Recipe("leftact", "HSMul.hSMul"),
    **_all(
        "binrel",
        {
            "=": "Eq",
            "≠": "Ne",
            "<": "LT.lt",
            ">": "GT.gt",
            "≤": "LE.le",
            "<=": "LE.le",
            "≥": "GE.ge",
            ">=": "GE.ge",
        },
    ),
    "==": Recipe("binrel_no_prop", "BEq.beq"),
    "!=": Recipe("binrel_no_prop", "bne"),
    **_all(
        "app",
        {
            "∧": "And",
            "/\\": "And",
            "∨": "Or",
            "\\/": "Or",
            "↔": "Iff",
            "<->": "Iff",
            "&&": "and",
            "||": "or",
            "^^": "xor",
            "∘": "Function.comp",
            "::": "List.cons",
            "×": "Prod",
            "×'": "PProd",
            "⊕": "Sum",
            "⊕'": "PSum",
            "∣": "Dvd.dvd",
            "<<<": "HShiftLeft.hShiftLeft",
            ">>>": "HShiftRight.hShiftRight",
            "⊆": "HasSubset.Subset",
            "⊂": "HasSSubset.SSubset",
            "≈": "HasEquiv.Equiv",
            ">>=": "Bind.bind",
            "<$>": "Functor.map",
            "<+:": "List.IsPrefix",
            "<:+": "List.IsSuffix",
            "<:+:": "List.IsInfix",
            "≍": "HEq",
            "∘'": "Function.comp",
            "=<<": "Bind.bindLeft",
            ">=>": "Bind.kleisliRight",
            "<&>": "Functor.mapRev",
            "$>": "Functor.mapConstRev",
            "<$": "Functor.mapConst",
        },
    ),
    "⊇": Recipe("app", "HasSubset.Subset", swap=True),
    "⊃": Recipe("app", "HasSSubset.SSubset", swap=True),
    "∈": Recipe("app", "Membership.mem", swap=True),
    "∉": Recipe("app", "Membership.mem", swap=True, negate=True),
    "∤": Recipe("app", "Dvd.dvd", negate=True, mathlib=True),
    "⊈": Recipe("app", "HasSubset.Subset", negate=True, mathlib=True),
    "<*>": Recipe("lazy", "Seq.seq"),
    "<*": Recipe("lazy", "SeqLeft.seqLeft"),
    "*>": Recipe("lazy", "SeqRight.seqRight"),
    "<|>": Recipe("lazy_binop", "HOrElse.hOrElse"),
    ">>": Recipe("lazy", "HAndThen.hAndThen"),
    "<+": Recipe("app", "List.Sublist", scope="List"),
    "~": Recipe("app", "List.Perm", scope="List"),
    "⊔": Recipe("binop", "Max.max", mathlib=True),
    "⊓": Recipe("binop", "Min.min", mathlib=True),
    "⇨": Recipe("app", "HImp.himp", mathlib=True),
    "≃": Recipe("app", "Equiv", mathlib=True),
    "∆": Recipe("app", "symmDiff", mathlib=True, scope="symmDiff"),
    "^[": Recipe("app", "Nat.iterate", mathlib=True),
    "×ˢ": Recipe("app", "SProd.sprod", mathlib=True),
    "''": Recipe("app", "Set.image", mathlib=True),
    "⁻¹'": Recipe("app", "Set.preimage", mathlib=True),
    "→.": Recipe("app", "PFun", mathlib=True),
    "▸": Recipe("special", "Eq.mpr"),
}
"""Infix symbols, ASCII forms included."""

PREFIX: Final[dict[str, Recipe]] = {
    "¬": Recipe("app", "Not"),
    "!": Recipe("app", "not"),
    "-": Recipe("unop", "Neg.neg"),
    "~~~": Recipe("app", "Complement.complement"),
    "↑": Recipe("special", "coe"),
    "⇑": Recipe("special", "coeFun"),
    "↥": Recipe("special", "coeSort"),
    "√": Recipe("app", "Real.sqrt", mathlib=True),
    "𝒫": Recipe("app", "Set.powerset", mathlib=True),
    "#": Recipe("app", "Finset.card", mathlib=True, scope="Finset"),
}

POSTFIX: Final[dict[str, Recipe]] = {
    "⁻¹": Recipe("app", "Inv.inv"),
    "!": Recipe("app", "Nat.factorial", mathlib=True, scope="Nat"),
    "‼": Recipe("app", "Nat.doubleFactorial", mathlib=True, scope="Nat"),
    "ᶜ": Recipe("app", "HasCompl.compl", mathlib=True),
    "#": Recipe("app", "primorial", mathlib=True, scope="Primorial"),
}

BRACKETS: Final[dict[str, Recipe]] = {
    "|": Recipe("app", "abs", mathlib=True),
    "‖": Recipe("app", "Norm.norm", mathlib=True),
    "⌊": Recipe("app", "Int.floor", mathlib=True),
    "⌈": Recipe("app", "Int.ceil", mathlib=True),
    "⌊₊": Recipe("app", "Nat.floor", mathlib=True),
    "⌈₊": Recipe("app", "Nat.ceil", mathlib=True),
    "‹": Recipe("special", "assumption"),
}
"""By `Bracketed.kind`."""

BINDERS: Final[dict[str, Recipe]] = {
    "∃": Recipe("app", "Exists"),
    "∃!": Recipe("app", "ExistsUnique", mathlib=True),
    "Σ": Recipe("app", "Sigma"),
    "Σ'": Recipe("app", "PSigma"),
    "∑": Recipe("special", "Finset.sum", mathlib=True),
    "∏": Recipe("special", "Finset.prod", mathlib=True),
    "⋃": Recipe("special", "Set.iUnion", mathlib=True),
    "⋂": Recipe("special", "Set.iInter", mathlib=True),
    "⨆": Recipe("special", "iSup", mathlib=True),
    "⨅": Recipe("special", "iInf", mathlib=True),
}
"""Binding notations; `∀` is a product type and stands for itself."""

ATOMS: Final[dict[str, Recipe]] = {
    "ℕ": Recipe("app", "Nat", mathlib=True),
    "ℤ": Recipe("app", "Int", mathlib=True),
    "ℚ": Recipe("app", "Rat", mathlib=True),
    "ℝ": Recipe("app", "Real", mathlib=True),
    "ℂ": Recipe("app", "Complex", mathlib=True),
    "ℝ≥0": Recipe("app", "NNReal", mathlib=True, scope="NNReal"),
    "∅": Recipe("app", "EmptyCollection.emptyCollection"),
    "⊤": Recipe("app", "Top.top", mathlib=True),
    "⊥": Recipe("app", "Bot.bot", mathlib=True),
    "∞": Recipe("app", "ENNReal.infty", mathlib=True, scope="ENNReal"),
    "π": Recipe("app", "Real.pi", mathlib=True, scope="Real"),
}
"""Identifier-like symbols."""

EXPORTS: Final[dict[str, str]] = {
    "false": "Bool.false",
    "true": "Bool.true",
    "none": "Option.none",
    "some": "Option.some",
    "default": "Inhabited.default",
    "compare": "Ord.compare",
    "max": "Max.max",
    "min": "Min.min",
    "toString": "ToString.toString",
    "reprPrec": "Repr.reprPrec",
    "hash": "Hashable.hash",
    "pure": "Pure.pure",
    "bind": "Bind.bind",
    "failure": "Alternative.failure",
    "decide": "Decidable.decide",
    "isTrue": "Decidable.isTrue",
    "isFalse": "Decidable.isFalse",
    "throw": "MonadExcept.throw",
    "tryCatch": "MonadExcept.tryCatch",
    "throwThe": "MonadExceptOf.throw",
    "get": "MonadState.get",
    "set": "MonadStateOf.set",
    "modifyGet": "MonadState.modifyGet",
    "read": "MonadReader.read",
    "getElem": "GetElem.getElem",
    "getElem?": "GetElem?.getElem?",
    "getElem!": "GetElem?.getElem!",
    "forIn": "ForIn.forIn",
    "forIn'": "ForIn'.forIn'",
    "liftM": "MonadLiftT.monadLift",
    "monadLift": "MonadLiftT.monadLift",
    "sizeOf": "SizeOf.sizeOf",
    "insert": "Insert.insert",
    "singleton": "Singleton.singleton",
    "toStream": "ToStream.toStream",
}
"""Names that core Lean exports to the root (`export Option (none some)`), and root functions that are a method."""
