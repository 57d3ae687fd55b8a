# The playing program (play_hashes.c) for the machine of this build, and its disc. The
# program prints the same lines on every machine.
#
# A build for another machine makes the disc with its own tool, run by $(EXEC).
# PLAY_DISC=folder uses a disc that exists. Other .mk files include this one for its
# variables, so it guards against a second reading.
ifndef PLAY
PLAY := $(BUILD)/everywhere
PLAY_DISC ?= $(PLAY)
PLAY_CACHES := $(addprefix $(PLAY_DISC)/,flag.sgc lifted.sgc flowing.sgc tiny.sgc)
PLAY_PROGRAM := $(PLAY)/play_hashes$(EXE)
PLAY_TEST := tests/everywhere/test_play.sh

$(PLAY)/flag.sgc: tests/data/demo.abc $(TOOL)
	@mkdir -p $(@D)
	$(Q)$(EXEC) $(TOOL) compile $< -o $@ --codec lz4hc --quiet
$(PLAY)/lifted.sgc: tests/data/demo.abc $(TOOL)
	@mkdir -p $(@D)
	$(Q)$(EXEC) $(TOOL) compile $< -o $@ --quiet
$(PLAY)/flowing.sgc: tests/data/flowing.abc $(TOOL)
	@mkdir -p $(@D)
	$(Q)$(EXEC) $(TOOL) compile $< -o $@ --quiet
$(PLAY)/tiny.sgc: tests/data/tiny.abc $(TOOL)
	@mkdir -p $(@D)
	$(Q)$(EXEC) $(TOOL) compile $< -o $@ --quiet

$(PLAY)/play_disc.o: tests/everywhere/play_disc.S $(PLAY_CACHES)
	@mkdir -p $(@D)
	$(Q)$(CC) -Wa,-I,$(PLAY_DISC) $(CFLAGS) -c $< -o $@
$(PLAY_PROGRAM): $(call object,$(addprefix tests/everywhere/,play_hashes.c play_hosted.c play_inside.c) offline/player/shown_hash.c) $(PLAY)/play_disc.o $(LIB_STUB) $(LIB_EMULATOR) $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ -llz4 $(LDLIBS)

# make test-clang: this machine, compiled by clang; plays the same disc.
.PHONY: deps-clang test-clang play-program
deps-clang: deps
	$(call install_packages,clang libclang-rt-dev)
play-program: $(PLAY_PROGRAM)
CLANG_BUILD := build/clang-$(config)-strict
test-clang: $(PLAY_PROGRAM) | $(DEPS_FIRST)
	+$(Q)$(MAKE) --no-print-directory CC=clang BUILD=$(CLANG_BUILD) WERROR=-Werror PLAY_DISC='$(PLAY_DISC)' play-program
	$(Q)HOST_PLAY='$(PLAY_PROGRAM)' PLAY=$(CLANG_BUILD)/everywhere/play_hashes MACHINE=clang FOLDER=$(MACHINE_FOLDER) bash $(PLAY_TEST)

# make test-compilers: tools built by other compilers and without optimization must
# write the same caches.
.PHONY: test-compilers
PLAIN_BUILD := build/gcc-plain
TOOLS_OF_OTHERS := $(CLANG_BUILD)/spindle $(PLAIN_BUILD)/spindle
test-compilers: $(TOOL) | $(DEPS_FIRST)
	+$(Q)$(MAKE) --no-print-directory CC=clang BUILD=$(CLANG_BUILD) WERROR=-Werror $(CLANG_BUILD)/spindle
	+$(Q)$(MAKE) --no-print-directory CC=gcc BUILD=$(PLAIN_BUILD) CFLAGS=-O0 KERNEL_FLAGS= WERROR= $(PLAIN_BUILD)/spindle
	$(Q)$(TEST_ENV) OTHER_TOOLS='$(TOOLS_OF_OTHERS)' bash tests/run.sh tests/cli/test_same_bytes.sh
endif
