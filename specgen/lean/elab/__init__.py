"""Elaboration: names, types, terms, patterns, commands."""
