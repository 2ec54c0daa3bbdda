"""The plain normal form, whose equality is called `identical`: the same contract but for the way it is written down.

On top of `normal_terms` (names, `let`, the contract's own helpers, proofs) it only takes away wrappers (`∃ r, r = e ∧
Q r` is `Q e`, and the dual), reads `decide p = true` as p, and puts ∧ and ∨ in order without repetitions.
"""

from __future__ import annotations

from evaluators.equivalence.normal_logic import head, one_point
from evaluators.equivalence.normal_terms import BOOL, BOOL_TRUE, FALSE, TRUE, Steps, code
from specgen.lean import core
from specgen.lean.core import App, Const, Lam, Term
from specgen.lean.elab.subst import subst


class Plain:
    """Brings terms to the plain normal form."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def canon(self, term: Term) -> Term:
        """Return the plain normal form of a term."""
        self.steps.take()
        name, args = head(term)
        if name in ("And", "Or") and len(args) == 2:
            return self._joined(name, term)
        if name in ("Forall", "Exists") and len(args) == 2 and isinstance(args[1], Lam):
            value = one_point(args[1].body, name == "Forall")
            if value is not None:
                return self.canon(subst(args[1].body, (value,)))
        if name == "Eq" and len(args) == 3:
            if args[0] == BOOL and args[2] == BOOL_TRUE and head(args[1])[0] == "Decide":
                return self.canon(head(args[1])[1][0])
            if args[1] == args[2]:
                return TRUE
        if name == "Implies" and len(args) == 2:
            premise = self.canon(args[0])
            if premise == TRUE:
                return self.canon(args[1])
        return core.map_children(term, lambda t, _: self.canon(t))

    def _joined(self, name: str, term: Term) -> Term:
        parts: dict[Term, None] = {}
        left = [term]
        while left:
            t = left.pop()
            found, args = head(t)
            if found == name and len(args) == 2:
                left += [args[1], args[0]]
            else:
                new = self.canon(t)
                again, inner = head(new)
                parts.update(dict.fromkeys(inner if again == name else (new,)))
        neutral = TRUE if name == "And" else FALSE
        parts.pop(neutral, None)
        if len(parts) <= 1:
            return next(iter(parts), neutral)
        return App(Const(name), tuple(sorted(parts, key=code)))
