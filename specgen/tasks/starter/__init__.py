"""The starter set: tasks that the specgen authors wrote themselves, one TOML file each in `data/`.

A file is named after its task and holds:

- `requirement`, `name`, `parameters` (pairs of name and type), `result` (a type), `difficulty`, `control_flow`,
  `theme`;
- `trap`, optional: how the obvious specification goes wrong; `several_results`, optional: some input has more than one
  acceptable output; `preamble`, optional: user types;
- `definitions`, optional: helpers of the reference contracts;
- `precondition` (optional) and `postcondition`: bodies over the parameters and `result`; `relational`: a body over
  `impl` and the parameters. Headers are added here, so that parameters and types are written once;
- `implementation`: complete Lean text;
- `accepted` and `rejected`: rows of the inputs followed by one or more outputs; the first accepted output of an input
  is the one the implementation returns; `required` and `forbidden`: rows of inputs. Every value is a Lean term.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import indent
from types import MappingProxyType
from typing import Any, cast, get_args

from specgen.errors import SpecgenError
from specgen.tasks.model import (
    ContractSource,
    Difficulty,
    Implementation,
    Inputs,
    Labels,
    LeanContext,
    Pair,
    Parameter,
    Provenance,
    Signature,
    Task,
)

__all__ = ["load_starter", "parse_starter"]

LEAN_VERSION = "4.24.0"
LICENCE = "Apache-2.0"
CONTROL_FLOWS = ("straight", "branching", "recursion", "loop")

_REQUIRED = ("requirement", "name", "parameters", "result", "difficulty", "control_flow", "theme")
_TEXTS = ("postcondition", "relational", "implementation")
_TABLES = ("accepted", "rejected", "required", "forbidden")
_OPTIONAL = ("trap", "several_results", "preamble", "definitions", "precondition")


def load_starter() -> tuple[Task, ...]:
    """Return the tasks of the starter set, in the order of their ids."""
    folder = files(__name__) / "data"
    tasks = (_load(entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(tasks, key=lambda task: task.id))


def parse_starter(text: str, stem: str) -> Task:
    """Return the task that a file of the starter set describes.

    Args:
        text: the file's content.
        stem: the file's name without its ending; the task's id is `starter_` followed by it.

    Raises:
        SpecgenError: the text is not TOML, or a field is missing, unknown or of the wrong shape.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecgenError(f"Starter task {stem}: {error}") from error
    _check_fields(record, stem)
    return _Record(stem, record).task()


def _load(entry: Traversable) -> Task:
    return parse_starter(entry.read_text(encoding="utf-8"), entry.name.removesuffix(".toml"))


def _check_fields(record: Mapping[str, Any], stem: str) -> None:
    needed = (*_REQUIRED, *_TEXTS, *_TABLES[:3])
    missing = [key for key in needed if key not in record]
    unknown = [key for key in record if key not in (*needed, *_TABLES, *_OPTIONAL)]
    if missing or unknown:
        raise SpecgenError(f"Starter task {stem}: missing fields {missing}, unknown fields {unknown}")
    if record["difficulty"] not in get_args(Difficulty) or record["control_flow"] not in CONTROL_FLOWS:
        raise SpecgenError(f"Starter task {stem}: difficulty or control_flow has a value that is not known")


@dataclass(frozen=True, slots=True)
class _Record:
    """One file's fields, checked for presence, on their way to a task."""

    stem: str
    fields: Mapping[str, Any]

    def task(self) -> Task:
        signature = self._signature()
        return Task(
            id=f"starter_{self.stem}",
            requirement=" ".join(self._text("requirement").split()),
            signature=signature,
            context=LeanContext(LEAN_VERSION, (), self._text("preamble")),
            provenance=Provenance("starter", self.stem, LICENCE, f"specgen/tasks/starter/data/{self.stem}.toml"),
            references=(self._prepost(signature), self._relational(signature)),
            implementation=Implementation(self._text("implementation") + "\n", signature.name),
            labels=self._labels(len(signature.parameters)),
            difficulty=cast(Difficulty, self.fields["difficulty"]),
            metadata=MappingProxyType(self._metadata(signature)),
        )

    def _text(self, key: str) -> str:
        text = self.fields.get(key, "")
        if not isinstance(text, str):
            raise SpecgenError(f"Starter task {self.stem}: {key} is not a text")
        return text.strip("\n")

    def _signature(self) -> Signature:
        parameters = tuple(Parameter(name, type_) for name, type_ in self.fields["parameters"])
        return Signature(self.fields["name"], parameters, self.fields["result"])

    def _metadata(self, signature: Signature) -> dict[str, str]:
        entries = {
            "result_kind": _result_kind(signature.result_type),
            "control_flow": self.fields["control_flow"],
            "theme": self.fields["theme"],
            "results": "several" if self.fields.get("several_results", False) else "unique",
        }
        return entries | ({"trap": self.fields["trap"]} if "trap" in self.fields else {})

    def _prepost(self, signature: Signature) -> ContractSource:
        name, binders = signature.name, signature.binders()
        parts = [self._text("definitions")]
        if "precondition" in self.fields:
            parts.append(f"def {name}_precond {binders} : Prop :=\n{self._body('precondition')}")
        head = f"def {name}_postcond {binders} (result : {signature.result_type}) : Prop :="
        parts.append(f"{head}\n{self._body('postcondition')}")
        precondition = f"{name}_precond" if "precondition" in self.fields else ""
        return ContractSource("prepost", _join(parts), f"{name}_postcond", precondition)

    def _relational(self, signature: Signature) -> ContractSource:
        head = f"def {signature.name}_spec (impl : {signature.function_type()}) {signature.binders()} : Prop :="
        text = _join([self._text("definitions"), f"{head}\n{self._body('relational')}"])
        return ContractSource("relational", text, f"{signature.name}_spec")

    def _body(self, key: str) -> str:
        return indent(self._text(key), "  ")

    def _labels(self, arity: int) -> Labels:
        return Labels(
            accepted=tuple(self._pairs("accepted", arity)),
            rejected=tuple(self._pairs("rejected", arity)),
            required=tuple(self._inputs("required", arity)),
            forbidden=tuple(self._inputs("forbidden", arity)),
        )

    def _pairs(self, key: str, arity: int) -> Iterator[Pair]:
        for row in self._rows(key, arity + 1, None):
            inputs = tuple(row[:arity])
            yield from (Pair(inputs, output) for output in row[arity:])

    def _inputs(self, key: str, arity: int) -> Iterator[Inputs]:
        return (tuple(row) for row in self._rows(key, arity, arity))

    def _rows(self, key: str, least: int, most: int | None) -> Sequence[Sequence[str]]:
        rows: Sequence[Sequence[str]] = self.fields.get(key, ())
        for row in rows:
            texts = isinstance(row, list) and all(isinstance(value, str) for value in row)
            if not texts or len(row) < least or (most is not None and len(row) > most):
                raise SpecgenError(f"Starter task {self.stem}: {key} has a row of the wrong shape: {row}")
        return rows


def _join(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def _result_kind(type_: str) -> str:
    """Return the head of a type, `Prod` for a product, and `User` for a type of the preamble."""
    depth = 0
    for symbol in type_:
        depth += {"(": 1, ")": -1}.get(symbol, 0)
        if symbol == "×" and depth == 0:
            return "Prod"
    head = type_.split()[0]
    known = ("Nat", "Int", "Bool", "Char", "String", "List", "Array", "Option")
    return head if head in known else "User"
