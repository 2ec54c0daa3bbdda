"""What simulated models know: for each task its reference contract, and defined ways of spoiling it.

The knowledge is made here, above tasks and models, because the gateway knows nothing of tasks. It is used by `sim/…`
models only, and everything made with one is marked `simulated`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from specgen.lm.simulated import SimulatedTask, SimulatedVariant, SpoilKind
from specgen.tasks import ContractSource, Task
from specgen.tasks.forms import as_relation, as_theorem, relation_as_theorem, renamed_relation
from specgen.tasks.spoil import ContractFields, contract_fields, spoil


def _variant(task: Task, contract: ContractSource, fields: ContractFields | None) -> SimulatedVariant:
    """Return one way of writing a contract in every format that a prompt may ask for."""
    signature = task.signature
    if fields is None:
        return SimulatedVariant(contract.text, {}, renamed_relation(contract), relation_as_theorem(signature, contract))
    names = ("precond_aux", "precond", "postcond_aux", "postcond")
    return SimulatedVariant(
        contract.text,
        {n: getattr(fields, n) for n in names},
        as_relation(signature, fields),
        as_theorem(signature, fields),
    )


def simulated_task(task: Task) -> SimulatedTask:
    """Return a task as simulated models know it, from its main reference contract (nothing for a task without one)."""
    if not task.references:
        return SimulatedTask(task.id, {})
    main = task.references[0]
    found: dict[SpoilKind, list[SimulatedVariant]] = defaultdict(list)
    fields = contract_fields(main) if main.representation == "prepost" else None
    found["reference"].append(_variant(task, main, fields))
    for spoiled in spoil(task, main.representation):
        found[spoiled.kind].append(_variant(task, spoiled.contract, spoiled.fields))
    return SimulatedTask(task.id, {kind: tuple(variants) for kind, variants in found.items()})


class TaskKnowledge:
    """Finds the task a prompt speaks of by its requirement; of several, the one that stands last."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = {t.id: t for t in tasks}
        self._known: dict[str, SimulatedTask] = {}
        digest = hashlib.sha256("\n".join(sorted(t.fingerprint() for t in tasks)).encode())
        self.fingerprint = digest.hexdigest()

    def lookup(self, prompt_text: str) -> SimulatedTask | None:
        """Return the task whose requirement and function name stand in the prompt."""
        best: tuple[int, str] | None = None
        for task in self._tasks.values():
            at = prompt_text.rfind(task.requirement.strip())
            if at >= 0 and task.signature.name in prompt_text and (best is None or (at, task.id) > best):
                best = (at, task.id)
        if best is None:
            return None
        task_id = best[1]
        if task_id not in self._known:
            self._known[task_id] = simulated_task(self._tasks[task_id])
        return self._known[task_id]


def knowledge(tasks: Sequence[Task]) -> TaskKnowledge:
    """Return the knowledge of the simulated models over these tasks."""
    return TaskKnowledge(tasks)
