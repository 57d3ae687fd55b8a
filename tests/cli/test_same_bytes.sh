#!/usr/bin/env bash
# Goal: a cache has the same bytes for every compiler and optimization of the tool,
# every processor and every number of jobs.
# Method: compile archives with this tool, on a processor without wide vector
# instructions, and with each tool in OTHER_TOOLS; compare. A refusal must come from all
# tools. `make test-compilers` builds other tools.
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

# compile_with TOOL ARCHIVE OPTION...: print the cache's bytes, or the refusal.
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

# same ARCHIVE OPTION...: whether all tools and processors give the same result.
same() {
    compile_with "$SPINDLE" "$1" --jobs 2 "${@:2}" >"$folder/wanted"
    for other in ${OTHER_TOOLS:-}; do
        gives_the_wanted "$other" "$1" --jobs 3 "${@:2}" || return
    done
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_2 \
        gives_the_wanted "$SPINDLE" "$1" --jobs 1 "${@:2}"
}

# The packager's CFLAGS come after the Makefile's flags in each command. make -n prints
# the commands.
plain_commands() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -n -B V=1 CFLAGS=-O0 KERNEL_FLAGS= all 2>"$folder/stderr" |
        grep ' -c ' | sed 's/.* \(-O[0-9a-z]*\) .*/\1/' | sort -u >"$folder/got"
    [ "$(cat "$folder/got")" = -O0 ]
}

for other in ${OTHER_TOOLS:-}; do
    check "OTHER_TOOLS: $other is a program" test -x "$other"
done
check "CFLAGS come last in every compile command of make" plain_commands
for archive in $(archives); do
    check "$(basename "$archive"): the same bytes by all tools" same "$archive"
done
check "demo.abc: the same bytes with --up, --flip-v and --precision" same \
    "${SPINDLE_TEST_DATA:-tests/data}/demo.abc" --up z --flip-v --precision 5 \
    --index-distance 7 --codec store
check "demo.abc: the same bytes with --codec lz4hc" same \
    "${SPINDLE_TEST_DATA:-tests/data}/demo.abc" --codec lz4hc
finish
