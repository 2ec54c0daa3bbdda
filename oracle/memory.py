"""Lean objects in memory: neutral values to objects and back, through ctypes, in the child process.

The layout is that of Lean's `lean.h` on a 64-bit machine: a header of 8 bytes (reference count, size, `other`, tag),
then the fields. Objects made here have reference count 0 (never freed, never changed in place); what Lean returns is
leaked.
"""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Callable
from typing import Any, Final

from oracle import samples
from oracle.symbols import mangle
from oracle.types import BOOL, INT, NAT, SEQUENCES, SIGNED, WORDS, Neutral, Ty, pair

CLOSURE: Final = 245
ARRAY: Final = 246
SCALAR_ARRAY: Final = 248
STRING: Final = 249
BIG: Final = 250

_KEEP: list[Any] = []
"""Memory and callbacks that Lean holds pointers to."""

MAX_ITEMS: Final = 1_000_000


class LayoutError(Exception):
    """An object is not of the shape that its type says."""


def box(n: int) -> int:
    """Return a scalar as an object."""
    return ((n << 1) | 1) & (2**64 - 1)


def read_word(address: int, offset: int) -> int:
    """Return 8 bytes at an offset as an unsigned number."""
    return int(ctypes.c_uint64.from_address(address + offset).value)


def tag_of(obj: int) -> int:
    """Return the tag of an object (not of a scalar)."""
    return int(ctypes.c_uint8.from_address(obj + 7).value)


def make(tag: int, other: int, body: bytes) -> int:
    """Return a new object that is never freed."""
    size = 8 + len(body)
    data = struct.pack("<iHBB", 0, size if tag < CLOSURE and size < 4096 else 0, other, tag) + body
    buffer = (ctypes.c_uint64 * ((len(data) + 7) // 8))()
    ctypes.memmove(buffer, data, len(data))
    _KEEP.append(buffer)
    return ctypes.addressof(buffer)


def constructor(tag: int, fields: list[int]) -> int:
    """Return a constructor object of object fields; a scalar where there are none."""
    if not fields:
        return box(tag)
    return make(tag, len(fields), struct.pack(f"<{len(fields)}Q", *fields))


def _entries(ty: Ty) -> Ty:
    """Return the type of the list of a map's entries (of a set's elements)."""
    return Ty("List", (ty.args[0] if len(ty.args) == 1 else pair(*ty.args),))


class Marshal:
    """Converts values; `library` is the loaded Lean library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        self.failures: list[str] = []
        """What went wrong inside callbacks since the last call."""
        for name in ("lean_cstr_to_nat", "lean_cstr_to_int"):
            function = getattr(library, name)
            function.restype = ctypes.c_void_p
            function.argtypes = [ctypes.c_char_p]

    # ---- to Lean

    def big(self, n: int, converter: str) -> int:
        """Return a number beyond the small ones."""
        obj = int(getattr(self.library, converter)(str(n).encode()))
        ctypes.c_int32.from_address(obj).value = 0
        return obj

    def to_lean(self, ty: Ty, value: Neutral) -> int:
        """Return the object of a neutral value, boxed."""
        head = ty.head
        if head in ("Nat", "Fin", "BitVec"):
            return box(value) if value < 2**63 else self.big(value, "lean_cstr_to_nat")
        if head == "Int":
            small = -(2**31) <= value < 2**31
            return box(value & 0xFFFFFFFF) if small else self.big(value, "lean_cstr_to_int")
        if head == "Bool":
            return box(int(value))
        if head == "Char":
            return box(ord(value))
        if head == "String":
            return self._string(value)
        if head == "Float":
            return make(0, 0, struct.pack("<d", float.fromhex(value)))
        if head in WORDS or head in SIGNED:
            bits = WORDS.get(head) or SIGNED[head]
            n = value & ((1 << bits) - 1)
            return make(0, 0, struct.pack("<Q", n)) if bits == 64 else box(n)
        if head in SEQUENCES:
            return self._sequence(ty, value)
        if head == "Option":
            return box(0) if value is None else constructor(1, [self.to_lean(ty.args[0], value[0])])
        if head == "fn":
            return self._closure(ty, value)
        if head == "map":
            return self._map(ty, value)
        if head == "Rat":
            return constructor(0, [self.to_lean(INT, value[0]), self.to_lean(NAT, value[1])])
        if ty.name == "ByteArray":
            return make(SCALAR_ARRAY, 1, struct.pack("<QQ", len(value[1]), len(value[1])) + bytes(value[1]))
        if head == "data":
            return self._data(ty, value)
        return box(0)

    def _string(self, value: str) -> int:
        raw = value.encode() + b"\0"
        return make(STRING, 0, struct.pack("<QQQ", len(raw), len(raw), len(value)) + raw)

    def _sequence(self, ty: Ty, value: list[Neutral]) -> int:
        items = [self.to_lean(ty.args[0], v) for v in value]
        if ty.head != "List":
            return make(ARRAY, 0, struct.pack(f"<QQ{len(items)}Q", len(items), len(items), *items))
        cells = box(0)
        for item in reversed(items):
            cells = constructor(1, [item, cells])
        return cells

    def _data(self, ty: Ty, value: list[Neutral]) -> int:
        tag, *fields = value
        kept = [f for f in ty.constructors[tag] if f.head != "erased"]
        objects = [self.to_lean(f, v) for f, v in zip(kept, fields, strict=True)]
        return objects[0] if ty.wrapped is not None else constructor(tag, objects)

    def _closure(self, ty: Ty, spec: Neutral) -> int:
        *params, result = ty.args

        def apply(*objects: int) -> int:
            args = [self.from_lean(p, o or 0) for p, o in zip(params, objects, strict=True) if p.head != "erased"]
            return self.to_lean(result, samples.call(spec, ty, args))

        return self.callback(len(params), apply)

    def callback(self, arity: int, apply: Callable[..., int]) -> int:
        """Return a closure object that calls Python with `arity` objects."""

        def safe(*objects: int) -> int:
            try:
                return apply(*objects)
            except Exception as error:  # noqa: BLE001 - an exception must not cross Lean's frames; the caller reports it
                self.failures.append(f"{type(error).__name__}: {error}")
                return box(0)

        pointer = ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * arity)(safe)
        _KEEP.append(pointer)
        address = ctypes.cast(pointer, ctypes.c_void_p).value or 0
        return make(CLOSURE, 0, struct.pack("<QHHI", address, arity, 0, 0))

    def relation(self, ty: Ty, orders: tuple[int, ...]) -> int:
        """Return a closure that tells whether two values compare in one of some ways."""

        def test(a: int, b: int) -> int:
            return self.to_lean(BOOL, samples.compare(self.from_lean(ty, a), self.from_lean(ty, b)) in orders)

        return self.callback(2, test)

    def comparison(self, ty: Ty) -> int:
        """Return a closure that compares two values."""
        return self.callback(2, lambda a, b: box(samples.compare(self.from_lean(ty, a), self.from_lean(ty, b))))

    def hashing(self, ty: Ty) -> int:
        """Return a closure that hashes a value; what is compared must not depend on how."""

        def apply(a: int) -> int:
            return self.to_lean(Ty("UInt64"), zlib.crc32(repr(self.from_lean(ty, a)).encode()))

        return self.callback(1, apply)

    def _map(self, ty: Ty, value: list[Neutral]) -> int:
        return self._of_map(ty, "ofList", self.to_lean(_entries(ty), value))

    def _of_map(self, ty: Ty, function: str, argument: int) -> int:
        """Call a function of a map's module on one argument: types, instances or comparison, then the argument."""
        key = ty.args[0]
        types = [box(0)] * len(ty.args)
        if "Hash" in ty.name:
            before = [*types, self.relation(key, (1,)), self.hashing(key)]
            after: list[int] = []
        elif function == "ofList":
            before, after = types, [self.comparison(key)]
        else:
            before, after = [*types, self.comparison(key)], []
        call = getattr(self.library, f"{mangle(ty.name)}_{function}")
        boxed = f"{mangle(ty.name)}_{function}___boxed"
        if hasattr(self.library, boxed):
            call = getattr(self.library, boxed)
        arguments = [*before, argument, *after]
        call.restype = ctypes.c_void_p
        call.argtypes = [ctypes.c_void_p] * len(arguments)
        return int(call(*arguments) or 0)

    # ---- from Lean

    def from_lean(self, ty: Ty, obj: int) -> Neutral:
        """Return the neutral value of a boxed object.

        Raises:
            LayoutError: the object cannot be a value of the type.
        """
        head = ty.head
        if head in ("Nat", "Fin", "BitVec"):
            return obj >> 1 if obj & 1 else self._mpz(obj)
        if head == "Int":
            if not obj & 1:
                return self._mpz(obj)
            n = (obj >> 1) & 0xFFFFFFFF
            return n - 2**32 if n >= 2**31 else n
        if head == "Bool":
            return self._scalar(obj, 2) == 1
        if head == "Char":
            return chr(self._scalar(obj, 0x110000))
        if head == "String":
            return self._text(obj)
        if head == "Float":
            return samples.float_text(struct.unpack("<d", struct.pack("<Q", read_word(self._pointer(obj), 8)))[0])
        if head in WORDS or head in SIGNED:
            bits = WORDS.get(head) or SIGNED[head]
            n = read_word(self._pointer(obj), 8) if bits == 64 else self._scalar(obj, 1 << bits)
            return n - (1 << bits) if head in SIGNED and n >> (bits - 1) else n
        if head in SEQUENCES:
            return [self.from_lean(ty.args[0], o) for o in (self._cells(obj) if head == "List" else self._items(obj))]
        if head == "Option":
            return None if obj == box(0) else [self.from_lean(ty.args[0], read_word(self._tagged(obj, 1), 8))]
        if head == "map":
            found = self.from_lean(_entries(ty), self._of_map(ty, "toList", obj))
            return sorted(found, key=samples.order_key)
        if head == "Rat":
            self._tagged(obj, 0)
            return [self.from_lean(INT, read_word(obj, 8)), self.from_lean(NAT, read_word(obj, 16))]
        if ty.name == "ByteArray":
            self._tagged(obj, SCALAR_ARRAY)
            return [0, list(ctypes.string_at(obj + 24, read_word(obj, 8)))]
        if head == "data":
            return self._read_data(ty, obj)
        if head == "slice":
            return self._slice(obj)
        raise LayoutError(f"a result of type {ty}")

    def _pointer(self, obj: int) -> int:
        if obj & 1 or obj < 4096:
            raise LayoutError(f"an object was expected, {obj:#x} given")
        return obj

    def _tagged(self, obj: int, tag: int) -> int:
        if tag_of(self._pointer(obj)) != tag:
            raise LayoutError(f"tag {tag} was expected, {tag_of(obj)} given")
        return obj

    def _scalar(self, obj: int, bound: int) -> int:
        if not obj & 1 or obj >> 1 >= bound:
            raise LayoutError(f"a scalar below {bound} was expected, {obj:#x} given")
        return obj >> 1

    def _mpz(self, obj: int) -> int:
        self._tagged(obj, BIG)
        size = ctypes.c_int32.from_address(obj + 12).value
        limbs = ctypes.string_at(read_word(obj, 16), abs(size) * 8)
        n = int.from_bytes(limbs, "little")
        return -n if size < 0 else n

    def _text(self, obj: int) -> str:
        self._tagged(obj, STRING)
        return ctypes.string_at(obj + 32, read_word(obj, 8) - 1).decode()

    def _slice(self, obj: int) -> str:
        """Read `String.Slice`: the string, the first and the last byte position."""
        self._tagged(obj, 0)
        raw = self._text(read_word(obj, 8)).encode()
        start, stop = (self.from_lean(NAT, read_word(obj, at)) for at in (16, 24))
        return raw[start:stop].decode()

    def _cells(self, obj: int) -> list[int]:
        items: list[int] = []
        while obj != box(0):
            items.append(read_word(self._tagged(obj, 1), 8))
            obj = read_word(obj, 16)
            if len(items) > MAX_ITEMS:
                raise LayoutError("a list without end")
        return items

    def _items(self, obj: int) -> list[int]:
        size = read_word(self._tagged(obj, ARRAY), 8)
        if size > MAX_ITEMS:
            raise LayoutError(f"an array of {size} elements")
        return [read_word(obj, 24 + 8 * i) for i in range(size)]

    def _read_data(self, ty: Ty, obj: int) -> Neutral:
        wrapped = ty.wrapped
        if wrapped is not None:
            return [0, self.from_lean(wrapped, obj)]
        tag = obj >> 1 if obj & 1 else tag_of(self._pointer(obj))
        if tag >= len(ty.constructors):
            raise LayoutError(f"constructor {tag} of {ty}")
        kept = [f for f in ty.constructors[tag] if f.head != "erased"]
        if kept and obj & 1:
            raise LayoutError(f"constructor {tag} of {ty} without its fields")
        return [tag, *[self.from_lean(f, read_word(obj, 8 + 8 * i)) for i, f in enumerate(kept)]]
