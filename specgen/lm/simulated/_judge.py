"""`sim/judge`: takes requirements apart and judges contracts, from what it knows of the task, or with a planted bias.

It answers the two prompts that end in `Output format: decomposition` and `Output format: verdicts` and mark their parts
with `<<<requirement …>>>`, `<<<items …>>>` and `<<<contract …>>>`. An honest judge recognises in the contract the
variant of the task that it is, and gives the verdicts that its kind deserves; a contract that it does not know is
judged by how many of the reference's words it has. The biases are for calibration: does a comparison notice them?
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from specgen.lm._types import ModelRequest
from specgen.lm.simulated._knowledge import SimulatedKnowledge, SimulatedTask, SimulatedVariant, SpoilKind
from specgen.lm.simulated._writer import Draw, generator

JudgeBias = Literal["", "lenient", "harsh", "length"]
BIASES: Final = ("lenient", "harsh", "length")
"""`lenient` gives each verdict one step better than it is, `harsh` one step worse, `length` looks at nothing but how
long the contract is: the longer the better."""

_STEPS: Final = "ABC"
_DESERVED: Final[Mapping[SpoilKind, tuple[str, str]]] = {
    "reference": ("A", "A"),
    "dropped_clause": ("C", "A"),
    "weakened": ("B", "C"),
    "strengthened": ("A", "C"),
    "restricted_input": ("B", "A"),
    "vacuous": ("C", "C"),
    "ill_typed": ("C", "C"),
    "unparsable": ("C", "C"),
}
"""For each kind the verdict on one condition (the seed and the task say which) and on the conclusion; other
conditions are met."""

_LONG: Final = 240
_SHORT: Final = 80
"""Characters, without white space, from which a contract is long, and up to which it is short."""

_WORD: Final = re.compile(r"\w+|[^\w\s]")
_COMMENT: Final = re.compile(r"--[^\n]*|/-.*?-/", re.DOTALL)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")


@dataclass(frozen=True)
class _Item:
    id: int
    kind: str


def judge(request: ModelRequest, knowledge: SimulatedKnowledge | None, *, bias: JudgeBias, seed: int) -> Draw:
    """Answer one of the two calls. Deterministic in the request, the seed and the bias."""
    asked = request.messages[-1].content
    metadata: dict[str, str] = {"judge": bias or "knowing"}
    if "Output format: verdicts" not in asked:
        return Draw(json.dumps(_take_apart(_part(asked, "requirement")[1]), ensure_ascii=False, indent=1), metadata)
    token, contract = _part(asked, "contract")
    items = _read_items(_part(asked, "items")[1])
    task = knowledge.lookup(asked) if knowledge is not None else None
    kind, levels = _levels(task, contract, items, seed)
    if bias == "length":
        size = len("".join(contract.split()))
        levels = ["A" if size >= _LONG else "C" if size <= _SHORT else "B"] * len(items)
    elif bias:
        step = -1 if bias == "lenient" else 1
        levels = [_STEPS[min(2, max(0, _STEPS.index(v) + step))] for v in levels]
    verdicts = [
        {"id": item.id, "reason": f"Simulated: read as {kind}.", "verdict": v}
        for item, v in zip(items, levels, strict=True)
    ]
    metadata |= {"kind": kind, "task_id": task.task_id if task else ""}
    return Draw(json.dumps({"review": token, "verdicts": verdicts}, ensure_ascii=False, indent=1), metadata)


def _part(text: str, name: str) -> tuple[str, str]:
    """Return the token and the text of a marked part; empty when there is none."""
    # The first part's token is that of the whole prompt: what an author writes into a part cannot match it.
    first = re.search(r"^<<<\w+ (\w+)>>>\n", text, re.MULTILINE)
    token = first[1] if first else "none"
    found = re.search(rf"^<<<{name} {token}>>>\n(.*?)\n<<<end {name} {token}>>>$", text, re.MULTILINE | re.DOTALL)
    return (token, found[1]) if found else (token, "")


def _take_apart(requirement: str) -> list[dict[str, str]]:
    """One condition a sentence, and the first sentence once more as the conclusion; eleven items at most."""
    sentences = [" ".join(s.split()) for s in _SENTENCE.split(requirement)]
    sentences = [s for s in sentences if len(s) > 2] or ["The function does what it is named for."]
    conditions = sentences[1:11] or sentences[:1]
    return [*({"kind": "condition", "text": s} for s in conditions), {"kind": "conclusion", "text": sentences[0]}]


def _read_items(text: str) -> list[_Item]:
    items = []
    for line in text.splitlines():
        try:
            entry = json.loads(line)
            items.append(_Item(int(entry["id"]), str(entry["kind"])))
        except (ValueError, TypeError, KeyError):
            continue
    return items


def _levels(task: SimulatedTask | None, contract: str, items: Sequence[_Item], seed: int) -> tuple[str, list[str]]:
    """Return what the contract was taken for, and a verdict for each item."""
    if task is None:
        return "unknown task", ["B"] * len(items)
    kind = _recognise(task, contract)
    if kind is None:
        level = _by_words(task, contract)
        return "unknown contract", [level] * len(items)
    on_condition, on_conclusion = _DESERVED[kind]
    conditions = [n for n, item in enumerate(items) if item.kind == "condition"]
    levels = [on_conclusion if item.kind == "conclusion" else "A" for item in items]
    if conditions:
        levels[generator("judge", seed, task.task_id, kind).choice(conditions)] = on_condition
    return kind, levels


def _bare(text: str) -> str:
    return "".join(_COMMENT.sub("", text).split())


def _recognise(task: SimulatedTask, contract: str) -> SpoilKind | None:
    """Return the kind of the variant that the contract ends with, in any of its forms; the longest counts."""
    bare = _bare(contract)
    best: tuple[int, SpoilKind] | None = None
    for kind, variants in task.variants.items():
        for variant in variants:
            size = max(_matched(bare, variant))
            if size and (best is None or size > best[0]):
                best = (size, kind)
    return best[1] if best else None


def _matched(bare: str, variant: SimulatedVariant) -> list[int]:
    """Return for each form of a variant how many characters of it the contract ends with, or holds as fields."""
    forms = [text for text in map(_bare, (variant.lean, variant.relational, variant.theorem)) if text]
    sizes = [len(text) if bare.endswith(text) else 0 for text in forms]
    fields = {name: _bare(text) for name, text in variant.fields.items()}
    postcond = fields.pop("postcond", "")
    rest = [f":={text}" if name == "precond" else text for name, text in fields.items()]
    if postcond and bare.endswith(f":={postcond}") and all(text in bare for text in rest):
        sizes.append(sum(map(len, rest)) + len(postcond))
    return sizes or [0]


def _by_words(task: SimulatedTask, contract: str) -> str:
    """Return a verdict from the share of the reference's words that the contract has."""
    wanted: Counter[str] = Counter()
    for variant in task.variants.get("reference", ())[:1]:
        wanted = Counter(_WORD.findall(_COMMENT.sub("", variant.fields.get("postcond") or variant.lean)))
    if not wanted:
        return "B"
    share = (wanted & Counter(_WORD.findall(contract))).total() / wanted.total()
    return "A" if share >= 0.8 else "B" if share >= 0.5 else "C"
