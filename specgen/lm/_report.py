"""What a store says of the calls of its runs, read without a gateway and without changing anything."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from specgen.errors import UserError
from specgen.lm._ledger import LedgerLine

_ROWS: Final = (
    "SELECT run, role, model, split, sum(outcome <> 'cached'), sum(outcome = 'cached'),"
    " sum(outcome NOT IN ('cached', 'reply')), sum(CASE WHEN outcome = 'cached' THEN 0 ELSE attempts END),"
    " sum(input_tokens), sum(output_tokens), sum(outcome <> 'cached' AND cost_pico_usd IS NULL),"
    " sum(coalesce(cost_pico_usd, 0)), sum(latency_s), sum(outcome <> 'cached' AND simulated)"
    " FROM ledger GROUP BY run, role, model, split ORDER BY run, role, model, split"
)
_SENT: Final = (
    "SELECT run, role, model, count(*) - (SELECT coalesce(sum(attempts), 0) FROM ledger l WHERE l.run = s.run"
    " AND l.role = s.role AND l.model = s.model AND outcome <> 'cached') FROM sent s GROUP BY run, role, model"
)


@dataclass(frozen=True)
class ReportRow:
    """The calls of one run, role, model and split. Interrupted requests are in rows with split None: what was sent and
    never came back belongs to a role and a model, its split is not recorded.
    """

    run: str
    role: str
    model: str
    split: str | None
    line: LedgerLine

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON values; an unknown cost is null."""
        names = {"run": self.run, "role": self.role, "model": self.model, "split": self.split}
        return {**names, **self.line.to_json()}


@dataclass(frozen=True)
class LedgerReport:
    """All rows of a store, and what failed calls failed of, by outcome."""

    rows: tuple[ReportRow, ...]
    failures: Mapping[str, int]

    @property
    def total(self) -> LedgerLine:
        """All rows together."""
        line = LedgerLine()
        for row in self.rows:
            line = line.plus(row.line)
        return line

    def to_json(self) -> dict[str, Any]:
        """Return rows, failures and total as JSON values."""
        return {
            "schema": 1,
            "rows": [row.to_json() for row in self.rows],
            "failures": dict(self.failures),
            "total": self.total.to_json(),
        }


def find_store(path: Path) -> Path:
    """Return the store of a run folder, of an output file, or itself.

    Raises:
        UserError: there is none.
    """
    for found in (path / "calls.sqlite", path.with_name(f"{path.name}.calls.sqlite"), path):
        if found.is_file():
            return found
    raise UserError(f"there is no ledger at {path}", remedy="Name a run folder, or the file of its calls")


def read_report(path: Path) -> LedgerReport:
    """Read the ledger of every run in a store.

    Raises:
        UserError: for a file that is not a store.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
            rows = [_row(found) for found in connection.execute(_ROWS)]
            lost = [
                ReportRow(run, role, model, None, LedgerLine(interrupted_requests=count))
                for run, role, model, count in connection.execute(_SENT)
                if count
            ]
            query = (
                "SELECT outcome, count(*) FROM ledger WHERE outcome NOT IN ('reply', 'cached') GROUP BY 1 ORDER BY 1"
            )
            failures = dict(connection.execute(query).fetchall())
    except sqlite3.Error as exc:
        raise UserError(f"{path} holds no ledger: {exc}", remedy="Name a run folder, or the file of its calls") from exc
    return LedgerReport((*rows, *lost), failures)


def _row(found: tuple[Any, ...]) -> ReportRow:
    run, role, model, split, calls, cached, failed, attempts, tokens_in, tokens_out, unpriced, pico, seconds, sim = (
        found
    )
    line = LedgerLine(
        calls=calls,
        cached_calls=cached,
        failed_calls=failed,
        retries=attempts - calls,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        unpriced_calls=unpriced,
        cost_pico_usd=pico,
        model_s=seconds,
        simulated_calls=sim,
    )
    return ReportRow(run, role, model, split, line)
