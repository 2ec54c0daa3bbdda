"""The Lean text of a reply: what a language model wrote around it is taken away, and said in notes.

Models put Lean into fenced blocks, one or several, with or without a language, sometimes without closing the last one;
or they write sentences before and after it. Nothing inside the Lean text is changed but for this: a declaration that
a later block of the same reply makes again is the earlier draft, and left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluators.projection.form import KNOWN_IMPORTS
from evaluators.projection.reading import declared_items, errors_of
from specgen.lean.parser import parse_file

_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([\w+#-]*)[^\n`]*$")
_THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_IMPORT = re.compile(
    r"(?:public[ \t]+)?(?:meta[ \t]+)?import[ \t]+(?:all[ \t]+)?"
    + r"([^\s-]\S*(?:[ \t]+[A-Z]\S*)*)[ \t]*(?:--[^\n]*)?(?=\n|$)"
)
_BLANK = re.compile(r"\s+|--[^\n]*(?=\n|$)|/-(?![-!]).*?-/|/-!.*?-/", re.DOTALL)

_QUOTED_LINE = re.compile(r"^[ \t]*`([^`\n]+)`[ \t]*$", re.MULTILINE)
_COMMAND_WORDS = (
    "def abbrev theorem lemma example structure inductive class instance namespace section end open variable variables "
    "universe universes set_option attribute noncomputable private protected public partial unsafe nonrec local scoped "
    "macro macro_rules notation infix infixl infixr prefix postfix syntax elab elab_rules deriving export mutual axiom "
    "opaque constant import include omit irreducible_def initialize run_cmd alias"
)
_COMMANDS = frozenset(_COMMAND_WORDS.split())
_DECLARING = frozenset(("theorem", "lemma", "def", "abbrev", "example", "instance", "noncomputable", "private"))
_INSIDE_WORDS = (
    "let let_fun have if then else match with fun do return for show by where termination_by decreasing_by forall "
    "exists from at in suffices calc"
)
_INSIDE = frozenset(_INSIDE_WORDS.split())
_WORD = re.compile(r"[A-Za-z_][\w']*")


@dataclass(frozen=True, slots=True)
class LeanText:
    """The Lean part of a reply without its leading imports; empty when there is none."""

    text: str
    imports: tuple[str, ...]
    notes: tuple[str, ...]

    def unknown_import(self) -> str:
        """Return the first imported module that no environment of ours has, or empty."""
        return next((m for m in self.imports if m.split(".")[0] not in KNOWN_IMPORTS), "")


def lean_of_reply(reply: str) -> LeanText:
    """Return the Lean text of a reply."""
    notes: list[str] = []
    text = reply.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    thoughts = _THOUGHT.split(text)
    if len(thoughts) > 1:
        text = thoughts[-1]
        notes.append("reasoning before the answer left out")
    blocks = _chosen(_fenced(text, notes))
    imports: list[str] = []
    if blocks:
        bodies = [_take_imports(b, imports) for b in blocks]
        notes.append("fenced Lean taken" if len(bodies) == 1 else f"{len(bodies)} fenced Lean blocks joined")
        text = bodies[0].strip("\n") if len(bodies) == 1 else _joined(bodies, notes)
    else:
        text = _take_imports(text, imports).strip("\n")
    if not blocks or errors_of(text):
        text = _without_prose(text, imports, notes)
    return LeanText(text, tuple(dict.fromkeys(imports)), tuple(notes))


def imported_modules(text: str) -> tuple[str, ...]:
    """Return the modules that a text of imports names, one `import` a line."""
    imports: list[str] = []
    for line in text.split("\n"):
        _take_imports(line, imports)
    return tuple(imports)


def _fenced(text: str, notes: list[str]) -> list[tuple[str, str]]:
    """Return (language, body) of each fenced block; one that is not closed goes to the end of the text."""
    blocks: list[tuple[str, str]] = []
    fence, language, indent, body = "", "", 0, list[str]()
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if not fence:
            if found:
                indent, fence, language, body = len(found[1]), found[2], found[3].lower(), []
        elif found and found[2].startswith(fence) and not found[3]:
            blocks.append((language, "\n".join(body)))
            fence = ""
        else:
            body.append(line[indent:] if not line[:indent].strip() else line)
    if fence and any(line.strip() for line in body):
        notes.append("the last fenced block is not closed")
        blocks.append((language, "\n".join(body)))
    return blocks


def _chosen(blocks: list[tuple[str, str]]) -> list[str]:
    """Return the blocks marked as Lean, else those without a language, else any that hold a Lean declaration."""
    for wanted in (lambda lang: lang.startswith("lean"), lambda lang: not lang):
        found = [body for lang, body in blocks if wanted(lang)]
        if found:
            return found
    return [body for _, body in blocks if _has_command(body)]


def _take_imports(text: str, imports: list[str]) -> str:
    """Take the imports at the head of a text; an `import` further down stays, and Lean refuses it."""
    at, kept = 0, list[str]()
    while True:
        blank = _BLANK.match(text, at)
        if blank is not None and blank.end() > at:
            kept.append(text[at : blank.end()])
            at = blank.end()
            continue
        found = _IMPORT.match(text, at)
        if found is None:
            return "".join(kept) + text[at:]
        imports += found[1].split()
        at = found.end()


def _joined(bodies: list[str], notes: list[str]) -> str:
    """Join blocks; of a declaration that several blocks make, the last one stays."""
    text, ends = "", list[int]()
    for body in bodies:
        text += body.strip("\n") + "\n\n"
        ends.append(len(text))
    last: dict[str, int] = {}
    drafts: list[tuple[int, int]] = []
    for item in reversed(declared_items(parse_file(text).file.commands)):
        block = next(i for i, end in enumerate(ends) if item.span[0] < end)
        if item.name and last.setdefault(item.name, block) != block:
            drafts.append(item.span)
            notes.append(f"an earlier draft of {item.name} left out")
    for start, end in drafts:
        text = text[:start] + text[end:]
    return text.strip("\n")


# --------------------------------------------------------------------------------------------------------------- prose


def _has_command(text: str) -> bool:
    return any(_begins(line) for line in text.split("\n"))


def _begins(line: str) -> bool:
    """Tell whether a line begins a command of Lean at its first column."""
    if line.startswith(("@[", "/--")) or (line.startswith("#") and line[1:2].islower()):
        return True
    word = _WORD.match(line)
    if word is None or word[0] not in _COMMANDS or line.rstrip().endswith((".", ",")):
        return False
    return not line.rstrip().endswith(":") or word[0] in _DECLARING


def _is_prose(line: str) -> bool:
    """Tell whether a line at the first column is no part of Lean text: a sentence, a heading, a bullet."""
    if re.match(r"(#{1,6} |[-*+] |\d+[.)] |\*\*|>|`)", line):
        return True
    word = _WORD.match(line)
    return word is not None and word[0] not in _INSIDE


def _without_prose(text: str, imports: list[str], notes: list[str]) -> str:
    """Leave sentences around Lean text out, where the text does not parse as it stands; empty when all is prose."""
    text = _QUOTED_LINE.sub(r"\1", text) if errors_of(text) else text
    if not any(_begins(line) for line in text.split("\n")):
        return text if not text.strip() or not _only_prose(text) else ""
    if not any(d.kind == "syntax" for d in errors_of(text)):
        return text
    kept: list[str] = []
    lean, depth = False, 0
    for line in text.split("\n"):
        if depth == 0 and line and not line[0].isspace():
            if _begins(line):
                lean = True
            elif _is_prose(line):
                lean = False
        if lean or depth:
            kept.append(line)
            depth = max(0, depth + line.count("/-") - line.count("-/"))
    inner = "\n".join(kept).strip("\n")
    if inner == text.strip("\n"):
        return text
    notes.append("sentences around the Lean text left out")
    return _take_imports(inner, imports).strip("\n")


def _only_prose(text: str) -> bool:
    """Tell whether a text without any command is sentences (a Lean text that lost its head is not)."""
    return not re.search(r":=|[∀∃∧∨→↔≤≥]", text)
