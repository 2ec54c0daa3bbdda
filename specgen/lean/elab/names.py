"""Identifiers and dot notation: what a name means, field access, `.ctor` through the expected type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, MVar, Pi, Term
from specgen.lean.elab.app import AppElab, Arg, Args
from specgen.lean.elab.context import AutoBound, ElabError, LocalDecl, Postpone
from specgen.lean.elab.subst import beta
from specgen.lean.library.notation import ATOMS
from specgen.lean.source import DiagnosticKind
from specgen.lean.syntax import Span

Field = str | int


@dataclass(frozen=True, slots=True)
class _Access:
    """How one field access goes on: a projection along `path`, or the function `name` of the type `base`."""

    base: str
    name: str
    path: tuple[str, ...] = ()


class Names(AppElab):
    """Adds identifiers, applications and field accesses."""

    def elab_application(self, stx: syntax.Term, expected: Term | None) -> Term:
        """Elaborate an application, identifier or field access."""
        args = Args()
        fn = stx
        if isinstance(stx, syntax.App):
            fn = stx.fn
            for arg in stx.args:
                if isinstance(arg, syntax.NamedArg):
                    if any(n == arg.name for n, _, _ in args.named):
                        raise ElabError("type", f"argument '{arg.name}' was already set", arg.span)
                    args.named.append((arg.name, arg.value, arg.span))
                elif isinstance(arg, syntax.EllipsisArg):
                    args.ellipsis = True
                else:
                    args.positional.append(arg)
        return self._head(fn, (), args, expected, stx.span)

    def _head(self, fn: syntax.Term, fields: tuple[Field, ...], args: Args, expected: Term | None, span: Span) -> Term:
        """Elaborate the head of an application with the fields that follow it."""
        match fn:
            case syntax.Ident():
                return self._ident_head(fn, fields, args, expected, span)
            case syntax.Proj():
                return self._head(fn.target, (fn.field, *fields), args, expected, span)
            case syntax.Explicit() if not args.explicit:
                args.explicit = True
                return self._head(fn.fn, fields, args, expected, span)
            case syntax.DotIdent():
                return self._dot_head(fn, fields, args, expected, span)
            case syntax.App() if fields:
                term = self.elab_application(fn, None)
            case _:
                term = self.elab_term(fn, None)
        return self._fields(term, fields, args, expected, span)

    # ---- identifiers

    def _ident_head(
        self, stx: syntax.Ident, fields: tuple[Field, ...], args: Args, expected: Term | None, span: Span
    ) -> Term:
        if not stx.root:
            local = self.lookup_local(stx.parts[0])
            if local is not None:
                return self._fields(self.use_local(local), (*stx.parts[1:], *fields), args, expected, span)
        atom = ATOMS.get(stx.parts[0]) if len(stx.parts) == 1 else None
        if (
            atom is not None
            and (not atom.mathlib or self.env.lean.mathlib)
            and not self.scope.resolve(stx.parts, False)
        ):
            if self.env.get(atom.fn) is None:
                raise ElabError("unsupported", f"notation '{stx.parts[0]}' ({atom.fn}) is not supported", stx.span)
            candidates: list[tuple[str, tuple[str, ...]]] = [(atom.fn, ())]
        else:
            candidates = self.scope.resolve(stx.parts, stx.root)
        if not candidates:
            if stx.parts == ("Type*",) and (self.env.lean.mathlib or self.env.lean.beyond):
                return core.TYPE
            if stx.parts == ("Type*",):
                raise ElabError("syntax", "unexpected token '*'; expected term", stx.span)
            raise self.unknown(stx, expected)
        if len(candidates) == 1:
            name, rest = candidates[0]
            return self._fields(self.constant(name, stx.span), (*rest, *fields), args, expected, span)
        return self._overloaded(candidates, fields, args, expected, span)

    def use_local(self, local: LocalDecl) -> Term:
        """Return the term for a local variable (a `let rec` function stands for its constant)."""
        return local.fvar

    def constant(self, name: str, span: Span) -> Term:
        """Return a constant that name resolution found; one that failed to elaborate is not used in silence."""
        if self.env.get(name) is None:
            raise ElabError("unsupported", f"'{name}' could not be elaborated", span)
        return Const(name)

    def _overloaded(
        self,
        candidates: Sequence[tuple[str, tuple[str, ...]]],
        fields: tuple[Field, ...],
        args: Args,
        expected: Term | None,
        span: Span,
    ) -> Term:
        """Elaborate with each candidate; exactly one must succeed."""
        mark, pending = self.mark(), self.pending
        good: list[tuple[str, tuple[str, ...]]] = []
        errors: list[ElabError] = []
        postponed = False
        for name, rest in candidates:
            try:
                term = self._fields(self.constant(name, span), (*rest, *fields), _copy(args), expected, span)
                if expected is not None:
                    self.ensure_has_type(expected, term, span)
                good.append((name, rest))
            except ElabError as error:
                errors.append(error)
            except Postpone:
                postponed = True
            self.undo(mark)
            self.pending = pending
        if len(good) == 1 and not postponed:
            name, rest = good[0]
            return self._fields(Const(name), (*rest, *fields), args, expected, span)
        if postponed:
            self.try_postpone()
        if not good:
            if errors and all(e.kind == "unsupported" for e in errors):
                raise errors[0]
            kind: DiagnosticKind = "unsupported" if any(e.kind == "unsupported" for e in errors) else "type"
            raise ElabError(kind, f"overloaded, errors\n  {'; '.join(e.message for e in errors)}", span)
        names = ", ".join(n for n, _ in good)
        raise ElabError("type", f"ambiguous, possible interpretations\n  {names}", span)

    def unknown(self, stx: syntax.Ident, expected: Term | None) -> Exception:
        """Make the error for an identifier without meaning (or AutoBound)."""
        if self.auto_bound and len(stx.parts) == 1 and not stx.root:
            return AutoBound(stx.parts[0], stx.span)
        namespace = ".".join(stx.parts[:-1])
        last = stx.parts[-1]
        known = (
            self.env.library.is_complete(namespace)
            or (namespace != "" and namespace in self.env.namespaces and not self.env.library.has_namespace(namespace))
            or self.scope.certainly_unknown(stx.parts)
        )
        if known and namespace and (_lemma_like(last) or self.env.library.is_uncovered(stx.name)):
            known = False
        if known and namespace and self.auto_bound and len(stx.parts[0]) == 1:
            known = False
        if known and any(part in _GENERATED for part in stx.parts[1:]):
            known = False
        if namespace and self.env.library.is_elsewhere(stx.name):
            known = True
        if known and not namespace and _lemma_like(last) and not self._is_data(expected):
            known = False
        word = "constant" if namespace else "identifier"
        head = "Unknown" if self.env.lean.version >= (4, 23, 0) else "unknown"
        quote = ("`", "`") if head == "Unknown" else ("'", "'")
        message = f"{head} {word} {quote[0]}{'.'.join(stx.parts)}{quote[1]}"
        return ElabError("name" if known else "unsupported", message, stx.span)

    def _is_data(self, expected: Term | None) -> bool:
        """Tell whether a type is known to be no proposition (so that no lemma can stand there)."""
        if expected is None or self.is_open(expected):
            return False
        return not self.is_prop(expected)

    # ---- fields

    def _fields(self, term: Term, fields: tuple[Field, ...], args: Args, expected: Term | None, span: Span) -> Term:
        """Apply field accesses one after the other; the arguments belong to the last."""
        if not fields:
            return self.apply(term, args, expected, span)
        for i, name in enumerate(fields):
            last = i == len(fields) - 1
            if not isinstance(term, core.FVar):
                term = self.apply(term, Args(), None, span)
            access, term = self._resolve_field(term, name, span)
            own = args if last else Args()
            term = self._access(term, access, own, expected if last else None, span)
        return term

    def _access(self, term: Term, access: _Access, args: Args, expected: Term | None, span: Span) -> Term:
        if access.name == "":
            for step in access.path[:-1]:
                term = self.apply(Const(step), Args([term]), None, span)
            return self._project(Const(access.path[-1]), term, args, expected, span)
        for step in access.path:
            term = self._project(Const(step), term, Args(), None, span)
        args = self._insert_self(access, term, args, span)
        return self.apply(Const(access.name), args, expected, span)

    def _project(self, projection: Const, term: Term, args: Args, expected: Term | None, span: Span) -> Term:
        constant = self.env.get(projection.name)
        assert constant is not None
        type_ = constant.type
        info = self.env.get_inductive(constant.inductive)
        count = info.params if info is not None else 0
        for _ in range(count):
            assert isinstance(type_, Pi)
            type_ = type_.body
        _, params = core.unfold_app(self.whnf(self.infer_type(term)))
        self_app = core.mk_app(projection, *params[:count], term)
        return self.apply(self_app, args, expected, span)

    def _insert_self(self, access: _Access, term: Term, args: Args, span: Span) -> Args:
        """Put the object at the first explicit parameter of its type."""
        constant = self.env.get(access.name)
        assert constant is not None
        named = {n for n, _, _ in args.named}
        type_ = constant.type
        position = 0
        while isinstance(type_, Pi):
            if type_.name in named:
                pass
            elif type_.info == "explicit" or args.explicit:
                if self._is_of(type_.type, access.base) and type_.info == "explicit":
                    if position > len(args.positional):
                        break
                    new: list[Arg] = list(args.positional)
                    new.insert(position, term)
                    return Args(new, list(args.named), args.explicit, args.ellipsis)
                position += 1
            type_ = type_.body
        if not isinstance(type_, Pi):
            raise self._no_self(access, span)
        # Fewer arguments than stand before the object: it becomes a named one and the others are abstracted.
        return Args(list(args.positional), [*args.named, (type_.name, term, span)], args.explicit, args.ellipsis)

    def _no_self(self, access: _Access, span: Span) -> ElabError:
        head = "Invalid" if self.env.lean.version >= (4, 23, 0) else "invalid"
        message = (
            f"{head} field notation, function '{access.name}' does not have argument with type ({access.base} ...) "
            "that can be used, it must be explicit or implicit with a unique name"
        )
        return ElabError("type", message, span)

    def _is_of(self, type_: Term, base: str) -> bool:
        """Tell whether a parameter type is an application of the constant `base`."""
        while True:
            if base == "Function" and isinstance(type_, Pi):
                return True
            head = type_.fn if isinstance(type_, App) else type_
            if not isinstance(head, Const):
                return False
            if head.name == base:
                return True
            constant = self.env.get(head.name)
            if constant is None or constant.value is None or not constant.reducible:
                return False
            args = type_.args if isinstance(type_, App) else ()
            body = constant.value
            if len(args) == 0 and not isinstance(body, core.Lam):
                type_ = body
            elif type_.loose:
                type_ = beta(body, args)
            else:
                new = self.unfold(type_)
                if new is None:
                    return False
                type_ = new

    def _resolve_field(self, term: Term, name: Field, span: Span) -> tuple[_Access, Term]:
        """Find what `term.name` means by the type of `term`, unfolding it as far as needed."""
        type_ = self.whnf_core(self.infer_type(term))
        if self.is_open(type_):
            self.try_postpone()
            self.use_defaults()
            type_ = self.whnf_core(type_)
        first = type_
        while True:
            access = self._field_of(type_, name)
            if access is not None:
                return access, term
            if isinstance(type_, Pi) and type_.info != "explicit":
                term = self.apply(term, Args(), None, span)
                type_ = self.whnf_core(self.infer_type(term))
                if not isinstance(type_, Pi) or type_.info == "explicit":
                    continue
            new = self.unfold(type_)
            if new is None:
                break
            type_ = self.whnf_core(new)
        error = self.no_field(term, first, name, span)
        if isinstance(term, Const) and isinstance(name, str) and not isinstance(core.unfold_app(first)[0], Const):
            raise self._no_constant(term.name, name, span)
        raise error

    def _no_constant(self, base: str, name: str, span: Span) -> ElabError:
        """Make the error for `C.name` where only `C` exists."""
        own = base in self.env.constants and not self.env.library.has_namespace(base)
        known = own or (self.env.library.is_complete(base) and not self.env.lean.mathlib)
        if _lemma_like(name) or name in _GENERATED:
            known = False
        new = self.env.lean.version >= (4, 23, 0)
        what = f"Unknown constant `{base}.{name}`" if new else f"unknown constant '{base}.{name}'"
        return ElabError("name" if known else "unsupported", what, span)

    def _field_of(self, type_: Term, name: Field) -> _Access | None:
        if isinstance(type_, Pi):
            full = f"Function.{name}"
            return _Access("Function", full) if isinstance(name, str) and self.env.get(full) is not None else None
        head = type_.fn if isinstance(type_, App) else type_
        if not isinstance(head, Const):
            return None
        info = self.env.get_inductive(head.name)
        if isinstance(name, int):
            if info is None or not info.is_structure or not 1 <= name <= len(info.fields):
                return None
            return _Access(head.name, "", (f"{head.name}.{info.fields[name - 1]}",))
        if info is not None and info.is_structure:
            path = self.field_path(head.name, name)
            if path is not None:
                return _Access(head.name, "", path)
        full = f"{head.name}.{name}"
        if self.env.get(full) is not None:
            return _Access(head.name, full)
        for found, rest in self.scope.resolve((*head.name.split("."), name), False):
            if not rest and found.endswith(full) and self.env.get(found) is not None:
                return _Access(head.name, found)
        if info is not None and info.is_structure:
            return self._parent_function(head.name, name)
        return None

    def field_path(self, struct: str, name: str) -> tuple[str, ...] | None:
        """Return the projections that lead from a structure to a field, its parents' fields included."""
        info = self.env.get_inductive(struct)
        if info is None:
            return None
        if name in info.fields:
            return (f"{struct}.{name}",)
        for step, parent in self.parents(struct):
            rest = self.field_path(parent, name)
            if rest is not None:
                return (step, *rest)
        return None

    def parents(self, struct: str) -> list[tuple[str, str]]:
        """Return the parent structures of a structure, each with the projection to it."""
        info = self.env.get_inductive(struct)
        if info is None:
            return []
        found: list[tuple[str, str]] = []
        for parent in info.parents:
            step = f"{struct}.to{parent.split('.')[-1]}"
            if self.env.get(step) is not None:
                found.append((step, parent))
        return found

    def _parent_function(self, struct: str, name: str) -> _Access | None:
        for step, parent in self.parents(struct):
            full = f"{parent}.{name}"
            if self.env.get(full) is not None:
                return _Access(parent, full, (step,))
            deeper = self._parent_function(parent, name)
            if deeper is not None:
                return _Access(deeper.base, deeper.name, (step, *deeper.path))
        return None

    def no_field(self, term: Term, type_: Term, name: Field, span: Span) -> ElabError:
        """Make the error for a field that the type does not have."""
        new = self.env.lean.version >= (4, 23, 0)
        type_ = self.instantiate_mvars(type_)
        head = type_.fn if isinstance(type_, App) else type_
        shown = f"\n  {self.show(term)}\nhas type\n  {self.show(type_)}"
        if isinstance(head, MVar) or not isinstance(head, (Const, Pi)):
            what = f"{'Invalid' if new else 'invalid'} field notation, type is not of the form (C ...){shown}"
            return ElabError("type", what, span)
        base = "Function" if isinstance(head, Pi) else head.name
        if isinstance(name, int):
            info = self.env.get_inductive(base)
            what = f"{'Invalid' if new else 'invalid'} projection: structure '{base}' has no field number {name}{shown}"
            other = info is not None and not info.is_structure and len(info.constructors) == 1
            if other or (info is None and self.env.get(base) is not None and base not in self.env.constants):
                return ElabError("unsupported", what, span)
            return ElabError("type", what, span)
        quote = "`" if new else "'"
        what = (
            f"{'Invalid' if new else 'invalid'} field {quote}{name}{quote}, the environment does not contain "
            f"{quote}{base}.{name}{quote}{shown}"
        )
        own = base in self.env.inductives or base in self.env.constants
        complete = (own and not self.env.library.has_namespace(base)) or self.env.library.is_complete(base)
        if complete and (name in _GENERATED or (not own and _lemma_like(name))):
            complete = False
        if self.env.library.is_uncovered(f"{base}.{name}"):
            complete = False
        if complete and own and base not in self.env.inductives:
            complete = False
        return ElabError("name" if complete else "unsupported", what, span)

    # ---- dot identifiers

    def _dot_head(
        self, stx: syntax.DotIdent, fields: tuple[Field, ...], args: Args, expected: Term | None, span: Span
    ) -> Term:
        """Elaborate `.name args` through the expected type (of the whole application)."""
        if expected is None:
            self.try_postpone()
            raise ElabError("type", "invalid dotted identifier notation, expected type must be known", stx.span)
        type_ = self.whnf_core(expected)
        while isinstance(type_, Pi):
            type_ = self.whnf_core(type_.body)
        if self.is_open(type_):
            self.synthesize()
            self.try_postpone()
        first = type_
        while True:
            head = type_.fn if isinstance(type_, App) else type_
            if isinstance(head, Const):
                full = ".".join((head.name, *stx.parts))
                if self.env.get(full) is not None:
                    return self._fields(Const(full), fields, args, expected, span)
            new = self.unfold(type_)
            if new is None:
                break
            type_ = self.whnf_core(new)
        raise self._no_dot(stx, first)

    def _no_dot(self, stx: syntax.DotIdent, type_: Term) -> ElabError:
        type_ = self.instantiate_mvars(type_)
        head = type_.fn if isinstance(type_, App) else type_
        name = ".".join(stx.parts)
        if not isinstance(head, Const):
            what = "invalid dotted identifier notation, expected type is not of the form (... → C ...)"
            what = f"{what}\n  {self.show(type_)}"
            return ElabError("type", what, stx.span)
        known = head.name in self.env.inductives or self.env.library.is_complete(head.name)
        new = self.env.lean.version >= (4, 23, 0)
        what = f"Unknown constant `{head.name}.{name}`" if new else f"unknown constant '{head.name}.{name}'"
        return ElabError("name" if known else "unsupported", what, stx.span)


_GENERATED = frozenset(("rec", "recOn", "casesOn", "noConfusion", "noConfusionType", "below", "brecOn", "sizeOf_spec"))
"""What Lean makes for every inductive type and we do not."""


def _lemma_like(name: str) -> bool:
    """Tell whether a name looks like a lemma's (`length_pos_of_mem`): our table has functions only."""
    return "_" in name or name in ("rfl", "symm", "trans", "mp", "mpr", "elim", "ext", "congr")


def _copy(args: Args) -> Args:
    return Args(list(args.positional), list(args.named), args.explicit, args.ellipsis)
