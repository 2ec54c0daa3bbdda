"""The clauses of a contract: the top-level conjuncts of a predicate's body.

What is looked through: `let`, the contract's own wrapper `∃ result, impl x = result ∧ Q` and its dual
`∀ result, impl x = result → Q`, a definition of the text that the body merely calls, an implication `P → Q` (each
clause of Q under P), Bool conjunctions.
"""

from __future__ import annotations

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, FVar, Lam, Let, Pi, Term
from specgen.lean.elab.subst import beta, subst
from specgen.lean.eval.guards import one_point, unfolds
from specgen.lean.eval.types import Types, head_const, lambda_telescope

_MAX_CLAUSES = 64


def split_clauses(types: Types, value: Term) -> list[Term]:
    """Return a closed predicate for each clause, over the same parameters as `value`."""
    params, body = lambda_telescope(types, value)
    out: list[Term] = []
    _split(types, body, params, out, 0)
    if not 1 <= len(out) <= _MAX_CLAUSES:
        return [value]
    return out


def _split(types: Types, body: Term, context: list[FVar], out: list[Term], depth: int) -> None:
    body = one_point(types, body) or body
    fn, args = core.unfold_app(body)
    name = fn.name if isinstance(fn, Const) else ""
    if isinstance(body, Let):
        x = types.local(body.name, body.type, value=body.value)
        _split(types, subst(body.body, (x,)), [*context, x], out, depth)
    elif name in ("And", "and", "Bool.and") and len(args) == 2:
        _split(types, args[0], context, out, depth)
        _split(types, args[1], context, out, depth)
    elif name == "Eq" and len(args) == 3 and head_const(args[2]) == "Bool.true":
        _split(types, args[1], context, out, depth)
    elif name == "Decidable.decide" and args:
        _split(types, args[0], context, out, depth)
    elif isinstance(body, Pi) and types.is_proposition(body.type):
        inner: list[Term] = []
        _split(types, subst(body.body, (core.Proof(body.type),)), context, inner, depth)
        out.extend([_under(types, clause, body.type, context) for clause in inner])
    elif isinstance(fn, FVar) and depth < 4 and isinstance(types.decls[fn.id].value, Lam):
        local = types.decls[fn.id].value
        assert local is not None  # noqa: S101 - it is a Lam
        _split(types, beta(local, args), context, out, depth + 1)
    elif name in types.env.constants and depth < 4 and _conjunction(types, fn, args):
        constant = types.env.constants[name]
        assert constant.value is not None  # noqa: S101 - _conjunction has looked
        _split(types, beta(constant.value, args), context, out, depth + 1)
    else:
        out.append(types.mk_lambda(context, body))


def _under(types: Types, clause: Term, hypothesis: Term, context: list[FVar]) -> Term:
    """Put a hypothesis in front of a clause that was closed over `context`."""
    opened = clause
    for x in context:
        assert isinstance(opened, Lam | Let)  # noqa: S101 - mk_lambda made it
        opened = subst(opened.body, (x,))
    return types.mk_lambda(context, Pi("h", hypothesis, core.lift(opened, 1)))


def _conjunction(types: Types, fn: Term, args: tuple[Term, ...]) -> bool:
    """Tell whether a call of the text's own definition unfolds to something with several clauses."""
    if not isinstance(fn, Const) or not unfolds(types, fn.name):
        return False
    body: Term | None = types.env.constants[fn.name].value
    assert body is not None  # noqa: S101 - unfolds has looked
    n = 0
    while isinstance(body, Lam):
        body, n = body.body, n + 1
    if n > len(args):
        return False
    while isinstance(body, Let):
        body = body.body
    return head_const(body) in ("And", "and") or (isinstance(body, App) and head_const(body) == "Exists")


# ---------------------------------------------------------------------------------------------------------------- text


def clause_spans(body: syntax.Term, local: dict[str, syntax.Term] | None = None) -> list[syntax.Span]:
    """Return the spans of the top-level conjuncts of a body as written, through what `split_clauses` looks through."""
    local = local or {}
    match body:
        case syntax.Let():
            decl = body.decl
            inner = {**local, decl.name: decl.value} if decl.value is not None and decl.binders else local
            return clause_spans(body.body, inner)
        case syntax.Paren():
            return clause_spans(body.inner, local)
        case syntax.BinOp() if body.op in ("∧", "/\\", "&&"):
            return [*clause_spans(body.lhs, local), *clause_spans(body.rhs, local)]
        case syntax.Arrow():
            return clause_spans(body.codomain, local)
        case syntax.Quantifier():
            parts = _one_point_parts(body)
            if parts is None:
                return [body.span]
            return [span for part in parts for span in clause_spans(part, local)]
        case syntax.App() if isinstance(body.fn, syntax.Ident) and body.fn.name in local:
            return clause_spans(local[body.fn.name], local)
        case _:
            return [body.span]


def _one_point_parts(body: syntax.Quantifier) -> list[syntax.Term] | None:
    """Return what is left of `∃ r, f x = r ∧ …` and of `∀ r, f x = r → …` without the equation, None for others."""
    group = body.binders[0]
    if len(body.binders) != 1 or len(group.names) != 1 or group.pred is not None or group.pattern is not None:
        return None
    name = group.names[0]
    if body.symbol in ("∃", "exists"):
        parts = _conjunct_terms(body.body)
        left = [p for p in parts if not _equates(p, name)]
        return left if 0 < len(left) == len(parts) - 1 else None
    rest: syntax.Term = body.body
    found = False
    while body.symbol in ("∀", "forall") and isinstance(rest, syntax.Arrow):
        found = found or _equates(rest.domain, name)
        rest = rest.codomain
    return [rest] if found else None


def _conjunct_terms(body: syntax.Term) -> list[syntax.Term]:
    while isinstance(body, syntax.Paren):
        body = body.inner
    if isinstance(body, syntax.BinOp) and body.op in ("∧", "/\\"):
        return [*_conjunct_terms(body.lhs), *_conjunct_terms(body.rhs)]
    return [body]


def _equates(part: syntax.Term, name: str) -> bool:
    """Tell whether a term is an equation with a variable as one side."""
    return (
        isinstance(part, syntax.BinOp)
        and part.op == "="
        and any(isinstance(side, syntax.Ident) and side.name == name for side in (part.lhs, part.rhs))
    )
