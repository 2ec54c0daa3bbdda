"""`specgen report`: the dashboard, tables and plots of one or several runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from runs.report.write import FOLDER, Written, write_reports


def run_report(runs: Sequence[Path], out: Path | None, as_json: bool) -> Written:
    """Write the report into `out`: by default RUN/report for one run, report/ here for several."""
    written = write_reports(runs, out or (runs[0] / FOLDER if len(runs) == 1 else Path(FOLDER)))
    if as_json:
        found = {"schema": 1, "page": str(written.page), "files": written.files, "notes": list(written.notes)}
        print(json.dumps(found, ensure_ascii=False))
        return written
    for note in written.notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"Report: {written.page} ({written.files} files in {written.folder})")
    return written


__all__ = ["run_report"]
