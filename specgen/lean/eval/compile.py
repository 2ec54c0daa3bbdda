"""Core terms to Python closures.

A definition is compiled once per environment, when it is first called; constants of the library are compiled once per
library and shared. Erased terms (types, proofs, Decidable instances) are not compiled at all: a known constant is
called with its relevant arguments only, a function value with every argument, the erased ones as None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from specgen.lean.core import App, Const, FVar, Lam, Let, Lit, Match, Pi, Proj, Proof, Sort, Term
from specgen.lean.elab.subst import subst
from specgen.lean.environment import Constant, Environment
from specgen.lean.eval import nodes
from specgen.lean.eval.nodes import LOOP, Code, Frame
from specgen.lean.eval.runtime import METER, Unknown, UnknownKind, refill
from specgen.lean.eval.types import Types, lambda_telescope
from specgen.lean.library.prims.registry import primitives


class Scope:
    """The variables of one function body, by slot of its frame; variables of enclosing bodies are captured on use."""

    __slots__ = ("captures", "function", "parent", "size", "slots")

    def __init__(self, parent: Scope | None = None, function: Function | None = None) -> None:
        self.parent = parent
        self.function = function
        self.slots: dict[int, int] = {}
        self.captures: list[tuple[int, int]] = []
        self.size = 0

    def fresh(self) -> int:
        """Return a new slot."""
        self.size += 1
        return self.size - 1

    def bind(self, fvar: FVar) -> int:
        """Give a variable a new slot."""
        at = self.fresh()
        self.slots[fvar.id] = at
        return at

    def find(self, fvar: FVar) -> int | None:
        """Return a variable's slot, capturing it from an enclosing body when need be."""
        at = self.slots.get(fvar.id)
        if at is not None:
            return at
        outer = self.parent.find(fvar) if self.parent is not None else None
        if outer is None:
            return None
        at = self.bind(fvar)
        self.captures.append((outer, at))
        return at


class Function:
    """A compiled definition: `mask` says which of its parameters are kept, `arity` counts those.

    `body` runs on a frame made of the arguments and `pad`. A definition without kept parameters is a value, computed
    when first used.
    """

    __slots__ = ("arity", "body", "has_value", "loops", "mask", "name", "pad", "value")

    def __init__(self, name: str, mask: tuple[bool, ...]) -> None:
        self.name = name
        self.mask = mask
        self.arity = sum(mask)
        self.body: Code = nodes.failing("unsupported", f"{name} is not compiled yet")
        self.pad: list[None] = []
        self.loops = False
        self.has_value = False
        self.value: Any = None

    def call(self, *args: Any) -> Any:
        """Call it with the kept arguments."""
        METER.slice -= 1
        if METER.slice < 0:
            refill()
        return self.body([*args, *self.pad])

    def constant(self) -> Any:
        """Return the value of a definition without kept parameters."""
        if not self.has_value:
            self.value = self.call()
            self.has_value = True
        return self.value

    def function_value(self) -> Any:
        """Return it as a curried function over all its parameters."""
        return nodes.curried(self.call, self.mask)

    def seal(self, body: Code, size: int) -> None:
        """Set the compiled body."""
        self.pad = [None] * (size - self.arity)
        self.body = _looping(body) if self.loops else body


def _looping(body: Code) -> Code:
    def run(fr: Frame) -> Any:
        while True:
            result = body(fr)
            if result is not LOOP:
                return result
            METER.slice -= 1
            if METER.slice < 0:
                refill()

    return run


class Compiler:
    """Compiles terms in one environment; `base` compiles those of the library beneath it."""

    def __init__(self, env: Environment, base: Compiler | None = None) -> None:
        self.env = env
        self.base = base
        self.types = Types(env)
        self.prims = primitives()
        self.functions: dict[str, Function] = {}
        self.erased_vars: set[int] = set()
        self.relations: dict[tuple[str, tuple[bool, ...]], Any] = {}
        """Inductive predicates compiled so far, by name and mode (`quantifiers/relations.py`)."""
        self.circle: Any = None
        """The questions about them that are open (`relations.Circle`)."""

    # ---- definitions

    def function(self, constant: Constant) -> Function:
        """Return the compiled form of a definition with a value."""
        name = constant.name
        if self.base is not None and name not in self.env.constants:
            return self.base.function(constant)
        found = self.functions.get(name)
        return self.definition(constant) if found is None else found

    def definition(self, constant: Constant) -> Function:
        """Compile a definition here, under its name."""
        found = self.functions.get(constant.name)
        if found is not None:
            return found
        value = constant.value
        if value is None:
            raise Unknown("unsupported", f"{constant.name} has no definition")
        params, body = lambda_telescope(self.types, value)
        mask = tuple([self._declare(x) for x in params])
        function = Function(constant.name, mask)
        self.functions[constant.name] = function

        def first(fr: Frame) -> Any:
            """Compile the body when it is first run: most of what a text reaches is never called."""
            scope = Scope(None, function)
            for x, keep in zip(params, mask, strict=True):
                if keep:
                    scope.bind(x)
            function.seal(self.code(body, scope, tail=True), scope.size)
            return function.body([*fr, *function.pad])

        function.body = first
        return function

    def _declare(self, x: FVar) -> bool:
        """Note whether a variable is erased; returns whether it is kept."""
        if self.types.erased(self.types.local_type(x)):
            self.erased_vars.add(x.id)
            return False
        return True

    def expression(self, term: Term) -> Callable[[], Any]:
        """Compile a closed term; returns a function that evaluates it."""
        scope = Scope()
        code = self.code(term, scope)
        size = scope.size

        return lambda: code([None] * size)

    # ---- terms

    def code(self, term: Term, scope: Scope, tail: bool = False) -> Code:
        """Compile a term; `tail` says that its value is the value of the function body."""
        match term:
            case FVar():
                return self._variable(term, scope)
            case Lit():
                return nodes.constant(term.value)
            case App() | Const():
                from specgen.lean.eval.application import compile_application

                return compile_application(self, term, scope, tail)
            case Lam():
                return self._lambda(term, scope)
            case Let():
                return self._let(term, scope, tail)
            case Match():
                from specgen.lean.eval.matching import compile_match

                return compile_match(self, term, scope, tail)
            case Pi():
                from specgen.lean.eval.quantifiers import compile_pi

                return compile_pi(self, term, scope)
            case Proj():
                return self.project(term.struct, term.index, self.code(term.target, scope))
            case Proof():
                return self._proof(term)
            case Sort():
                return nodes.constant(None)
            case _:
                return nodes.failing("unsupported", f"a term of kind {type(term).__name__}")

    def _variable(self, term: FVar, scope: Scope) -> Code:
        if term.id in self.erased_vars:
            return nodes.constant(None)
        at = scope.find(term)
        if at is not None:
            return nodes.slot(at)
        value = self.types.decls[term.id].value
        if value is not None:
            return self.code(value, scope)
        return nodes.failing("unsupported", f"variable {term.name} is not bound")

    def _proof(self, term: Proof) -> Code:
        if not term.type.has_mvar and self.types.erased(term.type):
            return nodes.constant(None)
        if term.sorry:
            return nodes.failing("sorry", "the definition uses sorry")
        return nodes.failing("unsupported", "a tactic block stands for data")

    def _lambda(self, term: Lam, scope: Scope) -> Code:
        params, body = lambda_telescope(self.types, term)
        inner = Scope(scope)
        slots = [inner.bind(x) if self._declare(x) else None for x in params]
        code = self.code(body, inner)
        return nodes.closure(code, slots, inner.captures, inner.size)

    def _let(self, term: Let, scope: Scope, tail: bool) -> Code:
        if self.is_static(term.value, term.type):
            return self.code(subst(term.body, (term.value,)), scope, tail)
        value = self.code(term.value, scope)
        x = self.types.local(term.name, term.type, value=term.value)
        at = scope.bind(x)
        return nodes.assign(at, value, self.code(subst(term.body, (x,)), scope, tail))

    def is_static(self, value: Term, type_: Term) -> bool:
        """Tell whether a `let` is better substituted: an erased value, an instance, a variable or a literal."""
        if isinstance(value, FVar | Lit | Sort | Proof):
            return True
        if self.types.erased(type_):
            return True
        head = self.types.normal_type(type_)
        fn = head.fn if isinstance(head, App) else head
        if isinstance(fn, Const):
            info = self.env.get_inductive(fn.name)
            return info is not None and info.is_class
        return False

    def project(self, struct: str, index: int, target: Code) -> Code:
        """Return code for field `index` of a structure."""
        layout = self.types.layout(struct)
        if layout is None:
            return nodes.failing("unsupported", f"a field of {struct}")
        if layout.relevant and index < len(layout.relevant[0]) and not layout.relevant[0][index]:
            return nodes.constant(None)
        if layout.shape == "wrapper":
            return target
        if layout.shape == "tuple":
            at = nodes.slot_of(target)
            if at is not None:
                return lambda fr: fr[at][index]
            return lambda fr: target(fr)[index]
        field = f"{struct}.{layout.info.fields[index]}"
        fn = self.prims.get(field)
        return nodes.failing("unsupported", field) if fn is None else nodes.apply1(fn, target)

    # ---- calls

    def call_function(self, function: Function, args: Sequence[Code], scope: Scope, tail: bool) -> Code:
        """Return code that calls a compiled definition with exactly its kept arguments."""
        if tail and scope.function is function:
            function.loops = True
            return _self_tail_call(tuple(args))
        return _direct_call(function, tuple(args))


def _self_tail_call(args: tuple[Code, ...]) -> Code:
    n = len(args)
    if n == 1:
        only = args[0]

        def run1(fr: Frame) -> Any:
            fr[0] = only(fr)
            return LOOP

        return run1
    if n == 2:
        a, b = args

        def run2(fr: Frame) -> Any:
            x = a(fr)
            fr[1] = b(fr)
            fr[0] = x
            return LOOP

        return run2

    def run(fr: Frame) -> Any:
        fr[:n] = [code(fr) for code in args]
        return LOOP

    return run


def _direct_call(f: Function, args: tuple[Code, ...]) -> Code:
    meter = METER
    match args:
        case ():

            def run0(_: Frame) -> Any:
                return f.constant()

            return run0
        case (a, b) if nodes.slot_of(a) is not None and nodes.slot_of(b) is not None:
            i, j = nodes.slot_of(a), nodes.slot_of(b)
            assert i is not None  # noqa: S101 - the guard has looked
            assert j is not None  # noqa: S101 - the guard has looked

            def run_slots(fr: Frame) -> Any:
                meter.slice -= 1
                if meter.slice < 0:
                    refill()
                return f.body([fr[i], fr[j], *f.pad])

            return run_slots
        case (a,):

            def run1(fr: Frame) -> Any:
                x = a(fr)
                meter.slice -= 1
                if meter.slice < 0:
                    refill()
                return f.body([x, *f.pad])

            return run1
        case (a, b):

            def run2(fr: Frame) -> Any:
                x = a(fr)
                y = b(fr)
                meter.slice -= 1
                if meter.slice < 0:
                    refill()
                return f.body([x, y, *f.pad])

            return run2
        case _:

            def run(fr: Frame) -> Any:
                frame = [code(fr) for code in args]
                meter.slice -= 1
                if meter.slice < 0:
                    refill()
                frame += f.pad
                return f.body(frame)

            return run


NEVER: Final[dict[str, tuple[UnknownKind, str]]] = {
    "Classical.choice": ("noncomputable", "Classical.choice"),
    "Classical.choose": ("noncomputable", "Classical.choose"),
    "Classical.epsilon": ("noncomputable", "Classical.epsilon"),
    "Classical.arbitrary": ("noncomputable", "Classical.arbitrary"),
    "sorryAx": ("sorry", "the definition uses sorry"),
}
"""Constants that no evaluation gets past."""
