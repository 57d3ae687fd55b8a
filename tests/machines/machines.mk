# machines.mk - other byte orders and word sizes: built here, run by emulators.
#
#   make deps-everywhere           installs what all of it needs (Debian)
#   make test-everywhere           every machine, and a table of them
#   make test-machine-powerpc      one of them; deps-machine-powerpc before it
#   make SHORT=1 test-machine-powerpc   what a machine can do otherwise: tests of
#                                  the runtime's modules, the tool's output, the
#                                  frames that are played; likewise test-win32
#   make machine-costs             makes tests/machines/costs.txt anew; with
#                                  COSTS_OF='lift_cache triples' their part of it
#
# A machine is a compiler's triple and an emulator of its programs. The tool's
# libraries are built from their sources (libraries.sh), everything is linked
# statically, with warnings as errors: conversions that lose bits where words
# are shorter are seen here first.

MACHINES := powerpc s390x i686 armhf aarch64
TRIPLE_powerpc := powerpc-linux-gnu
TRIPLE_s390x := s390x-linux-gnu
TRIPLE_i686 := i686-linux-gnu
TRIPLE_armhf := arm-linux-gnueabihf
TRIPLE_aarch64 := aarch64-linux-gnu
EMULATOR_powerpc := qemu-ppc-static
EMULATOR_s390x := qemu-s390x-static
EMULATOR_i686 := qemu-i386-static
EMULATOR_armhf := qemu-arm-static
EMULATOR_aarch64 := qemu-aarch64-static
# It has no atomics of 64 bits, which the tool has.
LDLIBS_powerpc := -latomic

# g++ brings gcc and both their libraries.
deps-machine-%: deps
	$(call install_packages,dpkg-dev qemu-user-static g++-$(TRIPLE_$*))
deps-everywhere: deps deps-clang $(foreach m,win32 arm riscv,$(if $(wildcard tests/$(m)/*.mk),deps-$(m)))
	$(call install_packages,dpkg-dev qemu-user-static $(foreach m,$(MACHINES),g++-$(TRIPLE_$(m))))
.PHONY: deps-everywhere test-everywhere machine-tests machine-costs

MACHINE_FOLDER := build/machines
MACHINE_SCRIPTS := $(PLAY_TEST) $(sort $(wildcard tests/machines/test_*.sh))

# make as it is for machine $(1). A trap on malloc that links some libraries
# and not others has no meaning where all are linked.
machine_make = $(MAKE) --no-print-directory CC=$(TRIPLE_$(1))-gcc AR=$(TRIPLE_$(1))-ar \
  EXEC=$(EMULATOR_$(1)) WERROR=-Werror LDLIBS_test_no_allocation= \
  CPPFLAGS=-Ibuild/libraries/$(TRIPLE_$(1))/include \
  LDFLAGS='-static -Lbuild/libraries/$(TRIPLE_$(1))/lib' LDLIBS='-lz -lstdc++ $(LDLIBS_$(1))' \
  $(if $(PLAY_DISC),PLAY_DISC='$(PLAY_DISC)')

machine-libraries-%: | $(DEPS_FIRST)
	$(Q)CC=$(TRIPLE_$*)-gcc CXX=$(TRIPLE_$*)-g++ AR=$(TRIPLE_$*)-ar sh tests/machines/libraries.sh build/libraries/$(TRIPLE_$*)
	$(Q)if [ -f tests/machines/$*.sh ]; then sh tests/machines/$*.sh build/libraries/$(TRIPLE_$*)/lib; fi
# The playing program of all machines, where there is one.
test-machine-%: all machine-libraries-% $(PLAY_PROGRAM) $(PLAY_CACHES)
	+$(Q)HOST_SPINDLE='$(abspath $(TOOL))' HOST_PLAY='$(PLAY_PROGRAM)' MACHINE=$* $(call machine_make,$*) machine-tests

# Within a machine's own make.
RUNTIME_TESTS := $(filter $(patsubst %.c,$(BUILD)/tests/test_%$(EXE),$(notdir $(RUNTIME_C))) $(BUILD)/tests/test_golden$(EXE),$(UNIT_TESTS))
ifeq ($(SHORT),1)
# An emulator has the memory order of its host: threads show nothing new here.
MACHINE_TESTS := $(filter-out $(BUILD)/tests/test_threads$(EXE),$(RUNTIME_TESTS))
else
MACHINE_TESTS := $(UNIT_TESTS)
endif
machine-tests: all $(MACHINE_TESTS) $(FUZZ_REPLAYS) $(PLAY_PROGRAM)
	$(Q)$(TEST_ENV) PLAY='$(PLAY_PROGRAM)' FOLDER=$(MACHINE_FOLDER) bash tests/machines/run.sh $(MACHINE_TESTS) tests/fuzz/test_corpora.sh $(MACHINE_SCRIPTS)
machine-costs: machine-libraries-powerpc
	+$(Q)$(call machine_make,powerpc) machine-costs-measure
COSTS_TESTS := $(if $(COSTS_OF),$(patsubst %,$(BUILD)/tests/test_%,$(COSTS_OF)),$(UNIT_TESTS))
machine-costs-measure: $(COSTS_TESTS)
	$(Q)EXEC='$(EXEC)' bash tests/machines/costs.sh $(COSTS_TESTS)

# Those with a build of their own join by their names. What all of them say is
# compared with what the same program says here.
OTHER_MACHINES := test-clang $(foreach m,win32 arm,$(if $(wildcard tests/$(m)/*.mk),test-$(m)))
test-everywhere: $(PLAY_PROGRAM) test-compilers test-features | $(DEPS_FIRST)
	+$(Q)HOST_PLAY='$(PLAY_PROGRAM)' FOLDER=$(MACHINE_FOLDER) MAKE='$(MAKE)' bash tests/machines/everywhere.sh $(addprefix test-machine-,$(MACHINES)) $(OTHER_MACHINES)
