"""`leanaide`: retrieval of examples, several samples, an elaboration filter, and the largest group of equal meaning.

Source: LeanAide, the translation tool of siddhartha-gadgil/LeanAide: examples are the
nearest by three text fields, the prompt is one message with the examples before the statement, several completions are
drawn at temperature 1, those that do not elaborate are dropped, the rest are grouped by provable equivalence and the
head of the largest group is the answer. Deviations: the corpus is a file of our own examples unless another is given;
nearness is BM25 unless an embedding model is named; groups are joined by identical normal form or proof first, and then
by equal outcomes on inputs that a generator may see; that none elaborates is an explicit failure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from specgen.errors import UserError
from specgen.generators.base import Parsed, fill, prompt_text
from specgen.generators.candidate import Candidate, FailureKind
from specgen.generators.corpus import (
    TEXT_FIELDS,
    CorpusExample,
    EmbeddingRanker,
    Ranker,
    TextField,
    corpus_from_tasks,
    left_out_for,
    nearest,
    read_corpus,
)
from specgen.generators.session import Session
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView

Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True)
class LeanAideOptions:
    """How the prompt is built and how many samples are drawn.

    Attributes:
        doc, concise, description: how many nearest examples by each text field.
        max_chars: texts of this length or more are not used.
        samples: completions a candidate is chosen from.
        temperature: of those completions.
        corpus: a corpus file; empty for the built-in corpus of starter tasks.
        embedding: an embedding model of the gateway (`openai/…`, `sim/embedder`); empty for BM25, which works offline.
    """

    doc: int = 8
    concise: int = 4
    description: int = 4
    max_chars: int = 600
    samples: int = 5
    temperature: float = 1.0
    corpus: str = ""
    embedding: str = ""

    def __post_init__(self) -> None:
        if min(self.doc, self.concise, self.description) < 0 or self.samples < 1 or self.max_chars < 1:
            raise UserError(
                "leanaide: the numbers of examples must be at least 0, samples and max_chars at least 1",
                remedy="Correct the generator's options",
            )

    def counts(self) -> dict[TextField, int]:
        """Return the number of examples by text field."""
        return {"doc": self.doc, "concise": self.concise, "description": self.description}


@lru_cache(maxsize=8)
def load_corpus(path: str) -> tuple[CorpusExample, ...]:
    """Return the examples of a corpus file, or of the starter tasks when no file is named."""
    if path:
        return read_corpus(Path(path))
    from specgen.tasks import load_dataset

    return corpus_from_tasks(load_dataset("starter").tasks)


class _Index:
    """The rankers of a corpus, one a text field."""

    def __init__(self, corpus: Sequence[CorpusExample], embed: Embed | None) -> None:
        self._embed = embed
        self._words: dict[TextField, Ranker] = {}
        self._vectors: dict[TextField, EmbeddingRanker] = {}
        for name in TEXT_FIELDS:
            texts = [e.text(name) for e in corpus]
            if embed is None:
                self._words[name] = Ranker(texts)
            else:
                self._vectors[name] = EmbeddingRanker(embed(texts))

    def ranked(self, query: str) -> dict[TextField, list[int]]:
        """Return positions best first, by field."""
        if self._embed is None:
            return {name: ranker.ranked(query) for name, ranker in self._words.items()}
        vector = self._embed([query])[0]
        return {name: ranker.ranked(vector) for name, ranker in self._vectors.items()}


@lru_cache(maxsize=8)
def _index(corpus: tuple[CorpusExample, ...], embed: Embed | None) -> _Index:
    return _Index(corpus, embed)


@dataclass(frozen=True, slots=True)
class LeanAideGenerator:
    """One user message with the retrieved examples; several samples, of which one is chosen.

    `excluded` are ids and function names of tasks that must not serve as examples: those of the evaluated split. A task
    is never an example for itself. `embed` returns an embedding a text; without it BM25 ranks.
    """

    options: LeanAideOptions = field(default_factory=LeanAideOptions)
    excluded: frozenset[str] = frozenset()
    embed: Embed | None = None
    name: str = "leanaide"
    version: str = "1"
    demonstration_ids: frozenset[str] = frozenset()
    needs_verifier: bool = True

    def excluding(self, ids: Collection[str]) -> LeanAideGenerator:
        """Return the generator without the examples of these tasks (ids or function names)."""
        return replace(self, excluded=self.excluded | frozenset(ids))

    def with_embeddings(self, embed: Embed) -> LeanAideGenerator:
        """Return the generator that ranks by embeddings."""
        return replace(self, embed=embed)

    def corpus(self) -> tuple[CorpusExample, ...]:
        """Return the examples that may be shown."""
        return tuple(e for e in load_corpus(self.options.corpus) if not {e.id, e.name} & self.excluded)

    def examples(self, view: GenerationView) -> tuple[CorpusExample, ...]:
        """Return the examples for a task, the nearest last."""
        corpus = self.corpus()
        if not corpus:
            return ()
        query = " ".join(view.requirement.split())
        ranked = _index(corpus, self.embed).ranked(query)
        chosen = nearest(ranked, self.options.counts(), corpus, self.options.max_chars, left_out_for(view, corpus))
        return tuple(corpus[i] for i in reversed(chosen))

    @property
    def most_calls(self) -> int:
        """The most calls that one candidate takes."""
        return self.options.samples

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return one user message."""
        shown = "".join(f"Statement:\n{e.doc}\n\nIn Lean:\n{e.statement}\n\n" for e in self.examples(view))
        return (ChatMessage("user", fill(prompt_text("leanaide.md"), view, instructions, examples=shown)),)

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Take the reply as it is: a theorem about the function."""
        return Parsed()

    def produce(self, session: Session) -> Candidate:
        """Draw the samples, drop those that do not elaborate, and return the head of the largest group."""
        call = replace(session.call, temperature=self.options.temperature)
        notes: list[str] = []
        kept: list[Candidate] = []
        for number in range(1, self.options.samples + 1):
            reply = session.ask(call=call)
            verdict: str = reply.failure
            if not verdict:
                assert session.verifier is not None  # noqa: S101 - `generate` has looked
                found = session.verifier.elaborate(reply)
                verdict = f"{found.verdict}: {found.message}" if found.message else found.verdict
                if found.verdict == "accepted":
                    kept.append(reply)
            notes.append(f"sample {number}: {verdict}")
        if not kept:
            lost = all(c.failure == "call_failed" for c in session.made)
            kind: FailureKind = "call_failed" if lost else "exhausted"
            why = "every call failed" if lost else "no sample elaborated"
            return session.fail(kind, f"{why} ({len(session.made)} samples)", *notes)
        groups = _groups(kept, session)
        best = max(groups, key=len)
        sizes = ", ".join(str(len(g)) for g in groups)
        return session.finish(best[0], *notes, f"groups of equal meaning: {sizes}; head of the largest taken")


def _groups(candidates: Sequence[Candidate], session: Session) -> list[list[Candidate]]:
    """Return groups of candidates of equal meaning, in order of their first members.

    A relation that is not known leaves two candidates apart.
    """
    assert session.verifier is not None  # noqa: S101 - `generate` has looked
    groups: list[list[Candidate]] = []
    for candidate in candidates:
        relations = [session.verifier.relation(g[0], candidate) for g in groups]
        for wanted in (("identical", "proved"), ("same_outcomes",)):
            at = next((i for i, r in enumerate(relations) if r in wanted), None)
            if at is not None:
                groups[at].append(candidate)
                break
        else:
            groups.append([candidate])
    return groups
