"""Jobs: small picklable pieces of work on untrusted text, for a worker with limits (`evaluators.isolation`)."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

StopKind: TypeAlias = Literal["timeout", "memory"]


class Job(Protocol):
    """A piece of work for a confined worker: picklable (a frozen dataclass at module level), small.

    A job that meets what it does not support, or nests too deeply for itself, says so in its result. An exception is a
    fault of the job.
    """

    def run(self) -> Any:
        """Do the work and return a picklable result."""
        ...


@dataclass(frozen=True, slots=True)
class Stopped:
    """A job that was given up: it took longer than its wall time (`timeout`), or its process died at the memory limit
    (`memory`). Never a result.
    """

    kind: StopKind
    message: str


class JobError(Exception):
    """A fault of our own code on a candidate: the type and message of the exception inside. Evidence says so
    (`evaluator_error`); it is no verdict on the candidate.
    """

    def __init__(self, type_name: str, message: str) -> None:
        super().__init__(f"{type_name}: {message}")
        self.type_name = type_name


@runtime_checkable
class Runner(Protocol):
    """Runs jobs."""

    def run(self, job: Job, wall_s: float) -> Any:
        """Return the job's result, or `Stopped`. Raises `JobError` for an exception inside the job."""
        ...


def _proxy(content: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(content)


def _reduce_proxy(proxy: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return _proxy, (dict(proxy),)


# The project's frozen dataclasses hold read-only mappings, which pickle cannot take by itself.
ForkingPickler.register(MappingProxyType, _reduce_proxy)

__all__ = ["Job", "JobError", "Runner", "StopKind", "Stopped"]
