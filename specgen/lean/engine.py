"""The facade of the Lean engine: check a text, load it, and ask its predicates and functions about values.

Everything that evaluates takes limits and never raises for what the text says: an answer is a value, `Holds`, `Fails`,
or `UnknownOutcome` with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from specgen.lean import core, syntax
from specgen.lean.core import Const, Pi, Term
from specgen.lean.elab.commands import ElabResult, FileElab, imported
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import Session
from specgen.lean.elab.subst import subst
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant, Environment, LeanEnv, LibraryProtocol
from specgen.lean.eval.clauses import clause_spans, split_clauses
from specgen.lean.eval.compile import Compiler, Function
from specgen.lean.eval.guards import split_guard
from specgen.lean.eval.nodes import CAUGHT
from specgen.lean.eval.printing import Printer
from specgen.lean.eval.reading import NotPlainError, json_text, read_literal
from specgen.lean.eval.runtime import LOCK, EvalLimits, Unknown, UnknownKind, run_limited
from specgen.lean.eval.types import Types
from specgen.lean.eval.values import Arr, to_list
from specgen.lean.library.loader import environment
from specgen.lean.parser import parse_file, parse_term
from specgen.lean.source import Diagnostic

Verdict: TypeAlias = Literal["accepted", "rejected", "unsupported"]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What checking a text gave.

    `verdict` is `rejected` when there is an error of a kind other than `unsupported`, `unsupported` when there are only
    errors of that kind. `total` and `elaborated` count declarations; `runtime_s` is in seconds.
    """

    verdict: Verdict
    diagnostics: tuple[Diagnostic, ...]
    total: int
    elaborated: int
    runtime_s: float


@dataclass(frozen=True, slots=True)
class Holds:
    """The proposition is true."""


@dataclass(frozen=True, slots=True)
class Fails:
    """The proposition is false."""


@dataclass(frozen=True, slots=True)
class UnknownOutcome:
    """The engine does not know; `kind` is a kind of `Unknown`."""

    kind: UnknownKind
    message: str


Outcome: TypeAlias = Holds | Fails | UnknownOutcome

HOLDS = Holds()
FAILS = Fails()


@dataclass(frozen=True, slots=True)
class Clause:
    """One top-level conjunct of a predicate: its Lean text, and its outcome."""

    text: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A relational predicate as precondition and postcondition: names that `decide` and its like take.

    Attributes:
        precondition: a predicate over the inputs, empty for `True`.
        postcondition: a predicate over the function and the inputs.
        guards: the text of each premise of the precondition.
        unknown: why the predicate could not be taken apart; it is then its own postcondition, and what it asks of
            inputs is not known.
    """

    precondition: str
    postcondition: str
    guards: tuple[str, ...] = ()
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its type (a closed core term); `data` as in docs/engine.md."""

    type: Term
    data: Any


@dataclass(frozen=True, slots=True)
class EvalResult:
    """What `lean eval` prints: a value in Lean notation with its type, or why there is none."""

    status: Literal["value", "error", "unknown"]
    value: str = ""
    type: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FunctionSignature:
    """Explicit parameters (name and type as Lean text) and result type of a constant."""

    parameters: tuple[tuple[str, str], ...]
    result: str


class ReadError(Exception):
    """A text is not a closed Lean term of the type that was asked for, or has no value we can compute."""


_DEFAULT = EvalLimits()
_BASES: list[tuple[LibraryProtocol, Compiler]] = []


def _base_compiler(env: Environment) -> Compiler:
    """Return the compiler of a library's own definitions, shared by every text that uses the library."""
    for library, compiler in _BASES:
        if library is env.library:
            return compiler
    compiler = Compiler(Environment(env.lean, env.library))
    _BASES.append((env.library, compiler))
    return compiler


def check(text: str, env: LeanEnv) -> CheckReport:
    """Parse and elaborate a text; never raises for what the text says."""
    return load(text, env).report


def load(text: str, env: LeanEnv) -> Program:
    """Parse and elaborate a text once, for any number of questions."""
    start = time.perf_counter()
    with LOCK:
        parsed = parse_file(text)
        env = env.importing(imported(parsed.file))
        elab = FileElab(parsed.source, environment(env))
        try:
            result = elab.run(parsed.file)
        except RecursionError:
            deep = parsed.source.diagnostic("unsupported", "the text is nested too deeply", (0, 0))
            result = ElabResult(elab.env, (deep,), elab.total, elab.elaborated, tuple(elab.session.order))
    diagnostics = tuple(sorted([*parsed.diagnostics, *result.diagnostics], key=_place))
    kinds = {d.kind for d in diagnostics if d.severity == "error"}
    verdict: Verdict = "accepted" if not kinds else "unsupported" if kinds == {"unsupported"} else "rejected"
    report = CheckReport(verdict, diagnostics, result.total, result.elaborated, time.perf_counter() - start)
    return Program(text, env, report, result.names, parsed.file, elab)


def _place(d: Diagnostic) -> tuple[int, int]:
    return (d.start.line, d.start.column)


@dataclass
class Program:
    """A loaded text. Its methods may be called from any thread; evaluations run one at a time in a process."""

    source: str
    lean: LeanEnv
    report: CheckReport
    _names: tuple[str, ...]
    _file: syntax.File
    _elab: FileElab
    _compiler: Compiler = field(init=False)
    _types: dict[str, Term] = field(default_factory=dict)
    _clauses: dict[str, list[tuple[str, Function]]] = field(default_factory=dict)
    _forms: dict[str, NormalForm] = field(default_factory=dict)

    def __post_init__(self) -> None:
        env = self._elab.env
        self._compiler = Compiler(env, _base_compiler(env))

    # ---- core terms

    @property
    def environment(self) -> Environment:
        """The constants of the text on top of the library."""
        return self._elab.env

    @property
    def types(self) -> Types:
        """What answers questions about this text's core terms. Not for several threads at once."""
        return self._compiler.types

    def declare(self, name: str, value: Term) -> None:
        """Add a definition (a closed core term) under a name that no text can write, for `decide` and its like."""
        self._elab.env.constants[name] = Constant(name, "def", self.types.infer_type(value), value)

    # ---- names

    def names(self) -> tuple[str, ...]:
        """Return the constants that the text declares, in order."""
        return self._names

    def has(self, name: str) -> bool:
        """Tell whether the text declares a constant with a value."""
        found = self._elab.env.constants.get(name)
        return found is not None and found.value is not None

    def signature(self, name: str) -> FunctionSignature:
        """Return explicit parameters and result type; raises KeyError for a name that the text does not declare."""
        constant = self._elab.env.constants[name]
        te = self._elaborator([])
        xs, result = self._compiler.types.telescope(constant.type)
        parameters: list[tuple[str, str]] = []
        for x in xs:
            decl = self._compiler.types.decls[x.id]
            if decl.info == "explicit":
                parameters.append((x.name, te.show(decl.type)))
        return FunctionSignature(tuple(parameters), te.show(result))

    def commands(self) -> tuple[syntax.Command, ...]:
        """Return the commands of the text as parsed."""
        return self._file.commands

    def data_parameters(self, name: str) -> tuple[tuple[str, Term], ...]:
        """Return name and type of each parameter of a constant that is data: no types, instances of Prop, proofs.

        A type may mention parameters before it. Parameters that only the type's definition shows are included.
        """
        types = self._compiler.types
        xs, _ = types.telescope(self._full_type(name))
        return tuple([(x.name, types.local_type(x)) for x in xs if not types.erased(types.local_type(x))])

    def truth_kind(self, name: str) -> Literal["Prop", "Bool", ""]:
        """Tell what a constant returns on all its arguments: a proposition, a Bool, or (empty) something else."""
        types = self._compiler.types
        result = types.normal_type(types.telescope(self._full_type(name))[1])
        if isinstance(result, core.Sort):
            return "Prop" if result.is_prop else ""
        return "Bool" if isinstance(result, Const) and result.name == "Bool" else ""

    def _full_type(self, name: str) -> Term:
        """Return a constant's type with all parameters visible."""
        types = self._compiler.types
        xs, rest = types.telescope(self._elab.env.constants[name].type)
        opened = types.normal_type(rest)
        while isinstance(opened, Pi):
            more, rest = types.telescope(opened)
            xs += more
            opened = types.normal_type(rest)
        return types.mk_pi(xs, rest)

    def parameters_differ(self, name: str, wanted: Sequence[str | Term]) -> str:
        """Return how the data parameters of a constant differ from the wanted types, or an empty string."""
        found = self.data_parameters(name)
        if len(found) != len(wanted):
            return f"takes {len(found)} arguments, {len(wanted)} wanted"
        for i, ((_, have), want) in enumerate(zip(found, wanted, strict=True)):
            if not self.same_type(have, self.type(want)):
                show = self._elaborator([]).show
                text = want if isinstance(want, str) else show(want)
                return f"argument {i + 1} has type {show(have)}, {text} wanted"
        return ""

    def same_type(self, a: Term, b: Term) -> bool:
        """Tell whether two types are definitionally equal."""
        types = self._compiler.types
        if types.normal_type(a) == types.normal_type(b):
            return True
        if a.has_fvar or b.has_fvar:
            # A type that depends on a parameter: equal to a closed one by what it is, or not at all.
            return False
        with LOCK:
            return self._elaborator([]).is_defeq(a, b)

    def clause_texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a predicate's top-level conjuncts."""
        found = self._clauses.get(name)
        if found is None:
            try:
                with LOCK:
                    found = self._clauses[name] = self._split(name)
            except CAUGHT:
                return (name,)
        return tuple(text for text, _ in found)

    def normal_form(self, name: str) -> NormalForm:
        """Return a predicate over (function, inputs…) as precondition and postcondition (see `eval/guards.py`).

        What the predicate asks of the inputs alone, around its whole body, is the precondition; the postcondition is
        the rest, with the precondition taken for granted.
        """
        found = self._forms.get(name)
        if found is None:
            try:
                with LOCK:
                    found = self._take_apart(name)
            except CAUGHT as error:
                found = NormalForm("", name, unknown=_as_unknown(error).message)
            self._forms[name] = found
        return found

    def _take_apart(self, name: str) -> NormalForm:
        constant = self._constant(name)
        if constant.value is None:
            raise Unknown("unsupported", f"{name} has no definition")
        types = self._compiler.types
        parts = split_guard(types, constant.value)
        if parts.precondition is None:
            return NormalForm("", name)
        pre, post = f"{name} (precondition)", f"{name} (postcondition)"
        for label, value in ((pre, parts.precondition), (post, parts.postcondition)):
            type_ = types.infer_type(value)
            self._elab.env.constants[label] = Constant(label, "def", type_, value)
        return NormalForm(pre, post, tuple([self._show_body(g) for g in parts.guards]))

    # ---- elaboration of further terms

    def _elaborator(self, errors: list[ElabError]) -> TermElab:
        scope: Scope = self._elab.session.scope
        return Session(self._elab.env, scope, errors.append).elaborator()

    def _elaborate(self, text: str, expected: Term | None) -> Term:
        """Elaborate a closed term, or raise ReadError."""
        parsed = parse_term(text)
        if parsed.term is None:
            message = parsed.diagnostics[0].message if parsed.diagnostics else "not a term"
            raise ReadError(f"{_short(text)}: {message}")
        errors: list[ElabError] = []
        te = self._elaborator(errors)
        try:
            term = te.elab_term_ensuring(parsed.term, expected) if expected is not None else te.elab_term(parsed.term)
            te.synthesize(final=True)
            term = te.instantiate_mvars(term)
        except ElabError as error:
            raise ReadError(f"{_short(text)}: {error.message}") from error
        hard = [e for e in errors if e.severity == "error"]
        if hard:
            raise ReadError(f"{_short(text)}: {hard[0].message}")
        if term.has_mvar or term.has_fvar:
            raise ReadError(f"{_short(text)}: not a closed term")
        return term

    def type(self, text: str | Term) -> Term:
        """Return a type as a core term (one that is, as it stands); raises ReadError when the text is no type."""
        if isinstance(text, Term):
            return text
        found = self._types.get(text)
        if found is None:
            with LOCK:
                found = self._elaborate(text, core.TYPE)
            self._types[text] = found
        return found

    # ---- values

    def read(self, text: str, type_text: str | Term, limits: EvalLimits = _DEFAULT) -> Value:
        """Read a closed term as a value of a type; raises ReadError when it is none, or cannot be computed."""
        type_ = self.type(type_text)
        try:
            return Value(type_, read_literal(self._compiler.types, text, type_))
        except NotPlainError:
            pass
        with LOCK:
            term = self._elaborate(text, type_)
        outcome = self._run(lambda: self._value_of(term), limits)
        if isinstance(outcome, UnknownOutcome):
            raise ReadError(f"{_short(text)}: {outcome.kind}: {outcome.message}")
        return Value(type_, outcome[0])

    def read_json(self, value: Any, type_text: str | Term, limits: EvalLimits = _DEFAULT) -> Value:
        """Read a JSON value exactly: lists by element, numbers and booleans as they stand; a string is a Lean term
        unless the type is String or Char."""
        type_ = self.type(type_text)
        return Value(type_, self._json(value, type_, limits))

    def _json(self, value: Any, type_: Term, limits: EvalLimits) -> Any:
        head, args = core.unfold_app(self._compiler.types.normal_type(type_))
        name = head.name if isinstance(head, Const) else ""
        if isinstance(value, list) and name in ("List", "Array"):
            items = [self._json(v, args[0], limits) for v in value]
            return to_list(items) if name == "List" else Arr(items)
        if isinstance(value, list) and name == "Prod" and len(value) == 2:
            return (self._json(value[0], args[0], limits), self._json(value[1], args[1], limits))
        if name == "Option" and (value is None or not isinstance(value, str)):
            return None if value is None else (self._json(value, args[0], limits),)
        text = json_text(value, name)
        if text is None:
            raise ReadError(f"a JSON {type(value).__name__} for {self._elaborator([]).show(type_)}")
        try:
            return read_literal(self._compiler.types, text, type_)
        except NotPlainError:
            pass
        with LOCK:
            term = self._elaborate(text, type_)
        outcome = self._run(lambda: self._value_of(term), limits)
        if isinstance(outcome, UnknownOutcome):
            raise ReadError(f"{_short(text)}: {outcome.kind}: {outcome.message}")
        return outcome[0]

    def text(self, value: Value, limits: EvalLimits = _DEFAULT) -> str:
        """Return a value in Lean notation; raises ReadError for one that has none (a function)."""
        printer = Printer(self._compiler.types)
        outcome = self._run(lambda: printer.show(value.type, value.data), limits)
        if isinstance(outcome, UnknownOutcome):
            raise ReadError(outcome.message)
        return str(outcome[0])

    def function(self, type_text: str | Term, call: Callable[..., Value]) -> Value:
        """Return a function value backed by Python.

        `call` gets a Value for each explicit argument of the type that is data, and returns a Value of the result type;
        it may raise `Unknown`.
        """
        type_ = self.type(type_text)
        xs, _ = self._compiler.types.telescope(self._compiler.types.normal_type(type_))
        types = [self._compiler.types.local_type(x) for x in xs]
        mask = tuple([not self._compiler.types.erased(t) for t in types])
        kept = [t for t, keep in zip(types, mask, strict=True) if keep]

        def apply(*data: Any) -> Any:
            return call(*[Value(t, d) for t, d in zip(kept, data, strict=True)]).data

        from specgen.lean.eval.nodes import curried

        return Value(type_, curried(apply, mask))

    def function_type(self, type_text: str | Term) -> FunctionSignature:
        """Return the explicit data parameters and the result of a function type; parameter names may be invented."""
        types = self._compiler.types
        te = self._elaborator([])
        xs, result = types.telescope(types.normal_type(self.type(type_text)))
        kept = [x for x in xs if not types.erased(types.local_type(x))]
        return FunctionSignature(tuple([(x.name, te.show(types.local_type(x))) for x in kept]), te.show(result))

    def function_result(self, type_text: str | Term) -> Term:
        """Return the result type of a function type."""
        types = self._compiler.types
        return types.normal_type(types.telescope(types.normal_type(self.type(type_text)))[1])

    def library_type(self, type_: Term) -> tuple[str, tuple[Term, ...]]:
        """Return head and arguments of a type of the library; an empty name for other types."""
        fn, args = core.unfold_app(self._compiler.types.normal_type(type_))
        known = isinstance(fn, core.Const) and fn.name not in self._compiler.env.constants
        return (fn.name if isinstance(fn, core.Const) and known else ""), args

    def apply(self, name: str, arguments: Sequence[Value]) -> Value:
        """Apply a function of the text inside an evaluation that is under way; raises `Unknown`."""
        data = self._apply(self._constant(name), arguments)
        return Value(self._result_type(name, len(arguments)), data)

    # ---- questions

    def decide(self, name: str, arguments: Sequence[Value], limits: EvalLimits = _DEFAULT) -> Outcome:
        """Apply a predicate to values for its explicit data parameters (proofs are left out)."""
        outcome = self._run(lambda: self._apply(self._constant(name), arguments), limits)
        return _truth(outcome)

    def decide_clauses(
        self, name: str, arguments: Sequence[Value], limits: EvalLimits = _DEFAULT
    ) -> tuple[Clause, ...]:
        """Decide each top-level conjunct of a predicate on its own, each with the whole limits."""
        found = self._clauses.get(name)
        if found is None:
            try:
                with LOCK:
                    found = self._split(name)
            except CAUGHT as error:
                return (Clause(name, _as_unknown(error)),)
            self._clauses[name] = found
        out: list[Clause] = []
        data = [v.data for v in arguments]
        for text, function in found:

            def run(function: Function = function) -> Any:
                return _call(function, data)

            out.append(Clause(text, _truth(self._run(run, limits))))
        return tuple(out)

    def _split(self, name: str) -> list[tuple[str, Function]]:
        constant = self._constant(name)
        if constant.value is None:
            raise Unknown("unsupported", f"{name} has no definition")
        parts = split_clauses(self._compiler.types, constant.value)
        texts = self._clause_texts(name, parts)
        out: list[tuple[str, Function]] = []
        for i, (part, text) in enumerate(zip(parts, texts, strict=True)):
            clause = Constant(f"{name} (clause {i + 1})", "def", constant.type, part)
            out.append((text, self._compiler.definition(clause)))
        return out

    def _clause_texts(self, name: str, parts: list[Term]) -> list[str]:
        """Return the clauses as written where the text splits in the same way, else as the engine prints them."""
        body = _body_of(self._file, name.removesuffix(" (postcondition)"))
        if body is not None:
            spans = clause_spans(body)
            if len(spans) == len(parts):
                return [" ".join(self.source[a:b].split()) for a, b in spans]
        return [self._show_body(part) for part in parts]

    def _show_body(self, part: Term) -> str:
        """Return the text of a closed predicate's body."""
        te = self._elaborator([])
        while isinstance(part, core.Lam):
            part = subst(part.body, (te.local(part.name, part.type),))
        return te.show(part)

    def run(self, name: str, arguments: Sequence[Value], limits: EvalLimits = _DEFAULT) -> Value | UnknownOutcome:
        """Apply a function to values for its explicit data parameters."""
        outcome = self._run(lambda: self._apply(self._constant(name), arguments), limits)
        if isinstance(outcome, UnknownOutcome):
            return outcome
        return Value(self._result_type(name, len(arguments)), outcome[0])

    def function_value(self, name: str) -> Value | UnknownOutcome:
        """Return a function of the text as a value (to pass to a relational contract)."""
        outcome = self._run(lambda: self._compiler.definition(self._constant(name)).function_value(), _DEFAULT)
        if isinstance(outcome, UnknownOutcome):
            return outcome
        return Value(self._elab.env.constants[name].type, outcome[0])

    def evaluate(self, text: str, limits: EvalLimits = _DEFAULT) -> EvalResult:
        """Elaborate and evaluate a closed term, as `#eval` does."""
        try:
            with LOCK:
                term = self._elaborate(text, None)
                types = self._compiler.types
                type_ = types.type_of(term)
                if type_ is None:
                    raise ReadError("the type of the term is not known")
                shown = self._elaborator([]).show(type_)
        except ReadError as error:
            return EvalResult("error", reason=str(error))

        def action() -> str:
            value = self._compiler.expression(term)()
            if isinstance(type_, core.Sort) and type_.is_prop:
                return "true" if value else "false"
            return Printer(self._compiler.types).show(type_, value)

        outcome = self._run(action, limits)
        if isinstance(outcome, UnknownOutcome):
            return EvalResult("unknown", type=shown, reason=f"{outcome.kind}: {outcome.message}")
        return EvalResult("value", str(outcome[0]), shown)

    # ---- inside

    def _value_of(self, term: Term) -> Any:
        return self._compiler.expression(term)()

    def _constant(self, name: str) -> Constant:
        found = self._elab.env.get(name)
        if found is None:
            raise Unknown("unsupported", f"{name} is not declared")
        return found

    def _apply(self, constant: Constant, arguments: Sequence[Value]) -> Any:
        return _call(self._compiler.definition(constant), [v.data for v in arguments])

    def _result_type(self, name: str, given: int) -> Term:
        types = self._compiler.types
        type_ = types.normal_type(self._constant(name).type)
        while isinstance(type_, Pi):
            if not types.erased(type_.type):
                if given == 0:
                    break
                given -= 1
            type_ = types.normal_type(subst(type_.body, (types.local(type_.name, type_.type, type_.info),)))
        return type_

    def _run(self, action: Callable[[], Any], limits: EvalLimits) -> tuple[Any] | UnknownOutcome:
        try:
            return (run_limited(action, limits),)
        except CAUGHT as error:
            return _as_unknown(error)
        except MemoryError:
            return UnknownOutcome("memory", "out of memory")


def _call(function: Function, data: Sequence[Any]) -> Any:
    """Call a compiled definition with its data arguments; more than it takes go to the function it returns."""
    n = function.arity
    if len(data) < n:
        raise Unknown("unsupported", f"{function.name} takes {n} arguments, {len(data)} given")
    result = function.call(*data[:n])
    for x in data[n:]:
        result = result(x)
    return result


def _truth(outcome: tuple[Any] | UnknownOutcome) -> Outcome:
    if isinstance(outcome, UnknownOutcome):
        return outcome
    value = outcome[0]
    if value is True:
        return HOLDS
    if value is False:
        return FAILS
    return UnknownOutcome("unsupported", "the predicate gave no truth value")


def _as_unknown(error: BaseException) -> UnknownOutcome:
    if isinstance(error, Unknown):
        return UnknownOutcome(error.kind, error.message)
    if isinstance(error, RecursionError):
        return UnknownOutcome("depth", "recursion nested too deeply")
    return UnknownOutcome("unsupported", f"evaluation stopped: {type(error).__name__}: {error}")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _body_of(file: syntax.File, name: str) -> syntax.Term | None:
    """Return the body of a definition as written, when it is one term."""
    for command in file.commands:
        if isinstance(command, syntax.Declaration) and command.name.rpartition(".")[2] == name.rpartition(".")[2]:
            return command.value
    return None


__all__ = [
    "CheckReport",
    "Clause",
    "EvalLimits",
    "EvalResult",
    "Fails",
    "FunctionSignature",
    "Holds",
    "NormalForm",
    "Outcome",
    "Program",
    "ReadError",
    "Unknown",
    "UnknownOutcome",
    "Value",
    "check",
    "load",
]
