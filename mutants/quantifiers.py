"""Breakages of the quantifier rules: domains, and the condition under which each rule is sound."""

from __future__ import annotations

from mutants.patching import replace_entry, rewrite
from mutants.registry import add

_TESTS = ("tests/lean/test_semantics.py", "tests/lean/eval/test_quantifiers.py", "tests/lean/test_fuzz.py")
_RULES = "specgen.lean.eval.quantifiers"


def _source(name: str, breaks: str, place: str, old: str, new: str) -> None:
    add(name, breaks, _TESTS, lambda: rewrite(f"{_RULES}.{place}", old, new))


# ---- domains
for _name in ("Nat", "Int"):
    add(
        f"{_name.lower()}-guard-includes-end",
        f"the guard i < n on {_name} lets i be n",
        _TESTS,
        lambda t=_name: replace_entry(f"{_RULES}.bounds:_ORDER", f"{t}.lt", 0),  # type: ignore[misc]
    )
    add(
        f"{_name.lower()}-guard-excludes-end",
        f"the guard i ≤ n on {_name} leaves n out",
        _TESTS,
        lambda t=_name: replace_entry(f"{_RULES}.bounds:_ORDER", f"{t}.le", 1),  # type: ignore[misc]
    )
_source(
    "bounds-first-lower",
    "the least lower bound counts",
    "bounds:propose",
    "low is None or v > low",
    "low is None or v < low",
)
_source(
    "bounds-last-excluded",
    "the greatest candidate is left out",
    "bounds:propose",
    "range(low, high + 1)",
    "range(low, high)",
)
_source(
    "finite-fin-short",
    "∀ i : Fin n leaves out the last",
    "finite:domain",
    "return 29, lambda fr: range(n(fr))",
    "return 29, lambda fr: range(n(fr) - 1)",
)
_source(
    "finite-option-none",
    "∀ o : Option leaves out `none`",
    "finite:_option",
    "[None, *[(v,) for v in inner(fr)]]",
    "[(v,) for v in inner(fr)]",
)
_source(
    "finite-bool-half",
    "∀ b : Bool looks at `false` only",
    "finite:domain",
    "return 5, lambda fr: (False, True)",
    "return 5, lambda fr: (False,)",
)

# ---- one-point
add(
    "one-point-alone",
    "x = e settles all other conjuncts too",
    _TESTS,
    lambda: rewrite(f"{_RULES}.equations:propose", "settles=(lit,)", "settles=tuple(s.literals)", 2),
)
_source(
    "unpack-settles",
    "taking an equation apart settles all literals",
    "search:Search._unpack",
    "s.literals, s.cases",
    "[], s.cases",
)

# ---- bounds by growth
_source(
    "truncated-sub-below",
    "b ≤ u - o gives b + o ≤ u for b = 0 too",
    "bounds:_subtraction",
    "b + k if b > 0 else None",
    "b + k",
)
_source(
    "truncated-sub-above",
    "b ≤ o - u gives u ≤ o - b for b = 0 too",
    "bounds:_subtraction",
    "k - b if b > 0 else None",
    "k - b",
)
_source(
    "root-short", "u * u ≤ b gives u ≤ √b - 1", "bounds:_root", "math.isqrt(b) if b >= 0", "math.isqrt(b) - 1 if b >= 0"
)
_source(
    "root-of-lesser",
    "u * v ≤ b gives u ≤ √b for any v",
    "bounds:_both_sides",
    "if _at_least(search, v, u):",
    "if True:",
)
_source("log-short", "k ^ u ≤ b gives u < log b", "bounds:_log", "    return n", "    return n - 1")
_source(
    "log-of-one", "1 ^ u ≤ b bounds u", "bounds:_log", "if k < 2:\n        return None", "if k < 2:\n        return 1"
)
_source("quotient-short", "u / k ≤ b gives u ≤ k b", "bounds:_undivide", "k * b + k - 1 if k > 0", "k * b if k > 0")
_source(
    "quotient-of-zero",
    "u / 0 ≤ b gives u ≤ 0",
    "bounds:_undivide",
    "k * b + k - 1 if k > 0 else None",
    "k * b + k - 1 if k > 0 else 0",
)
_source(
    "factor-zero", "0 * u ≤ b bounds u", "bounds:_over_positive", "b // k if k > 0 else None", "b // k if k > 0 else b"
)
_source(
    "factor-negative",
    "dividing by a negative factor keeps the side",
    "bounds:_over_negative",
    "-(b // -k) if k < 0",
    "b // -k if k < 0",
)
_source(
    "negation-keeps-side",
    "-u ≤ b gives u ≤ -b",
    "bounds:invert",
    "nodes.apply1(_neg, bound), not upper)",
    "nodes.apply1(_neg, bound), upper)",
)
_source(
    "abs-one-side",
    "|u| ≤ b gives 0 ≤ u",
    "bounds:invert",
    "nodes.apply1(_neg, bound), False)]",
    "nodes.apply1(lambda b: 0, bound), False)]",
)
_source(
    "sum-of-integers",
    "u + v ≤ b on integers bounds u",
    "bounds:_one_side",
    "if upper and nat else []",
    "if upper else []",
)

# ---- members, divisors, parts
_source(
    "divisors-of-zero",
    "0 has no divisors",
    "members:_divisors",
    "if m == 0:\n            return None",
    "if m == 0:\n            return ()",
)
_source(
    "divisors-proper",
    "n is no divisor of n",
    "members:divisors",
    "*[m // d for d in low]",
    "*[m // d for d in low if d > 1]",
)
_source(
    "divisors-positive",
    "integers have no negative divisors",
    "members:divisors",
    "if integers else found",
    "if False else found",
)
_source(
    "position-short",
    "l[i]? = some _ leaves out the last position",
    "members:_position",
    "range(len(items_of(value)))",
    "range(len(items_of(value)) - 1)",
)
_source("prefixes-proper", "l is no prefix of l", "members:_prefixes", "range(len(items) + 1)", "range(len(items))")
_source("suffixes-nonempty", "[] is no suffix", "members:_suffixes", "    yield cells\n    for", "    for")
_source(
    "infixes-short",
    "an infix does not reach the end",
    "members:_infixes",
    "range(i + 1, len(items) + 1)",
    "range(i + 1, len(items))",
)
_source(
    "splits-nonempty",
    "a part of a split is never empty",
    "members:_rest",
    "return [to_list(rest[:n]) for n in range(len(rest) + 1)]",
    "return [to_list(rest[:n]) for n in range(1, len(rest) + 1)]",
)
_source(
    "sublists-contiguous", "only prefixes are sublists", "members:_sublists", "combinations(items, n)", "[items[:n]]"
)
_source(
    "rearrangements-first",
    "a list is its only rearrangement",
    "members:_rearrangements",
    "permutations(items)",
    "[tuple(items)]",
)
_source(
    "members-unlawful",
    "l.contains x by any == gives the elements only",
    "elements:lawful",
    "if not isinstance(head, Const) or head.name in c.env.constants:\n        return False",
    "return True",
)

# ---- element-only
_source(
    "elements-no-fresh",
    "element-only statements are checked on the elements alone",
    "elements:_candidates",
    "None if new is None else [*distinct, *new]",
    "None if new is None else distinct",
)
_source(
    "elements-not-fresh",
    "the fresh value is one of the elements",
    "elements:fresh",
    "return (max([*values, -1]) + 1,)",
    "return (max([*values, 0]),)",
)
_source(
    "elements-anywhere",
    "x may stand anywhere in an element-only statement",
    "elements:_collect",
    "return isinstance(term, core.Proof)",
    "return True",
)

# ---- tails
_source(
    "tail-not-constant",
    "literals need not be constant beyond K",
    "tails:propose",
    "return all_true and whole",
    "return True",
)
_source(
    "tail-part-true",
    "one literal that is true beyond K is enough",
    "tails:propose",
    "return all_true and whole",
    "return all_true",
)
_source(
    "tail-one-side",
    "for integers only the tail above counts",
    "tails:propose",
    "(not integer or settled(fr, -INF, -k))",
    "True",
)
_source(
    "tail-remainder-constant",
    "x % k is constant on a tail",
    "tails:_remainder",
    "return Interval(0, k - 1)",
    "return Interval(x[0] % k, x[0] % k)",
)
_source(
    "tail-access-early",
    "an access is out of range two positions early",
    "tails:_Abstraction._access",
    "where.low < size",
    "where.low < size - 2",
)

# ---- search
_source(
    "search-exhausted-decides",
    "a bounded search that found nothing says that there is nothing",
    "search:loop_code",
    "if not complete:",
    "if False:",
)
_source(
    "search-unknown-false",
    "a candidate with an unknown body counts as none",
    "search:loop_code",
    "unknown = error",
    "unknown = None",
)
_source(
    "search-bound-missing",
    "no candidates, nothing found",
    "search:loop_code",
    'raise Unknown("undecided", "no bound for a quantified variable")',
    "return False",
)
_source(
    "cases-first-only",
    "of the cases of a disjunction only the first is searched",
    "search:Search._taken_apart",
    "out = logic.disj(code, out)",
    "out = code",
)
_source(
    "iff-one-way",
    "x ↔ y is split into one case",
    "literals:_both_ways",
    "return [[Literal(p), Literal(q, sign)], [Literal(p, False), Literal(q, not sign)]]",
    "return [[Literal(p), Literal(q, sign)]]",
)

# ---- linear arithmetic
_source(
    "z3-nat-negative", "z3 may choose negative natural numbers", "arithmetic:decide", 'if kind == "Nat":', "if False:"
)
_source(
    "z3-sub-signed",
    "z3 subtracts natural numbers without truncating",
    "arithmetic:_Translator._binary",
    "lambda fr, vs: _clamped(a(fr, vs) - b(fr, vs))",
    "lambda fr, vs: a(fr, vs) - b(fr, vs)",
)
_source(
    "z3-unknown-false",
    "what z3 does not know is false",
    "arithmetic:decide",
    'raise Unknown("undecided", f"z3: {solver.reason_unknown()}")',
    "return False",
)
_source(
    "z3-inner-nat-negative",
    "z3's inner quantifiers range over negative numbers",
    "arithmetic:_Translator._quantifier",
    'v >= 0 if kind == "Nat" else z3.BoolVal(True)',
    "z3.BoolVal(True)",
)
_source("z3-strict", "z3 reads < as ≤", "arithmetic:_relation", 'x < y if name == "lt"', 'x <= y if name == "lt"')

# ---- counts, signs, pieces, instances, circles of inductive predicates
_source("cauchy-bound", "a polynomial keeps its sign from 1 on", "tails:_sign", "low > bound", "low > 1")
_source(
    "count-of-part",
    "an array that is counted in part is counted whole",
    "tails:_Abstraction._count",
    "least += whole and truth is True",
    "least += truth is True",
)
_source(
    "divides-nothing", "nothing divides 0", "tails:_Abstraction._divides", "return Known(True)", "return Known(False)"
)
_source("sums-short", "words stay below the sum", "lists:_spell_sums", "have + v <= total", "have + v < total")
_source(
    "sums-of-zeros",
    "words with zeros are as few as words without",
    "lists:_summed",
    "type(v) is not int or v <= 0",
    "type(v) is not int or v < 0",
)
_source("pieces-nonempty", "no piece is empty", "pieces:propose", "range(i, n + 1)", "range(i + 1, n + 1)")
_source("repeated-short", "not all of a list is repeated", "members:_up_to_length", "(fr))) + 1", "(fr)))")
_source(
    "instance-of-none",
    "nothing is said where there are no members",
    "instances:_at_first",
    "if not found:\n                return None",
    "if not found:\n                return ()",
)
_source(
    "instance-keeps-some",
    "one solution of what an instance says is enough",
    "instances:propose",
    "if g.covers and g.complete",
    "if g.complete",
)
for _name, _old, _new, _breaks in (
    ("circle-one-round", "or circle.grown == before", "or True", "a circle of questions is gone round once"),
    (
        "circle-remembered",
        "not sure and question.oldest < len(circle.open)",
        "False",
        "what is found in an unfinished circle is remembered",
    ),
):
    add(
        _name,
        _breaks,
        ("tests/lean/eval/test_relations.py", *_TESTS),
        lambda old=_old, new=_new: rewrite(f"{_RULES}.relations:Relation._answer", old, new),  # type: ignore[misc]
    )
