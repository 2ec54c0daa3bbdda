"""The DSPy program that an optimiser tunes: one predictor whose prompt is rendered by our generator.

DSPy's own adapters would wrap the instructions in a prompt of their own; then what is tuned would not be what is
scored. `GeneratorAdapter` renders with the generator and hands the raw reply back, so both are the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

import dspy

from specgen.generators import Generator
from specgen.lm import Gateway, one_line
from specgen.tasks.model import GenerationView


class GeneratorAdapter(dspy.Adapter):  # type: ignore[misc]
    """Renders the predictor's instructions through a generator; the only output field is the raw reply."""

    def __init__(self, generator: Generator, views: Mapping[str, GenerationView]) -> None:
        super().__init__()
        self._generator = generator
        self._views = views

    def format(self, signature: Any, demos: list[dict[str, Any]], inputs: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the messages for the task named in `inputs["task_id"]`."""
        messages = self._generator.render(self._views[inputs["task_id"]], signature.instructions)
        return [{"role": m.role, "content": m.content} for m in messages]

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        """Hand the reply back unread."""
        return {"specification": completion}


class Calls:
    """Counts the program's calls and those that failed; a failed call has no specification to score."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.made = 0
        self.failed = 0
        self.first_failure = ""

    def note(self, failure: str | None) -> None:
        """Count one call; `failure` says why it failed."""
        with self._lock:
            self.made += 1
            if failure is not None:
                self.failed += 1
                self.first_failure = self.first_failure or failure


class SpecificationProgram(dspy.Module):  # type: ignore[misc]
    """One predictor: task in, raw reply out. Calls carry the split of their task."""

    def __init__(
        self,
        instructions: str,
        generator: Generator,
        views: Mapping[str, GenerationView],
        split_of: Callable[[str], str],
        calls: Calls,
    ) -> None:
        super().__init__()
        signature = dspy.Signature(
            "task_id: str, requirement: str, function_signature: str -> specification: str", instructions
        )
        self.write = dspy.Predict(signature)
        self._shared = _Shared(GeneratorAdapter(generator, views), split_of, calls)

    def forward(self, task_id: str, requirement: str, function_signature: str) -> Any:
        """Write one specification."""
        shared = self._shared
        try:
            with Gateway.tags(split=shared.split_of(task_id), task_id=task_id), dspy.context(adapter=shared.adapter):
                prediction = self.write(task_id=task_id, requirement=requirement, function_signature=function_signature)
        except Exception as exc:
            shared.calls.note(one_line(f"{type(exc).__name__}: {exc}"))
            raise
        shared.calls.note(None)
        return prediction


class _Shared:
    """What copies of a program share: DSPy deep-copies programs, and counters and views must stay one."""

    def __init__(self, adapter: GeneratorAdapter, split_of: Callable[[str], str], calls: Calls) -> None:
        self.adapter = adapter
        self.split_of = split_of
        self.calls = calls

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self


def example(view: GenerationView) -> Any:
    """Return the DSPy example of a task: what the predictor is given, and nothing else."""
    signature = view.signature
    text = f"def {signature.name} {signature.binders()} : {signature.result_type}"
    return dspy.Example(task_id=view.task_id, requirement=view.requirement, function_signature=text).with_inputs(
        "task_id", "requirement", "function_signature"
    )
