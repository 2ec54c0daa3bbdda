"""Reading replies: what cannot be read is never a verdict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluators.judge.replies import Item, json_values, read_decomposition, read_review
from evaluators.judge.sugeno import Verdict

TOKEN = "0123456789abcdef"
GOOD = [{"kind": "condition", "text": "x is positive"}, {"kind": "conclusion", "text": "y is above x"}]
ITEMS = (Item("condition", "x is positive"), Item("conclusion", "y is above x"))


def block(*verdicts: tuple[Any, Any], token: str = TOKEN, **more: Any) -> str:
    listed = [{"id": i, "reason": f"because {v}", "verdict": v} for i, v in verdicts]
    return json.dumps({"review": token, "verdicts": listed, **more})


def labels(text: str, count: int = 2, truncated: bool = False) -> list[Verdict | None]:
    return [v.verdict for v in read_review(text, TOKEN, count, truncated).verdicts]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        f"Here you are [as asked]:\n```json\n{json.dumps(GOOD, indent=2)}\n```\nAnything else?",
        f'<think>[{{"kind": "conclusion", "text": "draft"}}]</think>{json.dumps(GOOD)}',
        f"First I thought {json.dumps(GOOD[1:])}, but then: {json.dumps(GOOD)}",
        json.dumps({"items": GOOD}),
        json.dumps({"conditions": ["x is positive"], "conclusion": "y is above x"}),
        json.dumps({"conditions": [{"text": "x is positive"}], "conclusion": {"text": "y is  above\nx"}}),
        json.dumps(["x is positive", "y is above x"]),
        json.dumps([{"kind": " Condition", "text": "x is positive"}, {"kind": "CONCLUSION", "text": "y is above x"}]),
    ],
)
def test_decompositions_that_can_be_read(text: str) -> None:
    assert read_decomposition(text).items == ITEMS


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON list"),
        ("I am sorry, I cannot help with that.", "no JSON list of items in: I am sorry"),
        ("[]", "the list of items is empty"),
        (json.dumps(GOOD[:1]), "no conclusion"),
        (json.dumps([{"kind": "wish", "text": "x"}]), "item 1 is neither"),
        (json.dumps([GOOD[0], {"kind": "conclusion", "text": "  "}]), "item 2 has no text"),
        (json.dumps([GOOD[0], {"kind": "conclusion", "text": 3}]), "item 2 has no text"),
        (json.dumps([1, 2]), "item 1 is neither"),
        (json.dumps({"conditions": "x", "conclusion": "y"}), "no JSON list"),
        (json.dumps(GOOD)[:-20], "no JSON list"),
        ("[" * 100_000, "no JSON list"),
    ],
)
def test_decompositions_that_cannot_be_read(text: str, problem: str) -> None:
    read = read_decomposition(text)
    assert read.items == ()
    assert problem in read.problem
    assert "cut off" in read_decomposition(text, truncated=True).problem


@pytest.mark.parametrize(
    "text",
    [
        block((1, "A"), (2, "B")),
        block((2, "B"), (1, "A")),
        block(("1", "A"), (" 2 ", "b")),
        block((1, "A: match"), (2, "**B** (minor inconsistency)")),
        block((1, "match"), (2, "Minor inconsistency")),
        f"My verdict, in full {{and fenced}}:\n```json\n{block((1, 'A'), (2, 'B'))}\n```\nHope that helps.",
        block((1, "A"), (2, "B")) + "\n" + block((1, "A"), (2, "B")),
        block((1, "A"), (2, "B"), (2, "B")),
        json.dumps({"review": TOKEN, "verdicts": {"1": "A", "2": {"verdict": "B"}}}),
        block((1, "A"), (2, "B"), (3, "C"), (None, "C"), (True, "C")),
        f"<think>{block((1, 'C'), (2, 'C'))}</think>{block((1, 'A'), (2, 'B'))}",
    ],
)
def test_reviews_that_can_be_read(text: str) -> None:
    assert labels(text) == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "verdicts", "reason"),
    [
        ("", [None, None], "no verdicts"),
        ("I cannot judge this contract.", [None, None], "no verdicts in: I cannot"),
        (block((1, "A")), ["A", None], "no verdict on this item"),
        (block((1, "A"), (2, "D")), ["A", None], 'the verdict "D" is none of A, B, C'),
        (block((1, "A"), (2, None)), ["A", None], "the verdict null is none"),
        (block((1, "A"), (2, "AB")), ["A", None], "none of A, B, C"),
        (block((1, "A"), (2, "A or B")), ["A", None], "none of A, B, C"),
        (block((1, "A"), (2, "A match? no, C")), ["A", None], "none of A, B, C"),
        (block((1, "A"), (2, 0.5)), ["A", None], "the verdict 0.5 is none"),
        (block((1, "A"), (2, "B"), (2, "C")), ["A", None], "several verdicts on this item: B, C"),
        (block((1, "A"), (2, "B")) + block((1, "A"), (2, "A")), ["A", None], "several verdicts on this item: B, A"),
        (block((1, "A"), (2, "B"), token="ffff"), [None, None], "do not repeat the token"),
        (json.dumps([{"id": 1, "verdict": "A"}, {"id": 2, "verdict": "A"}]), [None, None], "no verdicts"),
        (json.dumps({"review": TOKEN, "verdicts": "A, A"}), [None, None], "no verdicts"),
        (json.dumps({"review": TOKEN, "verdicts": ["A", "A"]}), [None, None], "no verdict on this item"),
    ],
)
def test_reviews_that_cannot_be_read_in_part(text: str, verdicts: list[Verdict | None], reason: str) -> None:
    review = read_review(text, TOKEN, 2)
    assert [v.verdict for v in review.verdicts] == verdicts
    assert reason in next(v.reason for v in review.verdicts if v.verdict is None)


def test_a_reply_that_was_cut_off_says_so() -> None:
    whole = block((1, "A"), (2, "B"))
    assert labels(whole[:-10], truncated=True) == [None, None]
    assert "cut off at the token limit" in read_review(whole[:-10], TOKEN, 2, True).verdicts[0].reason
    assert labels(whole + "\nAs one sees, the", truncated=True) == ["A", "B"]


def test_remarks_name_what_was_passed_over() -> None:
    text = block((1, "A"), (2, "B"), (7, "C"), ("x", "C")) + block((1, "C"), token="other")
    notes = read_review(text, TOKEN, 2).notes
    assert len(notes) == 3
    assert "item 7" in notes[0]
    assert "without an id" in notes[1]
    assert "1 verdict blocks without the token" in notes[2]


def test_texts_that_cannot_be_stored_are_mended() -> None:
    odd = [{"kind": "conclusion", "text": "a\ud800b\x00c\n\nd"}]
    (item,) = read_decomposition(json.dumps(odd)).items
    assert item.text == "a\ufffdb\ufffdc d"
    json.dumps(item.text, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("hostile", ['{"a":' * 50_000, "[1," * 50_000, '["' + "x" * 300_000, "[{" * 90_000, "9" * 9000])
def test_hostile_replies_end(hostile: str) -> None:
    assert list(json_values(hostile)) == []
