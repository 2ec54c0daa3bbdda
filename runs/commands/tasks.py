"""`specgen tasks list` and `specgen tasks show`."""

from __future__ import annotations

import json
from pathlib import Path

from runs.table import print_table
from specgen.tasks import load_dataset
from specgen.tasks.jsonl import task_to_json


def list_tasks(dataset: str, path: Path | None, as_json: bool) -> None:
    """List the tasks of a data set, and what the errata set aside."""
    data = load_dataset(dataset, path)
    rows = [
        {
            "id": t.id,
            "name": t.signature.name,
            "result_type": t.signature.result_type,
            "difficulty": t.difficulty,
            "accepted": len(t.labels.accepted),
            "rejected": len(t.labels.rejected),
            "required": len(t.labels.required),
            "forbidden": len(t.labels.forbidden),
            "references": [r.representation for r in t.references],
            "implementation": t.implementation is not None,
        }
        for t in data.tasks
    ]
    if as_json:
        aside = [{"id": e.id, "reason": e.reason} for e in data.set_aside]
        print(json.dumps({"schema": 1, "dataset": data.name, "tasks": rows, "errata": aside}, ensure_ascii=False))
        return
    columns = ("id", "name", "result_type", "difficulty", "accepted", "rejected", "required", "forbidden")
    head = ("task", "function", "result", *columns[3:])
    print_table(head, [[str(r[k]) for k in columns] for r in rows])
    print(f"{len(rows)} tasks of {data.name}; {len(data.set_aside)} records set aside by the errata")


def show_task(task_id: str, dataset: str, path: Path | None, as_json: bool) -> None:
    """Show everything that is known of one task."""
    task = load_dataset(dataset, path).task(task_id)
    if as_json:
        print(json.dumps(task_to_json(task) | {"fingerprint": task.fingerprint()}, ensure_ascii=False))
        return
    print(f"{task.id} ({task.provenance.dataset}, {task.difficulty}, {task.provenance.licence})\n")
    print(f"{task.requirement.strip()}\n")
    print(f"def {task.signature.name} {task.signature.binders()} : {task.signature.result_type}\n")
    for reference in task.references:
        print(f"-- reference ({reference.representation})\n{reference.text.strip()}\n")
    if task.implementation:
        print(f"-- implementation\n{task.implementation.text.strip()}\n")
    for kind in ("accepted", "rejected"):
        for pair in getattr(task.labels, kind):
            print(f"{kind}: {', '.join(pair.inputs)} ↦ {pair.output}")
    for kind in ("required", "forbidden"):
        for inputs in getattr(task.labels, kind):
            print(f"{kind}: {', '.join(inputs)}")
