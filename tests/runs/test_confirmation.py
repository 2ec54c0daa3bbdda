"""A run of a real model is estimated and confirmed; a dry run makes no call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runs.commands.experiment import Overrides, execute, run_config, show_plan
from runs.config import ExperimentConfig, parse_config
from specgen.errors import UserError
from specgen.lm.mock_server import MockServer

TEXT = """
[experiment]
name = "asked"
[data]
limit = 12
train = 0.3
validation = 0.3
test = 0.4
[model]
task = "openai/writer"
reflection = "openai/reflector"
[generator]
seeds = ["zero-shot"]
[optimizer]
max_metric_calls = 8
[evaluation]
isolate = false
"""


def config(url: str = "") -> ExperimentConfig:
    import tomllib

    data: dict[str, Any] = tomllib.loads(TEXT)
    data["model"]["api_base"] = url
    return parse_config(data, "test")


def test_without_a_terminal_the_run_needs_yes_and_pays_for_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    path = tmp_path / "c.toml"
    path.write_text(TEXT)
    with MockServer(answer=lambda body: "def nothing := 1") as server:
        overrides = Overrides(api_base=server.url)
        with pytest.raises(UserError, match="needs a confirmation"):
            run_config(path, tmp_path / "run", False, overrides, True)
        shown = capsys.readouterr().err
        assert "at most" in shown and "by 2 measured calls" in shown and "cost unknown" in shown
        assert len(server.requests) == 2
        run_config(path, tmp_path / "run", True, overrides, True, yes=True)
        paid = [json.dumps(r.body["messages"]) for r in server.requests if r.body["model"] == "writer"]
    assert len(paid) > 2
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["arms"]


def test_simulated_models_need_no_confirmation(tmp_path: Path) -> None:
    given = config()
    data = given.model_dump(mode="json")
    data["model"] |= {"task": "sim/writer", "reflection": "sim/reflector"}
    assert execute(parse_config(data, "t"), tmp_path / "run", False, True, yes=False)["arms"]


def test_a_dry_run_prints_plan_and_estimate_and_makes_no_call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with MockServer() as server:
        show_plan(config(server.url), as_json=True)
        assert server.requests == []
    shown = json.loads(capsys.readouterr().out)
    assert set(shown["splits"]) == {"train", "validation", "test"}
    assert shown["arms"] == ["seed", "verifier", "verifier+adequacy"]
    assert shown["estimate"]["calls"] >= 16 and shown["minimum_detectable_difference"] > 0
    show_plan(config(), as_json=False)
    assert "smallest mean difference" in capsys.readouterr().out
