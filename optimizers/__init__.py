"""Optimisers: DSPy programs, the metric with feedback, seed prompts."""
