"""`inductive` and `class inductive`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.context import AutoBound, ElabError
from specgen.lean.elab.declarations import attribute_names, check_attributes
from specgen.lean.elab.deriving import derive
from specgen.lean.elab.header import Header, auto_bind, elaborate_header, select_variables, settle_parameters
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import Session, bind_all, constants_in, pi_names
from specgen.lean.elab.surface import names_in
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant, InductiveInfo


@dataclass(slots=True)
class _Type:
    decl: syntax.Inductive
    name: str
    scope: Scope
    header: Header
    is_prop: bool
    indices: int
    selected: list[syntax.Binder]
    guessed: bool = False


def declare_inductives(session: Session, decls: Sequence[syntax.Inductive]) -> None:
    """Elaborate a group of (mutual) inductive types: the types, their constructors, `deriving` clauses."""
    types = [_type_former(session, d) for d in decls]
    names = {t.name for t in types}
    for item in types:
        try:
            _constructors(session, item, names)
        except ElabError as error:
            # Lean finds the types of parameters from the constructors as well.
            if item.guessed:
                error.kind = "unsupported"
            raise
    for item in types:
        derive(session, item.scope, item.name, item.decl.deriving, item.decl.span)


def _type_former(session: Session, decl: syntax.Inductive) -> _Type:
    check_attributes(session, decl.modifiers)
    name = session.scope.qualify(decl.name)
    if session.env.get(name) is not None and not (session.table and name not in session.env.constants):
        raise ElabError("redeclared", f"'{name}' has already been declared", decl.span)
    scope = session.scope.inside("" if decl.name.startswith("_root_.") else decl.name.rpartition(".")[0], (name,))
    mentioned = names_in(decl.binders, decl.type, decl.constructors)
    selected = select_variables(scope, mentioned - {n for b in decl.binders for n in b.names})
    session.failed.add(decl.name)
    header = elaborate_header(session, scope, selected, decl.binders, decl.type)
    te = header.te
    result = te.instantiate_mvars(header.type) if header.type is not None else core.TYPE
    indices, sort = 0, result
    while isinstance(sort, core.Pi):
        indices, sort = indices + 1, sort.body
    sort = te.whnf(sort) if not isinstance(sort, core.Sort) else sort
    if not isinstance(sort, core.Sort):
        span = decl.type.span if decl.type is not None else decl.span
        raise ElabError("type", "invalid inductive type, resultant type is not a sort", span)
    type_ = te.instantiate_mvars(bind_all(te, header.all, result, pi=True))
    guessed = False
    if type_.has_mvar:
        te.synthesize(True)
        guessed = settle_parameters(header)
        type_ = te.instantiate_mvars(type_)
    session.failed.discard(decl.name)
    session.declare(Constant(name, "inductive", type_, params=pi_names(type_)))
    is_class = decl.is_class or "class" in attribute_names(decl.modifiers)
    session.env.inductives[name] = InductiveInfo(
        name, len(header.all), indices, (), is_class=is_class, is_prop=sort.is_prop
    )
    return _Type(decl, name, scope, header, sort.is_prop, indices, selected, guessed)


def _constructors(session: Session, item: _Type, group: set[str]) -> None:
    decl = item.decl
    built: list[Constant] = []
    counts: list[int] = []
    recursive = False
    for number, ctor in enumerate(decl.constructors):
        full = f"{item.name}.{ctor.name}"
        if any(c.name == full for c in built) or session.env.constants.get(full) is not None:
            raise ElabError("redeclared", f"'{full}' has already been declared", ctor.span)
        params, type_ = _constructor_type(session, item, ctor)
        fields = pi_names(type_)
        names = (*params, *fields[len(params) :])
        protected = "protected" in ctor.modifiers.keywords
        constant = Constant(
            full, "constructor", type_, params=names, inductive=item.name, index=number, protected=protected
        )
        built.append(constant)
        counts.append(len(fields) - len(params))
        recursive = recursive or _mentions_group(type_, len(params), group)
    for constant in built:
        session.declare(constant)
    old = session.env.inductives[item.name]
    session.env.inductives[item.name] = InductiveInfo(
        item.name,
        old.params,
        old.indices,
        tuple([c.name for c in built]),
        field_counts=tuple(counts),
        is_class=old.is_class,
        is_prop=old.is_prop,
        recursive=recursive,
    )


def _mentions_group(type_: Term, params: int, group: set[str]) -> bool:
    """Tell whether a field's type mentions the types being declared."""
    n = 0
    while isinstance(type_, core.Pi):
        if n >= params and constants_in(type_.type) & group:
            return True
        type_ = type_.body
        n += 1
    return False


def _constructor_type(session: Session, item: _Type, ctor: syntax.Constructor) -> tuple[list[str], Term]:
    """Return the names of the parameters and the closed type of a constructor; parameters become implicit."""
    auto: list[str] = []
    while True:
        header = elaborate_header(session, item.scope, item.selected, item.decl.binders, None)
        te = header.te
        te.auto_bound = True
        try:
            type_ = _under_parameters(te, item, ctor, header, auto)
        except AutoBound as unknown:
            auto_bind(session, item.scope, unknown, auto)
            auto.append(unknown.name)
            continue
        te.auto_bound = False
        settle_parameters(header)
        type_ = bind_all(te, header.all, type_, pi=True, info="implicit")
        te.synthesize(True)
        type_ = te.instantiate_mvars(type_)
        if type_.has_mvar:
            # Lean unifies the parameters of all constructors of the group first.
            raise ElabError("unsupported", "failed to infer the type of the constructor", ctor.span)
        if not item.is_prop or item.indices == 0:
            _check_positive(item, ctor, type_)
        return [te.decls[f.id].name for f in header.all], type_


def _check_positive(item: _Type, ctor: syntax.Constructor, type_: Term) -> None:
    """Refuse a field that is a function from the type itself: the kernel does."""
    number = 0
    while isinstance(type_, core.Pi):
        number, field_type, type_ = number + 1, type_.type, type_.body
        while isinstance(field_type, core.Pi):
            if item.name in constants_in(field_type.type):
                message = f"(kernel) arg #{number} of '{item.name}.{ctor.name}' has a non positive occurrence of the "
                raise ElabError("type", f"{message}datatypes being declared", ctor.span)
            field_type = field_type.body


def _under_parameters(te: TermElab, item: _Type, ctor: syntax.Constructor, header: Header, auto: Sequence[str]) -> Term:
    with te.scoped():
        extra: list[FVar] = [te.local(name, te.fresh_type(name), "implicit") for name in auto]
        fields = te.elab_binders(ctor.binders)
        if ctor.type is not None:
            result = te.elab_type(ctor.type)
        elif item.indices:
            raise ElabError("type", "constructor resulting type must be specified in inductive family", ctor.span)
        else:
            result = core.mk_app(core.Const(item.name), *header.all)
        te.synthesize(False)
        result = te.instantiate_mvars(result)
        _check_result(te, item, ctor, result)
        _fix_parameters(te, result, header.all)
        return te.instantiate_mvars(te.mk_pi([*extra, *fields], result))


def _check_result(te: TermElab, item: _Type, ctor: syntax.Constructor, result: Term) -> None:
    while isinstance(result, core.Pi):
        result = result.body
    head = core.unfold_app(result)[0]
    if not (isinstance(head, core.Const) and head.name == item.name):
        head = core.unfold_app(te.whnf_core(result))[0]
    if not (isinstance(head, core.Const) and head.name == item.name):
        span = ctor.type.span if ctor.type is not None else ctor.span
        raise ElabError("type", f"unexpected constructor resulting type, '{item.name}' expected", span)


def _fix_parameters(te: TermElab, result: Term, params: Sequence[FVar]) -> None:
    """The parameters of the resulting type are those of the declaration, where left open (`nil : S []`)."""
    while isinstance(result, core.Pi):
        result = result.body
    for given, param in zip(core.unfold_app(result)[1], params, strict=False):
        if isinstance(given, core.MVar):
            te.is_defeq(given, param)
