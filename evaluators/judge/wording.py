"""The judge's prompts: package data with placeholders, checked when read, and filled without touching what is put in.

A prompt holds the requirement, the signature, the task's given definitions and, in the second call, the contract:
never a reference, a label or a run. The contract is untrusted text. It stands between lines that carry a token made
from a hash of the contents, which its author cannot foresee, and the reply must repeat that token.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

from evaluators.judge.replies import Item, printable
from specgen.errors import UserError
from specgen.lean.lexer import DOC, EOF, MODDOC, lex
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView

WORDING = "1"
"""Raised when the prompts are worded anew; the hash of each prompt is recorded besides."""

PLACEHOLDERS = {
    "decompose_system": frozenset[str](),
    "decompose": frozenset({"token", "requirement", "signature", "context"}),
    "verdict_system": frozenset[str](),
    "verdict": frozenset({"token", "requirement", "signature", "context", "items", "contract"}),
}
"""The placeholders that each prompt must have; no others are known."""

TOKEN_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call's wording: system message and user message."""

    name: str
    system: Template
    user: Template
    digest: str

    def messages(self, **values: str) -> tuple[ChatMessage, ...]:
        """Return the conversation with the placeholders filled."""
        return (
            ChatMessage("system", self.system.substitute(values).strip()),
            ChatMessage("user", self.user.substitute(values).strip()),
        )


def template(name: str, text: str) -> Template:
    """Return a prompt's text as a template.

    Raises:
        UserError: a placeholder is missing, unknown or malformed.
    """
    made = Template(text)
    if not made.is_valid():
        raise UserError(f"judge prompt {name}: a $ begins no placeholder", remedy="Write $$ for a dollar sign")
    wanted, found = PLACEHOLDERS[name], set(made.get_identifiers())
    if missing := sorted(wanted - found):
        raise UserError(f"judge prompt {name}: placeholder ${missing[0]} is missing", remedy="Put it into the text")
    if unknown := sorted(found - wanted):
        known = ", ".join(f"${p}" for p in sorted(wanted)) or "none"
        raise UserError(f"judge prompt {name}: unknown placeholder ${unknown[0]}", remedy=f"Known: {known}")
    return made


@cache
def prompt(name: str) -> Prompt:
    """Return one of the two prompts, `decompose` or `verdict`.

    Raises:
        UserError: as `template`.
    """
    folder = resources.files("evaluators.judge").joinpath("prompts")
    texts = {n: folder.joinpath(f"{n}.md").read_text(encoding="utf-8") for n in (f"{name}_system", name)}
    digest = hashlib.sha256("\x00".join(texts.values()).encode()).hexdigest()[:8]
    system, user = (template(n, text) for n, text in texts.items())
    return Prompt(name, system, user, digest)


def versions() -> str:
    """Return the version of the wording with the hash of each prompt, e.g. `1 (decompose 0123abcd, verdict …)`."""
    return f"{WORDING} (" + ", ".join(f"{n} {prompt(n).digest}" for n in ("decompose", "verdict")) + ")"


def token_for(*contents: str) -> str:
    """Return a token, in hexadecimal, that stands in none of the contents and depends on all of them."""
    digest = hashlib.sha256(json.dumps(contents).encode()).hexdigest()
    while any(digest[:TOKEN_LENGTH] in text for text in contents):
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:TOKEN_LENGTH]


def without_comments(text: str) -> str:
    """Return Lean text without comments and documentation: they are no part of what a contract says."""
    tokens = lex(text)
    pieces: list[str] = []
    at = 0
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind == EOF:
            break
        gap = text[at:start]
        if gap.strip():
            gap = "\n" + gap.rpartition("\n")[2] if "\n" in gap and not gap.rpartition("\n")[2].strip() else " "
        pieces.append(gap)
        if kind not in (DOC, MODDOC):
            pieces.append(text[start:end])
        at = end
    lines = (line.rstrip() for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def _given(view: GenerationView) -> dict[str, str]:
    signature = view.signature
    preamble = view.context.preamble.strip()
    return {
        "requirement": printable(view.requirement.strip()),
        "signature": f"def {signature.name} {signature.binders()} : {signature.result_type}",
        "context": f"\nDefinitions that are given:\n{printable(preamble)}\n" if preamble else "",
    }


def decompose_messages(view: GenerationView) -> tuple[ChatMessage, ...]:
    """Return the conversation of the first call."""
    given = _given(view)
    return prompt("decompose").messages(**given, token=token_for(*given.values()))


def verdict_messages(view: GenerationView, items: Sequence[Item], contract: str) -> tuple[tuple[ChatMessage, ...], str]:
    """Return the conversation of the second call, and the token that its reply must repeat."""
    given = _given(view)
    listed = "\n".join(
        json.dumps({"id": n, "kind": item.kind, "text": item.text}, ensure_ascii=False)
        for n, item in enumerate(items, 1)
    )
    token = token_for(*given.values(), listed, contract)
    return prompt("verdict").messages(**given, items=listed, contract=contract, token=token), token
