# A bare Cortex-M without operating system and C library, under an emulator.
#
#   make deps-arm   install its compiler and the emulator
#   make test-arm   play on it and on this machine, compare every line
#   make size       code, memory and stacks of the runtime, by feature, with
#                   their limits; SIZES='everything reads' measures only these
include tests/features/features.mk
ARM := $(BUILD)/arm
ARM_CC ?= arm-none-eabi-gcc
ARM_QEMU ?= qemu-system-arm
ARM_MACHINE := -mcpu=cortex-m3 -mthumb
# The compiler may inline the four memory functions, but must not replace a loop by a
# call of strlen, which no library defines here.
ARM_CFLAGS := -std=c11 -Os -g $(ARM_MACHINE) -ffreestanding -fbuiltin -fno-tree-loop-distribute-patterns \
  -ffunction-sections -fdata-sections -ffp-contract=off
# Link-time optimization of runtime and platform together.
ARM_LTO_FLAGS := -flto -flto-partition=one
ARM_WARNINGS = $(WARNINGS) $(FREESTANDING_FLAGS) $(WERROR)
ARM_INCLUDES := -Iruntime/include -Iruntime -Ioffline -I. -Itests
ARM_STACK_BYTES := 8192

SOURCES := build/sources
LZ4_SOURCE := $(SOURCES)/lz4/lib
$(LZ4_SOURCE)/lz4.c: | $(DEPS_FIRST)
	$(Q)sh tests/check/source.sh $(SOURCES) lz4

arm_object = $(patsubst %.c,$(ARM)/%.o,$(1))
ARM_GAME_C := tests/everywhere/play_hashes.c tests/everywhere/play_inside.c offline/player/shown_hash.c tests/arm/start.c tests/check/mem_functions.c
ARM_OBJECTS := $(call arm_object,$(RUNTIME_C) $(EMULATOR_C) $(STUB_C) $(ARM_GAME_C)) $(ARM)/lz4.o $(ARM)/play_disc.o
ARM_IMAGE := $(ARM)/play_hashes.elf

$(ARM)/%.o: %.c tests/arm/arm.mk | $(LZ4_SOURCE)/lz4.c
	@mkdir -p $(@D)
	$(Q)$(ARM_CC) $(ARM_CFLAGS) $(ARM_WARNINGS) $(ARM_INCLUDES) -I$(LZ4_SOURCE) -MMD -MP -c $< -o $@
$(call arm_object,$(RUNTIME_C) $(EMULATOR_C) $(STUB_C)): ARM_CFLAGS += $(ARM_LTO_FLAGS)
# The playing program has fast kernels, as platform.md recommends; the measured programs
# have small ones.
$(call arm_object,$(KERNEL_C)): ARM_CFLAGS += $(KERNEL_FLAGS)
$(ARM)/tests/check/mem_functions.o: ARM_CFLAGS += -fno-builtin -fcallgraph-info=su
$(ARM)/lz4.o: ARM_CFLAGS += -fcallgraph-info=su
# ccache does not keep the call graphs that the compiler writes beside objects.
$(ARM)/tests/check/mem_functions.o $(ARM)/lz4.o: export CCACHE_DISABLE := 1
$(ARM)/lz4.o: $(LZ4_SOURCE)/lz4.c tests/arm/arm.mk
	@mkdir -p $(@D)
	$(Q)$(ARM_CC) $(ARM_CFLAGS) -DLZ4_FREESTANDING=1 -DLZ4_memcpy=memcpy -DLZ4_memmove=memmove -DLZ4_memset=memset \
	  -include runtime/base/mem.h -Iruntime -c $< -o $@
$(ARM)/play_disc.o: tests/everywhere/play_disc.S $(PLAY_CACHES)
	@mkdir -p $(@D)
	$(Q)$(ARM_CC) $(ARM_MACHINE) -Wa,-I,$(PLAY_DISC) -c $< -o $@
ARM_LINK = $(Q)$(ARM_CC) $(ARM_CFLAGS) $(ARM_WARNINGS) $(ARM_LTO_FLAGS) -nostdlib -Wl,--gc-sections \
  -Wl,--no-warn-execstack -Wl,--defsym=STACK_BYTES=$(ARM_STACK_BYTES) -T tests/arm/mps2_an385.ld
$(ARM_IMAGE): $(ARM_OBJECTS) tests/arm/mps2_an385.ld
	$(ARM_LINK) $(ARM_OBJECTS) -lgcc -o $@

# ---- sizes ------------------------------------------------------------------

# The measured programs contain the stub and the functions that a game calls, but no
# game: all public functions (everything), or those of a game that reads or plays.
SIZES ?= everything $(FEATURE_SETS) reads player
READS_CALLS := memory_needed init update shutdown file_open file_close read_start read_abort read_poll read_wait status_name
PLAYER_CALLS := memory_needed init update shutdown status_name cache_open cache_get_status cache_get_info cache_get_mesh cache_copy_indices \
  cache_close node_create node_start_streaming node_set_playback_time node_fill node_stop_streaming node_destroy
CALLS_reads := $(addprefix spn_,$(READS_CALLS)) spn_platform_stub_init
CALLS_player := $(addprefix spn_,$(PLAYER_CALLS)) spn_platform_stub_init
# The limits of the player and of everything are their sizes of now and 1 %; the aims
# are 64 and 128 KiB.
CODE_MAX_reads := 32768
CODE_MAX_player := 93500
CODE_MAX_everything := 239200

SIZE := $(ARM)/size
SIZE_C := $(RUNTIME_C) platform/consoles_stub/platform_stub.c
size_objects = $(patsubst %.c,$(SIZE)/$(1)/%.o,$(SIZE_C))
define size_rules
$(SIZE)/$(1)/%.o: %.c tests/arm/arm.mk tests/features/features.mk | $(LZ4_SOURCE)/lz4.c
	@mkdir -p $$(@D)
	$$(Q)$$(ARM_CC) $$(ARM_CFLAGS) $$(ARM_LTO_FLAGS) $$(ARM_WARNINGS) $$(SWITCHES_$(1)) $$(ARM_INCLUDES) -I$$(LZ4_SOURCE) -MMD -MP -c $$< -o $$@
$(SIZE)/$(1)/image.elf: $(call size_objects,$(1)) $(SIZE)/$(1)/tests/arm/worker.o $(ARM)/lz4.o $(ARM)/tests/check/mem_functions.o
	$$(Q)calls='$$(CALLS_$(1))'; $$(ARM_CC) $$(ARM_CFLAGS) $$(ARM_WARNINGS) $$(ARM_LTO_FLAGS) -fcallgraph-info=su -nostdlib -Wl,--gc-sections \
	  -Wl,-e,spn_init $$$$(printf -- '-Wl,-u,%s ' $$$${calls:-$$$$(bash tests/arm/public.sh $(call size_objects,$(1)))}) \
	  -dumpdir $$(@D)/ -Wl,-Map=$$(@D)/image.map $$(filter-out %/worker.o,$$^) -lgcc -o $$@
endef
$(foreach set,everything $(FEATURE_SETS) reads player,$(eval $(call size_rules,$(set))))
# Objects of -flto contain no sizes of symbols.
$(SIZE)/%/tests/arm/worker.o: ARM_LTO_FLAGS :=

.PHONY: deps-arm test-arm size
deps-arm:
	$(call install_packages,gcc-arm-none-eabi qemu-system-arm dpkg-dev)
test-arm: $(ARM_IMAGE) $(PLAY_PROGRAM) $(TOOL)
	$(Q)ARM_QEMU='$(ARM_QEMU)' SPINDLE='$(TOOL)' EXEC='$(EXEC)' bash tests/arm/test_arm.sh $(ARM_IMAGE) $(PLAY_PROGRAM) $(PLAY_DISC)
size: $(patsubst %,$(SIZE)/%/image.elf,$(SIZES))
	$(Q)bash tests/arm/size.sh $(SIZE) $(foreach set,$(SIZES),$(set):$(CODE_MAX_$(set)))
