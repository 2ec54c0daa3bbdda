"""Candidates: what one call of one generator configuration returned for one task, raw text kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

FIELD_NAMES = ("imports", "precond_aux", "precond", "postcond_aux", "postcond")
"""The structured fields of a pre/post candidate, in order."""

FailureKind: TypeAlias = Literal["", "call_failed", "no_reply", "empty", "unparsable", "exhausted"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reply of one generator.

    Attributes:
        task_id, generator, sample: what was asked.
        text: the raw reply, unchanged.
        fields: the structured fields, when the generator asks for them and the reply has them (see `FIELD_NAMES`).
        failure: why there is no usable reply (empty when there is): a call that failed on its way, which says nothing
            of the model; a reply that was withheld; an empty text; a format that cannot be read; calls or
            steps that ran out without an acceptable result.
        message: one line about the failure.
        prompt_hash: SHA-256 of the rendered prompt.
        model, simulated, input_tokens, output_tokens, cost_usd, latency_s, attempts, calls: the model call, or all the
        calls that were made for this candidate; an unknown price is None.
        lean: the part of the reply that is the specification, where the generator's format marks it (else empty: `text`
        counts).
        notes: what was cleaned or repaired on the way, in words.
    """

    task_id: str
    generator: str
    text: str
    sample: int = 0
    fields: Mapping[str, str] | None = None
    failure: FailureKind = ""
    message: str = ""
    prompt_hash: str = ""
    model: str = ""
    simulated: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    latency_s: float = 0.0
    attempts: int = 0
    calls: int = 1
    lean: str = ""
    notes: tuple[str, ...] = field(default=())

    def as_record(self) -> dict[str, Any]:
        """Return plain JSON data."""
        record = {k: getattr(self, k) for k in self.__slots__}
        record["fields"] = None if self.fields is None else dict(self.fields)
        record["notes"] = list(self.notes)
        return record

    def fingerprint(self) -> str:
        """Return the SHA-256 (hex) of what was generated: text, fields and failure."""
        content = [self.task_id, self.generator, self.text, dict(self.fields or {}), self.failure]
        if self.lean:
            content.append(self.lean)
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def candidate_from_record(record: Mapping[str, Any]) -> Candidate:
    """Read a candidate back from `as_record`."""
    data = dict(record)
    if data.get("fields") is not None:
        data["fields"] = MappingProxyType(dict(data["fields"]))
    data["notes"] = tuple(data.get("notes", ()))
    return Candidate(**data)


__all__ = ["FIELD_NAMES", "Candidate", "FailureKind", "candidate_from_record"]
