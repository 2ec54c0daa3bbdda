"""Optimisers of prompts, and tuned prompts as files."""

from optimizers.saved import Tuned, load_tuned

__all__ = ["Tuned", "load_tuned"]
