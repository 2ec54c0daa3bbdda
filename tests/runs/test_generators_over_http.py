"""Every generator from end to end: over HTTP, on the starter set and on CLEVER, and the agent's two modes compared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from evaluators.execution import BuiltinChecker
from evaluators.scoring import Scored, score
from runs.commands.generate import GenerateOptions, run_generate
from runs.simulated import knowledge
from specgen.generators import GENERATORS, candidate_from_record
from specgen.lean.engine import EvalLimits
from specgen.lm import ChatMessage, ModelRequest
from specgen.lm.mock_server import Fault, MockServer
from specgen.lm.simulated._writer import write
from specgen.tasks import Task, load_dataset

LIMIT = 3
Answer = Callable[[Mapping[str, Any]], str]


def writer(tasks: tuple[Task, ...]) -> Answer:
    """Answer like the simulated writer; the same prompt again is another sample, as with a real model."""
    known, seen, lock = knowledge(tasks), Counter[str](), Lock()

    def answer(body: Mapping[str, Any]) -> str:
        messages = tuple(ChatMessage(m["role"], m["content"]) for m in body["messages"])
        text = "\n".join(m.content for m in messages)
        with lock:
            sample = seen[text]
            seen[text] += 1
        return write(
            ModelRequest(model="sim/writer", messages=messages, sample=sample), known, quality="normal", seed=0
        ).text

    return answer


@pytest.fixture(scope="module", params=["starter", "clever"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[str, tuple[Task, ...], str]]:
    tasks = load_dataset(request.param).tasks[: LIMIT + 3]
    with MockServer([Fault("server_error"), Fault("rate_limit")], answer=writer(tasks)) as server:
        yield request.param, tasks, server.url


def made(out: Path, tasks: tuple[Task, ...]) -> list[Scored]:
    by_id = {t.id: t for t in tasks}
    checker = BuiltinChecker(EvalLimits())
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    candidates = [candidate_from_record({k: v for k, v in r.items() if k != "task"}) for r in rows]
    return [score(by_id[c.task_id], c, checker) for c in candidates]


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_a_generator_over_http(
    served: tuple[str, tuple[Task, ...], str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, tasks, url = served
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    out = tmp_path / "c.jsonl"
    few = ("samples=2",) if name == "leanaide" else ()
    run_generate(
        GenerateOptions(dataset, None, "openai/writer", (name,), api_base=url, limit=LIMIT, out=out, settings=few)
    )
    found = made(out, tasks)
    assert len(found) == LIMIT and {s.candidate.generator for s in found} == {name}
    assert not any(s.candidate.simulated or s.candidate.failure == "call_failed" for s in found)
    assert all(s.candidate.input_tokens > 0 and s.candidate.prompt_hash for s in found)
    if name == "verina" and dataset == "clever":
        # CLEVER's references have no pre/post form, so the simulated writer has no fields to fill in.
        return
    assert any(s.outcome == "well_formed" for s in found), [s.checks.message for s in found]


def test_the_agents_modes_repeat_the_literatures_comparison(tmp_path: Path) -> None:
    """Verifier-only: nearly all verified, fewer adequate. Gated: adequate as well."""
    tasks = load_dataset("starter").tasks
    shares = {}
    for mode in ("verifier-only", "gated"):
        out = tmp_path / f"{mode}.jsonl"
        run_generate(
            GenerateOptions(
                "starter", None, "sim/writer-weak", ("agent",), limit=18, out=out, settings=(f"mode={mode}",)
            )
        )
        found = made(out, tasks)
        verified = sum(s.get("verifier_grade").value == 1.0 for s in found) / len(found)
        adequate = sum(s.get("pass").value == 1.0 for s in found) / len(found)
        shares[mode] = (verified, adequate)
    assert shares["verifier-only"][0] >= 0.9 and shares["gated"][0] >= 0.9
    assert shares["gated"][1] > shares["verifier-only"][1] + 0.15
