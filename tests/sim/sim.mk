# The simulator: make sim SEEDS=10000, make sim SEED=7 (one, with its trace).
# The seeds begin at that of the day, so that every day tries others: FIRST=n.

SIM_C := $(filter-out tests/sim/sim_main.c,$(sort $(wildcard tests/sim/*.c)))
SIM := $(BUILD)/sim$(EXE)

# Its parts stand beside the other tests' support.
$(LIB_SUPPORT): $(call object,$(SIM_C))

# Allocations of the runtime's heap are led past the faults of the tests.
LDFLAGS_heap_fault := -Wl,--wrap=spn__heap_alloc
# And what it asks the processor, past what a run shall have of it.
LDFLAGS_sim := $(LDFLAGS_heap_fault) -Wl,--wrap=spn__cpu_detect
LDFLAGS_test_sim := $(LDFLAGS_sim)
LDFLAGS_test_fault_loops := $(LDFLAGS_heap_fault)

$(SIM): $(call object,tests/sim/sim_main.c) $(LIB_SUPPORT) $(LINKABLE)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_sim) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)

.PHONY: sim
FIRST ?= $(shell date +%Y%m%d)00000
sim: $(SIM)
	$(Q)SEEDS='$(SEEDS)' SEED='$(SEED)' FIRST='$(FIRST)' STEPS='$(STEPS)' COMMIT="$$(git describe --always --dirty 2>/dev/null)" $(EXEC) $(SIM)
# It forks.
ifeq (,$(findstring mingw,$(host)))
compile-all: $(SIM)
endif
