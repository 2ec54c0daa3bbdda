"""Signature F1 and logical-atom F1: how far two contracts are made of the same parts, counted with multiplicity.

Two profiles. `full` leaves nothing out: a signature is the types of the inputs and of the result, and the atoms are the
nodes of the contract's clauses (`clauses.py`): constants, operators, quantifiers, numerals, and variables by position,
so that neither the names of variables nor the representation counts. `paper` follows the published metric ("Beyond
Type-checking", arXiv 2610.10604) in what it misses: its signatures are those of theorem statements, which contracts
written as definitions do not have, and two empty ones score 1; its atoms are words of the text, without numerals and
without `≤`, `≥`, `≠` (their ASCII forms are atoms). The paper does not say what its words are; docs/metrics.md shows
how far ours are from its rows.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias

from evaluators.contract import Contract
from evaluators.similarity.clauses import ClauseTree
from evaluators.similarity.declared import declarations
from evaluators.similarity.nem import normal_text
from specgen.lean import syntax as s
from specgen.lean.lexer import IDENT, SYM, lex

Profile: TypeAlias = Literal["full", "paper"]
Bag: TypeAlias = Counter[str]

_NO_WORDS = """( ) [ ] { } ⟨ ⟩ ⦃ ⦄ , ; : := => ↦ . .. _ ? @ | · ' <| |> $ #[
    ≤ ≥ ≠"""
_LEFT_OUT = frozenset(_NO_WORDS.split())


def overlap(a: Bag, b: Bag) -> int:
    """Return I(A, B), the sum over units of the smaller multiplicity."""
    return (a & b).total()


def f1(candidate: Bag, reference: Bag) -> float:
    """Return 2PR/(P+R) with P = I/|candidate| and R = I/|reference|, in [0, 1]; 1 for two empty bags."""
    both = candidate.total() + reference.total()
    return 2 * overlap(candidate, reference) / both if both else 1.0


def signature_atoms(contract: Contract, clauses: ClauseTree, profile: Profile) -> Bag:
    """Return the units of a contract's signature in a profile."""
    if profile == "full":
        return Counter(clauses.signature)
    bag: Bag = Counter()
    for d in declarations(contract):
        if not d.given and isinstance(d.command, s.Declaration) and d.command.kind in ("theorem", "lemma"):
            bag.update(normal_text(contract.source[slice(*b.span)]) for b in d.command.binders)
    return bag


def logical_atoms(contract: Contract, clauses: ClauseTree, profile: Profile) -> Bag:
    """Return the units of a contract's clauses in a profile."""
    if profile == "full":
        return Counter(node.label for child in clauses.tree.children for node in child.nodes())
    bag: Bag = Counter()
    for start, end in clauses.words_from:
        bag.update(words(contract.source[start:end]))
    return bag


def words(text: str) -> list[str]:
    """Return the words of the `paper` profile: identifiers (dotted ones whole) and operators, as written."""
    tokens = lex(text)
    kept = []
    for kind, word in zip(tokens.kinds, tokens.texts, strict=True):
        if kind == IDENT or (kind == SYM and not word[0].isalpha() and word not in _LEFT_OUT):
            kept.append(word)
    return kept
