# win32.mk - Windows: built here by mingw-w64, run by wine.
#
#   make deps-win32      packages, and the tool's libraries from their sources
#   make all-win32       libspindle-win32.a, spindle.exe and the rest
#   make test-win32      every test on Windows
#
# All programs in wine, the tool included, share one server and one folder (build/wine),
# so that a program starts quickly. The tests run wine64 itself, because its wrapper
# script writes to stderr.
#
# Wine needs the page at 0x7ffe0000. When the system places the heap of its loader
# there, wine ends silently with exit code 1. With random addresses this happens in one
# start of five thousand; setarch -R turns random addresses off.

TRIPLE_win32 := x86_64-w64-mingw32
NOT_AT_RANDOM := $(shell setarch -R true 2>/dev/null && echo setarch -R)
WINE ?= $(NOT_AT_RANDOM) $(or $(wildcard /usr/lib/wine/wine64),wine)

.PHONY: deps-win32 all-win32 test-win32 libraries-win32 tests-win32
deps-win32: deps
	$(call install_packages,dpkg-dev g++-mingw-w64-x86-64 wine64)
	+$(Q)$(MAKE) --no-print-directory libraries-win32
libraries-win32: | $(DEPS_FIRST)
	$(Q)CC=$(TRIPLE_win32)-gcc CXX=$(TRIPLE_win32)-g++ AR=$(TRIPLE_win32)-ar sh tests/machines/libraries.sh build/libraries/$(TRIPLE_win32)

make_win32 = $(MAKE) --no-print-directory CC=$(TRIPLE_win32)-gcc AR=$(TRIPLE_win32)-ar \
  EXEC='$(WINE)' WERROR=-Werror CPPFLAGS=-Ibuild/libraries/$(TRIPLE_win32)/include \
  LDFLAGS='-s -Lbuild/libraries/$(TRIPLE_win32)/lib' LDLIBS='-lz -lstdc++'
all-win32: libraries-win32 | $(DEPS_FIRST)
	+$(Q)$(make_win32) all
test-win32: all libraries-win32 $(PLAY_PROGRAM) | $(DEPS_FIRST)
	+$(Q)HOST_SPINDLE='$(abspath $(TOOL))' HOST_PLAY='$(abspath $(PLAY_PROGRAM))' WINE='$(WINE)' WINEPREFIX='$(abspath build/wine)' bash tests/win32/with_wine.sh $(make_win32) tests-win32

ifeq ($(SYSTEM),win32)
# posix.h declares the POSIX functions that the tests call.
INCLUDES_tests += -Itests/win32/include -include posix.h
TEST_LDFLAGS := -Wl,--wrap=free
LDFLAGS_test_place_win32 := $(foreach f,DeviceIoControl OutputDebugStringW,-Wl,--wrap=__imp_$(f))
LDFLAGS_test_output_win32 := $(foreach f,WriteFile FlushFileBuffers MoveFileExW,-Wl,--wrap=__imp_$(f))
# Tests of POSIX itself are skipped, with a reason: name:reason.
NOT_HERE := test_no_allocation:wraps_calls_of_a_POSIX_C_library \
  test_host_output:wraps_calls_of_POSIX \
  test_readme:builds_the_README's_program_for_POSIX \
  test_examples:builds_programs_for_POSIX \
  test_docs:tests_documents \
  test_laws:tests_scripts_of_the_build_machine \
  test_same_bytes:tests_compilers_of_the_build_machine
NAMES_NOT_HERE := $(foreach t,$(NOT_HERE),$(firstword $(subst :, ,$(t))))
UNIT_TESTS := $(filter-out $(NAMES_NOT_HERE:%=$(BUILD)/tests/%$(EXE)),$(UNIT_TESTS))
CLI_TESTS := $(filter-out $(NAMES_NOT_HERE:%=tests/cli/%.sh),$(CLI_TESTS))
# With SHORT=1: tests of the operating system, and of the tool's output and play.
ifeq ($(SHORT),1)
UNIT_TESTS := $(filter $(patsubst %,$(BUILD)/tests/test_%$(EXE),%_win32 platform_% host% files threads io_threads pak_threads golden jobs),$(UNIT_TESTS))
CLI_TESTS := $(filter $(patsubst %,tests/cli/test_%.sh,letters usage killed pack),$(CLI_TESTS))
endif
WIN32_SCRIPTS := $(PLAY_TEST) $(sort $(wildcard tests/win32/test_*.sh))

# Test atomics and bit operations also with the functions of Microsoft's compilers.
MSVC_TESTS := $(BUILD)/tests/test_compiler_msvc$(EXE) $(BUILD)/tests/test_word_queue_msvc$(EXE)
$(BUILD)/msvc/%.o: %.c Makefile tests/win32/win32.mk | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_CFLAGS) -DSPN_MSVC=1 $(INCLUDES_tests) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/%_msvc$(EXE): $(BUILD)/msvc/tests/unit/%.o $(BUILD)/msvc/runtime/base/word_queue.o $(LIB_SUPPORT) $(LINKABLE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(TEST_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(OUR_LDLIBS) $(TEST_LDLIBS) $(LDLIBS)

tests-win32: all check-symbols-platform $(UNIT_TESTS) $(MSVC_TESTS) $(FUZZ_REPLAYS) $(PLAY_PROGRAM)
	$(Q)$(TEST_ENV) PLAY='$(abspath $(PLAY_PROGRAM))' NOT_HERE="$(NOT_HERE)" bash tests/win32/run.sh $(UNIT_TESTS) $(MSVC_TESTS) $(CLI_TESTS) $(WIN32_SCRIPTS)
endif
