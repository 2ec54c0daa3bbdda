"""What simulated models know: for each task its reference contract, and defined ways of spoiling it.

The knowledge is made here, above tasks and models, because the gateway knows nothing of tasks. It is used by `sim/…`
models only, and everything made with one is marked `simulated`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from textwrap import indent

from specgen.lm.simulated import SimulatedTask, SimulatedVariant, SpoilKind
from specgen.tasks import ContractSource, Task
from specgen.tasks.normalise import rename
from specgen.tasks.spoil import ContractFields, contract_fields, spoil


def _variant(task: Task, contract: ContractSource, fields: ContractFields | None) -> SimulatedVariant:
    """Return one way of writing a contract in every format that a prompt may ask for."""
    if fields is None:
        return SimulatedVariant(contract.text, {}, _generated_spec(contract), _statement_of_relation(task, contract))
    names = ("precond_aux", "precond", "postcond_aux", "postcond")
    return SimulatedVariant(
        contract.text, {n: getattr(fields, n) for n in names}, _relation(task, fields), _statement(task, fields)
    )


def _definitions(fields: ContractFields, last: str) -> str:
    return "\n\n".join(part.strip("\n") for part in (fields.precond_aux, fields.postcond_aux, last) if part.strip())


def _claim(task: Task, fields: ContractFields, function: str) -> str:
    """Return the contract's body as one proposition about a function's value on the inputs."""
    call = " ".join([function, *(p.name for p in task.signature.parameters)])
    body = f"let result := {call}\n{fields.postcond}"
    if fields.precond.strip() != "True":
        return f"({fields.precond}) →\n{indent(body, '  ')}"
    return body


def _relation(task: Task, fields: ContractFields) -> str:
    head = f"def generated_spec (impl : {task.signature.function_type()}) {task.signature.binders()} : Prop :="
    return _definitions(fields, f"{head}\n{indent(_claim(task, fields, 'impl'), '  ')}")


def _statement(task: Task, fields: ContractFields) -> str:
    head = f"theorem {task.signature.name}_correct {task.signature.binders()} :"
    claim = indent(_claim(task, fields, task.signature.name), "  ")
    return _definitions(fields, f"{head}\n{claim} := by\n  sorry")


def _generated_spec(contract: ContractSource) -> str:
    return rename(contract.text, {contract.postcondition: "generated_spec"})


def _statement_of_relation(task: Task, contract: ContractSource) -> str:
    """Return a theorem that applies a relational contract to the function."""
    name = task.signature.name
    call = " ".join(["generated_spec", name, *(p.name for p in task.signature.parameters)])
    theorem = f"theorem {name}_correct {task.signature.binders()} :\n  {call} := by\n  sorry"
    return f"{_generated_spec(contract).rstrip()}\n\n{theorem}"


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
