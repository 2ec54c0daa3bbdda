"""One contract in other forms: a pre/post contract as a relation over an implementation, and as a theorem.

Text in, text out, for material that a person or a model reads (examples of a prompt, simulated replies). Whether two
forms mean the same is for an evaluator to decide.
"""

from __future__ import annotations

from textwrap import indent

from specgen.tasks.model import ContractSource, Signature
from specgen.tasks.normalise import rename
from specgen.tasks.spoil import ContractFields


def as_relation(signature: Signature, fields: ContractFields, name: str = "generated_spec") -> str:
    """Return a pre/post contract as definitions ending with `def NAME (impl : …) … : Prop`; the precondition is a
    guard before everything.
    """
    head = f"def {name} (impl : {signature.function_type()}) {signature.binders()} : Prop :="
    return _definitions(fields, f"{head}\n{indent(_claim(signature, fields, 'impl'), '  ')}")


def as_theorem(signature: Signature, fields: ContractFields, proof: str = "sorry") -> str:
    """Return a pre/post contract as definitions and a theorem about the function itself."""
    head = f"theorem {signature.name}_correct {signature.binders()} :"
    claim = indent(_claim(signature, fields, signature.name), "  ")
    return _definitions(fields, f"{head}\n{claim} := by\n  {proof}")


def relation_as_theorem(signature: Signature, contract: ContractSource, name: str = "generated_spec") -> str:
    """Return a relational contract under a name, with a theorem that applies it to the function."""
    call = " ".join([name, signature.name, *(p.name for p in signature.parameters)])
    theorem = f"theorem {signature.name}_correct {signature.binders()} :\n  {call} := by\n  sorry"
    return f"{renamed_relation(contract, name).rstrip()}\n\n{theorem}"


def renamed_relation(contract: ContractSource, name: str = "generated_spec") -> str:
    """Return a relational contract under another name."""
    return rename(contract.text, {contract.postcondition: name})


def _definitions(fields: ContractFields, last: str) -> str:
    return "\n\n".join(part.strip("\n") for part in (fields.precond_aux, fields.postcond_aux, last) if part.strip())


def _claim(signature: Signature, fields: ContractFields, function: str) -> str:
    """Return the contract's body as one proposition about a function's value on the inputs."""
    call = " ".join([function, *(p.name for p in signature.parameters)])
    body = f"let result := {call}\n{fields.postcond}"
    if fields.precond.strip() == "True":
        return body
    return f"({fields.precond}) →\n{indent(body, '  ')}"
