"""Example corpora for retrieval: natural language with a Lean statement, in a file that a user can replace.

A corpus is JSON lines of `{"id", "name", "doc", "concise", "description", "statement"}`: three texts that say the same
at different length (documentation, one sentence, and a description of its shape) and the statement as a Lean theorem.
Ours is built from the starter tasks, of which the caller leaves out those that are evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from specgen.errors import UserError
from specgen.tasks.forms import as_theorem
from specgen.tasks.model import GenerationView, Signature, Task
from specgen.tasks.spoil import contract_fields

TextField: TypeAlias = Literal["doc", "concise", "description"]
TEXT_FIELDS: tuple[TextField, ...] = get_args(TextField)


@dataclass(frozen=True, slots=True)
class CorpusExample:
    """One example: its id, the function's name, three texts, and a Lean statement."""

    id: str
    name: str
    doc: str
    concise: str
    description: str
    statement: str

    def text(self, field: TextField) -> str:
        """Return one of the three texts."""
        return {"doc": self.doc, "concise": self.concise, "description": self.description}[field]


def first_sentence(text: str) -> str:
    """Return the first sentence of a text on one line."""
    flat = " ".join(text.split())
    found = re.match(r".*?[.!?](?=\s|$)", flat)
    return found.group() if found else flat


def shape_description(signature: Signature) -> str:
    """Return in words what a function takes and gives, its name split into words."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", signature.name).lower()
    takes = ", ".join(f"{p.name} of type {p.type}" for p in signature.parameters)
    return f"{words}: takes {takes}, gives {signature.result_type}"


def example_of(task: Task) -> CorpusExample | None:
    """Return the example of a task with a pre/post reference, None for others and for tasks with a preamble, whose
    statements do not stand alone.
    """
    reference = task.reference("prepost")
    if reference is None or task.context.preamble.strip():
        return None
    statement = as_theorem(task.signature, contract_fields(reference))
    return CorpusExample(
        task.id,
        task.signature.name,
        " ".join(task.requirement.split()),
        first_sentence(task.requirement),
        shape_description(task.signature),
        statement,
    )


def corpus_from_tasks(tasks: Iterable[Task]) -> tuple[CorpusExample, ...]:
    """Return the examples of tasks, in their order."""
    return tuple(e for e in map(example_of, tasks) if e is not None)


def read_corpus(path: Path) -> tuple[CorpusExample, ...]:
    """Read a corpus file.

    Raises:
        UserError: the file cannot be read, or a line is not an example; file, line and field are named.
    """
    names = tuple(CorpusExample.__slots__)
    remedy = f"Write one JSON object a line with the fields {', '.join(names)}, all strings"
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot read the corpus {path}: {exc}", remedy="Name a file of JSON lines") from exc
    out: dict[str, CorpusExample] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as exc:
            raise UserError(f"{path}, line {number}: not JSON ({exc})", remedy=remedy) from exc
        if not isinstance(record, dict):
            raise UserError(f"{path}, line {number}: not an object", remedy=remedy)
        for name in names:
            if not isinstance(record.get(name), str):
                raise UserError(f"{path}, line {number}: no field {name!r} that is a string", remedy=remedy)
        if record["id"] in out:
            raise UserError(f"{path}, line {number}: the id {record['id']!r} is there twice", remedy="Use each id once")
        out[record["id"]] = CorpusExample(**{n: record[n] for n in names})
    if not out:
        raise UserError(f"{path}: no example", remedy=remedy)
    return tuple(out.values())


class Ranker:
    """Ranks texts by their BM25 score for a query (Robertson and Zaragoza 2009; the bm25s library), ties by position.

    Words are lower-cased, without English stop words. Works offline.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        self._size = len(texts)
        tokens = bm25s.tokenize(list(texts), show_progress=False, return_ids=False)
        self._tokenize = bm25s.tokenize
        self._index = bm25s.BM25() if any(tokens) else None
        if self._index is not None:
            self._index.index(tokens, show_progress=False)

    def ranked(self, query: str) -> list[int]:
        """Return all positions, best first."""
        words = self._tokenize([query], show_progress=False, return_ids=False)[0]
        if self._index is None or not words:
            return list(range(self._size))
        scores = np.asarray(self._index.get_scores(words))
        return [int(i) for i in np.argsort(-scores, kind="stable")]


class EmbeddingRanker:
    """Ranks texts by the cosine of their embeddings with the query's, ties by position.

    `vectors` are those of the texts, one row a text; queries come as vectors.
    """

    def __init__(self, vectors: Sequence[Sequence[float]]) -> None:
        self._rows = _unit(np.asarray(vectors, dtype=float).reshape(len(vectors), -1))

    def ranked(self, query: Sequence[float]) -> list[int]:
        """Return all positions, best first."""
        scores = self._rows @ _unit(np.asarray([query], dtype=float))[0]
        return [int(i) for i in np.argsort(-scores, kind="stable")]


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(norms == 0, 1.0, norms))


def nearest(
    ranked: dict[TextField, list[int]],
    counts: dict[TextField, int],
    corpus: Sequence[CorpusExample],
    max_chars: int,
    left_out: Collection[int] = (),
) -> list[int]:
    """Choose examples: the nearest by each field, taken in turn (round robin), without repetition.

    Args:
        ranked: positions best first, by field.
        counts: how many of each field.
        corpus: the examples.
        max_chars: texts of that length or more are not used.
        left_out: positions that must not be chosen.

    Returns:
        Positions, nearest first; at most the sum of `counts`.
    """
    queues = {
        field: [
            i
            for i in order
            if i not in left_out and len(corpus[i].text(field)) < max_chars and corpus[i].statement.strip()
        ][: counts[field]]
        for field, order in ranked.items()
    }
    chosen: dict[int, None] = {}
    for turn in range(max(counts.values(), default=0)):
        for field in queues:
            if turn < len(queues[field]):
                chosen.setdefault(queues[field][turn])
    return list(chosen)


def left_out_for(view: GenerationView, corpus: Sequence[CorpusExample]) -> frozenset[int]:
    """Return the positions of examples that are the task at hand itself: by id, by function, or by requirement."""
    own = " ".join(view.requirement.split())
    return frozenset(
        i for i, e in enumerate(corpus) if e.id == view.task_id or e.name == view.signature.name or e.doc == own
    )
