# What a person types. The work is done by scripts/ and tests/run.
# The demo's LLM is recorded (recordings/); the rest of the loop is real.
DEMO := build/kforge run starter/gelu_layernorm_residual --llm replay:recordings/gelu_layernorm_residual -n 5

# make PYTHON=/path/to/python ...   an existing Python with PyTorch 2.6 or later, instead of .venv
# make JOBS=1 ...                   compiler processes at once
# make test TESTS="unit e2e/resume" TESTFLAGS=-j1
# make bench BENCHFLAGS=--json
TESTS := checks asan conformance e2e
TESTFLAGS := -j2
BENCHFLAGS :=

.PHONY: help run build test check format bench dist clean distclean bootstrap
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

run: build ## install what is missing, build, and optimize a problem: the demo
	@KFORGE_PYTHON="$$(scripts/python)" $(DEMO)
	@echo "next      docs/tutorial.md: your own kernel, problem and LLM"

build: bootstrap ## install what is missing and build the program into build/
	@scripts/build

test: ## all tests
	@scripts/bootstrap $(if $(filter conformance,$(TESTS)),toolchains)
	@PYTHON="$$(scripts/python)" python3 tests/run $(TESTFLAGS) $(TESTS)

check: bootstrap ## before a commit: format, static analysis, checks, unit tests
	@scripts/format --check
	@scripts/lint
	@PYTHON="$$(scripts/python)" python3 tests/run checks unit

format: ## format the C++ code
	@scripts/format

bench: build ## measure KForge itself
	@"$$(scripts/python)" tests/bench/run.py --kforge build/kforge $(BENCHFLAGS)

dist: bootstrap ## pack the program for other machines into dist/
	@scripts/dist

clean: ## remove what was built
	rm -rf build build-* dist compile_commands.json

distclean: clean ## remove also the virtual environment and caches
	rm -rf .venv .cache

bootstrap:
	@scripts/bootstrap
