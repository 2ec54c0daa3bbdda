"""`TermElab`: elaboration of terms, the end of the chain of classes described in `context.py`."""

from __future__ import annotations

from specgen.lean.elab.context import MetaContext


class TermElab(MetaContext):
    """Elaborates the terms of one declaration: see `MetaContext` for the interface."""
