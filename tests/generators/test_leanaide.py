"""The `leanaide` generator: retrieval, samples, filter, groups."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from specgen.errors import UserError
from specgen.generators import CallOptions, Candidate, Elaboration, HarnessReport, Relation, generate
from specgen.generators.corpus import (
    CorpusExample,
    EmbeddingRanker,
    Ranker,
    corpus_from_tasks,
    first_sentence,
    nearest,
    read_corpus,
)
from specgen.generators.leanaide import LeanAideGenerator, LeanAideOptions, load_corpus
from specgen.lm import ModelFailure, ModelOutcome, ModelReply, ModelRequest
from specgen.tasks import load_dataset
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

VIEW = GenerationView(
    "t1",
    "Return the largest element of a list of integers.",
    Signature("largest", (Parameter("xs", "List Int"),), "Int"),
    LeanContext("4.24.0"),
)


def entry(name: str, doc: str, concise: str = "", description: str = "") -> CorpusExample:
    return CorpusExample(name, name, doc, concise or doc, description or doc, f"theorem {name} : True := by sorry")


class Client:
    """Answers a list of texts (None: a failed call) in turn."""

    def __init__(self, *texts: str | None) -> None:
        self.texts = list(texts)
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelOutcome:
        self.requests.append(request)
        text = self.texts.pop(0)
        return ModelFailure(kind="timeout", message="late") if text is None else ModelReply(text=text)


class Meaning:
    """A verifier that knows which texts elaborate and how they relate; pairs that are not named are unknown."""

    def __init__(self, bad: tuple[str, ...] = (), related: Mapping[tuple[str, str], Relation] | None = None) -> None:
        self.bad = bad
        self.related = related or {}

    def elaborate(self, candidate: Candidate) -> Elaboration:
        return Elaboration("rejected", "no") if candidate.text in self.bad else Elaboration("accepted")

    def harness(self, candidate: Candidate, verifier_only: bool = False) -> HarnessReport:
        raise AssertionError("not asked for")

    def relation(self, first: Candidate, second: Candidate) -> Relation:
        if first.text == second.text:
            return "identical"
        return self.related.get((first.text, second.text), "unknown")


def run(client: Client, verifier: Meaning) -> Candidate:
    generator = LeanAideGenerator(LeanAideOptions(samples=len(client.texts)))
    return generate(generator, VIEW, "Be exact.", client, CallOptions("sim/writer"), 0, verifier)


def test_the_nearest_text_is_ranked_first_and_ties_keep_their_order() -> None:
    texts = ["sort a list of names", "largest element of a list", "parse a date", "largest element of a list"]
    assert Ranker(texts).ranked("the largest element")[:2] == [1, 3]
    assert Ranker(["", ""]).ranked("anything") == [0, 1]
    assert Ranker(texts).ranked("") == [0, 1, 2, 3]


def test_embeddings_rank_by_angle_not_by_length() -> None:
    assert EmbeddingRanker([[10.0, 1.0], [0.0, 2.0], [0.0, 0.0]]).ranked([0.0, 1.0]) == [1, 0, 2]


def test_examples_are_taken_in_turn_without_repetition() -> None:
    corpus = [entry(f"e{i}", "x" * (700 if i == 3 else 5)) for i in range(6)]
    ranked = {"doc": [0, 1, 2, 3], "concise": [3, 1, 4], "description": [5, 0]}
    chosen = nearest(ranked, {"doc": 2, "concise": 2, "description": 2}, corpus, 600)  # type: ignore[arg-type]
    assert chosen == [0, 1, 5, 4]
    assert nearest(ranked, {"doc": 2, "concise": 0, "description": 0}, corpus, 600, left_out={0}) == [1, 2]  # type: ignore[arg-type]


def test_the_prompt_is_one_message_with_the_nearest_example_next_to_the_task() -> None:
    generator = LeanAideGenerator(LeanAideOptions(doc=2, concise=0, description=0))
    messages = generator.render(VIEW, "Be exact.")
    examples = generator.examples(VIEW)
    assert len(messages) == 1 and messages[0].role == "user" and len(examples) == 2
    text = messages[0].content
    places = [text.index(e.statement) for e in examples]
    assert places == sorted(places) and text.index(VIEW.requirement) > places[-1]
    best = Ranker([e.doc for e in generator.corpus()]).ranked(VIEW.requirement)[0]
    assert examples[-1] == generator.corpus()[best]


def test_a_task_is_no_example_for_itself_and_the_evaluated_split_gives_none() -> None:
    tasks = load_dataset("starter").tasks
    task = tasks[0]
    generator = LeanAideGenerator()
    assert task.id in {e.id for e in generator.corpus()}
    assert task.id not in {e.id for e in generator.examples(task.view())}
    renamed = replace(task.view(), task_id="other", signature=replace(task.signature, name="other"))
    assert task.id not in {e.id for e in generator.examples(renamed)}
    shown = generator.excluding([t.id for t in tasks[:-1]]).render(VIEW, "")[0].content
    assert sum(e.statement in shown for e in load_corpus("")) <= 1


def test_every_example_of_the_built_in_corpus_elaborates() -> None:
    from specgen.lean.engine import check
    from specgen.lean.environment import LeanEnv

    tasks = {t.id: t for t in load_dataset("starter").tasks}
    corpus = corpus_from_tasks(tasks.values())
    assert len(corpus) >= 50
    for example in corpus:
        head = f"opaque {example.name} : {tasks[example.id].signature.function_type()}\n"
        report = check(head + example.statement, LeanEnv((4, 24, 0), ()))
        assert [d.message for d in report.diagnostics if d.severity == "error"] == [], example.id


@pytest.mark.parametrize(
    ("text", "first"), [("One. Two.", "One."), ("Is 3.5 big? No.", "Is 3.5 big?"), ("no end", "no end"), ("", "")]
)
def test_first_sentences(text: str, first: str) -> None:
    assert first_sentence(text) == first


def test_the_head_of_the_largest_group_is_chosen() -> None:
    related: dict[tuple[str, str], Relation] = {
        ("b", "c"): "proved",
        ("a", "d"): "different",
        ("b", "e"): "same_outcomes",
    }
    found = run(Client("a", "b", "c", "x", "e"), Meaning(bad=("x",), related=related))
    assert (found.text, found.calls, found.failure) == ("b", 5, "")
    assert found.notes[-1] == "groups of equal meaning: 1, 3; head of the largest taken"
    assert "sample 4: rejected: no" in found.notes


def test_what_is_not_known_to_be_equal_stays_apart() -> None:
    found = run(Client("a", "b", "b"), Meaning(related={("a", "b"): "unknown"}))
    assert (found.text, found.notes[-1]) == ("b", "groups of equal meaning: 1, 2; head of the largest taken")


def test_no_sample_that_elaborates_is_an_explicit_failure() -> None:
    found = run(Client("x", None, ""), Meaning(bad=("x",)))
    assert (found.failure, found.calls) == ("exhausted", 3)
    assert found.notes == ("sample 1: rejected: no", "sample 2: call_failed", "sample 3: empty")
    assert run(Client(None, None), Meaning()).failure == "call_failed"


def test_samples_are_drawn_at_the_generators_temperature() -> None:
    client = Client("a", "a")
    run(client, Meaning())
    assert {r.temperature for r in client.requests} == {1.0} and len({r.sample for r in client.requests}) == 2


def test_a_corpus_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    fields = {n: n for n in CorpusExample.__slots__}
    path.write_text(json.dumps(fields) + "\n\n" + json.dumps({**fields, "id": "two"}) + "\n")
    assert [e.id for e in read_corpus(path)] == ["id", "two"]
    assert len(LeanAideGenerator(LeanAideOptions(corpus=str(path))).corpus()) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: not JSON"),
        ('{"id": "a"}', "no field 'name'"),
        ("[]", "line 1: not an object"),
        ("", "no example"),
        ("\n".join([json.dumps(dict.fromkeys(CorpusExample.__slots__, "x"))] * 2), "line 2: the id 'x' is there twice"),
    ],
)
def test_a_faulty_corpus_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read_corpus(path)
