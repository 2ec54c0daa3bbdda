"""Ordered labelled trees, and the contract as one.

The tree of a contract is made of its own clauses, never of a wrapper or of a helper alone: its root holds what the
contract requires, what it ensures, and the auxiliary definitions that these reach, in the order in which they are
reached. `clauses.py` brings every representation to that form; `terms.py` turns a Lean term into an operator tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

ROOT = "contract"
VARIABLE = "?"


@dataclass(frozen=True, slots=True)
class Tree:
    """A node: its label, its children in order, and whether it is a bound variable."""

    label: str
    children: tuple[Tree, ...] = ()
    variable: bool = False

    def nodes(self) -> Iterator[Tree]:
        """Yield every node, the root first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def size(self) -> int:
        """The number of nodes."""
        return sum(1 for _ in self.nodes())

    def show(self) -> str:
        """Return the tree on one line, e.g. `≤(?arg0, +(?arg1, 1))`."""
        if not self.children:
            return self.label
        return f"{self.label}({', '.join(child.show() for child in self.children)})"


def without_variable_names(tree: Tree) -> Tree:
    """Return the tree with every variable called the same: renaming a variable to a variable then costs nothing."""
    if tree.variable:
        return Tree(VARIABLE, tuple(map(without_variable_names, tree.children)), True)
    return Tree(tree.label, tuple(map(without_variable_names, tree.children)))
