"""Verifiers: contracts against known-correct behaviour."""
