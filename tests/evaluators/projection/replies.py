"""Tasks and replies in the manner of language models, in our own wording, for tests of projection."""

from __future__ import annotations

from specgen.tasks.model import Labels, LeanContext, Pair, Parameter, Provenance, Signature, Task


def _task(
    name: str,
    parameters: dict[str, str],
    result: str,
    accepted: list[tuple[str, ...]],
    rejected: list[tuple[str, ...]],
    forbidden: list[tuple[str, ...]] | None = None,
    imports: tuple[str, ...] = ("Mathlib",),
) -> Task:
    good = tuple(Pair(row[:-1], row[-1]) for row in accepted)
    bad = tuple(Pair(row[:-1], row[-1]) for row in rejected)
    labels = Labels(good, bad, tuple(dict.fromkeys(p.inputs for p in good)), tuple(forbidden or ()))
    signature = Signature(name, tuple(Parameter(n, t) for n, t in parameters.items()), result)
    return Task(name, name, signature, LeanContext("4.24.0", imports), Provenance("test", name, "x"), labels=labels)


LARGER = _task(
    "larger", {"x": "Int"}, "Int", [("1", "2"), ("-3", "5"), ("0", "1")], [("1", "1"), ("0", "-1")], imports=()
)
INDEX = _task(
    "indexOf",
    {"xs": "List Int", "v": "Int"},
    "Nat",
    [("[4, 5, 6]", "5", "1"), ("[7]", "7", "0"), ("[1, 2, 1]", "1", "0")],
    [("[4, 5, 6]", "5", "0"), ("[7]", "7", "1"), ("[1, 2, 1]", "1", "2")],
    [("[]", "3"), ("[1, 2]", "3")],
)
SORT = _task(
    "sortUp",
    {"xs": "List Int"},
    "List Int",
    [("[3, 1, 2]", "[1, 2, 3]"), ("[]", "[]"), ("[2, 2]", "[2, 2]")],
    [("[3, 1, 2]", "[1, 2]"), ("[3, 1, 2]", "[3, 2, 1]"), ("[2, 2]", "[2, 3]")],
)
QUOTIENT = _task(
    "quotient",
    {"a": "Nat", "b": "Nat"},
    "Nat",
    [("7", "2", "3"), ("6", "3", "2"), ("0", "5", "0")],
    [("7", "2", "4"), ("6", "3", "1")],
    [("7", "0"), ("0", "0")],
)
SWAP = _task(
    "swapPair",
    {"p": "Nat × Bool"},
    "Bool × Nat",
    [("(1, true)", "(true, 1)"), ("(0, false)", "(false, 0)")],
    [("(1, true)", "(false, 1)"), ("(0, false)", "(false, 1)")],
)

FIRST = _task(
    "firstWith",
    {"xs": "List Nat", "p": "Nat -> Bool"},
    "Option Nat",
    [("[3, 4]", "fun n => n == 4", "some 4"), ("[1]", "fun _ => false", "none")],
    [("[3, 4]", "fun n => n == 4", "none"), ("[1]", "fun _ => false", "some 1")],
)

PASSING: list[tuple[str, Task, str]] = [
    (
        "names with pre and post",
        LARGER,
        "def larger_pre (x : Int) : Prop := True\n\ndef larger_post (x r : Int) : Prop := r > x",
    ),
    ("camel case", LARGER, "def largerPre (x : Int) := True\ndef largerPost (x : Int) (y : Int) := y > x"),
    (
        "plain pre and post",
        QUOTIENT,
        "def pre (a b : Nat) : Prop := b ≠ 0\ndef post (a b result : Nat) : Prop := result = a / b",
    ),
    (
        "requires and ensures",
        QUOTIENT,
        "def requires (a b : Nat) : Prop := 0 < b\ndef ensures (a b q : Nat) : Prop := q * b ≤ a ∧ a < (q + 1) * b",
    ),
    (
        "Bool-valued predicates",
        QUOTIENT,
        "def quotient_requires (a b : Nat) : Bool := b != 0\n"
        "def quotient_ensures (a b result : Nat) : Bool := result == a / b",
    ),
    (
        "one relation over inputs and result",
        SORT,
        "def spec (xs : List Int) (ys : List Int) : Prop := ys.Pairwise (· ≤ ·) ∧ ys.Perm xs",
    ),
    (
        "helpers of the same type",
        SORT,
        "def ascending (l : List Int) : Prop := l.Pairwise (· ≤ ·)\n"
        "def sameElements (l m : List Int) : Prop := ∀ z, l.count z = m.count z\n"
        "def sortUp_correct (xs ys : List Int) : Prop := ascending ys ∧ sameElements xs ys",
    ),
    (
        "helpers without any hint",
        SORT,
        "def ascending (l : List Int) : Prop := l.Pairwise (· ≤ ·)\n"
        "def sameElements (l m : List Int) : Prop := ∀ z, l.count z = m.count z\n"
        "def isSortingOf (xs ys : List Int) : Prop := ascending ys ∧ sameElements xs ys",
    ),
    (
        "a structure",
        INDEX,
        "structure IndexSpec (xs : List Int) (v : Int) (result : Nat) : Prop where\n"
        "  inRange : result < xs.length\n  found : xs[result]! = v\n  first : ∀ j < result, xs[j]! ≠ v\n"
        "def validInput (xs : List Int) (v : Int) : Prop := v ∈ xs",
    ),
    (
        "a namespace",
        INDEX,
        "namespace IndexOf\n\nvariable (xs : List Int) (v : Int)\n\ndef precondition : Prop := v ∈ xs\n\n"
        "def postcondition (k : Nat) : Prop :=\n  k < xs.length ∧ xs[k]! = v ∧ ∀ j < k, xs[j]! ≠ v\n\nend IndexOf",
    ),
    (
        "sections, open, private",
        SORT,
        "open List\n\nsection\nprivate def up (l : List Int) : Prop := l.Pairwise (· ≤ ·)\n\n"
        "/-- The contract. -/\ndef sortUp_post (xs result : List Int) : Prop := up result ∧ result ~ xs\nend",
    ),
    (
        "result first",
        SWAP,
        "def swapPair_ensures (result : Bool × Nat) (p : Nat × Bool) : Prop := result.1 = p.2 ∧ result.2 = p.1",
    ),
    (
        "the function last",
        SWAP,
        "def swapPair_spec (p : Nat × Bool) (impl : Nat × Bool → Bool × Nat) : Prop := impl p = (p.2, p.1)",
    ),
    (
        "the function alone, inputs inside",
        QUOTIENT,
        "def quotient_spec (f : Nat → Nat → Nat) : Prop :=\n  ∀ a b : Nat, b > 0 → f a b * b ≤ a ∧ a < (f a b + 1) * b",
    ),
    (
        "prose around a block that is not closed",
        LARGER,
        "The result must exceed the input.\n\n```lean4\nimport Mathlib\n\n"
        "def larger_postcond (x : Int) (result : Int) : Prop :=\n  result > x\n",
    ),
    (
        "prose without fences",
        LARGER,
        "Here is a specification in Lean 4.\n\ndef larger_precond (x : Int) : Prop :=\n  True\n\n"
        "def larger_postcond (x result : Int) : Prop :=\n  x < result\n\nIt says that the result is larger.",
    ),
    (
        "draft and final version",
        LARGER,
        "First try:\n```lean\ndef larger_postcond (x result : Int) : Prop := result ≥ x\n```\n"
        "That admits x itself. Final:\n```lean\ndef larger_postcond (x result : Int) : Prop := result > x\n```",
    ),
    (
        "two blocks that belong together",
        SORT,
        "Helper:\n```lean\nimport Mathlib\ndef up (l : List Int) : Prop := l.Pairwise (· ≤ ·)\n```\nSpecification:\n"
        "```lean\nimport Mathlib\ndef sortUp_post (xs ys : List Int) : Prop := up ys ∧ ys.Perm xs\n```",
    ),
    (
        "reasoning before the answer",
        LARGER,
        "<think>def larger_postcond … hmm, what about zero?</think>\n```lean\n"
        "def larger_postcond (x result : Int) : Prop := result > x\n```",
    ),
    (
        "a contract with a theorem beside it",
        LARGER,
        "def larger_precond (x : Int) : Prop := True\ndef larger_postcond (x result : Int) : Prop := result > x\n\n"
        "theorem larger_meets_spec (x : Int) : larger_postcond x (larger x) := by\n  sorry",
    ),
    ("a theorem", LARGER, "theorem larger_gt (x : Int) : larger x > x := by sorry"),
    ("a theorem without proof", LARGER, "theorem larger_gt (x : Int) :\n    x < larger x"),
    ("a theorem with a proof", LARGER, "theorem larger_gt (x : Int) : larger x > x := by\n  unfold larger\n  omega"),
    ("an example", LARGER, "example (n : Int) : larger n > n := sorry"),
    ("inputs under forall", QUOTIENT, "theorem t : ∀ (a b : Nat), 0 < b → quotient a b = a / b := by sorry"),
    (
        "inputs in another order",
        INDEX,
        "theorem indexOf_spec (v : Int) (xs : List Int) (h : v ∈ xs) :\n    let k := indexOf xs v\n"
        "    k < xs.length ∧ xs[k]! = v ∧ ∀ j < k, xs[j]! ≠ v := by sorry",
    ),
    (
        "a named result",
        INDEX,
        "theorem indexOf_spec (xs : List Int) (v : Int) (k : Nat) (hv : v ∈ xs) (hk : indexOf xs v = k) :\n"
        "    k < xs.length ∧ xs[k]! = v ∧ ∀ j < k, xs[j]! ≠ v := by sorry",
    ),
    (
        "several theorems with one hypothesis",
        INDEX,
        "theorem in_range (xs : List Int) (v : Int) (h : v ∈ xs) : indexOf xs v < xs.length := by sorry\n\n"
        "theorem is_found (l : List Int) (w : Int) (hw : w ∈ l) : l[indexOf l w]! = w := by sorry\n\n"
        "theorem is_first (xs : List Int) (v : Int) (h : v ∈ xs) : ∀ j < indexOf xs v, xs[j]! ≠ v := by sorry",
    ),
    (
        "equations by cases",
        SORT,
        "theorem sort_nil : sortUp [] = [] := by sorry\n"
        "theorem sort_cons (a : Int) (l : List Int) :\n"
        "    (sortUp (a :: l)).Pairwise (· ≤ ·) ∧ (sortUp (a :: l)).Perm (a :: l) := by sorry",
    ),
    (
        "its own implementation",
        LARGER,
        "def larger (x : Int) : Int := x + 1\n\ntheorem larger_gt (x : Int) : larger x > x := by\n  simp [larger]",
    ),
    (
        "an axiom for the function",
        LARGER,
        "axiom larger : Int → Int\n\ntheorem larger_gt (x : Int) : larger x > x := by sorry",
    ),
    (
        "an opaque function in a namespace",
        LARGER,
        "namespace Solution\nopaque larger (x : Int) : Int\n\ntheorem larger_gt (x : Int) : larger x > x := by sorry\n"
        "end Solution\n\ntheorem again (x : Int) : Solution.larger x ≥ x + 1 := by sorry",
    ),
    ("another name for the function", LARGER, "theorem t (x : Int) : largerThan x > x := by sorry"),
    ("the function as a variable", LARGER, "variable (f : Int → Int)\n\ntheorem t (x : Int) : f x > x := by sorry"),
    ("a letter for the function", LARGER, "theorem t (x : Int) : f x > x := by sorry"),
    (
        "through a definition",
        SORT,
        "def Correct (xs : List Int) : Prop := (sortUp xs).Pairwise (· ≤ ·) ∧ (sortUp xs).Perm xs\n\n"
        "theorem sortUp_correct (xs : List Int) : Correct xs := by sorry",
    ),
    ("a proposition about the function", LARGER, "def larger_ok : Prop := ∀ x : Int, larger x > x"),
    (
        "a definition over the inputs about the function",
        LARGER,
        "def larger_ok (x : Int) : Prop := larger x > x",
    ),
    (
        "a helper relation and a theorem",
        SORT,
        "def IsPermOf (l m : List Int) : Prop := ∀ z, l.count z = m.count z\n\n"
        "theorem sortUp_correct (xs : List Int) :\n"
        "    (sortUp xs).Pairwise (· ≤ ·) ∧ IsPermOf (sortUp xs) xs := by sorry",
    ),
    (
        "pre, post and the theorem that joins them",
        QUOTIENT,
        "def pre (a b : Nat) : Prop := b ≠ 0\ndef post (a b r : Nat) : Prop := r * b ≤ a ∧ a < (r + 1) * b\n"
        "theorem quotient_spec (a b : Nat) (h : pre a b) : post a b (quotient a b) := by sorry",
    ),
    ("an implicit input", LARGER, "theorem t {x : Int} : x < larger x := by sorry"),
    (
        "bounded and dependent binders",
        INDEX,
        "theorem t (xs : List Int) : ∀ v ∈ xs, ∃ h : indexOf xs v < xs.length, xs[indexOf xs v] = v ∧\n"
        "    ∀ j < indexOf xs v, xs[j]! ≠ v := by sorry",
    ),
    (
        "a proof in the statement",
        INDEX,
        "theorem t (xs : List Int) (v : Int) (h : v ∈ xs) (hne : 0 < xs.length) :\n"
        "    xs[0]'hne = xs[0] ∧ xs[indexOf xs v]? = some v ∧ ∀ j < indexOf xs v, xs[j]! ≠ v := by sorry",
    ),
    (
        "a relation with its precondition inside",
        QUOTIENT,
        "def quotient_spec (impl : Nat → Nat → Nat) (a b : Nat) : Prop :=\n  b ≠ 0 → ∃ r, impl a b = r ∧ r = a / b",
    ),
    (
        "a relation made of pre and post",
        QUOTIENT,
        "def quotient_pre (a b : Nat) : Prop := b ≠ 0\ndef quotient_post (a b r : Nat) : Prop := r = a / b\n"
        "def quotient_spec (impl : Nat → Nat → Nat) (a b : Nat) : Prop :=\n"
        "  quotient_pre a b → quotient_post a b (impl a b)",
    ),
    (
        "cases that each bind the input",
        LARGER,
        "theorem t : (∀ x : Int, 0 ≤ x → larger x > x) ∧ (∀ y : Int, y < 0 → y < larger y) := by sorry",
    ),
    (
        "equations at several points",
        LARGER,
        "theorem small : larger 1 = 2 ∧ larger 0 = 1 := by sorry\ntheorem t (x : Int) : larger x > x := by sorry",
    ),
    ("variables that Lean binds", QUOTIENT, "theorem t (h : 0 < b) : quotient a b = a / b := by sorry"),
    (
        "definitions inside before the point",
        SORT,
        "theorem t (l : List Int) :\n    let m := l\n    ∀ k : Nat, k = 0 →\n"
        "    (sortUp m).Pairwise (· ≤ ·) ∧ (sortUp m).Perm m := by sorry",
    ),
    (
        "a function among the inputs",
        FIRST,
        "theorem t (xs : List Nat) (p : Nat → Bool) : firstWith xs p = xs.find? p := by sorry",
    ),
    (
        "headings and a block a part",
        LARGER,
        "## Precondition\n\n```lean\ndef pre (x : Int) : Prop := True\n```\n\n## Postcondition\n\n```lean\n"
        "def post (x : Int) (result : Int) : Prop :=\n  result > x\n```\n\n### Notes\n- none",
    ),
    ("one line in backticks", LARGER, "Sure:\n\n`def larger_postcond (x r : Int) : Prop := x < r`"),
    (
        "a predicate of functions",
        QUOTIENT,
        "def IsQuot (g : Nat → Nat → Nat) : Prop := ∀ a b, b ≠ 0 → g a b = a / b\n\n"
        "theorem quotient_ok : IsQuot quotient := by sorry",
    ),
    (
        "opened for one theorem",
        SORT,
        "open List in\ntheorem t (xs : List Int) : sortUp xs ~ xs ∧ (sortUp <| xs).Pairwise (· ≤ ·) := by sorry",
    ),
    (
        "a result taken apart",
        SWAP,
        "theorem t (p : Nat × Bool) :\n  let (b, n) := swapPair p\n  b = p.2 ∧ n = p.1 := by sorry",
    ),
    (
        "an inductive relation",
        LARGER,
        "inductive Larger (x : Int) : Int → Prop where\n  | mk (r : Int) (h : x < r) : Larger x r",
    ),
    ("by equations", LARGER, "def larger_post : Int → Int → Prop\n  | x, r => r > x"),
    ("a lambda", LARGER, "def larger_post : Int → Int → Prop := fun x r => x < r"),
]
"""Replies that are contracts of their tasks and accept and reject as labelled: (what is special, task, reply)."""

REFUSED: list[tuple[str, Task, str, str, str]] = [
    ("a refusal", LARGER, "I am sorry, I cannot formalise this.", "no_output", "no Lean"),
    ("nothing", LARGER, "   \n", "no_output", "no Lean"),
    (
        "a statement of nothing",
        LARGER,
        "theorem larger_ok (x : Int) : True := by sorry",
        "not_well_formed",
        "speaks of larger",
    ),
    (
        "about another function",
        SORT,
        "theorem t (xs : List Int) : xs.reverse.reverse = xs := by sorry",
        "not_well_formed",
        "speaks of sortUp",
    ),
    ("an implementation alone", LARGER, "def larger (x : Int) : Int := x + 1", "not_well_formed", "defines none"),
    (
        "two that could be it",
        SORT,
        "def up (xs ys : List Int) : Prop := ys.Pairwise (· ≤ ·)\ndef same (xs ys : List Int) : Prop := ys.Perm xs",
        "unsupported",
        "same, up",
    ),
    ("sorry in a definition", LARGER, "def larger_post (x r : Int) : Prop := sorry", "not_well_formed", "sorry"),
    (
        "a sorry lemma that a definition uses",
        LARGER,
        "theorem cheat : 1 < [1].length := sorry\ndef larger_post (x r : Int) : Prop := r > x + [0, 1].get ⟨1, cheat⟩",
        "not_well_formed",
        "sorry",
    ),
    (
        "an axiom beside the contract",
        LARGER,
        "axiom h : 1 = 2\ndef larger_post (x r : Int) : Prop := r > x",
        "not_well_formed",
        "axiom",
    ),
    ("a command", LARGER, "def larger_post (x r : Int) : Prop := r > x\n#eval 1", "not_well_formed", "#eval"),
    (
        "an import in the middle",
        LARGER,
        "def a := 1\nimport Mathlib\ndef larger_post (x r : Int) : Prop := r > x",
        "not_well_formed",
        "import",
    ),
    (
        "an unknown module",
        LARGER,
        "import MyLib.Tools\ndef larger_post (x r : Int) : Prop := r > x",
        "not_well_formed",
        "MyLib",
    ),
    (
        "an end without beginning",
        LARGER,
        "def larger_post (x r : Int) : Prop := r > x\nend Larger",
        "not_well_formed",
        "end",
    ),
    ("no predicate", LARGER, "def larger_postcond (x r : Int) : Int := r - x", "not_well_formed", "not a predicate"),
    (
        "a theorem for all types",
        SORT,
        "theorem t {α : Type} [LinearOrder α] (xs : List α) : (sortUp xs).Perm xs := by sorry",
        "not_well_formed",
        "ismatch",
    ),
    (
        "arguments by name",
        QUOTIENT,
        "theorem t (a b : Nat) : quotient (a := a) (b := b) = a / b := by sorry",
        "unsupported",
        "by name",
    ),
    (
        "a function that is only said to exist",
        LARGER,
        "theorem t : ∃ larger : Int → Int, ∀ x, larger x > x := sorry",
        "unsupported",
        "bound inside",
    ),
    ("a theorem at other types", LARGER, "theorem t (s : String) : larger s > s := by sorry", "not_well_formed", ""),
    (
        "a notation",
        LARGER,
        'local notation a " beats " b => a > b\ndef larger_post (x r : Int) : Prop := r beats x',
        "unsupported",
        "notation",
    ),
]
"""Replies that are no contracts: (what is special, task, reply, outcome, part of the message)."""
