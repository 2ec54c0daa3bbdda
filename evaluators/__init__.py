"""Evaluators: evidence about contracts, and rewards made of it."""
