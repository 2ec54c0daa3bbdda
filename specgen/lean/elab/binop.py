"""Operators: Lean's `binop%` family, which puts coercions at the leaves of a whole operator tree.

The leaves are elaborated without an expected type; the largest type among them (by coercions) becomes the type of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, Lam, MVar, Pi, Sort, Term
from specgen.lean.elab.app import Args
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.names import Names
from specgen.lean.elab.unify import StuckInstance
from specgen.lean.library.notation import BRACKETS, INFIX, POSTFIX, PREFIX, Recipe
from specgen.lean.source import DiagnosticKind
from specgen.lean.syntax import Span

BOOL = Const("Bool")
UNIT = Const("PUnit")
_TREE_KINDS = ("binop", "lazy_binop", "leftact", "rightact")
_ACTS = ("leftact", "rightact")


@dataclass(slots=True)
class _Leaf:
    term: Term
    span: Span


@dataclass(slots=True)
class _Node:
    """An operator: `rhs` is None for a unary one. The acting side of `leftact`/`rightact` is a leaf of its own."""

    kind: Literal["binop", "lazy_binop", "leftact", "rightact", "unop", "binrel"]
    fn: str
    lhs: _Tree
    rhs: _Tree | None
    span: Span


_Tree: TypeAlias = _Leaf | _Node


class OpElab(Names):
    """Adds infix, prefix, postfix and bracket notations."""

    # ---- notations

    def elab_infix(self, stx: syntax.BinOp, expected: Term | None) -> Term:
        """Elaborate an infix notation."""
        recipe = INFIX.get(stx.op)
        if recipe is None:
            raise ElabError("unsupported", f"notation '{stx.op}' is not supported", stx.span)
        self.check_recipe(recipe, stx.op, stx.span)
        if recipe.kind in _TREE_KINDS:
            return self._elab_tree(stx, expected)
        if recipe.kind in ("binrel", "binrel_no_prop"):
            return self._elab_relation(stx, recipe, expected)
        if recipe.kind == "special":
            return self.elab_special(stx, expected)
        lhs, rhs = (stx.rhs, stx.lhs) if recipe.swap else (stx.lhs, stx.rhs)
        if recipe.kind == "lazy":
            thunk = syntax.Fun(rhs.span, (syntax.Binder(rhs.span, ("_",), syntax.Ident(rhs.span, ("Unit",))),), rhs)
            return self.apply(Const(recipe.fn), Args([lhs, thunk]), expected, stx.span)
        if recipe.fn in ("And", "Or", "Iff"):
            left, right = self.elab_term_ensuring(lhs, core.PROP), self.elab_term_ensuring(rhs, core.PROP)
            return App(Const(recipe.fn), (left, right))
        if recipe.fn in ("and", "or", "xor"):
            left, right = self.elab_term_ensuring(lhs, BOOL), self.elab_term_ensuring(rhs, BOOL)
            return App(Const(recipe.fn), (left, right))
        result = self.apply(Const(recipe.fn), Args([lhs, rhs]), None if recipe.negate else expected, stx.span)
        return App(Const("Not"), (result,)) if recipe.negate else result

    def elab_special(self, stx: syntax.BinOp, expected: Term | None) -> Term:
        """Elaborate an infix notation with its own rule (`▸`: a proof, or a value carried along an equation)."""
        if expected is None:
            self.try_postpone()
            raise ElabError("type", "invalid `▸` notation, expected result type of cast must be known", stx.span)
        return core.Proof(expected)

    def check_recipe(self, recipe: Recipe, symbol: str, span: Span) -> None:
        """Refuse a notation that does not exist under the imports and open namespaces of the text."""
        if recipe.mathlib and not self.env.lean.mathlib:
            # Another library may import Mathlib.
            kind: DiagnosticKind = "unsupported" if self.env.lean.beyond else "syntax"
            raise ElabError(kind, f"unexpected token '{symbol}'; expected command", span)
        if recipe.scope and not self.scope.is_open(recipe.scope):
            raise ElabError("syntax", f"unexpected token '{symbol}'; expected command", span)
        if recipe.kind != "special" and self.env.get(recipe.fn) is None:
            raise ElabError("unsupported", f"notation '{symbol}' ({recipe.fn}) is not supported", span)

    def elab_prefix(self, stx: syntax.PrefixOp, expected: Term | None) -> Term:
        """Elaborate a prefix notation."""
        recipe = PREFIX.get(stx.op)
        if recipe is None:
            raise ElabError("unsupported", f"notation '{stx.op}' is not supported", stx.span)
        self.check_recipe(recipe, stx.op, stx.span)
        if recipe.kind == "unop":
            return self._elab_tree(stx, expected)
        if recipe.fn == "Not":
            return App(Const("Not"), (self.elab_term_ensuring(stx.arg, core.PROP),))
        if recipe.fn == "not":
            return App(Const("not"), (self.elab_term_ensuring(stx.arg, BOOL),))
        if recipe.kind == "special":
            return self._elab_coe(stx, recipe, expected)
        return self.apply(Const(recipe.fn), Args([stx.arg]), expected, stx.span)

    def _elab_coe(self, stx: syntax.PrefixOp, recipe: Recipe, expected: Term | None) -> Term:
        """Elaborate `↑x`, `⇑f`, `↥s`."""
        if recipe.fn == "coeFun":
            fn = self.coerce_to_function(self.elab_term(stx.arg, None))
            if fn is None:
                raise ElabError("type", "cannot coerce to function", stx.span)
            return fn
        if recipe.fn == "coeSort":
            sort = self.coerce_to_sort(self.elab_term(stx.arg, None))
            if sort is None:
                raise ElabError("type", "cannot coerce to sort", stx.span)
            return sort
        self.try_postpone_if_open(expected)
        value = self.elab_term(stx.arg, None)
        if expected is None:
            raise ElabError("type", "invalid coercion notation, expected type is not known", stx.span)
        if self.is_defeq_rigid(self.infer_type(value), expected):
            return value
        return self.mk_coe(expected, value, stx.span)

    def elab_postfix(self, stx: syntax.PostfixOp, expected: Term | None) -> Term:
        """Elaborate a postfix notation."""
        recipe = POSTFIX.get(stx.op)
        if recipe is None:
            raise ElabError("unsupported", f"notation '{stx.op}' is not supported", stx.span)
        self.check_recipe(recipe, stx.op, stx.span)
        return self.apply(Const(recipe.fn), Args([stx.arg]), expected, stx.span)

    def elab_bracketed(self, stx: syntax.Bracketed, expected: Term | None) -> Term:
        """Elaborate `|x|`, `⌊x⌋`, `‹p›`."""
        if stx.kind == "⌜":
            return self.elab_term_ensuring(stx.inner, core.PROP)
        recipe = BRACKETS.get(stx.kind)
        if recipe is None:
            raise ElabError("unsupported", f"notation '{stx.kind}' is not supported", stx.span)
        if recipe.fn == "assumption":
            return core.Proof(self.elab_type(stx.inner))
        self.check_recipe(recipe, stx.kind, stx.span)
        return self.apply(Const(recipe.fn), Args([stx.inner]), expected, stx.span)

    # ---- operator trees

    def _elab_tree(self, stx: syntax.Term, expected: Term | None) -> Term:
        tree = self._tree(stx)
        self.synthesize()
        return self._finish_tree(tree, expected, stx.span)

    def _finish_tree(self, tree: _Tree, expected: Term | None, span: Span) -> Term:
        largest, comparable = self._analyze(tree, expected)
        if largest is not None and comparable:
            tree = self._apply_coe(tree, largest, None, False)
        return self.ensure_has_type(expected, self._build(tree), span)

    def _tree(self, stx: syntax.Term) -> _Tree:
        while isinstance(stx, syntax.Paren):
            stx = stx.inner
        if isinstance(stx, syntax.BinOp):
            recipe = INFIX.get(stx.op)
            if recipe is not None and recipe.kind in _TREE_KINDS:
                self.check_recipe(recipe, stx.op, stx.span)
                lhs = self._leaf(stx.lhs) if recipe.kind == "leftact" else self._tree(stx.lhs)
                rhs = self._leaf(stx.rhs) if recipe.kind == "rightact" else self._tree(stx.rhs)
                return _Node(recipe.kind, recipe.fn, lhs, rhs, stx.span)  # type: ignore[arg-type]
        if isinstance(stx, syntax.PrefixOp):
            recipe = PREFIX.get(stx.op)
            if recipe is not None and recipe.kind == "unop":
                return _Node("unop", recipe.fn, self._tree(stx.arg), None, stx.span)
        return self._leaf(stx)

    def _leaf(self, stx: syntax.Term) -> _Leaf:
        return _Leaf(self.elab_term(stx, None), stx.span)

    def _unknown(self, type_: Term) -> bool:
        head = type_.fn if isinstance(type_, App) else type_
        return isinstance(head, MVar)

    def _analyze(self, tree: _Tree, expected: Term | None) -> tuple[Term | None, bool]:
        """Return the largest type of the leaves (the expected one among them), and whether all compare."""
        largest: Term | None = None
        if expected is not None:
            expected = self.head_inst(expected)
            if not self._unknown(expected):
                largest = expected
        stack = [tree]
        while stack:
            node = stack.pop()
            if isinstance(node, _Node):
                if node.kind == "leftact":
                    assert node.rhs is not None
                    stack.append(node.rhs)
                    continue
                if node.rhs is not None and node.kind != "rightact":
                    stack.append(node.rhs)
                stack.append(node.lhs)
                continue
            type_ = self.instantiate_mvars(self.infer_type(node.term))
            if self._unknown(type_):
                continue
            if largest is None:
                largest = type_
            elif not self.is_defeq_rigid(largest, type_):
                if self._has_coe(type_, largest):
                    continue
                if not self._has_coe(largest, type_):
                    return largest, False
                largest = type_
        return largest, True

    def _has_coe(self, source: Term, target: Term) -> bool:
        with self.scoped():
            x = self.local("x", source)
            mark = self.mark()
            try:
                return self.coerce(x, target) is not None
            except StuckInstance:
                return False
            finally:
                self.undo(mark)

    def _build(self, tree: _Tree) -> Term:
        if isinstance(tree, _Leaf):
            return tree.term
        saved, self.span = self.span, tree.span
        try:
            lhs = self._build(tree.lhs)
            if tree.rhs is None:
                return self._operate(tree.fn, [lhs], tree.span)
            rhs = self._build(tree.rhs)
            if tree.kind == "lazy_binop":
                rhs = Lam("_", UNIT, core.lift(rhs, 1))
            return self._operate(tree.fn, [lhs, rhs], tree.span)
        finally:
            self.span = saved

    def _operate(self, fn: str, operands: list[Term], span: Span) -> Term:
        """Apply an operator's function; the instance for operands of one closed type is remembered."""
        type_ = self.instantiate_mvars(self.infer_type(operands[0]))
        plain = not type_.has_mvar and not type_.has_fvar
        if plain and len(operands) == 2:
            plain = self.instantiate_mvars(self.infer_type(operands[1])) == type_
        if not plain:
            return self.apply(Const(fn), Args(list(operands)), None, span, out_support=False)
        cache = self.lasting_cache("operators", type_)
        head: Term | None = cache.get((fn, type_))
        if head is None:
            result = self.instantiate_mvars(self.apply(Const(fn), Args(list(operands)), None, span, out_support=False))
            if isinstance(result, App) and not any(a.has_mvar or a.has_fvar for a in result.args[: -len(operands)]):
                cache[fn, type_] = core.mk_app(result.fn, *result.args[: -len(operands)])
            return result
        return core.mk_app(head, *operands)

    def _apply_coe(self, tree: _Tree, largest: Term, fn: str | None, lhs: bool) -> _Tree:
        """Coerce the leaves to the largest type, as far as the operators are homogeneous on it."""
        if isinstance(tree, _Leaf):
            return self._coe_leaf(tree, largest, fn, lhs)
        if tree.kind == "leftact":
            assert tree.rhs is not None
            return _Node(tree.kind, tree.fn, tree.lhs, self._apply_coe(tree.rhs, largest, None, False), tree.span)
        if tree.kind in ("rightact", "unop"):
            return _Node(tree.kind, tree.fn, self._apply_coe(tree.lhs, largest, None, False), tree.rhs, tree.span)
        assert tree.rhs is not None
        if tree.kind == "binrel" or self._homogeneous(tree.fn, largest):
            left = self._apply_coe(tree.lhs, largest, tree.fn, True)
            right = self._apply_coe(tree.rhs, largest, tree.fn, False)
            return _Node(tree.kind, tree.fn, left, right, tree.span)
        parts = [self._finish_tree(t, None, tree.span) for t in (tree.lhs, tree.rhs)]
        if tree.kind == "lazy_binop":
            parts[1] = Lam("_", UNIT, core.lift(parts[1], 1))
        return _Leaf(self._operate(tree.fn, parts, tree.span), tree.span)

    def _coe_leaf(self, leaf: _Leaf, largest: Term, fn: str | None, lhs: bool) -> _Leaf:
        type_ = self.instantiate_mvars(self.infer_type(leaf.term))
        if self._unknown(type_) and fn is not None and self._heterogeneous_default(fn, largest, lhs):
            return leaf
        if self.is_defeq(largest, type_):
            return leaf
        return _Leaf(self.mk_coe(largest, leaf.term, leaf.span), leaf.span)

    def _homogeneous(self, fn: str, type_: Term) -> bool:
        class_name = fn.rpartition(".")[0]
        info = self.env.get_inductive(class_name)
        if info is None or not info.is_class or info.params not in (1, 3):
            return False
        goal = core.mk_app(Const(class_name), *([type_] * info.params))
        return self.synth_instance(goal) is not None

    def _heterogeneous_default(self, fn: str, type_: Term, lhs: bool) -> bool:
        """Tell whether a default instance takes another type on this side (`2 * #[1, 2]` in some libraries)."""
        head = type_.fn if isinstance(type_, App) else type_
        defaults = self.default_instances(fn.rpartition(".")[0])
        if len(defaults) <= 1 or not isinstance(head, Const):
            return False
        for constant in defaults:
            body = constant.type
            while isinstance(body, Pi):
                body = body.body
            args = body.args if isinstance(body, App) else ()
            if len(args) == 3:
                side = args[1] if lhs else args[0]
                side_head = side.fn if isinstance(side, App) else side
                if side_head == head:
                    return True
        return False

    # ---- relations

    def _elab_relation(self, stx: syntax.BinOp, recipe: Recipe, expected: Term | None) -> Term:
        no_prop = recipe.kind == "binrel_no_prop"
        with self.own_problems("light"):
            lhs = self._tree(stx.lhs)
            self.synthesize()
            rhs = self._tree(stx.rhs)
            self.synthesize()
            tree = _Node("binrel", recipe.fn, lhs, rhs, stx.span)
            largest, comparable = self._analyze(tree, None)
            if largest is None or not comparable:
                left, right = self._build(lhs), self._build(rhs)
                if no_prop:
                    left, right = self._to_bool(left, stx.lhs.span), self._to_bool(right, stx.rhs.span)
                right = self.ensure_has_type(self.infer_type(left), right, stx.rhs.span)
                result = self.apply(Const(recipe.fn), Args([left, right]), expected, stx.span, out_support=False)
            else:
                if no_prop and self._is_prop_sort(largest):
                    largest = BOOL
                result = self._build(self._apply_coe(tree, largest, None, False))
        return result

    def _is_prop_sort(self, type_: Term) -> bool:
        type_ = self.whnf_core(type_)
        return isinstance(type_, Sort) and type_.is_prop

    def _to_bool(self, term: Term, span: Span) -> Term:
        if self._is_prop_sort(self.infer_type(term)):
            return self.ensure_has_type(BOOL, term, span)
        return term
