# A bare RISC-V board under an emulator: no operating system, no C library. Its caches
# are on a disc whose controller raises interrupts
# (platform/consoles_stub/platform_dma.c).
#
#   make deps-riscv   install its compiler and the emulator
#   make test-riscv   play on it and on this machine, compare every line
#   make riscv-costs  instructions of decoding and filling on it, by codec.
#                     RISCV_FLAGS and RISCV_KERNEL_FLAGS are compiler flags,
#                     RISCV_MACHINE is the core
include tests/everywhere/everywhere.mk
RISCV_MACHINE ?= -march=rv64gc -mabi=lp64d
RISCV_FLAGS ?= -O2 -fbuiltin
RISCV_KERNEL_FLAGS ?= -O3
RISCV_SPACE := $(subst ,, )
RISCV := $(BUILD)/riscv$(subst $(RISCV_SPACE),,$(RISCV_MACHINE)$(RISCV_FLAGS)$(RISCV_KERNEL_FLAGS))
RISCV_CC ?= riscv64-unknown-elf-gcc
RISCV_QEMU ?= qemu-system-riscv64
RISCV_CFLAGS := -std=c11 -g $(RISCV_MACHINE) -mcmodel=medany -ffreestanding $(RISCV_FLAGS) -fno-tree-loop-distribute-patterns \
  -ffunction-sections -fdata-sections -ffp-contract=off
RISCV_INCLUDES := -Iruntime/include -Iruntime -Ioffline -I. -Itests -Iplatform/consoles_stub
RISCV_LZ4 := build/sources/lz4/lib

riscv_object = $(patsubst %.c,$(RISCV)/%.o,$(1))
RISCV_GAME_C := tests/everywhere/play_hashes.c offline/player/shown_hash.c $(wildcard tests/riscv/*.c) tests/check/mem_functions.c
RISCV_OBJECTS := $(call riscv_object,$(RUNTIME_C) $(EMULATOR_C) $(STUB_C) $(RISCV_GAME_C)) $(RISCV)/lz4.o $(RISCV)/tests/riscv/reset.o
RISCV_IMAGE := $(RISCV)/play_hashes.elf
RISCV_DISC := $(RISCV)/disc.img

$(RISCV)/%.o: %.c tests/riscv/riscv.mk | build/sources/lz4/lib/lz4.c
	@mkdir -p $(@D)
	$(Q)$(RISCV_CC) $(RISCV_CFLAGS) $(WARNINGS) $(FREESTANDING_FLAGS) $(WERROR) $(RISCV_INCLUDES) -I$(RISCV_LZ4) -MMD -MP -c $< -o $@
$(RISCV)/tests/check/mem_functions.o: RISCV_CFLAGS += -fno-builtin
$(call riscv_object,$(KERNEL_C)): RISCV_CFLAGS += $(RISCV_KERNEL_FLAGS)
$(RISCV)/%.o: %.S tests/riscv/riscv.mk
	@mkdir -p $(@D)
	$(Q)$(RISCV_CC) $(RISCV_MACHINE) -c $< -o $@
$(RISCV)/lz4.o: $(RISCV_LZ4)/lz4.c tests/riscv/riscv.mk
	@mkdir -p $(@D)
	$(Q)$(RISCV_CC) $(RISCV_CFLAGS) -DLZ4_FREESTANDING=1 -DLZ4_memcpy=memcpy -DLZ4_memmove=memmove -DLZ4_memset=memset \
	  -include runtime/base/mem.h -Iruntime -c $< -o $@
$(RISCV_IMAGE): $(RISCV_OBJECTS) tests/riscv/virt.ld
	$(Q)$(RISCV_CC) $(RISCV_CFLAGS) -nostdlib -Wl,--gc-sections -Wl,--no-warn-rwx-segments -T tests/riscv/virt.ld $(RISCV_OBJECTS) -lgcc -o $@
$(RISCV_DISC): $(PLAY_CACHES) tests/riscv/make_disc.sh
	@mkdir -p $(@D)
	$(Q)bash tests/riscv/make_disc.sh $@ $(PLAY_CACHES)

# The same image with instruction counters, and a disc for each codec. The disc has the
# clip of 120 frames twice: by lz4hc and by the codec. The disc "none" has a clip of a
# few vertices instead of the second.
RISCV_COUNTED := $(RISCV)/costs.elf
RISCV_COUNT_WRAPS := $(foreach f,play_hashes spn_update spn_node_fill,-Wl,--wrap=$(f))
$(RISCV_COUNTED): $(RISCV_OBJECTS) $(RISCV)/tests/riscv/costs/count.o tests/riscv/virt.ld
	$(Q)$(RISCV_CC) $(RISCV_CFLAGS) -nostdlib -Wl,--gc-sections -Wl,--no-warn-rwx-segments $(RISCV_COUNT_WRAPS) -T tests/riscv/virt.ld \
	  $(RISCV_OBJECTS) $(RISCV)/tests/riscv/costs/count.o -lgcc -o $@

.PHONY: deps-riscv test-riscv riscv-costs
riscv-costs: $(RISCV_COUNTED) $(PLAY_CACHES)
	$(Q)SPINDLE='$(TOOL)' RISCV_QEMU='$(RISCV_QEMU)' bash tests/riscv/costs/costs.sh $(RISCV_COUNTED) $(PLAY_DISC) $(RISCV)
deps-riscv:
	$(call install_packages,gcc-riscv64-unknown-elf qemu-system-misc dpkg-dev)
test-riscv: $(RISCV_IMAGE) $(RISCV_DISC) $(PLAY_PROGRAM)
	$(Q)HOST_PLAY='$(PLAY_PROGRAM)' PLAY=$(RISCV_IMAGE) EXEC='bash tests/riscv/run_image.sh $(RISCV_DISC)' RISCV_QEMU='$(RISCV_QEMU)' \
	  MACHINE=riscv FOLDER=$(MACHINE_FOLDER) bash $(PLAY_TEST)
