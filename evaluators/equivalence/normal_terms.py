"""From core terms of one program to terms that two programs have in common (the first half of the normal form).

Steps, each an equality of Lean terms by definition, by proof irrelevance, or by eta:

- beta, `let`, methods of known instances, definitions that are not recursive of the text itself, `>`, `≥`, `≠`,
  `bne`;
- a proof, and an instance of `Decidable`, becomes one token: any two of one type are equal, and the type is fixed by
  where it stands. An implication forgets the name of its premise's proof. Seen from outside, a function that takes a
  proof is replaced by some extension of it to all arguments, the same on both sides;
- a constant that the text declares and that cannot be opened (a recursive function, a type, a constructor) becomes a
  token with its whole definition inside, in which it refers to itself by position: names do not count, and two texts
  share it exactly when they define the same. What has no definition (an axiom, a `partial` function, which Lean takes
  to be opaque) has no normal form;
- `match` with one alternative on a pair or structure becomes projections;
- of a relational contract, the implementation at the inputs is the result.

What comes out is for comparison only. It has no types, and `Implies`, `Forall`, … are constants that Lean does not
have.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from evaluators.equivalence.fields import constant_step, field_of
from specgen.lean import core
from specgen.lean.core import App, BVar, Const, FVar, Lam, Let, Lit, Match, Pi, Proj, Proof, Sort, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import IllTyped
from specgen.lean.environment import Environment
from specgen.lean.eval.guards import mentions_bound
from specgen.lean.eval.types import Types

_UNFOLDED: Final = frozenset({"GT.gt", "GE.ge", "Ne", "bne", "id", "Function.comp", "inferInstance", "inferInstanceAs"})
_LAWLESS: Final = frozenset({"Float", "Float32"})
_EQUAL_PARTS: Final = {"List.instBEq": 1, "Array.instBEq": 1, "instBEqOption": 1, "instBEqProd": 2}
_UNKNOWN_TYPE: Final = Const("unknown type")
_STRANGE: Final = frozenset({"HEq", "cast", "Eq.mp", "Eq.mpr", "Eq.rec", "Classical.choice", "Classical.choose"})
"""Constants that may look at which type it is, or at a value that is not determined: no normal form."""

IMPLIES, FORALL, EXISTS = Const("Implies"), Const("Forall"), Const("Exists")
AND, OR, NOT, IFF, EQ = Const("And"), Const("Or"), Const("Not"), Const("Iff"), Const("Eq")
TRUE, FALSE = Const("True"), Const("False")
DECIDE, ITE = Const("Decide"), Const("Ite")
BOOL, BOOL_TRUE, BOOL_FALSE = Const("Bool"), Const("Bool.true"), Const("Bool.false")


class NoNormalForm(Exception):  # noqa: N818 - it is an answer, not an error
    """A term has no normal form that could be compared, or it takes too many steps."""


class Token(Term):
    """A leaf with any content; two are equal when their contents are."""

    __slots__ = ("content",)

    def __init__(self, *content: Hashable) -> None:
        self.content = content
        self._hash = hash((99, content))
        self.has_mvar = False
        self.has_fvar = False
        self.loose = 0

    def _key(self) -> tuple[object, ...]:
        return self.content


ERASED: Final = Token("erased")
PROOF_TYPE: Final = Token("proof")


class Steps:
    """Steps that may still be taken, and the wall time (seconds) that they may take together."""

    def __init__(self, most: int, wall_s: float) -> None:
        self.left = most
        self._deadline = time.perf_counter() + wall_s

    def take(self) -> None:
        """Take one, or raise `NoNormalForm`."""
        self.left -= 1
        if self.left < 0 or (self.left % 64 == 0 and time.perf_counter() > self._deadline):
            raise NoNormalForm("the contract is too large for its normal form")


class _Memory:
    """What is remembered under `limited`."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.codes: dict[Term, str] = {}
        self.negations: dict[Term, Term] = {}


_MEMORY: ContextVar[_Memory | None] = ContextVar("memory", default=None)


@contextmanager
def limited(steps: Steps) -> Iterator[None]:
    """Let the connectives of normal forms, which are plain functions, take from these steps too, and remember."""
    saved = _MEMORY.set(_Memory(steps))
    try:
        yield
    finally:
        _MEMORY.reset(saved)


def take() -> None:
    """Take one of the steps of `limited`, where there are any."""
    memory = _MEMORY.get()
    if memory is not None:
        memory.steps.take()


def negations() -> dict[Term, Term]:
    """Return the negations that are remembered."""
    memory = _MEMORY.get()
    return {} if memory is None else memory.negations


class Reducer:
    """Reduces the terms of one program. `opaque` are constants of the text that must not be compared by definition."""

    def __init__(self, env: Environment, opaque: bool, steps: Steps) -> None:
        self.env = env
        self.types = Types(env)
        self.steps = steps
        self._opaque = opaque
        self._progress: list[str] = []
        self._outermost = 1 << 30
        self._contents: dict[str, Token] = {}
        self._skeletons: dict[int, Term] = {}
        self.marks: dict[int, Term] = {}
        self.calls: tuple[int, tuple[FVar, ...], FVar] | None = None

    # ---- terms

    def term(self, term: Term) -> Term:
        """Return the reduced form of a term; free variables that are marked become their marks."""
        self.steps.take()
        if self._irrelevant(term):
            return ERASED
        t = self.head(term)
        match t:
            case FVar():
                return self.marks.get(t.id, t)
            case Lit() | BVar() | Token():
                return t
            case Sort():
                return Const("Prop" if t.is_prop else "Type")
            case Const():
                return self._constant(t.name)
            case Lam():
                return self._lambda(t)
            case Pi():
                return self._pi(t)
            case Proj():
                return App(self._projection(t.struct, t.index), (self.term(t.target),))
            case Match():
                return self._match(t)
            case App():
                return self._app(t)
            case _:
                raise NoNormalForm(f"a term of kind {type(t).__name__}")

    def _irrelevant(self, term: Term) -> bool:
        """Tell whether a term is a proof, or an instance of `Decidable`."""
        if isinstance(term, Proof):
            if term.sorry or not self.types.is_proposition(term.type):
                raise NoNormalForm("a term that stands open")
            return True
        if isinstance(term, Sort | Pi | Lit | Lam | Token | BVar):
            return False
        type_ = self.types.type_of(term)
        if type_ is None or isinstance(type_, Sort):
            return False
        return self.types.is_proposition(type_) or self.types.erased(type_) and self._decidable(type_)

    def _decidable(self, type_: Term) -> bool:
        fn, _ = core.unfold_app(self.types.normal_type(type_))
        return isinstance(fn, Const) and fn.name == "Decidable" and not self._own("Decidable")

    def _lambda(self, term: Lam) -> Term:
        x = self.types.local(term.name, term.type, term.info)
        body = core.abstract(self.term(subst(term.body, (x,))), (x,))
        if isinstance(body, App) and body.args[-1] == BVar(0):
            rest = core.mk_app(body.fn, *body.args[:-1])
            if not mentions_bound(rest, 0) and not _special(body.fn):
                return core.instantiate(rest, (core.PROP,))
        return Lam("x", self.binder_type(term.type), body)

    def binder_type(self, type_: Term) -> Term:
        """Return the reduced form of a variable's type; all propositions are one."""
        return PROOF_TYPE if self.types.is_proposition(type_) else self.type(type_)

    def type(self, type_: Term) -> Term:
        """Return the reduced form of a type, from its weak head normal form."""
        return self.term(self.types.normal_type(type_))

    def _pi(self, term: Pi) -> Term:
        if not self.types.is_proposition(term):
            x = self.types.local(term.name, term.type, term.info)
            return Pi("x", self.binder_type(term.type), core.abstract(self.type(subst(term.body, (x,))), (x,)))
        if self.types.is_proposition(term.type):
            premise = self.term(term.type)
            return App(IMPLIES, (premise, self.term(subst(term.body, (Proof(term.type),)))))
        return self._binding(FORALL, term.type, term.body)

    def _binding(self, kind: Const, type_: Term, body: Term) -> Term:
        x = self.types.local("x", type_)
        inner = core.abstract(self.term(subst(body, (x,))), (x,))
        reduced = self.type(type_)
        return App(kind, (reduced, Lam("x", reduced, inner)))

    def _match(self, term: Match) -> Term:
        discrs = tuple([self.term(d) for d in term.discrs])
        alts = []
        for alt in term.alts:
            xs = [self.types.local(n, _UNKNOWN_TYPE) for n in alt.names]
            body = core.abstract(self.term(subst(alt.body, xs)), xs)
            alts.append(core.Alt(tuple([self._pattern(p) for p in alt.patterns]), alt.names, body))
        return Match(discrs, tuple(alts), PROOF_TYPE)

    def _pattern(self, pattern: core.Pattern) -> core.Pattern:
        match pattern:
            case core.PCtor():
                name = pattern.name
                if self._own(name):
                    name = f"own constructor {code(self._constant(name))}"
                return core.PCtor(name, tuple([self._pattern(p) for p in pattern.args]))
            case core.PSucc():
                return core.PSucc(self._pattern(pattern.pattern), pattern.offset)
            case core.PAs():
                return core.PAs(pattern.name, self._pattern(pattern.pattern))
            case core.PArray():
                return core.PArray(tuple([self._pattern(p) for p in pattern.items]))
            case _:
                return pattern

    def _app(self, term: App) -> Term:
        fn, args = term.fn, term.args
        if isinstance(fn, Const) and not self._own(fn.name):
            known = self._logical(fn.name, args)
            if known is not None:
                return known
            if fn.name in _STRANGE:
                raise NoNormalForm(f"the term uses {fn.name}")
        if isinstance(fn, Const):
            found = self.env.get(fn.name)
            info = self.env.get_inductive(found.inductive) if found is not None and found.kind == "projection" else None
            if found is not None and info is not None and not info.is_class and len(args) > info.params:
                target = self.term(args[info.params])
                rest = [self.term(a) for a in args[info.params + 1 :]]
                return core.mk_app(App(self._projection(info.name, found.index), (target,)), *rest)
        reduced = [self.term(a) for a in args]
        if isinstance(fn, FVar) and self.calls is not None and fn.id == self.calls[0]:
            _, inputs, result = self.calls
            here = [self.marks.get(x.id, x) for x in inputs]
            if len(reduced) >= len(here) and reduced[: len(here)] == here:
                return core.mk_app(self.marks.get(result.id, result), *reduced[len(here) :])
        return core.mk_app(self.term(fn), *reduced)

    def _logical(self, name: str, args: tuple[Term, ...]) -> Term | None:
        """Return the reduced form of what the second half knows, None for other constants."""
        match name, len(args):
            case (("And" | "Or" | "Iff"), 2):
                return App(Const(name), (self.term(args[0]), self.term(args[1])))
            case "Not", 1:
                return App(NOT, (self.term(args[0]),))
            case "Eq", 3:
                type_ = self.types.normal_type(args[0])
                if isinstance(type_, Sort):
                    if not type_.is_prop:
                        raise NoNormalForm("an equation between types")
                    return App(IFF, (self.term(args[1]), self.term(args[2])))
                return App(EQ, (self.type(args[0]), self.term(args[1]), self.term(args[2])))
            case "Exists", 2:
                body = core.mk_app(core.lift(args[1], 1), BVar(0))
                body = args[1].body if isinstance(args[1], Lam) else body
                if self.types.is_proposition(args[0]):
                    return App(AND, (self.term(args[0]), self.term(subst(body, (Proof(args[0]),)))))
                return self._binding(EXISTS, args[0], body)
            case "Decidable.decide", 2:
                return App(DECIDE, (self.term(args[0]),))
            case "BEq.beq", 4:
                if not self._lawful(args[1], args[0]):
                    return None
                equation = App(EQ, (self.type(args[0]), self.term(args[2]), self.term(args[3])))
                return App(DECIDE, (equation,))
            case (("ite" | "dite" | "cond"), n) if n >= 4:
                return self._conditional(name, args)
            case _:
                return None

    def _conditional(self, name: str, args: tuple[Term, ...]) -> Term | None:
        if name == "cond":
            type_, test, yes, no = args[:4]
            condition: Term = App(EQ, (BOOL, self.term(test), BOOL_TRUE))
            rest = args[4:]
        else:
            if len(args) < 5:
                return None
            type_, test, _, yes, no = args[:5]
            condition, rest = self.term(test), args[5:]
            if name == "dite":
                yes = core.mk_app(yes, Proof(test)) if not isinstance(yes, Lam) else subst(yes.body, (Proof(test),))
                negated = core.mk_app(NOT, test)
                no = core.mk_app(no, Proof(negated)) if not isinstance(no, Lam) else subst(no.body, (Proof(negated),))
        whole = App(ITE, (self.type(type_), condition, self.term(yes), self.term(no)))
        return core.mk_app(whole, *[self.term(a) for a in rest])

    def _lawful(self, instance: Term, type_: Term) -> bool:
        """Tell whether an instance of `BEq` decides equality: made from a decision of it, or part by part."""
        fn, args = core.unfold_app(instance)
        head, parts = core.unfold_app(self.types.normal_type(type_))
        if not isinstance(fn, Const) or self._own(fn.name) or not isinstance(head, Const):
            return False
        if fn.name == "instBEqOfDecidableEq":
            return head.name not in _LAWLESS
        n = _EQUAL_PARTS.get(fn.name)
        if n is None or len(args) != 2 * n or len(parts) != n:
            return False
        return all(self._lawful(i, t) for i, t in zip(args[n:], parts, strict=True))

    # ---- heads

    def head(self, term: Term) -> Term:
        """Reduce at the head."""
        while True:
            self.steps.take()
            new = self._step(term)
            if new is None:
                return term
            term = new

    def _step(self, term: Term) -> Term | None:
        fn, args = core.unfold_app(term)
        match fn:
            case Lam() if args:
                return beta(fn, args)
            case Let():
                return core.mk_app(subst(fn.body, (fn.value,)), *args)
            case FVar():
                value = self.types.decls[fn.id].value
                return None if value is None else beta(value, args)
            case Proj():
                new = self._project(fn)
                return None if new is None else beta(new, args)
            case Match():
                new = self._open_match(fn)
                return None if new is None else beta(new, args)
            case Const():
                return self._unfold(fn.name, args, term)
            case _:
                return None

    def _project(self, term: Proj) -> Term | None:
        return field_of(self.types, term, self.head)

    def _unfold(self, name: str, args: Sequence[Term], term: Term) -> Term | None:
        own = self._own(name)
        if not own and (name == "BEq.beq" and len(args) == 4 and self._lawful(args[1], args[0])):
            return None
        return constant_step(self.types, self.env, name, args, term, self.head, lambda n: own or n in _UNFOLDED)

    def _open_match(self, term: Match) -> Term | None:
        """Return a match without the match: its alternative is known, or there is only one and it takes apart pairs."""
        if len(term.alts) == 1:
            values: list[Term] = []
            alt = term.alts[0]
            if all(self._take_apart(p, d, values) for p, d in zip(alt.patterns, term.discrs, strict=True)):
                return subst(alt.body, values)
        for d in term.discrs:
            fn, _ = core.unfold_app(self.head(d))
            constant = self.env.get(fn.name) if isinstance(fn, Const) else None
            if constant is None or constant.kind != "constructor":
                return None
        self.types.steps = 0
        try:
            return self.types.reduce_match(term)
        except (ElabError, IllTyped):
            return None

    def _take_apart(self, pattern: core.Pattern, value: Term, found: list[Term]) -> bool:
        match pattern:
            case core.PVar():
                found.append(value)
                return True
            case core.PWild():
                return True
            case core.PCtor():
                constant = self.env.get(pattern.name)
                info = self.env.get_inductive(constant.inductive) if constant is not None else None
                if info is None or not info.is_structure or info.is_prop or len(info.constructors) != 1:
                    return False
                if len(pattern.args) != len(info.fields):
                    return False
                fields = [Proj(info.name, i, value) for i in range(len(info.fields))]
                return all(self._take_apart(p, f, found) for p, f in zip(pattern.args, fields, strict=True))
            case _:
                return False

    # ---- constants

    def _own(self, name: str) -> bool:
        return name in self.env.constants

    def _projection(self, struct: str, index: int) -> Term:
        return Token("projection", self._constant(struct), index)

    def _constant(self, name: str) -> Term:
        if not self._own(name):
            return Const(name)
        known = self._contents.get(name)
        if known is not None:
            return known
        if name in self._progress:
            at = self._progress.index(name)
            self._outermost = min(self._outermost, at)
            return Token("self", len(self._progress) - 1 - at)
        outer, self._outermost = self._outermost, 1 << 30
        depth = len(self._progress)
        self._progress.append(name)
        try:
            token = self._content(name)
        finally:
            self._progress.pop()
        if self._outermost >= depth:
            self._contents[name] = token
        self._outermost = min(outer, self._outermost)
        return token

    def _content(self, name: str) -> Token:
        constant = self.env.constants[name]
        if constant.type.has_mvar or (constant.value is not None and constant.value.has_mvar):
            raise NoNormalForm(f"the type of {name} is not known")
        if constant.sorry:
            raise NoNormalForm(f"{name} uses sorry")
        match constant.kind:
            case "constructor" | "projection":
                return Token(constant.kind, constant.index, self._constant(constant.inductive))
            case "inductive":
                info = self.env.get_inductive(name)
                if info is None:
                    raise NoNormalForm(f"the type {name}")
                constructors = [self.type(self.env.constants[c].type) for c in info.constructors]
                kind = (info.params, info.indices, info.is_structure, info.is_class, info.is_prop)
                return Token("inductive", kind, self.type(constant.type), *constructors)
            case "def" if constant.value is not None and not (constant.recursive and self._opaque):
                return Token("def", self.type(constant.type), self.term(constant.value))
            case "opaque" if constant.instance_of and not self._opaque:
                return Token("derived", self.type(constant.type))
            case _:
                raise NoNormalForm(f"{name} has no definition")


def _special(fn: Term) -> bool:
    return isinstance(fn, Const) and fn in (IMPLIES, FORALL, EXISTS, AND, OR, NOT, IFF, EQ, DECIDE, ITE)


def code(term: Term) -> str:
    """Return a text that stands for a term: equal exactly for equal terms. Terms are put in order by it."""
    if isinstance(term, BVar):
        return f"b{term.index:05d}"
    memory = _MEMORY.get()
    if memory is None:
        return _code(term)
    found = memory.codes.get(term)
    if found is None:
        found = memory.codes[term] = _code(term)
    return found


def _code(term: Term) -> str:
    take()
    match term:
        case FVar():
            raise NoNormalForm("a variable that is not bound")
        case Const():
            return f"c{len(term.name)}:{term.name}"
        case Lit():
            return f"l{term.value!r};"
        case Token():
            return f"t({','.join([_content_code(c) for c in term.content])})"
        case App():
            return f"a({','.join([code(t) for t in (term.fn, *term.args)])})"
        case Lam() | Pi():
            return f"{'f' if isinstance(term, Lam) else 'p'}({code(term.type)},{code(term.body)})"
        case Match():
            alts = [f"{core.pattern_key(a.patterns)!r}:{code(a.body)}" for a in term.alts]
            return f"m({','.join([code(d) for d in term.discrs])}|{'|'.join(alts)})"
        case _:
            raise NoNormalForm(f"a term of kind {type(term).__name__}")


def _content_code(content: Hashable) -> str:
    return code(content) if isinstance(content, Term) else f"{content!r}"
