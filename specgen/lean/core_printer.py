"""A plain rendering of core terms for people who debug the engine (not Lean notation)."""

from __future__ import annotations

from specgen.lean import core


def show_core(term: core.Term, names: tuple[str, ...] = ()) -> str:
    """Return a readable form of a core term; `names` are the names of enclosing binders, innermost last."""
    match term:
        case core.BVar():
            return names[-1 - term.index] if term.index < len(names) else f"#{term.index}"
        case core.FVar():
            return f"{term.name}.{term.id}"
        case core.MVar():
            return f"?{term.id}"
        case core.Sort():
            return "Prop" if term.is_prop else "Type"
        case core.Const():
            return term.name
        case core.Lit():
            return repr(term.value)
        case core.App():
            return "(" + " ".join(show_core(t, names) for t in (term.fn, *term.args)) + ")"
        case core.Lam() | core.Pi():
            head = "fun" if isinstance(term, core.Lam) else "∀"
            ty, body = show_core(term.type, names), show_core(term.body, (*names, term.name))
            return f"({head} ({term.name} : {ty}), {body})"
        case core.Let():
            value, body = show_core(term.value, names), show_core(term.body, (*names, term.name))
            return f"(let {term.name} := {value}; {body})"
        case core.Proj():
            return f"{show_core(term.target, names)}.{term.index}"
        case core.Proof():
            return f"(proof {show_core(term.type, names)})"
        case core.Match():
            alts = " ".join(
                f"| {core.pattern_key(a.patterns)} => {show_core(a.body, (*names, *a.names))}" for a in term.alts
            )
            return f"(match {', '.join(show_core(d, names) for d in term.discrs)} with {alts})"
        case _:
            return f"<{type(term).__name__}>"
