# The simulator: make sim SEEDS=10000, or make sim SEED=7 for one seed with its trace.
# The first seed is derived from the date, so that every day runs other seeds; FIRST=n
# sets it. machines.mk includes this file for its variables, so it guards against a second
# reading.
ifndef SIM
SIM_C := $(filter-out tests/sim/sim_main.c,$(sort $(wildcard tests/sim/*.c tests/sim/*/*.c)))
SIM := $(BUILD)/sim$(EXE)

# The simulator's files are in the same archive as the support of other tests.
$(LIB_SUPPORT): $(call object,$(SIM_C))

# The linker redirects heap allocations to heap_fault.c.
LDFLAGS_heap_fault := -Wl,--wrap=spn__heap_alloc
# The linker redirects the detection of instruction sets to sim_cpu.c.
LDFLAGS_sim := $(LDFLAGS_heap_fault) -Wl,--wrap=spn__cpu_detect
LDFLAGS_test_sim := $(LDFLAGS_sim)
LDFLAGS_test_fault_loops := $(LDFLAGS_heap_fault)
LDFLAGS_test_anim_faults := $(LDFLAGS_heap_fault)
LDFLAGS_test_fault_loops_playback := $(LDFLAGS_heap_fault)
LDFLAGS_test_fault_loops_anim := $(LDFLAGS_heap_fault)

$(SIM): $(call object,tests/sim/sim_main.c) $(LIB_SUPPORT) $(LINKABLE)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_sim) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)

.PHONY: sim
FIRST ?= $(shell date +%Y%m%d)00000
sim: $(SIM)
	$(Q)SEEDS='$(SEEDS)' SEED='$(SEED)' FIRST='$(FIRST)' STEPS='$(STEPS)' COMMIT="$$(git describe --always --dirty 2>/dev/null)" $(EXEC) $(SIM)
# The simulator forks, which Windows cannot.
ifeq (,$(findstring mingw,$(host)))
compile-all: $(SIM)
endif
endif
