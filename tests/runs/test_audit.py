"""The audits that the project stands on: our own starter set wholly, and real data where it is here."""

from __future__ import annotations

from pathlib import Path

from runs.commands.audit import audit_dataset, audit_json
from specgen.tasks import load_dataset


def test_the_starter_set_agrees_on_every_check() -> None:
    dataset = load_dataset("starter")
    result = audit_json(dataset, audit_dataset(dataset), 0.0)
    assert result["rows"] == []
    assert result["tasks"] == result["tasks_fully_agreeing"] >= 48
    assert result["checks"]["total"] == result["checks"]["agree"] > 2000
    assert result["implementations"]["total"] == result["implementations"]["agree"] == result["tasks"]


def test_verina_never_disagrees(shared_data: Path) -> None:
    dataset = load_dataset("verina", shared_data / "verina")
    result = audit_json(dataset, audit_dataset(dataset), 0.0)
    assert result["checks"]["disagree"] == 0
    assert result["implementations"]["disagree"] == 0
    assert result["tasks_fully_agreeing"] >= 110
