"""Values of a type, random with edges, and pseudo-random functions that parent and child compute alike.

Everything follows from the seed: a function value is a kind and a seed, and its result on some arguments is drawn by a
generator seeded with the text of both.
"""

from __future__ import annotations

import json
import random
import struct
from fractions import Fraction
from typing import Any, Final

from oracle.types import SEQUENCES, SIGNED, WORDS, Neutral, Ty

_NATS: Final = (255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64)
_HUGE: Final = (2**64 + 1, 10**20, 2**100, 3**70)
_CHARS: Final = "abcABCzZ019 \n\t-_,.\\\"'\x00\x7fé∀ßΣ٣\u00a0\u200b\ud7ff\ue000😀\U0010ffff"
_PLAIN: Final = "ab ,-1A"
_TEXTS: Final = (
    "",
    "0",
    "-12",
    "+5",
    "007",
    "1_000",
    "12 ",
    "  pad  ",
    "a,b,,c",
    "aXbXc",
    "∀x∈s",
    "é",
    "\x00",
    "true",
    "-",
    "_1",
)
_FLOATS: Final = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    1e300,
    -1e300,
    5e-324,
    0.1,
    255.5,
    256.0,
    -129.7,
    2.0**63,
    2.0**64,
)
_SPECIAL: Final = (float("inf"), float("-inf"), float("nan"))
_SIZE_LIMIT: Final = 70


class Uninhabited(Exception):  # noqa: N818
    """The type has no value (`Fin 0`), or none that we make."""


def nat(rng: random.Random, small: bool = False) -> int:
    """Return a natural number: mostly small, sometimes at an edge of a machine word, sometimes large."""
    r = rng.random()
    if r < 0.6 or small:
        return rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) if r < 0.5 else rng.randrange(_SIZE_LIMIT)
    if r < 0.75:
        return rng.randrange(300)
    if r < 0.9:
        return rng.choice(_NATS) + rng.choice((-1, 0, 0, 1))
    return rng.choice(_HUGE) if r < 0.95 else rng.getrandbits(rng.choice((20, 40, 63, 64, 90, 130)))


def word(rng: random.Random, bits: int) -> int:
    """Return an unsigned integer of at most `bits` bits, edges among them."""
    top = 1 << bits
    r = rng.random()
    if r < 0.4:
        return rng.randrange(12) % top
    if r < 0.6:
        return (top - 1 - rng.randrange(4)) % top
    if r < 0.8:
        return ((top >> 1) + rng.randrange(-2, 3)) % top
    return rng.randrange(top)


def floating(rng: random.Random) -> float:
    """Return a double: small, an edge, special, or any bits."""
    r = rng.random()
    if r < 0.35:
        return rng.choice(_FLOATS)
    if r < 0.45:
        return rng.choice(_SPECIAL)
    if r < 0.85:
        return rng.uniform(-20, 20)
    return float(struct.unpack("<d", rng.getrandbits(64).to_bytes(8, "little"))[0])


def character(rng: random.Random) -> str:
    """Return a character: ASCII mostly."""
    return rng.choice(_PLAIN) if rng.random() < 0.6 else rng.choice(_CHARS)


def text(rng: random.Random) -> str:
    """Return a short string."""
    r = rng.random()
    if r < 0.25:
        return rng.choice(_TEXTS)
    if r < 0.4:
        return "".join(rng.choice("0123456789-+_. e") for _ in range(rng.randrange(6)))
    letters = _PLAIN if r < 0.8 else _CHARS
    return "".join(rng.choice(letters) for _ in range(rng.randrange(9)))


def float_text(x: float) -> str:
    """Return a double as its neutral value; all NaNs are one."""
    return "nan" if x != x else x.hex()


def sample(rng: random.Random, ty: Ty, small: bool = False) -> Neutral:
    """Return a neutral value of a type.

    `small` keeps natural numbers below 70 (they are to be the size of something).

    Raises:
        Uninhabited: it has none.
    """
    head = ty.head
    if head == "Nat":
        return nat(rng, small)
    if head == "Int":
        return nat(rng, small) * rng.choice((1, -1))
    if head == "Bool":
        return rng.random() < 0.5
    if head == "Char":
        return character(rng)
    if head == "String":
        return text(rng)
    if head == "Float":
        return float_text(floating(rng))
    if head == "Fin":
        if ty.size <= 0:
            raise Uninhabited
        return rng.randrange(ty.size) if rng.random() < 0.7 else rng.choice((0, ty.size - 1))
    if head == "BitVec":
        return word(rng, ty.size)
    if head in WORDS:
        return word(rng, WORDS[head])
    if head in SIGNED:
        bits = SIGNED[head]
        n = word(rng, bits)
        return n - (1 << bits) if n >> (bits - 1) else n
    if head in SEQUENCES:
        n = ty.size if head == "Vector" else rng.choice((0, 1, 2, 3, 3, 4, 5, 7))
        return elements(rng, ty.args[0], n)
    if head == "Option":
        return None if rng.random() < 0.3 else [sample(rng, ty.args[0])]
    if head == "fn":
        return {"fn": [_kind(rng, ty), rng.randrange(1000)]}
    if head == "map":
        return _map(rng, ty)
    if head == "Rat":
        q = Fraction(nat(rng) * rng.choice((1, -1)), 1 + nat(rng, rng.random() < 0.8))
        return [q.numerator, q.denominator]
    if ty.name in ("Subarray", "Std.Range", "Substring"):
        return _range(rng, ty)
    if head == "data":
        if not ty.constructors:
            raise Uninhabited
        tag = rng.randrange(len(ty.constructors))
        return [tag, *[sample(rng, f, small=True) for f in ty.constructors[tag] if f.head != "erased"]]
    raise Uninhabited


def _map(rng: random.Random, ty: Ty) -> list[Neutral]:
    """Return the entries of a map with different keys, or the elements of a set, in order of the keys."""
    found = {json.dumps(k): k for k in elements(rng, ty.args[0], rng.choice((0, 1, 2, 3, 4, 6)))}
    keys = sorted(found.values(), key=order_key)
    return keys if len(ty.args) == 1 else [[0, k, sample(rng, ty.args[1])] for k in keys]


def _range(rng: random.Random, ty: Ty) -> list[Neutral]:
    """Return a part of an array or string, or a range of numbers with a step that is not zero."""
    if ty.name == "Std.Range":
        return [0, rng.randrange(8), rng.randrange(24), 1 + rng.randrange(4)]
    items = sample(rng, ty.constructors[0][0])
    if ty.name == "Substring":
        ends = sorted(len(items[: rng.randrange(len(items) + 1)].encode()) for _ in range(2))
        return [0, items, [0, ends[0]], [0, ends[1]]]
    start, stop = sorted((rng.randrange(len(items) + 1), rng.randrange(len(items) + 1)))
    return [0, items, start, stop]


def elements(rng: random.Random, ty: Ty, n: int) -> list[Neutral]:
    """Return `n` values, often with repetitions."""
    if n > 2 and rng.random() < 0.5:
        pool = [sample(rng, ty) for _ in range(2)]
        return [rng.choice(pool) for _ in range(n)]
    out = [sample(rng, ty) for _ in range(n)]
    if ty.head in ("Nat", "Int", "String", "Char") and rng.random() < 0.2:
        out.sort()
    return out


# ------------------------------------------------------------------------------------------------------------ functions


def _kind(rng: random.Random, ty: Ty) -> str:
    """Choose how a function of a type computes."""
    *params, result = ty.args
    data = [p for p in params if p.head not in ("erased", "fn")]
    kinds = ["hash"]
    if result.head == "Bool":
        kinds += ["hash", "true", "false"]
        if len(data) == 2 and data[0] == data[1]:
            kinds += ["le", "le", "lt", "ge", "eq"]
    if result.head == "data" and result.name == "Ordering" and len(data) == 2 and data[0] == data[1]:
        kinds += ["compare", "compare", "converse"]
    if result in data:
        kinds += [f"arg{data.index(result)}"]
    return rng.choice(kinds)


def order_key(value: Neutral) -> Any:
    """Return a key under which values of one type compare as Lean compares them (numbers, texts, sequences, pairs)."""
    if isinstance(value, list):
        return [order_key(v) for v in value]
    return [] if value is None else value


def compare(a: Neutral, b: Neutral) -> int:
    """Return the tag of Lean's `Ordering`: 0 for less, 1 for equal, 2 for greater."""
    x, y = order_key(a), order_key(b)
    return 0 if x < y else 1 if x == y else 2


def call(spec: Neutral, ty: Ty, args: list[Neutral]) -> Neutral:
    """Apply a function value to its arguments that are data (erased ones left out).

    Raises:
        Uninhabited: the result type has no value.
    """
    kind, seed = spec["fn"]
    result = ty.args[-1]
    if kind == "true":
        return True
    if kind == "false":
        return False
    if kind in ("le", "lt", "ge", "eq"):
        order = compare(args[0], args[1])
        return {"le": order < 2, "lt": order == 0, "ge": order > 0, "eq": order == 1}[kind]
    if kind in ("compare", "converse"):
        order = compare(args[0], args[1])
        return [order if kind == "compare" else 2 - order]
    if kind.startswith("arg"):
        return args[int(kind[3:])]
    rng = random.Random(f"{seed}:{json.dumps(args)}")
    return sample(rng, result, small=True)
