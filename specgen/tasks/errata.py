"""Errata: upstream records that are wrong, set aside by data set and id with a reason; data is never edited silently.

`errata.toml` holds them. What an erratum does depends on its kind:

- `record`: the whole task is left out.
- `label`: the named labels are left out of the task's labels.
- `reference`: the reference contract is at fault. The task and its labels stay; the reference's checks on the named
  labels do not count against anybody, and `metadata["reference_fault"]` says so.
- `implementation`: the reference implementation is at fault: the task stays without it.
- `note`: worth knowing, changes nothing (no forbidden inputs for a precondition that is not trivial, say).

A label is named by its kind and its index in the task as loaded: `accepted[2]`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args

from specgen.errors import UserError
from specgen.tasks.model import Labels, Task

ErratumKind: TypeAlias = Literal["record", "label", "reference", "implementation", "note"]
LabelKind: TypeAlias = Literal["accepted", "rejected", "required", "forbidden"]
T = TypeVar("T")

_LABEL = re.compile(r"(accepted|rejected|required|forbidden)\[(\d+)\]")
_FIELDS = {"dataset", "id", "kind", "labels", "reason", "evidence"}


@dataclass(frozen=True, slots=True)
class Erratum:
    """One upstream defect: what it does, the labels it names, why it is the record that is wrong, what was seen."""

    dataset: str
    task_id: str
    kind: ErratumKind
    reason: str
    labels: tuple[tuple[LabelKind, int], ...] = ()
    evidence: str = ""

    def covers(self, kind: str, index: int) -> bool:
        """Tell whether this erratum explains that reference and label, or implementation and label, do not agree."""
        named = not self.labels or (kind, index) in self.labels
        return named and self.kind in ("reference", "label", "implementation")

    def line(self) -> str:
        """Return the erratum as one line."""
        named = ", ".join(f"{kind}[{at}]" for kind, at in self.labels)
        return f"{self.task_id} ({self.kind}{': ' + named if named else ''}): {self.reason}"


def parse_errata(text: str, where: str = "errata.toml") -> tuple[Erratum, ...]:
    """Read an errata file.

    Raises:
        UserError: not TOML, or an entry with a missing, unknown or malformed field.
    """
    try:
        entries: Any = tomllib.loads(text).get("erratum", [])
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{where} is not TOML ({error})", remedy="Mend the line it names") from None
    return tuple(_entry(entry, f"{where}, erratum {number}") for number, entry in enumerate(entries, start=1))


def _entry(entry: Any, where: str) -> Erratum:
    if not isinstance(entry, dict):
        raise UserError(f"{where} is not a table", remedy="Write [[erratum]]")
    unknown = sorted(set(entry) - _FIELDS)
    missing = sorted({"dataset", "id", "kind", "reason"} - set(entry))
    if unknown or missing:
        problem = f"has the unknown field {unknown[0]}" if unknown else f"lacks the field {missing[0]}"
        raise UserError(f"{where} {problem}", remedy=f"The fields are {', '.join(sorted(_FIELDS))}")
    if entry["kind"] not in get_args(ErratumKind):
        raise UserError(
            f"{where}: the kind {entry['kind']} is unknown", remedy=f"Write {', '.join(get_args(ErratumKind))}"
        )
    labels = []
    for text in entry.get("labels", []):
        found = _LABEL.fullmatch(str(text))
        if found is None:
            raise UserError(f"{where}: {text} does not name a label", remedy="Write for example accepted[0]")
        labels.append((cast(LabelKind, found.group(1)), int(found.group(2))))
    return Erratum(
        entry["dataset"], entry["id"], entry["kind"], entry["reason"], tuple(labels), entry.get("evidence", "")
    )


@lru_cache(maxsize=1)
def shipped_errata() -> tuple[Erratum, ...]:
    """Return the errata that ship with the package."""
    return parse_errata(files("specgen.tasks").joinpath("errata.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Applied:
    """Tasks after their errata, the tasks set aside, and how many labels were."""

    tasks: tuple[Task, ...]
    set_aside: tuple[Task, ...]
    labels_set_aside: int


def apply_errata(tasks: Iterable[Task], errata: Sequence[Erratum]) -> Applied:
    """Apply errata to the tasks they name (by id; errata of other tasks are passed over)."""
    kept, aside, lost = list[Task](), list[Task](), 0
    for task in tasks:
        mine = [e for e in errata if e.task_id == task.id]
        if any(e.kind == "record" for e in mine):
            aside.append(task)
            continue
        dropped = {label for e in mine if e.kind == "label" for label in e.labels}
        labels = _without(task.labels, dropped)
        lost += task.labels.size() - labels.size()
        task = task.with_labels(labels) if dropped else task
        if any(e.kind == "implementation" for e in mine):
            task = replace(task, implementation=None)
        fault = next((e.reason for e in mine if e.kind == "reference"), "")
        if fault:
            task = replace(task, metadata=MappingProxyType({**task.metadata, "reference_fault": fault}))
        kept.append(task)
    return Applied(tuple(kept), tuple(aside), lost)


def _without(labels: Labels, dropped: set[tuple[LabelKind, int]]) -> Labels:
    def keep(items: tuple[T, ...], kind: LabelKind) -> tuple[T, ...]:
        return tuple(item for at, item in enumerate(items) if (kind, at) not in dropped)

    return Labels(
        keep(labels.accepted, "accepted"),
        keep(labels.rejected, "rejected"),
        keep(labels.required, "required"),
        keep(labels.forbidden, "forbidden"),
    )
