# Everything that people and CI do here. `make help` lists it.
#
# Settings come from the environment or the command line: PORT, DATA_DIR (default ./data),
# DATABASE_URL, DATABASE_READ_URL, PUBLIC_URL, WORKERS; PYTHON names the interpreter.

PYTHON ?= python3
SETUP := @$(PYTHON) tools/setup.py
BIN := .venv/bin
SERVER := $(BIN)/macmeter-server
# Modules are compiled once, even where the shell asks for none of it: the server has over 300, and
# every process that is started would compile them again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help serve demo unlike token agent dev test check bench wheel shots setup format generate migration lock

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: ## install what is missing, then serve on http://127.0.0.1:8000 until Ctrl-C
	$(SETUP) run frontend
	@exec $(SERVER) serve --with-parent

demo: ## a fleet of 300 invented Macs on http://127.0.0.1:8001, kept in data-demo (MACS=3000: larger)
	$(SETUP) run frontend
	@DATA_DIR="$${DATA_DIR:-data-demo}" PORT="$${PORT:-8001}" exec \
	  env PYTHONPATH=tools $(BIN)/python -m demo --machines $(or $(MACS),300)

unlike: ## load an invented fleet into the server of data-unlike on port 8002 (FLEET=school)
	$(SETUP) dev
	@PYTHONPATH=tests $(BIN)/python -m support.unlike $(or $(FLEET),school)

token: ## print a fresh device token of the local server (SCOPE=fleet: an uploader's)
	$(SETUP) run
	@$(SERVER) token --scope $(or $(SCOPE),device)

agent: ## build the agent and print the command that runs it here
	@tools/agent-build

dev: ## the server and a frontend that reload as sources change
	$(SETUP) run node
	@exec $(BIN)/python tools/dev.py

test: ## every test (ONLY=lint, frontend, backend, agent, browser or contract: a part)
	$(SETUP) dev frontend rscript
	@$(BIN)/python tools/test.py $(ONLY)

check: ## format, lint, types, stale generated files
	$(SETUP) dev node
	@$(BIN)/python tools/check.py

bench: ## measure, each figure beside its floor or reference (ONLY=name-prefix: a part)
	$(SETUP) dev frontend fio lighthouse $(if $(filter spark%,$(ONLY)),spark)
	@PYTHONPATH=tests:tools RUNS="$(RUNS)" $(BIN)/python -m load.bench $(ONLY)

wheel: ## build the server's package with the dashboard inside: dist/macmeter-VERSION….whl
	$(SETUP) run frontend
	@$(BIN)/python tools/release/wheel.py

shots: ## pictures of every page for a release: build/screenshots.tar.gz
	$(SETUP) dev frontend
	@rm -rf build/screenshots
	@CHROMIUM="$$($(BIN)/python tools/browser.py)" npm run --silent shots --workspace frontend
	@tar -czf build/screenshots.tar.gz -C build screenshots

setup: ## install everything that the targets here need
	$(SETUP) dev frontend rscript

format: ## format every source file
	$(SETUP) dev node
	@$(BIN)/ruff format --quiet backend tests tools migrations
	@npm run --silent format --workspace frontend

generate: ## regenerate files: OpenAPI, typed client, run schema
	$(SETUP) dev node
	@$(BIN)/python tools/generate.py

migration: ## begin a migration (m="what it changes")
	$(SETUP) run
	@test -n "$(m)" || { echo 'say what it changes: make migration m="…"' >&2; exit 2; }
	@$(BIN)/alembic -c migrations/alembic.ini revision -m "$(m)" --rev-id \
	  "$$(ls migrations/versions | sed -n 's/^\([0-9]*\)_.*\.py$$/\1/p' | sort -n | tail -1 | \
	  awk '{ printf "%04d", $$1 + 1 }')"

lock: ## choose package versions again from backend/pyproject.toml and the package.json files
	$(SETUP) run
	@tools/lock
