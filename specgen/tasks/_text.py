"""Reading Lean text without elaborating it: comments masked, brackets matched, heads of definitions taken apart.

The loaders need to know where a definition stands, what its binders are and which names a piece of text mentions. That
much is layout-free, so it is done here on characters; whatever needs the grammar goes through `specgen.lean`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from specgen.tasks.model import Parameter

_OPEN = {"(": ")", "[": "]", "{": "}", "⟨": "⟩"}
_CLOSE = {v: k for k, v in _OPEN.items()}
_IDENT_CHAR = re.compile(r"[\w'!?₀-₉]")
_CHAR_LITERAL = re.compile(r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^\\'\n])'")
_OPAQUE_START = re.compile(r"--|/-|\"|'")
_NOT_NEWLINE = re.compile(r"[^\n]")
_DECLARED = re.compile(
    r"^[ \t]*(?:@\[[^\]]*\][ \t\n]*)*(?:(?:private|protected|noncomputable|partial|unsafe|nonrec)\s+)*"
    r"(?:def|abbrev|theorem|lemma|instance|inductive|structure|class|opaque|axiom)\s+([^\s:({\[⦃]+)",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d][\w'!?₀-₉]*(?:\.[^\W\d][\w'!?₀-₉]*)*")


def mask(text: str, *, literals: bool = True) -> str:
    """Return `text` with comments (and string and character literals) blanked; length and newlines are kept."""
    pieces, kept, found = list[str](), 0, _OPAQUE_START.search(text)
    while found is not None:
        start = found.start()
        end = opaque_end(text, start)
        if end > start and (literals or text[start] not in "\"'"):
            pieces += [text[kept:start], _NOT_NEWLINE.sub(" ", text[start:end])]
            kept = end
        found = _OPAQUE_START.search(text, max(end, start + 1))
    return "".join([*pieces, text[kept:]])


def opaque_end(text: str, at: int) -> int:
    """Return the end of the comment, string or character literal that starts at `at`; `at` when there is none."""
    char = text[at]
    if char == "-" and text.startswith("--", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if char == "/" and text.startswith("/-", at):
        return _block_comment_end(text, at)
    if char == '"':
        end = at + 1
        while end < len(text) and text[end] != '"':
            end += 2 if text[end] == "\\" else 1
        return min(end + 1, len(text))
    if char == "'" and not (at and _IDENT_CHAR.match(text[at - 1])):
        found = _CHAR_LITERAL.match(text, at)
        return found.end() if found else at
    return at


def _block_comment_end(text: str, at: int) -> int:
    depth, end = 1, at + 2
    while end < len(text) and depth:
        if text.startswith("/-", end):
            depth, end = depth + 1, end + 2
        elif text.startswith("-/", end):
            depth, end = depth - 1, end + 2
        else:
            end += 1
    return end


def balanced(text: str) -> bool:
    """Tell whether the brackets of `text` match, comments and literals left out."""
    stack: list[str] = []
    for char in mask(text):
        if char in _OPEN:
            stack.append(char)
        elif char in _CLOSE and (not stack or stack.pop() != _CLOSE[char]):
            return False
    return not stack


def closing(masked: str, at: int) -> int:
    """Return the offset just after the bracket that closes the one at `at` (the end of the text when it never does)."""
    depth = 0
    for i in range(at, len(masked)):
        if masked[i] in _OPEN:
            depth += 1
        elif masked[i] in _CLOSE:
            depth -= 1
            if depth == 0:
                return i + 1
    return len(masked)


def split_top(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets, comments and literals; the parts are stripped."""
    masked, parts, start, at = mask(text), [], 0, 0
    while at < len(masked):
        if masked[at] in _OPEN:
            at = closing(masked, at)
        elif masked.startswith(separator, at):
            parts.append(text[start:at].strip())
            at += len(separator)
            start = at
        else:
            at += 1
    parts.append(text[start:].strip())
    return parts


def strip_parens(text: str) -> str:
    """Remove the parentheses around a whole text, however many."""
    text = text.strip()
    while text.startswith("(") and closing(mask(text), 0) == len(text):
        inner = text[1:-1].strip()
        if not inner or len(split_top(inner, ",")) > 1 or len(split_top(inner, ":")) > 1:
            break
        text = inner
    return text


def one_line(text: str) -> str:
    """Collapse white space."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class BinderGroup:
    """`(a b : T)`, `{α : Type}`, `[BEq α]`: names as written (none for an anonymous instance), type as text."""

    names: tuple[str, ...]
    type: str
    bracket: str


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a definition: its start, its binders, its result type ("" when not given), the start of its body."""

    name: str
    start: int
    binders: tuple[BinderGroup, ...]
    result_type: str
    body: int

    def parameters(self, without: Iterable[str] = ()) -> tuple[Parameter, ...]:
        """Return the explicit parameters, those left out whose type starts with one of the given names (proofs)."""
        proofs = tuple(without)
        return tuple(
            Parameter(name, group.type)
            for group in self.binders
            if group.bracket == "(" and not _mentions_first(group.type, proofs)
            for name in group.names
        )

    @property
    def generic(self) -> bool:
        """Whether there are implicit or instance parameters."""
        return any(group.bracket != "(" for group in self.binders)


def _mentions_first(type_text: str, names: tuple[str, ...]) -> bool:
    found = _WORD.search(type_text)
    return bool(found) and found.group() in names if found else False


def find_head(text: str, name: str) -> Head | None:
    """Return the head of the definition of `name` in `text`, or None."""
    masked = mask(text)
    for found in _DECLARED.finditer(masked):
        if found.group(1) == name:
            return _read_head(text, masked, found)
    return None


def _read_head(text: str, masked: str, found: re.Match[str]) -> Head:
    at, binders = found.end(), list[BinderGroup]()
    colon = -1
    while at < len(masked):
        char = masked[at]
        if char in "([{":
            end = closing(masked, at)
            if colon < 0:
                binders.append(_read_binder(text[at + 1 : end - 1], char))
            at = end
        elif masked.startswith(":=", at) or _starts_body(masked, at):
            break
        else:
            if char == ":" and colon < 0:
                colon = at
            at += 1
    result = one_line(_drop_comments(text[colon + 1 : at])) if colon >= 0 else ""
    body = at + 2 if masked.startswith(":=", at) else at
    return Head(found.group(1), found.start(), tuple(binders), result, body)


def _starts_body(masked: str, at: int) -> bool:
    """Tell whether an equation (`| p => e` at the start of a line) or a `where` stands at `at`."""
    if masked[at] == "|":
        return not masked[masked.rfind("\n", 0, at) + 1 : at].strip()
    return re.match(r"\bwhere\b", masked[at:]) is not None and not _IDENT_CHAR.match(masked[at - 1])


def _read_binder(inner: str, bracket: str) -> BinderGroup:
    inner = _drop_comments(inner)
    parts = split_top(inner, ":")
    if len(parts) < 2:
        return BinderGroup((), one_line(inner), bracket)
    type_text = inner[inner.index(":") + 1 :]
    return BinderGroup(tuple(parts[0].split()), one_line(split_top(type_text, ":=")[0]), bracket)


def _drop_comments(text: str) -> str:
    out, at = [], 0
    while at < len(text):
        end = opaque_end(text, at)
        if end > at:
            out.append(text[at:end] if text[at] in "\"'" else " ")
            at = end
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def declared_names(text: str) -> tuple[str, ...]:
    """Return the names that the declarations of `text` introduce, in order (namespaces not applied)."""
    return tuple(found.group(1) for found in _DECLARED.finditer(mask(text)))


def words(text: str) -> Iterator[str]:
    """Yield every identifier of `text` with each of its dotted parts, comments and literals left out."""
    for found in _WORD.finditer(mask(text)):
        word = found.group()
        yield word
        if "." in word:
            yield from word.split(".")


def mentions(text: str, names: Iterable[str]) -> bool:
    """Tell whether `text` mentions one of the names, alone or as a part of a dotted identifier."""
    wanted = {part for name in names for part in (name, name.rsplit(".", 1)[-1])}
    return any(word in wanted for word in words(text))


def line_of(text: str, offset: int) -> int:
    """Return the 1-indexed line of a character offset."""
    return text.count("\n", 0, offset) + 1
