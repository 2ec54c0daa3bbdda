"""`structure` and `class`: constructor, projections, parents, default values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.context import AutoBound, ElabError
from specgen.lean.elab.declarations import attribute_names, check_attributes
from specgen.lean.elab.deriving import derive
from specgen.lean.elab.header import Header, auto_bind, elaborate_header, select_variables, settle_parameters
from specgen.lean.elab.inherit import leaf_fields
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import Session, bind_all, constants_in, free_vars, pi_names, replace_fvars
from specgen.lean.elab.subst import beta
from specgen.lean.elab.surface import names_in
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant, InductiveInfo


@dataclass(slots=True)
class _Field:
    name: str
    fvar: FVar
    info: core.BinderInfo
    default: Term | None = None
    parent: str = ""
    """The structure this field is the parent object of."""


@dataclass(slots=True)
class _Build:
    """A structure under construction, in the context of `te`."""

    session: Session
    decl: syntax.Structure
    name: str
    scope: Scope
    te: TermElab
    params: list[FVar]
    fields: list[_Field] = field(default_factory=list)
    inherited: dict[str, FVar] = field(default_factory=dict)
    """Fields of parents by name: a local variable whose value is the projection of the parent object."""
    parents: list[tuple[str, Term]] = field(default_factory=list)
    parent_defaults: list[tuple[str, Term]] = field(default_factory=list)
    late_parents: list[tuple[str, str, Term]] = field(default_factory=list)
    """Parents that overlap with earlier ones: projection name, structure, type."""


def declare_structure(session: Session, decl: syntax.Structure) -> None:
    """Elaborate a structure or class with its projections and `deriving` clause."""
    check_attributes(session, decl.modifiers)
    name = session.scope.qualify(decl.name)
    if session.env.get(name) is not None and not (session.table and name not in session.env.constants):
        raise ElabError("redeclared", f"'{name}' has already been declared", decl.span)
    auto: list[str] = []
    session.failed.add(decl.name)
    while True:
        build = _start(session, decl, name, auto)
        build.te.auto_bound = True
        try:
            _fields(build)
            break
        except AutoBound as unknown:
            auto_bind(session, session.scope, unknown, auto)
            auto.append(unknown.name)
    build.te.auto_bound = False
    build.te.synthesize(True)
    session.failed.discard(decl.name)
    _finish(build)
    derive(session, build.scope, name, decl.deriving, decl.span)


def _start(session: Session, decl: syntax.Structure, name: str, auto: list[str]) -> _Build:
    scope = session.scope.inside("" if decl.name.startswith("_root_.") else decl.name.rpartition(".")[0], (name,))
    own = {n for b in decl.binders for n in b.names}
    selected = select_variables(scope, names_in(decl.binders, decl.fields, decl.parents, decl.type) - own)
    extra = [syntax.Binder(decl.span, (n,), None, "implicit") for n in auto]
    binders = [*extra, *[_without_out_param(b) for b in decl.binders]]
    header = elaborate_header(session, scope, selected, binders, decl.type)
    te = header.te
    sort = te.instantiate_mvars(header.type) if header.type is not None else core.TYPE
    sort = sort if isinstance(sort, core.Sort) else te.whnf(sort)
    if not isinstance(sort, core.Sort):
        raise ElabError("type", "invalid structure, resultant type is not a sort", decl.span)
    type_ = te.instantiate_mvars(bind_all(te, header.all, sort, pi=True))
    if type_.has_mvar:
        te.synthesize(True)
        type_ = te.instantiate_mvars(type_)
    is_class = decl.is_class or "class" in attribute_names(decl.modifiers)
    session.declare(Constant(name, "inductive", type_, params=pi_names(type_)))
    session.env.inductives[name] = InductiveInfo(
        name,
        len(header.all),
        0,
        (),
        is_structure=True,
        is_class=is_class,
        is_prop=sort.is_prop,
        out_params=_out_params(decl, len(header.all)),
    )
    return _Build(session, decl, name, scope, te, header.all)


def _is_out_param(type_: syntax.Term | None) -> bool:
    return (
        isinstance(type_, syntax.App)
        and isinstance(type_.fn, syntax.Ident)
        and type_.fn.name in ("outParam", "semiOutParam")
        and len(type_.args) == 1
    )


def _without_out_param(binder: syntax.Binder) -> syntax.Binder:
    type_ = binder.type
    while _is_out_param(type_):
        assert isinstance(type_, syntax.App)
        inner = type_.args[0]
        assert not isinstance(inner, (syntax.NamedArg, syntax.EllipsisArg))
        type_ = inner.inner if isinstance(inner, syntax.Paren) else inner
    return binder if type_ is binder.type else replace(binder, type=type_)


def _out_params(decl: syntax.Structure, total: int) -> frozenset[int]:
    flags: list[bool] = []
    for binder in decl.binders:
        type_ = binder.type
        out = (
            _is_out_param(type_)
            and isinstance(type_, syntax.App)
            and isinstance(type_.fn, syntax.Ident)
            and type_.fn.name == "outParam"
        )
        flags += [out] * max(1, len(binder.names))
    shift = total - len(flags)
    return frozenset([i + shift for i, out in enumerate(flags) if out])


# ------------------------------------------------------------------------------------------------------------- fields


def _fields(build: _Build) -> None:
    te = build.te
    for given, stx in build.decl.parents:
        _parent(build, given, te.elab_type(stx), stx.span)
    for binder in build.decl.fields:
        for name in binder.names or ("",):
            _field(build, binder, name)
    te.synthesize(False)


def _parent(build: _Build, given: str, type_: Term, span: syntax.Span) -> None:
    te = build.te
    type_ = te.instantiate_mvars(type_)
    head, args = core.unfold_app(type_)
    info = build.session.env.get_inductive(head.name) if isinstance(head, core.Const) else None
    if info is None or not info.is_structure:
        type_ = te.whnf(type_)
        head, args = core.unfold_app(type_)
        info = build.session.env.get_inductive(head.name) if isinstance(head, core.Const) else None
    if info is None or not info.is_structure:
        raise ElabError("type", "expected structure", span)
    if any(p == info.name for p, _ in build.parents):
        return
    build.parents.append((info.name, type_))
    to = given or "to" + info.name.rpartition(".")[2]
    leaves = leaf_fields(build.session.env, info)
    if any(leaf in build.inherited or leaf in {f.name for f in build.fields} for leaf in leaves):
        build.late_parents.append((to, info.name, type_))
        _copy_fields(build, info, args, span)
        return
    kind: core.BinderInfo = "instance" if info.is_class else "explicit"
    fvar = te.local(to, type_, kind)
    build.fields.append(_Field(to, fvar, kind, parent=info.name))
    _open_parent(build, info, args, fvar)


def _open_parent(build: _Build, info: InductiveInfo, args: tuple[Term, ...], value: Term) -> None:
    """Make the fields of a parent object visible by name."""
    te = build.te
    for name in info.fields:
        term = core.mk_app(core.Const(f"{info.name}.{name}"), *args, value)
        type_ = te.infer_type(term)
        fvar = te.local(name, type_, "instance" if te.class_of(type_) is not None else "explicit", value=term)
        build.inherited[name] = fvar
        parent = _parent_object(build.session, info, name)
        if parent is not None:
            inner = core.unfold_app(te.whnf(type_))[1]
            _open_parent(build, parent, inner, term)


def _parent_object(session: Session, info: InductiveInfo, name: str) -> InductiveInfo | None:
    """Return the structure of which a field is the parent object."""
    if not name.startswith("to"):
        return None
    for parent in info.parents:
        if name == "to" + parent.rpartition(".")[2]:
            return session.env.get_inductive(parent)
    return None


def _copy_fields(build: _Build, info: InductiveInfo, args: tuple[Term, ...], span: syntax.Span) -> None:
    """An overlapping parent: its fields that are not there yet become fields of our own."""
    te = build.te
    self_ = te.local("self", core.mk_app(core.Const(info.name), *args), "explicit")
    known: dict[str, FVar] = {**{f.name: f.fvar for f in build.fields}, **build.inherited}
    for name, term, default in _leaf_terms(build.session, te, info, args, self_):
        if name in known:
            continue
        type_ = _without_self(te, te.infer_type(term), self_, known, build.session)
        if self_.id in free_vars(type_):
            raise ElabError("unsupported", f"the inherited field '{name}' is not understood", span)
        kind: core.BinderInfo = "instance" if te.class_of(type_) is not None else "explicit"
        fvar = te.local(name, type_, kind)
        if default is not None:
            default = _without_self(te, default, self_, known, build.session)
        known[name] = fvar
        usable = default is not None and self_.id not in free_vars(default)
        build.fields.append(_Field(name, fvar, kind, default=default if usable else None))


def _leaf_terms(
    session: Session, te: TermElab, info: InductiveInfo, args: tuple[Term, ...], value: Term
) -> list[tuple[str, Term, Term | None]]:
    """Return names, values and defaults of the leaf fields of a structure value."""
    found: list[tuple[str, Term, Term | None]] = []
    defaults = dict(info.field_defaults)
    before: list[Term] = []
    for i, name in enumerate(info.fields):
        term = core.mk_app(core.Const(f"{info.name}.{name}"), *args, value)
        default = beta(defaults[i], [*args, *before]) if i in defaults else None
        before.append(term)
        parent = _parent_object(session, info, name)
        if parent is None:
            found.append((name, term, default))
        else:
            inner = core.unfold_app(te.whnf(te.infer_type(term)))[1]
            found += _leaf_terms(session, te, parent, inner, term)
    return found


def _without_self(te: TermElab, type_: Term, self_: FVar, known: dict[str, FVar], session: Session) -> Term:
    """Replace projections of the parent object `self_` by the fields that we have under the same name."""

    def go(t: Term, depth: int) -> Term:
        if not t.has_fvar:
            return t
        head, args = core.unfold_app(t)
        if isinstance(head, core.Const) and args:
            found = session.env.get(head.name)
            if found is not None and found.kind == "projection":
                info = session.env.get_inductive(found.inductive)
                short = head.name.rpartition(".")[2]
                n = info.params if info is not None else 0
                if len(args) > n and self_.id in free_vars(args[n]) and short in known:
                    rest = [go(a, depth) for a in args[n + 1 :]]
                    return core.mk_app(known[short], *rest)
        return core.map_children(t, go, depth)

    return go(te.instantiate_mvars(type_), 0)


def _field(build: _Build, binder: syntax.Binder, name: str) -> None:
    te = build.te
    own = next((f for f in build.fields if f.name == name), None)
    inherited = build.inherited.get(name)
    if binder.type is None and binder.default is not None and (inherited is not None or own is not None):
        fvar = inherited if inherited is not None else own.fvar if own is not None else None
        assert fvar is not None
        value = te.elab_term_ensuring(binder.default, te.local_type(fvar))
        te.synthesize(False)
        if inherited is None and own is not None:
            own.default = value
        else:
            build.parent_defaults.append((name, value))
        return
    if name and (inherited is not None or own is not None):
        raise ElabError("redeclared", f"field '{name}' has already been declared", binder.span)
    names = (name,) if name else ()
    default = _default_term(binder)
    fvars = te.elab_binders([replace(binder, names=names, default=None)])
    te.synthesize(False)
    for fvar in fvars:
        item = _Field(name or f"inst{len(build.fields)}", fvar, binder.kind)
        if default is not None:
            type_ = te.local_type(fvar)
            if isinstance(default, syntax.By):
                item.default = core.Proof(type_)
            else:
                item.default = te.elab_term_ensuring(default, type_)
                te.synthesize(False)
        build.fields.append(item)


def _default_term(binder: syntax.Binder) -> syntax.Term | None:
    """Return the default of a field; one with binders of its own is a function of them."""
    type_ = binder.type
    if binder.default is None or not isinstance(type_, syntax.Quantifier) or not type_.binders:
        return binder.default
    if type_.span[0] != type_.binders[0].span[0] or isinstance(binder.default, syntax.By):
        return binder.default
    return syntax.Fun(binder.default.span, type_.binders, binder.default)


# ---------------------------------------------------------------------------------------------------------- constants


def _finish(build: _Build) -> None:
    te, session = build.te, build.session
    name = build.name
    values = _inherited_values(build)
    fvars = [f.fvar for f in build.fields]
    types = [replace_fvars(te.instantiate_mvars(te.local_type(v)), values) for v in fvars]
    for fvar, type_ in zip(fvars, types, strict=True):
        te.decls[fvar.id].type = type_
    old = session.env.inductives[name]
    self_type = core.mk_app(core.Const(name), *build.params)
    ctor_name = f"{name}.{build.decl.constructor or 'mk'}"
    inner = _bind_fields(te, build.fields, self_type)
    known = session.env.constants[name]
    if known.type.has_mvar:
        settle_parameters(Header(te, [], list(build.params), None))
        session.declare(replace(known, type=te.instantiate_mvars(known.type)))
    ctor_type = te.instantiate_mvars(bind_all(te, build.params, inner, pi=True, info="implicit"))
    if ctor_type.has_mvar:
        raise ElabError("type", f"failed to infer the types of the fields of '{name}'", build.decl.span)
    session.declare(Constant(ctor_name, "constructor", ctor_type, params=pi_names(ctor_type), inductive=name, index=0))
    parents = [f.parent for f in build.fields if f.parent] + [s for _, s, _ in build.late_parents]
    info = replace(
        old,
        constructors=(ctor_name,),
        fields=tuple([f.name for f in build.fields]),
        field_counts=(len(fvars),),
        recursive=any(name in constants_in(t) for t in types),
        parents=tuple(parents),
    )
    session.env.inductives[name] = info
    _projections(build, info, types, self_type)
    session.env.inductives[name] = replace(
        info,
        field_defaults=_closed_defaults(build, fvars, values),
        parent_defaults=_closed_parent_defaults(build, fvars, values),
    )
    _late_parents(build, info, self_type)


def _inherited_values(build: _Build) -> dict[int, Term]:
    """Return for each inherited field its value in terms of the parent objects."""
    te = build.te
    values: dict[int, Term] = {}
    for fvar in build.inherited.values():
        value = te.decls[fvar.id].value
        assert value is not None
        values[fvar.id] = replace_fvars(te.instantiate_mvars(value), values)
    return values


def _bind_fields(te: TermElab, fields: list[_Field], body: Term) -> Term:
    for i in range(len(fields) - 1, -1, -1):
        fvar = fields[i].fvar
        body = core.abstract(body, [fvar])
        body = core.Pi(fields[i].name, te.local_type(fvar), body, fields[i].info)
    return body


def _projections(build: _Build, info: InductiveInfo, types: list[Term], self_type: Term) -> None:
    te = build.te
    self_info: core.BinderInfo = "instance" if info.is_class else "explicit"
    self_ = te.local("self", self_type, self_info)
    swap: dict[int, Term] = {}
    for i, (item, type_) in enumerate(zip(build.fields, types, strict=True)):
        full = f"{build.name}.{item.name}"
        result = core.abstract(replace_fvars(type_, swap), [self_])
        body: Term = core.Pi("self", self_type, result, self_info)
        for number, param in reversed(list(enumerate(build.params))):
            decl = te.decls[param.id]
            inner = core.abstract(body, [param])
            kind: core.BinderInfo = decl.info
            if kind == "explicit" and (number in info.out_params or _determined(inner, 0)):
                kind = "implicit"
            body = core.Pi(decl.name, te.instantiate_mvars(decl.type), inner, kind)
        instance_of = ""
        if item.parent:
            parent = build.session.env.get_inductive(item.parent)
            instance_of = item.parent if parent is not None and parent.is_class and info.is_class else ""
        build.session.declare(
            Constant(
                full,
                "projection",
                te.instantiate_mvars(body),
                params=pi_names(body),
                inductive=build.name,
                index=i,
                reducible=bool(item.parent),
                instance_of=instance_of,
            )
        )
        swap[item.fvar.id] = core.mk_app(core.Const(full), *build.params, self_)


def _determined(body: Term, depth: int) -> bool:
    """Tell whether a bound variable occurs in an explicit argument's type or in the result: Lean then infers it."""
    while isinstance(body, core.Pi):
        if body.info == "explicit" and _occurs(body.type, depth):
            return True
        body, depth = body.body, depth + 1
    return _occurs(body, depth)


def _occurs(term: Term, index: int) -> bool:
    found = False

    def go(t: Term, depth: int) -> Term:
        nonlocal found
        if isinstance(t, core.BVar):
            found = found or t.index == index + depth
        elif t.loose > index + depth and not found:
            core.map_children(t, go, depth)
        return t

    go(term, 0)
    return found


def _closed_defaults(build: _Build, fvars: list[FVar], values: dict[int, Term]) -> tuple[tuple[int, Term], ...]:
    te = build.te
    found: list[tuple[int, Term]] = []
    for i, item in enumerate(build.fields):
        if item.default is None:
            continue
        value = replace_fvars(te.instantiate_mvars(item.default), values)
        closed = te.instantiate_mvars(bind_all(te, [*build.params, *fvars[:i]], value, pi=False))
        if not closed.has_fvar:
            found.append((i, closed))
    return tuple(found)


def _closed_parent_defaults(
    build: _Build, fvars: list[FVar], values: dict[int, Term]
) -> tuple[tuple[str, tuple[str, ...], Term], ...]:
    """Return the defaults given to inherited fields as functions of the fields (by name) that they use."""
    te = build.te
    known: dict[int, FVar] = {f.fvar.id: f.fvar for f in build.fields}
    known.update({v.id: v for v in build.inherited.values()})
    found: list[tuple[str, tuple[str, ...], Term]] = []
    for name, default in build.parent_defaults:
        value = te.instantiate_mvars(default)
        params = {p.id for p in build.params}
        used = [v for i, v in free_vars(value).items() if i not in params]
        if any(v.id not in known for v in used):
            continue
        used.sort(key=lambda v: te.decls[v.id].depth)
        inner = [te.decls[v.id].name for v in used]
        closed = te.instantiate_mvars(bind_all(te, [*build.params, *used], value, pi=False))
        if closed.has_fvar:
            # The types of the fields used mention further fields: write those as projections of what is used.
            closed = replace_fvars(closed, values)
        if not closed.has_fvar:
            found.append((name, tuple(inner), closed))
    return tuple(found)


def _late_parents(build: _Build, info: InductiveInfo, self_type: Term) -> None:
    """Define `toP` for a parent that is not stored as an object."""
    te, session = build.te, build.session
    for to, parent, type_ in build.late_parents:
        target = session.env.get_inductive(parent)
        if target is None:
            continue
        self_info: core.BinderInfo = "instance" if info.is_class else "explicit"
        self_ = te.local("self", self_type, self_info)
        args = core.unfold_app(type_)[1]
        value = _rebuild(build, target, args, info, self_)
        closed_type = bind_all(te, [*build.params, self_], type_, pi=True)
        full = f"{build.name}.{to}"
        session.declare(
            Constant(
                full,
                "def",
                _implicit_params(te.instantiate_mvars(closed_type), len(build.params)),
                value=te.instantiate_mvars(bind_all(te, [*build.params, self_], value, pi=False)),
                params=pi_names(closed_type),
                reducible=True,
                instance_of=parent if target.is_class and info.is_class else "",
            )
        )


def _implicit_params(type_: Term, n: int) -> Term:
    if n == 0 or not isinstance(type_, core.Pi):
        return type_
    kind: core.BinderInfo = "instance" if type_.info == "instance" else "implicit"
    return core.Pi(type_.name, type_.type, _implicit_params(type_.body, n - 1), kind)


def _rebuild(build: _Build, target: InductiveInfo, args: tuple[Term, ...], info: InductiveInfo, self_: FVar) -> Term:
    """Return an object of a parent structure with its fields taken from `self_`."""
    te = build.te
    leaves = _leaf_terms(build.session, te, info, tuple(build.params), self_)
    have = {name: term for name, term, _ in leaves}
    fields: list[Term] = []
    for name in target.fields:
        parent = _parent_object(build.session, target, name)
        if parent is None:
            if name not in have:
                raise ElabError("unsupported", f"the parent '{target.name}' is not understood", build.decl.span)
            fields.append(have[name])
            continue
        ctor = core.mk_app(core.Const(target.constructors[0]), *args, *fields)
        need = te.whnf(te.infer_type(ctor))
        assert isinstance(need, core.Pi)
        fields.append(_rebuild(build, parent, core.unfold_app(te.whnf(need.type))[1], info, self_))
    return core.mk_app(core.Const(target.constructors[0]), *args, *fields)
