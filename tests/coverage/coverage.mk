# coverage.mk - make coverage: which branches of runtime/ its tests take.
#
# Only the runtime is instrumented. It is not optimized, so that a branch of the source
# is a branch of the program. Asserts are compiled out, because none of them may fail.
# All unit tests of the runtime run, and the simulators that run the whole runtime.
# Needs gcc and gcovr: make deps-coverage.
#
# A branch of the source counts once, whoever calls its function, and is taken when any
# test takes it. To count so, inline functions are not copied into their callers (the
# build defines always_inline as `unused`), and gcovr sums the branches of functions in
# headers over all files that include them. The figure does not show whether a branch is
# taken from each caller. Counted for each copy, the same tests took 90 % of the
# branches where they take 96 % of those of the source.

COVERAGE_OUT := out/coverage
COVERAGE_BRANCH_MIN := 95

# Tests named like a module of the runtime, or that name a header of the runtime or of
# its fixtures.
COVERAGE_RIGS := cache_|event_log|fill_scene|heap_|io_|lift_|slow_platform|stage|tiny_
COVERAGE_C = $(sort $(wildcard $(patsubst %,tests/unit/test_%.c,$(basename $(notdir $(RUNTIME_C))))) \
  $(shell grep -lE '^.include ["<]((spindle|base|cache|codec|disc|emulator|fill|observe|pak|play|read|schedule|sim|simulate)/|support/($(COVERAGE_RIGS)))' $(UNIT_C)))
COVERAGE_TESTS = $(patsubst tests/unit/%.c,$(BUILD)/tests/%$(EXE),$(COVERAGE_C))

.PHONY: coverage coverage-run deps-coverage
ifeq ($(config),cov)
OUR_CFLAGS += -O2 -g -DSPN_ASSERTS=0
OUR_LDFLAGS += --coverage
FREESTANDING_FLAGS :=
$(call object,$(RUNTIME_C)): tests/coverage/coverage.mk
$(BUILD)/runtime/%.o: OUR_CFLAGS += -O0 -Dalways_inline=unused --coverage -fprofile-update=atomic

coverage-run: all $(COVERAGE_TESTS)
	$(Q)find $(BUILD) -name '*.gcda' -delete
	$(Q)$(TEST_ENV) bash tests/run.sh $(COVERAGE_TESTS)
	$(Q)bash tests/coverage/report.sh $(BUILD) $(COVERAGE_OUT) $(COVERAGE_BRANCH_MIN)
else
coverage:
	$(Q)$(MAKE) --no-print-directory config=cov CC=gcc coverage-run
endif
deps-coverage: deps
	$(call install_packages,gcovr)
