"""The comparison of two contracts for z3: statements, hypotheses, and the questions to the solver.

What is asked is whether hypotheses and the negation of a conclusion can hold together. Hypotheses are those of the
statement, the domains of inputs and result, and facts of Lean (`smt_translate.Fact`); dropping any of them is sound.
A conclusion that is a conjunction is asked conjunct by conjunct. Two function values whose bodies are equal for all
arguments are the same function, so such pairs are looked for first and their equality added.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import z3

from evaluators.equivalence import smt_arith, smt_lists
from evaluators.equivalence.fields import may_be_opaque
from evaluators.equivalence.model import Direction, Hint, Side
from evaluators.equivalence.smt import NotProved, ProofResult, Proved, SmtLimits
from evaluators.equivalence.smt_core import Budget, BudgetSpent, OutsideFragment, Reader
from evaluators.equivalence.smt_kinds import Expr, Kind
from evaluators.equivalence.smt_translate import Fact, Function, Shared, Translator
from specgen.lean.core import FVar, Pi, Proof, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import IllTyped
from specgen.lean.eval.runtime import LOCK

RULES = {**smt_arith.RULES, **smt_lists.RULES}
_HANDLED = frozenset(RULES)
_MERGE_MS = 150
_MAX_MERGES = 60

Part = Literal["pre", "post"]


def failure(error: Exception, seconds: float) -> NotProved:
    """Return what an exception of a translation or of the solver means; raises one that is a fault of ours."""
    match error:
        case OutsideFragment():
            return NotProved("outside_fragment", str(error), seconds=seconds)
        case BudgetSpent():
            return NotProved("gave_up", str(error), seconds=seconds)
        case ElabError() | IllTyped():
            return NotProved("outside_fragment", f"a term whose type cannot be found: {error}", seconds=seconds)
        case z3.Z3Exception():
            kind: Literal["gave_up", "outside_fragment"] = "gave_up" if "memory" in str(error) else "outside_fragment"
            return NotProved(kind, f"z3: {error}", seconds=seconds)
        case RecursionError():
            return NotProved("gave_up", "nested too deeply", seconds=seconds)
        case MemoryError():
            return NotProved("gave_up", "out of memory", seconds=seconds)
        case _:
            raise error


@dataclass
class _Loaded:
    """One side's translator and the formulas of its parts."""

    side: Side
    translator: Translator
    formulas: dict[Part, Expr | Exception] = field(default_factory=dict)


class Comparison:
    """Two contracts translated together, for questions about their directions."""

    def __init__(self, reference: Side, candidate: Side, limits: SmtLimits) -> None:
        self._limits = limits
        if reference.program.lean.version != candidate.program.lean.version:
            raise OutsideFragment("contracts for different versions of Lean")
        self._ctx = z3.Context()
        self._budget = Budget(limits.nodes, time.monotonic() + limits.translation_s)
        self._shared = Shared(self._ctx, self._budget)
        self._inputs: list[Expr] | None = None
        self._result: Expr | None = None
        self._sides = {"reference": self._load(reference), "candidate": self._load(candidate)}
        with LOCK:
            for loaded in self._sides.values():
                loaded.formulas["post"] = self._try(loaded, "post")
            for loaded in self._sides.values():
                loaded.formulas["pre"] = self._try(loaded, "pre")
        self._merged = False

    # ---- translation

    def _load(self, side: Side) -> _Loaded:
        reader = Reader(side.program.environment, _HANDLED, self._budget, may_be_opaque(side.program.source))
        return _Loaded(side, Translator(self._shared, reader, RULES))

    def _try(self, loaded: _Loaded, part: Part) -> Expr | Exception:
        try:
            return self._formula(loaded, part)
        except (OutsideFragment, BudgetSpent, ElabError, IllTyped, z3.Z3Exception, RecursionError) as error:
            return error

    def _formula(self, loaded: _Loaded, part: Part) -> Expr:
        form = loaded.side.form
        if form.unknown and part == "pre":
            raise OutsideFragment(f"what the contract asks of inputs is not known: {form.unknown}")
        name = form.precondition if part == "pre" else form.postcondition
        if not name:
            return z3.BoolVal(True, self._ctx)
        tr = loaded.translator
        constant = tr.reader.constant(name)
        if constant.value is None or constant.recursive or constant.sorry:
            raise OutsideFragment(f"{name} has no definition that can be unfolded")
        arguments, data = _parameters(tr.reader, constant.type)
        if part == "post" and loaded.side.relational:
            self._bind_implementation(tr, data)
            data = data[1:]
        elif part == "post":
            self._bind_result(tr, data[-1:])
            data = data[:-1]
        self._bind_inputs(tr, data)
        return tr.expr(beta(constant.value, arguments))

    def _bind_inputs(self, tr: Translator, xs: list[FVar]) -> None:
        kinds = [tr.kind(tr.reader.types.local_type(x)) for x in xs]
        if self._inputs is None:
            self._inputs = [self._shared.variable(k, f"x{i}") for i, k in enumerate(kinds)]
        self._same(kinds, self._inputs, "inputs")
        for x, value in zip(xs, self._inputs, strict=True):
            tr.values[x.id] = value

    def _bind_result(self, tr: Translator, xs: list[FVar]) -> None:
        if not xs:
            raise OutsideFragment("a postcondition without a result")
        kind = tr.kind(tr.reader.types.local_type(xs[0]))
        tr.values[xs[0].id] = self._result_of(kind)

    def _result_of(self, kind: Kind) -> Expr:
        if self._result is None:
            self._result = self._shared.variable(kind, "y")
        self._same([kind], [self._result], "results")
        return self._result

    def _bind_implementation(self, tr: Translator, data: list[FVar]) -> None:
        """Let the first parameter stand for the implementation: a symbol over the inputs' sorts."""
        if not data:
            raise OutsideFragment("a relational contract without an implementation")
        kind = tr.kind(tr.reader.types.local_type(data[0]))
        inputs = [tr.kind(tr.reader.types.local_type(x)) for x in data[1:]]
        if kind.shape != "fn" or [k.name for k in kind.args[:-1]] != [k.name for k in inputs]:
            raise OutsideFragment("an implementation that takes other things than the inputs")
        result = self._result_of(kind.args[-1])
        if self._shared.implementation is None:
            self._shared.implementation = z3.Function("impl", *[k.sort for k in inputs], result.sort())
        tr.implementation = data[0].id
        # Elsewhere, too, its value is one of the result's type.
        tr.implementation_result = kind.args[-1]

    def _same(self, kinds: list[Kind], values: list[Expr], what: str) -> None:
        known = [self._shared.variables[v.decl().name()].name for v in values]
        if [k.name for k in kinds] != known:
            raise OutsideFragment(f"{what} of different types")

    # ---- questions

    def prove(self, direction: Direction) -> ProofResult:
        """Try to prove one direction."""
        began = time.perf_counter()
        part: Part = "pre" if direction.startswith("pre") else "post"
        names = ("reference", "candidate") if direction.endswith("forward") else ("candidate", "reference")
        first, second = (self._get(name, part) for name in names)
        hypotheses = [first]
        reference = self._sides["reference"]
        if part == "post" and not reference.side.form.unknown:
            found = reference.formulas["pre"]
            if not isinstance(found, Exception):  # without it what is proved is only stronger
                hypotheses.append(found)
        with LOCK:
            outcome, model = self._valid(hypotheses, second, began + self._limits.timeout_s)
        seconds = time.perf_counter() - began
        exact = not self._shared.abstract and not self._shared.quantified and self._shared.implementation is None
        if outcome == z3.unsat:
            return Proved("z3", seconds, "uninterpreted" if self._shared.abstract else "exact")
        if outcome == z3.sat:
            return NotProved("not_valid_in_fragment", self._sat_reason(), self._hint(model, part), seconds)
        return NotProved("gave_up", "z3 does not know" if not exact else "z3 ran out of time", None, seconds)

    def _get(self, name: str, part: Part) -> Expr:
        found = self._sides[name].formulas[part]
        if isinstance(found, Exception):
            raise found
        return found

    def _sat_reason(self) -> str:
        if not self._shared.abstract:
            return "z3 found values for which it fails"
        return "fails for some interpretation of " + ", ".join(sorted(self._shared.abstract - {"own"})[:6])

    def _solver(self, milliseconds: float) -> Any:
        solver = z3.Solver(ctx=self._ctx)
        solver.set("timeout", max(1, int(milliseconds)))
        solver.set("random_seed", self._limits.seed)
        solver.set("max_memory", self._limits.memory_mb)
        return solver

    def _valid(self, hypotheses: list[Expr], goal: Expr, deadline: float) -> tuple[Any, Any]:
        """Return `unsat` when the goal follows; `sat` with a model, or `unknown`, for the first conjunct that does not
        follow."""
        given = {h.get_id() for hypothesis in hypotheses for h in _conjuncts(hypothesis)}
        goals = [g for g in _conjuncts(goal) if g.get_id() not in given and not z3.is_true(g)]
        if not goals:
            return z3.unsat, None
        if not self._merged:
            self._merge(min(deadline, time.perf_counter() + self._limits.timeout_s / 2))
            self._merged = True
        base = [*self._base(), *hypotheses]
        for g in goals:
            solver = self._solver((deadline - time.perf_counter()) * 1000)
            solver.add(*base, z3.Not(g))
            outcome = solver.check()
            if outcome != z3.unsat:
                return outcome, solver.model() if outcome == z3.sat else None
        return z3.unsat, None

    def _base(self) -> list[Expr]:
        """Return what holds anyway: domains, f x = y, facts."""
        constants = [*(self._inputs or ()), *([self._result] if self._result is not None else ())]
        out = self._shared.domain(constants)
        if self._shared.implementation is not None and self._inputs is not None:
            out.append(self._shared.implementation(*self._inputs) == self._result)
        seen: set[int] = set()
        for fact in self._shared.facts:
            formula = self._closed(fact)
            if formula.get_id() not in seen:
                seen.add(formula.get_id())
                out.append(formula)
        return out

    def _closed(self, fact: Fact) -> Expr:
        """Return a fact as a formula: for all values of the variables that binders introduced."""
        variables = list({v.get_id(): v for v in fact.variables}.values())
        if not variables:
            return fact.formula
        domain = self._shared.domain(variables)
        named = [z3.Const(f"f{i}", v.sort()) for i, v in enumerate(variables)]
        pairs = list(zip(variables, named, strict=True))
        body = z3.substitute(z3.Implies(z3.And(*domain), fact.formula) if domain else fact.formula, *pairs)
        trigger = z3.substitute(fact.trigger, *pairs)
        in_trigger = {c.get_id() for c in self._shared.free(fact.trigger)}
        if _is_trigger(trigger) and all(v.get_id() in in_trigger for v in variables):
            return z3.ForAll(named, body, patterns=[z3.MultiPattern(trigger)])
        return z3.ForAll(named, body)

    # ---- function values

    def _merge(self, deadline: float) -> None:
        """Add that function values are equal whose bodies are, for every argument and everything they capture."""
        functions = list(self._shared.functions.values())
        asked = 0
        for a, b in combinations(functions, 2):
            if a.kind.name != b.kind.name or len(a.binders) != len(b.binders) or asked >= _MAX_MERGES:
                continue
            if time.perf_counter() > deadline:
                return
            for left, right in _pairings(a, b):
                asked += 1
                if self._equal_bodies(a, b, left, right):
                    self._shared.facts.append(
                        Fact(a.symbol(*left) == b.symbol(*right), a.symbol(*left), self._bound([*left, *right]))
                    )

    def _bound(self, constants: list[Expr]) -> tuple[Expr, ...]:
        fixed = {c.get_id() for c in (*(self._inputs or ()), *([self._result] if self._result is not None else ()))}
        return tuple(c for c in constants if c.get_id() not in fixed)

    def _equal_bodies(self, a: Function, b: Function, left: tuple[Expr, ...], right: tuple[Expr, ...]) -> bool:
        binders = [(x, y) for x, y in zip(b.binders, a.binders, strict=True)]
        body = z3.substitute(a.body, *zip(a.captures, left, strict=True)) if left else a.body
        other = z3.substitute(b.body, *binders, *zip(b.captures, right, strict=True))
        constants = list({c.get_id(): c for c in [*a.binders, *left, *right]}.values())
        solver = self._solver(_MERGE_MS)
        solver.add(*self._base(), *self._shared.domain(constants), body != other)
        return bool(solver.check() == z3.unsat)

    # ---- hints

    def _hint(self, model: Any, part: Part) -> Hint | None:
        """Return the model's inputs and result in Lean notation, where it is one of the statement as it is meant."""
        if self._shared.abstract or self._shared.quantified or self._inputs is None:
            return None
        texts = [_lean(model, v, self._shared.variables[v.decl().name()]) for v in self._inputs]
        output = None
        if part == "post" and self._result is not None:
            output = _lean(model, self._result, self._shared.variables["y"])
            if output is None:
                return None
        if any(t is None for t in texts):
            return None
        return Hint(tuple([t for t in texts if t is not None]), output)


def _pairings(a: Function, b: Function) -> list[tuple[tuple[Expr, ...], tuple[Expr, ...]]]:
    """Return the captured values for which two function values are worth comparing."""
    if [k.name for k in a.capture_kinds] == [k.name for k in b.capture_kinds]:
        return [(a.captures, a.captures)]
    return [(left, right) for left in a.instances[:2] for right in b.instances[:2]]


def _parameters(reader: Reader, type_: Term) -> tuple[list[Term], list[FVar]]:
    """Return arguments for all parameters of a predicate, and the variables among them that are data."""
    types = reader.types
    arguments: list[Term] = []
    data: list[FVar] = []
    t = types.normal_type(type_)
    while isinstance(t, Pi):
        given: Term
        if types.is_proposition(t.type):
            given = Proof(t.type)
        elif types.erased(t.type) or reader.is_class(t.type):
            raise OutsideFragment("a contract for all types or instances")
        else:
            given = types.local(t.name, t.type)
            data.append(given)
        arguments.append(given)
        t = types.normal_type(subst(t.body, (given,)))
    return arguments, data


def _is_trigger(e: Expr) -> bool:
    """Tell whether z3 takes an expression as a pattern: symbols applied, without conditions inside."""
    if not z3.is_app(e) or (e.num_args() and z3.is_bool(e) and e.decl().kind() != z3.Z3_OP_UNINTERPRETED):
        return False
    return not z3.is_app_of(e, z3.Z3_OP_ITE) and all(_is_trigger(c) for c in e.children())


def _conjuncts(e: Expr) -> list[Expr]:
    if z3.is_and(e):
        return [c for child in e.children() for c in _conjuncts(child)]
    return [e]


def _lean(model: Any, value: Expr, kind: Kind) -> str | None:
    """Return a value of a model in Lean notation; None where it has none."""
    v = model.eval(value, model_completion=True)
    if kind.name in ("Nat", "Int") and z3.is_int_value(v):
        return str(v.as_long())
    if kind.name == "Char" and z3.is_int_value(v):
        return f"Char.ofNat {v.as_long()}"
    if kind.name == "Bool":
        return "true" if z3.is_true(v) else "false"
    if kind.name == "Rat" and z3.is_rational_value(v):
        n, d = v.numerator_as_long(), v.denominator_as_long()
        return str(n) if d == 1 else f"{n}/{d}"
    return None
