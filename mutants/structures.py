"""Breakages of the functions on lists, arrays, options, strings, characters, maps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mutants.patching import replace_primitive, rewrite
from mutants.registry import add

_TESTS = ("tests/lean/test_semantics.py", "tests/lean/library", "tests/lean/eval")
_PRIMS = "specgen.lean.library.prims"
Function = Callable[..., Any]
_ABC = ("a", ("b", ("c", ())))
_EQUAL = (lambda a: lambda b: a == b,)


def _primitive(name: str, breaks: str, target: str, change: Callable[[Function], Function], *sample: Any) -> None:
    add(name, breaks, _TESTS, lambda: replace_primitive(target, change, sample))


def _source(name: str, breaks: str, place: str, old: str, new: str) -> None:
    add(name, breaks, _TESTS, lambda: rewrite(f"{_PRIMS}.{place}", old, new))


# ---- lists
_primitive("list-take-one-more", "take n takes n + 1", "List.take", lambda old: lambda n, xs: old(n + 1, xs), 1, _ABC)
_primitive(
    "list-take-short",
    "take beyond the end gives nothing",
    "List.take",
    lambda old: lambda n, xs: old(n, xs) if n < 4 else (),
    9,
    _ABC,
)
_primitive(
    "list-drop-keeps-last",
    "drop beyond the end keeps the last element",
    "List.drop",
    lambda old: lambda n, xs: old(n, xs) or (("c", ()) if xs else ()),
    9,
    _ABC,
)
_primitive(
    "list-getd-default",
    "getD out of range is the first element",
    "List.getD",
    lambda old: lambda xs, i, d: old(xs, i, xs[0] if xs else d),
    _ABC,
    9,
    "z",
)
_primitive(
    "list-get-bang-default",
    "xs[i]! out of range is the first element",
    "List.get!Internal",
    lambda old: lambda inh, xs, i: old((xs[0],) if xs else inh, xs, i),
    ("A",),
    _ABC,
    9,
)
_primitive(
    "list-zip-pads",
    "zip goes on with the longer list's last pairs",
    "List.zip",
    lambda old: lambda xs, ys: old(xs, ys) if ys else old(xs, xs),
    _ABC,
    (),
)
_primitive(
    "list-indexof-missing",
    "idxOf of what is missing is 0",
    "List.idxOf",
    lambda old: lambda b, a, xs: old(b, a, xs) if old(b, a, xs) < 3 else 0,
    _EQUAL,
    "z",
    _ABC,
)
_primitive("list-range-inclusive", "List.range n includes n", "List.range", lambda old: lambda n: old(n + 1), 3)
_primitive(
    "list-iota-from-zero",
    "range' counts from start + 1",
    "List.range'",
    lambda old: lambda s, n, k: old(s + 1, n, k),
    0,
    3,
    1,
)
_primitive(
    "list-head-default",
    "head? of [] … of a list is its last element",
    "List.head?",
    lambda old: lambda xs: old(xs) if not xs or not xs[1] else old(xs[1]),
    _ABC,
)
_primitive(
    "list-tail-empty",
    "dropLast of one element keeps it",
    "List.dropLast",
    lambda old: lambda xs: old(xs) or xs,
    ("a", ()),
)
_primitive(
    "list-set-appends",
    "set out of range appends",
    "List.set",
    lambda old: lambda xs, i, a: old(xs, i, a) if i < 3 else ("a", ("b", ("c", (a, ())))),
    _ABC,
    7,
    "z",
)
_source("list-foldr-from-left", "foldr starts at the left", "lists:foldr", "reversed(items(xs))", "items(xs)")
_source(
    "list-erase-all",
    "eraseDups keeps only neighbours apart",
    "lists_eq:erase_dups",
    "for k in reversed(kept):",
    "for k in kept[-1:]:",
)
_source(
    "list-count-identity", "count tells the elements by identity", "lists_eq:count", "if beq[0](x)(a):", "if x is a:"
)
_source(
    "list-perm-as-set",
    "Perm ignores how often an element occurs",
    "lists_eq:perm",
    "len(a) == len(b) and Multiset.of(a) == Multiset.of(b)",
    "set(a) == set(b)",
)
_source("list-nodup-neighbours", "Nodup looks at neighbours", "lists_eq:nodup", "seen.add(k)", "seen = {k}")
_source(
    "list-pairwise-neighbours",
    "Pairwise looks at neighbours",
    "lists_order:pairwise",
    "_pairs(r, items(xs))",
    "_steps(r, items(xs))",
)
_source(
    "list-sort-unstable",
    "mergeSort swaps equals",
    "lists_order:merge_lists",
    "if le(a[i])(b[j]):",
    "if not le(b[j])(a[i]):",
)
_source(
    "list-lex-prefix", "a proper prefix is not less", "lists_order:lex", "return not xs and bool(ys)", "return False"
)
_source(
    "list-sublist-prefix",
    "a Sublist is a prefix",
    "lists_eq:sublist",
    "is_subsequence(items(xs), items(ys))",
    "items(ys)[: len(items(xs))] == items(xs)",
)
_source(
    "array-get-bang-default",
    "a[i]! out of range is the last element",
    "arrays:get_bang",
    "return xs[i] if i < xs.size else inh[0]",
    "return xs[min(i, xs.size - 1)] if xs.size else inh[0]",
)
_source(
    "array-extract-inclusive",
    "Array.extract includes its end",
    "arrays:extract",
    "part(xs, start, stop)",
    "part(xs, start, stop + 1)",
)

# ---- strings and characters
_primitive(
    "string-length-bytes", "String.length counts bytes", "String.length", lambda old: lambda s: len(s.encode()), "é"
)
_primitive(
    "string-drop-all",
    "String.drop beyond the end keeps all",
    "String.drop",
    lambda old: lambda s, n: old(s, n) or s,
    "ab",
    5,
)
_primitive(
    "string-next-by-one", "String.next goes by one byte", "String.next", lambda old: lambda s, p: (p[0] + 1,), "é", (0,)
)
_primitive(
    "string-get-by-character",
    "String.get takes a character index",
    "String.get",
    lambda old: lambda s, p: s[p[0]] if p[0] < len(s) else "A",
    "éa",
    (1,),
)
_primitive("string-end-characters", "endPos counts characters", "String.endPos", lambda old: lambda s: (len(s),), "é")
_primitive(
    "string-lt-length",
    "strings compare by length first",
    "String.lt",
    lambda old: lambda a, b: (len(a), a) < (len(b), b),
    "b",
    "aa",
)
_primitive(
    "string-trim-unicode", "trim removes every Unicode space", "String.trim", lambda old: lambda s: s.strip(), "\u00a0a"
)
_primitive(
    "string-split-drops-empty",
    "splitOn drops empty parts",
    "String.splitOn",
    lambda old: lambda s, sep: _compact(old(s, sep)),
    "a,,b",
    ",",
)
_primitive(
    "string-to-nat-signs",
    "toNat? takes what Python's int takes",
    "String.toNat?",
    lambda old: lambda s: _python_int(s, old),
    "+5",
)
_primitive(
    "char-is-alpha-unicode",
    "Char.isAlpha holds of every Unicode letter",
    "Char.isAlpha",
    lambda old: lambda c: c.isalpha(),
    "é",
)
_primitive(
    "char-is-digit-unicode",
    "Char.isDigit holds of every Unicode digit",
    "Char.isDigit",
    lambda old: lambda c: c.isdigit(),
    "²",
)
_primitive(
    "char-to-upper-unicode",
    "Char.toUpper changes every Unicode letter",
    "Char.toUpper",
    lambda old: lambda c: c.upper(),
    "é",
)
_primitive(
    "char-is-whitespace-unicode",
    "Char.isWhitespace holds of every Unicode space",
    "Char.isWhitespace",
    lambda old: lambda c: c.isspace(),
    "\x0b",
)
_primitive("char-of-surrogate", "Char.ofNat gives surrogates", "Char.ofNat", lambda old: chr, 0xD800)


def _compact(cells: Any) -> Any:
    from specgen.lean.eval.values import from_list, to_list

    return to_list([x for x in from_list(cells) if x])


def _python_int(s: str, old: Function) -> Any:
    try:
        return (int(s),)
    except ValueError:
        return old(s)


# ---- maps
_source(
    "map-insert-keeps-old",
    "HashMap.insert keeps the old value",
    "maps:insert",
    "return m.insert(k, v)",
    "return m if k in m else m.insert(k, v)",
)
_source("map-erase-nothing", "HashMap.erase removes nothing", "maps:erase", "return m.erase(k)", "return m")
