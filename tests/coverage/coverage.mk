# coverage.mk - make coverage: which branches of runtime/ its tests take.
#
# The runtime alone is instrumented and not optimized, so that a branch of the
# source is a branch of the program. Asserts are compiled away, for none of them
# may fail. What runs is every unit test of the runtime, and the simulators that
# run it whole. Needs gcc and gcovr: make deps-coverage.
#
# How it counts: a branch of the source counts once, and is taken when any test
# takes it, whoever calls. So functions that are always in line are no copies in
# their callers here (always_inline reads as `unused`), and gcovr adds up what
# files that include the same header have taken of its functions. That a branch
# is taken from one caller does not notify that it is from another; counted as
# copies the same tests took 90 % where they took 96 % of the source.

COVERAGE_OUT := out/coverage
COVERAGE_BRANCH_MIN := 95

# Named like a module of the runtime, or naming a header of it or of its rigs.
COVERAGE_RIGS := cache_|event_log|fill_scene|heap_|io_|lift_|slow_platform|stage|tiny_
COVERAGE_C = $(sort $(wildcard $(patsubst %,tests/unit/test_%.c,$(basename $(notdir $(RUNTIME_C))))) \
  $(shell grep -lE '^.include ["<]((spindle|base|cache|codec|disc|emulator|fill|observe|pak|play|read|schedule|sim|simulate)/|support/($(COVERAGE_RIGS)))' $(UNIT_C)))
COVERAGE_TESTS = $(patsubst tests/unit/%.c,$(BUILD)/tests/%$(EXE),$(COVERAGE_C))

.PHONY: coverage coverage-run deps-coverage
ifeq ($(config),cov)
OUR_CFLAGS += -O2 -g
OUR_LDFLAGS += --coverage
FREESTANDING_FLAGS :=
$(call object,$(RUNTIME_C)): tests/coverage/coverage.mk
$(BUILD)/runtime/%.o: OUR_CFLAGS += -O0 -Dalways_inline=unused --coverage -fprofile-update=atomic -DSPN_ASSERTS=0

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
