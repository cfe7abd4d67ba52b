# Needs Python 3.11 or newer, make and git; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check format bench tables nightly mutation clean

demo: .venv/installed ## link two made-up networks and print where the result is
	$(BIN)/factlink demo

test: check ## everything that CI runs

check: .venv/developed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

format: .venv/developed ## rewrite the code in the one style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/developed ## measure this machine; writes benchmarks/results/*.json
	$(BIN)/python benchmarks/run.py

tables: .venv/developed ## every table of the README and the docs anew from benchmarks/results; measures nothing
	$(BIN)/python benchmarks/tables.py

nightly: .venv/developed mutation ## what takes hours: small faults, damaged inputs, kills, the paper's tables in their small form
	FACTLINK_FUZZ_CASES=100000 $(BIN)/pytest tests/fuzz
	FACTLINK_KILL_EVERY=1 FACTLINK_RANDOM_KILLS=1000 $(BIN)/pytest tests/crash
	$(BIN)/factlink bench experiments/xie2018-fb-tw.toml --quick --figures
	$(BIN)/factlink bench experiments/xie2018-fq-tw.toml --quick

mutation: .venv/developed ## small faults in the code, one at a time: do the tests see them?
	$(BIN)/python mutation/run.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/developed: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
