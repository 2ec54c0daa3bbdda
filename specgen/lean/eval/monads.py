"""Monad instances as primitives see them.

An instance of `Monad` is `((functor, (pure,), …), (bind,))`, as Lean's parent structures lay it out, and its methods
take their type arguments too (as None): `bind None None x f`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from specgen.lean.eval.values import Value


def pure(monad: Value, x: Value) -> Value:
    """Return `pure x`."""
    return monad[0][1][0](None)(x)


def bind(monad: Value, x: Value, f: Callable[[Any], Any]) -> Value:
    """Return `x >>= f`."""
    return monad[1][0](None)(None)(x)(f)


def is_identity(monad: Value) -> bool:
    """Tell whether the monad is `Id` or behaves like it, so that a loop can run as a loop.

    `pure` gives its argument back only in a monad whose values are those of its type argument, and there `bind` can do
    nothing but apply the function, by parametricity.
    """
    token = object()
    return pure(monad, token) is token
