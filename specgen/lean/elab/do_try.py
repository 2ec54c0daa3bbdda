"""`try … catch … finally …` in a `do` block, and `let x ← if … then … else …` whose branches jump or assign.

The body and the handlers become actions of their own. Their results carry the variables that they assign and, where
they contain jumps, which jump was taken: `DoResultPR` (value or `return`), `DoResultPRBC` (also `break`, `continue`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specgen.lean import syntax
from specgen.lean.elab.do_lift import assigned, jumps, returns
from specgen.lean.syntax import DoItem, Term

if TYPE_CHECKING:
    from specgen.lean.elab.do_notation import DoContext, DoTranslator, Next


@dataclass(frozen=True, slots=True)
class _Shape:
    """How results of the body and the handlers are packed."""

    names: tuple[str, ...]
    early: bool
    jumps: bool
    value_type: Term

    @property
    def type_name(self) -> str:
        if self.jumps:
            return "DoResultPRBC" if self.early else "DoResultSBC"
        return "DoResultPR" if self.early else ""


def translate_try(do: DoTranslator, item: syntax.DoTry, muts: tuple[str, ...], context: DoContext, after: Next) -> Term:
    """Translate a `try` statement with what follows it."""
    blocks: list[tuple[DoItem, ...]] = [item.body, *[c[2] for c in item.catches]]
    everything = [i for b in blocks for i in b]
    changed = assigned(everything)
    names = tuple([m for m in muts if m in changed])
    value_type = context.value_type if after.tail else do.unit_type()
    shape = _Shape(names, returns(everything), jumps(everything), value_type)
    action = _block(do, item.body, muts, context, shape)
    for name, type_, handler in item.catches:
        do.check_shadowing([name], muts, item.span)
        action = _catch(do, action, name, type_, _block(do, handler, muts, context, shape))
    if item.final is not None:
        unit = do.unit_type()
        final = do.items(item.final, muts, do.inner_context(context, do.action(unit)), do.ending())
        action = do.apply("tryFinally", do.in_monad(), action, do.ascribe(final, do.action(unit)))
    do.span = item.span
    return _after(do, action, shape, context, lambda v: after.value(do.pure(v)) if after.tail else after.done())


def escapes(items: Sequence[DoItem], muts: tuple[str, ...]) -> bool:
    """Tell whether a block that gives a value also jumps out, or assigns variables from outside."""
    return returns(items) or jumps(items) or bool(assigned(items) & set(muts))


def translate_nested(
    do: DoTranslator,
    items: tuple[DoItem, ...],
    muts: tuple[str, ...],
    context: DoContext,
    value_type: Term,
    went_on: Callable[[Term], Term],
) -> Term:
    """Translate a block whose value is bound (`let x ← if …`), jumps and assignments included."""
    changed = assigned(items)
    shape = _Shape(tuple([m for m in muts if m in changed]), returns(items), jumps(items), value_type)
    return _after(do, _block(do, items, muts, context, shape), shape, context, went_on)


def _state_type(do: DoTranslator, shape: _Shape) -> Term:
    return do.state_type(shape.names)


def _result_type(do: DoTranslator, shape: _Shape, context: DoContext) -> Term:
    if not shape.type_name:
        return do.state_type(shape.names, [shape.value_type])
    values = [shape.value_type, context.value_type] if shape.early else [shape.value_type]
    return do.apply(shape.type_name, *values, _state_type(do, shape))


def _packed(do: DoTranslator, shape: _Shape, how: str, value: Term | None) -> Term:
    """Return the action that ends a block in one of the ways `pure`, `return`, `break`, `continue`."""
    if not shape.type_name:
        return do.pure(do.state(shape.names, [value if value is not None else do.unit()]))
    args: list[Term] = [] if value is None else [value]
    how = "pureReturn" if how == "pure" and not shape.early else how
    return do.pure(do.apply(f"{shape.type_name}.{how}", *args, do.state(shape.names)))


def _block(
    do: DoTranslator, items: tuple[DoItem, ...], muts: tuple[str, ...], context: DoContext, shape: _Shape
) -> Term:
    from specgen.lean.elab.do_notation import DoContext, Next

    result = do.action(_result_type(do, shape, context))
    inner = DoContext(
        result,
        context.value_type,
        lambda v: _packed(do, shape, "return", do.ascribe(v, context.value_type)),
        (lambda: _packed(do, shape, "break", None)) if context.do_break is not None else None,
        (lambda: _packed(do, shape, "continue", None)) if context.do_continue is not None else None,
    )

    def value(action: Term) -> Term:
        name = do.fresh()
        return do.bind(action, do.binder(name, shape.value_type), _packed(do, shape, "pure", do.ident(name)))

    ending = Next(value, lambda: _packed(do, shape, "pure", do.unit()), simple=True)
    return do.ascribe(do.items(items, muts, inner, ending), result)


def _catch(do: DoTranslator, action: Term, name: str, type_: Term | None, handler: Term) -> Term:
    fn = syntax.Fun(do.span, (do.binder(name or "_", type_),), handler)
    if type_ is not None:
        return do.apply("MonadExceptOf.tryCatch", syntax.NamedArg(do.span, "ε", type_), do.in_monad(), action, fn)
    return do.apply("MonadExcept.tryCatch", do.in_monad(), action, fn)


def _after(do: DoTranslator, action: Term, shape: _Shape, context: DoContext, went_on: Callable[[Term], Term]) -> Term:
    """Bind the packed result, take it apart, and go on."""
    result, value, state = do.fresh("r"), do.fresh("v"), do.fresh("s")
    if not shape.type_name:
        total = len(shape.names) + 1
        first = do.part(result, 0, total)
        body = do.unpack(result, shape.names, went_on(first), 1)
        return do.bind(action, do.binder(result, _result_type(do, shape, context)), body)
    span = do.span
    cases: list[tuple[str, bool, Term]] = [("pure" if shape.early else "pureReturn", True, went_on(do.ident(value)))]
    if shape.early:
        cases.append(("return", True, context.do_return(do.ident(value))))
    if shape.jumps and context.do_break is not None and context.do_continue is not None:
        cases += [("break", False, context.do_break()), ("continue", False, context.do_continue())]
    alts: list[syntax.MatchAlt] = []
    for how, has_value, body in cases:
        args = [do.ident(value), do.ident(state)] if has_value else [do.ident(state)]
        pattern = do.apply(f"{shape.type_name}.{how}", *args)
        alts.append(syntax.MatchAlt(span, ((pattern,),), do.unpack(state, shape.names, body)))
    match = syntax.Match(span, (syntax.Discr(span, do.ident(result)),), tuple(alts))
    return do.bind(action, do.binder(result, _result_type(do, shape, context)), match)
