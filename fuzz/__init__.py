"""Differential fuzzing of the Lean engine: strategies, the properties that must hold, and `make fuzz`."""
