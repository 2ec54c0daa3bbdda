"""Primitives of `String` by characters: taking apart, searching, numbers."""

from __future__ import annotations

from specgen.lean.eval.runtime import Unknown, charge, charge_cells
from specgen.lean.library.prims.nats import ordering
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, V, items, lean, utf8_length

_WHITESPACE = " \t\r\n"


def text(n: int) -> None:
    """Take memory for a string of n characters (or raise at once)."""
    charge(n // 8 + 1)
    if n > 64:
        charge_cells(n // 64)


# ----------------------------------------------------------------------------------------------------------- characters


def char_of(n: int) -> str:
    """Return the character of a code point; of what is none, the character 0."""
    return chr(n) if n < 0xD800 or 0xDFFF < n < 0x110000 else "\0"


@prim("Char.ofNat", "Char.ofNatAux")
def char_of_nat(n: int) -> str:
    """`Char.ofNat n`; `'\\0'` where n is no scalar value."""
    return char_of(n)


@prim("Char.toNat", "Char.val")
def char_to_nat(c: str) -> int:
    """The code point."""
    return ord(c)


@prim("Char.toUInt8")
def char_to_uint8(c: str) -> int:
    """The code point modulo 256."""
    return ord(c) & 0xFF


@prim("Char.ofUInt8")
def char_of_uint8(n: int) -> str:
    """The character of a byte."""
    return chr(n)


@prim("Char.lt", "String.lt")
def less(a: str, b: str) -> bool:
    """`a < b` by code points."""
    return a < b


@prim("Char.le", "String.le")
def less_equal(a: str, b: str) -> bool:
    """`a ≤ b` by code points."""
    return a <= b


@prim("String.compareInternal")
def compare(a: str, b: str) -> int:
    """`compare a b` as an `Ordering`."""
    return ordering(a, b)


@prim("Char.toString", "String.singleton")
def char_to_string(c: str) -> str:
    """The string of one character."""
    return c


@prim("Char.isWhitespace")
def is_whitespace(c: str) -> bool:
    """Space, tab, carriage return, line feed; nothing else."""
    return c in _WHITESPACE


@prim("Char.isUpper")
def is_upper(c: str) -> bool:
    """A to Z."""
    return "A" <= c <= "Z"


@prim("Char.isLower")
def is_lower(c: str) -> bool:
    """a to z (lower case)."""
    return "a" <= c <= "z"


@prim("Char.isAlpha")
def is_alpha(c: str) -> bool:
    """An ASCII letter."""
    return "a" <= c <= "z" or "A" <= c <= "Z"


@prim("Char.isDigit")
def is_digit(c: str) -> bool:
    """0 to 9."""
    return "0" <= c <= "9"


@prim("Char.isAlphanum")
def is_alphanum(c: str) -> bool:
    """An ASCII letter or digit."""
    return is_alpha(c) or is_digit(c)


@prim("Char.isHexDigit")
def is_hex_digit(c: str) -> bool:
    """0 to 9, a to f, A to F."""
    return is_digit(c) or "a" <= c <= "f" or "A" <= c <= "F"


@prim("Char.toLower")
def to_lower_char(c: str) -> str:
    """ASCII only."""
    return chr(ord(c) + 32) if is_upper(c) else c


@prim("Char.toUpper")
def to_upper_char(c: str) -> str:
    """ASCII only."""
    return chr(ord(c) - 32) if is_lower(c) else c


@prim("Char.utf8Size")
def utf8_size(c: str) -> int:
    """The number of bytes in UTF-8."""
    return utf8_length(c)


def escape(c: str) -> str:
    """Return a character as `String.quote` writes it."""
    found = {"\n": "\\n", "\t": "\\t", "\\": "\\\\", '"': '\\"'}.get(c)
    if found is not None:
        return found
    n = ord(c)
    return f"\\x{n:02x}" if n <= 31 or n == 0x7F else c


@prim("Char.quoteCore")
def quote_core(c: str) -> str:
    """`c.quoteCore`; for quotation marks it differs between versions."""
    if c in "'\"":
        raise Unknown("undecided", "how Lean writes a quotation mark as a Char differs between versions")
    return escape(c)


@prim("Char.quote")
def quote_char(c: str) -> str:
    """`c.quote`: as a character literal."""
    return "'" + quote_core(c) + "'"


@prim("String.quote")
def quote(s: str) -> str:
    """`s.quote`: as a string literal."""
    text(len(s))
    return '"' + "".join([escape(c) for c in s]) + '"'


# --------------------------------------------------------------------------------------------------- building, taking


@prim("String.length")
def length(s: str) -> int:
    """The number of characters."""
    return len(s)


@prim("String.isEmpty")
def is_empty(s: str) -> bool:
    """Whether there are no characters."""
    return not s


@prim("String.append")
def append(s: str, t: str) -> str:
    """`s ++ t`."""
    text(len(s) + len(t))
    return s + t


@prim("String.push")
def push(s: str, c: str) -> str:
    """`s.push c`."""
    text(len(s))
    return s + c


@prim("String.pushn")
def pushn(s: str, c: str, n: int) -> str:
    """`s.pushn c n`."""
    text(len(s) + n)
    return s + c * n


@prim("String.replicate")
def replicate(n: int, c: str) -> str:
    """Mathlib's `String.replicate n c`."""
    text(n)
    return c * n


@prim("String.leftpad")
def leftpad(n: int, c: str, s: str) -> str:
    """Mathlib's `String.leftpad n c s`."""
    text(n)
    return c * max(0, n - len(s)) + s


@prim("String.rightpad")
def rightpad(n: int, c: str, s: str) -> str:
    """Mathlib's `String.rightpad n c s`."""
    text(n)
    return s + c * max(0, n - len(s))


@prim("String.toList")
def to_list(s: str) -> Lst:
    """The characters."""
    return lean(list(s))


@prim("String.ofList", "List.asString")
def of_list(xs: Lst) -> str:
    """The string of a list of characters."""
    return "".join(items(xs))


@prim("String.join")
def join(xs: Lst) -> str:
    """`String.join xs`."""
    return intercalate("", xs)


@prim("String.intercalate")
def intercalate(sep: str, xs: Lst) -> str:
    """`sep.intercalate xs`."""
    parts = items(xs)
    text(sum([len(p) for p in parts]) + len(sep) * len(parts))
    return sep.join(parts)


@prim("String.take")
def take(s: str, n: int) -> str:
    """`s.take n`, characters."""
    return s[:n]


@prim("String.drop", "String.popn")
def drop(s: str, n: int) -> str:
    """`s.drop n`, characters."""
    return s[n:] if n < len(s) else ""


@prim("String.takeRight")
def take_right(s: str, n: int) -> str:
    """`s.takeRight n`, characters."""
    return s[len(s) - n :] if n < len(s) else s


@prim("String.dropRight")
def drop_right(s: str, n: int) -> str:
    """`s.dropRight n`, characters."""
    return s[: len(s) - n] if n < len(s) else ""


def leading(s: str, p: Fn) -> int:
    """Return how many characters at the front satisfy p."""
    i = 0
    while i < len(s) and p(s[i]):
        charge(1)
        i += 1
    return i


def trailing(s: str, p: Fn) -> int:
    """Return how many characters at the end satisfy p."""
    i = 0
    while i < len(s) and p(s[len(s) - 1 - i]):
        charge(1)
        i += 1
    return i


@prim("String.takeWhile")
def take_while(s: str, p: Fn) -> str:
    """`s.takeWhile p`."""
    return s[: leading(s, p)]


@prim("String.dropWhile")
def drop_while(s: str, p: Fn) -> str:
    """`s.dropWhile p`."""
    return s[leading(s, p) :]


@prim("String.takeRightWhile")
def take_right_while(s: str, p: Fn) -> str:
    """`s.takeRightWhile p`."""
    return s[len(s) - trailing(s, p) :]


@prim("String.dropRightWhile")
def drop_right_while(s: str, p: Fn) -> str:
    """`s.dropRightWhile p`."""
    return s[: len(s) - trailing(s, p)]


@prim("String.trim")
def trim(s: str) -> str:
    """`s.trim`: without whitespace at both ends."""
    return s.strip(_WHITESPACE)


@prim("String.trimLeft")
def trim_left(s: str) -> str:
    """`s.trimLeft`."""
    return s.lstrip(_WHITESPACE)


@prim("String.trimRight")
def trim_right(s: str) -> str:
    """`s.trimRight`."""
    return s.rstrip(_WHITESPACE)


@prim("String.stripPrefix")
def strip_prefix(s: str, pre: str) -> str:
    """`s.stripPrefix pre`: s where it is no prefix."""
    return s.removeprefix(pre)


@prim("String.stripSuffix")
def strip_suffix(s: str, suff: str) -> str:
    """`s.stripSuffix suff`: s where it is no suffix."""
    return s.removesuffix(suff)


@prim("String.getRest")
def get_rest(s: str, t: str) -> tuple[str] | None:
    """Mathlib's `s.getRest t`: what follows the prefix t."""
    return (s[len(t) :],) if s.startswith(t) else None


@prim("String.head")
def head(s: str) -> str:
    """Mathlib's `s.head`: 'A' of the empty string."""
    return s[0] if s else "A"


# ------------------------------------------------------------------------------------------------------------ searching


@prim("String.startsWith")
def starts_with(s: str, pre: str) -> bool:
    """`s.startsWith pre`."""
    return s.startswith(pre)


@prim("String.endsWith")
def ends_with(s: str, post: str) -> bool:
    """`s.endsWith post`."""
    return s.endswith(post)


@prim("String.isPrefixOf")
def is_prefix_of(p: str, s: str) -> bool:
    """`p.isPrefixOf s`."""
    return s.startswith(p)


@prim("String.isSuffixOf")
def is_suffix_of(p: str, s: str) -> bool:
    """Mathlib's `p.isSuffixOf s`."""
    return s.endswith(p)


@prim("String.contains")
def contains(s: str, c: str) -> bool:
    """`s.contains c`."""
    charge(len(s) // 8 + 1)
    return c in s


@prim("String.any")
def any_(s: str, p: Fn) -> bool:
    """`s.any p`."""
    for c in s:
        charge(1)
        if p(c):
            return True
    return False


@prim("String.all")
def all_(s: str, p: Fn) -> bool:
    """`s.all p`."""
    for c in s:
        charge(1)
        if not p(c):
            return False
    return True


@prim("String.map")
def map_(f: Fn, s: str) -> str:
    """`s.map f`."""
    text(len(s))
    out: list[str] = []
    for c in s:
        charge(1)
        out.append(f(c))
    return "".join(out)


@prim("String.foldl")
def foldl(f: Fn, init: V, s: str) -> V:
    """`s.foldl f init`."""
    acc = init
    for c in s:
        charge(1)
        acc = f(acc)(c)
    return acc


@prim("String.foldr")
def foldr(f: Fn, init: V, s: str) -> V:
    """`s.foldr f init`."""
    acc = init
    for c in reversed(s):
        charge(1)
        acc = f(c)(acc)
    return acc


@prim("String.split", "String.splitToList")
def split(s: str, p: Fn) -> Lst:
    """`s.split p`: every separator character ends a piece; `[""]` of `""`."""
    out: list[str] = []
    start = 0
    for i, c in enumerate(s):
        charge(1)
        if p(c):
            out.append(s[start:i])
            start = i + 1
    out.append(s[start:])
    return lean(out)


@prim("String.splitOn")
def split_on(s: str, sep: str) -> Lst:
    """`s.splitOn sep`: leftmost matches; `[s]` for the empty separator."""
    text(len(s))
    return lean(s.split(sep) if sep else [s])


@prim("String.replace")
def replace(s: str, pattern: str, replacement: str) -> str:
    """`s.replace pattern replacement`: leftmost matches; s for the empty pattern."""
    if not pattern:
        return s
    text(len(s) + s.count(pattern) * len(replacement))
    return s.replace(pattern, replacement)


@prim("String.toUpper")
def to_upper(s: str) -> str:
    """ASCII letters only."""
    text(len(s))
    return "".join([to_upper_char(c) for c in s])


@prim("String.toLower")
def to_lower(s: str) -> str:
    """ASCII letters only."""
    text(len(s))
    return "".join([to_lower_char(c) for c in s])


@prim("String.capitalize")
def capitalize(s: str) -> str:
    """The first character in upper case (ASCII)."""
    return to_upper_char(s[0]) + s[1:] if s else s


@prim("String.decapitalize")
def decapitalize(s: str) -> str:
    """The first character in lower case (ASCII)."""
    return to_lower_char(s[0]) + s[1:] if s else s


@prim("String.crlfToLf")
def crlf_to_lf(s: str) -> str:
    """Every `\\r\\n` becomes `\\n`."""
    return s.replace("\r\n", "\n")


# -------------------------------------------------------------------------------------------------------------- numbers


def _digits(s: str) -> bool:
    return bool(s) and s.isascii() and s.isdigit()


def natural(s: str) -> int | None:
    """Return the natural that the decimal digits of s denote; None where there are others or none.

    Raises:
        Unknown: underscores between digits, which Lean accepts from 4.28 on.
    """
    charge(len(s))
    if _digits(s):
        charge(len(s) ** 2 // 4096)
        return decimal_value(s)
    if "_" in s and _digits(s.replace("_", "")):
        raise Unknown("undecided", "whether a number in a string may have underscores depends on the version of Lean")
    return None


def decimal_value(s: str) -> int:
    """Return the value of decimal digits, however many."""
    if len(s) <= 4000:
        return int(s)
    half = len(s) // 2
    return decimal_value(s[:-half]) * int(10**half) + decimal_value(s[-half:])


@prim("String.isNat")
def is_nat(s: str) -> bool:
    """`s.isNat`: digits, at least one."""
    return natural(s) is not None


@prim("String.toNat?")
def to_nat_opt(s: str) -> tuple[int] | None:
    """`s.toNat?`."""
    n = natural(s)
    return None if n is None else (n,)


@prim("String.toNat!")
def to_nat_bang(s: str) -> int:
    """`s.toNat!`: panics, that is 0, where s is no natural."""
    n = natural(s)
    return 0 if n is None else n


def integer(s: str) -> int | None:
    """Return the integer that s denotes: digits, after `-` perhaps."""
    if not s.startswith("-"):
        return natural(s)
    if s == "-":
        raise Unknown("undecided", 'whether "-" is an integer depends on the version of Lean')
    n = natural(s[1:])
    return None if n is None else -n


@prim("String.isInt")
def is_int(s: str) -> bool:
    """`s.isInt`."""
    return integer(s) is not None


@prim("String.toInt?")
def to_int_opt(s: str) -> tuple[int] | None:
    """`s.toInt?`."""
    n = integer(s)
    return None if n is None else (n,)


@prim("String.toInt!")
def to_int_bang(s: str) -> int:
    """`s.toInt!`: panics, that is 0, where s is no integer."""
    n = integer(s)
    return 0 if n is None else n


@prim("String.removeLeadingSpaces")
def remove_leading_spaces(s: str) -> str:
    """Take from every line the indentation that all lines after the first share, lines of spaces alone left aside."""
    charge(len(s) + 1)
    first, *rest = s.split("\n")
    indents = [len(x) - len(x.lstrip(" \t")) for x in rest if x.strip(" \t")]
    least = min([len(s), *indents])
    return "\n".join([_without_indent(x, least) for x in [first, *rest]])


def _without_indent(line: str, n: int) -> str:
    indent = len(line) - len(line.lstrip(" \t"))
    return line[min(n, indent) :]
