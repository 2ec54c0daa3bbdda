"""`do` blocks: translated to `bind`, `pure`, `forIn` and plain terms, as in Lean.

Mutable variables are ordinary variables that are bound again at every assignment. Where control splits and joins again
(`if`, `match`), what follows is a local function (a join point) of the variables that the branches assign. A loop
threads the variables that it assigns as a tuple through `forIn`; an early return inside it puts an `Option` in front.

The result type and the monad are known when a block is translated; they enter the surface syntax as `Quoted` terms,
and the type of a variable as `type_of% x`. Fresh names contain `✝`, which no identifier of a text can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from specgen.lean import core, syntax
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.do_lift import (
    assigned,
    binds_names,
    falls_through,
    has_nested_action,
    jumps,
    lift_actions,
    pattern_names,
    returns,
)
from specgen.lean.elab.do_try import escapes, translate_nested, translate_try
from specgen.lean.elab.quoted import Quoted
from specgen.lean.syntax import DoItem, Span, Term

if TYPE_CHECKING:
    from specgen.lean.elab.terms import TermElab


@dataclass(frozen=True, slots=True)
class DoContext:
    """Where a statement stands: the type of the whole action there, and what the jumps mean.

    `result` is the type of the action (`m β`), `value_type` the type that `return` takes.
    """

    result: Term
    value_type: Term
    do_return: Callable[[Term], Term]
    do_break: Callable[[], Term] | None = None
    do_continue: Callable[[], Term] | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """What follows a block: `value` when it ends with an action, `done` when it falls through.

    `simple` says that the terms may stand anywhere and more than once; `tail` that the action's value is the result.
    """

    value: Callable[[Term], Term]
    done: Callable[[], Term]
    simple: bool = False
    tail: bool = False


class DoTranslator:
    """Translates one `do` block in a monad."""

    def __init__(self, monad: Term) -> None:
        self.monad = monad
        self.span: Span = (0, 0)
        self._count = 0

    def block(self, node: syntax.Do, result: Term) -> Term:
        """Return the term of a whole block whose result type is `result`."""
        self.span = node.span

        def do_return(value: Term) -> Term:
            return self.pure(self.ascribe(value, result))

        context = DoContext(self.action(result), result, do_return)
        end = replace(self.ending(), tail=True)
        return self.items(node.items, (), context, end)

    # ---- building blocks

    def fresh(self, hint: str = "x") -> str:
        """Return a name that no text can contain."""
        self._count += 1
        return f"{hint}✝{self._count}"

    def ident(self, name: str) -> Term:
        """Return an identifier (dotted names are global)."""
        return syntax.Ident(self.span, tuple(name.split(".")) if "✝" not in name else (name,))

    @staticmethod
    def inner_context(context: DoContext, result: Term) -> DoContext:
        """Return a context for a block of another type from which no jump leaves."""
        return DoContext(result, context.value_type, context.do_return)

    def ending(self) -> Next:
        """Return what follows a block whose last action is its result."""
        return Next(lambda e: e, lambda: self.pure(self.unit()), simple=True)

    def apply(self, fn: str, *args: syntax.Arg) -> Term:
        """Return an application of a global function."""
        return syntax.App(self.span, syntax.Ident(self.span, tuple(fn.split(".")), root=True), args)

    def in_monad(self, name: str = "m") -> syntax.Arg:
        """Return the named argument that fixes the monad."""
        return syntax.NamedArg(self.span, name, self.monad)

    def action(self, result: Term) -> Term:
        """Return the type `m result`."""
        return syntax.App(self.span, self.monad, (result,))

    def unit(self) -> Term:
        """Return `()`."""
        return syntax.Ident(self.span, ("PUnit", "unit"), root=True)

    def unit_type(self) -> Term:
        """Return the unit type."""
        return syntax.Ident(self.span, ("PUnit",), root=True)

    def pure(self, value: Term) -> Term:
        """Return `pure value`."""
        return self.apply("Pure.pure", self.in_monad("f"), value)

    def bind(self, action: Term, binder: syntax.Binder, body: Term) -> Term:
        """Return `action >>= fun binder => body`."""
        return self.apply("Bind.bind", self.in_monad(), action, syntax.Fun(self.span, (binder,), body))

    def ascribe(self, term: Term, type_: Term) -> Term:
        """Return `(term : type_)`."""
        return syntax.Ascription(self.span, term, type_)

    def type_of(self, name: str) -> Term:
        """Return the type of a variable."""
        return syntax.TermMacro(self.span, "type_of%", (self.ident(name),))

    def binder(self, name: str, type_: Term | None = None) -> syntax.Binder:
        """Return an explicit binder."""
        return syntax.Binder(self.span, (name,), type_)

    def let(self, name: str, type_: Term | None, value: Term, body: Term) -> Term:
        """Return `let name : type_ := value; body`."""
        return syntax.Let(self.span, "let", syntax.LetDecl(self.span, name, (), type_, value), body)

    # ---- the state of loops

    def state(self, names: Sequence[str], first: Sequence[Term] = ()) -> Term:
        """Return the tuple of variables, behind `first`."""
        items = [*first, *[self.ident(n) for n in names]]
        if not items:
            return self.unit()
        return items[0] if len(items) == 1 else syntax.Tuple(self.span, tuple(items))

    def state_type(self, names: Sequence[str], first: Sequence[Term] = ()) -> Term:
        """Return the type of `state`."""
        items = [*first, *[self.type_of(n) for n in names]]
        if not items:
            return self.unit_type()
        found = items[-1]
        for item in reversed(items[:-1]):
            found = self.apply("Prod", item, found)
        return found

    def part(self, state: str, index: int, total: int) -> Term:
        """Return component `index` of a state of `total` components."""
        term: Term = self.ident(state)
        for _ in range(index):
            term = syntax.Proj(self.span, term, 2)
        return term if index == total - 1 else syntax.Proj(self.span, term, 1)

    def unpack(self, state: str, names: Sequence[str], body: Term, skip: int = 0) -> Term:
        """Bind the variables of a state again around `body`."""
        total = len(names) + skip
        for i in range(len(names) - 1, -1, -1):
            body = self.let(names[i], None, self.part(state, i + skip, total), body)
        return body

    # ---- blocks

    def items(self, items: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
        """Translate a block; `muts` are the mutable variables in scope."""
        if not items:
            return after.done()
        item, rest = items[0], items[1:]
        if has_nested_action(self._own_terms(item)):
            return self._lifted(item, rest, muts, context, after)
        self.span = item.span
        match item:
            case syntax.DoLet():
                return self._let(item, rest, muts, context, after)
            case syntax.DoLetRec():
                return syntax.LetRec(item.span, item.decls, self._rest(item, rest, muts, context, after))
            case syntax.DoReassign():
                return self._reassign(item, rest, muts, context, after)
            case _:
                return self._statement(item, rest, muts, context, after)

    def _rest(
        self, item: DoItem, rest: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next
    ) -> Term:
        if not rest and after.tail and not isinstance(item, syntax.DoReassign):
            raise ElabError("type", "The last statement in a 'do' block must be an expression", item.span)
        return self.items(rest, muts, context, after)

    def _own_terms(self, item: DoItem) -> object:
        """Return the terms of a statement that are evaluated before any block inside it."""
        match item:
            case syntax.DoIf():
                return item.branches[0][0]
            case syntax.DoFor():
                return item.iters
            case syntax.DoUnless():
                return item.cond
            case syntax.DoMatch():
                return item.discrs
            case syntax.DoLet():
                return item.decl
            case syntax.DoReturn():
                return item.value
            case syntax.DoReassign():
                return item.value
            case syntax.DoExpr():
                return item.term
            case _:
                return None

    def _lifted(
        self, item: DoItem, rest: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next
    ) -> Term:
        """Run the nested actions of a statement first."""
        found: list[tuple[str, Term]] = []

        def lift(node: object) -> object:
            if isinstance(node, tuple):
                return tuple([lift(x) for x in node])
            if isinstance(node, syntax.Node):
                return lift_actions(node, lambda: self.fresh("a"), found)
            return node

        new: DoItem
        match item:
            case syntax.DoIf():
                head = (cast(syntax.DoCond, lift(item.branches[0][0])), item.branches[0][1])
                otherwise = item.otherwise
                if len(item.branches) > 1:
                    otherwise = (syntax.DoIf(item.span, item.branches[1:], item.otherwise),)
                new = replace(item, branches=(head,), otherwise=otherwise)
            case syntax.DoFor():
                new = replace(item, iters=cast("tuple[syntax.ForIter, ...]", lift(item.iters)))
            case syntax.DoUnless():
                new = replace(item, cond=cast(Term, lift(item.cond)))
            case syntax.DoMatch():
                new = replace(item, discrs=cast("tuple[syntax.Discr, ...]", lift(item.discrs)))
            case syntax.DoLet():
                new = replace(item, decl=cast(syntax.LetDecl, lift(item.decl)))
            case syntax.DoReturn():
                new = replace(item, value=cast(Term, lift(item.value)))
            case syntax.DoReassign():
                new = replace(item, value=cast(Term, lift(item.value)))
            case syntax.DoExpr():
                new = replace(item, term=cast(Term, lift(item.term)))
            case _:
                new = item
        term = self.items((new, *rest), muts, context, after)
        for name, action in reversed(found):
            self.span = action.span
            term = self.bind(action, self.binder(name), term)
        return term

    # ---- bindings

    @staticmethod
    def check_shadowing(names: Iterable[str], muts: tuple[str, ...], span: Span) -> None:
        """A mutable variable cannot be bound again by a plain pattern; raises ElabError."""
        for name in sorted(set(names) & set(muts)):
            raise ElabError("type", f"mutable variable `{name}` cannot be shadowed", span)

    def _let(
        self, item: syntax.DoLet, rest: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next
    ) -> Term:
        decl = item.decl
        bound = {decl.name} if decl.name else pattern_names(decl.pattern) if decl.pattern is not None else set()
        self.check_shadowing(bound, muts, item.span)
        if item.mutable:
            new = [decl.name] if decl.name else sorted(pattern_names(decl.pattern)) if decl.pattern is not None else []
            muts = (*[m for m in muts if m not in new], *new)
        otherwise = item.otherwise
        if decl.otherwise is not None and otherwise is None:
            otherwise = (syntax.DoExpr(decl.otherwise.span, decl.otherwise),)
        body = self._rest(item, rest, muts, context, after)
        self.span = item.span
        if not item.arrow:
            if otherwise is not None and decl.pattern is not None and decl.value is not None:
                return self._match_or(decl.value, decl.pattern, body, otherwise, muts, context, after)
            return syntax.Let(item.span, item.keyword, replace(decl, otherwise=None), body)
        if isinstance(decl.value, syntax.Do) and escapes(decl.value.items, muts):
            return self._let_escaping(item, decl.value, muts, context, lambda v: self._bound(item, v, body, otherwise))
        action = self._action(decl.value, muts, decl.span)
        if decl.pattern is None:
            return self.bind(action, self.binder(decl.name or "_", decl.type), body)
        if otherwise is None and isinstance(decl.pattern, syntax.Hole):
            return self.bind(action, self.binder("_", decl.type), body)
        name = self.fresh()
        if otherwise is not None:
            inner = self._match_or(self.ident(name), decl.pattern, body, otherwise, muts, context, after)
        else:
            inner = self._match_one(self.ident(name), decl.pattern, body)
        return self.bind(action, self.binder(name, decl.type), inner)

    @staticmethod
    def _action(term: Term | None, muts: tuple[str, ...], span: Span) -> Term:
        """Return the action of `let x ← action` or `x ← action`, of which nothing jumps out."""
        if term is None:
            raise ElabError("type", "an action is expected here", span)
        if isinstance(term, syntax.Do) and escapes(term.items, muts):
            raise ElabError("unsupported", "control flow out of a nested 'do' block", term.span)
        return term

    def _let_escaping(
        self,
        item: syntax.DoLet,
        block: syntax.Do,
        muts: tuple[str, ...],
        context: DoContext,
        went_on: Callable[[Term], Term],
    ) -> Term:
        """`let x ← if … then return … else …`: the block belongs to the control flow of the whole."""
        outer = muts if not item.mutable else tuple([m for m in muts if m != item.decl.name])
        value_type = item.decl.type if item.decl.type is not None else syntax.Hole(item.span)
        return translate_nested(self, block.items, outer, context, value_type, went_on)

    def _bound(self, item: syntax.DoLet, value: Term, body: Term, otherwise: object) -> Term:
        """Bind the value of a `let … ←` around what follows it."""
        decl = item.decl
        self.span = item.span
        if otherwise is not None:
            raise ElabError("unsupported", "control flow out of a nested 'do' block", item.span)
        if decl.pattern is not None:
            return self._match_one(value, decl.pattern, body)
        return self.let(decl.name or "_", decl.type, value, body)

    def _match_one(self, value: Term, pattern: Term, body: Term) -> Term:
        alt = syntax.MatchAlt(pattern.span, ((pattern,),), body)
        return syntax.Match(self.span, (syntax.Discr(self.span, value),), (alt,))

    def _match_or(
        self,
        value: Term,
        pattern: Term,
        body: Term,
        otherwise: Sequence[DoItem],
        muts: tuple[str, ...],
        context: DoContext,
        after: Next,
    ) -> Term:
        span = self.span
        other = self.items(otherwise, muts, context, after)
        first = syntax.MatchAlt(pattern.span, ((pattern,),), body)
        second = syntax.MatchAlt(span, ((syntax.Hole(span),),), other)
        return syntax.Match(span, (syntax.Discr(span, value),), (first, second))

    def _reassign(
        self, item: syntax.DoReassign, rest: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next
    ) -> Term:
        target = item.target
        names = pattern_names(target)
        if isinstance(target, syntax.Ident) and len(target.parts) != 1:
            raise ElabError("unsupported", f"assignment to '{target.name}' is not supported", item.span)
        if isinstance(target, (syntax.Index, syntax.Proj)) or not names:
            raise ElabError("unsupported", "assignment to this target is not supported", item.span)
        for name in sorted(names):
            if name not in muts:
                raise ElabError(
                    "type",
                    f"`{name}` cannot be mutated, only variables declared using `let mut` can be mutated",
                    item.span,
                )
        body = self._rest(item, rest, muts, context, after)
        self.span = item.span
        if isinstance(target, syntax.Ident):
            type_ = item.type or self.type_of(target.parts[0])
            if item.arrow:
                self._action(item.value, muts, item.span)
                return self.bind(item.value, self.binder(target.parts[0], type_), body)
            return self.let(target.parts[0], type_, item.value, body)
        if item.arrow:
            name = self.fresh()
            return self.bind(item.value, self.binder(name, item.type), self._match_one(self.ident(name), target, body))
        return self._match_one(item.value, target, body)

    # ---- statements

    def _statement(
        self, item: DoItem, rest: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next
    ) -> Term:
        """A statement that is no binding: what follows it is built once, as a join point if need be."""
        if rest and isinstance(item, (syntax.DoReturn, syntax.DoBreak, syntax.DoContinue)):
            raise ElabError("type", "must be last element in a `do` sequence", item.span)
        match item:
            case syntax.DoReturn():
                return context.do_return(item.value if item.value is not None else self.unit())
            case syntax.DoBreak():
                if context.do_break is None:
                    raise ElabError("type", "unexpected `break` outside loop", item.span)
                return context.do_break()
            case syntax.DoContinue():
                if context.do_continue is None:
                    raise ElabError("type", "unexpected `continue` outside loop", item.span)
                return context.do_continue()
            case _:
                pass
        follow = after if not rest else self._follow(rest, muts, context, after)
        match item:
            case syntax.DoExpr():
                if isinstance(item.term, syntax.Do):
                    return self._joined(
                        [item.term.items],
                        muts,
                        context,
                        follow,
                        lambda k: self.items(_do_items(item), muts, context, k),
                    )
                return follow.value(item.term)
            case syntax.DoIf():
                return self._if(item, muts, context, follow)
            case syntax.DoUnless():
                cond = syntax.DoCond(item.span, item.cond)
                return self._if(syntax.DoIf(item.span, ((cond, ()),), item.body), muts, context, follow)
            case syntax.DoMatch():
                return self._match(item, muts, context, follow)
            case syntax.DoFor():
                return self._for(item, muts, context, follow)
            case syntax.DoWhile():
                return self._while(item, muts, context, follow)
            case syntax.DoTry():
                return translate_try(self, item, muts, context, follow)
            case _:
                raise ElabError("unsupported", "this statement is not supported", item.span)

    def _follow(self, rest: Sequence[DoItem], muts: tuple[str, ...], context: DoContext, after: Next) -> Next:
        def done() -> Term:
            return self.items(rest, muts, context, after)

        def value(action: Term) -> Term:
            body = done()
            self.span = action.span
            return self.bind(action, self.binder("_", self.unit_type()), body)

        return Next(value, done)

    def _joined(
        self,
        bodies: Sequence[Sequence[DoItem]],
        muts: tuple[str, ...],
        context: DoContext,
        after: Next,
        build: Callable[[Next], Term],
    ) -> Term:
        """Build a statement with blocks inside; what follows becomes a join point unless it can be written in place."""
        reaching = [b for b in bodies if falls_through(b)]
        if after.simple or not reaching or (len(reaching) == 1 and not binds_names(reaching[0])):
            return build(after)
        span = self.span
        changed = assigned([i for b in bodies for i in b])
        names = [m for m in muts if m in changed]
        jump = self.fresh("jp")
        body = after.done()
        self.span = span
        call = syntax.App(span, self.ident(jump), tuple([self.ident(n) for n in names]) or (self.unit(),))
        after_jump = Next(lambda e: self.bind(e, self.binder("_", self.unit_type()), call), lambda: call, simple=True)
        binders = tuple([self.binder(n, self.type_of(n)) for n in names]) or (self.binder("_", self.unit_type()),)
        decl = syntax.LetDecl(span, jump, binders, context.result, body)
        inner = build(after_jump)
        return syntax.Let(span, "let", decl, inner)

    def _if(self, item: syntax.DoIf, muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
        bodies = [b for _, b in item.branches]
        bodies.append(item.otherwise if item.otherwise is not None else ())
        return self._joined(bodies, muts, context, after, lambda k: self._branches(item, muts, context, k))

    def _branches(self, item: syntax.DoIf, muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
        cond, body = item.branches[0]
        then = self.items(body, muts, context, after)
        if len(item.branches) > 1:
            rest = syntax.DoIf(item.span, item.branches[1:], item.otherwise)
            otherwise = self.items((rest,), muts, context, after)
        elif item.otherwise is not None:
            otherwise = self.items(item.otherwise, muts, context, after)
        else:
            otherwise = after.done()
        self.span = item.span
        if cond.pattern is None:
            return syntax.If(item.span, cond.term, then, otherwise, cond.hyp)
        if not cond.arrow:
            return syntax.IfLet(item.span, cond.pattern, cond.term, then, otherwise)
        name = self.fresh()
        inner = syntax.IfLet(item.span, cond.pattern, self.ident(name), then, otherwise)
        return self.bind(cond.term, self.binder(name), inner)

    def _match(self, item: syntax.DoMatch, muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
        def build(k: Next) -> Term:
            alts = tuple([syntax.MatchAlt(a.span, a.patterns, self.items(a.body, muts, context, k)) for a in item.alts])
            return syntax.Match(item.span, item.discrs, alts)

        bodies = [a.body for a in item.alts]
        for alt in item.alts:
            self.check_shadowing({n for ps in alt.patterns for p in ps for n in pattern_names(p)}, muts, alt.span)
        # Patterns bind names too, which what follows must not see: more than one statement after it needs a join point.
        if after.simple:
            return build(after)
        dummy: list[Sequence[DoItem]] = [*bodies, ()]
        return self._joined(dummy, muts, context, after, build)

    # ---- loops

    def _while(self, item: syntax.DoWhile, muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
        body = item.body
        span = item.span
        if item.cond is not None:
            body = (syntax.DoIf(span, ((item.cond, body),), (syntax.DoBreak(span),)),)
        if item.until is not None:
            stop = syntax.DoIf(span, ((syntax.DoCond(span, item.until), (syntax.DoBreak(span),)),), None)
            body = (*body, stop)
        loop = syntax.Ident(span, ("Lean", "Loop", "mk"), root=True)
        iteration = syntax.ForIter(span, syntax.Hole(span), loop)
        return self._for(syntax.DoFor(span, (iteration,), body), muts, context, after)

    def _for(self, item: syntax.DoFor, muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
        if len(item.iters) > 1:
            return self.items(self._zipped(item), muts, context, after)
        self.check_shadowing(pattern_names(item.iters[0].pattern), muts, item.iters[0].span)
        names = [m for m in muts if m in assigned(item.body)]
        early = returns(item.body)
        span = item.span
        none: list[Term] = []
        if early:
            none = [self.ascribe(self.apply("Option.none"), self.apply("Option", context.value_type))]
        none = [n.fn if isinstance(n, syntax.App) and not n.args else n for n in none]
        first_type = [self.apply("Option", context.value_type)] if early else []
        step_type = self.action(self.apply("ForInStep", self.state_type(names, first_type)))

        def step(ctor: str, value: Term | None = None) -> Term:
            first = [self.apply("Option.some", value)] if value is not None else none
            return self.pure(self.apply(f"ForInStep.{ctor}", self.state(names, first)))

        inner = DoContext(
            step_type,
            context.value_type,
            lambda v: step("done", self.ascribe(v, context.value_type)),
            lambda: step("done"),
            lambda: step("yield"),
        )
        k = Next(
            lambda e: self.bind(e, self.binder("_", self.unit_type()), step("yield")),
            lambda: step("yield"),
            simple=True,
        )
        state = self.fresh("s")
        body = self.items(item.body, muts, inner, k)
        self.span = span
        body = self.unpack(state, names, body, len(none))
        loop = self._for_in(item.iters[0], state, self.state(names, none), body)
        return self._after_loop(loop, names, early, context, after)

    def _for_in(self, iteration: syntax.ForIter, state: str, init: Term, body: Term) -> Term:
        pattern = iteration.pattern
        if isinstance(pattern, syntax.Ident) and len(pattern.parts) == 1:
            first = self.binder(pattern.parts[0])
        elif isinstance(pattern, syntax.Hole):
            first = self.binder("_")
        else:
            first = syntax.Binder(pattern.span, (), pattern=pattern)
        binders = [first]
        if iteration.hyp:
            binders.append(self.binder(iteration.hyp))
        fn = syntax.Fun(self.span, (*binders, self.binder(state)), body)
        name = "ForIn'.forIn'" if iteration.hyp else "ForIn.forIn"
        return self.apply(name, self.in_monad(), iteration.collection, init, fn)

    def _after_loop(self, loop: Term, names: Sequence[str], early: bool, context: DoContext, after: Next) -> Term:
        span = self.span
        if not names and not early:
            return after.value(loop)
        state = self.fresh("r")
        body = after.done()
        self.span = span
        body = self.unpack(state, names, body, int(early))
        if early:
            value = self.fresh("v")
            some = syntax.App(span, syntax.Ident(span, ("Option", "some"), root=True), (self.ident(value),))
            alts = (
                syntax.MatchAlt(span, ((syntax.Ident(span, ("Option", "none"), root=True),),), body),
                syntax.MatchAlt(span, ((some,),), context.do_return(self.ident(value))),
            )
            discr = syntax.Discr(span, self.part(state, 0, len(names) + 1))
            body = syntax.Match(span, (discr,), alts)
        return self.bind(loop, self.binder(state), body)

    def _zipped(self, item: syntax.DoFor) -> Sequence[DoItem]:
        """`for x in xs, y in ys`: the first drives the loop, the others are streams advanced in step."""
        span = item.span
        before: list[DoItem] = []
        body: tuple[DoItem, ...] = item.body
        for iteration in reversed(item.iters[1:]):
            stream, new = self.fresh("stream"), self.fresh("next")
            decl = syntax.LetDecl(span, stream, (), None, self.apply("ToStream.toStream", iteration.collection))
            before.insert(0, syntax.DoLet(span, True, False, decl))
            pair = syntax.Tuple(span, (iteration.pattern, self.ident(new)))
            some = syntax.App(span, syntax.Ident(span, ("Option", "some"), root=True), (pair,))
            none = syntax.Ident(span, ("Option", "none"), root=True)
            advance = syntax.DoReassign(span, self.ident(stream), None, self.ident(new), False)
            alts = (
                syntax.DoMatchAlt(span, ((none,),), (syntax.DoBreak(span),)),
                syntax.DoMatchAlt(span, ((some,),), (advance, *body)),
            )
            step = self.apply("Stream.next?", self.ident(stream))
            body = (syntax.DoMatch(span, (syntax.Discr(span, step),), alts),)
        return (*before, syntax.DoFor(span, item.iters[:1], body))


def _do_items(item: syntax.DoExpr) -> tuple[DoItem, ...]:
    assert isinstance(item.term, syntax.Do)
    return item.term.items


# --------------------------------------------------------------------------------------------------------- elaboration


def desugar_do(node: syntax.Do, monad: Term, result: Term) -> Term:
    """Translate a block to a term; `monad` and `result` are the monad and the result type as syntax."""
    return DoTranslator(monad).block(node, result)


def elab_do(te: TermElab, node: syntax.Do, expected: core.Term | None) -> core.Term:
    """Elaborate a block against its expected type, which must be an application of a monad."""
    if len(node.items) == 1 and isinstance(node.items[0], syntax.DoExpr):
        only = node.items[0].term
        if not has_nested_action(only) and not isinstance(only, syntax.Do):
            return te.elab_term_ensuring(only, expected)
    monad, result = monad_of(te, expected, node.span)
    span = node.span
    term = desugar_do(node, cast(Term, Quoted(span, monad)), cast(Term, Quoted(span, result)))
    return te.elab_term_ensuring(term, core.mk_app(monad, result) if not isinstance(monad, core.Lam) else expected)


def monad_of(te: TermElab, expected: core.Term | None, span: Span) -> tuple[core.Term, core.Term]:
    """Split an expected type `m α`, unfolding definitions until the head is a monad; raises ElabError otherwise."""
    kind = core.Pi("α", core.TYPE, core.TYPE)
    if expected is None:
        return te.fresh(kind, span=span), te.fresh_type(span=span)
    type_ = te.instantiate_mvars(expected)
    for _ in range(64):
        if isinstance(type_, core.App):
            monad, result = core.mk_app(type_.fn, *type_.args[:-1]), type_.args[-1]
            if isinstance(type_.fn, core.MVar) and not te.is_defeq(te.infer_type(monad), kind):
                return te.fresh(kind, span=span), te.fresh_type(span=span)
            if isinstance(type_.fn, core.MVar) or te.synth_instance(core.mk_app(core.Const("Bind"), monad)) is not None:
                return monad, result
        new = te.whnf_core(type_)
        if new == type_:
            if isinstance(core.unfold_app(new)[0], core.MVar):
                return te.fresh(kind, span=span), te.fresh_type(span=span)
            unfolded = te.unfold(new)
            if unfolded is None:
                break
            new = unfolded
        type_ = new
    raise ElabError(
        "type",
        "invalid `do` notation, expected type is not a monad application (write `Id.run do` for pure code)",
        span,
    )


__all__ = ["DoTranslator", "desugar_do", "elab_do", "jumps", "monad_of"]
