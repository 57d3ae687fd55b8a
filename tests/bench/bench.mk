# A benchmark that counts instructions instead of measuring time.
#
#   make bench-instructions   of the scalar decoder; needs valgrind
.PHONY: bench-instructions
BENCH_CLIPS := $(wildcard ../shared/assets/large/sail_irr.abc) tests/data/demo.abc
bench-instructions: $(TOOL) $(BUILD)/bench/bench_cache$(EXE)
	$(Q)bash tests/bench/instructions.sh $(TOOL) $(BUILD)/bench/bench_cache$(EXE) $(BENCH_CLIPS)
