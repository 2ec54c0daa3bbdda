"""Runs: experiments, their folders and tables, and the command line."""
