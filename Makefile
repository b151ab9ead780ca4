# Every target sets up what it needs first; later runs cost nothing unless a requirements file changed.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
unexport PYTHONHOME PYTHONPATH
# Compiled code makes every later start quicker, and the tests and checks start many processes.
unexport PYTHONDONTWRITEBYTECODE

# Settings of the machine stay in force, except those that would install somewhere else.
ELSEWHERE := -u PIP_USER -u PIP_TARGET -u PIP_PREFIX -u PIP_ROOT -u PIP_NO_DEPS -u PIP_NO_BINARY
ELSEWHERE += -u PIP_CONSTRAINT -u UV_SYSTEM_PYTHON -u UV_TARGET -u UV_PREFIX -u UV_NO_DEPS
PIP := env $(ELSEWHERE) .venv/bin/python -m pip install -qq --disable-pip-version-check --no-user
UV := env $(ELSEWHERE) .venv/bin/uv pip install --quiet --python .venv/bin/python

# uv knows no pip.conf: where packages come from a mirror that only pip is told of, pip does the work.
# What uv said is shown only where pip can't do it either.
define install
$(UV) --require-hashes -r $(1) 2>.venv/uv.log || $(PIP) --require-hashes -r $(1) || \
  { cat .venv/uv.log >&2; exit 1; }
endef

.PHONY: help
help: ## Show what there is to run
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: .venv/.runtime .venv/.project ## Make .venv with everything the assistant needs
	@echo "Ready: .venv/bin/agencyclaw"

.PHONY: dev
dev: .venv/.dev .venv/.project ## Install what tests and checks need, too

.PHONY: demo
demo: .venv/.runtime .venv/.project ## Run the whole agency on this machine (RESET=1 starts afresh)
	@.venv/bin/agencyclaw demo $(if $(RESET),--reset)

.PHONY: serve
serve: .venv/.runtime .venv/.project ## Run against your own Slack and ClickUp (see .env.example)
	@.venv/bin/agencyclaw serve

.PHONY: sandbox
sandbox: .venv/.runtime ## Install the interpreter that AGENCYCLAW_SANDBOX=1 needs
	@$(call install,requirements-sandbox.txt)

.PHONY: test
test: .venv/.dev .venv/.project ## Run the whole test suite (ARGS="-k card" for a part of it)
	@.venv/bin/pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

.PHONY: chaos
chaos: .venv/.dev .venv/.project ## Kill the assistant KILLS=200 times and count what got lost (SEED= again, OUTAGE=60)
	@.venv/bin/python tests/chaos/play.py --kills $(or $(KILLS),200) $(if $(SEED),--seed $(SEED)) \
	  $(if $(OUTAGE),--outage $(OUTAGE))

.PHONY: soak
soak: .venv/.dev .venv/.project ## A long day: MESSAGES=10000 of 200 people over 4 processes
	@.venv/bin/python tests/soak/play.py --messages $(or $(MESSAGES),10000) $(ARGS)

.PHONY: schedules
schedules: .venv/.dev .venv/.project ## A year of SCHEDULES=500 with 40 downtimes (SMALL=1: a sample; WATCHES=10000: an hour of watches)
	@$(if $(WATCHES),.venv/bin/python tests/schedules/watches.py --watches $(WATCHES),.venv/bin/python \
	  tests/schedules/play.py $(if $(SMALL),--schedules 30 --days 90 --downtimes 8 --turns 4) \
	  $(if $(SCHEDULES),--schedules $(SCHEDULES)) $(if $(SEED),--seed $(SEED)))

.PHONY: adversary
adversary: .venv/.dev .venv/.project ## Attack it with an owned model (FULL=1: the full cross; SMALL=1: a sample)
	@FULL=$(FULL) SMALL=$(SMALL) .venv/bin/python -m tests.adversary $(ARGS)

.PHONY: evals
evals: .venv/.dev .venv/.project ## Play every eval case and its wrong ways (MODEL=… K=3: a real model; SMALL=1)
	@.venv/bin/python -m evals $(if $(SMALL),--small) $(if $(MODEL),--model $(MODEL)) \
	  $(if $(K),--repeat $(K)) $(if $(BASELINE),--baseline $(BASELINE)) $(ARGS)

.PHONY: threat-model
threat-model: .venv/.dev .venv/.project ## Write docs/threat-model.md from the catalogue of attacks
	@.venv/bin/python -m tests.adversary.threat_model

.PHONY: bench
bench: .venv/.project .venv-bench/.ready ## Measure what a turn costs, beside its peers (ARGS="turn" for a part)
	@.venv-bench/bin/python -m benchmarks $(ARGS)

# The peers live in an environment of their own: the product never sees them.
.venv-bench/.ready: requirements-bench.txt .venv/.dev
	@echo "Installing the peers to measure beside ..."
	@.venv/bin/python -m venv .venv-bench
	@$(subst .venv/bin/python,.venv-bench/bin/python,$(call install,requirements-bench.txt))
	@touch $@

.PHONY: retrieval
retrieval: .venv/.dev .venv/.project ## Measure knowledge search on the held-out questions, beside its peers
	@.venv/bin/python -m evals.retrieval $(ARGS)

.PHONY: docs
docs: .venv/.runtime .venv/.project ## Write the pages that describe code, and .env.example
	@.venv/bin/python -m docs.generate

# The first run writes them and ends with an error for each that it wrote.
SNAPSHOTS := tests/wire tests/unit/tools/test_catalogue.py
.PHONY: snapshots
snapshots: .venv/.dev .venv/.project ## Write down anew what the model sees of the tools
	@.venv/bin/pytest -q $(SNAPSHOTS) --inline-snapshot=create,fix >/dev/null 2>&1 || true
	@.venv/bin/ruff format --quiet tests
	@.venv/bin/pytest -q $(SNAPSHOTS)

.PHONY: lint
lint: .venv/.dev .venv/.project ## Check style, types and who imports whom
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/basedpyright
	.venv/bin/lint-imports

.PHONY: types
types: .venv/.dev .venv/.project ## Check the types
	.venv/bin/basedpyright

.PHONY: format
format: .venv/.dev ## Format the code
	.venv/bin/ruff format --quiet
	.venv/bin/ruff check --fix --exit-zero
	.venv/bin/ruff format --quiet

.venv/.runtime: requirements.txt .venv/.uv
	@echo "Installing the pinned packages, once; without a package cache this takes a few minutes ..."
	@$(call install,requirements.txt)
	@$(compile)
	@touch $@

.venv/.dev: requirements-dev.txt .venv/.uv
	@echo "Installing the pinned packages and the tools for tests ..."
	@$(call install,requirements-dev.txt)
	@$(compile)
	@touch $@

.venv/.project: pyproject.toml .venv/.uv
	@$(UV) --no-deps --no-build-isolation --editable . 2>.venv/uv.log || \
	  $(PIP) --no-deps --no-build-isolation --editable . || { cat .venv/uv.log >&2; exit 1; }
	@touch $@

.venv/.uv: requirements-uv.txt
	@$(make_venv)
	@$(PIP) --require-hashes -r requirements-uv.txt
	@touch $@

# Imported once with compiling on: where PYTHONDONTWRITEBYTECODE is set, nobody else would ever do it.
IMPORTS := pydantic_ai,logfire sqlmodel,alembic,slack_bolt.async_app,aiohttp,asyncpg,procrastinate
define compile
for names in $(IMPORTS); do \
  env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -c "import $$names" 2>/dev/null & \
done; wait
endef

PYTHONS := python3.11 python3.12 python3.13 python3.14 python3 python
define make_venv
if .venv/bin/python -m pip --version >/dev/null 2>&1; then exit 0; fi; \
incomplete=; \
for python in $(PYTHONS); do \
  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
  if "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
    echo "Making .venv with $$python ..."; \
    exec "$$python" -m venv --clear .venv; \
  fi; \
  incomplete="$$python"; \
done; \
if [ -n "$$incomplete" ]; then \
  echo "$$incomplete has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; \
else \
  echo "Python 3.11 or newer is needed, and none was found. Install it, then run make again." >&2; \
fi; \
exit 1
endef
