"""Data sets by name, and the errata."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import specgen.tasks as surface
from specgen.errors import EnvironmentMissingError, ExitCode, UserError
from specgen.tasks import Dataset, load_dataset, write_tasks
from specgen.tasks.errata import Erratum, apply_errata, parse_errata, shipped_errata
from specgen.tasks.registry import dataset_names
from tests.tasks.examples import clamp
from tests.tasks.shared_data import DATA, shared

ENTRY = '[[erratum]]\ndataset = "own"\nid = "own_clamp"\nkind = "label"\nlabels = ["rejected[1]"]\nreason = "why"\n'


def test_names() -> None:
    assert dataset_names() == ("starter", "clever", "verina", "vericoding", "algoveri")
    starter = load_dataset("starter")
    assert len(starter.tasks) >= 48
    assert starter.summary() == f"{len(starter.tasks)} tasks of starter"


def test_unknown_names_and_paths(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        load_dataset("verna")
    assert "Did you mean verina?" in caught.value.one_line()
    with pytest.raises(UserError, match="no data set named foo"):
        load_dataset("foo")
    (tmp_path / "verina").mkdir()
    with pytest.raises(UserError) as caught:
        load_dataset("verina", tmp_path / "verinas")
    assert "Did you mean" in caught.value.one_line()
    with pytest.raises(UserError, match="has no path"):
        load_dataset("starter", tmp_path)
    with pytest.raises(UserError, match="no task file"):
        load_dataset("missing.jsonl")


@pytest.mark.parametrize("name", ["vericoding", "algoveri"])
def test_not_installed(name: str) -> None:
    with pytest.raises(EnvironmentMissingError) as caught:
        load_dataset(name)
    assert caught.value.exit_code == ExitCode.MISSING_ENVIRONMENT
    assert "--path" in caught.value.remedy


def test_task_by_id() -> None:
    data = load_dataset("verina", DATA / "verina")
    assert data.task("verina_basic_900").signature.name == "dearest"
    with pytest.raises(UserError) as caught:
        data.task("verina_basic_90")
    assert "verina_basic_900" in caught.value.one_line()


def test_own_file(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_tasks([clamp()], path)
    assert load_dataset(str(path)).tasks == load_dataset("tasks.jsonl", tmp_path).tasks == (clamp(),)


# -------------------------------------------------------------------------------------------------------------- errata


def test_shipped_errata_name_what_is_there() -> None:
    entries = shipped_errata()
    assert {e.dataset for e in entries} == {"clever", "verina"}
    raw = {t.id: t for t in load_dataset("clever", errata=False).tasks}
    for entry in entries:
        if entry.dataset == "clever":
            task = raw[entry.task_id]
            for kind, index in entry.labels:
                assert index < len(getattr(task.labels, kind)), entry.line()


def test_errata_of_clever() -> None:
    raw, data = load_dataset("clever", errata=False), load_dataset("clever")
    assert len(raw.tasks) == len(data.tasks) == 161
    assert data.labels_set_aside == 7
    assert raw.labels_set_aside == 0
    assert "7 labels set aside by the errata" in data.summary()
    assert data.task("clever_138").metadata["reference_fault"]
    assert data.task("clever_108").implementation is None
    assert raw.task("clever_108").implementation is not None
    assert raw.excused("clever_138", "accepted", 0) is not None
    assert raw.excused("clever_138", "accepted", 2) is None
    assert raw.excused("clever_46", "accepted", 0) is None
    # Guards around the whole specification that refuse the record's own test lines.
    assert raw.excused("clever_45", "required", 0) is not None
    assert raw.excused("clever_78", "required", 0) is None
    # The median of six numbers that HumanEval's docstring has wrong is not a label any more.
    assert [p.output for p in data.task("clever_47").labels.accepted] == ["3"]


def test_errata_of_verina() -> None:
    raw = load_dataset("verina", shared("verina"), errata=False)
    data = load_dataset("verina", shared("verina"))
    assert len(raw.tasks) == len(data.tasks)
    assert data.labels_set_aside == 7
    for entry in data.errata:
        if entry.kind == "label":
            # Every one of them is a pair that stands there twice.
            for kind, index in entry.labels:
                assert getattr(raw.task(entry.task_id).labels, kind)[index] in getattr(
                    data.task(entry.task_id).labels, kind
                )


def test_applying() -> None:
    (label,) = parse_errata(ENTRY)
    assert label == Erratum("own", "own_clamp", "label", "why", (("rejected", 1),))
    assert label.line() == "own_clamp (label: rejected[1]): why"
    applied = apply_errata([clamp(), clamp("own_other")], [label])
    assert applied.labels_set_aside == 1
    assert applied.tasks[0].labels.rejected == clamp().labels.rejected[:1] + clamp().labels.rejected[2:]
    assert applied.tasks[1] == clamp("own_other")
    record = Erratum("own", "own_other", "record", "gone")
    assert [t.id for t in apply_errata(applied.tasks, [record]).set_aside] == ["own_other"]
    note = Erratum("own", "own_clamp", "note", "well")
    assert apply_errata([clamp()], [note]).tasks == (clamp(),)
    assert not note.covers("accepted", 0)


def test_excused_counts_labels_as_they_stand() -> None:
    errata = (
        Erratum("own", "own_clamp", "label", "twice", (("accepted", 0), ("accepted", 2))),
        Erratum("own", "own_clamp", "reference", "wrong", (("accepted", 3),)),
    )
    raw = Dataset("own", (clamp(),), errata=errata)
    applied = Dataset("own", apply_errata([clamp()], errata).tasks, errata=errata, errata_applied=True)
    assert [raw.excused("own_clamp", "accepted", n) is not None for n in range(4)] == [True, False, True, True]
    assert len(applied.tasks[0].labels.accepted) == 2
    assert [applied.excused("own_clamp", "accepted", n) is not None for n in range(2)] == [False, True]
    assert applied.excused("own_clamp", "rejected", 3) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[erratum]\n", "is not TOML"),
        (ENTRY.replace("reason", "reson"), "unknown field reson"),
        (ENTRY.replace('reason = "why"\n', ""), "lacks the field reason"),
        (ENTRY.replace('"label"', '"lable"'), "kind lable is unknown"),
        (ENTRY.replace("rejected[1]", "rejected 1"), "does not name a label"),
    ],
)
def test_broken_errata(text: str, named: str) -> None:
    with pytest.raises(UserError, match=named):
        parse_errata(text)


# ------------------------------------------------------------------------------------------------------------- surface


def test_public_surface() -> None:
    assert len(surface.__all__) <= 25
    assert all(getattr(surface, name) is not None for name in surface.__all__)
    with pytest.raises(AttributeError):
        surface.nothing  # noqa: B018


def test_import_is_lazy() -> None:
    code = "import sys, specgen.tasks; print(*[m for m in sys.modules if m.startswith(('specgen.tasks.', 'yaml'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
