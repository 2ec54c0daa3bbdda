"""Breakages of evaluation: connectives, branches, matches, loops, equality, outcomes."""

from __future__ import annotations

from mutants.patching import rewrite
from mutants.registry import add

_TESTS = ("tests/lean/test_semantics.py", "tests/lean/eval", "tests/lean/elab")
_LOGIC = "specgen.lean.eval.logic"
_MATCH = "specgen.lean.eval.matching"
_LOOPS = "specgen.lean.library.prims.loops"


def _source(name: str, breaks: str, place: str, old: str, new: str) -> None:
    add(name, breaks, _TESTS, lambda: rewrite(place, old, new))


# ---- connectives
_UNKNOWN_LEFT = "            raise\n        return "
_source(
    "and-as-or",
    "p ∧ q holds when one of them does",
    f"{_LOGIC}:conj",
    "q(fr) if first else False",
    "True if first else q(fr)",
)
_source("or-as-and", "p ∨ q needs both", f"{_LOGIC}:disj", "True if first else q(fr)", "q(fr) if first else False")
_source(
    "implies-as-and",
    "p → q fails when p does",
    f"{_LOGIC}:implies",
    "q(fr) if first else True",
    "q(fr) if first else False",
)
_source(
    "implies-reversed",
    "p → q is q → p",
    f"{_LOGIC}:implies",
    "q(fr) if first else True",
    "True if first else not q(fr)",
)
_source(
    "iff-as-implies",
    "p ↔ q holds whenever q does",
    f"{_LOGIC}:iff",
    "bool(p(fr)) is bool(q(fr))",
    "bool(q(fr)) or not p(fr)",
)
_source(
    "and-unknown-true", "unknown ∧ q is q", f"{_LOGIC}:conj", _UNKNOWN_LEFT, "            first = True\n        return "
)
_source(
    "or-unknown-false",
    "unknown ∨ q is q",
    f"{_LOGIC}:disj",
    _UNKNOWN_LEFT,
    "            first = False\n        return ",
)
_source(
    "implies-unknown-true",
    "unknown → q is q",
    f"{_LOGIC}:implies",
    _UNKNOWN_LEFT,
    "            first = True\n        return ",
)
_source(
    "implies-unknown-false",
    "unknown → q holds",
    f"{_LOGIC}:implies",
    _UNKNOWN_LEFT,
    "            first = False\n        return ",
)
_source(
    "forall-as-exists",
    "∀ x, p is ∃ x, p",
    "specgen.lean.eval.quantifiers:compile_pi",
    "logic.negate(solve_literal(c, scope, Literal(term, False)))",
    "compile_exists(c, term.type, __import__('specgen.lean.core').lean.core.Lam('x', term.type, term.body), scope)",
)
_source(
    "exists-hypothesis-ignored",
    "∃ (h : p), q is q",
    "specgen.lean.eval.quantifiers:compile_exists",
    "logic.conj(c.code(domain, scope), c.code(beta(predicate, (Proof(domain),)), scope))",
    "c.code(beta(predicate, (Proof(domain),)), scope)",
)
_source(
    "ne-as-eq",
    "a ≠ b is a = b",
    "specgen.lean.eval.application:_ne",
    "logic.negate(_eq(c, args, scope, False))",
    "_eq(c, args, scope, False)",
)
_source(
    "if-branches-swapped",
    "`if` takes the wrong branch where it compares two variables",
    "specgen.lean.eval.nodes:branch",
    "then(fr) if op(fr[i], fr[j]) else otherwise(fr)",
    "otherwise(fr) if op(fr[i], fr[j]) else then(fr)",
)

# ---- matches
_source(
    "match-last-first",
    "the last alternative that applies is taken",
    f"{_MATCH}:_try_in_order",
    "for tests, body in rows if tests]",
    "for tests, body in reversed(rows) if tests]",
)
_source(
    "match-literal-anything", "a literal pattern matches everything", f"{_MATCH}:_equals", "bool(v == value)", "True"
)
_source(
    "match-successor-offset",
    "n + k binds one less than the value",
    f"{_MATCH}:_succ",
    "inner(v - offset, fr)",
    "inner(v - 1, fr)",
)
_source(
    "match-successor-zero",
    "n + k matches from k - 1 on",
    f"{_MATCH}:_succ",
    "v >= offset and inner",
    "v >= offset - 1 and inner",
)
_source(
    "match-negative-integer",
    "Int.negSucc n binds the absolute value",
    f"{_MATCH}:_int_test",
    "inner(-v - 1, fr)",
    "inner(-v, fr)",
)
_source(
    "match-integer-sign",
    "Int.ofNat n matches negative integers",
    f"{_MATCH}:_int_test",
    "lambda v, fr: v >= 0 and (",
    "lambda v, fr: True and (",
)
_source(
    "match-array-length",
    "an array pattern matches longer arrays",
    f"{_MATCH}:_Binder._array",
    "v.size == n",
    "v.size >= n",
)

# ---- calls and loops
_source(
    "tail-call-in-turn",
    "a self tail call assigns its arguments one after the other",
    "specgen.lean.eval.compile:_self_tail_call",
    "fr[:n] = [code(fr) for code in args]",
    "for i, code in enumerate(args):\n            fr[i] = code(fr)",
)
_source(
    "for-inclusive",
    "[a:b] includes b",
    f"{_LOOPS}:for_in_range",
    "range(start, stop, max(step, 1))",
    "range(start, stop + 1, max(step, 1))",
)
_source(
    "for-step-ignored",
    "[a:b:s] goes by one",
    f"{_LOOPS}:for_in_range",
    "range(start, stop, max(step, 1))",
    "range(start, stop)",
)
_source("break-ignored", "`break` does not end the loop", f"{_LOOPS}:run_loop", "if step[0] == _DONE:", "if False:")
_source(
    "return-ignored",
    "`return` in a loop does not end it",
    "specgen.lean.elab.do_notation:DoTranslator._for",
    'lambda v: step("done", self.ascribe(v, context.value_type))',
    'lambda v: step("yield", self.ascribe(v, context.value_type))',
)
_source(
    "continue-as-break",
    "`continue` ends the loop",
    "specgen.lean.elab.do_notation:DoTranslator._for",
    'lambda: step("done"),\n            lambda: step("yield"),',
    'lambda: step("done"),\n            lambda: step("done"),',
)

# ---- equality
_source(
    "equal-last-field",
    "= of structures ignores the last field",
    "specgen.lean.eval.values:_step",
    "        stack.extend(zip(x, y, strict=True))\n        return True\n    if kind is Arr:",
    "        stack.extend(zip(x[:-1], y[:-1], strict=True))\n        return True\n    if kind is Arr:",
)
_source(
    "equal-array-size",
    "= of arrays ignores what is longer",
    "specgen.lean.eval.values:_step",
    "if x.size != y.size:\n            return False\n        stack.extend(zip(x.tolist(), y.tolist(), strict=True))",
    "stack.extend(zip(x.tolist(), y.tolist()))",
)
_source(
    "equal-float-decided",
    "= of floats is ==",
    "specgen.lean.eval.values:_container_key",
    'raise Unknown("noncomputable", "equality of Float values")',
    "return v",
)
_source(
    "derived-beq-last-field",
    "a derived == ignores the last field",
    "specgen.lean.eval.derived:_Maker.equal",
    "if keep and not self.equal(",
    "if keep and i + 1 < len(layout.relevant[tag]) and not self.equal(",
)
_source(
    "derived-ord-first-field",
    "a derived `compare` looks at the first field alone",
    "specgen.lean.eval.derived:_Maker.compare",
    "            if order != 1:\n                return order\n        return 1",
    "            return order\n        return 1",
)
_source(
    "derived-default-one",
    "a derived default of numbers is 1",
    "specgen.lean.eval.derived:_Maker.default",
    '"Fin" | "BitVec":\n                return 0',
    '"Fin" | "BitVec":\n                return 1',
)

# ---- outcomes
for _kind, _what in (
    ("timeout", "running out of time"),
    ("fuel", "running out of steps"),
    ("undecided", "an open quantifier"),
    ("sorry", "`sorry`"),
):
    _source(
        f"{_kind}-fails",
        f"{_what} is read as `fails`",
        "specgen.lean.engine:_truth",
        "if isinstance(outcome, UnknownOutcome):\n        return outcome",
        f"if isinstance(outcome, UnknownOutcome):\n        return FAILS if outcome.kind == {_kind!r} else outcome",
    )
_source(
    "sorry-has-a-value",
    "`sorry` evaluates to 0",
    "specgen.lean.eval.compile:Compiler._proof",
    'return nodes.failing("sorry", "the definition uses sorry")',
    "return nodes.constant(0)",
)

# ---- the normal form of a relational predicate
_GUARDS = "specgen.lean.eval.guards"
_source(
    "guards-speak-of-the-function",
    "a premise that speaks of the function counts as a precondition",
    f"{_GUARDS}:_peel",
    "types.is_proposition(body.type) and not state.speaks(body.type)",
    "types.is_proposition(body.type)",
)
_source(
    "guard-of-one-conjunct",
    "the premises of one conjunct count for all",
    f"{_GUARDS}:_conjunction",
    "g in second and not",
    "not",
)
_source(
    "guard-left-in-no-conjunct",
    "a premise that one conjunct has more is lost",
    f"{_GUARDS}:_conjunction",
    "if g not in common]",
    "if g not in found]",
)
_source(
    "one-point-any-equation",
    "`∃ r, a = b ∧ Q` takes its first equation, of whatever, for a definition of r",
    f"{_GUARDS}:_equation",
    "isinstance(this, core.BVar) and this.index == 0 and not mentions_bound(other, 0)",
    "not mentions_bound(other, 0)",
)
