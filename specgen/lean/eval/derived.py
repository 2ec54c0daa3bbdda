"""Instances that `deriving` makes and the library leaves opaque, as Python functions built from the type.

`BEq` and `Ord` go by constructors and fields; a field of a type variable uses the instance that was passed for it. A
field whose type has an instance of the text's own is left alone (`Unknown`): we would have to call it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import Const, FVar, Term
from specgen.lean.environment import Constant
from specgen.lean.eval.printing import Printer
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.types import Types, head_const
from specgen.lean.eval.values import Arr, Value, equal, from_list

Instance = Callable[..., Any]
_ORDERED: Final = frozenset(
    {"Nat", "Int", "Char", "String", "Bool", "Fin", "UInt8", "UInt16", "UInt32", "UInt64", "USize", "Rat"}
)


def derived_instance(c: Any, constant: Constant) -> Instance | None:
    """Return the function that makes an opaque instance from the instances it is given, or None for other constants."""
    types: Types = c.types
    xs, goal = types.telescope(constant.type)
    class_name = head_const(goal)
    if class_name not in _MAKERS:
        return None
    _, args = core.unfold_app(goal)
    if not args:
        return None
    kept: list[tuple[FVar, Term]] = []
    for x in xs:
        type_ = types.local_type(x)
        if not types.erased(type_):
            kept.append((x, type_))
    make = _MAKERS[class_name]

    def build(*given: Any) -> Any:
        dictionaries: dict[int, Any] = {}
        for (_, type_), value in zip(kept, given, strict=True):
            head, inner = core.unfold_app(type_)
            if isinstance(head, Const) and head.name == class_name and inner and isinstance(inner[0], FVar):
                dictionaries[inner[0].id] = value
        return make(_Maker(types, class_name, dictionaries), args[0])

    return build


class _Maker:
    """Type-directed equality, order and defaults; `given` has the instances of type variables."""

    def __init__(self, types: Types, class_name: str, given: dict[int, Any]) -> None:
        self.types = types
        self.class_name = class_name
        self.given = given
        self.printer = Printer(types)
        self._custom: dict[str, bool] = {}

    def custom(self, name: str) -> bool:
        """Tell whether the text declares its own instance of the class for a type."""
        found = self._custom.get(name)
        if found is None:
            found = False
            for inst in self.types.env.instance_names.get(self.class_name, []):
                constant = self.types.env.constants[inst]
                _, goal = self.types.telescope(constant.type)
                _, args = core.unfold_app(goal)
                if constant.value is not None and args and head_const(args[0]) == name:
                    found = True
            self._custom[name] = found
        return found

    def split(self, type_: Term) -> tuple[str, tuple[Term, ...], Any]:
        """Return the head of a type, its arguments, and the instance given for it when it is a variable."""
        normal = self.types.normal_type(type_)
        head, args = core.unfold_app(normal)
        if isinstance(head, FVar):
            if head.id not in self.given:
                raise Unknown("unsupported", f"{self.class_name} of a type variable")
            return "", args, self.given[head.id]
        if not isinstance(head, Const):
            raise Unknown("unsupported", f"{self.class_name} of a function type")
        if self.custom(head.name):
            raise Unknown("unsupported", f"{self.class_name} by an instance of the text inside a derived one")
        return head.name, args, None

    def equal(self, type_: Term, a: Value, b: Value) -> bool:
        """Decide `a == b` by the derived instance."""
        charge(1)
        name, args, given = self.split(type_)
        if given is not None:
            return bool(given[0](a)(b))
        match name:
            case "Float":
                return bool(a == b)
            case "List":
                xs, ys = from_list(a), from_list(b)
                return len(xs) == len(ys) and self._all(args[0], xs, ys)
            case "Array" | "Vector" if isinstance(a, Arr):
                return bool(a.size == b.size) and self._all(args[0], a.tolist(), b.tolist())
            case "Option":
                if a is None or b is None:
                    return a is None and b is None
                return self.equal(args[0], a[0], b[0])
        layout = self.types.layout(name)
        if layout is None or layout.shape not in ("tuple", "tagged", "wrapper"):
            return equal(a, b)
        if layout.shape == "wrapper":
            return self.equal(self.printer.fields(layout, 0, args)[layout.field][1], a, b)
        tag = a[0] if layout.shape == "tagged" else 0
        offset = 1 if layout.shape == "tagged" else 0
        if offset and b[0] != tag:
            return False
        for i, ((_, t), keep) in enumerate(
            zip(self.printer.fields(layout, tag, args), layout.relevant[tag], strict=True)
        ):
            if keep and not self.equal(t, a[i + offset], b[i + offset]):
                return False
        return True

    def _all(self, type_: Term, xs: list[Value], ys: list[Value]) -> bool:
        return False not in [self.equal(type_, x, y) for x, y in zip(xs, ys, strict=True)]

    def compare(self, type_: Term, a: Value, b: Value) -> int:
        """Return the derived `Ordering`: 0 lt, 1 eq, 2 gt."""
        charge(1)
        name, args, given = self.split(type_)
        if given is not None:
            return int(given[0](a)(b))
        if name in _ORDERED:
            return 0 if a < b else 2 if b < a else 1
        match name:
            case "List":
                return self._lexicographic(args[0], from_list(a), from_list(b))
            case "Option":
                if a is None or b is None:
                    return 1 if a is b else 0 if a is None else 2
                return self.compare(args[0], a[0], b[0])
        layout = self.types.layout(name)
        if layout is None:
            raise Unknown("unsupported", f"Ord of {name}")
        if layout.shape == "enum":
            return 0 if a < b else 2 if b < a else 1
        if layout.shape == "wrapper":
            return self.compare(self.printer.fields(layout, 0, args)[layout.field][1], a, b)
        if layout.shape not in ("tuple", "tagged"):
            raise Unknown("unsupported", f"Ord of {name}")
        tag = a[0] if layout.shape == "tagged" else 0
        offset = 1 if layout.shape == "tagged" else 0
        if offset and a[0] != b[0]:
            return 0 if a[0] < b[0] else 2
        for i, ((_, t), keep) in enumerate(
            zip(self.printer.fields(layout, tag, args), layout.relevant[tag], strict=True)
        ):
            order = self.compare(t, a[i + offset], b[i + offset]) if keep else 1
            if order != 1:
                return order
        return 1

    def _lexicographic(self, type_: Term, xs: list[Value], ys: list[Value]) -> int:
        for x, y in zip(xs, ys, strict=False):
            order = self.compare(type_, x, y)
            if order != 1:
                return order
        return 1 if len(xs) == len(ys) else 0 if len(xs) < len(ys) else 2

    def default(self, type_: Term, depth: int = 0) -> Value:
        """Return the default of a type as `deriving Inhabited` and the core instances choose it."""
        if depth > 50:
            raise Unknown("unsupported", "the default of a nested type")
        name, args, given = self.split(type_)
        if given is not None:
            return given[0]
        match name:
            case "Nat" | "Int" | "UInt8" | "UInt16" | "UInt32" | "UInt64" | "USize" | "Fin" | "BitVec":
                return 0
            case "Float":
                return 0.0
            case "Bool":
                return False
            case "Char":
                return "A"
            case "String":
                return ""
            case "List" | "PUnit" | "Unit":
                return ()
            case "Option":
                return None
            case "Array":
                return Arr([])
        layout = self.types.layout(name)
        if layout is None or layout.shape not in ("tuple", "tagged", "wrapper", "enum"):
            raise Unknown("unsupported", f"the default of {name}")
        if layout.shape == "enum":
            return 0
        fields = self.printer.fields(layout, 0, args)
        if layout.shape == "wrapper":
            raise Unknown("unsupported", f"the default of {name}")
        values = tuple(
            [
                self.default(t, depth + 1) if keep else None
                for (_, t), keep in zip(fields, layout.relevant[0], strict=True)
            ]
        )
        return values if layout.shape == "tuple" else (0, *values)


def _beq(maker: _Maker, type_: Term) -> Any:
    return (lambda a: lambda b: maker.equal(type_, a, b),)


def _ord(maker: _Maker, type_: Term) -> Any:
    return (lambda a: lambda b: maker.compare(type_, a, b),)


def _inhabited(maker: _Maker, type_: Term) -> Any:
    return (maker.default(type_),)


def _hashable(maker: _Maker, type_: Term) -> Any:
    def unknown(_: Any) -> Any:
        raise Unknown("unsupported", "the value of a hash")

    return (unknown,)


def _repr(maker: _Maker, type_: Term) -> Any:
    shower = Printer(maker.types, {i: _shower(d) for i, d in maker.given.items()})
    return (lambda a: lambda prec: shower.show(type_, a, prec),)


def _shower(dictionary: Any) -> Callable[[Any, int], str]:
    return lambda value, prec: str(dictionary[0](value)(prec))


_MAKERS: Final[dict[str, Callable[[_Maker, Term], Any]]] = {
    "BEq": _beq,
    "Ord": _ord,
    "Inhabited": _inhabited,
    "Hashable": _hashable,
    "Repr": _repr,
}
