# Needs Python 3.11 or newer, make and git; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check docs format bench tables sbom package nightly mutation clean

demo: .venv/installed ## link two made-up networks and print where the result is
	$(BIN)/factlink demo
	$(BIN)/factlink report demo/run --truth demo/truth.csv
	@echo
	@echo "Open the report:  demo/run/report.html"
	@echo "Judge the links:  $(BIN)/factlink review demo/run"
	@echo "Your own files:   $(BIN)/factlink link LEFT.csv RIGHT.csv -o runs/first"

test: check ## everything that CI runs

check: .venv/developed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/pytest -n 2

docs: .venv/developed ## the documentation as web pages in site/, with strict links
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "Open site/index.html"

format: .venv/developed ## rewrite the code in the one style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/developed ## measure this machine; writes benchmarks/results/*.json
	$(BIN)/python benchmarks/run.py

tables: .venv/developed ## every table of the README and the docs anew from benchmarks/results; measures nothing
	$(BIN)/python benchmarks/tables.py

nightly: .venv/developed mutation ## what takes hours: small faults, damaged inputs, kills, the paper's tables in their small form
	FACTLINK_FUZZ_CASES=100000 $(BIN)/pytest tests/fuzz
	FACTLINK_KILL_EVERY=1 FACTLINK_RANDOM_KILLS=1000 $(BIN)/pytest tests/crash tests/serve/test_serving.py
	$(BIN)/factlink bench experiments/xie2018-fb-tw.toml --quick --figures
	$(BIN)/factlink bench experiments/xie2018-fq-tw.toml --quick

sbom: .venv/developed ## what a release is made of, with licences: release/sbom.cdx.json and docs/reference/licences.md
	$(BIN)/python release/sbom.py

package: ## wheel and sdist in dist/, each tried in an empty environment
	release/smoke.sh

mutation: .venv/developed ## small faults in the code, one at a time: do the tests see them?
	$(BIN)/python mutation/run.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/installed: pyproject.toml
	@echo "Installing into .venv. This compiles parts of factlink and takes about two minutes."
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[excel,graphs,report,review]'
	touch $@

.venv/developed: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
