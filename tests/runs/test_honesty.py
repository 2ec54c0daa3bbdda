"""A whole experiment over HTTP: what is sent shows no held-out example and no reference, and the table follows from
the records.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from evaluators.execution import shown
from evaluators.registry import metrics_of
from runs.commands.experiment import execute
from runs.config import ExperimentConfig, parse_config
from runs.plan import make_plan
from specgen.generators import make_generator
from specgen.lm.mock_server import Fault, MockServer
from specgen.tasks import Task, load_dataset, split_labels

TASKS = {t.id: t for t in load_dataset("starter").tasks}


def config(url: str, more: str = "") -> ExperimentConfig:
    data: dict[str, Any] = {
        "experiment": {"name": "honest", "seed": 4},
        "data": {"limit": 30, "train": 0.3, "validation": 0.2, "test": 0.5},
        "model": {"task": "openai/writer", "reflection": "openai/reflector", "api_base": url, "concurrency": 4},
        "generator": {"name": more or "direct", "seeds": ["zero-shot", "chain-of-thought"]},
        "optimizer": {"max_metric_calls": 30},
        "evaluation": {"isolate": False},
    }
    return parse_config(data, "test")


def task_of(prompt: str) -> Task:
    """Return the task whose requirement stands last in a prompt."""
    return max(TASKS.values(), key=lambda t: prompt.rfind(t.requirement.strip()))


def answer(body: Mapping[str, Any]) -> str:
    """Answer without knowing any reference: contracts that are too weak, too strong, or half of each, so that the
    feedback has every kind of example to show; a reflection numbers its instructions.
    """
    text = "\n\n".join(m["content"] for m in body["messages"])
    if body["model"] == "reflector":
        return f"```\nWrite contract number {len(text)}.\n```"
    task = task_of(text)
    s = task.signature
    pre, post = random.Random(text).choice([("True", "True"), ("False", "False"), ("True", "True ∧ False"), ("", "")])
    if "[[ ## postcond ## ]]" in text:
        fields = {"imports": "", "precond_aux": "", "precond": pre, "postcond_aux": "", "postcond": post}
        return "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in fields.items())
    return (
        f"def {s.name}_precond {s.binders()} : Prop := {pre}\n"
        f"def {s.name}_postcond {s.binders()} (result : {s.result_type}) : Prop := {post}"
    )


@dataclass(frozen=True)
class Sent:
    """One request as it came in at the server, and as the run's store has it."""

    role: str
    split: str
    prompt: str


@dataclass(frozen=True)
class Done:
    folder: Path
    summary: dict[str, Any]
    sent: tuple[Sent, ...]
    sides: dict[str, tuple[Task, ...]]
    records: list[dict[str, Any]]


def stored_requests(folder: Path) -> list[Sent]:
    with closing(sqlite3.connect(folder / "calls.sqlite")) as connection:
        rows = [json.loads(zlib.decompress(r)) for (r,) in connection.execute("SELECT request FROM replies")]
    return [Sent(r["role"], r["split"], "\n\n".join(m["content"] for m in r["messages"])) for r in rows]


@pytest.fixture(scope="module", params=["direct", "verina"])
def done(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    folder = tmp_path_factory.mktemp("honest") / "run"
    with MockServer(answer=answer) as server:
        chosen = config(server.url, request.param)
        summary = execute(chosen, folder, resume=False, as_json=True)
        wire = {"\n\n".join(m["content"] for m in r.body["messages"]) for r in server.requests}
    sent = stored_requests(folder)
    assert wire == {s.prompt for s in sent}
    sides = make_plan(chosen, make_generator(request.param), False).splits()
    records = [json.loads(line) for line in (folder / "records.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    yield Done(folder, summary, tuple(sent), sides, records)


def example_texts(task: Task) -> set[str]:
    """Return the examples that a task holds, as feedback would put them."""
    labels = task.labels
    return {
        *(f"e.g. {shown(p.inputs, p.output)}." for p in labels.accepted),
        *(f"accepts {shown(p.inputs, p.output)}, which must be rejected" for p in labels.rejected),
        *(f"rejects {shown(i)}, which must be admitted" for i in labels.required),
        *(f"accepts {shown(i)}, which must be refused" for i in labels.forbidden),
    }


def test_prompts_show_feedback_examples_and_no_others(done: Done) -> None:
    prompts = "\n".join(s.prompt for s in done.sent)
    feedback = {text for side in ("train", "validation") for t in done.sides[side] for text in example_texts(t)}
    assert sum(text in prompts for text in feedback) >= 10  # the test would see an example that is there
    used = {t.id for side in done.sides.values() for t in side}
    hidden = {text for i in used for text in example_texts(TASKS[i])} - feedback
    assert len(hidden) >= 200
    assert [text for text in hidden if text in prompts] == []


def test_held_out_and_feedback_examples_of_a_task_are_disjoint(done: Done) -> None:
    for side in ("train", "validation", "test"):
        for task in done.sides[side]:
            split = split_labels(TASKS[task.id], 4, 0.5)
            assert task.labels == (split.held_out if side == "test" else split.feedback)
    for task in TASKS.values():
        split = split_labels(task, 4, 0.5)
        assert not set(split.feedback.accepted) & set(split.held_out.accepted)
        assert not set(split.feedback.rejected) & set(split.held_out.rejected)


def test_a_test_task_is_met_in_the_comparison_only(done: Done) -> None:
    for sent in done.sent:
        for side in ("train", "validation", "test"):
            if sent.split != side and not (sent.role == "reflection" and side == "train"):
                assert not any(t.requirement.strip() in sent.prompt for t in done.sides[side]), (sent.role, side)
    assert {(s.role, s.split) for s in done.sent} == {
        *(("task", side) for side in ("train", "validation", "test")),
        ("reflection", "train"),
    }


def test_what_the_writer_is_sent_is_the_generator_s_prompt_and_nothing_more(done: Done) -> None:
    generator = make_generator(done.summary["generator"])
    tried = {text for r in done.records if r["kind"] == "optimisation" for text in r["tried"]}
    tried |= {p["instructions"] for p in done.summary["prompts"]}
    allowed = {
        "\n\n".join(m.content for m in generator.render(t.view(), instructions))
        for side in done.sides.values()
        for t in side
        for instructions in tried
    }
    mine = [s for s in done.sent if s.role == "task"]
    # Instructions that GEPA tried on a minibatch only are in no record: their prompts end like any other.
    unknown = [s for s in mine if s.prompt not in allowed]
    assert all(re.search(r"Write contract number \d+\.", s.prompt) for s in unknown)
    assert len(unknown) < len(mine)


def test_no_prompt_holds_a_line_of_a_reference_or_an_implementation(done: Done) -> None:
    prompts = " ".join("\n".join(s.prompt for s in done.sent).split())
    harmless = " ".join(
        " ".join(
            [f"{t.requirement} def {t.signature.name} {t.signature.binders()} : {t.signature.result_type}"]
            + [t.context.preamble]
        )
        for t in TASKS.values()
    )
    harmless = " ".join(harmless.split())
    secret = set()
    for task in TASKS.values():
        for text in [r.text for r in task.references] + [task.implementation.text if task.implementation else ""]:
            body = re.split(r":\s*Prop\s*:=", text)[-1]
            clauses = re.split(r"\n|∧|∨|:=", body)
            secret |= {c for raw in clauses if len(c := " ".join(raw.split())) >= 16 and c not in harmless}
    assert len(secret) >= 100
    assert sorted(s for s in secret if s in prompts) == []


METRICS = ("verifier_grade", "R+", "R-", "R_req", "R_rej", "BAcc", "pass", "pass_all")


def values(records: list[dict[str, Any]], metric: str) -> dict[tuple[str, str, int], float]:
    """Read a metric from the records, by another way than the package's."""
    out = {}
    for r in records:
        found = {e["metric"]: e for e in r["evidence"]}
        name = "pass" if metric == "pass_all" else metric
        value = found[name]["value"] if found[name]["status"] == "observed" else None
        judged = found["verifier_grade"]["status"] == "observed"
        if metric == "pass_all" and judged and r["outcome"] in ("no_output", "not_well_formed"):
            value = 0.0 if r["labels"]["accepted"] * r["labels"]["rejected"] else None
        if value is not None:
            out[(r["task"], r["seed"], r["candidate"]["sample"])] = value
    return out


def by_task(cells: Mapping[tuple[str, str, int], float]) -> list[float]:
    grouped = defaultdict(list)
    for (task, _, _), value in cells.items():
        grouped[task].append(value)
    return [fmean(v) for v in grouped.values()]


def resampled(data: list[float]) -> list[float]:
    """Return bootstrapped means, drawn with Python's own generator."""
    rng = random.Random(99)
    return [fmean(rng.choices(data, k=len(data))) for _ in range(3000)]


def is_quantile(value: float, share: float, means: list[float]) -> bool:
    """Whether a value is the quantile of a share; means of few values are few numbers, so distances say nothing."""
    below = sum(m < value - 1e-9 for m in means) / len(means)
    upto = sum(m <= value + 1e-9 for m in means) / len(means)
    return below - 0.015 <= share <= upto + 0.015


def agrees(found: Mapping[str, Any], data: list[float]) -> None:
    assert found["n"] == len(data)
    if not data:
        assert found["mean"] is found["low"] is found["high"] is None
        return
    assert found["mean"] == pytest.approx(fmean(data), abs=1e-9)
    if len(data) > 1:
        means = resampled(data)
        assert is_quantile(found["low"], 0.025, means)
        assert is_quantile(found["high"], 0.975, means)


def test_the_table_follows_from_the_records(done: Done) -> None:
    summary = json.loads((done.folder / "summary.json").read_text(encoding="utf-8"))
    assert summary == json.loads(json.dumps(done.summary))
    scored = [r for r in done.records if r["kind"] == "scored"]
    arms = {a["arm"]: [r for r in scored if r["arm"] == a["arm"]] for a in summary["arms"]}
    assert sum(map(len, arms.values())) == len(scored) > 0
    for arm in summary["arms"]:
        mine = arms[arm["arm"]]
        assert arm["candidates"] == len(mine)
        assert arm["outcomes"] == {o: sum(r["outcome"] == o for r in mine) for o in arm["outcomes"]}
        assert set(arm["metrics"]) == {*METRICS, *metrics_of(["similarity"])}
        for metric in METRICS:
            agrees(arm["metrics"][metric], by_task(values(mine, metric)))
            assert arm["metrics"][metric]["attempted"] == summary["tasks"]["test"] == len(done.sides["test"])
    for difference in summary["differences"]:
        for metric in METRICS:
            first, second = (values(arms[difference[side]], metric) for side in ("first", "second"))
            cells = {c: second[c] - first[c] for c in first.keys() & second.keys()}
            agrees(difference["metrics"][metric], by_task(cells))
    assert summary["simulated"] is False


def test_the_bill_is_what_the_server_sent(done: Done) -> None:
    with closing(sqlite3.connect(done.folder / "calls.sqlite")) as connection:
        rows = connection.execute(
            "SELECT role, count(*), sum(input_tokens) FROM ledger WHERE outcome = 'reply' GROUP BY 1"
        )
        stored = {role: (n, tokens) for role, n, tokens in rows}
    billed = {c["role"]: (c["calls"], c["input_tokens"]) for c in done.summary["costs"]}
    assert billed == stored
    assert sum(n for n, _ in billed.values()) == len(done.sent)
    assert all(c["cost_usd"] is None for c in done.summary["costs"])  # an unknown price is not 0


def test_unanswered_calls_have_no_score_and_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = True

    def plan(number: int, body: Mapping[str, Any]) -> Fault:
        return Fault("server_error") if broken else Fault()

    from specgen.lm import RetryPolicy, _gateway

    monkeypatch.setattr(_gateway, "RetryPolicy", lambda: RetryPolicy(max_attempts=1))
    with MockServer(plan, answer=answer) as server:
        chosen = config(server.url)
        data = chosen.model_dump(mode="json")
        data["data"]["limit"], data["generator"]["seeds"] = 12, ["zero-shot"]
        data["optimizer"]["max_metric_calls"] = 8
        # A server that is down for so many calls would end the run; here each call fails by itself.
        data["model"]["outage"]["failures"] = 10**6
        chosen = parse_config(data, "test")
        first = execute(chosen, tmp_path / "run", resume=False, as_json=True)
        seed = first["arms"][0]
        assert first["unanswered"] == seed["outcomes"]["no_output"] == first["tasks"]["test"] > 0
        assert {m["mean"] for m in seed["metrics"].values()} == {None}
        assert {a["status"] for a in first["arms"][1:]} == {"failed"}
        broken = False
        second = execute(chosen, tmp_path / "run", resume=True, as_json=True)
        unbroken = execute(chosen, tmp_path / "unbroken", resume=False, as_json=True)
    assert second["unanswered"] == 0
    assert {a["status"] for a in second["arms"]} == {"completed"}
    assert [second[k] for k in ("arms", "differences", "prompts")] == [
        unbroken[k] for k in ("arms", "differences", "prompts")
    ]
