"""Bench rows of reference similarity: the tree edit distance against plain zss on the same trees, evidence a second."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import zss

from evaluators.contract import Contract, reference_contract
from evaluators.similarity import similarity, ted
from evaluators.similarity.trees import Tree
from specgen.tasks import load_dataset
from specgen.tasks.model import Task

SIZES = (100, 200, 300, 1000)
ZSS_UP_TO = 300
LABELS = "abcdefgh"


def random_tree(size: int, rng: random.Random) -> Tree:
    """A tree of `size` nodes: each hangs below one of those before it, half the time a recent one."""
    below: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        below[rng.randrange(max(0, node - 6) if rng.random() < 0.5 else 0, node)].append(node)
    trees: list[Tree] = [Tree("")] * size
    for node in reversed(range(size)):
        trees[node] = Tree(rng.choice(LABELS), tuple([trees[child] for child in below[node]]))
    return trees[0]


def rows() -> list[tuple[str, str, str]]:
    """Measure and return the rows."""
    return [*_distances(), _evidence()]


def _distances() -> list[tuple[str, str, str]]:
    rng = random.Random(0)
    out = []
    for size in SIZES:
        a, b = random_tree(size, rng), random_tree(size, rng)
        found, seconds = _timed(lambda a=a, b=b: ted.distance(a, b))  # type: ignore[misc]
        note = "not compared with zss"
        if size <= ZSS_UP_TO:
            wanted, slow = _timed(lambda a=a, b=b: int(_by_zss(a, b)))  # type: ignore[misc]
            if found != wanted:
                raise RuntimeError(f"trees of {size} nodes: distance {found}, zss says {wanted}")
            note = f"zss {slow:.2f} s on the same trees, x{slow / seconds:.0f}"
        out.append((f"similarity: GTED, random trees of {size}", f"{seconds:.3f} s", note))
    return out


def _by_zss(a: Tree, b: Tree) -> float:
    distance: float = zss.simple_distance(a, b, lambda t: t.children, lambda t: t.label, lambda x, y: int(x != y))
    return distance


def _timed(action: Callable[[], int]) -> tuple[int, float]:
    start = time.perf_counter()
    found = action()
    return found, time.perf_counter() - start


def _evidence() -> tuple[str, str, str]:
    """Compare each starter reference with itself and with another task's, which has nothing to do with it."""
    pairs: list[tuple[Task, Contract]] = []
    tasks = load_dataset("starter").tasks
    for task in tasks:
        for reference in task.references:
            contract = reference_contract(task, reference.representation)
            if contract is not None:
                pairs.append((task, contract))
    start, records = time.perf_counter(), 0
    for (task, contract), (_, other) in zip(pairs, [*pairs[2:], *pairs[:2]], strict=True):
        records += len(similarity(task, contract)) + len(similarity(task, other))
    seconds = time.perf_counter() - start
    return ("similarity: evidence", f"{records / seconds:.0f} records/s", f"{records} records, parsing included")
