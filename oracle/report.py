"""The report of a comparison."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from oracle.compare import Outcome
from oracle.symbols import LEAN_VERSION, WHEEL


@dataclass(slots=True)
class Report:
    """Collects outcomes; `text` renders them."""

    verbose: bool = False
    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of one function."""
        self.outcomes.append(outcome)

    def of(self, status: str) -> list[Outcome]:
        """Return the outcomes of a status, in order."""
        return [o for o in self.outcomes if o.status == status]

    @property
    def compared(self) -> int:
        """How many functions were compared."""
        return len(self.outcomes) - len(self.of("not comparable"))

    @property
    def failed(self) -> bool:
        """Whether a function differs for which no difference of version is documented."""
        return bool(self.of("differs"))

    def text(self) -> str:
        """Return the report, a line a function but for those that agree (all of them when `verbose`)."""
        version = ".".join(map(str, LEAN_VERSION[:2]))
        cases = sum(o.cases for o in self.outcomes)
        lines = [f"Oracle: Lean {version} as compiled in {WHEEL}"]
        lines += [f"compared {self.compared} functions on {cases} cases: {len(self.of('agrees'))} agree"]
        lines += self._agreeing()
        lines += self._differing("differ", "differs")
        lines += self._differing("differ by a documented change of Lean version", "version")
        lines += self._not_comparable()
        return "\n".join(lines)

    def _agreeing(self) -> list[str]:
        agree = self.of("agrees")
        if self.verbose:
            return [
                f"  {o.name}: {o.cases} cases" + (f", {o.undecided} left open" if o.undecided else "") for o in agree
            ]
        spaces = Counter(o.name.rpartition(".")[0] or "(root)" for o in agree)
        return ["  " + ", ".join(f"{n} {count}" for n, count in sorted(spaces.items()))] if agree else []

    def _differing(self, title: str, status: str) -> list[str]:
        found = self.of(status)
        lines = [f"{title}: {len(found)}"]
        for o in found:
            lines.append(
                f"  {o.name}: {len(o.differences)} of {o.cases} cases" + (f" ({o.reason})" if o.reason else "")
            )
            for d in o.differences[: 5 if self.verbose else 1]:
                lines.append(f"    on {d.arguments} : {d.types}")
                lines.append(f"      engine {d.engine}")
                lines.append(f"      Lean   {d.lean}")
        return lines

    def _not_comparable(self) -> list[str]:
        found = self.of("not comparable")
        groups: dict[str, list[Outcome]] = {}
        for o in found:
            groups.setdefault(re.split(r": | on ", o.reason, maxsplit=1)[0], []).append(o)
        lines = [f"not comparable: {len(found)}"]
        for reason, group in sorted(groups.items(), key=lambda item: -len(item[1])):
            lines.append(f"  {reason}: {len(group)}")
            if all(o.reason == reason for o in group):
                lines.append("    " + ", ".join(o.name for o in group))
            else:
                lines += [f"    {o.name}: {o.reason}" for o in group]
        return lines
