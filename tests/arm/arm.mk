# A bare Cortex-M: no operating system, no C library, under an emulator.
#
#   make deps-arm   install its compiler and the emulator
#   make test-arm   play there and here, compare every line
#   make size       code, data and stacks of the image, with their budgets
include tests/everywhere/everywhere.mk
ARM := $(BUILD)/arm
ARM_CC ?= arm-none-eabi-gcc
ARM_QEMU ?= qemu-system-arm
ARM_MACHINE := -mcpu=cortex-m3 -mthumb
# The compiler may inline what it knows of the four memory functions, but must
# not make a loop a call of strlen, which nobody brings.
ARM_CFLAGS := -std=c11 -Os -g $(ARM_MACHINE) -ffreestanding -fbuiltin -fno-tree-loop-distribute-patterns \
  -ffunction-sections -fdata-sections -ffp-contract=off -fcallgraph-info=su
# Runtime and platform are optimized as one, when they are linked; not the
# emulated drive, for what it has of its own must not be taken for theirs.
ARM_LTO_FLAGS := -flto -flto-partition=one
ARM_WARNINGS = $(WARNINGS) $(FREESTANDING_FLAGS) $(WERROR)
ARM_INCLUDES := -Iruntime/include -Iruntime -Ioffline -I. -Itests
ARM_STACK_BYTES := 8192
# A cache of objects does not keep their call graphs.
$(ARM)/%.o: export CCACHE_DISABLE := 1

SOURCES := build/sources
LZ4_SOURCE := $(SOURCES)/lz4/lib
$(LZ4_SOURCE)/lz4.c: | $(DEPS_FIRST)
	$(Q)sh tests/check/source.sh $(SOURCES) lz4

arm_object = $(patsubst %.c,$(ARM)/%.o,$(1))
ARM_GAME_C := tests/everywhere/play_hashes.c tests/everywhere/play_inside.c offline/play/shown_hash.c tests/arm/start.c tests/check/mem_functions.c
ARM_OBJECTS := $(call arm_object,$(RUNTIME_C) $(STUB_C) $(ARM_GAME_C)) $(ARM)/lz4.o $(ARM)/play_disc.o
ARM_EMULATOR := $(call arm_object,$(wildcard runtime/io/emulat*.c) runtime/io/drive.c)
ARM_IMAGE := $(ARM)/play_hashes.elf
ARM_WHOLE := $(ARM)/whole

$(ARM)/%.o: %.c tests/arm/arm.mk | $(LZ4_SOURCE)/lz4.c
	@mkdir -p $(@D)
	$(Q)$(ARM_CC) $(ARM_CFLAGS) $(ARM_WARNINGS) $(ARM_INCLUDES) -I$(LZ4_SOURCE) -MMD -MP -c $< -o $@
$(filter-out $(ARM_EMULATOR),$(call arm_object,$(RUNTIME_C) $(STUB_C))): ARM_CFLAGS += $(ARM_LTO_FLAGS)
$(ARM)/tests/check/mem_functions.o: ARM_CFLAGS += -fno-builtin
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
	$(ARM_LINK) -dumpdir $(ARM)/ -Wl,-Map=$(ARM)/image.map $(ARM_OBJECTS) -lgcc -o $@
# The same with every public function, whether the game calls it or not: to be
# measured, not to be run.
$(ARM_WHOLE)/play_hashes.elf: $(ARM_OBJECTS) tests/arm/mps2_an385.ld
	@mkdir -p $(@D)
	$(ARM_LINK) $$(bash tests/arm/public.sh $(filter $(ARM)/runtime/%,$(ARM_OBJECTS))) -dumpdir $(ARM_WHOLE)/ -Wl,-Map=$(ARM_WHOLE)/image.map \
	  $(ARM_OBJECTS) -lgcc -o $@

.PHONY: deps-arm test-arm size
deps-arm:
	$(call install_packages,gcc-arm-none-eabi qemu-system-arm dpkg-dev)
test-arm: $(ARM_IMAGE) $(PLAY_PROGRAM) $(TOOL)
	$(Q)ARM_QEMU='$(ARM_QEMU)' SPINDLE='$(TOOL)' EXEC='$(EXEC)' bash tests/arm/test_arm.sh $(ARM_IMAGE) $(PLAY_PROGRAM) $(PLAY_DISC)
size: $(ARM_IMAGE) $(ARM_WHOLE)/play_hashes.elf
	$(Q)bash tests/arm/size.sh $(ARM) $(ARM_WHOLE)
