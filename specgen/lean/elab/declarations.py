"""`def`, `abbrev`, `theorem`, `instance`, `example`, `axiom`, `opaque`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.header import Header, elaborate_header, select_variables
from specgen.lean.elab.letrec import CaptureMissed, Lifter, with_where
from specgen.lean.elab.naming import instance_name
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import (
    KNOWN_ATTRIBUTES,
    Session,
    constants_in,
    free_vars,
    has_sorry,
    pi_names,
    replace_fvars,
)
from specgen.lean.elab.surface import has_sorry as surface_sorry
from specgen.lean.elab.surface import names_in
from specgen.lean.elab.termination import terminates
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant, ConstantKind, LazyConstant

_TABLE_ATTRIBUTES = frozenset(["prim", "since", "until", "mathlib", "std"])


@dataclass(slots=True)
class Pending:
    """A declaration whose header is known and whose body is to come."""

    decl: syntax.Declaration
    name: str
    scope: Scope
    selected: list[syntax.Binder]
    constant: Constant | None = None
    header: Header | None = None
    """The header as just elaborated, for the first attempt at the body."""


def attribute_names(modifiers: syntax.Modifiers) -> set[str]:
    """Return the names of attributes without `local` and `scoped`."""
    return {a.name.split()[-1] for a in modifiers.attributes if not a.name.startswith("-")}


def check_attributes(session: Session, modifiers: syntax.Modifiers) -> None:
    """Report attributes that we do not know (they may be an import's)."""
    for attribute in modifiers.attributes:
        name = attribute.name.split()[-1]
        first = name.split(".")[0].rstrip("!?↓↑←→")
        if session.table and first in _TABLE_ATTRIBUTES:
            continue
        if first not in KNOWN_ATTRIBUTES and name not in KNOWN_ATTRIBUTES and not attribute.name.startswith("-"):
            session.report(ElabError("unsupported", f"unknown attribute [{name}]", attribute.span))


def body_of(decl: syntax.Declaration) -> syntax.Term | None:
    """Return the body of a declaration as one term, functions after `where` included."""
    body = decl.value
    if decl.alts:
        body = syntax.FunMatch(decl.span, decl.alts)
    elif decl.fields is not None:
        body = syntax.StructInst(decl.span, (), decl.fields, False, None)
    return None if body is None else with_where(body, decl.where_decls)


class DeclarationElab:
    """Elaborates declarations of one session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    # ---- entry points

    def declare(self, decl: syntax.Declaration) -> None:
        """Elaborate one declaration; raises ElabError when its header is at fault, reports what its body lacks."""
        self.declare_group([decl])

    def declare_group(self, decls: Sequence[syntax.Declaration]) -> None:
        """Elaborate a group of mutually recursive declarations: all headers first."""
        pending: list[Pending] = []
        first: ElabError | None = None
        for decl in decls:
            try:
                pending.append(self._start(decl))
            except ElabError as error:
                self.session.failed.add(decl.name)
                if len(decls) == 1:
                    raise
                first = first or error
        group = [p.name for p in pending if p.name]
        for item in pending:
            try:
                self._finish(item, group)
            except ElabError as error:
                first = first or error
                if item.constant is not None and item.constant.instance_of:
                    self.session.env.add(item.constant)
        if first is not None:
            raise first

    # ---- headers

    def _start(self, decl: syntax.Declaration) -> Pending:
        session = self.session
        if decl.kind == "lemma" and not (session.env.lean.mathlib or session.env.lean.beyond or session.table):
            raise ElabError("syntax", "unexpected identifier; expected command", decl.span)
        check_attributes(session, decl.modifiers)
        scope, name = session.scope, ""
        if decl.name:
            name = scope.qualify(decl.name)
            self._check_new(name, decl)
            prefix = "" if decl.name.startswith("_root_.") else decl.name.rpartition(".")[0]
            own = (name,) if decl.kind in ("def", "abbrev", "instance", "opaque") else ()
            scope = scope.inside(prefix, (*scope.self_names, *own))
        item = Pending(decl, name, scope, self._select(decl, scope))
        self._header_constant(item)
        return item

    def _check_new(self, name: str, decl: syntax.Declaration) -> None:
        old = self.session.env.get(name)
        if old is None or (self.session.table and name not in self.session.env.constants):
            return
        if "private" in decl.modifiers.keywords and name not in self.session.env.constants:
            return
        raise ElabError("redeclared", f"'{name}' has already been declared", decl.span)

    def _select(self, decl: syntax.Declaration, scope: Scope) -> list[syntax.Binder]:
        if not scope.variables:
            return []
        mentioned = names_in(decl.binders, decl.type)
        if decl.kind not in ("theorem", "lemma"):
            mentioned |= names_in(decl.value, decl.alts, decl.fields, decl.where_decls)
        own = {n for b in decl.binders for n in b.names}
        return select_variables(scope, mentioned - own)

    def _header_constant(self, item: Pending) -> None:
        """Elaborate the header, and add the constant without its value where the type is written out."""
        decl = item.decl
        header = elaborate_header(self.session, item.scope, item.selected, decl.binders, decl.type)
        if not self.session.lazy:
            item.header = header
        if header.type is None:
            return
        te = header.te
        type_ = te.instantiate_mvars(te.mk_pi(header.all, header.type))
        if type_.has_mvar:
            te.synthesize(True)
            type_ = te.instantiate_mvars(type_)
        if type_.has_mvar:
            return
        if type_.has_fvar:
            raise ElabError("unsupported", "a header with open variables", decl.span)
        if decl.kind in ("theorem", "lemma") and not te.is_prop(header.type):
            what = f"type of theorem '{decl.name}' is not a proposition"
            raise ElabError("type", what, decl.type.span if decl.type is not None else decl.span)
        self._name_instance(item, te, header.type)
        item.constant = self._constant(item, te, type_, header)
        if item.name:
            # An instance is not an instance yet while its own value is elaborated.
            hidden = decl.kind == "instance" and not self.session.lazy
            self.session.declare(replace(item.constant, instance_of="") if hidden else item.constant)

    def _name_instance(self, item: Pending, te: TermElab, type_: Term) -> None:
        if item.decl.kind == "instance" and not item.name:
            short = instance_name(te.instantiate_mvars(type_))
            item.name = self.session.fresh_name(item.scope.qualify(short))

    def _constant(self, item: Pending, te: TermElab, type_: Term, header: Header) -> Constant:
        decl = item.decl
        attributes = attribute_names(decl.modifiers)
        kinds: dict[str, ConstantKind] = {
            "theorem": "theorem",
            "lemma": "theorem",
            "axiom": "axiom",
            "opaque": "opaque",
        }
        instance_of = ""
        if decl.kind == "instance" or "instance" in attributes:
            found = te.class_of(header.type if header.type is not None else type_)
            if found is None:
                raise ElabError("type", "type class instance expected", decl.type.span if decl.type else decl.span)
            instance_of = found.name
        defaults = tuple([(i, te.instantiate_mvars(t)) for i, t in header.defaults])
        return Constant(
            item.name,
            kinds.get(decl.kind, "def"),
            type_,
            params=pi_names(type_),
            defaults=defaults,
            reducible=decl.kind in ("abbrev", "instance") or "reducible" in attributes,
            instance_of=instance_of,
            protected="protected" in decl.modifiers.keywords,
            sorry=has_sorry(type_),
        )

    # ---- bodies

    def _finish(self, item: Pending, group: Sequence[str]) -> None:
        decl = item.decl
        body = body_of(decl)
        if decl.kind in ("axiom", "opaque") or body is None:
            if item.constant is None:
                raise ElabError("type", "failed to infer the type of the declaration", decl.span)
            return
        if item.constant is not None and self._is_proof(item.constant.type, decl):
            self._finish_proof(item, body)
            return
        if self.session.lazy and item.constant is not None:
            session = self.session
            thunk_scope = item.scope

            def value() -> Term | None:
                return DeclarationElab(session).late_value(replace_scope(item, thunk_scope), group)

            lazy = LazyConstant.of(item.constant, value)
            item.constant = lazy
            self.session.env.add(lazy)
            return
        self._define(item, group)

    def late_value(self, item: Pending, group: Sequence[str]) -> Term | None:
        """Elaborate the value of a lazy constant; None (and a report) when it is at fault."""
        try:
            return self._value(item, group)[0]
        except ElabError as error:
            self.session.report(error)
            return None

    def _is_proof(self, type_: Term, decl: syntax.Declaration) -> bool:
        if decl.kind in ("theorem", "lemma"):
            return True
        if decl.kind not in ("example", "instance", "def"):
            return False
        te = self.session.elaborator()
        return te.is_prop(type_)

    def _finish_proof(self, item: Pending, body: syntax.Term) -> None:
        """A proof is not checked: it becomes an erased term."""
        assert item.constant is not None
        admitted = surface_sorry(body)
        if admitted:
            self.session.report(ElabError("type", "declaration uses 'sorry'", item.decl.span, "warning"))
        value = core.Proof(item.constant.type, admitted)
        keep = None if item.constant.kind == "theorem" else value
        if item.name:
            self.session.env.add(replace(item.constant, value=keep, sorry=admitted or item.constant.sorry))

    def _define(self, item: Pending, group: Sequence[str]) -> None:
        value, constant = self._value(item, group)
        if not item.name:
            return
        recursive = bool(constants_in(value) & {item.name, *group})
        sorry = constant.sorry or has_sorry(value)
        if sorry or surface_sorry(body_of(item.decl)):
            self.session.report(ElabError("type", "declaration uses 'sorry'", item.decl.span, "warning"))
        self.session.declare(replace(constant, value=value, recursive=recursive, sorry=sorry))
        if recursive and not self._terminates(item):
            self.session.terminations.append((item.name, item.decl.span))

    def _terminates(self, item: Pending) -> bool:
        decl = item.decl
        if decl.termination_by or decl.decreasing_by or {"partial", "unsafe"} & set(decl.modifiers.keywords):
            return True
        return terminates(decl)

    def _value(self, item: Pending, group: Sequence[str]) -> tuple[Term, Constant]:
        """Elaborate header and body; returns the closed value and the constant as it then is."""
        capture_all = False
        for _ in range(4):
            try:
                return self._attempt(item, capture_all)
            except CaptureMissed:
                if capture_all:
                    break
                capture_all = True
            except _Variables as needed:
                item.selected = needed.binders
                self._header_constant(item)
        raise ElabError("unsupported", "the variables this declaration captures could not be found", item.decl.span)

    def _attempt(self, item: Pending, capture_all: bool) -> tuple[Term, Constant]:
        decl = item.decl
        session = self.session
        header, item.header = item.header, None
        if header is None:
            header = elaborate_header(session, item.scope, item.selected, decl.binders, decl.type)
        te = header.te
        lifter = Lifter(session, item.name or "_example", capture_all)
        te.let_rec = lifter
        te.defining = item.name
        own = self._own_alias(te, item, header)
        if own is not None:
            lifter.aliases[own[0].id] = own[1]
        expected = header.type if header.type is not None else te.fresh_type(span=decl.span)
        body = body_of(decl)
        assert body is not None
        value = te.elab_term_ensuring(body, expected)
        te.synthesize(True)
        if own is not None:
            value = replace_fvars(te.instantiate_mvars(value), {own[0].id: own[1]})
        bound = te.mk_lambda(header.all, value)
        type_ = te.mk_pi(header.all, expected)
        params = [te.instantiate_mvars(te.local_type(f)) for f in header.all]
        self._check_variables(te, item, header, bound, params)
        bound, type_ = lifter.finish(te, bound, type_)
        if bound.has_mvar or type_.has_mvar:
            raise ElabError("type", "don't know how to synthesize placeholder", decl.span)
        if free_vars(bound):
            raise CaptureMissed
        constant = item.constant
        if constant is None or constant.type != type_:
            self._name_instance(item, te, expected)
            constant = self._constant(item, te, type_, header)
        return bound, constant

    def _own_alias(self, te: TermElab, item: Pending, header: Header) -> tuple[FVar, Term] | None:
        """With section variables, the function's own name means its constant applied to them."""
        constant = item.constant
        if not header.variables or constant is None or not item.name or header.type is None:
            return None
        short = item.name.rpartition(".")[2]
        if any(te.decls[f.id].name == short for f in header.all):
            return None
        term = core.mk_app(core.Const(item.name), *header.variables)
        type_ = te.instantiate_mvars(te.mk_pi(header.params, header.type))
        return te.local(short, type_, value=term), term

    def _check_variables(
        self, te: TermElab, item: Pending, header: Header, value: Term, param_types: Sequence[Term]
    ) -> None:
        """Leave out section variables that turn out unused, and elaborate again without them."""
        if not item.selected or self.session.lazy:
            return
        body: Term = value
        used: set[int] = set()
        with te.scoped():
            body = te.instantiate_mvars(body)
            for fvar in header.all:
                if not isinstance(body, core.Lam):
                    return
                body = core.instantiate(body.body, [fvar])
        todo = list(free_vars(self._without_own_calls(item, body, header), *param_types[len(header.variables) :]))
        if header.type is not None:
            todo += free_vars(te.instantiate_mvars(header.type))
        while todo:
            i = todo.pop()
            if i not in used and i in te.decls:
                used.add(i)
                todo += free_vars(te.instantiate_mvars(te.decls[i].type))
        mentioned = names_in(item.decl.value, item.decl.alts, item.decl.where_decls)
        keep = [
            b for b in item.selected if _binder_used(te, b, header.variables, used) or mentioned.intersection(b.names)
        ]
        if len(keep) != len(item.selected):
            raise _Variables(keep)

    @staticmethod
    def _without_own_calls(item: Pending, body: Term, header: Header) -> Term:
        """Replace the leading arguments of recursive calls, which mention all section variables."""
        if not item.name:
            return body
        n = len(header.variables)

        def go(t: Term, depth: int) -> Term:
            if isinstance(t, core.App) and isinstance(t.fn, core.Const) and t.fn.name == item.name:
                return core.mk_app(t.fn, *[go(a, depth) for a in t.args[n:]])
            return core.map_children(t, go, depth) if t.has_fvar else t

        return go(body, 0)


class _Variables(Exception):  # noqa: N818
    """The section variables that a definition really uses."""

    def __init__(self, binders: list[syntax.Binder]) -> None:
        super().__init__()
        self.binders = binders


def _binder_used(te: TermElab, binder: syntax.Binder, variables: Sequence[FVar], used: set[int]) -> bool:
    if binder.names and binder.names != ("_",):
        return any(te.decls[f.id].name in binder.names and f.id in used for f in variables)
    return any(f.id in used and te.decls[f.id].info == "instance" for f in variables)


def replace_scope(item: Pending, scope: Scope) -> Pending:
    """Return a copy of a pending declaration for late elaboration."""
    return Pending(item.decl, item.name, scope, item.selected, item.constant)
