"""Records survive what may happen to a run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runs.manifest import differences, lock_run, open_manifest
from runs.store import RecordLog, read_json, write_json
from specgen.errors import UserError


def values(path: Path, kind: str = "scored") -> list[tuple[str, object]]:
    with RecordLog(path) as log:
        return [(r["key"], r.get("value")) for r in log.all(kind)]


def test_records_come_back(tmp_path: Path) -> None:
    with RecordLog(tmp_path / "records.jsonl") as log:
        log.add("scored", "a", value=1)
        log.add("rollout", "a", value=2)
        log.add("scored", "b", value=None, text="é \udc80")
    with RecordLog(tmp_path / "records.jsonl") as again:
        assert [r["key"] for r in again.all("scored")] == ["a", "b"]
        assert again.get("rollout", "a") == {"schema": 1, "kind": "rollout", "key": "a", "value": 2}
        assert again.get("scored", "c") is None


def test_the_first_record_of_a_key_counts(tmp_path: Path) -> None:
    with RecordLog(tmp_path / "records.jsonl") as log:
        log.add("scored", "a", value=1)
        assert log.add("scored", "a", value=2)["value"] == 1
    assert len((tmp_path / "records.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "records.jsonl"
    with RecordLog(path) as log:
        log.add("scored", "a", value=1)
        log.add("scored", "b", value=2)
    path.write_bytes(path.read_bytes()[:-cut])
    with RecordLog(path) as again:
        assert [r["key"] for r in again.all("scored")] == ["a"]
        again.add("scored", "b", value=3)
    assert values(path) == [("a", 1), ("b", 3)]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"kind": "scored", "key": "a"}\nnonsense\n')
    with pytest.raises(UserError, match="line 2"):
        RecordLog(path)


def test_a_full_disk_is_one_line_and_keeps_what_was_written(tmp_path: Path) -> None:
    log = RecordLog(tmp_path / "records.jsonl")
    log.add("scored", "a", value=1)

    class Full:
        def tell(self) -> int:
            return os.path.getsize(tmp_path / "records.jsonl")

        def write(self, data: bytes) -> int:
            with open(tmp_path / "records.jsonl", "ab") as f:
                f.write(data[:7])
            return 7

        def fileno(self) -> int:
            raise AssertionError("nothing to flush")

    log.close()
    log._file = Full()  # type: ignore[assignment]
    with pytest.raises(UserError, match="No space left") as caught:
        log.add("scored", "b", value=2)
    assert "\n" not in caught.value.one_line()
    assert values(tmp_path / "records.jsonl") == [("a", 1)]


def test_an_unwritable_folder_is_one_line(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(UserError):
        lock_run(blocked / "run")
    with pytest.raises(UserError):
        write_json(blocked / "run" / "summary.json", {})


def test_json_is_written_whole(tmp_path: Path) -> None:
    write_json(tmp_path / "a" / "b.json", {"x": 1})
    assert read_json(tmp_path / "a" / "b.json") == {"x": 1}
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["b.json"]


def test_two_processes_do_not_share_a_run(tmp_path: Path) -> None:
    first = lock_run(tmp_path)
    with pytest.raises(UserError, match="another process"):
        lock_run(tmp_path)
    first.close()
    lock_run(tmp_path).close()


def test_a_changed_configuration_is_refused_with_the_differences(tmp_path: Path) -> None:
    manifest: dict[str, object] = {
        "config": {"model": {"task": "a"}, "budget": {"max_calls": 1}},
        "versions": {"python": "3.11"},
        "seed": 0,
    }
    assert open_manifest(tmp_path, manifest, resume=False) is False
    with pytest.raises(UserError, match="already a run"):
        open_manifest(tmp_path, manifest, resume=False)
    assert open_manifest(tmp_path, manifest, resume=True) is True
    raised: dict[str, object] = {
        **manifest,
        "config": {"model": {"task": "a"}, "budget": {"max_calls": 9}},
        "versions": {},
    }
    assert open_manifest(tmp_path, raised, resume=True) is True
    assert read_json(tmp_path / "manifest.json") == {**manifest, "resumed_with": [{}]}
    assert open_manifest(tmp_path, raised, resume=True) is True
    assert read_json(tmp_path / "manifest.json")["resumed_with"] == [{}]
    changed: dict[str, object] = {**manifest, "config": {"model": {"task": "b"}, "budget": {}}, "seed": 1}
    with pytest.raises(UserError, match="config.model.task: a -> b; seed: 0 -> 1"):
        open_manifest(tmp_path, changed, resume=True)


@pytest.mark.parametrize("lost", ["manifest.json", "calls.sqlite"])
@pytest.mark.parametrize("resume", [True, False])
def test_records_of_an_unknown_run_are_not_taken_over(tmp_path: Path, lost: str, resume: bool) -> None:
    for name in {"manifest.json", "calls.sqlite"} - {lost}:
        (tmp_path / name).write_text("{}")
    (tmp_path / "records.jsonl").write_text('{"kind": "scored", "key": "a"}\n')
    with pytest.raises(UserError, match=f"{lost} is gone"):
        open_manifest(tmp_path, {"config": {}, "versions": {}}, resume)


def test_a_manifest_of_another_kind_is_named(tmp_path: Path) -> None:
    for text in ("[]", '{"config": []}', "{"):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(UserError):
            open_manifest(tmp_path, {"config": {}, "versions": {}}, resume=True)


def test_a_record_may_stand_in_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with RecordLog(path) as log:
        log.supersede("scored", "a", value=1)
        log.add("scored", "b", value=2)
        log.supersede("scored", "a", value=3)
        log.supersede("scored", "a", value=4)
        assert [r["value"] for r in log.all("scored")] == [2, 4]
    with RecordLog(path) as again:
        assert [r["value"] for r in again.all("scored")] == [2, 4]
        assert again.latest("scored", "a") == again.get("scored", "a#3")
        assert again.latest("scored", "c") is None


def test_differences_name_paths() -> None:
    assert differences({"a": [1], "b": 2}, {"a": [1, 2], "c": 3}) == [
        "a: [1] -> [1, 2]",
        "b: 2 -> absent",
        "c: absent -> 3",
    ]
