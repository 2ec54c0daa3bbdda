"""Normalised exact match: are two contracts the same text but for comments, white space and the contract's name?"""

from __future__ import annotations

import re

from evaluators.contract import Contract
from evaluators.similarity.declared import Declared, OwnNames, body_of, declarations
from specgen.lean import syntax as s
from specgen.lean.lexer import DOC, EOF, MODDOC, lex

_FENCE = re.compile(r"^[ \t]*```[^\n]*$", re.MULTILINE)
_NAME = re.compile(r"\b(def|abbrev|theorem|lemma|example|instance) ([^\s({\[:⦃]+)")
_TRIVIAL = ("True", "true")


def normal_text(text: str) -> str:
    """Return N(text): comments and Markdown fences gone, white space collapsed, the first declaration without name."""
    tokens = lex(_FENCE.sub("", text))
    pieces: list[str] = []
    gap = False
    for kind, start, end, space in zip(tokens.kinds, tokens.starts, tokens.ends, tokens.space, strict=True):
        gap = gap or bool(space)
        if kind in (DOC, MODDOC, EOF):
            gap = True
            continue
        pieces.append((" " if gap and pieces else "") + tokens.text[start:end])
        gap = False
    return _NAME.sub(r"\1", "".join(pieces), count=1)


def contract_text(contract: Contract) -> str:
    """Return what N is applied to: the contract's own declarations, its predicates under fixed names.

    A predicate's head is written anew from its parameters: attributes and the proof of the precondition are what the
    assembly of a structured reply adds, and a precondition `True` is the same as none.

    Raises:
        NoClausesError: the text does not parse.
    """
    declared = [d for d in declarations(contract) if not d.given]
    names = OwnNames(declared)
    predicates = {}
    for name, label in ((contract.precondition, "precondition"), (contract.postcondition, "postcondition")):
        found = names.find(name) if name else None
        if found is not None:
            predicates[found.name] = label
    precondition = next((n for n, label in predicates.items() if label == "precondition"), "")
    parts = []
    for d in declared:
        own = predicates.get(d.name, "")
        text = contract.source[slice(*d.command.span)]
        if own and isinstance(d.command, s.Declaration):
            text = _predicate(contract.source, d, own, precondition)
        parts.append(text)
    return "\n".join(part for part in parts if part)


def _predicate(source: str, declared: Declared, label: str, precondition: str) -> str:
    command = declared.command
    assert isinstance(command, s.Declaration)  # noqa: S101 - the caller has looked
    body = body_of(command)
    if label == "precondition" and isinstance(body, s.Ident) and body.name in _TRIVIAL:
        return ""
    head = []
    for group in command.binders:
        type_ = "_" if group.type is None else source[slice(*group.type.span)]
        words = normal_text(type_).strip("( ").split()
        if not precondition or words[:1] != [precondition]:
            head += [f"({name} : {type_})" for name in (group.names or ("_",))]
    end = command.span[1]
    if command.value is not None:
        return f"{label} {' '.join(head)} := {source[command.value.span[0] : end]}"
    start = min((alt.span[0] for alt in command.alts), default=end)
    return f"{label} {' '.join(head)} {source[start:end]}"


def nem(candidate: Contract, reference: Contract) -> bool:
    """Tell whether N(candidate) = N(reference).

    Raises:
        NoClausesError: one of the texts does not parse.
    """
    return normal_text(contract_text(candidate)) == normal_text(contract_text(reference))
