"""Tree edit distance with unit costs: exact, and fast enough for whole contracts.

`zss` (Zhang and Shasha 1989, SIAM J. Comput. 18(6)) defines what is computed here, and tests hold the two together on
random trees. It is not what runs, because it takes half a minute on two trees of 300 nodes. The other libraries do not
fit either: `apted` takes five seconds on the same trees and has been left alone since 2017; `edist` takes a hundredth
of a second, but is under the GPL, has wheels for Linux only and brings scikit-learn along. So this module is Zhang and
Shasha's recurrence with numpy doing a whole row of *all* forest-distance tables of a keyroot at once:

- the tables of the second tree's keyroots lie side by side in one row, each with a column for the empty forest;
- a row of a node that is not on the keyroot's leftmost path needs tree distances of earlier rows only, so it is one
  vector step; a row on that path (each node is on one such path) needs those of the keyroots nested in the column's
  own, so it is done in as many steps as keyroots are nested;
- insertions run along the row, and are a running minimum of (distance - column).

The distance is the same when both trees are mirrored or exchanged, and the cheapest of the four ways is taken: a chain
of implications is quadratic one way and linear the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

MAX_WORK = 2_000_000_000
"""Table cells that are worth computing (about ten seconds)."""
MAX_CELLS = 20_000_000
"""Table cells held at once (eight bytes each)."""

_FAR = 1 << 40


class Labelled(Protocol):
    """An ordered tree whose nodes have labels."""

    @property
    def label(self) -> str:
        """The node's own label."""
        ...

    @property
    def children(self) -> Sequence[Labelled]:
        """The subtrees, in order."""
        ...


class TooLargeError(Exception):
    """The trees are larger than what is computed exactly."""


@dataclass(frozen=True, slots=True)
class _Flat:
    """A tree in postorder: label numbers, and for each node the number of its leftmost leaf."""

    labels: Ints
    left: Ints
    keyroots: tuple[int, ...]

    @property
    def work(self) -> int:
        """The sum of the sizes of the keyroots' subtrees: rows, or columns, of all tables together."""
        return sum(k - int(self.left[k]) + 1 for k in self.keyroots)


def _flatten(tree: Labelled, numbers: dict[str, int], mirrored: bool) -> _Flat:
    labels: list[int] = []
    left: list[int] = []
    stack: list[tuple[Labelled, int]] = [(tree, -1)]
    while stack:
        node, first = stack.pop()
        if first < 0:
            stack.append((node, len(labels)))
            children = node.children if mirrored else reversed(node.children)
            stack.extend([(child, -1) for child in children])
        else:
            labels.append(numbers.setdefault(node.label, len(numbers)))
            # The leftmost leaf is the first node that was numbered since this one was opened.
            left.append(first)
    last = {leaf: node for node, leaf in enumerate(left)}
    return _Flat(np.array(labels), np.array(left), tuple(sorted(last.values())))


@dataclass(frozen=True, slots=True)
class _Columns:
    """The tables of all keyroots of the column tree side by side, by level of nesting.

    For each column: `node` (-1 for the empty forest), `index` within its table, `jump` to the column of the forest
    left of the node's subtree, `on_path` of its keyroot. `levels` are ranges of columns.
    """

    node: Ints
    index: Ints
    jump: Ints
    on_path: NDArray[np.bool_]
    shift: Ints
    levels: tuple[tuple[int, int], ...]


def _columns(tree: _Flat) -> _Columns:
    keyroot_of = {int(tree.left[k]): k for k in tree.keyroots}
    level: dict[int, int] = {}
    for k in tree.keyroots:
        nested = {keyroot_of[int(leaf)] for leaf in tree.left[tree.left[k] : k + 1]} - {k}
        level[k] = 1 + max((level[n] for n in nested), default=-1)
    node: list[int] = []
    index: list[int] = []
    jump: list[int] = []
    on_path: list[bool] = []
    shift: list[int] = []
    bounds: list[int] = [0]
    rank_step = 4 * (len(tree.labels) + 1)
    ordered = sorted(tree.keyroots, key=lambda k: (level[k], k))
    for rank, k in enumerate(ordered):
        if rank and level[k] != level[ordered[rank - 1]]:
            bounds.append(len(node))
        base, first = len(node), int(tree.left[k])
        size = k - first + 2
        node += [-1, *range(first, k + 1)]
        index += range(size)
        jump += [base, *(base + int(leaf) - first for leaf in tree.left[first : k + 1])]
        on_path += [False, *(int(leaf) == first for leaf in tree.left[first : k + 1])]
        shift += [rank * rank_step] * size
    bounds.append(len(node))
    levels = tuple(zip(bounds, bounds[1:], strict=False))
    return _Columns(np.array(node), np.array(index), np.array(jump), np.array(on_path), np.array(shift), levels)


class _Tables:
    """Zhang and Shasha's tables for a row tree and a column tree."""

    def __init__(self, rows: _Flat, columns: _Flat) -> None:
        self.rows = rows
        c = self.c = _columns(columns)
        self.rename = (rows.labels[:, None] != columns.labels[None, :]).astype(np.int64)
        # A further column stands for the empty forest's "node".
        self.trees = np.full((len(rows.labels), len(columns.labels) + 1), _FAR, dtype=np.int64)
        # A running minimum must not leak from one table into the next: later tables are moved far below.
        self.offset = c.index + c.shift * (1 + len(rows.labels) // max(1, len(columns.labels)))
        self.path = [np.flatnonzero(c.on_path[a:b]) + a for a, b in c.levels]
        self.path_all = np.flatnonzero(c.on_path)
        self.path_nodes = c.node[self.path_all]
        self.off_path = [np.flatnonzero(~c.on_path[a:b] & (c.node[a:b] >= 0)) + a for a, b in c.levels]

    def distance(self) -> int:
        for keyroot in self.rows.keyroots:
            self._keyroot(keyroot)
        return int(self.trees[-1, -2])

    def _keyroot(self, keyroot: int) -> None:
        first = int(self.rows.left[keyroot])
        table = np.empty((keyroot - first + 2, len(self.c.node)), dtype=np.int64)
        table[0] = self.c.index
        for x in range(first, keyroot + 1):
            leaf = int(self.rows.left[x])
            row = table[x - first + 1]
            np.add(table[x - first], 1, out=row)
            if leaf == first:
                self._path_row(x, table[x - first], row)
            else:
                kept = table[leaf - first][self.c.jump] + self.trees[x][self.c.node]
                np.minimum(row, kept, out=row)
                self._insertions(row, 0, len(row))

    def _path_row(self, x: int, above: Ints, row: Ints) -> None:
        c, trees = self.c, self.trees[x]
        renamed = above[self.path_all - 1] + self.rename[x][self.path_nodes]
        row[self.path_all] = np.minimum(row[self.path_all], renamed)
        for (a, b), path, off_path in zip(c.levels, self.path, self.off_path, strict=True):
            if len(off_path):
                kept = c.index[c.jump[off_path]] + trees[c.node[off_path]]
                row[off_path] = np.minimum(row[off_path], kept)
            self._insertions(row, a, b)
            trees[c.node[path]] = row[path]

    def _insertions(self, row: Ints, a: int, b: int) -> None:
        part, offset = row[a:b], self.offset[a:b]
        part -= offset
        np.minimum.accumulate(part, out=part)
        part += offset


def distance(a: Labelled, b: Labelled) -> int:
    """Return the least number of insertions, deletions and renamings of nodes that turn `a` into `b`.

    Raises:
        TooLargeError: computing it would take more than `MAX_WORK` or `MAX_CELLS`.
    """
    numbers: dict[str, int] = {}
    ways = []
    for mirrored in (False, True):
        x, y = _flatten(a, numbers, mirrored), _flatten(b, numbers, mirrored)
        ways += [(x, y), (y, x)]
    rows, columns = min(ways, key=lambda way: way[0].work * (way[1].work + 1000))
    if rows.work * columns.work > MAX_WORK or (len(rows.labels) + 1) * columns.work > MAX_CELLS:
        raise TooLargeError(f"trees of {len(rows.labels)} and {len(columns.labels)} nodes")
    return _Tables(rows, columns).distance()


def bounds(a: Labelled, b: Labelled) -> tuple[int, int]:
    """Return a lower and an upper bound of `distance`, in linear time.

    Each node that is kept needs a partner with its label, and an edit script may always keep or rename the roots.
    """
    counts_a, counts_b = _counts(a), _counts(b)
    n, m = counts_a.total(), counts_b.total()
    lower = max(n, m) - (counts_a & counts_b).total()
    return lower, n + m - 2 + (a.label != b.label)


def _counts(tree: Labelled) -> Counter[str]:
    counts: Counter[str] = Counter()
    stack = [tree]
    while stack:
        node = stack.pop()
        counts[node.label] += 1
        stack.extend(node.children)
    return counts
