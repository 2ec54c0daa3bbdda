"""What an experiment measures of its candidates: the evaluators of the comparison, those a reward names, and the
further labels of held-out tasks.

Evaluators that use the reference, and labels that are made, are for the held-out comparison. An optimiser gets the
evaluators that its reward names and no others, on the labels it may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluators.isolation import Tools
from evaluators.registry import Evaluator, EvaluatorTools, check_names, make_evaluators, metrics_of
from evaluators.reward import RewardSpec
from runs.config import EvaluationSection, ExperimentConfig
from runs.enrichment import Enricher
from runs.store import RecordLog
from specgen.errors import UserError
from specgen.lm import Gateway
from specgen.tasks.model import Labels


@dataclass(frozen=True, slots=True)
class Measuring:
    """Attributes:
    comparison: evaluators of the comparison beside validity, grade and adequacy.
    tools: what evaluators are made from.
    enricher: gives held-out tasks further labels.
    """

    comparison: tuple[Evaluator, ...]
    tools: EvaluatorTools
    enricher: Enricher

    def of_reward(self, spec: RewardSpec) -> tuple[Evaluator, ...]:
        """Return the evaluators that a reward names, which an optimiser under it may see."""
        names = spec.evaluators()
        return make_evaluators(names, self.tools) if names else ()


def chosen(section: EvaluationSection, rewards: tuple[RewardSpec, ...] = ()) -> tuple[str, ...]:
    """Return the evaluators of the comparison by name, checked; a judge with a model is one.

    Raises:
        UserError: for an unknown name, one that is given twice, or a judge (also of a reward) without a model.
    """
    names = section.evaluators
    if section.judge and "judge" not in names:
        names = (*names, "judge")
    named = {*names, *(e for spec in rewards for e in spec.evaluators())}
    if "judge" in named and not section.judge:
        raise UserError("the evaluator judge needs a model", remedy="Give evaluation.judge, a LiteLLM name")
    return check_names(names)


def metrics(section: EvaluationSection) -> tuple[str, ...]:
    """Return the metrics that the comparison has beside those of the checks."""
    return metrics_of(chosen(section))


def make_measuring(
    config: ExperimentConfig, tools: Tools, gateway: Gateway, log: RecordLog, exclude: Mapping[str, Labels]
) -> Measuring:
    """Return what the configuration asks for; `exclude` holds by task the labels that must not be made again."""
    section = config.evaluation
    judge_options = enrichment = None
    if section.judge:
        from evaluators.judge import JudgeOptions

        judge_options = JudgeOptions(section.judge, split="test")
    if section.mutants != "off":
        from evaluators.examples import EnrichOptions

        enrichment = EnrichOptions(mode=section.mutants, seed=config.experiment.seed)
    made = EvaluatorTools(tools.runner, gateway if section.judge else None, judge_options, section.equivalence_s)
    evaluators = make_evaluators(chosen(section), made)
    return Measuring(evaluators, made, Enricher(tools.runner, enrichment, log, exclude))


__all__ = ["Measuring", "chosen", "make_measuring", "metrics"]
