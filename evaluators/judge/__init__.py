"""A language model as judge of contracts, after LeanScorer (definitions: docs/metrics.md)."""

from evaluators.judge.evaluate import METRIC, JudgeClient, JudgeInput, JudgeOptions, judge, judge_many
from evaluators.judge.sugeno import sugeno

__all__ = ["METRIC", "JudgeClient", "JudgeInput", "JudgeOptions", "judge", "judge_many", "sugeno"]
