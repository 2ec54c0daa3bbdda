"""What every node of the surface tree has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Span: TypeAlias = tuple[int, int]
BinderKind: TypeAlias = Literal["explicit", "implicit", "strict", "instance"]


@dataclass(frozen=True, slots=True)
class Node:
    """Base of every syntax node; spans do not take part in equality."""

    span: Span = field(compare=False, repr=False)
