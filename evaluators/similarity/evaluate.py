"""The evaluator: NEM, signature F1, logical-atom F1, GTED and its free-cost variant of one contract.

These speak of text and structure, not of meaning: equal contracts may score low, and a contract need not be well typed
to be compared. GTED is 1 - d/max(|candidate|, |reference|) with the exact tree edit distance d between the clauses of
the two contracts (Liu et al., arXiv 2507.07399); sizes leave out the root, which holds a contract's clauses together
and is no part of it. A distance above the larger size (which takes trees of very different shape) is similarity 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from evaluators.contract import Contract, ProjectionFailure, reference_contract
from evaluators.evidence import Evidence, Status, without_value
from evaluators.similarity import ted
from evaluators.similarity.atoms import Bag, Profile, f1, logical_atoms, overlap, signature_atoms
from evaluators.similarity.clauses import ClauseTree, clause_tree
from evaluators.similarity.declared import NoClausesError
from evaluators.similarity.nem import nem
from evaluators.similarity.trees import without_variable_names
from specgen.tasks.model import Task

EVALUATOR = "similarity"
VERSION = "1"
METRICS = ("NEM", "signature_f1", "atom_f1", "gted", "gted_freecost")

_STATUS_OF_FAILURE: dict[str, Status] = {
    "no_output": "generation_failure",
    "not_well_formed": "not_applicable",
    "unsupported": "unsupported",
}
_Pair: TypeAlias = tuple[Contract, ClauseTree]


def similarity(task: Task, contract: Contract | ProjectionFailure, profile: Profile = "full") -> list[Evidence]:
    """Return one evidence for each of `METRICS`, comparing a contract with the task's reference.

    The reference is taken in the contract's own representation where the task has one; else the clauses of the main
    reference are compared (the message says so), and NEM, which compares texts, is not applicable (in the profile
    `paper` it is 0, as published).
    """
    if isinstance(contract, ProjectionFailure):
        status = _STATUS_OF_FAILURE[contract.kind]
        return _nothing(status, f"there is no contract: {contract.message}")
    same = reference_contract(task, contract.representation)
    reference = same or reference_contract(task)
    if reference is None:
        return _nothing("not_applicable", "the task has no reference contract")
    arity = len(task.signature.parameters)
    try:
        theirs = _reference_clauses(reference, arity)
    except NoClausesError as error:
        return _nothing("unsupported", f"reference: {error}")
    try:
        ours = clause_tree(contract, arity)
    except NoClausesError as error:
        return _nothing("unsupported" if error.unsupported else "not_applicable", str(error))
    message = _how(ours, theirs, contract, reference)
    pair, other = (contract, ours), (reference, theirs)
    return [
        _timed(lambda: _nem(contract, reference if profile == "paper" else same, message)),
        _timed(lambda: _bag_f1("signature_f1", pair, other, profile, message)),
        _timed(lambda: _bag_f1("atom_f1", pair, other, profile, message)),
        _timed(lambda: _gted("gted", ours, theirs, message)),
        _timed(lambda: _gted("gted_freecost", ours, theirs, message)),
    ]


@lru_cache(maxsize=512)
def _reference_clauses(reference: Contract, arity: int) -> ClauseTree:
    return clause_tree(reference, arity)


def _nothing(status: Status, message: str) -> list[Evidence]:
    return without_value(METRICS, status, message, EVALUATOR, VERSION)


def _how(ours: ClauseTree, theirs: ClauseTree, contract: Contract, reference: Contract) -> str:
    parts = []
    if contract.representation != reference.representation:
        parts.append(f"{contract.representation} against the clauses of a {reference.representation} reference")
    parts += [f"candidate: {note}" for note in ours.notes]
    parts += [f"reference: {note}" for note in theirs.notes]
    return "; ".join(parts)


def _timed(measure: Callable[[], Evidence]) -> Evidence:
    start = time.perf_counter()
    evidence = measure()
    return replace(evidence, runtime_s=time.perf_counter() - start)


def _observed(metric: str, numerator: int, denominator: int, value: float, scope: str, message: str) -> Evidence:
    return Evidence(
        metric,
        "observed",
        value,
        value,
        value,
        scope,
        numerator,
        denominator,
        evaluator=EVALUATOR,
        version=VERSION,
        message=message,
    )


def _nem(candidate: Contract, reference: Contract | None, message: str) -> Evidence:
    if reference is None:
        why = "the reference is in another representation, so the texts cannot match"
        return Evidence("NEM", "not_applicable", evaluator=EVALUATOR, version=VERSION, message=why)
    equal = int(nem(candidate, reference))
    return _observed("NEM", equal, 1, float(equal), "exact", message)


def _bag_f1(metric: str, candidate: _Pair, reference: _Pair, profile: Profile, message: str) -> Evidence:
    atoms = signature_atoms if metric == "signature_f1" else logical_atoms
    ours: Bag = atoms(*candidate, profile)
    theirs: Bag = atoms(*reference, profile)
    both = ours.total() + theirs.total()
    scope = f"exact, profile {profile}"
    if both == 0 and metric == "signature_f1" and profile == "full":
        why = "both signatures are empty"
        return Evidence(metric, "not_applicable", scope=scope, evaluator=EVALUATOR, version=VERSION, message=why)
    return _observed(metric, 2 * overlap(ours, theirs), both, f1(ours, theirs), scope, message)


def _gted(metric: str, ours: ClauseTree, theirs: ClauseTree, message: str) -> Evidence:
    a, b = ours.tree, theirs.tree
    if metric == "gted_freecost":
        a, b = without_variable_names(a), without_variable_names(b)
    largest = max(ours.size, theirs.size)
    try:
        distance = ted.distance(a, b)
    except ted.TooLargeError as error:
        least, most = ted.bounds(a, b)
        why = f"{error}: too large for the exact distance, which lies between {least} and {most}"
        lower, upper = (max(0.0, 1 - d / largest) for d in (most, least))
        return Evidence(
            metric,
            "inconclusive",
            None,
            lower,
            upper,
            f"bounded({least} <= distance <= {most})",
            evaluator=EVALUATOR,
            version=VERSION,
            message=why,
        )
    kept = max(0, largest - distance)
    return _observed(metric, kept, largest, kept / largest if largest else 1.0, "exact", message)
