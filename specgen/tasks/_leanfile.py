"""Lean files in pieces: top-level commands as chunks, and contracts cut out of a file with what they need."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from specgen.tasks._loading import NothingToSpecifyError
from specgen.tasks._text import BinderGroup, Head, declared_names, find_head, mask, strip_parens, words
from specgen.tasks.model import ContractSource, Implementation, Signature

_COMMAND = re.compile(
    r"^(?:@\[|#\w|(?:private|protected|noncomputable|partial|unsafe|nonrec|local|scoped|def|abbrev|theorem|lemma|instance"
    r"|inductive|structure|class|opaque|axiom|example|open|namespace|end|section|variable|universe|set_option|attribute"
    r"|mutual|notation|infix[lr]?|prefix|postfix|macro|syntax|macro_rules|deriving(?=[ \t]+instance)"
    r"|export|include|omit)\b)",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^import[ \t]+([^\n]*)\n?", re.MULTILINE)
_MARKS = re.compile(r"^[ \t]*--[ \t]*(?:</?vc-[\w-]+>|!benchmark[^\n]*)[ \t]*\n?", re.MULTILINE)
_NESTING = re.compile(r"^(?:namespace|section|mutual|variable|end)\b", re.MULTILINE)
_PROOF = re.compile(r"\b(?:theorem|lemma|example)\b")
_OPENING = re.compile(r"^(?:open|set_option|universe|export)\b")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One top-level command with the comments before it, and the names it declares."""

    text: str
    names: tuple[str, ...]
    problems: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FileParts:
    """What a Lean file that states a contract gives: see `read_contract_file`."""

    imports: tuple[str, ...]
    preamble: str
    signature: Signature
    references: tuple[ContractSource, ...]
    implementation: Implementation | None
    code: str
    generic: bool
    style: str


def chunks(text: str) -> tuple[Chunk, ...]:
    """Split a text into its top-level commands (those that start at column 0); comments stay with what follows them."""
    masked, code = mask(text), mask(text, literals=False)
    starts = [found.start() for found in _COMMAND.finditer(masked)]
    bounds = list[int]()
    for start in starts:
        before = masked[bounds[-1] : start] if bounds else ""
        if bounds and _is_prefix(before):
            continue
        bounds.append(start)
    pieces, last = list[Chunk](), 0
    for at, start in enumerate(bounds):
        end = bounds[at + 1] if at + 1 < len(bounds) else len(text)
        code_end = start + len(code[start:end].rstrip())
        piece = text[last:code_end].strip("\n")
        pieces.append(Chunk(piece, declared_names(piece)))
        last = code_end
    return tuple(pieces)


def _is_prefix(masked: str) -> bool:
    """Tell whether what stands so far is only attributes, modifiers or an `open … in` of the command to come."""
    if re.search(r"\bin\s*$", masked):
        return True
    return (
        re.fullmatch(r"(?:\s|@\[[^\]]*\]|private|protected|noncomputable|partial|unsafe|nonrec|local|scoped)+", masked)
        is not None
    )


def closure(every: Iterable[Chunk], texts: Iterable[str], start: Iterable[Chunk] = ()) -> tuple[Chunk, ...]:
    """Return, in order, the chunks that the texts mention (directly or not), with `start` and what those need."""
    pool = tuple(every)
    chosen = {id(chunk) for chunk in start}
    known = set[str]()
    for text in (*texts, *(chunk.text for chunk in start)):
        known.update(words(text))
    while True:
        new = [c for c in pool if id(c) not in chosen and any(_last(n) in known for n in c.names)]
        if not new:
            return tuple(c for c in pool if id(c) in chosen)
        for chunk in new:
            chosen.add(id(chunk))
            known.update(words(chunk.text))


def _last(name: str) -> str:
    return name.rsplit(".", 1)[-1]


def read_contract_file(lean: str, where: str) -> FileParts:
    """Read a file that declares a function (perhaps by `sorry`) and what it must satisfy.

    Three styles: `prepost` (`f`, `f_precond`, `f_postcond`), `relational` (`implementation`, `problem_spec`), and
    `theorem` (statements about the function, from which no contract is taken).

    Raises:
        NothingToSpecifyError: the file declares no function.
    """
    imports = tuple(m for found in _IMPORT.finditer(lean) for m in found.group(1).split("--")[0].split())
    body = _MARKS.sub("", _IMPORT.sub("", lean))
    every = chunks(body)
    names = [name for chunk in every for name in chunk.names]
    style, function, post = _style(every, names)
    pre = f"{function}_precond" if style == "prepost" and f"{function}_precond" in names else ""
    head = find_head(body, function) if function else None
    if head is None and style == "prepost":
        head = _from_postcondition(find_head(body, post), function, pre)
    if head is None:
        raise NothingToSpecifyError(where, "lean", "the text declares no function to specify")
    signature = _signature(head, (pre,) if pre else ())
    opening = [c for c in every if _OPENING.match(mask(c.text).lstrip())]
    types = " ".join([*(p.type for p in signature.parameters), signature.result_type])
    named = [c for c in every if c.names and not _PROOF.search(mask(c.text).split(":=")[0])]
    given = _given(every, named, opening, types, nested=_NESTING.search(mask(body)) is not None)
    own = [c for c in named if function in c.names]
    code = own[0].text if own else ""
    wanted = [c for c in named if post in c.names or pre in c.names] if post else []
    references: tuple[ContractSource, ...] = ()
    if wanted:
        text = _text(every, named, wanted, given)
        references = (ContractSource("relational" if style == "relational" else "prepost", text, post, pre),)
    implementation = None
    if own and "sorry" not in set(words(code)):
        implementation = Implementation(_text(every, named, own, given), function)
    preamble = "\n\n".join(c.text for c in given)
    return FileParts(imports, preamble, signature, references, implementation, code, head.generic, style)


def _given(
    every: tuple[Chunk, ...], named: list[Chunk], opening: list[Chunk], types: str, *, nested: bool
) -> tuple[Chunk, ...]:
    """Return the chunks that the signature's types need: what comes before every contract of this task.

    A file with namespaces cannot be cut freely: its beginning is taken, to the last type that is named.
    """
    if not nested:
        needed = closure(named, (types,), opening)
        return tuple(c for c in every if c in needed or c in opening)
    mentioned = set(words(types))
    last = max((at for at, c in enumerate(every) if any(_last(n) in mentioned for n in c.names)), default=-1)
    first = every[: last + 1]
    marks = [mask(c.text).lstrip().split(None, 1)[0] for c in first]
    level = sum(m in ("namespace", "section", "mutual") for m in marks) - marks.count("end")
    return first if level == 0 else ()


def _style(every: tuple[Chunk, ...], names: list[str]) -> tuple[str, str, str]:
    """Return the style, the function's name and the postcondition's name ("" where there is none)."""
    posts = [name for name in names if name.endswith("_postcond")]
    if posts:
        return "prepost", posts[-1].removesuffix("_postcond"), posts[-1]
    if "problem_spec" in names and "implementation" in names:
        return "relational", "implementation", "problem_spec"
    pres = [name.removesuffix("_precond") for name in names if name.endswith("_precond")]
    sorried = [c.names[0] for c in every if _states_function(c) and "sorry" in set(words(c.text))]
    defined = [c.names[0] for c in every if _states_function(c)]
    candidates = [n for n in pres if n in names] or sorried or defined
    return "theorem", candidates[-1] if candidates else "", ""


def _from_postcondition(head: Head | None, function: str, pre: str) -> Head | None:
    """Return the head of a function that has another name: the postcondition's, whose last parameter is the result."""
    if head is None or not head.parameters((pre,)):
        return None
    *parameters, result = head.parameters((pre,))
    binders = tuple(BinderGroup((p.name,), p.type, "(") for p in parameters)
    return Head(function, head.start, binders, result.type, head.body)


def _states_function(chunk: Chunk) -> bool:
    return bool(chunk.names) and re.search(r"^[^:({\[]*\b(?:def|abbrev)\b", mask(chunk.text), re.MULTILINE) is not None


def _text(every: tuple[Chunk, ...], named: list[Chunk], wanted: list[Chunk], given: tuple[Chunk, ...]) -> str:
    """Return the wanted chunks with what they need and the file does not give already, in the file's order.

    A file with namespaces or sections cannot be cut: all of it up to its first theorem is taken.
    """
    if _NESTING.search(mask("\n".join(c.text for c in every))):
        taken = [c for c in every if c not in given and not _PROOF.match(mask(c.text).lstrip())]
    else:
        needed = closure(named, (), wanted)
        nameless = [c for c in every if not c.names and not mask(c.text).lstrip().startswith(("#", "example"))]
        taken = [c for c in every if (c in needed or c in nameless) and c not in given]
    return "\n\n".join(c.text for c in taken) + "\n"


def _signature(head: Head, proofs: tuple[str, ...]) -> Signature:
    return Signature(head.name, head.parameters(proofs), strip_parens(head.result_type))
