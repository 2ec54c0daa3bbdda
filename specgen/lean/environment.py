"""The environment: constants with their types, and the version and imports that decide which of them exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Protocol, TypeAlias

from specgen.lean.core import Term

ConstantKind: TypeAlias = Literal["def", "theorem", "axiom", "opaque", "inductive", "constructor", "projection", "quot"]


@dataclass(frozen=True, slots=True)
class LeanEnv:
    """A Lean version and a set of imports: what a text is judged in.

    `version` is `(major, minor, patch)`; `imports` are module names (`Mathlib`, `Std.Data.HashMap`, …).
    """

    version: tuple[int, int, int] = (4, 24, 0)
    imports: tuple[str, ...] = ()

    @property
    def mathlib(self) -> bool:
        """Whether names of Mathlib are known."""
        return any(m.split(".")[0] == "Mathlib" for m in self.imports)

    @property
    def beyond(self) -> bool:
        """Whether there may be names that no table has: the tables are complete for core Lean and Std only."""
        return any(m.split(".")[0] not in ("Init", "Std") for m in self.imports)

    def importing(self, modules: Iterable[str]) -> LeanEnv:
        """Return this environment with further imports."""
        new = [m for m in modules if m not in self.imports]
        return LeanEnv(self.version, (*self.imports, *new)) if new else self


@dataclass(frozen=True, slots=True)
class Constant:
    """One constant.

    Attributes:
        name: full name.
        kind: what it is; a `def` has a value, an `opaque` of the library is a primitive of the evaluator.
        type: closed core term.
        value: closed core term of a `def` (None for others, and while a recursive definition is being elaborated).
        params: explicit parameter names in order, for named arguments (all binders of the type, in order).
        defaults: default values of parameters by position (closed terms over the earlier parameters, as a lambda).
        reducible: unfolded freely by unification (`abbrev`, `@[reducible]`).
        recursive: the definition refers to itself (directly or through its mutual group).
        inductive: for a constructor, the type it belongs to; for a projection, the structure.
        index: the constructor's number, or the projection's field number.
        sorry: its value or type contains an admitted proof.
        instance_of: class name when it is an instance.
    """

    name: str
    kind: ConstantKind
    type: Term
    value: Term | None = None
    params: tuple[str, ...] = ()
    defaults: tuple[tuple[int, Term], ...] = ()
    reducible: bool = False
    recursive: bool = False
    inductive: str = ""
    index: int = -1
    sorry: bool = False
    instance_of: str = ""
    protected: bool = False


class LazyConstant(Constant):
    """A constant of the library whose value is elaborated when it is first asked for."""

    __slots__ = ("_thunk", "_value")

    _thunk: Callable[[], Term | None] | None
    _value: Term | None

    @classmethod
    def of(cls, constant: Constant, thunk: Callable[[], Term | None]) -> LazyConstant:
        """Return `constant` with the value that `thunk` gives; while the thunk runs the value is None."""
        new = cls(**{f.name: getattr(constant, f.name) for f in fields(Constant)})
        object.__setattr__(new, "_thunk", thunk)
        return new

    @property
    def value(self) -> Term | None:
        """The value, elaborated now if need be."""
        thunk = self._thunk
        if thunk is not None:
            object.__setattr__(self, "_thunk", None)
            object.__setattr__(self, "_value", thunk())
        return self._value

    @value.setter
    def value(self, value: Term | None) -> None:
        object.__setattr__(self, "_thunk", None)
        object.__setattr__(self, "_value", value)


@dataclass(frozen=True, slots=True)
class InductiveInfo:
    """An inductive type (structures and classes too).

    `params` counts parameters, `indices` the indices after them. For a structure, `fields` names the fields in order
    (parents' fields flattened in front as Lean's parent projections `toA` where the parent is a class or structure).
    `field_defaults` are closed lambdas over the parameters and the fields before. `parent_defaults` are defaults that
    this structure gives to fields of its parents: `(field, fields needed, lambda over the parameters and those)`.
    """

    name: str
    params: int
    indices: int
    constructors: tuple[str, ...]
    fields: tuple[str, ...] = ()
    field_counts: tuple[int, ...] = ()
    is_structure: bool = False
    is_class: bool = False
    is_prop: bool = False
    recursive: bool = False
    parents: tuple[str, ...] = ()
    out_params: frozenset[int] = frozenset()
    field_defaults: tuple[tuple[int, Term], ...] = ()
    parent_defaults: tuple[tuple[str, tuple[str, ...], Term], ...] = ()


class LibraryProtocol(Protocol):
    """Where constants that the text does not declare come from (loaded lazily)."""

    def constant(self, name: str) -> Constant | None:
        """Return a constant by full name, or None where the library does not have it."""
        ...

    def inductive(self, name: str) -> InductiveInfo | None:
        """Return an inductive type of the library."""
        ...

    def instances(self, class_name: str) -> tuple[Constant, ...]:
        """Return the library's instances of a class, in order of declaration (the last has priority)."""
        ...

    def default_instances(self, class_name: str) -> tuple[Constant, ...]:
        """Return those marked `@[default_instance]`."""
        ...

    def has_namespace(self, name: str) -> bool:
        """Tell whether any constant of the library stands in this namespace."""
        ...

    def is_complete(self, namespace: str) -> bool:
        """Tell whether every function Lean knows in this namespace is in the table."""
        ...

    def is_uncovered(self, name: str) -> bool:
        """Tell whether some version of Lean has this name though the library lacks it."""
        ...

    def is_elsewhere(self, name: str) -> bool:
        """Tell whether the tables have this name, but under an import that is certainly not there."""
        ...

    def knows_root(self, name: str) -> bool:
        """Tell whether something of this name may exist at the root, in the table or beyond it."""
        ...


@dataclass(slots=True)
class Environment:
    """Constants declared by a text on top of a library. Grows while a file is elaborated; never shrinks."""

    lean: LeanEnv
    library: LibraryProtocol
    constants: dict[str, Constant] = field(default_factory=dict)
    inductives: dict[str, InductiveInfo] = field(default_factory=dict)
    instance_names: dict[str, list[str]] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    caches: dict[str, Any] = field(default_factory=dict)
    """What elaboration remembers about these constants, by purpose; entries about a redeclared name are dropped."""

    def get(self, name: str) -> Constant | None:
        """Return a constant by full name, the text's own first."""
        found = self.constants.get(name)
        return found if found is not None else self.library.constant(name)

    def get_inductive(self, name: str) -> InductiveInfo | None:
        """Return an inductive type by full name."""
        found = self.inductives.get(name)
        return found if found is not None else self.library.inductive(name)

    def add(self, constant: Constant) -> None:
        """Declare (or complete) a constant, and its namespaces."""
        self.constants[constant.name] = constant
        parts = constant.name.split(".")[:-1]
        for i in range(1, len(parts) + 1):
            self.namespaces.add(".".join(parts[:i]))
        if constant.instance_of:
            names = self.instance_names.setdefault(constant.instance_of, [])
            if constant.name not in names:
                names.append(constant.name)

    def instances(self, class_name: str) -> Iterator[Constant]:
        """Yield instances of a class, latest declared first."""
        for name in reversed(self.instance_names.get(class_name, [])):
            yield self.constants[name]
        yield from reversed(self.library.instances(class_name))


Primitive: TypeAlias = Callable[..., object]
