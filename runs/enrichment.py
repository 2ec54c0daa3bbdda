"""Further labels for the tasks of a run: made once a task, in a confined worker, and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any

from evaluators.jobs import JobError, Runner, Stopped
from runs.store import RecordLog
from specgen.tasks.model import Labels, Task

ENRICH_S = 60.0
"""Most seconds that the labels of one task may take; usual are some tens of milliseconds."""


class Enricher:
    """Gives tasks their further labels. Thread-safe; a task is enriched once, whoever asks for it.

    Args:
        runner: runs the work within limits.
        options: an `EnrichOptions`; None or the mode `off` makes nothing.
        log: where the origin of each label is recorded, as records of the kind `enrichment` by task id.
        exclude: labels by task id that must not be made: those that somebody has seen already.
    """

    def __init__(
        self,
        runner: Runner,
        options: Any | None,
        log: RecordLog | None = None,
        exclude: Mapping[str, Labels] | None = None,
    ) -> None:
        self._runner = runner
        self._options = options if options is not None and options.mode != "off" else None
        self._log = log
        self._exclude = exclude or {}
        self._lock = Lock()
        self._locks: dict[str, Lock] = {}
        self._tasks: dict[str, Task] = {}
        self.records: dict[str, Mapping[str, Any]] = {}
        """What was made, by task, earlier sittings included; for a task that could not be enriched why (`failure`)."""
        if log is not None:
            self.records.update((record["task"], record) for record in log.all("enrichment"))

    def task(self, task: Task) -> Task:
        """Return the task with further labels; the task itself where none could be made."""
        if self._options is None:
            return task
        with self._lock:
            lock = self._locks.setdefault(task.id, Lock())
        with lock:
            if task.id not in self._tasks:
                self._tasks[task.id] = self._enriched(task)
            return self._tasks[task.id]

    def _enriched(self, task: Task) -> Task:
        from evaluators.examples import ENRICH_LIMITS, EnrichJob

        assert self._options is not None  # noqa: S101 - see `task`
        if self.records.get(task.id, {}).get("failure"):
            return task  # as all of its candidates so far: the labels of one task do not change within a run
        try:
            seen = self._exclude.get(task.id, Labels())
            found = self._runner.run(EnrichJob(task, self._options, ENRICH_LIMITS, seen), ENRICH_S)
            failure = f"{found.kind}: {found.message}" if isinstance(found, Stopped) else ""
        except JobError as error:
            failure = f"evaluator_error: {error}"
        if failure:
            options = {"mode": self._options.mode, "seed": self._options.seed}
            record = {"task": task.id, "options": options, "tallies": {}, "reasons": {}, "failure": failure}
        else:
            record = {k: v for k, v in found.record().items() if k != "schema"}
            task = found.task
        if self._log is not None:
            self._log.add("enrichment", task.id, **record)
        self.records[task.id] = record
        return task

    def counts(self) -> dict[str, Any]:
        """Return what became of all attempts, by kind of label, over the tasks that were asked for."""
        if self._options is None:
            return {"mode": "off"}
        totals: dict[str, dict[str, int]] = {}
        for record in self.records.values():
            for kind, tally in record["tallies"].items():
                into = totals.setdefault(kind, dict.fromkeys(tally, 0))
                for name, count in tally.items():
                    into[name] += count
        failed = {task: r["failure"] for task, r in sorted(self.records.items()) if r.get("failure")}
        return {
            "mode": self._options.mode,
            "seed": self._options.seed,
            "tasks": len(self.records),
            "kinds": totals,
            "failed": failed,
        }


__all__ = ["Enricher"]
