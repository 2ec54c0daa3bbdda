"""Literals and notations for data: numbers, strings, tuples, lists, structures, indexing, ranges, sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, Lit, MVar, Pi, Proof, Sort, Term
from specgen.lean.elab.app import Arg, Args
from specgen.lean.elab.binders import BinderElab
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.inherit import inherits_defaults, structure_by_leaves
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.surface import has_sorry
from specgen.lean.elab.whnf import NAT, STRING
from specgen.lean.environment import InductiveInfo
from specgen.lean.syntax import Span

if TYPE_CHECKING:
    from specgen.lean.elab.terms import TermElab


class DataElab(BinderElab):
    """Adds literals and data notations."""

    # ---- literals

    def elab_number(self, stx: syntax.NumLit, expected: Term | None) -> Term:
        """Elaborate a numeral: `OfNat.ofNat` at the expected type, Nat by default."""
        type_: Term = expected if expected is not None else self.fresh_type(span=stx.span)
        lit = Lit(stx.value)
        if self.head_inst(type_) == NAT and self.env.get("instOfNatNat") is not None:
            return App(Const("OfNat.ofNat"), (NAT, lit, App(Const("instOfNatNat"), (lit,))))
        instance = self.instance_mvar(App(Const("OfNat"), (type_, lit)), stx.span)
        return App(Const("OfNat.ofNat"), (type_, lit, instance))

    def elab_scientific(self, stx: syntax.SciLit, expected: Term | None) -> Term:
        """Elaborate `1.5`, `2e3`."""
        type_: Term = expected if expected is not None else self.fresh_type(span=stx.span)
        instance = self.instance_mvar(App(Const("OfScientific"), (type_,)), stx.span)
        mantissa, exponent = Lit(stx.mantissa), Lit(abs(stx.exponent))
        sign = Const("Bool.true" if stx.exponent < 0 else "Bool.false")
        return App(Const("OfScientific.ofScientific"), (type_, instance, mantissa, sign, exponent))

    def elab_string(self, stx: syntax.StrLit, expected: Term | None) -> Term:
        """Elaborate a string literal."""
        return Lit(stx.value)

    def elab_char(self, stx: syntax.CharLit, expected: Term | None) -> Term:
        """Elaborate a character literal."""
        return App(Const("Char.ofNat"), (Lit(ord(stx.value)),))

    def elab_interpolated(self, stx: syntax.InterpStr, expected: Term | None) -> Term:
        """Elaborate `s!"…{e}…"` as a concatenation of `toString`s."""
        if stx.prefix not in ("s!", ""):
            raise ElabError("unsupported", f"'{stx.prefix}' strings are not supported", stx.span)
        result: Term | None = None
        for part in stx.parts:
            piece: Term
            if isinstance(part, str):
                piece = Lit(part)
            else:
                piece = self.apply(Const("ToString.toString"), Args([part]), STRING, part.span)
            result = piece if result is None else self._operate("HAppend.hAppend", [result, piece], stx.span)
        return result if result is not None else Lit("")

    def elab_sort(self, stx: syntax.SortTerm, expected: Term | None) -> Term:
        """Elaborate `Prop`, `Type u`, `Sort u`."""
        if stx.kind == "Prop" or (stx.kind == "Sort" and stx.level == "0"):
            return core.PROP
        return core.SORT if stx.kind == "Sort" else core.TYPE

    # ---- tuples, constructors, lists

    def elab_tuple(self, stx: syntax.Tuple, expected: Term | None) -> Term:
        """Elaborate `(a, b, …)` and `()`."""
        if not stx.items:
            return Const("PUnit.unit")
        return self._tuple_of(stx.items, expected, stx.span)

    def _tuple_of(self, items: Sequence[syntax.Term], expected: Term | None, span: Span) -> Term:
        first: Arg = items[0]
        rest: Arg = items[1] if len(items) == 2 else syntax.Tuple((items[1].span[0], span[1]), tuple(items[1:]))
        return self.apply(Const("Prod.mk"), Args([first, rest]), expected, span)

    def elab_anonymous(self, stx: syntax.AnonCtor, expected: Term | None) -> Term:
        """Elaborate `⟨a, b, …⟩` through the expected type."""
        if expected is None:
            self.try_postpone()
            raise ElabError("type", "invalid constructor ⟨...⟩, expected type must be known", stx.span)
        type_ = self.whnf(expected)
        if self.is_open(type_):
            self.synthesize()
            type_ = self.whnf(expected)
            if self.is_open(type_):
                self.try_postpone()
                raise ElabError("type", "invalid constructor ⟨...⟩, expected type must be known", stx.span)
        head, _ = core.unfold_app(type_)
        info = self.env.get_inductive(head.name) if isinstance(head, Const) else None
        if info is None or len(info.constructors) != 1:
            what = "invalid constructor ⟨...⟩, expected type must be an inductive type"
            kind = isinstance(head, Const) and head.name not in self.env.constants and info is None
            raise ElabError("unsupported" if kind else "type", f"{what}\n  {self.show(type_)}", stx.span)
        constructor = self.env.get(info.constructors[0])
        assert constructor is not None
        count = self._explicit_fields(constructor, info)
        items = stx.items
        if len(items) < count:
            what = f"insufficient number of arguments, constructor '{constructor.name}' "
            what += f"has {count} explicit fields, but only {len(items)} were provided"
            raise ElabError("type", what, stx.span)
        if len(items) > count:
            if count == 0:
                raise ElabError("type", f"constructor '{constructor.name}' does not have explicit fields", stx.span)
            last = syntax.AnonCtor((items[count - 1].span[0], stx.span[1]), items[count - 1 :])
            items = (*items[: count - 1], last)
        return self.apply(Const(constructor.name), Args(list(items)), expected, stx.span)

    def elab_list(self, stx: syntax.ListLit, expected: Term | None) -> Term:
        """Elaborate `[a, b, …]`."""
        element = self._element_type("List", expected)
        items = [self.elab_term_ensuring(item, element) for item in stx.items]
        result: Term = App(Const("List.nil"), (element,))
        for item in reversed(items):
            result = App(Const("List.cons"), (element, item, result))
        return result

    def _element_type(self, container: str, expected: Term | None) -> Term:
        if expected is not None:
            type_ = self.whnf(expected)
            if isinstance(type_, App) and type_.fn == Const(container):
                return type_.args[0]
            element = self.fresh(core.TYPE)
            if self.is_open(type_):
                self.is_defeq(expected, App(Const(container), (element,)))
            return element
        return self.fresh(core.TYPE)

    def elab_array(self, stx: syntax.ArrayLit, expected: Term | None) -> Term:
        """Elaborate `#[a, b, …]` and `#v[…]`."""
        if stx.vector:
            return self._vector(stx, expected)
        element = self._element_type("Array", expected)
        items = self.elab_list(syntax.ListLit(stx.span, stx.items), App(Const("List"), (element,)))
        return App(Const("List.toArray"), (element, items))

    def _vector(self, stx: syntax.ArrayLit, expected: Term | None) -> Term:
        if self.env.get("Vector.mk") is None:
            raise ElabError("unsupported", "'#v[…]' is not supported", stx.span)
        element: Term = self.fresh(core.TYPE)
        if expected is not None:
            type_ = self.whnf(expected)
            if isinstance(type_, App) and type_.fn == Const("Vector"):
                element = type_.args[0]
        array = self.elab_array(syntax.ArrayLit(stx.span, stx.items), App(Const("Array"), (element,)))
        size = self.elab_number(syntax.NumLit(stx.span, len(stx.items)), NAT)
        proof = Proof(core.mk_app(Const("Eq"), NAT, core.mk_app(Const("Array.size"), element, array), size))
        return core.mk_app(Const("Vector.mk"), element, size, array, proof)

    # ---- ranges and indexing

    def elab_range(self, stx: syntax.RangeLit, expected: Term | None) -> Term:
        """Elaborate `[a:b:c]`."""
        zero, one = syntax.NumLit(stx.span, 0), syntax.NumLit(stx.span, 1)
        name = "Std.Range.mk" if self.env.get("Std.Range.mk") is not None else "Std.Legacy.Range.mk"
        if self.env.get(name) is None or stx.stop is None:
            raise ElabError("unsupported", "this form of range is not supported", stx.span)
        step = self.elab_term_ensuring(stx.step or one, NAT)
        positive = self.apply_terms("LT.lt", [self.elab_number(zero, NAT), step], None, stx.span)
        start = self.elab_term_ensuring(stx.start or zero, NAT)
        stop = self.elab_term_ensuring(stx.stop, NAT)
        return core.mk_app(Const(name), start, stop, step, Proof(positive))

    def elab_index(self, stx: syntax.Index, expected: Term | None) -> Term:
        """Elaborate `xs[i]`, `xs[i]!`, `xs[i]?`, `xs[i]'h`."""
        target = self.elab_term(stx.target, None)
        if self.is_open(self.infer_type(target)):
            self.synthesize()
            if self.is_open(self.infer_type(target)):
                self.try_postpone()
        index = self.elab_term(stx.index, None)
        fn = {"": "GetElem.getElem", "'": "GetElem.getElem", "!": "GetElem?.getElem!", "?": "GetElem?.getElem?"}
        args: list[Arg] = [target, index]
        if stx.suffix == "'":
            proof = stx.proof if stx.proof is not None else syntax.By(stx.span, "")
            if not (isinstance(proof, (syntax.Ident, syntax.Sorry)) and self._is_local(proof)):
                proof = syntax.By(stx.span, "sorry" if has_sorry(proof) else "")
            args.append(proof)
        elif stx.suffix == "":
            self._check_bound(target, index, stx.span)
            args.append(syntax.By(stx.span, "get_elem_tactic"))
        return self.apply(Const(fn[stx.suffix]), Args(args), expected, stx.span)

    def _check_bound(self, target: Term, index: Term, span: Span) -> None:
        """Refuse `xs[i]` where nothing in the context says anything of the variable `xs`: it might be empty."""
        target = self.instantiate_mvars(target)
        if not isinstance(target, core.FVar) or self.decls[target.id].value is not None:
            return
        head = core.unfold_app(self.whnf_reducible(self.infer_type(target)))[0]
        if not isinstance(head, Const) or head.name not in ("List", "Array"):
            return
        decl = self.lctx
        while decl is not None:
            type_ = self.instantiate_mvars(decl.type)
            if decl.value is not None or (not isinstance(type_, (MVar, Sort)) and self._may_bound(type_)):
                return
            if decl.fvar is not target and type_.has_fvar and core.abstract(type_, (target,)) != type_:
                return
            decl = decl.parent
        raise ElabError(
            "type",
            "failed to prove index is valid, possible solutions:\n  - Use `have`-expressions to "
            "prove the index is valid\n  - Use `a[i]!` or `a[i]?` notation instead",
            span,
        )

    def _may_bound(self, type_: Term) -> bool:
        return (type_.has_mvar and self.is_open(type_)) or self.is_prop(type_)

    def _is_local(self, stx: syntax.Term) -> bool:
        return isinstance(stx, syntax.Ident) and len(stx.parts) == 1 and self.lookup_local(stx.parts[0]) is not None

    def elab_slice(self, stx: syntax.Slice, expected: Term | None) -> Term:
        """Elaborate `xs[a:b]`."""
        if self.env.get("Array.toSubarray") is None:
            raise ElabError("unsupported", "subarrays are not supported", stx.span)
        target = self.elab_term(stx.target, None)
        zero = syntax.NumLit(stx.span, 0)
        args: list[Arg] = [target, stx.start or zero]
        if stx.stop is not None:
            args.append(stx.stop)
        else:
            args.append(self.apply_terms("Array.size", [target], None, stx.span))
        return self.apply(Const("Array.toSubarray"), Args(args), expected, stx.span)

    # ---- sets

    def elab_set_literal(self, stx: syntax.SetLit, expected: Term | None) -> Term:
        """Elaborate `{a, b, …}` (insertions into a singleton) and `{}`."""
        if not stx.items:
            if expected is None or self.is_open(expected):
                self.try_postpone()
            info = None if expected is None else self._structure_info(expected)
            if info is not None and not info.is_class and info.name not in ("Finset", "Multiset"):
                return self.elab_structure(syntax.StructInst(stx.span, (), (), False, None), expected)
            return self.apply(Const("EmptyCollection.emptyCollection"), Args(), expected, stx.span)
        if expected is None or self.is_open(expected):
            self.try_postpone()
        fields = self._as_fields(stx, expected)
        if fields is not None:
            return self.elab_structure(syntax.StructInst(stx.span, (), fields, False, None), expected)
        result: Arg = syntax.App(stx.span, _root("Singleton.singleton", stx.span), (stx.items[-1],))
        term = self.elab_term_ensuring(result, expected) if isinstance(result, syntax.Node) else result
        for item in reversed(stx.items[:-1]):
            term = self.apply(Const("Insert.insert"), Args([item, term]), expected, stx.span)
        return term

    def _as_fields(self, stx: syntax.SetLit, expected: Term | None) -> tuple[syntax.FieldInit, ...] | None:
        """Read `{x, y}` as the fields of the structure that is expected, where it has fields of these names."""
        info = None if expected is None else self._structure_info(expected)
        if info is None or info.is_class:
            return None
        made: list[syntax.FieldInit] = []
        for item in stx.items:
            name = item.parts[0] if isinstance(item, syntax.Ident) and len(item.parts) == 1 else ""
            if self.field_path(info.name, name) is None:
                return None
            made.append(syntax.FieldInit(item.span, (name,), item))
        return tuple(made)

    def elab_set_builder(self, stx: syntax.SetBuilder, expected: Term | None) -> Term:
        """Elaborate `{x | p}`, `{x ∈ s | p}`, `{f x | x}`."""
        if not self.env.lean.mathlib:
            raise ElabError("unsupported", "set-builder notation needs Mathlib", stx.span)
        if stx.binder is None:
            name = syntax.Ident(stx.span, ("y✝",))
            equation = syntax.BinOp(stx.span, "=", stx.body, name)
            inner = syntax.Quantifier(stx.span, "∃", stx.image, equation)
            fun = syntax.Fun(stx.span, (syntax.Binder(stx.span, ("y✝",)),), inner)
            return self._collect("setOf", [fun], expected, stx.span)
        plain = replace(stx.binder, pred=None)
        head = core.unfold_app(self.whnf_core(expected))[0] if expected is not None else None
        if isinstance(head, Const) and head.name == "Finset":
            fun = syntax.Fun(stx.span, (plain,), stx.body)
            over: syntax.Term = _root("Finset.univ", stx.span)
            if stx.binder.pred is not None:
                if stx.binder.pred[0] != "∈":
                    raise ElabError("unsupported", "this form of set-builder notation is not supported", stx.span)
                over = stx.binder.pred[1]
            return self._collect("Finset.filter", [fun, over], expected, stx.span)
        body = stx.body
        if stx.binder.pred is not None:
            op, bound = stx.binder.pred
            if op == "∈" and expected is None and self._is_finset(bound):
                fun = syntax.Fun(stx.span, (plain,), stx.body)
                return self._collect("Finset.filter", [fun, bound], expected, stx.span)
            name = syntax.Ident(stx.span, (plain.names[0],))
            body = syntax.BinOp(stx.span, "∧", syntax.BinOp(stx.span, op, name, bound), body)
        return self._collect("setOf", [syntax.Fun(stx.span, (plain,), body)], expected, stx.span)

    def _is_finset(self, stx: syntax.Term) -> bool:
        mark, pending = self.mark(), self.pending
        head, _ = core.unfold_app(self.whnf_core(self.infer_type(self.elab_term(stx, None))))
        self.undo(mark)
        self.pending = pending
        return isinstance(head, Const) and head.name == "Finset"

    def _collect(self, name: str, args: list[Arg], expected: Term | None, span: Span) -> Term:
        if self.env.get(name) is None:
            raise ElabError("unsupported", f"set-builder notation ({name}) is not supported", span)
        return self.apply(Const(name), Args(args), expected, span)

    def elab_mod_eq(self, stx: syntax.ModEq, expected: Term | None) -> Term:
        """Elaborate `a ≡ b [MOD n]`."""
        name = {"MOD": "Nat.ModEq", "ZMOD": "Int.ModEq"}.get(stx.kind)
        if name is None or self.env.get(name) is None or not self.env.lean.mathlib:
            raise ElabError("unsupported", f"'≡ [{stx.kind}]' is not supported", stx.span)
        return self.apply(Const(name), Args([stx.modulus, stx.lhs, stx.rhs]), expected, stx.span)

    # ---- structures

    def _structure_info(self, type_: Term) -> InductiveInfo | None:
        head, _ = core.unfold_app(self.whnf(type_))
        info = self.env.get_inductive(head.name) if isinstance(head, Const) else None
        return info if info is not None and info.is_structure else None

    def elab_structure(self, stx: syntax.StructInst, expected: Term | None) -> Term:
        """Elaborate `{ s with f := v, … : T }`."""
        sources = [self.elab_term(s, None) for s in stx.sources]
        if stx.type is not None:
            expected = self.elab_type(stx.type)
        elif expected is None or self.is_open(expected):
            if sources:
                self.synthesize()
                expected = self.infer_type(sources[0])
            else:
                self.try_postpone()
        if expected is None or self._structure_info(expected) is None:
            new = "invalid {...} notation, structure type expected"
            if expected is not None and not self.is_open(expected):
                raise ElabError("type", f"{new}\n  {self.show(expected)}", stx.span)
            raise ElabError("type", "invalid {...} notation, expected type is not known", stx.span)
        return self._structure_value(stx.fields, sources, expected, stx.span, stx.ellipsis)

    def _structure_value(
        self, inits: Sequence[syntax.FieldInit], sources: Sequence[Term], type_: Term, span: Span, ellipsis: bool
    ) -> Term:
        type_ = self.whnf(type_)
        _, type_args = core.unfold_app(type_)
        info = self._structure_info(type_)
        assert info is not None
        if not sources and not ellipsis and inherits_defaults(self.env, info):
            return structure_by_leaves(cast("TermElab", self), info, type_, inits, span)
        params = type_args[: info.params]
        constructor = self.env.get(info.constructors[0])
        assert constructor is not None
        ctype = constructor.type
        for _ in range(info.params):
            assert isinstance(ctype, Pi)
            ctype = ctype.body
        ctype = subst(ctype, params)
        groups = self._group_inits(inits, info, span)
        values: list[Term] = []
        for i, name in enumerate(info.fields):
            ctype = self.whnf_core(ctype)
            assert isinstance(ctype, Pi)
            value = self._field_value(info, i, name, groups, sources, ctype.type, [*params, *values], span, ellipsis)
            values.append(value)
            ctype = subst(ctype.body, (value,))
        return core.mk_app(Const(constructor.name), *params, *values)

    def _group_inits(
        self, inits: Sequence[syntax.FieldInit], info: InductiveInfo, span: Span
    ) -> dict[str, list[syntax.FieldInit]]:
        """Sort initialisers by the direct field that they belong to (a parent's field belongs to `toParent`)."""
        groups: dict[str, list[syntax.FieldInit]] = {}
        seen: set[tuple[object, ...]] = set()
        for init in inits:
            step = init.path[0]
            if isinstance(step, int) and 1 <= step <= len(info.fields):
                step = info.fields[step - 1]
            if not isinstance(step, str):
                raise ElabError("unsupported", "this form of field update is not supported", init.span)
            if len(init.path) == 1:
                if (step,) in seen:
                    raise ElabError("type", f"field '{step}' has already been specified", init.span)
                seen.add((step,))
            path = self.field_path(info.name, step)
            if path is None:
                what = f"'{step}' is not a field of structure '{info.name}'"
                raise ElabError("type", what, init.span)
            direct = path[0].rpartition(".")[2]
            groups.setdefault(direct, []).append(init)
        return groups

    def _field_value(
        self,
        info: InductiveInfo,
        index: int,
        name: str,
        groups: dict[str, list[syntax.FieldInit]],
        sources: Sequence[Term],
        type_: Term,
        before: list[Term],
        span: Span,
        ellipsis: bool,
    ) -> Term:
        inits = groups.get(name, [])
        direct = [i for i in inits if i.path == (name,) or (len(i.path) == 1 and isinstance(i.path[0], int))]
        if direct:
            return self.elab_term_ensuring(direct[0].value, type_)
        source = self._from_sources(info, name, sources)
        if inits and source is not None and any(len(i.path) > 1 and isinstance(i.path[1], syntax.Node) for i in inits):
            return self.ensure_has_type(type_, self._updated_at(inits, source, span), span)
        if inits:
            nested = [self._descend(i, name) for i in inits]
            inner_sources = [source] if source is not None else list(sources)
            return self._structure_value(nested, inner_sources, type_, span, ellipsis)
        if source is not None:
            return self.ensure_has_type(type_, source, span)
        parent = self._structure_info(type_) if sources else None
        if parent is not None and parent.name in info.parents:
            mark, pending = self.mark(), self.pending
            try:
                return self._structure_value((), sources, type_, span, ellipsis)
            except ElabError:
                self.undo(mark)
                self.pending = pending
        for i, default in info.field_defaults:
            if i == index:
                return self.instantiate_mvars(beta(default, before))
        return self._missing_field(info, name, type_, span, ellipsis, before)

    def _updated_at(self, inits: Sequence[syntax.FieldInit], source: Term, span: Span) -> Term:
        """Elaborate `{ s with f[i] := v }` as Lean does: `s.f.modifyOp (idx := i) fun _ => v`."""
        for init in inits:
            head, _ = core.unfold_app(self.whnf(self.infer_type(source)))
            index = init.path[1] if len(init.path) == 2 else None
            name = f"{head.name}.modifyOp" if isinstance(head, Const) else ""
            if not isinstance(index, syntax.Node) or self.env.get(name) is None:
                raise ElabError("unsupported", "this form of field update is not supported", init.span)
            change = syntax.Fun(init.span, (syntax.Binder(init.span, ("_",), None),), init.value)
            source = self.apply(Const(name), Args([source, index, change]), None, span)
        return source

    def _descend(self, init: syntax.FieldInit, name: str) -> syntax.FieldInit:
        """Return an initialiser for the inside of a field: `a.b := v` in `a`, or a parent's field in `toParent`."""
        return replace(init, path=init.path[1:]) if init.path[0] == name else init

    def _from_sources(self, info: InductiveInfo, name: str, sources: Sequence[Term]) -> Term | None:
        for source in sources:
            head, args = core.unfold_app(self.whnf(self.infer_type(source)))
            if not isinstance(head, Const):
                continue
            path = self.field_path(head.name, name)
            if path is None:
                continue
            term = source
            for step in path:
                owner = self.env.get(step)
                count = self.env.get_inductive(owner.inductive) if owner is not None else None
                _, args = core.unfold_app(self.whnf(self.infer_type(term)))
                term = core.mk_app(Const(step), *args[: count.params if count else 0], term)
            return term
        return None

    def _missing_field(
        self, info: InductiveInfo, name: str, type_: Term, span: Span, ellipsis: bool, before: list[Term]
    ) -> Term:
        parent = self._structure_info(type_)
        if parent is not None and name.startswith("to") and parent.name in info.parents:
            if parent.is_class:
                found = self.synth_instance(type_)
                if found is not None:
                    return found
            value = self._parent_by_defaults(info, parent, type_, span, ellipsis, before)
            if value is not None:
                return value
        if self._is_instance_field(info, name):
            found = self.synth_instance(type_)
            if found is not None:
                return found
        if ellipsis:
            return self.fresh(type_, span=span)
        if self.is_prop(type_):
            # An obligation that Lean leaves to a default tactic, or an error; a wrong guess is worse than none.
            raise ElabError("unsupported", f"proof field '{name}' is missing", span)
        new = self.env.lean.version >= (4, 20, 0)
        what = f"Fields missing: `{name}`" if self.env.lean.version >= (4, 23, 0) else f"fields missing: '{name}'"
        raise ElabError("type", what if new else f"field '{name}' is missing", span)

    def _is_instance_field(self, info: InductiveInfo, name: str) -> bool:
        constructor = self.env.get(info.constructors[0])
        type_ = constructor.type if constructor is not None else core.TYPE
        while isinstance(type_, Pi):
            if type_.name == name:
                return type_.info == "instance"
            type_ = type_.body
        return False

    def _parent_by_defaults(
        self,
        info: InductiveInfo,
        parent: InductiveInfo,
        type_: Term,
        span: Span,
        ellipsis: bool,
        before: list[Term],
    ) -> Term | None:
        """Build a parent that the text says nothing about from default values."""
        try:
            return self._structure_value((), (), type_, span, ellipsis)
        except ElabError as error:
            if info.parent_defaults:
                raise ElabError("unsupported", f"defaults for the fields of '{parent.name}'", span) from error
            raise

    def elab_hole(self, stx: syntax.Hole, expected: Term | None) -> Term:
        """Elaborate `_` and `?x`."""
        type_: Term = expected if expected is not None else self.fresh_type(span=stx.span)
        return self.fresh(type_, name="_", span=stx.span)

    def elab_ascription(self, stx: syntax.Ascription, expected: Term | None) -> Term:
        """Elaborate `(e : T)`."""
        if stx.type is None:
            with self.own_problems("default"):
                return self.elab_term(stx.term, None)
        type_ = self.elab_type(stx.type)
        with self.own_problems("light"):
            return self.elab_term_ensuring(stx.term, type_)

    def is_type(self, term: Term) -> bool:
        """Tell whether a term is a type or proposition."""
        return isinstance(self.whnf(self.infer_type(term)), Sort)


def _root(name: str, span: Span) -> syntax.Ident:
    return syntax.Ident(span, tuple(name.split(".")), True)
