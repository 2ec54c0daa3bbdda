"""Core terms of one program for the solver: what stands at a term's head, and keys under which two programs share
symbols.

Reduction is definitional (beta, `let`, class methods of known instances, definitions that are not recursive), so it
keeps the meaning. Keys are structural: two closed terms with the same key are the same term up to names of bound
variables and of the programs' own definitions, which are replaced by what they are defined as. Proofs and instances
of `Decidable` have no place in a key: any two of one type are equal.
"""

from __future__ import annotations

import time
from collections.abc import Hashable

from evaluators.equivalence.fields import constant_step, field_of
from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Let, Match, Pi, Proj, Proof, Sort, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import INSTANCES, IllTyped
from specgen.lean.environment import Constant, Environment
from specgen.lean.eval.types import Types
from specgen.lean.library.prims.registry import primitives

_MAX_STEPS = 400
_CLASSES_OF_LAWFUL_PARTS = ("List.instBEq", "Array.instBEq", "instBEqOption", "instBEqProd")
_LAWLESS_TYPES = frozenset({"Float", "Float32"})


class OutsideFragment(Exception):  # noqa: N818 - it is an answer, not an error
    """A term has no exact translation; the message says which."""


class BudgetSpent(Exception):  # noqa: N818 - it is an answer, not an error
    """The translation took more nodes, or went deeper, than its limits allow."""


class Budget:
    """Steps that a translation may still make, and its deadline (of `time.monotonic`)."""

    def __init__(self, nodes: int, deadline: float = float("inf")) -> None:
        self.left = nodes
        self._deadline = deadline

    def tick(self, n: int = 1) -> None:
        """Spend nodes, or raise `BudgetSpent`."""
        self.left -= n
        if self.left < 0:
            raise BudgetSpent("the contract is too large for the translation")
        if self.left % 64 == 0 and time.monotonic() > self._deadline:
            raise BudgetSpent("the translation took too long")


class Reader:
    """One program's terms.

    `handled` are the library's constants that the translation knows: they are not unfolded. `opaque` tells that the
    text may hold definitions that Lean does not unfold (`partial`): then a recursive one is nobody else's.
    """

    def __init__(self, env: Environment, handled: frozenset[str], budget: Budget, opaque: bool = False) -> None:
        self.env = env
        self.types = Types(env)
        self.budget = budget
        self._handled = handled
        self._prims = primitives()
        self._own: dict[str, Hashable] = {}
        self._opaque = opaque

    # ---- questions

    def own(self, name: str) -> bool:
        """Tell whether the program itself declares a constant."""
        return name in self.env.constants

    def constant(self, name: str) -> Constant:
        """Return a constant, or raise `OutsideFragment`."""
        found = self.env.get(name)
        if found is None:
            raise OutsideFragment(f"the constant {name}")
        return found

    def of_library(self, term: Term) -> bool:
        """Tell whether a term is built from the library's constants only."""
        if isinstance(term, Const):
            return not self.own(term.name)
        found = not isinstance(term, FVar | Match | Proj)

        def child(t: Term, _: int) -> Term:
            nonlocal found
            found = found and self.of_library(t)
            return t

        core.map_children(term, child)
        return found

    def type_of(self, term: Term) -> Term:
        """Return a term's type."""
        found = self.types.type_of(term)
        if found is None:
            raise OutsideFragment("a term whose type is not known")
        return found

    def is_class(self, type_: Term) -> bool:
        """Tell whether a type is an instance of a class."""
        fn, _ = core.unfold_app(self.types.normal_type(type_))
        info = self.env.get_inductive(fn.name) if isinstance(fn, Const) else None
        return info is not None and info.is_class

    # ---- reduction

    def head(self, term: Term) -> Term:
        """Reduce at the head as far as meaning allows without unfolding what is recursive, primitive or handled."""
        for _ in range(_MAX_STEPS):
            self.budget.tick()
            new = self._step(term)
            if new is None:
                return term
            term = new
        raise BudgetSpent("a term unfolds without end")

    def _step(self, term: Term) -> Term | None:
        if isinstance(term, Let):
            x = self.types.local(term.name, term.type, value=term.value)
            return subst(term.body, (x,))
        if isinstance(term, Proj):
            return self._project(term)
        fn, args = core.unfold_app(term)
        if isinstance(fn, Const):
            return self._constant_step(fn.name, args, term)
        if not args:
            return None
        if isinstance(fn, Lam):
            return beta(fn, args)
        if isinstance(fn, Let):
            x = self.types.local(fn.name, fn.type, value=fn.value)
            return core.mk_app(subst(fn.body, (x,)), *args)
        if isinstance(fn, Match):
            alts = tuple(
                core.Alt(a.patterns, a.names, beta(a.body, [core.lift(x, a.nvars) for x in args])) for a in fn.alts
            )
            return Match(fn.discrs, alts, self.type_of(term))
        if isinstance(fn, FVar):
            value = self.types.decls[fn.id].value
            return None if value is None else beta(value, args)
        return None

    def _project(self, term: Proj) -> Term | None:
        return field_of(self.types, term, self.head)

    def _constant_step(self, name: str, args: tuple[Term, ...], term: Term) -> Term | None:
        own = self.own(name)
        if not own and name in self._handled:
            return None
        return constant_step(self.types, self.env, name, args, term, self.head, lambda n: own or n not in self._prims)

    def exposed(self, term: Term) -> tuple[str, tuple[Term, ...]]:
        """Return the library constant at the head (empty for anything else) and its arguments; looks through `let`."""
        term = self.head(term)
        while isinstance(term, FVar):
            value = self.types.decls[term.id].value
            if value is None:
                return "", ()
            term = self.head(value)
        fn, args = core.unfold_app(term)
        return (fn.name if isinstance(fn, Const) and not self.own(fn.name) else ""), args

    # ---- keys

    def type_key(self, type_: Term) -> Hashable:
        """Return the key of a closed type, of its normal form."""
        self.budget.tick()
        t = self.types.normal_type(type_)
        fn, args = core.unfold_app(t)
        if isinstance(t, Pi):
            if t.body.loose:
                return self.key(t)
            return ("pi", self.type_key(t.type), self.type_key(core.instantiate(t.body, (core.PROP,))))
        if isinstance(fn, Const) and args:
            return ("t", self._const_key(fn.name), *[self._type_argument(a) for a in args])
        return self.key(t)

    def _type_argument(self, term: Term) -> Hashable:
        type_ = self.types.type_of(term)
        if type_ is not None and isinstance(self.types.normal_type(type_), Sort):
            return self.type_key(term)
        return self.key(term)

    def instance_key(self, term: Term, class_type: Term) -> Hashable:
        """Return the key of an instance: lawful equality tests of one type are all the same one."""
        fn, args = core.unfold_app(self.types.normal_type(class_type))
        if isinstance(fn, Const) and fn.name == "BEq" and self.lawful(term, args[0]):
            return "lawful"
        self.types.steps = 0
        try:
            with self.types.with_transparency(INSTANCES):
                return self.key(self.types.whnf(term))
        except (ElabError, IllTyped):
            return self.key(term)

    def lawful(self, instance: Term, type_: Term) -> bool:
        """Tell whether an instance of `BEq` is known to decide equality.

        `instBEqOfDecidableEq` is by definition `decide (a = b)`; lists, arrays, options, pairs compare componentwise.
        """
        for _ in range(8):
            fn, args = core.unfold_app(instance)
            if not isinstance(fn, Const):
                return False
            if self.own(fn.name):
                return False
            if fn.name in ("inferInstance", "inferInstanceAs"):
                instance = args[-1]
                continue
            if fn.name == "instBEqOfDecidableEq":
                head, _ = core.unfold_app(self.types.normal_type(type_))
                return not (isinstance(head, Const) and head.name in _LAWLESS_TYPES)
            if fn.name in _CLASSES_OF_LAWFUL_PARTS:
                half = len(args) // 2
                return all(self.lawful(i, t) for t, i in zip(args[:half], args[half:], strict=False))
            return False
        return False

    def key(self, term: Term) -> Hashable:
        """Return the structural key of a closed term; raises `OutsideFragment` where it has free variables."""
        return self._structure(term, None)

    def _const_key(self, name: str) -> Hashable:
        if not self.own(name):
            return ("c", name)
        return self.own_key(name)

    def own_key(self, name: str) -> Hashable:
        """Return the key of the program's own constant: all definitions it reaches, numbered as they are met."""
        found = self._own.get(name)
        if found is None:
            numbers: dict[str, int] = {name: 0}
            parts: list[Hashable] = []
            queue = [name]
            while queue:
                at = queue.pop(0)
                before = len(numbers)
                parts.append(self._content(self.constant(at), numbers))
                queue += list(numbers)[before:]
            found = ("own", *parts)
            self._own[name] = found
        return found

    def _content(self, constant: Constant, numbers: dict[str, int]) -> Hashable:
        match constant.kind:
            case "theorem":
                return ("theorem",)
            case "constructor" | "projection":
                at = numbers.setdefault(constant.inductive, len(numbers))
                return (constant.kind, constant.index, at)
            case "inductive":
                info = self.env.get_inductive(constant.name)
                names = info.constructors if info is not None else ()
                types = [self._structure(self.constant(n).type, numbers) for n in names]
                labels = (*[n.rpartition(".")[2] for n in names], *(info.fields if info is not None else ()))
                return ("inductive", labels, self._structure(constant.type, numbers), *types)
            case "def" if self._opaque and constant.recursive:
                raise OutsideFragment(f"{constant.name} may be partial, which Lean gives no definition")
            case "def" if constant.value is not None and not constant.sorry:
                return ("def", self._structure(constant.type, numbers), self._structure(constant.value, numbers))
            case _:
                raise OutsideFragment(f"{constant.name} has no definition")

    def _structure(self, term: Term, numbers: dict[str, int] | None) -> Hashable:
        self.budget.tick()
        match term:
            case core.BVar():
                return ("b", term.index)
            case Const():
                return self._named(term.name, numbers)
            case core.Lit():
                return ("l", term.value)
            case Sort():
                return ("s", term.is_prop)
            case Proof():
                if term.sorry:
                    raise OutsideFragment("a sorry")
                return ("p",)
            case App():
                return ("a", self._structure(term.fn, numbers), *[self._structure(a, numbers) for a in term.args])
            case Lam() | Pi():
                tag = "f" if isinstance(term, Lam) else "pi"
                return (tag, self._structure(term.type, numbers), self._structure(term.body, numbers))
            case Let():
                return self._structure(subst(term.body, (term.value,)), numbers)
            case Proj():
                return ("j", self._named(term.struct, numbers), term.index, self._structure(term.target, numbers))
            case Match():
                alts = [(self._patterns(a.patterns, numbers), self._structure(a.body, numbers)) for a in term.alts]
                return ("m", *[self._structure(d, numbers) for d in term.discrs], *alts)
            case FVar():
                value = self.types.decls[term.id].value
                if value is not None:
                    return self._structure(value, numbers)
                raise OutsideFragment("a type or an instance that depends on a value")
            case _:
                raise OutsideFragment(f"a term of kind {type(term).__name__}")

    def _named(self, name: str, numbers: dict[str, int] | None) -> Hashable:
        if not self.own(name):
            return ("c", name)
        if numbers is None:
            return self.own_key(name)
        return ("o", numbers.setdefault(name, len(numbers)))

    def _patterns(self, patterns: tuple[core.Pattern, ...], numbers: dict[str, int] | None) -> Hashable:
        out: list[Hashable] = []
        for p in patterns:
            match p:
                case core.PVar() | core.PWild():
                    out.append(type(p).__name__)
                case core.PCtor():
                    out.append(("c", self._named(p.name, numbers), self._patterns(p.args, numbers)))
                case core.PLit():
                    out.append(("l", p.kind, p.value))
                case core.PSucc():
                    out.append(("s", p.offset, self._patterns((p.pattern,), numbers)))
                case core.PAs():
                    out.append(("as", self._patterns((p.pattern,), numbers)))
                case core.PArray():
                    out.append(("r", self._patterns(p.items, numbers)))
                case _:
                    raise OutsideFragment("a pattern")
        return tuple(out)
