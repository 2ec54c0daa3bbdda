"""Errors that stop a run. A call that merely fails is a `ModelFailure`, which is data and never raised."""

from __future__ import annotations

from specgen.errors import BudgetReachedError, EnvironmentMissingError, UserError


class MissingKeyError(EnvironmentMissingError):
    """The provider of the model needs an API key and none is set (exit code 3)."""

    code = "lm-missing-key"


class WrongKeyError(UserError):
    """The provider refused the API key, or the key may not use this model (exit code 2)."""

    code = "lm-wrong-key"


class QuotaExhaustedError(EnvironmentMissingError):
    """The account behind the key has no credit left (exit code 3)."""

    code = "lm-quota"


class UnknownModelError(UserError):
    """No provider, or no simulated model, has this name (exit code 2)."""

    code = "lm-unknown-model"


class BadModelRequestError(UserError):
    """The provider refused the request as malformed: an option or a value it does not take (exit code 2)."""

    code = "lm-bad-request"


class UnreachableServerError(EnvironmentMissingError):
    """No connection to the model server could ever be made in this run (exit code 3)."""

    code = "lm-unreachable"


class OutageError(EnvironmentMissingError):
    """A server that had been asked again and again did not answer for too long (exit code 3, state saved)."""

    code = "lm-outage"


class DeadlineReachedError(BudgetReachedError):
    """The run's time is up (exit code 4, state saved)."""

    code = "lm-deadline"


class EmbeddingFailedError(EnvironmentMissingError):
    """Texts could not be embedded, retries included (exit code 3)."""

    code = "lm-embedding"


class PriceUnknownError(UserError):
    """A dollar cap was set for a model whose price is not known (exit code 2)."""

    code = "lm-price-unknown"


class StoreError(EnvironmentMissingError):
    """The file that holds replies and the ledger cannot be opened or written (exit code 3)."""

    code = "lm-store"


class ScriptExhaustedError(UserError):
    """A scripted model was asked for more replies than its script has (exit code 2)."""

    code = "lm-script-exhausted"


__all__ = [
    "BadModelRequestError",
    "BudgetReachedError",
    "DeadlineReachedError",
    "EmbeddingFailedError",
    "MissingKeyError",
    "OutageError",
    "PriceUnknownError",
    "QuotaExhaustedError",
    "ScriptExhaustedError",
    "StoreError",
    "UnknownModelError",
    "UnreachableServerError",
    "WrongKeyError",
]
