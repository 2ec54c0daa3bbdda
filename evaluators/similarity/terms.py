"""Lean terms as operator trees: an operator or a function is a node, its arguments are its children.

Notation is brought to one form where Lean reads it as the same thing: brackets and ASCII spellings go, `∀ x y, p` is
one quantifier a variable, `∀ x ∈ s, p` is `∀ x, x ∈ s → p`, `x |> f` is `f x`. Everything else stays as written. A
variable is named by the position of its binder on the path from the root of its clause or definition, so that renaming
it changes nothing; proofs are one leaf each. Labels in `‹…›` and those that begin with `?` are no Lean names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol

from evaluators.similarity.trees import Tree
from specgen.lean import syntax as s

SPELLINGS = {"<=": "≤", ">=": "≥", "/\\": "∧", "\\/": "∨", "<->": "↔", "∀ᵉ": "∀", "∃ᵉ": "∃"} | {
    "forall": "∀",
    "exists": "∃",
}
_CONNECTIVE = {"∀": "→", "∃": "∧", "∃!": "∧"}
_CONSTANTS_IN_PATTERNS = frozenset({"none", "true", "false", "rfl", "trivial"})
_PROOF = Tree("‹proof›")


class Names(Protocol):
    """What a constant's name means in the text around a term."""

    def constant(self, name: str) -> str:
        """Return the label of a constant; asking for it reaches its definition."""
        ...

    def method(self, name: str) -> str | None:
        """Return the label of the text's own function `T.name` for some T, or None."""
        ...

    def is_constructor(self, name: str) -> bool:
        """Tell whether a plain name in a pattern is a constructor of the text."""
        ...


@dataclass(frozen=True, slots=True)
class Scope:
    """Local names with the trees that stand for them; `level` counts the binders passed."""

    local: Mapping[str, Tree] = field(default_factory=dict)
    level: int = 0

    def bind(self, names: Iterable[str]) -> Scope:
        """Return the scope inside binders of these names (`_` takes a position too)."""
        local, level = dict(self.local), self.level
        for name in names:
            local[name] = Tree(f"?{level}", variable=True)
            level += 1
        local.pop("_", None)
        return Scope(local, level)

    def alias(self, name: str, tree: Tree) -> Scope:
        """Return the scope in which a name stands for a tree."""
        return replace(self, local={**self.local, name: tree})


def strip(term: s.Term) -> s.Term:
    """Return a term without the brackets and the `open … in` around it."""
    while isinstance(term, s.Paren | s.ScopedTerm):
        term = term.inner if isinstance(term, s.Paren) else term.term
    return term


def spread(term: s.Term) -> tuple[s.Term, tuple[s.Arg, ...]]:
    """Return head and arguments of an application, through brackets around the head."""
    fn, args = strip(term), tuple[s.Arg, ...]()
    while isinstance(fn, s.App):
        args = (*fn.args, *args)
        fn = strip(fn.fn)
    return fn, args


def operator(symbol: str) -> str:
    """Return the one spelling of an operator."""
    return SPELLINGS.get(symbol, symbol)


class Terms:
    """Turns terms into trees under a naming of constants.

    `result_call`, when given, is the tree that stands for the specified function applied to its own inputs (its
    arguments in order), which becomes the leaf `result`.
    """

    def __init__(self, names: Names, result_call: tuple[Tree, tuple[Tree, ...]] | None = None) -> None:
        self.names = names
        self.result_call = result_call

    def term(self, term: s.Term, scope: Scope) -> Tree:
        """Return the tree of a term."""
        handler = _HANDLERS.get(type(term))
        return self._plain(term, scope) if handler is None else handler(self, term, scope)

    def _plain(self, node: s.Node, scope: Scope) -> Tree:
        """A node without binders: its kind and whatever text it has make the label, its terms the children."""
        label = [f"‹{type(node).__name__}›"]
        children: list[Tree] = []
        for f in fields(node):
            if f.name != "span":
                self._part(getattr(node, f.name), scope, label, children)
        return Tree(" ".join(label), tuple(children))

    def _part(self, value: object, scope: Scope, label: list[str], children: list[Tree]) -> None:
        if isinstance(value, s.Node):
            children.append(self.term(value, scope))  # type: ignore[arg-type]
        elif isinstance(value, tuple):
            for item in value:
                self._part(item, scope, label, children)
        elif value not in (None, "", False):
            label.append(str(value))

    def _many(self, terms: Iterable[s.Term], scope: Scope) -> tuple[Tree, ...]:
        return tuple([self.term(t, scope) for t in terms])

    # ---- leaves

    def _ident(self, t: s.Ident, scope: Scope) -> Tree:
        if not t.root and t.parts[0] in scope.local:
            tree = self._result(scope.local[t.parts[0]], ())
            for part in t.parts[1:]:
                tree = self._field(part, tree)
            return tree
        return Tree(self.names.constant(t.name))

    def _field(self, name: str | int, target: Tree) -> Tree:
        own = self.names.method(str(name))
        return Tree(own if own is not None else f".{name}", (target,))

    def _hole(self, t: s.Hole, scope: Scope) -> Tree:
        return Tree("_")

    def _num_lit(self, t: s.NumLit, scope: Scope) -> Tree:
        return Tree(hex(t.value) if t.value.bit_length() > 4096 else str(t.value))

    def _sci_lit(self, t: s.SciLit, scope: Scope) -> Tree:
        return Tree(f"{t.mantissa}e{t.exponent}")

    def _str_lit(self, t: s.StrLit, scope: Scope) -> Tree:
        return Tree(json.dumps(t.value, ensure_ascii=False))

    def _char_lit(self, t: s.CharLit, scope: Scope) -> Tree:
        return Tree(repr(t.value))

    def _interp_str(self, t: s.InterpStr, scope: Scope) -> Tree:
        quoted = [Tree(json.dumps(p, ensure_ascii=False)) if isinstance(p, str) else p for p in t.parts]
        parts = [p if isinstance(p, Tree) else self.term(p, scope) for p in quoted]
        return Tree(t.prefix, tuple(parts))

    def _sort_term(self, t: s.SortTerm, scope: Scope) -> Tree:
        return Tree(t.kind)

    def _dot_ident(self, t: s.DotIdent, scope: Scope) -> Tree:
        return Tree("." + ".".join(t.parts))

    def _by(self, t: s.By, scope: Scope) -> Tree:
        return _PROOF

    def _calc(self, t: s.Calc, scope: Scope) -> Tree:
        return _PROOF

    # ---- application and operators

    def _app(self, t: s.App, scope: Scope) -> Tree:
        fn, args = spread(t)
        children = tuple([self._arg(a, scope) for a in args])
        if isinstance(fn, s.Ident) and not fn.root and len(fn.parts) == 1 and fn.name in scope.local:
            return self._result(scope.local[fn.name], children)
        head = self.term(fn, scope)
        if isinstance(fn, s.Ident | s.DotIdent | s.Proj | s.Explicit):
            return Tree(head.label, (*head.children, *children))
        return Tree("‹apply›", (head, *children))

    def _result(self, head: Tree, children: tuple[Tree, ...]) -> Tree:
        """Apply a local function, seeing the specified function's own call."""
        if self.result_call is not None and head == self.result_call[0]:
            if children == self.result_call[1]:
                return Tree("?result", variable=True)
            return Tree(head.label, children, True)
        return Tree("‹apply›", (head, *children)) if children else head

    def _arg(self, arg: s.Arg, scope: Scope) -> Tree:
        if isinstance(arg, s.NamedArg):
            return Tree(f"{arg.name} :=", (self.term(arg.value, scope),))
        if isinstance(arg, s.EllipsisArg):
            return Tree("..")
        return self.term(arg, scope)

    def _explicit(self, t: s.Explicit, scope: Scope) -> Tree:
        inner = self.term(t.fn, scope)
        return Tree(f"@{inner.label}", inner.children)

    def _proj(self, t: s.Proj, scope: Scope) -> Tree:
        return self._field(t.field, self.term(t.target, scope))

    def _bracketed(self, t: s.Bracketed, scope: Scope) -> Tree:
        return Tree(t.kind, (self.term(t.inner, scope),))

    def _list_lit(self, t: s.ListLit, scope: Scope) -> Tree:
        return Tree("[,]", self._many(t.items, scope))

    def _paren(self, t: s.Paren, scope: Scope) -> Tree:
        return self.term(t.inner, scope)

    def _scoped_term(self, t: s.ScopedTerm, scope: Scope) -> Tree:
        return self.term(t.term, scope)

    def _ascription(self, t: s.Ascription, scope: Scope) -> Tree:
        if t.type is None:
            return self.term(t.term, scope)
        return Tree(":", (self.term(t.term, scope), self.term(t.type, scope)))

    def _bin_op(self, t: s.BinOp, scope: Scope) -> Tree:
        return Tree(operator(t.op), (self.term(t.lhs, scope), self.term(t.rhs, scope)))

    def _arrow(self, t: s.Arrow, scope: Scope) -> Tree:
        return Tree("→", (self.term(t.domain, scope), self.term(t.codomain, scope)))

    def _prefix_op(self, t: s.PrefixOp, scope: Scope) -> Tree:
        return Tree(operator(t.op), (self.term(t.arg, scope),))

    def _index(self, t: s.Index, scope: Scope) -> Tree:
        return Tree(f"[]{t.suffix}", (self.term(t.target, scope), self.term(t.index, scope)))

    def _range_lit(self, t: s.RangeLit, scope: Scope) -> Tree:
        return Tree("[::]", self._optional((t.start, t.stop, t.step), scope))

    def _poly_range(self, t: s.PolyRange, scope: Scope) -> Tree:
        return Tree(t.op, self._optional((t.start, t.stop), scope))

    def _slice(self, t: s.Slice, scope: Scope) -> Tree:
        return Tree("[:]", (self.term(t.target, scope), *self._optional((t.start, t.stop), scope)))

    def _optional(self, terms: Sequence[s.Term | None], scope: Scope) -> tuple[Tree, ...]:
        return tuple([Tree("-") if t is None else self.term(t, scope) for t in terms])

    def _struct_inst(self, t: s.StructInst, scope: Scope) -> Tree:
        inits = []
        for init in t.fields:
            path = ".".join(str(p) for p in init.path if isinstance(p, str | int))
            steps = self._many((p for p in init.path if isinstance(p, s.Node)), scope)
            inits.append(Tree(f"{path} :=", (*steps, self.term(init.value, scope))))
        type_ = () if t.type is None else (self.term(t.type, scope),)
        return Tree("{ := }", (*self._many(t.sources, scope), *inits, *type_))

    # ---- binders

    def binders(self, symbol: str, groups: Sequence[s.Binder], scope: Scope, body: s.Term | None) -> Tree:
        """Return nested nodes, one a variable: its type if given, then what is under it."""
        layers: list[tuple[list[Tree], Tree | None]] = []
        for group in groups:
            head = [] if group.type is None else [self.term(group.type, scope)]
            if group.pattern is not None:
                scope = scope.bind(self.variables(group.pattern))
                layers.append(([self.term(group.pattern, scope), *head], self._bound(group, group.pattern, scope)))
                continue
            for name in group.names or ("_",):
                outer, scope = scope, scope.bind((name,))
                pred = None
                if group.pred is not None:
                    bound = Tree(f"?{outer.level}", variable=True)
                    pred = Tree(operator(group.pred[0]), (bound, self.term(group.pred[1], outer)))
                layers.append((head, pred))
        inner = () if body is None else (self.term(body, scope),)
        for head, pred in reversed(layers):
            if pred is not None:
                connective = _CONNECTIVE.get(symbol)
                inner = (Tree(connective, (pred, *inner)),) if connective else (pred, *inner)
            inner = (Tree(symbol, (*head, *inner)),)
        return inner[0] if inner else Tree(symbol)

    def _bound(self, group: s.Binder, pattern: s.Term, scope: Scope) -> Tree | None:
        if group.pred is None:
            return None
        return Tree(operator(group.pred[0]), (self.term(pattern, scope), self.term(group.pred[1], scope)))

    def _fun(self, t: s.Fun, scope: Scope) -> Tree:
        return self.binders("fun", t.binders, scope, t.body)

    def _quantifier(self, t: s.Quantifier, scope: Scope) -> Tree:
        symbol = operator(t.symbol)
        if t.filter is None:
            return self.binders(symbol, t.binders, scope, t.body)
        both = s.Tuple(t.span, (t.filter, t.body))
        return self.binders(f"{symbol} with", t.binders, scope, both)

    def _dep_arrow(self, t: s.DepArrow, scope: Scope) -> Tree:
        return self.binders("∀", (t.binder,), scope, t.body)

    def _dep_prod(self, t: s.DepProd, scope: Scope) -> Tree:
        return self.binders(t.op, (t.binder,), scope, t.body)

    def _subtype(self, t: s.Subtype, scope: Scope) -> Tree:
        return self.binders("{//}", (t.binder,), scope, t.body)

    def _set_builder(self, t: s.SetBuilder, scope: Scope) -> Tree:
        groups = t.image if t.binder is None else (t.binder,)
        return self.binders("{|}", groups, scope, t.body)

    def let_value(self, decl: s.LetDecl, scope: Scope) -> tuple[Tree, ...]:
        """Return the type (if given) and the value of a local definition, as a function of its binders."""
        inner = scope
        for group in decl.binders:
            inner = inner.bind(group.names or ("_",))
        out = [] if decl.type is None else [self.term(decl.type, inner)]
        if decl.alts:
            out.append(self.binders("fun", decl.binders, scope, s.FunMatch(decl.span, decl.alts)))
        elif decl.value is not None:
            out.append(
                self.binders("fun", decl.binders, scope, decl.value) if decl.binders else self.term(decl.value, scope)
            )
        return tuple(out)

    def _let(self, t: s.Let, scope: Scope) -> Tree:
        value = self.let_value(t.decl, scope)
        keyword = "let" if t.keyword in ("let", "letI", "let_fun") else "have"
        if t.decl.pattern is None:
            return Tree(keyword, (*value, self.term(t.body, scope.bind((t.decl.name or "this",)))))
        inner = scope.bind(self.variables(t.decl.pattern))
        otherwise = () if t.decl.otherwise is None else (self.term(t.decl.otherwise, scope),)
        return Tree(keyword, (self.term(t.decl.pattern, inner), *value, *otherwise, self.term(t.body, inner)))

    def _let_rec(self, t: s.LetRec, scope: Scope) -> Tree:
        inner = scope.bind([d.name for d in t.decls])
        values = [Tree("‹function›", self.let_value(d, inner)) for d in t.decls]
        return Tree("let rec", (*values, self.term(t.body, inner)))

    def _if(self, t: s.If, scope: Scope) -> Tree:
        inner = scope.bind((t.hyp,)) if t.hyp else scope
        return Tree("if", (self.term(t.cond, scope), self.term(t.then, inner), self.term(t.otherwise, inner)))

    def _if_let(self, t: s.IfLet, scope: Scope) -> Tree:
        inner = scope.bind(self.variables(t.pattern))
        pattern, value = self.term(t.pattern, inner), self.term(t.value, scope)
        return Tree("if let", (pattern, value, self.term(t.then, inner), self.term(t.otherwise, scope)))

    # ---- patterns

    def variables(self, pattern: s.Term) -> list[str]:
        """Return the names that a pattern binds, in order of appearance."""
        out: dict[str, None] = {}
        self._variables(pattern, out)
        return list(out)

    def _variables(self, node: object, out: dict[str, None], head: bool = False) -> None:
        if isinstance(node, tuple):
            for item in node:
                self._variables(item, out)
        elif isinstance(node, s.Ident):
            plain = len(node.parts) == 1 and node.name not in _CONSTANTS_IN_PATTERNS
            if plain and not head and not self.names.is_constructor(node.name):
                out[node.name] = None
        elif isinstance(node, s.App):
            self._variables(node.fn, out, head=True)
            self._variables(node.args, out)
        elif isinstance(node, s.Ascription):
            self._variables(node.term, out)
        elif isinstance(node, s.NamedPattern):
            out.update(dict.fromkeys([node.name, node.hyp] if node.hyp else [node.name]))
            self._variables(node.pattern, out)
        elif isinstance(node, s.FieldInit):
            self._variables(node.value, out)
        elif isinstance(node, s.Node) and not isinstance(node, s.Inaccessible):
            for f in fields(node):
                if f.name != "span":
                    self._variables(getattr(node, f.name), out)

    def _named_pattern(self, t: s.NamedPattern, scope: Scope) -> Tree:
        return Tree("@", (scope.local.get(t.name, Tree("_")), self.term(t.pattern, scope)))

    def alternatives(self, alts: Sequence[s.MatchAlt], scope: Scope) -> tuple[Tree, ...]:
        """Return a node for each alternative: its patterns, then its right side."""
        out = []
        for alt in alts:
            inner = scope.bind(self.variables(alt.patterns))  # type: ignore[arg-type]
            patterns = [self.term(p, inner) for row in alt.patterns for p in row]
            out.append(Tree("|", (*patterns, self.term(alt.rhs, inner))))
        return tuple(out)

    def _fun_match(self, t: s.FunMatch, scope: Scope) -> Tree:
        return Tree("fun |", self.alternatives(t.alts, scope))

    def _match(self, t: s.Match, scope: Scope) -> Tree:
        discrs = self._many((d.term for d in t.discrs), scope)
        inner = scope.bind([d.hyp for d in t.discrs if d.hyp])
        return Tree("match", (*discrs, *self.alternatives(t.alts, inner)))

    def _matches(self, t: s.Matches, scope: Scope) -> Tree:
        inner = scope.bind(self.variables(t.patterns))  # type: ignore[arg-type]
        return Tree("matches", (self.term(t.term, scope), *self._many(t.patterns, inner)))

    # ---- do blocks

    def _do(self, t: s.Do, scope: Scope) -> Tree:
        return Tree("do", self.items(t.items, scope))

    def items(self, items: Sequence[s.DoItem], scope: Scope) -> tuple[Tree, ...]:
        """Return a node for each item of a block; a `let` is in scope in what follows."""
        out = []
        for item in items:
            tree, scope = self._item(item, scope)
            out.append(tree)
        return tuple(out)

    def _item(self, item: s.DoItem, scope: Scope) -> tuple[Tree, Scope]:
        match item:
            case s.DoExpr():
                return self.term(item.term, scope), scope
            case s.DoLet():
                decl = item.decl
                value = self.let_value(decl, scope)
                inner = scope.bind(self.variables(decl.pattern) if decl.pattern is not None else (decl.name,))
                pattern = () if decl.pattern is None else (self.term(decl.pattern, inner),)
                otherwise = () if item.otherwise is None else (Tree("|", self.items(item.otherwise, scope)),)
                label = f"{item.keyword}{' mut' if item.mutable else ''}{' ←' if item.arrow else ''}"
                return Tree(label, (*pattern, *value, *otherwise)), inner
            case s.DoLetRec():
                inner = scope.bind([d.name for d in item.decls])
                return Tree("let rec", tuple([Tree("‹function›", self.let_value(d, inner)) for d in item.decls])), inner
            case s.DoFor():
                inner, heads = scope, []
                for it in item.iters:
                    collection = self.term(it.collection, scope)
                    inner = inner.bind([*([it.hyp] if it.hyp else []), *self.variables(it.pattern)])
                    heads.append(Tree("in", (self.term(it.pattern, inner), collection)))
                return Tree("for", (*heads, Tree("do", self.items(item.body, inner)))), scope
            case s.DoReassign():
                parts = self._optional((item.target, item.value), scope)
                return Tree("←" if item.arrow else ":=", parts), scope
            case s.DoReturn():
                return Tree("return", () if item.value is None else (self.term(item.value, scope),)), scope
            case _:
                return self._branching(item, scope), scope

    def _branching(self, item: s.DoItem, scope: Scope) -> Tree:
        match item:
            case s.DoIf():
                branches = []
                for cond, body in item.branches:
                    head, inner = self._condition(cond, scope)
                    branches += [head, Tree("do", self.items(body, inner))]
                if item.otherwise is not None:
                    branches.append(Tree("do", self.items(item.otherwise, scope)))
                return Tree("if", tuple(branches))
            case s.DoWhile():
                head, inner = (Tree("repeat"), scope) if item.cond is None else self._condition(item.cond, scope)
                until = () if item.until is None else (self.term(item.until, scope),)
                return Tree("while", (head, Tree("do", self.items(item.body, inner)), *until))
            case s.DoUnless():
                return Tree("unless", (self.term(item.cond, scope), Tree("do", self.items(item.body, scope))))
            case s.DoMatch():
                discrs = self._many((d.term for d in item.discrs), scope)
                alts = []
                for alt in item.alts:
                    inner = scope.bind(self.variables(alt.patterns))  # type: ignore[arg-type]
                    patterns = [self.term(p, inner) for row in alt.patterns for p in row]
                    alts.append(Tree("|", (*patterns, Tree("do", self.items(alt.body, inner)))))
                return Tree("match", (*discrs, *alts))
            case s.DoTry():
                parts = [Tree("do", self.items(item.body, scope))]
                for name, _, body in item.catches:
                    parts.append(Tree("catch", self.items(body, scope.bind((name or "_",)))))
                parts += [] if item.final is None else [Tree("finally", self.items(item.final, scope))]
                return Tree("try", tuple(parts))
            case _:
                return Tree(f"‹{type(item).__name__}›")

    def _condition(self, cond: s.DoCond, scope: Scope) -> tuple[Tree, Scope]:
        term = self.term(cond.term, scope)
        if cond.pattern is not None:
            inner = scope.bind(self.variables(cond.pattern))
            return Tree("let ←" if cond.arrow else "let", (self.term(cond.pattern, inner), term)), inner
        return term, scope.bind((cond.hyp,)) if cond.hyp else scope


_HANDLERS: dict[type, Callable[[Terms, Any, Scope], Tree]] = {
    s.Ident: Terms._ident,
    s.Hole: Terms._hole,
    s.NumLit: Terms._num_lit,
    s.SciLit: Terms._sci_lit,
    s.StrLit: Terms._str_lit,
    s.CharLit: Terms._char_lit,
    s.InterpStr: Terms._interp_str,
    s.SortTerm: Terms._sort_term,
    s.DotIdent: Terms._dot_ident,
    s.By: Terms._by,
    s.Calc: Terms._calc,
    s.App: Terms._app,
    s.Explicit: Terms._explicit,
    s.Proj: Terms._proj,
    s.Bracketed: Terms._bracketed,
    s.ListLit: Terms._list_lit,
    s.Paren: Terms._paren,
    s.ScopedTerm: Terms._scoped_term,
    s.Ascription: Terms._ascription,
    s.BinOp: Terms._bin_op,
    s.Arrow: Terms._arrow,
    s.PrefixOp: Terms._prefix_op,
    s.Index: Terms._index,
    s.RangeLit: Terms._range_lit,
    s.PolyRange: Terms._poly_range,
    s.Slice: Terms._slice,
    s.StructInst: Terms._struct_inst,
    s.Fun: Terms._fun,
    s.Quantifier: Terms._quantifier,
    s.DepArrow: Terms._dep_arrow,
    s.DepProd: Terms._dep_prod,
    s.Subtype: Terms._subtype,
    s.SetBuilder: Terms._set_builder,
    s.Let: Terms._let,
    s.LetRec: Terms._let_rec,
    s.If: Terms._if,
    s.IfLet: Terms._if_let,
    s.NamedPattern: Terms._named_pattern,
    s.FunMatch: Terms._fun_match,
    s.Match: Terms._match,
    s.Matches: Terms._matches,
    s.Do: Terms._do,
}
