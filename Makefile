# Spindle: a streaming runtime for one fixed block of memory, and its tool.
#
#   make                 libspindle.a, the platforms, the tool
#   make deps            install what building, testing and the demo need
#   make demo            compile, verify, play and draw a real archive
#   make test            every test; the last line counts them
#   make check           the laws of the house
#   make bench           timings
#   make install         PREFIX, DESTDIR, LIBDIR, INCLUDEDIR, BINDIR
#
# config=release|debug|asan|tsan    V=1 shows the commands

config ?= release
host := $(shell $(CC) -dumpmachine 2>/dev/null || echo unknown)
BUILD ?= build/$(config)-$(host)

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
AR ?= ar
EXE ?=
EXEC ?=
PKG_CONFIG ?= pkg-config
VERSION := 0.1.0

ifeq ($(V),1)
Q :=
else
Q := @
endif

# ---- flags: ours first, the packager's last ------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
  -Wmissing-prototypes -Wundef -Wcast-qual -Wwrite-strings -Wvla
FLAGS_release := -O2 -g
FLAGS_debug := -O0 -g
FLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
OUR_CFLAGS := -std=c11 -ffp-contract=off $(WARNINGS) $(FLAGS_$(config)) $(WERROR)
OUR_LDFLAGS := $(filter -fsanitize=%,$(FLAGS_$(config)))

INCLUDES_runtime := -Iruntime/include -Iruntime
INCLUDES_platform := -Iruntime/include
INCLUDES_offline := -Iruntime/include -Iruntime -Ioffline -I.
INCLUDES_tests := $(INCLUDES_offline) -Itests

FREESTANDING_FLAGS := -Wframe-larger-than=2048

# ---- what there is ---------------------------------------------------------

RUNTIME_C := $(sort $(wildcard runtime/*.c runtime/*/*.c))
POSIX_C := $(sort $(wildcard platform/posix/*.c))
STUB_C := $(sort $(wildcard platform/consoles_stub/*.c))
OFFLINE_C := $(filter-out offline/main.c,$(sort $(wildcard offline/*.c offline/*/*.c)))
SUPPORT_C := $(sort $(wildcard tests/harness.c tests/support/*.c))
UNIT_C := $(sort $(wildcard tests/unit/test_*.c))
BENCH_C := $(sort $(wildcard tests/bench/bench_*.c))

object = $(patsubst %.c,$(BUILD)/%.o,$(1))

LIB := $(BUILD)/libspindle.a
LIB_POSIX := $(BUILD)/libspindle-posix.a
LIB_STUB := $(BUILD)/libspindle-consoles-stub.a
LIB_OFFLINE := $(BUILD)/liboffline.a
LIB_SUPPORT := $(BUILD)/libtests.a
TOOL := $(BUILD)/spindle$(EXE)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%$(EXE),$(UNIT_C))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%$(EXE),$(BENCH_C))
LINKABLE := $(LIB_OFFLINE) $(LIB_POSIX) $(LIB_STUB) $(LIB)

OUR_LDLIBS := -llz4 -lmeshoptimizer -lcjson -lpng -lpthread -lm
TEST_LDLIBS := -lxxhash

.PHONY: all deps demo test check bench install uninstall clean unit cli fast-test
.DELETE_ON_ERROR:
.SECONDARY:
all: $(LIB) $(LIB_POSIX) $(LIB_STUB) $(TOOL) $(BUILD)/spindle.pc

# ---- rules ------------------------------------------------------------------

define compile_rule
$(BUILD)/$(1)/%.o: $(1)/%.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(OUR_CFLAGS) $(3) $$(INCLUDES_$(2)) $$(CPPFLAGS) $$(CFLAGS) -MMD -MP -c $$< -o $$@
endef
$(eval $(call compile_rule,runtime,runtime,$$(FREESTANDING_FLAGS)))
$(eval $(call compile_rule,platform,platform,))
$(eval $(call compile_rule,offline,offline,))
$(eval $(call compile_rule,tests,tests,))

archive = @mkdir -p $(@D); rm -f $@
$(LIB): $(call object,$(RUNTIME_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_POSIX): $(call object,$(POSIX_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_STUB): $(call object,$(STUB_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_OFFLINE): $(call object,$(OFFLINE_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^
$(LIB_SUPPORT): $(call object,$(SUPPORT_C))
	$(archive)
	$(Q)$(AR) rcsD $@ $^

# libmeshoptimizer is C++ behind a C interface: its library brings libstdc++.
$(TOOL): $(call object,offline/main.c) $(LINKABLE)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(OUR_LDLIBS) $(LDLIBS)

# LDFLAGS_test_x: extra link flags of one test, e.g. a trap on malloc.
$(BUILD)/tests/%$(EXE): $(BUILD)/tests/unit/%.o $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$*) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)
$(BUILD)/bench/%$(EXE): $(BUILD)/tests/bench/%.o $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)

$(BUILD)/spindle.pc: spindle.pc.in Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@

# ---- tests ------------------------------------------------------------------

CLI_TESTS := $(sort $(wildcard tests/cli/test_*.sh))

# One test alone: make unit-heap, and all of them: make test.
unit-%: $(BUILD)/tests/test_%$(EXE)
	$(EXEC) $<

test: all $(UNIT_TESTS)
	$(Q)SPINDLE='$(abspath $(TOOL))' BUILD='$(BUILD)' EXEC='$(EXEC)' CC='$(CC)' bash tests/run.sh $(UNIT_TESTS) $(CLI_TESTS)

bench: all $(BENCHES)
	$(Q)for b in $(BENCHES); do $(EXEC) $$b || exit 1; done

clean:
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
