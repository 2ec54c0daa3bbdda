"""What the elaborators of commands share: the environment, the scope, the place to report to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant, Environment

_KNOWN_ATTRIBUTES_WORDS: Final = """
    simp reducible irreducible inline noinline always_inline specialize nospecialize macro_inline extern export
    implemented_by csimp instance default_instance ext ext_iff elab_as_elim induction_eliminator cases_eliminator
    recommended_spelling deprecated coe match_pattern simps norm_cast push_cast norm_num grind aesop congr gcongr mono
    positivity refl symm trans to_additive class computed_fields expose unbox never_extract semireducible local
    scoped simproc macro term_elab command_elab tactic app_unexpander inherit_doc nolint fun_prop measurability
    continuity stacks wikidata elementwise reassoc higherOrder to_dual bound finiteness unification_hint tactic_alt
    init builtin_init suppress_compilation noncomputable test_driver export_name cold weak_specialize partial_fixpoint
    eqns mfld_simps field_simps ring_nf seval bv_normalize grind_eq spec wf_preprocess method_specs mvcgen
    protected private simp_lemma
"""
KNOWN_ATTRIBUTES: Final = frozenset(_KNOWN_ATTRIBUTES_WORDS.split())
"""Attributes of core Lean and Mathlib that may stand on a declaration and mean nothing to the engine."""


@dataclass(slots=True)
class Session:
    """One file (or library table) under elaboration.

    `lazy` leaves the values of definitions to be elaborated when they are first asked for. `failed` holds the names of
    declarations whose type is unknown because of an error already reported.
    """

    env: Environment
    scope: Scope
    report: Callable[[ElabError], None]
    lazy: bool = False
    failed: set[str] = field(default_factory=set)
    table: bool = False
    """Whether this is the library's own table: attributes of the table are allowed, and nothing is auto-bound."""
    order: list[str] = field(default_factory=list)
    terminations: list[tuple[str, syntax.Span]] = field(default_factory=list)
    """Recursive definitions for which no termination argument was found."""

    def elaborator(self, scope: Scope | None = None) -> TermElab:
        """Return a fresh elaborator of terms."""
        te = TermElab(self.env, scope or self.scope, self.report)
        te.open_classical = (scope or self.scope).is_open("Classical")
        return te

    def declare(self, constant: Constant) -> None:
        """Add a constant and remember the order."""
        if constant.name not in self.env.constants:
            self.order.append(constant.name)
        self.env.add(constant)

    def fresh_name(self, name: str) -> str:
        """Return `name`, or with the first suffix `_1`, `_2`, … that is free."""
        if self.env.get(name) is None:
            return name
        n = 1
        while self.env.get(f"{name}_{n}") is not None:
            n += 1
        return f"{name}_{n}"


def free_vars(*terms: Term) -> dict[int, FVar]:
    """Return the free variables of terms, by id."""
    found: dict[int, FVar] = {}

    def go(t: Term, _: int) -> Term:
        if t.has_fvar:
            if isinstance(t, FVar):
                found[t.id] = t
            else:
                core.map_children(t, go)
        return t

    for term in terms:
        go(term, 0)
    return found


def constants_in(*terms: Term) -> set[str]:
    """Return the names of the constants in terms."""
    found: set[str] = set()
    seen: set[int] = set()

    def go(t: Term, _: int) -> Term:
        if isinstance(t, core.Const):
            found.add(t.name)
        elif id(t) not in seen:
            seen.add(id(t))
            core.map_children(t, go)
        return t

    for term in terms:
        go(term, 0)
    return found


def has_sorry(*terms: Term) -> bool:
    """Tell whether an admitted proof stands in terms."""
    found = False

    def go(t: Term, _: int) -> Term:
        nonlocal found
        if isinstance(t, core.Proof) and t.sorry:
            found = True
        if not found:
            core.map_children(t, go)
        return t

    for term in terms:
        go(term, 0)
    return found


def pi_names(type_: Term) -> tuple[str, ...]:
    """Return the binder names of a type as written, outermost first."""
    names: list[str] = []
    while isinstance(type_, core.Pi):
        names.append(type_.name)
        type_ = type_.body
    return tuple(names)


def bind_all(te: TermElab, fvars: Sequence[FVar], body: Term, pi: bool, info: core.BinderInfo | None = None) -> Term:
    """Abstract variables, those with a value too, as parameters; `info` overrides their binder infos."""
    make = core.Pi if pi else core.Lam
    body = core.abstract(body, fvars)
    for i in range(len(fvars) - 1, -1, -1):
        decl = te.decls[fvars[i].id]
        type_ = core.abstract(te.instantiate_mvars(decl.type), fvars[:i])
        body = make(decl.name, type_, body, info or decl.info)
    return body


def replace_fvars(term: Term, values: dict[int, Term]) -> Term:
    """Replace free variables by terms without loose bound variables."""

    def go(t: Term, _: int) -> Term:
        if not t.has_fvar:
            return t
        if isinstance(t, FVar):
            return values.get(t.id, t)
        return core.map_children(t, go)

    return go(term, 0) if values else term
