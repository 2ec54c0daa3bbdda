"""specgen tunes the prompts that make language models write formal specifications, and measures the results."""

__version__ = "0.1.0"
