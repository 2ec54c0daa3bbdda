"""The DSPy program that an optimiser tunes: one predictor whose prompt is rendered by our generator.

DSPy's own adapters would wrap the instructions in a prompt of their own; then what is tuned would not be what is
scored. `GeneratorAdapter` renders with the generator and hands the raw reply back, so both are the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import dspy

from optimizers.control import Control
from optimizers.seeds import Prompt
from specgen.generators import Generator, Shot, render_prompt
from specgen.lm import Gateway, one_line
from specgen.tasks.model import GenerationView


class GeneratorAdapter(dspy.Adapter):  # type: ignore[misc]
    """Renders the predictor's instructions and demonstrations through a generator; the only output field is the raw
    reply.
    """

    def __init__(self, generator: Generator, views: Mapping[str, GenerationView]) -> None:
        super().__init__()
        self._generator = generator
        self._views = views

    def format(self, signature: Any, demos: list[Any], inputs: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the messages for the task named in `inputs["task_id"]`."""
        shots = shots_of(demos, self._views)
        messages = render_prompt(self._generator, self._views[inputs["task_id"]], signature.instructions, shots)
        return [{"role": m.role, "content": m.content} for m in messages]

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        """Hand the reply back unread."""
        return {"specification": completion}


def shots_of(demos: Sequence[Any], views: Mapping[str, GenerationView]) -> tuple[Shot, ...]:
    """Return DSPy's demonstrations as worked examples; one without a reply shows nothing and is left out."""
    found = [(d.get("task_id"), d.get("specification")) for d in demos]
    return tuple(Shot(views[i], str(reply)) for i, reply in found if i in views and reply)


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


class Shared:
    """What copies of a program share: DSPy deep-copies programs, and counters, control and views must stay one."""

    def __init__(
        self,
        generator: Generator,
        views: Mapping[str, GenerationView],
        split_of: Callable[[str], str],
        calls: Calls,
        control: Control,
        seed: Prompt,
    ) -> None:
        self.adapter = GeneratorAdapter(generator, views)
        self.views = views
        self.split_of = split_of
        self.calls = calls
        self.control = control
        self.seed = seed
        self.prompts: dict[str, Prompt] = {}
        """The prompts that the program has had, by hash."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Shared:
        return self

    def prompt(self, predictor: Any) -> Prompt:
        """Return the prompt that a predictor has now."""
        shots = shots_of(predictor.demos, self.views)
        found = Prompt(self.seed.name, predictor.signature.instructions, self.seed.origin, shots)
        return self.prompts.setdefault(found.hash(), found)


class SpecificationProgram(dspy.Module):  # type: ignore[misc]
    """One predictor: task in, raw reply out. Calls carry the split of their task."""

    def __init__(self, instructions: str, shared: Shared) -> None:
        super().__init__()
        signature = dspy.Signature(
            "task_id: str, requirement: str, function_signature: str -> specification: str", instructions
        )
        self.write = dspy.Predict(signature)
        self._shared = shared

    def prompt(self) -> Prompt:
        """Return the prompt that the program has now."""
        return self._shared.prompt(self.write)

    def forward(self, task_id: str, requirement: str, function_signature: str) -> Any:
        """Write one specification; the prediction says with which prompt (`prompt_key`)."""
        shared = self._shared
        shared.control.admit()
        prompt = self.prompt()
        try:
            with Gateway.tags(split=shared.split_of(task_id), task_id=task_id), dspy.context(adapter=shared.adapter):
                found = self.write(task_id=task_id, requirement=requirement, function_signature=function_signature)
        except Exception as exc:
            shared.calls.note(one_line(f"{type(exc).__name__}: {exc}"))
            raise
        shared.calls.note(None)
        return dspy.Prediction(specification=found.specification, prompt_key=prompt.hash())


def example(view: GenerationView) -> Any:
    """Return the DSPy example of a task: what the predictor is given, and nothing else."""
    signature = view.signature
    text = f"def {signature.name} {signature.binders()} : {signature.result_type}"
    return dspy.Example(task_id=view.task_id, requirement=view.requirement, function_signature=text).with_inputs(
        "task_id", "requirement", "function_signature"
    )
