"""CLEVER's test lines: Lean or half Python, made into exact Lean terms by the signature's types."""

from __future__ import annotations

import re
from collections.abc import Iterator

from specgen.tasks._text import balanced, closing, mask, opaque_end, split_top, strip_parens
from specgen.tasks.model import Pair, Signature
from specgen.tasks.values import TypeTree, application_arguments, as_argument, lean_char, lean_string, parse_type

_TEST = re.compile(r"#(?:test|eval!?|guard)\s+")
_NUMBER = re.compile(r"-?\s*\d+(?:\.\d+)?")
_QUOTED = re.compile(r"'((?:\\.|[^'\\])*)'")
_SIMPLE_HEADS = {"Nat", "Int", "Rat", "Float", "String", "Bool", "List", "Option", "×", "Char"}


class Unreadable(Exception):  # noqa: N818 - it says what a line is, not that something failed
    """A test line is not `implementation ARGS = RESULT` with terms of the signature's types."""


def test_lines(section: str) -> Iterator[str]:
    """Yield the test lines of a section: comment marks taken off, continued lines joined."""
    lines = list[str]()
    for raw in section.splitlines():
        line = re.sub(r"^\s*(?:--)?\s*", "", raw).strip()
        if _TEST.match(line):
            lines.append(line)
        elif line and lines and not balanced(_TEST.sub("", lines[-1], count=1).replace("'", '"')):
            lines[-1] += " " + line
    yield from lines


# Keep pytest from collecting the functions that are named after CLEVER's tests.
test_lines.__test__ = False  # type: ignore[attr-defined]


def test_pair(line: str, signature: Signature) -> Pair:
    """Return the accepted pair that a test line states; `Unreadable` when it states none of the signature's types."""
    text = _python_strings(_TEST.sub("", line, count=1), signature)
    sides = _equation(text)
    if sides is None:
        raise Unreadable(line)
    left, right = sides
    pieces = application_arguments(_untyped(left))
    if not pieces or pieces[0] != "implementation":
        raise Unreadable(line)
    arguments = _spread(pieces[1:], len(signature.parameters))
    if len(arguments) != len(signature.parameters):
        raise Unreadable(line)
    inputs = tuple(_fit(a, parse_type(p.type), line) for a, p in zip(arguments, signature.parameters, strict=True))
    return Pair(inputs, _fit(right, parse_type(signature.result_type), line))


test_pair.__test__ = False  # type: ignore[attr-defined]


def _equation(text: str) -> tuple[str, str] | None:
    """Split at the one equals sign outside brackets and literals (`=`, `==`)."""
    masked, at, found = mask(text), 0, list[tuple[int, int]]()
    while at < len(masked):
        if masked[at] in "([{⟨":
            at = closing(masked, at)
        elif masked[at] == "=" and masked[at - 1] not in ":<>!≠" and masked[at + 1 : at + 2] != ">":
            end = at + 2 if masked.startswith("==", at) else at + 1
            found.append((at, end))
            at = end
        else:
            at += 1
    if len(found) != 1:
        return None
    start, end = found[0]
    return text[:start].strip(), text[end:].strip()


def _untyped(left: str) -> str:
    """Take the type off `implementation args : T`."""
    return split_top(left, " : ")[0]


def _spread(arguments: list[str], wanted: int) -> list[str]:
    """Read Python's ways of passing arguments: `f (a, b)`, `f a, b`."""
    if len(arguments) == 1 and wanted > 1 and arguments[0].startswith("("):
        parts = split_top(arguments[0][1:-1], ",")
        return parts if len(parts) == wanted else arguments
    if len(arguments) == wanted and all(a.endswith(",") for a in arguments[:-1]):
        return [a.removesuffix(",") for a in arguments]
    return arguments


def _python_strings(text: str, signature: Signature) -> str:
    """Make Python's quoted strings Lean strings; a single character stays one where the types speak of `Char`."""
    types = " ".join([*(p.type for p in signature.parameters), signature.result_type])
    has_char = re.search(r"\bChar\b", types) is not None
    out, at = list[str](), 0
    while at < len(text):
        if text[at] == '"':
            end = opaque_end(text, at)
            out.append(text[at:end])
            at = end
            continue
        quoted = _QUOTED.match(text, at)
        if quoted and not (at and re.match(r"[\w']", text[at - 1])):
            content = quoted.group(1)
            out.append(lean_char(content) if has_char and len(content) == 1 else lean_string(content))
            at = quoted.end()
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _fit(term: str, kind: TypeTree, line: str) -> str:
    """Return a term as one of the given type; `Unreadable` when it plainly is not."""
    term = _unascribed(term.strip().rstrip(",").strip())
    if not term or not balanced(term):
        raise Unreadable(line)
    head = kind.head
    if head == "Bool":
        if term in ("True", "False", "true", "false"):
            return term.lower()
        raise Unreadable(line)
    if head == "Option":
        return _fit_option(term, kind, line)
    if head == "×":
        return _fit_pair(term, kind, line)
    if head in ("List", "Array"):
        return _fit_list(term, kind, line)
    if head.endswith("HashMap") and term.startswith("{"):
        entries = [split_top(entry, ":") for entry in split_top(term[1:-1], ",") if entry]
        if any(len(entry) != 2 for entry in entries):
            raise Unreadable(line)
        rows = [f"({_fit(k, kind.args[0], line)}, {_fit(v, kind.args[1], line)})" for k, v in entries]
        return f"{head}.ofList [{', '.join(rows)}]"
    if head == "String" and not (term.startswith('"') and not mask(term).strip()):
        raise Unreadable(line)
    if head in ("Nat", "Int", "Rat", "Float"):
        return _fit_number(term, head, line)
    return term


def _fit_number(term: str, head: str, line: str) -> str:
    if term.startswith(("[", '"', "#", "{")) or term in ("True", "False", "true", "false", "none"):
        raise Unreadable(line)
    literal = _NUMBER.fullmatch(strip_parens(term))
    if literal is None:
        return term
    number = literal.group().replace(" ", "")
    if number.startswith("-") and head == "Nat":
        raise Unreadable(line)
    if "." in number and head in ("Nat", "Int"):
        whole, _, rest = number.partition(".")
        if rest.strip("0"):
            raise Unreadable(line)
        return whole
    return number


def _fit_list(term: str, kind: TypeTree, line: str) -> str:
    opening = "#[" if kind.head == "Array" else "["
    bare = term.removeprefix("#")
    if not bare.startswith("[") or closing(mask(bare), 0) != len(bare):
        raise Unreadable(line)
    items = [item for item in split_top(bare[1:-1], ",") if item]
    inner = kind.args[0] if kind.args else TypeTree("")
    return opening + ", ".join(_fit(item, inner, line) for item in items) + "]"


def _fit_pair(term: str, kind: TypeTree, line: str) -> str:
    if not term.startswith("(") or closing(mask(term), 0) != len(term):
        raise Unreadable(line)
    items = split_top(term[1:-1], ",")
    terms = list[str]()
    rest = kind
    for at, item in enumerate(items):
        last = at == len(items) - 1
        if not last and rest.head != "×":
            raise Unreadable(line)
        terms.append(_fit(item, rest if last else rest.args[0], line))
        rest = rest if last else rest.args[1]
    if len(items) < 2:
        raise Unreadable(line)
    return f"({', '.join(terms)})"


def _fit_option(term: str, kind: TypeTree, line: str) -> str:
    inner = kind.args[0] if kind.args else TypeTree("")
    if term in ("none", "None"):
        return "none"
    if re.match(r"some\b", term):
        return f"some {as_argument(_fit(term[4:].strip(), inner, line))}"
    # Lean inserts the coercion from the type to its option.
    return f"some {as_argument(_fit(term, inner, line))}"


def _unascribed(term: str) -> str:
    """Take off `(t : T)`: the signature's type is the one that counts (a line says `List Int` for rationals)."""
    term = strip_parens(term)
    if term.startswith("(") and closing(mask(term), 0) == len(term):
        parts = split_top(term[1:-1], ":")
        if len(parts) == 2 and parse_type(parts[1]).head in _SIMPLE_HEADS:
            return _unascribed(parts[0])
    return term
