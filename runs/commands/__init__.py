"""The work behind each command."""
