"""Reports over runs: an analysis with intervals and tests, and what is written of it (HTML, Markdown, CSV, LaTeX,
plots).
"""
