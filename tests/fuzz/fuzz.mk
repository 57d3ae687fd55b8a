# Fuzzing: make fuzz FUZZ_SECONDS=n, or make fuzz-NAME for one target.
#
# A target is tests/fuzz/fuzz_NAME.c. With libFuzzer (clang and its runtime, installed
# by make deps-check) it is fuzzed. With replay_main.c it is a program that runs
# tests/fuzz/corpus/NAME once; make test does this with any compiler.

FUZZ_SECONDS ?= 60
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_TARGETS := $(filter-out $(if $(HAS_HDF5),,hdf5),$(FUZZ_TARGETS))
FUZZ_SHARED := $(call object,$(filter-out tests/fuzz/fuzz_% tests/fuzz/replay_main.c,$(sort $(wildcard tests/fuzz/*.c))))
FUZZ_REPLAYS := $(patsubst %,$(BUILD)/fuzz/replay_%$(EXE),$(FUZZ_TARGETS))
FUZZ_ENGINES := $(patsubst %,$(BUILD)/fuzz/fuzz_%$(EXE),$(FUZZ_TARGETS))
.PHONY: fuzz fuzz-engines

FUZZ_LINK = $(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(TEST_LDFLAGS)
$(BUILD)/fuzz/replay_%$(EXE): $(BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_SHARED) $(BUILD)/tests/fuzz/replay_main.o $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(FUZZ_LINK) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)
$(BUILD)/fuzz/fuzz_%$(EXE): $(BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_SHARED) $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(FUZZ_LINK) -fsanitize=fuzzer -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)
fuzz-engines: $(FUZZ_ENGINES)

# libFuzzer counts the edges of the whole program, so it has a build of its own.
FUZZ_BUILD := build/fuzz-$(host)
FUZZ_CFLAGS := -O2 -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_MAKE = +$(Q)$(MAKE) --no-print-directory FUZZ_ENGINE=1 CC=clang BUILD=$(FUZZ_BUILD) CFLAGS='$(FUZZ_CFLAGS)'
FUZZ_RUN = $(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) bash tests/fuzz/run_fuzz.sh $(FUZZ_BUILD)/fuzz
fuzz:
	$(FUZZ_MAKE) fuzz-engines
	$(FUZZ_RUN) $(FUZZ_TARGETS)
fuzz-%:
	$(FUZZ_MAKE) $(FUZZ_BUILD)/fuzz/fuzz_$*
	$(FUZZ_RUN) $*

# Comparisons in loops over values do not guide the engine, and recording them would
# take most of the time.
ifeq ($(FUZZ_ENGINE),1)
FUZZ_LOOPS := $(wildcard runtime/base/heap*.c runtime/base/checksum.c runtime/base/hash64.c runtime/fill/fill*.c \
  runtime/codec/classic/p*.c $(patsubst %,runtime/codec/lift/%*.c,lift one_ring residual))
$(call object,$(FUZZ_LOOPS)): OUR_CFLAGS += -fno-sanitize-coverage=trace-cmp
endif

# Every test run replays the corpora, without the engine.
test: $(FUZZ_REPLAYS)
compile-all: $(FUZZ_REPLAYS)
CLI_TESTS += tests/fuzz/test_corpora.sh
