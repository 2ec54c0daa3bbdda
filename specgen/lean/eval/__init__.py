"""Evaluation of core terms: values, limits, compilation, propositions, quantifiers."""
