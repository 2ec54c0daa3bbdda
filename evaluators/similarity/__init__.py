"""Similarity to the reference contract: text, parts and structure (definitions: docs/metrics.md)."""

from evaluators.similarity.evaluate import METRICS, similarity

__all__ = ["METRICS", "similarity"]
