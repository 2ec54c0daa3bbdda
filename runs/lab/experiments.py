"""The lab's experiments. Each says what must come out, and why that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, TypeAlias

from evaluators.contract import fields_contract
from evaluators.judge import JudgeOptions, judge
from evaluators.reward import make_reward
from evaluators.scoring import score
from optimizers.base import ModelChoice, OptimizerOptions, Problem
from optimizers.gepa import Gepa
from optimizers.run import optimise
from optimizers.seeds import seed_prompt
from runs.inference import compare, permutation_test
from runs.lab.setting import Setting, candidates, mean, values
from specgen.generators import Candidate, make_generator
from specgen.tasks import Task
from specgen.tasks.spoil import contract_fields, spoil

SAMPLES = 3
RESAMPLES = 500
Sign: TypeAlias = Literal["negative", "positive"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one seed gave: numbers by name; `effect` is the one that the verdict is about."""

    effect: float
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LabExperiment:
    """One experiment.

    Attributes:
        name: of the command line.
        question: what is tested.
        expected: what must come out, and why.
        run: one seed.
        verdict: from the effects of all seeds, whether the expected answer came out, and the reason in words.
    """

    name: str
    question: str
    expected: str
    run: Callable[[Setting], Outcome]
    verdict: Callable[[Sequence[float]], tuple[bool, str]]


def has_sign(sign: Sign) -> Callable[[Sequence[float]], tuple[bool, str]]:
    """Return a verdict that the mean effect over seeds has a sign, by a two-sided permutation test at 5 %."""

    def verdict(effects: Sequence[float]) -> tuple[bool, str]:
        p, _ = permutation_test(effects, 20_000, 0)
        average = fmean(effects)
        right = average < 0 if sign == "negative" else average > 0
        return right and p is not None and p <= 0.05, f"mean effect {average:+.3f}, p = {p:.3g}"

    return verdict


def share_at_most(bound: float) -> Callable[[Sequence[float]], tuple[bool, str]]:
    """Return a verdict that the mean effect (a share) is at most a bound, allowing for two standard errors of a share
    that is the bound.
    """

    def verdict(effects: Sequence[float]) -> tuple[bool, str]:
        share = fmean(effects)
        room = 2 * (bound * (1 - bound) / (len(effects) * PER_SEED)) ** 0.5
        return share <= bound + room, f"found in {share:.1%}, at most {bound:.0%} (+ {room:.1%} for chance) allowed"

    return verdict


def at_least(bound: float) -> Callable[[Sequence[float]], tuple[bool, str]]:
    """Return a verdict that the mean effect is at least a bound."""

    def verdict(effects: Sequence[float]) -> tuple[bool, str]:
        average = fmean(effects)
        return average >= bound, f"mean effect {average:+.3f}, at least {bound:g} wanted"

    return verdict


# ------------------------------------------------------------------------------------------------------------- rewards


def _tuned_change(setting: Setting, reward: str) -> Outcome:
    """Return how R- on held-out examples changes when a prompt is tuned under a reward."""
    seed = seed_prompt("zero-shot")
    model = f"sim/writer?seed={setting.seed}"
    with setting.gateway() as gateway:
        problem = Problem(
            seed,
            setting.train,
            setting.validation,
            make_generator("direct"),
            make_reward(reward),
            setting.checker,
            gateway,
            ModelChoice(model, f"sim/reflector?seed={setting.seed}&sentences=1&levels=1"),
        )
        result = optimise(problem, Gepa(), OptimizerOptions(max_metric_calls=70, seed=setting.seed, threads=2))
        tuned = result.prompt or seed
        before = candidates(setting, gateway, seed, model, SAMPLES)
        after = candidates(setting, gateway, tuned, model, SAMPLES)
    change = {m: mean(values(after, m)) - mean(values(before, m)) for m in ("verifier_grade", "R+", "R-")}
    return Outcome(change["R-"], change)


def acceptance_only(setting: Setting) -> Outcome:
    """Tune under the verifier's reward and under the one with adequacy; the effect is how far R- falls behind."""
    blind, seeing = _tuned_change(setting, "verifier"), _tuned_change(setting, "verifier+adequacy")
    numbers = {f"{m}, acceptance only": v for m, v in blind.values.items()}
    return Outcome(blind.effect - seeing.effect, numbers | {"R-, with adequacy": seeing.effect})


def with_adequacy(setting: Setting) -> Outcome:
    """Tune under the verifier's reward with adequacy."""
    return _tuned_change(setting, "verifier+adequacy")


# ----------------------------------------------------------------------------------------------------------- held out


def memorised(task: Task) -> Candidate:
    """Return a contract that excludes the rejected pairs of a task's labels one by one, and says nothing else."""
    s = task.signature
    excluded = []
    for pair in task.labels.rejected:
        same = [f"{p.name} = ({x} : {p.type})" for p, x in zip(s.parameters, pair.inputs, strict=True)]
        excluded.append(f"¬ ({' ∧ '.join([*same, f'result = ({pair.output} : {s.result_type})'])})")
    body = " ∧\n  ".join(excluded) or "True"
    text = (
        f"def {s.name}_precond {s.binders()} : Prop := True\n\n"
        f"def {s.name}_postcond {s.binders()} (result : {s.result_type}) : Prop :=\n  {body}"
    )
    return Candidate(task.id, "memoriser", text, simulated=True)


def memorised_feedback(setting: Setting) -> Outcome:
    """Score contracts that know the feedback pairs by heart, on these and on held-out ones."""
    seen, unseen = [], []
    for feedback, held_out in zip(setting.test_feedback, setting.test, strict=True):
        candidate = memorised(feedback)
        on_seen = score(feedback, candidate, setting.checker).get("R-").value
        on_unseen = score(held_out, candidate, setting.checker).get("R-").value
        if on_seen is not None and on_unseen is not None:
            seen.append(on_seen)
            unseen.append(on_unseen)
    gap = fmean(seen) - fmean(unseen)
    return Outcome(gap, {"feedback R-": fmean(seen), "held-out R-": fmean(unseen), "tasks": float(len(seen))})


# -------------------------------------------------------------------------------------------------------------- judges


def _separation(setting: Setting, bias: str) -> float:
    """Return in which share of pairs a judge puts a reference above a version of it that admits or refuses too much."""
    options = JudgeOptions(model=f"sim/judge?seed={setting.seed}{bias}")
    right = pairs = 0
    with setting.gateway() as gateway:
        for task in setting.test:
            reference = contract_fields(task.references[0])
            best = judge(task.view(), _text(task, reference), gateway, options).value
            for spoiled in spoil(task, "prepost", limit_per_kind=1):
                if spoiled.kind in ("ill_typed", "unparsable") or spoiled.fields is None:
                    continue
                other = judge(task.view(), _text(task, spoiled.fields), gateway, options).value
                if best is not None and other is not None:
                    pairs += 1
                    right += best > other
    return right / pairs


def _text(task: Task, fields: object) -> str:
    names = ("precond_aux", "precond", "postcond_aux", "postcond")
    contract = fields_contract(task, {n: getattr(fields, n) for n in names})
    return getattr(contract, "source", "")


def biased_judge(setting: Setting) -> Outcome:
    """Compare a judge without bias and a lenient one by how well they tell references from spoiled ones."""
    fair, lenient = _separation(setting, ""), _separation(setting, "&bias=lenient")
    return Outcome(fair - lenient, {"fair": fair, "lenient": lenient})


# ---------------------------------------------------------------------------------------------------------- statistics

PER_SEED = 10
"""Comparisons of one seed of `a-a`."""


def a_a(setting: Setting) -> Outcome:
    """Compare an arm with itself on fresh samples; the effect is the share of comparisons called significant."""
    prompt, model = seed_prompt("zero-shot"), f"sim/writer?seed={setting.seed}"
    found = 0
    with setting.gateway() as gateway:
        for i in range(PER_SEED):
            first = values(candidates(setting, gateway, prompt, model, 1, 2 * i), "verifier_grade")
            second = values(candidates(setting, gateway, prompt, model, 1, 2 * i + 1), "verifier_grade")
            p = compare(first, second, RESAMPLES, setting.seed).p_value
            found += p is not None and p <= 0.05
    return Outcome(found / PER_SEED, {"significant": found / PER_SEED})


def strong_and_weak(setting: Setting) -> Outcome:
    """Compare a strong with a weak writer; the effect is 1 when the difference is found with the right sign."""
    prompt = seed_prompt("zero-shot")
    with setting.gateway() as gateway:
        arms = [
            values(
                candidates(setting, gateway, prompt, f"sim/writer-{q}?seed={setting.seed}", SAMPLES), "verifier_grade"
            )
            for q in ("weak", "strong")
        ]
    found = compare(arms[0], arms[1], RESAMPLES, setting.seed)
    difference = found.difference.mean or 0.0
    significant = found.p_value is not None and found.p_value <= 0.05 and difference > 0
    return Outcome(float(significant), {"difference": difference})


EXPERIMENTS: Mapping[str, LabExperiment] = {
    e.name: e
    for e in (
        LabExperiment(
            "acceptance-drift",
            "Does a reward that sees only acceptance drift to weak contracts?",
            "R- on held-out examples falls behind that of a reward with adequacy: feedback names refused right results "
            "only, the simulated reflector asks not to over-constrain, and the simulated writer writes weaker ones.",
            acceptance_only,
            has_sign("negative"),
        ),
        LabExperiment(
            "adequacy-feedback",
            "Does a reward with adequacy avoid that drift?",
            "R- on held-out examples rises: its feedback names wrong results that slip through.",
            with_adequacy,
            has_sign("positive"),
        ),
        LabExperiment(
            "memorised-feedback",
            "Does learning the feedback pairs by heart show?",
            "R- is 1 on feedback pairs and far lower on held-out ones: the contract excludes the former one by one.",
            memorised_feedback,
            at_least(0.3),
        ),
        LabExperiment(
            "biased-judge",
            "Is a judge with a planted bias exposed?",
            "A fair simulated judge puts references above spoiled ones, a lenient one less often.",
            biased_judge,
            at_least(0.15),
        ),
        LabExperiment(
            "a-a",
            "How often is a difference found where there is none?",
            "In at most about 5 % of comparisons: both arms are the same prompt and model with fresh samples.",
            a_a,
            share_at_most(0.05),
        ),
        LabExperiment(
            "strong-weak",
            "Is a large difference found?",
            "In at least 90 % of seeds: the strong writer's odds of mistakes are half the weak one's.",
            strong_and_weak,
            at_least(0.9),
        ),
    )
}
