# machines.mk - machines of other byte orders and word sizes: cross-compiled, run by
# emulators.
#
#   make deps-everywhere           install the packages for all of them (Debian)
#   make test-everywhere           test every machine, and print a table
#   make test-machine-powerpc      test one machine; needs make deps-machine-powerpc
#   make SHORT=1 test-machine-powerpc   only tests whose result can depend on the
#                                  machine: modules of the runtime, the tool's
#                                  output, played frames. Also for test-win32
#   make machine-costs             measure tests/machines/costs.txt again; with
#                                  COSTS_OF='lift_cache fill' only these tests
#
# A machine is the triple of a compiler and an emulator for its programs. The tool's
# libraries are built from their sources (libraries.sh). Programs are linked statically,
# with warnings as errors: these builds find conversions that lose bits where words are
# shorter.
include tests/sim/sim.mk

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
# The tool uses 64-bit atomics, which this processor does not have.
LDLIBS_powerpc := -latomic

# g++ depends on gcc and on both libraries.
deps-machine-%: deps
	$(call install_packages,dpkg-dev qemu-user-static g++-$(TRIPLE_$*))
deps-everywhere: deps deps-clang $(foreach m,win32 arm riscv,$(if $(wildcard tests/$(m)/*.mk),deps-$(m)))
	$(call install_packages,dpkg-dev qemu-user-static $(foreach m,$(MACHINES),g++-$(TRIPLE_$(m))))
.PHONY: deps-everywhere test-everywhere machine-tests machine-costs

MACHINE_FOLDER := build/machines
MACHINE_SCRIPTS := $(PLAY_TEST) $(sort $(wildcard tests/machines/test_*.sh))

# The make command for machine $(1). All libraries are static here, so
# test_no_allocation needs no libraries of its own.
machine_make = $(MAKE) --no-print-directory CC=$(TRIPLE_$(1))-gcc AR=$(TRIPLE_$(1))-ar \
  EXEC=$(EMULATOR_$(1)) WERROR=-Werror LDLIBS_test_no_allocation= \
  CPPFLAGS=-Ibuild/libraries/$(TRIPLE_$(1))/include \
  LDFLAGS='-static -Lbuild/libraries/$(TRIPLE_$(1))/lib' LDLIBS='-lz -lstdc++ $(LDLIBS_$(1))' \
  $(if $(PLAY_DISC),PLAY_DISC='$(PLAY_DISC)')

machine-libraries-%: | $(DEPS_FIRST)
	$(Q)CC=$(TRIPLE_$*)-gcc CXX=$(TRIPLE_$*)-g++ AR=$(TRIPLE_$*)-ar sh tests/machines/libraries.sh build/libraries/$(TRIPLE_$*)
	$(Q)if [ -f tests/machines/$*.sh ]; then sh tests/machines/$*.sh build/libraries/$(TRIPLE_$*)/lib; fi
# HOST_PLAY is this machine's playing program, HOST_SIM its simulator.
test-machine-%: all machine-libraries-% $(PLAY_PROGRAM) $(PLAY_CACHES) $(SIM)
	+$(Q)HOST_SPINDLE='$(abspath $(TOOL))' HOST_PLAY='$(PLAY_PROGRAM)' HOST_SIM='$(SIM)' MACHINE=$* $(call machine_make,$*) machine-tests

# The following runs in the make of a machine.
RUNTIME_TESTS := $(filter $(patsubst %.c,$(BUILD)/tests/test_%$(EXE),$(notdir $(RUNTIME_C))) $(BUILD)/tests/test_golden$(EXE),$(UNIT_TESTS))
ifeq ($(SHORT),1)
# An emulator has the memory order of its host, so the tests of threads find nothing
# new.
MACHINE_TESTS := $(filter-out $(BUILD)/tests/test_threads$(EXE),$(RUNTIME_TESTS))
else
MACHINE_TESTS := $(UNIT_TESTS)
endif
machine-tests: all $(MACHINE_TESTS) $(FUZZ_REPLAYS) $(PLAY_PROGRAM) $(SIM)
	$(Q)$(TEST_ENV) SIM='$(SIM)' PLAY='$(PLAY_PROGRAM)' FOLDER=$(MACHINE_FOLDER) bash tests/machines/run.sh $(MACHINE_TESTS) tests/fuzz/test_corpora.sh $(MACHINE_SCRIPTS)
machine-costs: machine-libraries-powerpc
	+$(Q)$(call machine_make,powerpc) machine-costs-measure
COSTS_TESTS := $(if $(COSTS_OF),$(patsubst %,$(BUILD)/tests/test_%,$(COSTS_OF)),$(UNIT_TESTS))
machine-costs-measure: $(COSTS_TESTS)
	$(Q)EXEC='$(EXEC)' bash tests/machines/costs.sh $(COSTS_TESTS)

# Machines with a .mk file of their own are added by name. Their played frames, too, are
# compared with those of this machine.
OTHER_MACHINES := test-clang $(foreach m,win32 arm,$(if $(wildcard tests/$(m)/*.mk),test-$(m)))
test-everywhere: $(PLAY_PROGRAM) test-compilers test-features | $(DEPS_FIRST)
	+$(Q)HOST_PLAY='$(PLAY_PROGRAM)' FOLDER=$(MACHINE_FOLDER) MAKE='$(MAKE)' bash tests/machines/everywhere.sh $(addprefix test-machine-,$(MACHINES)) $(OTHER_MACHINES)
