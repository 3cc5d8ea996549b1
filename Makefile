# Everything here sets itself up: a virtual environment in .venv, nothing outside it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
USER   := $(VENV)/.installed-user
CXAS   := .venv-cxas

.PHONY: demo test check bench format schemas docs gallery node clean

demo: $(USER)  ## validate, plan and apply examples/support-desk on the embedded emulator, then plan again
	@CESPLAN=$(abspath $(BIN))/cesplan tools/demo.sh

test: $(STAMP) $(CXAS)/.installed  ## the whole test suite, with Google's cxas as one of the emulator's clients
	$(BIN)/pytest -q

check: $(STAMP)  ## formatting, lint, types and layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)  ## measure the budgets of the design and print a table
	$(BIN)/python -m tests.benchmarks

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

schemas: $(STAMP)  ## compile the table of specs, and write the JSON Schemas of all kinds and reports to schemas/
	$(BIN)/python tools/compile_specs.py
	$(BIN)/cesplan schema --out schemas

define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "cesplan needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '$(1)'
	@touch $@
endef

# What a user needs, for the demo; what a developer needs, for everything else.
$(USER): pyproject.toml
	$(call install,.[emulator])

$(STAMP): pyproject.toml
	$(call install,.[dev])
	@touch $(USER)

# Google's command line for CES: 800 MB with what it needs, so it has an environment of its own.
$(CXAS)/.installed: tests/conformance/emulator/cxas-requirements.txt
	$(PYTHON) -m venv $(CXAS)
	$(CXAS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

docs: $(STAMP)  ## write docs/commands.md, reports.md and settings.md anew, from the help, the report shapes and the settings
	$(BIN)/python -m tools.command_reference
	$(BIN)/python -m tools.report_reference
	$(BIN)/python -m tools.settings_reference

gallery: $(STAMP)  ## make the ten changes of docs/gallery.md again, with their pictures (needs Chromium)
	$(BIN)/python -m tools.gallery

# Mermaid, axe, and the YAML language server of editors: 210 MB, and their tests are skipped without. Needs Node; the test
# of pages in a browser also needs `pip install playwright` and Chromium.
node:
	npm install --prefix .node --no-audit --no-fund --silent mermaid jsdom axe-core yaml-language-server

clean:
	rm -rf $(VENV) $(CXAS) .node .cesplan examples/*/.cesplan
