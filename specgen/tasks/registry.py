"""The data sets by name: one way to load any of them, errata applied, everything that was left out counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from specgen.errors import EnvironmentMissingError, UserError
from specgen.tasks._loading import Loaded, OnBroken, Skipped
from specgen.tasks.errata import Erratum, apply_errata, shipped_errata
from specgen.tasks.model import Task


@dataclass(frozen=True, slots=True)
class SetAside:
    """A task that the errata set aside, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A loaded data set.

    `tasks` are those to work with, in the data set's order. `set_aside` are the tasks that errata leave out,
    `labels_set_aside` counts single labels left out, `errata` are all entries that speak of a loaded task, applied or
    not as `errata_applied` says; `skipped` are records that could not be read. `source` says where the data was read.
    """

    name: str
    tasks: tuple[Task, ...]
    set_aside: tuple[SetAside, ...] = ()
    labels_set_aside: int = 0
    errata: tuple[Erratum, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    source: str = ""
    errata_applied: bool = False

    def task(self, task_id: str) -> Task:
        """Return a task by id; `UserError` with the nearest id when there is none."""
        found = next((t for t in self.tasks if t.id == task_id), None)
        if found is None:
            aside = next((s for s in self.set_aside if s.id == task_id), None)
            if aside is not None:
                raise UserError(f"the errata set the task {task_id} of {self.name} aside: {aside.reason}")
            near = get_close_matches(task_id, [t.id for t in self.tasks], n=1)
            remedy = f"Did you mean {near[0]!r}?" if near else "List the ids with `specgen tasks list`"
            raise UserError(f"{self.name} has no task {task_id!r}", remedy=remedy)
        return found

    def excused(self, task_id: str, kind: str, index: int) -> Erratum | None:
        """Return the erratum that explains a reference failing on a label (its kind, and its index in `tasks`)."""
        mine = [e for e in self.errata if e.task_id == task_id]
        if self.errata_applied:
            gone = {at for e in mine if e.kind == "label" for label, at in e.labels if label == kind}
            # Errata name a label by its index upstream: step over those that were left out before it.
            for at in sorted(gone):
                index += at <= index
        return next((e for e in mine if e.covers(kind, index)), None)

    def summary(self) -> str:
        """Return the counts in one line."""
        parts = [f"{len(self.tasks)} tasks of {self.name}"]
        if self.set_aside:
            parts.append(f"{len(self.set_aside)} set aside by the errata")
        if self.labels_set_aside:
            parts.append(f"{self.labels_set_aside} labels set aside by the errata")
        if self.skipped:
            parts.append(f"{len(self.skipped)} records skipped")
        return ", ".join(parts)


Loader = Callable[[Path | None, OnBroken], Loaded]


def _starter(path: Path | None, on_broken: OnBroken) -> Loaded:
    from specgen.tasks.starter import load_starter

    if path is not None:
        raise UserError("the starter set is part of specgen and has no path", remedy="Leave --path out")
    return Loaded(load_starter(), (), "specgen.tasks.starter")


def _clever(path: Path | None, on_broken: OnBroken) -> Loaded:
    from specgen.tasks.clever import load_clever

    return load_clever(_existing(path, "clever"), on_broken=on_broken)


def _verina(path: Path | None, on_broken: OnBroken) -> Loaded:
    from specgen.tasks.verina import load_verina

    return load_verina(_existing(path, "verina"), on_broken=on_broken)


def _vericoding(path: Path | None, on_broken: OnBroken) -> Loaded:
    from specgen.tasks.vericoding import load_vericoding

    place = "https://github.com/Beneficial-AI-Foundation/vericoding-benchmark"
    return load_vericoding(_required(path, "vericoding", place, "its Lean JSONL file"), on_broken=on_broken)


def _algoveri(path: Path | None, on_broken: OnBroken) -> Loaded:
    from specgen.tasks.algoveri import load_algoveri

    place = "https://github.com/haoyuzhao123/algoveri"
    return load_algoveri(_required(path, "algoveri", place, "its folder of tasks"), on_broken=on_broken)


_LOADERS: Mapping[str, Loader] = {
    "starter": _starter,
    "clever": _clever,
    "verina": _verina,
    "vericoding": _vericoding,
    "algoveri": _algoveri,
}


def dataset_names() -> tuple[str, ...]:
    """Return the names that `load_dataset` knows (a JSONL file of our own format goes by its path)."""
    return tuple(_LOADERS)


def load_dataset(
    name: str, path: Path | str | None = None, *, errata: bool = True, on_broken: OnBroken = "raise"
) -> Dataset:
    """Load a data set.

    Args:
        name: one of `dataset_names()`, or the path of a JSONL file (`.jsonl`, `.jsonl.gz`) of our own format.
        path: where the data is; None takes what is installed (starter, clever) or the Hugging Face hub (verina).
        errata: False loads every record and label as upstream has them (an audit does); `Dataset.errata` is there
            either way.
        on_broken: `raise` at the first broken record, or `skip` it and count it.

    Raises:
        UserError: an unknown name, a path that does not exist or holds no such data, a broken record.
        EnvironmentMissingError: the data set is not installed and no path is given.
    """
    given = Path(path) if path is not None else None
    if name in _LOADERS:
        loaded = _LOADERS[name](given, on_broken)
    elif name.endswith((".jsonl", ".jsonl.gz")):
        from specgen.tasks.jsonl import load_jsonl

        loaded = load_jsonl(given / name if given is not None else Path(name), on_broken=on_broken)
    else:
        near = get_close_matches(name, _LOADERS, n=1)
        known = f"The data sets are {', '.join(_LOADERS)}, or a FILE.jsonl"
        raise UserError(
            f"there is no data set named {name}", remedy=f"Did you mean {near[0]}? {known}" if near else known
        )
    return _finished(name, loaded, errata)


def _finished(name: str, loaded: Loaded, errata: bool) -> Dataset:
    # A file of our own format may hold tasks of any data set: provenance says which errata speak of them.
    sets = {task.id: task.provenance.dataset for task in loaded.tasks}
    mine = tuple(e for e in shipped_errata() if sets.get(e.task_id) == e.dataset)
    if not errata:
        return Dataset(name, loaded.tasks, errata=mine, skipped=loaded.skipped, source=loaded.source)
    applied = apply_errata(loaded.tasks, mine)
    reasons = {e.task_id: e.reason for e in mine if e.kind == "record"}
    aside = tuple(SetAside(task.id, reasons[task.id]) for task in applied.set_aside)
    return Dataset(name, applied.tasks, aside, applied.labels_set_aside, mine, loaded.skipped, loaded.source, True)


def _existing(path: Path | None, name: str) -> Path | None:
    if path is not None and not path.exists():
        near = (
            get_close_matches(path.name, [p.name for p in path.parent.glob("*")], n=1) if path.parent.is_dir() else []
        )
        raise UserError(
            f"there is no {name} data at {path}",
            remedy=f"Did you mean {path.parent / near[0]}?" if near else "Check the path",
        )
    return path


def _required(path: Path | None, name: str, place: str, what: str) -> Path:
    found = _existing(path, name)
    if found is None:
        raise EnvironmentMissingError(
            f"the data set {name} is not installed", remedy=f"Get it from {place} and give {what} with --path"
        )
    return found
