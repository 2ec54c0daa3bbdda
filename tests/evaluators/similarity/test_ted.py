"""The tree edit distance: zss's on small trees, a metric, and bounded where it cannot be computed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from evaluators.similarity import ted
from evaluators.similarity.trees import Tree
from tests.evaluators.similarity.trees import by_definition, random_tree, trees


def chain(labels: str, *last: Tree) -> Tree:
    node = Tree(labels[-1], last)
    for label in reversed(labels[:-1]):
        node = Tree(label, (node,))
    return node


def star(root: str, leaves: str) -> Tree:
    return Tree(root, tuple(Tree(x) for x in leaves))


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        (Tree("a"), Tree("a"), 0),
        (Tree("a"), Tree("b"), 1),
        (star("f", "xy"), star("f", "yx"), 2),
        (star("f", "xyz"), star("f", "xz"), 1),
        (chain("fgx"), chain("fx"), 1),
        # Zhang and Shasha's own example.
        (
            Tree("f", (Tree("d", (Tree("a"), Tree("c", (Tree("b"),)))), Tree("e"))),
            Tree("f", (Tree("c", (Tree("d", (Tree("a"), Tree("b"))),)), Tree("e"))),
            2,
        ),
        # A chain and a star share two nodes at most, so the distance exceeds their size.
        (chain("aaaaaa"), star("a", "aaaaa"), 8),
    ],
)
def test_by_hand(a: Tree, b: Tree, distance: int) -> None:
    assert ted.distance(a, b) == distance == by_definition(a, b)


@settings(max_examples=150, deadline=None)
@given(trees(12), trees(12))
def test_the_distance_is_what_zss_defines(a: Tree, b: Tree) -> None:
    assert ted.distance(a, b) == by_definition(a, b)


@settings(max_examples=60, deadline=None)
@given(trees(16), trees(16), trees(16))
def test_it_is_a_metric(a: Tree, b: Tree, c: Tree) -> None:
    ab, bc, ac = ted.distance(a, b), ted.distance(b, c), ted.distance(a, c)
    assert (ab == 0) == (a == b)
    assert ab == ted.distance(b, a)
    assert ac <= ab + bc


@settings(max_examples=60, deadline=None)
@given(trees(20, "abc"), trees(20, "abc"))
def test_bounds_hold(a: Tree, b: Tree) -> None:
    least, most = ted.bounds(a, b)
    assert max(0, abs(a.size - b.size)) <= least <= ted.distance(a, b) <= most


@pytest.mark.parametrize("seed", range(3))
def test_larger_trees_too(seed: int) -> None:
    rng = random.Random(seed)
    a, b = random_tree(45, rng), random_tree(60, rng)
    assert ted.distance(a, b) == by_definition(a, b)


def test_chains_are_cheap_from_either_side() -> None:
    """A right comb has quadratic tables one way and linear ones mirrored."""
    left, right = Tree("x"), Tree("x")
    for _ in range(400):
        left, right = Tree("→", (left, Tree("p"))), Tree("→", (Tree("p"), right))
    assert ted.distance(right, Tree("→", (Tree("p"), right))) == 2
    assert ted.distance(left, Tree("→", (left, Tree("p")))) == 2


def test_what_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ted, "MAX_WORK", 1000)
    rng = random.Random(0)
    with pytest.raises(ted.TooLargeError):
        ted.distance(random_tree(100, rng), random_tree(100, rng))
