"""Further labelled examples of a task, made from its own: mutants, further inputs, forbidden inputs."""

from evaluators.examples.enrich import EnrichJob, enrich
from evaluators.examples.kinds import Kind, kind_of, plain, show
from evaluators.examples.model import ENRICH_LIMITS, Enrichment, EnrichOptions, Origin, Tally
from evaluators.examples.mutations import Mutation, borrowed, in_turns, mutations

__all__ = [
    "ENRICH_LIMITS",
    "EnrichJob",
    "EnrichOptions",
    "Enrichment",
    "Kind",
    "Mutation",
    "Origin",
    "Tally",
    "borrowed",
    "enrich",
    "in_turns",
    "kind_of",
    "mutations",
    "plain",
    "show",
]
