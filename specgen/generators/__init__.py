"""Generators: ways of asking a model for a specification."""

from specgen.generators.base import (
    CallOptions,
    Generator,
    ModelClient,
    Parsed,
    Shot,
    prompt_hash,
    read_reply,
    render_prompt,
)
from specgen.generators.candidate import FIELD_NAMES, Candidate, candidate_from_record
from specgen.generators.registry import GENERATORS, make_generator
from specgen.generators.session import (
    Elaboration,
    HarnessReport,
    HarnessScore,
    Relation,
    Session,
    Strategy,
    Verifier,
    generate,
)

__all__ = [
    "FIELD_NAMES",
    "GENERATORS",
    "CallOptions",
    "Candidate",
    "Elaboration",
    "Generator",
    "HarnessReport",
    "HarnessScore",
    "ModelClient",
    "Parsed",
    "Relation",
    "Session",
    "Shot",
    "Strategy",
    "Verifier",
    "candidate_from_record",
    "generate",
    "make_generator",
    "prompt_hash",
    "read_reply",
    "render_prompt",
]
