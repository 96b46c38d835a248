# The front door. `make help` lists what there is; CMake does the work (CMakePresets.json).

MAKEFLAGS += --no-print-directory
SHELL := /bin/sh
BUILD := build

# Every core, unless told otherwise.
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
export CTEST_OUTPUT_ON_FAILURE := 1

# The steps of `make check`, which CI runs in this order, those with a + beside each other (tools/check.sh). The others of tools/check are
# for those whose change touches what they look at, before it is called done, and for every night.
CI_CHECKS := layers+cost cross+format clang asan tsan install windows+determinism interop+tidy page+python browser fuzz
CHECKS := $(basename $(notdir $(wildcard tools/check/*.sh)))
CI_STEPS := $(subst +, ,$(CI_CHECKS))
MORE_CHECKS := $(filter-out $(CI_STEPS),$(CHECKS))

.PHONY: help setup setup-test setup-ci build built play test check soak soak-wpilib wheel bench bench-peers cost-table fuzz nightly inject mutants coverage proofs format install clean \
        configure configure-test forget-passed-alone $(CHECKS:%=check-%)

help:
	@echo "Halyard: a simulator for the XRP and other small UDP robots."
	@echo
	@echo "  make play        a match of robots in your browser (sets itself up, builds, starts)"
	@echo "  make test        everything a change must pass: unit, golden, end to end; under 5 minutes"
	@echo "  make build       the program: $(BUILD)/halyard"
	@echo "  make my_robot    a program of yours, from my_robot.c: docs/guide/first-steps.md"
	@echo
	@echo "  make check       what CI runs after make test: other compiler, sanitizers, linters, fuzzing, interop, microcontrollers."
	@echo "                   One step at a time: make $(firstword $(CI_STEPS:%=check-%))"
	@echo "                   (also:$(foreach c,$(wordlist 2,99,$(CI_STEPS)), $(c)))"
	@echo "                   Steps that CI leaves out: $(MORE_CHECKS:%=check-%)"
	@echo "  make soak        24 simulated hours of a match with faults on purpose, then 2 real ones; SOAK=\"--simulated 3600 --real 600\""
	@echo "  make soak-wpilib ten minutes of a WPILib program over a network that does its worst, summed up"
	@echo "  make bench       measures speed, side by side with plain code"
	@echo "  make bench-peers measures one XRP beside MuJoCo, pymunk, Box2D and gymnasium, which it fetches from the Python registry"
	@echo "  make cost-table  writes bench/cost.txt anew: instructions per operation, which make check-cost compares"
	@echo "  make fuzz        fuzzes each target for a minute; FUZZ_SECONDS=28800 for a night"
	@echo "  make nightly     what is too long for every change: the steps that CI leaves out, each target fuzzed for"
	@echo "                   NIGHTLY_FUZZ_SECONDS (1800), clang-tidy in full depth, three hours of failing calls (500 a kind)"
	@echo "                   and three of mutants (200 a part) at most"
	@echo "  make inject      makes the first 500 allocations and system calls of each kind fail, one a run, in every program; INJECT=\"--most 20\""
	@echo "  make mutants     changes places of the code and sees whether tests notice; MUTANTS=\"--part wire --seconds 600\""
	@echo "  make coverage    lists the branches of the parsers that neither their tests nor a short fuzzing take; COVERAGE=\"--only http\""
	@echo "  make proofs      proves that the wire has no run-time error, with Frama-C"
	@echo "  make format      lays out the sources with clang-format, the page with Prettier"
	@echo "  make wheel       $(BUILD)/wheel/halyard_sim-*.whl: the Python package, with the program, page and worlds in it"
	@echo "  make install     installs; PREFIX=/usr/local, DESTDIR= for packagers"
	@echo "  make clean       forgets what was built, keeps what was downloaded"
	@echo
	@echo "  make setup, setup-test, setup-ci: install what build, test and check need; they call them"

setup:
	@tools/setup.sh build
	@tools/fetch_deps.sh

setup-test:
	@tools/setup.sh test

setup-ci:
	@tools/setup.sh ci

# Generating takes a second and happens once; later CMake sees by itself what changed.
configure: setup
	@test -e $(BUILD)/CMakeCache.txt || cmake --preset release -DBUILD_TESTING=OFF >/dev/null

configure-test: setup setup-test
	@grep -qs 'BUILD_TESTING:[A-Z]*=ON' $(BUILD)/CMakeCache.txt || \
		cmake --preset release -DBUILD_TESTING=ON >/dev/null

built: configure
	@cmake --build $(BUILD)

build: built
	@echo "Now try a robot in your browser: $(BUILD)/halyard board xrp --world xrp-line --view --open"
	@echo "or a match of robots: make play. The first course: docs/guide/first-steps.md"

play: built
	@$(BUILD)/halyard play --open

# The names of tests that passed only alone are those of the last command (tools/run_tests.py); .ci/run collects those of both.
forget-passed-alone:
	@[ "$$CI" = true ] || rm -f $(BUILD)/passed-alone.txt $(BUILD)/test-counts.txt

test: configure-test forget-passed-alone
	@cmake --build $(BUILD)
	@tools/run_tests.py $(BUILD) 'unit|golden|replay|e2e'

check: configure-test setup-ci forget-passed-alone
	@tools/check.sh $(CI_CHECKS)

$(CHECKS:%=check-%): check-%: configure-test setup-ci forget-passed-alone
	@tools/check.sh $*

soak: configure-test
	@cmake --build $(BUILD)
	@python3 -B tests/soak/run.py $(SOAK)

soak-wpilib: configure-test setup-ci
	@cmake --build $(BUILD) --target halyard halsim_xrp
	@python3 -B tests/interop/run_ext_faults.py --seconds 600

bench: built
	@cmake --build $(BUILD) --target benches
	@tools/run_benches.sh $(BUILD)

bench-peers: built
	@cmake --build $(BUILD) --target bench_world
	@python3 -B bench/bench_peers.py --build $(BUILD) $(PEERS)

cost-table: configure-test setup-ci
	@cmake --build $(BUILD) --target bench_cost
	@tools/check_cost.sh $(BUILD) --write

fuzz: check-fuzz

# CI fuzzes for 5 s a target. What each has tried in all nights is summed up in build/fuzz-counts.txt; mutants go on where the last night
# ended.
nightly: configure-test setup-ci forget-passed-alone
	@FUZZ_SECONDS=$${NIGHTLY_FUZZ_SECONDS:-1800} TIDY_STATES=225000 INJECT="--most 500 --seconds 10800" \
		MUTANTS="--count 200 --seconds 10800 --longest 60" tools/check.sh $(MORE_CHECKS) tidy fuzz

inject: configure-test
	@cmake --build $(BUILD)
	@python3 -B tests/inject/run.py $(INJECT)

mutants: configure-test
	@python3 -B tools/mutants.py $(MUTANTS)

coverage: setup setup-ci
	@python3 -B tools/coverage.py $(COVERAGE)

proofs: setup-ci
	@tools/prove.sh $(BUILD)

format: setup-ci
	@tools/sources.sh | xargs clang-format -i
	@tools/page.sh format

# A program of yours: my_robot.c, wherever it lies, becomes the program my_robot beside it.
%: %.c $(BUILD)/halyard
	@CC="$(CC)" tools/build_program.sh $(BUILD) $< $@

# A misspelt one.
.DEFAULT:
	@CC="$(CC)" tools/build_program.sh $(BUILD) $@.c $@

$(BUILD)/halyard:
	@$(MAKE) built

# Beside the build, which a wheel needs whole.
wheel: built
	@cmake --build $(BUILD) --target halyard_wheel
	@python3 -B tools/wheel.py $(BUILD)

install: built
	@cmake --install $(BUILD) --strip $(if $(PREFIX),--prefix $(PREFIX))

clean:
	@find $(BUILD) -mindepth 1 -maxdepth 1 ! -name deps -exec rm -rf {} + 2>/dev/null || true
