"""Benchmarks: each module has `rows()`, a list of (name, figure, note)."""
