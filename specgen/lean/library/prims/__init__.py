"""Primitives of the evaluator, by the namespace they belong to."""
