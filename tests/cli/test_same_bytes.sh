#!/usr/bin/env bash
# Goal: a cache is the same bytes whatever compiled the tool, how well it
# optimised, on which processor it runs and with how many jobs.
# Method: compile archives with the tool at hand, on a processor without its
# wide instructions, and with each tool that OTHER_TOOLS names; compare. What is
# refused must be refused by each. `make test-compilers` builds other tools.
# Threads as in test_compile.sh.
set -u
name=test_same_bytes
. tests/cli/lib.sh

archives() {
    ls "${SPINDLE_TEST_DATA:-tests/data}"/*.abc
    assets=${SPINDLE_ASSETS:-../shared/assets}
    for archive in edge/constant-samples edge/cyclic-acyclic edge/late-split \
        edge/huge edge/many-ops edge/nan edge/normal-scopes edge/rotations edge/uv-scopes \
        synthetic/flag-small synthetic/rigid-debris-small; do
        [ -f "$assets/$archive.abc" ] && echo "$assets/$archive.abc"
    done
}

# compile_with TOOL ARCHIVE OPTION...: the cache's bytes, or the refusal.
compile_with() {
    with=$1 archive=$2
    shift 2
    rm -f "$folder/out.sgc"
    timeout 300 ${EXEC:-} "$with" compile "$archive" -o "$folder/out.sgc" --quiet "$@" \
        >/dev/null 2>"$folder/refusal"
    echo "exit $?"
    cat "$folder/refusal"
    [ ! -f "$folder/out.sgc" ] || cksum <"$folder/out.sgc"
}

gives_the_wanted() {
    compile_with "$@" >"$folder/got"
    cmp -s "$folder/wanted" "$folder/got" || {
        cat "$folder/wanted" "$folder/got" >"$folder/stderr"
        return 1
    }
}

# same ARCHIVE OPTION...: do all tools and processors give the same?
same() {
    compile_with "$SPINDLE" "$1" --jobs 2 "${@:2}" >"$folder/wanted"
    for other in ${OTHER_TOOLS:-}; do
        gives_the_wanted "$other" "$1" --jobs 3 "${@:2}" || return
    done
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_2 \
        gives_the_wanted "$SPINDLE" "$1" --jobs 1 "${@:2}"
}

# The flags of a packager come after the Makefile's own, and so count. The
# commands are printed, not run.
plain_commands() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -n -B V=1 CFLAGS=-O0 KERNEL_FLAGS= all 2>"$folder/stderr" |
        grep ' -c ' | sed 's/.* \(-O[0-9a-z]*\) .*/\1/' | sort -u >"$folder/got"
    [ "$(cat "$folder/got")" = -O0 ]
}

for other in ${OTHER_TOOLS:-}; do
    check "$other is a tool" test -x "$other"
done
check "CFLAGS come last in every command" plain_commands
for archive in $(archives); do
    check "$(basename "$archive") is the same bytes" same "$archive"
done
check "demo.abc is, turned and in fewer bits" same \
    "${SPINDLE_TEST_DATA:-tests/data}/demo.abc" --up z --flip-v --precision 5 \
    --index-distance 7 --codec store
check "demo.abc is by the classic prediction" same \
    "${SPINDLE_TEST_DATA:-tests/data}/demo.abc" --codec lz4hc
finish
