"""Breakages of syntax and types: precedence, coercions, defaults, and what must be refused."""

from __future__ import annotations

from mutants.patching import replace_entry, rewrite, rewrite_table
from mutants.registry import add

_TESTS = ("tests/lean/test_semantics.py", "tests/lean/test_refusals.py", "tests/lean/elab", "tests/lean/eval")
_PARSING = ("tests/lean/test_semantics.py", "tests/lean/test_parser_terms.py", "tests/lean/eval")
_ELAB = "specgen.lean.elab"
_INFIX = "specgen.lean.parser.tables:INFIX"


def _source(name: str, breaks: str, place: str, old: str, new: str, count: int = 1) -> None:
    add(name, breaks, _TESTS, lambda: rewrite(place, old, new, count))


def _infix(name: str, breaks: str, symbol: str, entry: tuple[int, int, int]) -> None:
    add(name, breaks, _PARSING, lambda: replace_entry(_INFIX, symbol, entry))


# ---- syntax
_infix("power-left", "^ associates to the left", "^", (75, 75, 76))
_infix("minus-right", "- associates to the right", "-", (65, 66, 65))
_infix("times-as-plus", "* binds like +", "*", (65, 65, 66))
_infix("mod-as-plus", "% binds like +", "%", (65, 65, 66))
_infix("and-below-or", "∧ binds less than ∨", "∧", (29, 30, 29))
_infix("bool-and-below-or", "&& binds less than ||", "&&", (29, 29, 30))
_infix("iff-above-and", "↔ binds more than ∧", "↔", (36, 37, 37))
_infix("equality-below-and", "= binds less than ∧", "=", (34, 35, 35))
_infix("cons-left", ":: associates to the left", "::", (67, 67, 68))
_infix("append-above-cons", "++ binds more than ::", "++", (68, 68, 69))
add(
    "arrow-left",
    "→ associates to the left",
    _PARSING,
    lambda: rewrite("specgen.lean.parser.terms:Terms._special", "rhs = self.term(25)", "rhs = self.term(26)"),
)
add(
    "not-reaches-far",
    "¬ takes in everything to its right",
    _PARSING,
    lambda: replace_entry("specgen.lean.parser.tables:PREFIX", "¬", (1024, 0)),
)
add(
    "minus-above-power",
    "unary - binds more than ^",
    _PARSING,
    lambda: replace_entry("specgen.lean.parser.tables:PREFIX", "-", (75, 76)),
)

# ---- coercions and defaults
_source(
    "coercion-at-root",
    "the expected type does not reach the leaves of an operator tree",
    f"{_ELAB}.binop:OpElab._finish_tree",
    "self._analyze(tree, expected)",
    "self._analyze(tree, None)",
)
_source(
    "coercion-by-side",
    "the right side of a relation is computed in its own type",
    f"{_ELAB}.binop:OpElab._elab_relation",
    "result = self._build(self._apply_coe(tree, largest, None, False))",
    "sides = [self.ensure_has_type(largest, self._build(t), stx.span) for t in (lhs, rhs)]\n"
    "                result = self._operate(recipe.fn, sides, stx.span)",
)
add(
    "bool-as-prop-negated",
    "a Bool as a Prop says that it is false",
    _TESTS,
    lambda: rewrite_table("boolToProp", "b = true", "b = false"),
)
_source(
    "prop-to-bool-missing",
    "a Prop is not coerced to Bool",
    f"{_ELAB}.coerce:Coercions._coerce_simple",
    'is_prop:\n            return self._by_class("CoeDep", (source, value, target), ())',
    "is_prop:\n            return None",
)
add(
    "nat-cast-negates",
    "a natural number as an integer is negated",
    _TESTS,
    lambda: rewrite_table("instNatCastInt", "Int.ofNat", "fun n => -(Int.ofNat n)"),
)
add(
    "option-coercion-none", "a value as an Option is none", _TESTS, lambda: rewrite_table("optionCoe", "some a", "none")
)
_source(
    "numeral-default-int",
    "numerals are integers by default",
    f"{_ELAB}.synthetic:Synthetic.default_instances",
    "return self.env.library.default_instances(class_name)",
    "found = self.env.library.default_instances(class_name)\n"
    '        if class_name != "OfNat":\n            return found\n'
    '        return tuple([c for c in [self.env.get("instOfNat")] if c is not None])',
)

# ---- types
_source(
    "nat-is-int",
    "Nat and Int are one type",
    f"{_ELAB}.unify:Unifier._eq",
    "if a == b:\n            return True",
    'if a == b or {getattr(a, "name", ""), getattr(b, "name", "")} == {"Nat", "Int"}:\n            return True',
)
_source(
    "bool-is-prop",
    "Bool and Prop are one type",
    f"{_ELAB}.unify:Unifier._eq",
    "if a == b:\n            return True",
    'if a == b or (core.PROP in (a, b) and "Bool" in (getattr(a, "name", ""), getattr(b, "name", ""))):\n'
    "            return True",
)
_source(
    "mismatch-accepted",
    "a value of any type is accepted",
    f"{_ELAB}.coerce:Coercions.mk_coe",
    "raise self.mismatch(expected, value, span)",
    "return value",
)
_source(
    "ascription-fits-anywhere",
    "what fitted an ascription fits the type around it",
    f"{_ELAB}.terms:TermElab.elab_term_ensuring",
    "expected is self.exact[1]",
    "True",
)
_source(
    "decidable-not-needed",
    "a missing Decidable instance is accepted",
    f"{_ELAB}.synthetic:Synthetic._solve_instance",
    "raise self.missing_instance(type_, problem.span)",
    "if self._is_decidable(type_):\n"
    "                self.assign(mvar, core.Proof(type_))\n                return True\n"
    "            raise self.missing_instance(type_, problem.span)",
)
_source(
    "instances-not-needed",
    "a missing instance of any class is accepted",
    f"{_ELAB}.synthetic:Synthetic._solve_instance",
    "raise self.missing_instance(type_, problem.span)",
    "self.assign(mvar, core.Proof(type_))\n            return True",
)
_source(
    "unknown-name-lenient",
    "an unknown name is not an error",
    f"{_ELAB}.names:Names.unknown",
    '"name" if known else "unsupported", message, stx.span)',
    '"name", message, stx.span, "information")',
)
_source(
    "unknown-constant-lenient",
    "an unknown member of a namespace is only unsupported",
    f"{_ELAB}.names:Names.unknown",
    '"name" if known else "unsupported"',
    '"unsupported"',
)
_source(
    "cases-may-be-missing",
    "a match need not cover every case",
    f"{_ELAB}.match:MatchElab._check_coverage",
    "if missing is not None and",
    "if False and",
)
_source(
    "cases-may-be-redundant",
    "an alternative need not be reachable",
    f"{_ELAB}.match:MatchElab._check_coverage",
    "if again is not None:",
    "if False:",
)
_source(
    "redeclaration-accepted",
    "a name may be declared twice",
    f"{_ELAB}.declarations:DeclarationElab._check_new",
    'raise ElabError("redeclared"',
    'return\n        raise ElabError("redeclared"',
)
_source(
    "mathlib-without-import",
    "names of Mathlib are known without an import",
    "specgen.lean.library.loader:Chunk.known",
    "(self.mathlib and not lean.mathlib)",
    "False",
)
_source(
    "version-ignored",
    "names are known in every version of Lean",
    "specgen.lean.library.loader:Chunk.known",
    "return (not self.since",
    "return True or (not self.since",
)
