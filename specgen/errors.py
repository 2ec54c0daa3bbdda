"""The one error base class, and the exit codes that the command line promises.

A failed *case* (a candidate that does not parse, a check that times out) is data and never raises. These errors are for
a failed *system* or a user's mistake; each carries what happened, where, and a remedy.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the `specgen` command."""

    DONE = 0
    FINDINGS = 1
    USER_ERROR = 2
    MISSING_ENVIRONMENT = 3
    BUDGET_REACHED = 4
    INTERNAL_ERROR = 70
    INTERRUPTED = 130


class SpecgenError(Exception):
    """Base of every error that specgen raises on purpose.

    Args:
        message: what went wrong and where, one line, no final full stop.
        remedy: what the user can do about it, one line; empty when there is nothing to do.
    """

    code: str = "specgen"
    exit_code: ExitCode = ExitCode.USER_ERROR

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def one_line(self) -> str:
        """Return the single line that a person sees."""
        text = f"{self.message}. {self.remedy}" if self.remedy else self.message
        return " ".join(text.split())


class UserError(SpecgenError):
    """The user's input is wrong: a path, a config key, a value, a record (exit code 2)."""

    code = "user"


class EnvironmentMissingError(SpecgenError):
    """Something outside specgen is not there: a key, a package, a server (exit code 3)."""

    code = "environment"
    exit_code = ExitCode.MISSING_ENVIRONMENT


class BudgetReachedError(SpecgenError):
    """A hard cap was reached; the state is saved and the run can be resumed (exit code 4)."""

    code = "budget"
    exit_code = ExitCode.BUDGET_REACHED
