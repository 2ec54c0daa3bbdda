"""Reading the judge's replies. What cannot be read is said to be so: it is never guessed, and never a verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

from evaluators.judge.sugeno import Verdict
from specgen.lm import one_line

ItemKind: TypeAlias = Literal["condition", "conclusion"]

MAX_REPLY = 200_000
"""Characters of a reply that are looked at."""

MAX_STARTS = 2_000
"""Places of a reply at which reading JSON is tried."""

MAX_READ_IN_VAIN = 4
"""How often a reply's length may be read for JSON that then turns out to be none: brackets that are never closed would
make every one of them read to the end.
"""

_UNSENDABLE = re.compile(r"[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f]")
_START = re.compile(r"[\[{]")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_LABELS: Mapping[str, Verdict] = MappingProxyType(
    {
        "a": "A",
        "b": "B",
        "c": "C",
        "match": "A",
        "minor inconsistency": "B",
        "major inconsistency": "C",
        "a match": "A",
        "b minor inconsistency": "B",
        "c major inconsistency": "C",
        "b minor": "B",
        "c major": "C",
    }
)


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a requirement: a condition, or the conclusion."""

    kind: ItemKind
    text: str


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Items of a requirement; none when the reply could not be read, and `problem` says why."""

    items: tuple[Item, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """The verdict on one item, None when the reply has none that can be read; `reason` is the judge's, or ours."""

    verdict: Verdict | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """The verdicts on all items, in order, and remarks on the reply."""

    verdicts: tuple[ItemVerdict, ...]
    notes: tuple[str, ...] = field(default=())


def printable(text: str) -> str:
    """Return a text that can be sent and stored: lone surrogates and control characters become U+FFFD."""
    return _UNSENDABLE.sub("\ufffd", text.replace("\r\n", "\n"))


def _line(text: str, limit: int) -> str:
    return one_line(printable(text), limit)


def json_values(text: str) -> Iterator[Any]:
    """Yield the JSON objects and lists that stand in a text, outermost ones, whatever is around them."""
    decoder = json.JSONDecoder()
    text = _THOUGHT.sub("", text[:MAX_REPLY])
    at = read_in_vain = 0
    for _ in range(MAX_STARTS):
        found = _START.search(text, at)
        if found is None or read_in_vain > MAX_READ_IN_VAIN * (len(text) + 1000):
            return
        start = found.start()
        try:
            value, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            at, read_in_vain = start + 1, read_in_vain + error.pos - start
            continue
        except RecursionError:
            at, read_in_vain = start + 1, read_in_vain + len(text) - start
            continue
        yield value


def read_decomposition(text: str, truncated: bool = False) -> Decomposition:
    """Read the first call's reply: the last JSON list of items in it. Never raises."""
    problem = ""
    best: tuple[Item, ...] = ()
    for value in json_values(text):
        read = _items(value)
        if isinstance(read, tuple):
            best = read
        elif read:
            problem = read
    if best:
        return Decomposition(best)
    cut = "the reply was cut off at the token limit; " if truncated else ""
    return Decomposition(problem=f"{cut}{problem or 'no JSON list of items'} in: {_line(text, 120)}")


def _items(value: Any) -> tuple[Item, ...] | str:
    """Return the items of a JSON value, or what is wrong with it."""
    if isinstance(value, dict):
        value = _flattened(value)
    if not isinstance(value, list):
        return "no JSON list of items"
    if not value:
        return "the list of items is empty"
    if all(isinstance(v, str) for v in value):  # kinds left out: the conclusion was to be the last
        last = len(value) - 1
        value = [{"kind": "conclusion" if n == last else "condition", "text": v} for n, v in enumerate(value)]
    items = []
    for number, entry in enumerate(value, 1):
        kind = str(entry.get("kind", "")).strip().lower() if isinstance(entry, dict) else ""
        text = entry.get("text") if isinstance(entry, dict) else None
        if kind not in ("condition", "conclusion"):
            return f"item {number} is neither a condition nor a conclusion"
        if not isinstance(text, str) or not text.strip():
            return f"item {number} has no text"
        items.append(Item(cast(ItemKind, kind), _line(text, 2_000)))
    if not any(i.kind == "conclusion" for i in items):
        return "there is no conclusion"
    return tuple(items)


def _flattened(value: Mapping[str, Any]) -> Any:
    """Return the list in an object: `{"items": […]}`, or `{"conditions": […], "conclusion": …}`."""
    if isinstance(value.get("items"), list):
        return value["items"]
    conditions, conclusion = value.get("conditions"), value.get("conclusion")
    if not isinstance(conditions, list) or conclusion is None:
        return None
    texts = [c.get("text") if isinstance(c, dict) else c for c in conditions]
    last = conclusion.get("text") if isinstance(conclusion, dict) else conclusion
    return [*({"kind": "condition", "text": t} for t in texts), {"kind": "conclusion", "text": last}]


def read_review(text: str, token: str, count: int, truncated: bool = False) -> Review:
    """Read the second call's reply: verdicts by the ids 1 to `count`, in an object that repeats the token.

    An object without the token is not the judge's answer: it may be a quotation of the contract. Where an item has no
    verdict, or several that differ, its verdict is None. Never raises.
    """
    found: dict[int, list[ItemVerdict]] = {n: [] for n in range(1, count + 1)}
    notes: list[str] = []
    answers = 0
    foreign = 0
    for value in json_values(text):
        listed = _verdict_list(value)
        if listed is None:
            continue
        if value.get("review") != token:
            foreign += 1
            continue
        answers += 1
        for entry in listed:
            _take(entry, found, notes)
    if foreign:
        notes.append(f"{foreign} verdict blocks without the token of this review were passed over")
    missing = _why_nothing(text, truncated, foreign) if not answers else "the reply has no verdict on this item"
    return Review(tuple(_agreed(found[n], missing) for n in sorted(found)), tuple(dict.fromkeys(notes)))


def _verdict_list(value: Any) -> Sequence[Any] | None:
    """Return the entries of an object with verdicts, which may be a list or an object by id."""
    if not isinstance(value, dict):
        return None
    listed = value.get("verdicts")
    if isinstance(listed, dict):
        return [{"id": k, **(v if isinstance(v, dict) else {"verdict": v})} for k, v in listed.items()]
    return listed if isinstance(listed, list) else None


def _take(entry: Any, found: Mapping[int, list[ItemVerdict]], notes: list[str]) -> None:
    number = _number(entry.get("id")) if isinstance(entry, dict) else None
    if number is None:
        notes.append("an entry without an id was passed over")
        return
    if number not in found:
        notes.append(f"a verdict on item {number}, which is not there, was passed over")
        return
    label = entry.get("verdict")
    verdict = _label(label)
    reason = _line(str(entry.get("reason") or ""), 500)
    if verdict is None:
        reason = f"the verdict {_line(json.dumps(label), 60)} is none of A, B, C"
    found[number].append(ItemVerdict(verdict, reason))


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _label(value: Any) -> Verdict | None:
    if not isinstance(value, str) or len(value) > 60:
        return None
    return _LABELS.get(" ".join(re.sub(r"[\W_]+", " ", value).lower().split()))


def _agreed(given: Sequence[ItemVerdict], missing: str) -> ItemVerdict:
    if not given:
        return ItemVerdict(None, missing)
    if len({g.verdict for g in given}) > 1:
        labels = ", ".join(g.verdict or "unreadable" for g in given)
        return ItemVerdict(None, f"the reply has several verdicts on this item: {labels}")
    return given[-1]


def _why_nothing(text: str, truncated: bool, foreign: int) -> str:
    cut = "the reply was cut off at the token limit; " if truncated else ""
    what = "its verdicts do not repeat the token of this review" if foreign else "no verdicts"
    return f"{cut}{what} in: {_line(text, 120)}"
