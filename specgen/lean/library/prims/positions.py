"""Primitives of `String` by position, and of `Substring`. A position is a byte offset in UTF-8: `(n,)`."""

from __future__ import annotations

from typing import TypeAlias

from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.values import Arr
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, lean, utf8_length
from specgen.lean.library.prims.strings import leading, trailing

Pos: TypeAlias = tuple[int]
Sub: TypeAlias = tuple[str, Pos, Pos]


def byte_size(s: str) -> int:
    """Return the number of bytes of a string in UTF-8."""
    if s.isascii():
        return len(s)
    charge(len(s) // 8)
    return sum([utf8_length(c) for c in s])


def index_at(s: str, p: int) -> int | None:
    """Return the index of the character that starts at byte p (the length at the end), None where none starts."""
    if s.isascii():
        return p if p <= len(s) else None
    charge(min(len(s), p))
    at = 0
    for i, c in enumerate(s):
        if at >= p:
            return i if at == p else None
        at += utf8_length(c)
    return len(s) if at == p else None


def offset_of(s: str, i: int) -> int:
    """Return the byte offset of character i."""
    return i if s.isascii() else byte_size(s[:i])


def char_at(s: str, p: int) -> str | None:
    """Return the character that starts at byte p."""
    i = index_at(s, p)
    return s[i] if i is not None and i < len(s) else None


@prim("String.utf8ByteSize")
def utf8_byte_size(s: str) -> int:
    """`s.utf8ByteSize`."""
    return byte_size(s)


@prim("String.endPos")
def end_pos(s: str) -> Pos:
    """`s.endPos`."""
    return (byte_size(s),)


@prim("String.get", "String.get'", "String.get!")
def get(s: str, p: Pos) -> str:
    """`s.get p`; the default character 'A' where none starts (`get!` panics with the same)."""
    c = char_at(s, p[0])
    return "A" if c is None else c


@prim("String.get?")
def get_opt(s: str, p: Pos) -> tuple[str] | None:
    """`s.get? p`."""
    c = char_at(s, p[0])
    return None if c is None else (c,)


@prim("String.set")
def set_(s: str, p: Pos, c: str) -> str:
    """`s.set p c`; unchanged where no character starts."""
    i = index_at(s, p[0])
    charge(len(s) // 8)
    return s if i is None or i >= len(s) else s[:i] + c + s[i + 1 :]


@prim("String.modify")
def modify(s: str, p: Pos, f: Fn) -> str:
    """`s.modify p f`."""
    return set_(s, p, f(get(s, p)))


@prim("String.next", "String.next'")
def next_(s: str, p: Pos) -> Pos:
    """`s.next p`: behind the character at p; p + 1 where none starts."""
    return (p[0] + utf8_length(get(s, p)),)


@prim("String.prev")
def prev(s: str, p: Pos) -> Pos:
    """`s.prev p`: the start of the character before p; 0 of 0."""
    if p[0] == 0:
        return (0,)
    i = index_at(s, p[0])
    if i is None:
        raise Unknown("undecided", "String.prev at an invalid position depends on the version of Lean")
    return (p[0] - utf8_length(s[i - 1]),)


@prim("String.atEnd")
def at_end(s: str, p: Pos) -> bool:
    """`s.atEnd p`: at or behind the end."""
    return p[0] >= byte_size(s)


@prim("String.Pos.isValid")
def is_valid(s: str, p: Pos) -> bool:
    """`p.isValid s`: a character starts there, or it is the end."""
    return index_at(s, p[0]) is not None


@prim("String.front")
def front(s: str) -> str:
    """`s.front`; 'A' of the empty string."""
    return s[0] if s else "A"


@prim("String.back")
def back(s: str) -> str:
    """`s.back`; 'A' of the empty string."""
    return s[-1] if s else "A"


def extract_text(s: str, b: int, e: int) -> str:
    """Return the characters from byte b to byte e, as `String.extract` does for any b and e."""
    i = index_at(s, b)
    if b >= e or i is None:
        return ""
    j = index_at(s, e)
    return s[i:] if j is None else s[i:j]


@prim("String.extract")
def extract(s: str, b: Pos, e: Pos) -> str:
    """`s.extract b e`: empty where b is no start; to the end where e is none."""
    return extract_text(s, b[0], e[0])


def first(s: str, p: Fn) -> int | None:
    """Return the index of the first character that satisfies p."""
    i = leading(s, lambda c: not p(c))
    return i if i < len(s) else None


def last(s: str, p: Fn) -> int | None:
    """Return the index of the last character that satisfies p."""
    k = trailing(s, lambda c: not p(c))
    return len(s) - 1 - k if k < len(s) else None


@prim("String.posOf")
def pos_of(s: str, c: str) -> Pos:
    """`s.posOf c`: the end when it does not occur."""
    i = s.find(c)
    return (offset_of(s, len(s) if i < 0 else i),)


@prim("String.revPosOf")
def rev_pos_of(s: str, c: str) -> tuple[Pos] | None:
    """`s.revPosOf c`."""
    i = s.rfind(c)
    return None if i < 0 else ((offset_of(s, i),),)


@prim("String.find")
def find(s: str, p: Fn) -> Pos:
    """`s.find p`: the end when there is none."""
    i = first(s, p)
    return (offset_of(s, len(s) if i is None else i),)


@prim("String.revFind")
def rev_find(s: str, p: Fn) -> tuple[Pos] | None:
    """`s.revFind p`."""
    i = last(s, p)
    return None if i is None else ((offset_of(s, i),),)


@prim("String.offsetOfPos")
def offset_of_pos(s: str, p: Pos) -> int:
    """`s.offsetOfPos p`: how many characters start before p."""
    charge(len(s) // 8)
    at = 0
    for i, c in enumerate(s):
        if at >= p[0]:
            return i
        at += utf8_length(c)
    return len(s)


@prim("String.firstDiffPos")
def first_diff_pos(a: str, b: str) -> Pos:
    """`a.firstDiffPos b`: where they part, at most the shorter one's end in bytes."""
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        charge(1)
        if x != y:
            return (offset_of(a, i),)
    return (min(byte_size(a), byte_size(b)),)


@prim("String.findLineStart")
def find_line_start(s: str, p: Pos) -> Pos:
    """`s.findLineStart p`: behind the last line feed before p."""
    i = index_at(s, p[0])
    if i is None:
        raise Unknown("undecided", "String.findLineStart at an invalid position")
    return (offset_of(s, s.rfind("\n", 0, i) + 1),)


def _walk(s: str, p: Fn, start: int, stop_on: bool) -> int:
    i = index_at(s, start)
    if i is None:
        if start >= byte_size(s):
            return start
        raise Unknown("undecided", "a position inside a character")
    n = leading(s[i:], lambda c: bool(p(c)) is not stop_on)
    return start + byte_size(s[i : i + n])


@prim("String.nextWhile")
def next_while(s: str, p: Fn, i: Pos) -> Pos:
    """`s.nextWhile p i`."""
    return (_walk(s, p, i[0], False),)


@prim("String.nextUntil")
def next_until(s: str, p: Fn, i: Pos) -> Pos:
    """`s.nextUntil p i`."""
    return (_walk(s, p, i[0], True),)


@prim("String.substrEq")
def substr_eq(s: str, p: Pos, t: str, q: Pos, size: int) -> bool:
    """`String.substrEq s p t q size`: the same bytes, which both have."""
    if p[0] + size > byte_size(s) or q[0] + size > byte_size(t):
        return False
    ends = (index_at(s, p[0]), index_at(s, p[0] + size), index_at(t, q[0]), index_at(t, q[0] + size))
    a, b, c, d = ends
    if a is None or b is None or c is None or d is None:
        raise Unknown("undecided", "a position inside a character")
    return s[a:b] == t[c:d]


# ----------------------------------------------------------------------------------------------------------- substrings


@prim("Substring.textInternal")
def window(sub: Sub) -> str:
    """Return the text of a substring.

    Raises:
        Unknown: its ends are no positions of the string in order.
    """
    s, (b,), (e,) = sub
    i, j = index_at(s, b), index_at(s, e)
    if i is None or j is None or i > j:
        raise Unknown("undecided", "a substring whose ends are no valid positions")
    return s[i:j]


def narrowed(sub: Sub, front_: int, rest: int) -> Sub:
    """Return the substring of characters `front_` to `rest` of its text."""
    t = window(sub)
    s, (b,), _ = sub
    start = b + byte_size(t[:front_])
    return (s, (start,), (start + byte_size(t[front_:rest]),))


@prim("String.dropPrefix?")
def drop_prefix_opt(s: str, pre: str) -> tuple[Sub] | None:
    """`s.dropPrefix? pre`."""
    return ((s, (byte_size(pre),), (byte_size(s),)),) if s.startswith(pre) else None


@prim("String.dropSuffix?")
def drop_suffix_opt(s: str, suff: str) -> tuple[Sub] | None:
    """`s.dropSuffix? suff`."""
    return ((s, (0,), (byte_size(s) - byte_size(suff),)),) if s.endswith(suff) else None


@prim("Substring.take")
def sub_take(sub: Sub, n: int) -> Sub:
    """`sub.take n`."""
    return narrowed(sub, 0, min(n, len(window(sub))))


@prim("Substring.drop")
def sub_drop(sub: Sub, n: int) -> Sub:
    """`sub.drop n`."""
    size = len(window(sub))
    return narrowed(sub, min(n, size), size)


@prim("Substring.takeRight")
def sub_take_right(sub: Sub, n: int) -> Sub:
    """`sub.takeRight n`."""
    size = len(window(sub))
    return narrowed(sub, max(0, size - n), size)


@prim("Substring.dropRight")
def sub_drop_right(sub: Sub, n: int) -> Sub:
    """`sub.dropRight n`."""
    return narrowed(sub, 0, max(0, len(window(sub)) - n))


@prim("Substring.takeWhile")
def sub_take_while(sub: Sub, p: Fn) -> Sub:
    """`sub.takeWhile p`."""
    return narrowed(sub, 0, leading(window(sub), p))


@prim("Substring.dropWhile")
def sub_drop_while(sub: Sub, p: Fn) -> Sub:
    """`sub.dropWhile p`."""
    t = window(sub)
    return narrowed(sub, leading(t, p), len(t))


@prim("Substring.takeRightWhile")
def sub_take_right_while(sub: Sub, p: Fn) -> Sub:
    """`sub.takeRightWhile p`."""
    t = window(sub)
    return narrowed(sub, len(t) - trailing(t, p), len(t))


@prim("Substring.dropRightWhile")
def sub_drop_right_while(sub: Sub, p: Fn) -> Sub:
    """`sub.dropRightWhile p`."""
    t = window(sub)
    return narrowed(sub, 0, len(t) - trailing(t, p))


def _blank(c: str) -> bool:
    return c in " \t\r\n"


@prim("Substring.trimLeft")
def sub_trim_left(sub: Sub) -> Sub:
    """`sub.trimLeft`."""
    return sub_drop_while(sub, _blank)


@prim("Substring.trimRight")
def sub_trim_right(sub: Sub) -> Sub:
    """`sub.trimRight`."""
    return sub_drop_right_while(sub, _blank)


@prim("Substring.trim")
def sub_trim(sub: Sub) -> Sub:
    """`sub.trim`."""
    t = window(sub)
    left = leading(t, _blank)
    return narrowed(sub, left, max(left, len(t) - trailing(t, _blank)))


@prim("Substring.splitOn")
def sub_split_on(sub: Sub, sep: str) -> Lst:
    """`sub.splitOn sep`; `[sub]` for the empty separator. An empty piece is a piece of the empty string."""
    if not sep:
        return lean([sub])
    out: list[Sub] = []
    at = 0
    for piece in window(sub).split(sep):
        out.append(narrowed(sub, at, at + len(piece)) if piece else ("", (0,), (0,)))
        at += len(piece) + len(sep)
    return lean(out)


@prim("String.containsSubstr")
def contains_substr(s: str, pattern: Sub) -> bool:
    """Batteries' `s.containsSubstr pattern`."""
    charge(len(s))
    return window(pattern) in s


@prim("String.findAllSubstr")
def find_all_substr(s: str, pattern: Sub) -> Arr:
    """Batteries' `s.findAllSubstr pattern`: every match, overlapping ones too; unknown for the empty pattern."""
    t = window(pattern)
    if not t:
        raise Unknown("undecided", "String.findAllSubstr of the empty pattern")
    charge(len(s))
    out: list[Sub] = []
    at = s.find(t)
    while at >= 0:
        start = offset_of(s, at)
        out.append((s, (start,), (start + byte_size(t),)))
        at = s.find(t, at + 1)
    return Arr(list(out))


@prim("String.findSubstr?")
def find_substr_opt(s: str, pattern: Sub) -> tuple[Sub] | None:
    """Batteries' `s.findSubstr? pattern`: the first match."""
    t = window(pattern)
    charge(len(s))
    at = s.find(t)
    if at < 0:
        return None
    start = offset_of(s, at)
    return ((s, (start,), (start + byte_size(t),)),)
