"""What simulated models know: for each task its reference contract, and defined ways of spoiling it.

The knowledge is made here, above tasks and models, because the gateway knows nothing of tasks. It is used by `sim/…`
models only, and everything made with one is marked `simulated`.
"""
