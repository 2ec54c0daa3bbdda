"""Random trees, and the distance as zss defines it."""

from __future__ import annotations

import random

import zss
from hypothesis import strategies as st

from evaluators.similarity.trees import Tree


def random_tree(size: int, rng: random.Random, labels: str = "abcd") -> Tree:
    """A tree of exactly `size` nodes: each hangs below one of those before it, half the time a recent one."""
    below: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        below[rng.randrange(max(0, node - 6) if rng.random() < 0.5 else 0, node)].append(node)
    trees: list[Tree] = [Tree("")] * size
    for node in reversed(range(size)):
        trees[node] = Tree(rng.choice(labels), tuple(trees[child] for child in below[node]))
    return trees[0]


def trees(largest: int, labels: str = "ab") -> st.SearchStrategy[Tree]:
    """Trees of up to `largest` nodes."""
    return st.builds(
        lambda size, seed: random_tree(size, random.Random(seed), labels),
        st.integers(1, largest),
        st.integers(0, 2**32),
    )


def by_definition(a: Tree, b: Tree) -> int:
    """The distance that zss computes with unit costs."""
    return int(zss.simple_distance(a, b, lambda t: list(t.children), lambda t: t.label, lambda x, y: int(x != y)))
