"""`specgen lm`, the gateway of a configuration, and the confirmation before a run."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from typing import Any, get_args

import pytest

from runs.config import parse_config
from runs.gateway import confirm, estimate_lines, experiment_calls, experiment_estimate, limits, open_gateway, prices
from specgen.errors import BudgetReachedError, UserError
from specgen.lm import FailureKind, Gateway, MeasuredCalls, ModelReply, ModelRequest, Price, RetryPolicy, RetryRule
from specgen.lm._mock_plan import read_plan
from specgen.lm._report import find_store, read_report
from specgen.lm._retry import RETRY_RULES
from specgen.lm.mock_server import Fault, FaultKind, MockServer

MODEL = "openai/our-model"


def specgen(*arguments: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI")}
    command = [sys.executable, "-m", "runs.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=120, check=False)


def test_ping_tells_latency_tokens_and_cost() -> None:
    with MockServer(latency_s=0.05) as server:
        done = specgen("lm", "ping", "openai/gpt-4o-mini", "--api-base", server.url, "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["latency_s"] >= 0.05
        assert (found["input_tokens"], found["output_tokens"]) == server.tokens
        assert found["cost_usd"] > 0
        assert server.request_count == 1
        shown = specgen("lm", "ping", MODEL, "--api-base", server.url).stdout
        assert "price unknown" in shown
        assert len(shown.splitlines()) == 1


@pytest.mark.parametrize("fault", ["server_error", "wrong_key", "quota", "not_found", "malformed", "refusal"])
def test_a_ping_that_fails_is_one_line_with_a_remedy_and_exit_3(fault: FaultKind) -> None:
    with MockServer(lambda _n, _b: Fault(fault)) as server:
        done = specgen("lm", "ping", MODEL, "--api-base", server.url)
    assert done.returncode == 3
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "openai/our-model" in done.stderr
    assert done.stderr.count(". ") >= 1  # the remedy


def test_ping_without_a_key_or_with_a_name_that_is_none() -> None:
    missing = specgen("lm", "ping", "openai/gpt-4o-mini")
    assert (missing.returncode, "OPENAI_API_KEY" in missing.stderr) == (3, True)
    assert specgen("lm", "ping", "sim/writr").returncode == 2


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with MockServer([Fault("server_error"), Fault(), Fault("refusal")]) as server:  # noqa: SIM117
        with Gateway(tmp_path / "calls.sqlite", api_base=server.url, retry=RetryPolicy(first_wait_s=0.01)) as gate:
            gate.complete(ModelRequest.of("openai/gpt-4o-mini", "a", split="train"))
            gate.complete(ModelRequest.of("openai/gpt-4o-mini", "b", split="train", role="reflection"))
            gate.complete(ModelRequest.of(MODEL, "c", split="test"))
            gate.complete(ModelRequest.of(MODEL, "c", split="test"))
            gate._core.store.record_sent(role="task", model=MODEL, key="lost")
    return tmp_path


def test_the_ledger_of_a_run_by_role_model_and_split(store: Path) -> None:
    report = read_report(find_store(store))
    rows = {(r.role, r.model, r.split): r.line for r in report.rows}
    first = rows["task", "openai/gpt-4o-mini", "train"]
    assert (first.calls, first.retries, first.failed_calls) == (1, 1, 0)
    assert first.cost_usd is not None
    assert rows["reflection", "openai/gpt-4o-mini", "train"].failed_calls == 1
    test = rows["task", MODEL, "test"]
    assert (test.calls, test.cached_calls, test.cost_usd) == (1, 1, None)
    assert rows["task", MODEL, None].interrupted_requests == 1
    assert report.failures == {"refusal": 1}
    assert report.total.requests == 5
    assert report.total.cost_usd is None

    found = json.loads(specgen("lm", "ledger", str(store), "--json").stdout)
    assert found["schema"] == 1
    assert found["total"]["cost_usd"] is None
    assert found["total"]["known_cost_usd"] > 0
    shown = specgen("lm", "ledger", str(store)).stdout
    assert "unknown" in shown
    assert "calls without a known price: 1;" in shown
    assert "failed: 1 refusal" in shown


def test_a_ledger_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no ledger"):
        find_store(tmp_path)
    (tmp_path / "calls.sqlite").write_text("something else, and long enough to be taken for it" * 40)
    with pytest.raises(UserError, match="holds no ledger"):
        read_report(find_store(tmp_path))


def test_the_mock_server_serves_the_simulated_writer_with_faults_by_plan(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[fault]]\nkind = "server_error"\nat = 0\n')
    command = [sys.executable, "-m", "runs.cli", "lm", "mock-server", "--plan", str(plan), "--dataset", "starter"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}/models") as response:
            assert json.load(response)["data"]
        from specgen.tasks import load_dataset

        task = load_dataset("starter").tasks[0]
        prompt = f"Specify `{task.signature.name}`: {task.requirement}"
        with Gateway(api_base=url, retry=RetryPolicy(first_wait_s=0.01)) as gate:
            replies = [gate.complete(ModelRequest.of("openai/any", prompt, sample=n)) for n in range(6)]
        assert all(isinstance(r, ModelReply) and task.signature.name in r.text for r in replies)
        assert replies[0].attempts == 2
        # Samples of one prompt are further draws.
        assert len({r.text for r in replies if isinstance(r, ModelReply)}) > 1
    finally:
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "6 ok, 1 server_error" in said


# The gateway of a configuration


def config(**model: Any) -> Any:
    data = {"model": {"task": MODEL, "reflection": MODEL, **model}, "generator": {"seeds": ["zero-shot"]}}
    return parse_config(data, "test")


def test_a_price_in_the_configuration_makes_a_dollar_cap_work() -> None:
    prices = {MODEL: {"input": 1e6, "output": 1e6}}
    with MockServer() as server:
        chosen = config(api_base=server.url, prices=prices)
        chosen = chosen.model_copy(update={"budget": chosen.budget.model_copy(update={"max_usd": 4.0})})
        with open_gateway(chosen) as gate:
            gate.complete(ModelRequest.of(MODEL, "one two"))
            assert gate.ledger().total.cost_usd == pytest.approx(5.0)
            with pytest.raises(BudgetReachedError):
                gate.complete(ModelRequest.of(MODEL, "three"))


def test_limits_outage_and_time_come_from_the_configuration() -> None:
    chosen = config(limits={"openai/": {"requests_per_minute": 7}}, outage={"failures": 3}, on_length="continue")
    chosen = chosen.model_copy(update={"budget": chosen.budget.model_copy(update={"max_minutes": 1.5})})
    with open_gateway(chosen) as gate:
        policies = gate._core.policies
        assert policies.limits["openai/"].requests_per_minute == 7
        assert (policies.outage.failures, policies.deadline_s) == (3, 90.0)
        assert gate._chat._on_length == "continue"


@pytest.mark.parametrize(
    ("model", "key"),
    [
        ({"limits": {"openai/": {"requests_per_minute": 0}}}, "model.limits.openai/.requests_per_minute"),
        ({"prices": {MODEL: {"input": 1.0}}}, "model.prices.openai/our-model.output"),
        ({"on_length": "retry"}, "model.on_length"),
        ({"outage": {"pauses": 1}}, "model.outage.pauses"),
    ],
)
def test_mistakes_in_these_tables_name_the_key(model: dict[str, Any], key: str) -> None:
    with pytest.raises(UserError, match=key):
        config(**model)


def test_an_experiment_is_estimated_and_confirmed() -> None:
    chosen = config(prices={MODEL: {"input": 1.0, "output": 1.0}}, concurrency=4)
    planned = experiment_calls(chosen, test_tasks=10, rewards=2)
    assert [(p.role, p.calls) for p in planned] == [("task", 2 * 120 + 3 * 10), ("reflection", 80)]
    known = {(p.role, MODEL): MeasuredCalls(calls=2, input_tokens=100, output_tokens=100, latency_s=1) for p in planned}
    with (
        MockServer() as server,
        open_gateway(config(api_base=server.url, prices={MODEL: {"input": 1.0, "output": 1.0}})) as gate,
    ):
        found = experiment_estimate(chosen, gate, planned, known)
    assert found.cost_usd == pytest.approx(350 * 200 / 1e6)
    assert "350 calls" in estimate_lines(found)[0]
    shown: list[str] = []
    confirm(found, yes=True, show=shown.append)
    confirm(found, yes=False, ask=lambda _: True, show=shown.append)
    with pytest.raises(UserError, match="not begun"):
        confirm(found, yes=False, ask=lambda _: False, show=shown.append)
    assert len(shown) == 9


def test_nobody_to_ask_is_no_confirmation_and_simulated_models_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = experiment_calls(config(), test_tasks=10, rewards=1)
    with MockServer() as server, open_gateway(config(api_base=server.url)) as gate:
        found = experiment_estimate(config(), gate, unknown, {})
    assert "cost unknown" in estimate_lines(found)[0]
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    with pytest.raises(UserError, match="confirmation") as caught:
        confirm(found, yes=False, show=lambda _: None)
    assert "--yes" in caught.value.remedy
    simulated = parse_config({}, "test")
    with open_gateway(simulated) as gate:
        confirm(experiment_estimate(simulated, gate, experiment_calls(simulated, 10, 2), {}), yes=False)


# The documentation

DOCS = Path(__file__).resolve().parents[2] / "docs" / "gateway.md"


def indented_blocks() -> list[str]:
    """Return the indented blocks of the documentation."""
    blocks: list[list[str]] = [[]]
    for line in DOCS.read_text(encoding="utf-8").split("\n"):
        if line.startswith("    "):
            blocks[-1].append(line[4:])
        elif blocks[-1]:
            blocks.append([])
    return ["\n".join(block) for block in blocks if block]


def test_the_documented_configuration_and_plan_are_right(tmp_path: Path) -> None:
    (toml,) = [b for b in indented_blocks() if b.startswith("[model]")]
    chosen = parse_config(tomllib.loads(toml), "docs")
    assert prices(chosen)["openai/our-model"] == Price(0.2, 0.8, None, 0.5)
    assert limits(chosen)["openai/"].tokens_per_minute == 200_000
    (plan,) = [b for b in indented_blocks() if "[[fault]]" in b]
    (tmp_path / "plan.toml").write_text(plan)
    assert read_plan(tmp_path / "plan.toml")(3, {}) == Fault("rate_limit", retry_after_s=1)
    assert all(kind in plan for kind in get_args(FaultKind))


def test_the_documented_retries_are_those_in_force() -> None:
    rows = [line.split("|")[1:-1] for line in DOCS.read_text(encoding="utf-8").split("\n") if line.startswith("| `")]
    found = {}
    for cells in rows:
        if cells[1].strip() == "yes":
            waits = re.findall(r"([\d.]+) s", cells[3])
            found[cells[0].split("`")[1]] = RetryRule(int(cells[2]), float(waits[0]), float(waits[1]))
    assert found == dict(RETRY_RULES)
    once = {name for cells in rows if cells[1].strip().startswith("no") for name in re.findall(r"`(\w+)`", cells[0])}
    assert (once - {"insufficient_quota"}) | set(found) == set(get_args(FailureKind))
