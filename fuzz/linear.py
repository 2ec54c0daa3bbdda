"""Linear arithmetic of `tests.lean.direct` as z3 formulas, written apart from the engine's own translation."""

from __future__ import annotations

from typing import Any

from tests.lean.direct import Node


def decide(formula: Node, timeout_ms: int = 2000) -> bool | None:
    """Return the truth of a closed formula; None when z3 does not know."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", timeout_ms)
    solver.add(translate(formula, {}))
    answer = solver.check()
    return None if answer == z3.unknown else bool(answer == z3.sat)


def translate(t: Node, env: dict[str, Any]) -> Any:
    """Return the z3 expression of a formula or of an integer term."""
    import z3

    if t.op in ("all_nat", "all_int", "some_nat", "some_int"):
        x = z3.FreshInt(t.data)
        body = translate(t.args[0], {**env, t.data: x})
        domain = x >= 0 if t.op.endswith("nat") else z3.BoolVal(True)
        if t.op.startswith("all"):
            return z3.ForAll([x], z3.Implies(domain, body))
        return z3.Exists([x], z3.And(domain, body))
    parts = [translate(a, env) for a in t.args]
    match t.op, parts:
        case "lit", _:
            return z3.IntVal(t.data)
        case "var", _:
            return env[t.data]
        case "True" | "False", _:
            return z3.BoolVal(t.op == "True")
        case "not", [p]:
            return z3.Not(p)
        case "cast", [a]:
            return a
        case "toNat", [a]:
            return z3.If(a < 0, z3.IntVal(0), a)
        case _, [a, b]:
            return _binary(t, a, b)
    raise ValueError(t.op)


def _binary(t: Node, a: Any, b: Any) -> Any:
    import z3

    match t.op:
        case "and":
            return z3.And(a, b)
        case "or":
            return z3.Or(a, b)
        case "implies":
            return z3.Or(z3.Not(a), b)
        case "iff" | "eq":
            return a == b
        case "ne":
            return a != b
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "add":
            return a + b
        case "sub":
            return a - b if t.type == "Int" else z3.If(a >= b, a - b, z3.IntVal(0))
        case "mul":
            return a * b
        case "div":
            return a / b
        case "mod":
            return a % b
    raise ValueError(t.op)
