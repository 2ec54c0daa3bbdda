"""`deriving` clauses: instances as opaque constants whose evaluation follows from the inductive type itself."""

from __future__ import annotations

from typing import Final

from specgen.lean import core, syntax
from specgen.lean.core import Const, FVar, Term, mk_app
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import Session, bind_all, pi_names
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant, InductiveInfo

DERIVABLE: Final = frozenset(["DecidableEq", "BEq", "Repr", "Hashable", "Inhabited", "Ord", "Nonempty"])
"""Classes with a handler of ours; their instances are evaluated from the inductive type."""

_IGNORED_WORDS: Final = """
    ToExpr SizeOf TypeName ToJson FromJson Lean.ToJson Lean.FromJson Lean.ToExpr Fintype Encodable Countable
    ReflBEq LawfulBEq Traversable Functor LawfulHashable EquivBEq
"""
_IGNORED: Final = frozenset(_IGNORED_WORDS.split())
"""Classes that Lean or Mathlib can derive and we have no use for."""


def derive(session: Session, scope: Scope, type_name: str, classes: tuple[str, ...], span: syntax.Span) -> None:
    """Add the instances of a `deriving` clause; raises ElabError where Lean has no handler or a field lacks one."""
    for written in classes:
        if written in _IGNORED:
            continue
        names = scope.resolve_name(written)
        class_name = names[0] if names else ""
        if class_name not in DERIVABLE:
            if not names:
                kind = "name" if not session.env.lean.mathlib else "unsupported"
                raise ElabError("name" if kind == "name" else "unsupported", f"unknown identifier '{written}'", span)
            info = session.env.get_inductive(type_name)
            if info is None:
                _delta(session, scope, type_name, class_name, span)
                continue
            raise ElabError(
                "type", f"None of the deriving handlers for class '{class_name}' applied to '{type_name}'", span
            )
        if session.env.get_inductive(type_name) is None:
            _delta(session, scope, type_name, class_name, span)
        else:
            _instance(session, scope, type_name, class_name, span)


def _instance(session: Session, scope: Scope, type_name: str, class_name: str, span: syntax.Span) -> None:
    constant = session.env.get(type_name)
    info = session.env.get_inductive(type_name)
    assert constant is not None and info is not None
    te = session.elaborator(scope)
    params = _parameters(te, constant.type, info.params + info.indices)
    target = mk_app(Const(type_name), *params)
    assumed: list[FVar] = []
    for fvar in params:
        if _is_type(te.local_type(fvar)):
            assumed.append(te.local("inst", mk_app(Const(class_name), fvar), "instance"))
    if class_name in ("Inhabited", "Nonempty"):
        assumed = _inhabited(te, info, params, assumed, class_name, span)
    else:
        with te.scoped():
            te.local("inst", mk_app(Const(class_name), target), "instance")
            for ctor in info.constructors:
                _check_fields(te, ctor, params, class_name, span)
    type_ = bind_all(te, [*params, *assumed], mk_app(Const(class_name), target), pi=True)
    type_ = _implicit(type_, len(params))
    short = f"inst{class_name}{type_name.rpartition('.')[2]}"
    prefix = type_name.rpartition(".")[0]
    name = session.fresh_name(f"{prefix}.{short}" if prefix else short)
    found = te.class_of(type_)
    instance_of = found.name if found is not None else class_name
    session.declare(Constant(name, "opaque", type_, params=pi_names(type_), reducible=True, instance_of=instance_of))


def _parameters(te: TermElab, type_: Term, n: int) -> list[FVar]:
    params: list[FVar] = []
    for _ in range(n):
        if not isinstance(type_, core.Pi):
            type_ = te.whnf(type_)
        assert isinstance(type_, core.Pi)
        info: core.BinderInfo = "instance" if type_.info == "instance" else "implicit"
        fvar = te.local(type_.name, type_.type, info)
        params.append(fvar)
        type_ = core.instantiate(type_.body, [fvar])
    return params


def _is_type(type_: Term) -> bool:
    return isinstance(type_, core.Sort) and not type_.is_prop


def _implicit(type_: Term, n: int) -> Term:
    if n == 0 or not isinstance(type_, core.Pi):
        return type_
    info: core.BinderInfo = "instance" if type_.info == "instance" else "implicit"
    return core.Pi(type_.name, type_.type, _implicit(type_.body, n - 1), info)


def _check_fields(te: TermElab, ctor: str, params: list[FVar], class_name: str, span: syntax.Span) -> None:
    """Every field that is data needs an instance of its own."""
    found = te.env.get(ctor)
    assert found is not None
    type_ = found.type
    for param in params:
        if not isinstance(type_, core.Pi):
            return
        type_ = core.instantiate(type_.body, [param])
    while isinstance(type_, core.Pi):
        field = type_.type
        if not te.is_prop(field) and not _has_instance(te, class_name, field):
            raise ElabError(
                "instance", f"failed to synthesize instance '{class_name}' for a field of '{ctor}' (deriving)", span
            )
        fvar = te.local(type_.name, field, type_.info)
        type_ = core.instantiate(type_.body, [fvar])


def _has_instance(te: TermElab, class_name: str, field: Term) -> bool:
    if isinstance(field, core.Sort):
        return class_name == "Repr"
    if class_name == "Repr" and isinstance(te.whnf(field), core.Sort):
        return True
    return te.synth_instance(mk_app(Const(class_name), field)) is not None


def _inhabited(
    te: TermElab, info: InductiveInfo, params: list[FVar], assumed: list[FVar], class_name: str, span: syntax.Span
) -> list[FVar]:
    """Find a constructor whose fields are inhabited, without instances for the parameters if that is possible."""
    if info.is_structure and info.field_defaults:
        return assumed
    for have in ([], assumed):
        with te.scoped():
            local = te.lctx
            if not have:
                while local is not None and local.fvar in assumed:
                    local = local.parent
                te.lctx = local
            for ctor in info.constructors:
                try:
                    _check_fields(te, ctor, params, class_name, span)
                except ElabError:
                    continue
                return list(have)
    raise ElabError("instance", f"failed to synthesize '{class_name}' for '{info.name}' (deriving)", span)


def _delta(session: Session, scope: Scope, type_name: str, class_name: str, span: syntax.Span) -> None:
    """An instance for a definition is that of what it unfolds to."""
    constant = session.env.get(type_name)
    if constant is None or constant.value is None:
        raise ElabError("unsupported", f"cannot derive '{class_name}' for '{type_name}'", span)
    te = session.elaborator(scope)
    n = len(pi_names(constant.type))
    params = _parameters(te, constant.type, n)
    body: Term = constant.value
    for param in params:
        if not isinstance(body, core.Lam):
            raise ElabError("unsupported", f"cannot derive '{class_name}' for '{type_name}'", span)
        body = core.instantiate(body.body, [param])
    assumed = [te.local("inst", mk_app(Const(class_name), p), "instance") for p in params if _is_type(te.local_type(p))]
    value = te.synth_instance(mk_app(Const(class_name), body))
    if value is None:
        raise ElabError("instance", f"failed to derive instance '{class_name}' for '{type_name}'", span)
    target = mk_app(Const(class_name), mk_app(Const(type_name), *params))
    type_ = _implicit(bind_all(te, [*params, *assumed], target, pi=True), len(params))
    closed = te.instantiate_mvars(bind_all(te, [*params, *assumed], value, pi=False))
    prefix, _, last = type_name.rpartition(".")
    short = f"inst{class_name}{last}"
    name = session.fresh_name(f"{prefix}.{short}" if prefix else short)
    found = te.class_of(type_)
    session.declare(
        Constant(
            name,
            "def",
            type_,
            value=closed,
            params=pi_names(type_),
            reducible=True,
            instance_of=found.name if found is not None else class_name,
        )
    )


__all__ = ["DERIVABLE", "derive"]
