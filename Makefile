# Spindle: a streaming runtime for one fixed block of memory, and its tool.
#
#   make                 libspindle.a, its codecs, the platforms, and the tool:
#                        build/release-*/spindle
#   make deps            install what building, testing and the demo need
#   make demo            compile, verify, play and draw an archive and motion
#   make test            every test; the last line counts them
#   make sim             the runtime under faults: SEEDS=n, or SEED=x
#   make fuzz            after deps-check; FUZZ_SECONDS=n each; fuzz-NAME: one
#   make check           after deps-check; the rules of CONTRIBUTING.md
#   make lines           lines of code, without comments and blanks
#   make size            after deps-arm; code, memory and stacks by feature
#   make test-everywhere after deps-everywhere; other machines, a table of them
#   make test-arm        after deps-arm; test-riscv, test-win32 and
#                        test-machine-powerpc (or another: tests/machines) likewise
#   make coverage        after deps-coverage; which branches tests take
#   make bench           timings
#   make docs            write the generated parts of manual pages and documents
#   make install         PREFIX, DESTDIR, LIBDIR, INCLUDEDIR, BINDIR, MANDIR
#   make install-runtime the same without the tool, which is not built
#   make help            this
#
# config=release|debug|asan|tsan    V=1 shows the commands

config ?= release
# Before `make deps` the machine may have no compiler.
host := $(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m)-linux-gnu)
# Builds with WERROR=-Werror have their own folder.
BUILD ?= build/$(config)-$(host)$(if $(WERROR),-strict)

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
AR ?= ar
EXE ?=
EXEC ?=
PKG_CONFIG ?= pkg-config
# spindle.h defines the version.
VERSION := $(shell sed -n 's/^.define SPINDLE_VERSION_[A-Z]* //p' runtime/include/spindle/spindle.h | paste -sd.)

# Use all cores, unless MAKEFLAGS has a -j. With `make deps ...` nothing is compiled
# before the packages are installed.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
DEPS_FIRST := $(filter deps deps-%,$(MAKECMDGOALS))

ifeq ($(V),1)
Q :=
else
Q := @
endif

# ---- flags: ours first, the packager's last ------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
  -Wmissing-prototypes -Wundef -Wcast-qual -Wwrite-strings -Wvla
FLAGS_release := -O2 -g
# Sanitizers and debug builds also have the assertions of each public function.
FLAGS_debug := -O0 -g -DSPN_ASSERTS=2
# Debug information has line numbers only: enough for stack traces, and faster to
# compile.
FLAGS_asan := -O2 -g1 -DSPN_ASSERTS=2 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan := -O2 -g1 -DSPN_ASSERTS=2 -fsanitize=thread -fno-omit-frame-pointer
OUR_CFLAGS := -std=c11 -ffp-contract=off $(WARNINGS) $(FLAGS_$(config)) $(WERROR)
# Compute in the width of the types, not in the 80 bits of x87 registers.
X86_OF_32_BITS := i386-% i486-% i586-% i686-%
ifneq (,$(filter $(X86_OF_32_BITS),$(host)))
OUR_CFLAGS += -msse2 -mfpmath=sse -Wno-psabi
endif
# On s390 GCC evaluates float expressions in double unless told otherwise.
ifneq (,$(filter s390%,$(host)))
OUR_CFLAGS += -fexcess-precision=fast
endif
OUR_LDFLAGS := $(filter -fsanitize=%,$(FLAGS_$(config)))

# The operating system that the tool and its tests run on. It selects
# platform/$(SYSTEM), and of each pair x_posix.c and x_win32.c the file to compile.
SYSTEMS := posix win32
SYSTEM := $(if $(findstring mingw,$(host)),win32,posix)
of_system = $(filter-out $(foreach s,$(filter-out $(SYSTEM),$(SYSTEMS)),%_$(s).c),$(1))
ifeq ($(SYSTEM),win32)
# Use C99's printf instead of the one of the system's library. GCC's format warnings do
# not know it; other builds check the formats. Macros of its <math.h> cause warnings about
# conversions of floats.
EXE := .exe
OUR_CFLAGS += -D__USE_MINGW_ANSI_STDIO=1 -Wno-format -Wno-float-conversion
endif

INCLUDES_runtime := -Iruntime/include -Iruntime
INCLUDES_platform := -Iruntime/include
INCLUDES_offline := -Iruntime/include -Iruntime -Ioffline -I.
# 32-bit programs also read folders of a 64-bit file system.
INCLUDES_tests := $(INCLUDES_offline) -Itests -D_FILE_OFFSET_BITS=64

# Sanitizers enlarge stack frames, so the limit holds for builds without them.
FREESTANDING_FLAGS := $(if $(OUR_LDFLAGS),,-Wframe-larger-than=2048)

# ---- files and libraries ----------------------------------------------------

# All .c files below a folder, at any depth.
below = $(sort $(foreach f,$(wildcard $(1)/*),$(if $(filter %.c,$(f)),$(f),$(call below,$(f)))))
# The drive emulator and the block codecs are separate archives: a game links only those
# that it calls.
EMULATOR_C := $(call below,runtime/emulator)
RUNTIME_C := $(filter-out runtime/emulator/% runtime/codecs/%,$(call below,runtime))
# Each folder becomes one archive: runtime/codecs/x becomes libspindle-x.a.
CODECS := $(notdir $(patsubst %/,%,$(sort $(wildcard runtime/codecs/*/))))
PLATFORM_C := $(sort $(wildcard platform/$(SYSTEM)/*.c))
STUB_C := $(sort $(wildcard platform/consoles_stub/*.c))
# Only HDF5 archives need libhdf5. Without it the tool refuses them and names other
# means. Each make runs the probe again, but its result file changes only when the
# result does. HDF5=no skips the probe.
HDF5 ?= yes
HDF5_MK := $(BUILD)/hdf5.mk
-include $(HDF5_MK)
HDF5_C := $(filter-out offline/abc/hdf5_missing.c,$(wildcard offline/abc/hdf5*.c))
OFFLINE_C := $(filter-out offline/main.c $(if $(HAS_HDF5),offline/abc/hdf5_missing.c,$(HDF5_C)),$(call below,offline))
# Only spindle view needs SDL2: its headers here, its library when it runs. SDL2=no skips
# the probe.
SDL2 ?= yes
SDL2_MK := $(BUILD)/sdl2.mk
-include $(SDL2_MK)
WINDOW_C := $(wildcard offline/view/window/*.c)
OFFLINE_C := $(filter-out $(if $(HAS_SDL2),offline/view/view_missing.c,$(WINDOW_C)),$(OFFLINE_C))
OFFLINE_C := $(call of_system,$(OFFLINE_C))
# Files that are compiled into the tool as arrays of bytes.
EMBEDDED := offline/simulate/page.html $(if $(HAS_SDL2),$(sort $(wildcard offline/view/shaders/*)))
HDF5_WRITERS := tests/support/hdf5_writer.c tests/support/hdf5_writer_missing.c
SUPPORT_C := $(filter-out $(if $(HAS_HDF5),$(lastword $(HDF5_WRITERS)),$(firstword $(HDF5_WRITERS))),$(sort $(wildcard tests/harness.c tests/support/*.c)))
SUPPORT_C := $(call of_system,$(SUPPORT_C))
UNIT_C := $(call of_system,$(sort $(wildcard tests/unit/test_*.c)))
UNIT_C := $(filter-out $(if $(HAS_HDF5),,tests/unit/test_abc_hdf5_child.c),$(UNIT_C))
BENCH_C := $(sort $(wildcard tests/bench/bench_*.c))

object = $(patsubst %.c,$(BUILD)/%.o,$(1))

LIB := $(BUILD)/libspindle.a
LIB_EMULATOR := $(BUILD)/libspindle-emulator.a
LIB_PLATFORM := $(BUILD)/libspindle-$(SYSTEM).a
LIB_STUB := $(BUILD)/libspindle-consoles-stub.a
LIBS_CODEC := $(foreach c,$(CODECS),$(BUILD)/libspindle-$(c).a)
LIB_OFFLINE := $(BUILD)/liboffline.a
LIB_SUPPORT := $(BUILD)/libtests.a
TOOL := $(BUILD)/spindle$(EXE)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%$(EXE),$(UNIT_C))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%$(EXE),$(BENCH_C))
# Callers before the archives that they call.
LINKABLE := $(LIB_OFFLINE) $(LIB_PLATFORM) $(LIB_STUB) $(LIBS_CODEC) $(LIB_EMULATOR) $(LIB)

OUR_LDLIBS := $(HDF5_LDLIBS) $(SDL2_LDLIBS) -llz4 -ldeflate -lz -lzstd -lmeshoptimizer -lcjson -lpng -lpthread -lm
ifeq ($(SYSTEM),win32)
# One executable file without DLLs.
OUR_LDLIBS += -static
endif
TEST_LDLIBS := -lxxhash

.PHONY: FORCE all help deps deps-check demo test check lines bench bench-overload bench-orders install install-runtime uninstall clean compile-all \
  check-tidy check-layers check-format check-symbols check-symbols-platform check-headers check-freestanding \
  check-msvc check-warnings
.DELETE_ON_ERROR:
.SECONDARY:
PKG_CONFIGS := $(BUILD)/spindle.pc $(BUILD)/spindle-emulator.pc $(foreach c,$(CODECS),$(BUILD)/spindle-$(c).pc)
CMAKE_CONFIGS := $(addprefix $(BUILD)/,spindle-config.cmake spindle-config-version.cmake) spindle-libraries.cmake
LINKED_ALONE := $(LIB) $(LIB_EMULATOR) $(LIBS_CODEC) $(LIB_PLATFORM) $(LIB_STUB) $(PKG_CONFIGS) $(CMAKE_CONFIGS)
all: $(LINKED_ALONE) $(TOOL)

# ---- rules ------------------------------------------------------------------

define compile_rule
$(BUILD)/$(1)/%.o: $(1)/%.c Makefile | $$(DEPS_FIRST)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(OUR_CFLAGS) $(3) $$(INCLUDES_$(2)) $$(CPPFLAGS) $$(CFLAGS) $$(LAST_CFLAGS) -MMD -MP -c $$< -o $$@
endef
$(eval $(call compile_rule,runtime,runtime,$$(FREESTANDING_FLAGS)))
$(eval $(call compile_rule,platform,platform,))
$(eval $(call compile_rule,offline,offline,))
$(eval $(call compile_rule,tests,tests,))

# Kernels are loops that the compiler vectorises. KERNEL_FLAGS follow the packager's
# flags, so that a build for size (CFLAGS=-Os) keeps kernels fast. An empty
# KERNEL_FLAGS= makes them small, too. A kernel named for an instruction set is compiled
# for it and selected at run time. GCC does not align the stack for 32-byte spills on
# 64-bit Windows, so AVX2 is not used there. Never use -mfma: all machines must produce
# the same bits.
KERNEL_C := $(filter $(foreach k,fill/fill codec/lift/lift codec/classic/predict codec/lift/one_ring codec/lift/residual_coder anim/anim_rows anim/pose/pose anim/pose/anim_reference,runtime/$(k).c runtime/$(k)_%.c),$(RUNTIME_C))
ifeq ($(config),release)
KERNEL_FLAGS ?= -O3
$(call object,$(KERNEL_C)): LAST_CFLAGS = $(KERNEL_FLAGS)
# The tool's encoders, too, are compiled with -O3. No code reads errno or the
# floating-point flags; both would prevent vectorisation. The output bytes are the same.
$(call object,$(filter offline/compile/% offline/compress/%,$(OFFLINE_C))): OUR_CFLAGS += -O3 -fno-math-errno -fno-trapping-math
endif
# The four lanes of the hash are faster in four scalar registers. SSE2 has no 32-bit
# multiply, so in one SSE2 vector GCC replaces each multiply by a chain of shifts.
$(BUILD)/runtime/base/checksum.o: OUR_CFLAGS += -fno-tree-slp-vectorize
# With only eight vector registers (32-bit x86), AVX2 code would spill to the stack.
ifneq (,$(filter x86_64-% $(X86_OF_32_BITS),$(host)))
$(call object,$(filter %_sse41.c,$(RUNTIME_C))): OUR_CFLAGS += -msse4.1
ifeq (,$(findstring mingw,$(host))$(filter $(X86_OF_32_BITS),$(host)))
$(call object,$(filter %_avx2.c,$(RUNTIME_C))): OUR_CFLAGS += -mavx2 -mbmi2 -mf16c
endif
endif

# Find libhdf5 by pkg-config or in the compiler's search paths. The reader runs in a
# child process made by fork, which Windows does not have.
$(HDF5_MK): FORCE | $(DEPS_FIRST)
	@mkdir -p $(@D)
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh offline/abc/find_hdf5.sh '$(if $(filter posix,$(SYSTEM)),$(HDF5))' $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) > $@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; grep -q HAS_HDF5 $@ || echo 'no libhdf5 for this build (Debian: libhdf5-dev): HDF5 archives will be refused'; fi
$(patsubst %.c,$(BUILD)/%.o,$(HDF5_C) $(HDF5_WRITERS)): OUR_CFLAGS += $(HDF5_CPPFLAGS)

# Find the headers of SDL2.
$(SDL2_MK): FORCE | $(DEPS_FIRST)
	@mkdir -p $(@D)
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh offline/view/find_sdl2.sh '$(if $(filter posix,$(SYSTEM)),$(SDL2))' $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) > $@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; grep -q HAS_SDL2 $@ || echo 'no SDL2 for this build (Debian: libsdl2-dev): spindle view will say so'; fi
$(call object,$(WINDOW_C)): OUR_CFLAGS += $(SDL2_CPPFLAGS)

# x.html becomes the array x_html and its size, x_html_bytes.
embedded = $(BUILD)/$(basename $(1))_$(patsubst .%,%,$(suffix $(1)))
define embed_rule
$(call embedded,$(1)).c: $(1) Makefile
	@mkdir -p $$(@D)
	$$(Q){ echo '#include <stddef.h>'; echo 'extern const unsigned char $(2)[]; extern const size_t $(2)_bytes;'; \
	  echo 'const unsigned char $(2)[] = {'; od -An -v -tu1 $$< | sed 's/[0-9][0-9]*/&,/g'; \
	  echo '}; const size_t $(2)_bytes = sizeof $(2);'; } > $$@
$(call embedded,$(1)).o: $(call embedded,$(1)).c | $$(DEPS_FIRST)
	$$(Q)$$(CC) $$(OUR_CFLAGS) $$(CPPFLAGS) $$(CFLAGS) -c $$< -o $$@
endef
$(foreach f,$(EMBEDDED),$(eval $(call embed_rule,$(f),$(notdir $(call embedded,$(f))))))

archive = @mkdir -p $(@D); rm -f $@
$(LIB): $(call object,$(RUNTIME_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_EMULATOR): $(call object,$(EMULATOR_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_PLATFORM): $(call object,$(PLATFORM_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_STUB): $(call object,$(STUB_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(foreach c,$(CODECS),$(eval $(BUILD)/libspindle-$(c).a: $(call object,$(sort $(wildcard runtime/codecs/$(c)/*.c)))))
$(LIBS_CODEC):
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_OFFLINE): $(call object,$(OFFLINE_C)) $(addsuffix .o,$(foreach f,$(EMBEDDED),$(call embedded,$(f)))) $(HDF5_MK) $(SDL2_MK)
	$(archive)
	$(Q)$(AR) rcsD $@ $(filter %.o,$^)
$(LIB_SUPPORT): $(call object,$(SUPPORT_C)) $(HDF5_MK)
	$(archive)
	$(Q)$(AR) rcsD $@ $(filter %.o,$^)

# libmeshoptimizer is C++ with a C interface, so its library needs libstdc++.
$(TOOL): $(call object,offline/main.c) $(LINKABLE)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(OUR_LDLIBS) $(LDLIBS)

# LDFLAGS_test_x: extra linker flags of one test, for example a trap on malloc.
# LDLIBS_test_x: libraries of one test, placed before the common ones.
LDFLAGS_test_no_allocation := $(foreach f,malloc calloc realloc free aligned_alloc posix_memalign mmap munmap brk sbrk,-Wl,--wrap=$(f))
# The linker can wrap calls in static libraries only, so these are linked statically.
LDLIBS_test_no_allocation := -Wl,-Bstatic -llz4 -lz -lzstd -Wl,-Bdynamic
LDFLAGS_test_media_posix := -Wl,--wrap=preadv64
LDFLAGS_test_files_posix := $(foreach f,open64 ioctl posix_fadvise64,-Wl,--wrap=$(f))
LDFLAGS_test_pack_calls_posix := -Wl,--wrap=open64,--wrap=madvise
LDFLAGS_test_abc_hdf5_child := -Wl,--wrap=hdf5_serve,--wrap=hdf5_child_write,--wrap=hdf5_child_start
LDFLAGS_test_host_output := $(foreach f,openat64 pwrite64 fsync close fchmod linkat renameat,-Wl,--wrap=$(f))
$(BUILD)/tests/%$(EXE): $(BUILD)/tests/unit/%.o $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(TEST_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$*) -o $@ $^ $(LDLIBS_$*) $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)
$(BUILD)/bench/%$(EXE): $(BUILD)/tests/bench/%.o $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(TEST_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)

# PREFIX may differ from that of the last run, so these files are always written again.
subst_pc = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@SYSTEM@|$(SYSTEM)|'
$(BUILD)/spindle.pc: spindle.pc.in Makefile FORCE
	@mkdir -p $(@D)
	$(Q)$(subst_pc) $< > $@
$(BUILD)/%.cmake: %.cmake.in Makefile FORCE
	@mkdir -p $(@D)
	$(Q)$(subst_pc) $< > $@
$(BUILD)/spindle-emulator.pc: spindle-emulator.pc.in Makefile FORCE
	@mkdir -p $(@D)
	$(Q)$(subst_pc) $< > $@
# The pkg-config package that each codec's archive requires.
PACKAGE_deflate := zlib
PACKAGE_zstd := libzstd
$(BUILD)/spindle-%.pc: spindle-codec.pc.in Makefile FORCE
	@mkdir -p $(@D)
	$(Q)$(subst_pc) -e 's|@CODEC@|$*|' -e 's|@PACKAGE@|$(PACKAGE_$*)|' $< > $@

# ---- packages ----------------------------------------------------------------

DEPS := gcc libc6-dev pkg-config liblz4-dev libdeflate-dev zlib1g-dev libzstd-dev libmeshoptimizer-dev libcjson-dev libpng-dev libhdf5-dev libsdl2-dev
# Xvfb is a display without a screen, xdotool moves its mouse, Mesa's driver draws without
# a graphics processor.
DEPS_test := g++ libxxhash-dev xvfb xdotool libgl1-mesa-dri
# make check needs a second compiler, CMake, the source of lz4 and a linter of manual pages. Where
# a browser is installed, the tests also load the page of spindle simulate.
DEPS_check := clang lld clang-format cmake dpkg-dev libclang-rt-dev mandoc chromium

# Install those of PACKAGES that are missing; print nothing when none is. A lock lets
# one apt run at a time. apt retries downloads that fail.
define install_packages
@mkdir -p build; exec 9>build/packages.lock; flock 9 2>/dev/null; missing=; \
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then \
  for package in $(1); do \
    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
  done; \
  if [ -n "$$missing" ]; then \
    echo "installing:$$missing"; \
    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
    $$sudo apt-get -qq -o Acquire::Retries=3 update && \
    DEBIAN_FRONTEND=noninteractive $$sudo apt-get -qq -y -o Acquire::Retries=3 install --no-install-recommends $$missing >/dev/null; \
  fi; \
else \
  echo "not a Debian: install the equivalents of: $(1)"; \
fi
endef

deps:
	$(call install_packages,$(DEPS) $(DEPS_test))
# Not in BUILD: all configurations share it.
NODE_MODULES := build/npm/node_modules
# Where npm is installed, the exported files are checked by the validator of glTF.
deps-check: deps
	$(call install_packages,$(DEPS_check))
	@test -d $(NODE_MODULES)/gltf-validator || ! command -v npm >/dev/null || \
	  npm install --silent --no-audit --no-fund --prefix $(dir $(NODE_MODULES:/=)) gltf-validator >/dev/null || \
	  echo "gltf-validator is not installed; its test is skipped"

# ---- demo ----------------------------------------------------------------------

DEMO := out/demo
demo: all
	@mkdir -p $(DEMO)/motion
	$(TOOL) compile tests/data/demo.abc -o $(DEMO)/demo.sgc
	$(TOOL) verify $(DEMO)/demo.sgc --against tests/data/demo.abc
	awk -v stride=18 -v lift=20 -v swing=10 -v frames=60 -f tests/support/walker.awk >$(DEMO)/motion/stroll.bvh
	awk -v stride=30 -v lift=35 -v swing=25 -v frames=36 -f tests/support/walker.awk >$(DEMO)/motion/walk.bvh
	awk -v stride=45 -v lift=90 -v swing=50 -v frames=24 -f tests/support/walker.awk >$(DEMO)/motion/run.bvh
	$(TOOL) anim compile $(DEMO)/motion/stroll.bvh $(DEMO)/motion/walk.bvh $(DEMO)/motion/run.bvh -o $(DEMO)/clips
	$(TOOL) anim pack $(DEMO)/clips -o $(DEMO)/game
	$(TOOL) play $(DEMO)/demo.sgc $(DEMO)/game/animations.sai --streams 8 --characters 2 --seconds 10 --drive x360_dvd12x --virtual
	$(TOOL) render $(DEMO)/demo.sgc --frames 0,20,40,60,80,100 --view clip -o $(DEMO)/sheet.png
	$(TOOL) render $(DEMO)/clips/walk.sac --frames 0,6,12,18,24,30 --view clip -o $(DEMO)/walk.png
	@echo "look at $(DEMO)/sheet.png and $(DEMO)/walk.png"

FORCE:

# ---- tests ------------------------------------------------------------------

CLI_TESTS := $(sort $(wildcard tests/cli/test_*.sh))

# The thread sanitizer finds nothing in programs with one thread. A test that declares
# "One thread." is not built for it.
HAS_TSAN := $(filter -fsanitize=thread,$(OUR_LDFLAGS))
ifneq ($(HAS_TSAN),)
ONE_THREAD := $(shell grep -lE '^ \* (One thread\.|Threads as in)' $(UNIT_C))
UNIT_TESTS := $(filter-out $(ONE_THREAD:tests/unit/%.c=$(BUILD)/tests/%$(EXE)),$(UNIT_TESTS))
endif
# Sanitizers check programs, so the tests of sources and documents do not run with them.
ifneq ($(OUR_LDFLAGS),)
CLI_TESTS := $(filter-out tests/cli/test_laws.sh tests/cli/test_docs.sh,$(CLI_TESTS))
endif
TEST_ENV = NODE_PATH='$(abspath $(NODE_MODULES))' TEST_THREADS='$(if $(HAS_TSAN),many)' SPINDLE='$(abspath $(TOOL))' BUILD='$(BUILD)' EXEC='$(EXEC)' CC='$(CC)' SANITIZE='$(OUR_LDFLAGS)'

# make unit-heap or make cli-usage runs one test; make test runs all of them.
unit-%: $(BUILD)/tests/test_%$(EXE)
	$(EXEC) $<
cli-%: all
	$(Q)$(TEST_ENV) bash tests/cli/test_$*.sh

test: all $(UNIT_TESTS)
	$(Q)$(TEST_ENV) bash tests/run.sh $(CLI_TESTS) $(UNIT_TESTS)

# The rules of CONTRIBUTING.md. Each check can be run by itself.
check: check-tidy check-layers check-format check-docs check-symbols check-headers check-freestanding check-msvc check-features check-warnings
	@echo "check: ok"
check-tidy:
	$(Q)bash tests/check/tidy.sh
check-layers: $(LIB) $(LIB_EMULATOR) $(LIBS_CODEC) $(LIB_OFFLINE) $(call object,offline/main.c)
	$(Q)bash tests/check/layers.sh $(BUILD)
# Count lines of code, without comments and blank lines.
lines:
	$(Q)for tree in runtime offline; do \
	  printf '%-8s %6d\n' $$tree "$$(find $$tree -name '*.[ch]' -exec $(CC) -fpreprocessed -dD -E -P -x c {} \; 2>/dev/null | grep -c '[^[:space:]]')"; done
check-format:
	$(Q)clang-format --dry-run -Werror $$(find runtime platform offline tests -name '*.[ch]' -o -name '*.cpp') && echo "format: ok"
check-symbols: $(LIB) $(LIB_EMULATOR) $(LIBS_CODEC) check-symbols-platform
	$(Q)bash tests/check/symbols.sh $(LIB)
	$(Q)bash tests/check/symbols.sh $(LIB_EMULATOR) 'spn__(carve|drive|snapshot|text)_[a-z_]+|spn_drive_profile_check'
	$(Q)bash tests/check/symbols.sh $(BUILD)/libspindle-deflate.a 'inflate(Init2_|End)?'
	$(Q)bash tests/check/symbols.sh $(BUILD)/libspindle-zstd.a 'ZSTD_(initStaticDCtx|DCtx_setParameter|decompressDCtx|isError)'
check-symbols-platform: $(LIB_PLATFORM) $(LIB_STUB)
	$(Q)bash tests/check/symbols.sh $(LIB_PLATFORM) system
	$(Q)bash tests/check/symbols.sh $(LIB_STUB)
check-headers:
	$(Q)bash tests/check/headers.sh
check-freestanding:
	$(Q)CC='$(CC)' bash tests/check/freestanding.sh build/freestanding
check-msvc:
	$(Q)bash tests/check/msvc.sh
# CLANG_CONFIG is the configuration that clang compiles.
check-warnings:
	$(Q)$(MAKE) --no-print-directory CC=gcc WERROR=-Werror compile-all
	$(Q)$(MAKE) --no-print-directory CC=clang config=$(or $(CLANG_CONFIG),$(config)) BUILD=build/clang-$(or $(CLANG_CONFIG),$(config))-strict WERROR=-Werror compile-all
	@echo "warnings: ok (gcc, clang)"
compile-all: all $(UNIT_TESTS) $(BENCHES)

bench: all $(BENCHES)
	$(Q)for b in $(BENCHES); do $(EXEC) $$b || exit 1; done

# Replay recordings of a real game: count late reads of the deadline scheduler and of
# C-LOOK.
bench-overload: all $(BUILD)/bench/bench_overload$(EXE)
	$(Q)bash tests/bench/overload.sh $(TOOL) $(BUILD)/bench/bench_overload$(EXE)

# Replay a recorded game through the runtime with several pak orders. Fails above the
# limit.
bench-orders: all
	$(Q)bash tests/bench/orders.sh $(TOOL)

# ---- installing -----------------------------------------------------------------

PUBLIC_HEADERS := $(wildcard runtime/include/spindle/*.h) \
  platform/$(SYSTEM)/platform_$(SYSTEM).h platform/consoles_stub/platform_stub.h platform/consoles_stub/platform_dma.h
D_LIB = $(DESTDIR)$(LIBDIR)
D_INCLUDE = $(DESTDIR)$(INCLUDEDIR)/spindle
D_BIN = $(DESTDIR)$(BINDIR)
D_MAN = $(DESTDIR)$(MANDIR)/man1

# Install the libraries that a game links. This does not build the tool.
install-runtime: $(LINKED_ALONE)
	install -d $(D_LIB)/pkgconfig $(D_LIB)/cmake/spindle $(D_INCLUDE)
	install -m 644 $(LIB) $(LIB_EMULATOR) $(LIBS_CODEC) $(LIB_PLATFORM) $(LIB_STUB) $(D_LIB)
	install -m 644 $(PKG_CONFIGS) $(D_LIB)/pkgconfig
	install -m 644 $(CMAKE_CONFIGS) $(D_LIB)/cmake/spindle
	install -m 644 $(PUBLIC_HEADERS) $(D_INCLUDE)
install: all install-runtime
	install -d $(D_BIN) $(D_MAN)
	install -m 755 $(TOOL) $(D_BIN)
	install -m 644 $(MAN_PAGES) $(D_MAN)
uninstall:
	rm -f $(addprefix $(D_LIB)/,$(notdir $(LIB) $(LIB_EMULATOR) $(LIBS_CODEC) $(LIB_PLATFORM) $(LIB_STUB)) $(addprefix pkgconfig/,$(notdir $(PKG_CONFIGS))))
	rm -f $(addprefix $(D_LIB)/cmake/spindle/,$(notdir $(CMAKE_CONFIGS)))
	rm -f $(addprefix $(D_INCLUDE)/,$(notdir $(PUBLIC_HEADERS))) $(D_BIN)/spindle$(EXE) $(addprefix $(D_MAN)/,$(notdir $(MAN_PAGES)))
	rmdir $(D_INCLUDE) $(D_LIB)/cmake/spindle 2>/dev/null || true

clean:
	rm -rf build out

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

# Each folder of tests defines its own targets in a .mk file. everywhere.mk comes first,
# because the others use its variables.
PLAY_MK := tests/everywhere/everywhere.mk
include $(PLAY_MK) $(filter-out $(PLAY_MK),$(wildcard tests/*/*.mk))

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
