"""Structure instances whose missing fields come from defaults that a child gives to its parents' fields.

`instance : Monad M where pure := …; bind := …` says nothing of `map`, `seq`, …: `Monad` gives them defaults in terms of
`pure` and `bind`. All leaf fields become metavariables inside the nested constructors, the text's fields are assigned,
and then defaults are applied, the outermost structure's first, until nothing is left or nothing more can be done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specgen.lean import core, syntax
from specgen.lean.core import Const, MVar, Pi, Term, mk_app
from specgen.lean.elab.context import ElabError, open_mvars
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.unify import constants_of as constants_in
from specgen.lean.environment import Environment, InductiveInfo

if TYPE_CHECKING:
    from specgen.lean.elab.terms import TermElab


@dataclass(frozen=True, slots=True)
class _Object:
    """One nested structure: its parameters and its fields as they stand in the skeleton."""

    info: InductiveInfo
    params: tuple[Term, ...]
    fields: tuple[Term, ...]


@dataclass(slots=True)
class _Skeleton:
    leaves: dict[str, MVar] = field(default_factory=dict)
    objects: list[_Object] = field(default_factory=list)
    """Outermost first."""
    given: dict[str, syntax.FieldInit] = field(default_factory=dict)


def inherits_defaults(env: Environment, info: InductiveInfo) -> bool:
    """Tell whether a structure or one of its ancestors gives defaults to inherited fields."""
    if info.parent_defaults:
        return True
    parents = [env.get_inductive(p) for p in info.parents]
    return any(p is not None and inherits_defaults(env, p) for p in parents)


def structure_by_leaves(
    te: TermElab, info: InductiveInfo, type_: Term, inits: Sequence[syntax.FieldInit], span: syntax.Span
) -> Term:
    """Return the value of a structure type from the fields that a text gives; raises ElabError where one is missing."""
    made = _Skeleton(given=_given(inits))
    value = _skeleton(te, made, info, te.whnf(type_), span)
    for name, init in made.given.items():
        leaf = made.leaves.get(name)
        if leaf is None:
            raise ElabError("type", f"'{name}' is not a field of structure '{info.name}'", init.span)
        goal = te.instantiate_mvars(te.mvars[leaf.id].type)
        te.assign(leaf, te.elab_term_ensuring(init.value, goal))
    te.synthesize(False)
    _apply_defaults(te, made)
    missing = [name for name, leaf in made.leaves.items() if leaf.id not in te.assigned]
    for name in missing:
        leaf = made.leaves[name]
        goal = te.instantiate_mvars(te.mvars[leaf.id].type)
        found = te.synth_instance(goal) if te.class_of(goal) is not None else None
        if found is not None:
            te.assign(leaf, found)
        elif te.is_prop(goal):
            te.assign(leaf, core.Proof(goal))
        else:
            raise ElabError("type", f"Fields missing: `{name}`", span)
    return te.instantiate_mvars(value)


def _given(inits: Sequence[syntax.FieldInit]) -> dict[str, syntax.FieldInit]:
    found: dict[str, syntax.FieldInit] = {}
    for init in inits:
        step = init.path[0]
        if len(init.path) != 1 or not isinstance(step, str):
            raise ElabError("unsupported", "this form of field update is not supported", init.span)
        if step in found:
            raise ElabError("type", f"field '{step}' has already been specified", init.span)
        found[step] = init
    return found


def _skeleton(te: TermElab, made: _Skeleton, info: InductiveInfo, type_: Term, span: syntax.Span) -> Term:
    params = core.unfold_app(type_)[1][: info.params]
    ctor = te.env.get(info.constructors[0])
    assert ctor is not None
    ctype = ctor.type
    for _ in range(info.params):
        assert isinstance(ctype, Pi)
        ctype = ctype.body
    ctype = subst(ctype, params)
    at = len(made.objects)
    values: list[Term] = []
    inner = [te.env.get_inductive(p) for p in info.parents]
    parents = {"to" + p.name.rpartition(".")[2]: p for p in inner if p is not None}
    for name in info.fields:
        ctype = te.whnf_core(ctype)
        assert isinstance(ctype, Pi)
        value = _field(te, made, parents.get(name), name, ctype.type, span)
        values.append(value)
        ctype = subst(ctype.body, (value,))
    made.objects.insert(at, _Object(info, params, tuple(values)))
    return mk_app(Const(ctor.name), *params, *values)


def _field(
    te: TermElab, made: _Skeleton, parent: InductiveInfo | None, name: str, type_: Term, span: syntax.Span
) -> Term:
    init = made.given.get(name)
    if parent is None:
        leaf = te.fresh(type_, kind="opaque", name=name, span=span)
        made.leaves[name] = leaf
        return leaf
    if init is not None:
        del made.given[name]
        return te.elab_term_ensuring(init.value, type_)
    if parent.is_class and not made.given.keys() & set(leaf_fields(te.env, parent)):
        found = te.synth_instance(type_)
        if found is not None and _is_earlier(te, found):
            return found
    return _skeleton(te, made, parent, te.whnf(type_), span)


def leaf_fields(env: Environment, info: InductiveInfo) -> list[str]:
    """Return the names of a structure's own and inherited fields, parent objects left out."""
    parents = {f"to{p.rpartition('.')[2]}": env.get_inductive(p) for p in info.parents}
    found: list[str] = []
    for name in info.fields:
        parent = parents.get(name)
        found += leaf_fields(env, parent) if parent is not None else [name]
    return found


def _is_earlier(te: TermElab, found: Term) -> bool:
    """In the library's table, where all instances are known at once, keep Lean's order of declaration."""
    chunks = getattr(te.env.library, "chunks", {})
    if te.defining not in chunks or te.env is not getattr(te.env.library, "env", None):
        return True
    limit = chunks[te.defining].index
    return all(chunks[name].index < limit for name in constants_in(found) if name in chunks)


def _apply_defaults(te: TermElab, made: _Skeleton) -> None:
    """Apply defaults until nothing changes; the outermost structure that has one for a field decides."""
    changed = True
    while changed:
        changed = False
        for name, leaf in made.leaves.items():
            if leaf.id in te.assigned:
                continue
            value = _default(te, made, name)
            if value is not None:
                te.assign(leaf, value)
                changed = True


def _default(te: TermElab, made: _Skeleton, name: str) -> Term | None:
    for item in made.objects:
        for field_name, needs, closed in item.info.parent_defaults:
            if field_name == name and all(n in made.leaves for n in needs):
                return _known(te, made, beta(closed, [*item.params, *[made.leaves[n] for n in needs]]))
        for index, closed in item.info.field_defaults:
            if item.info.fields[index] == name:
                return _known(te, made, beta(closed, [*item.params, *item.fields[:index]]))
    return None


def _known(te: TermElab, made: _Skeleton, value: Term) -> Term | None:
    """Return a default once every field it uses has a value."""
    value = te.instantiate_mvars(value)
    leaves = {leaf.id for leaf in made.leaves.values()}
    return None if any(m.id in leaves for m in open_mvars(value)) else value
