#!/usr/bin/env bash
# Goal: a cache is the same bytes whatever compiled the tool, how well it
# optimised, on which processor it runs and with how many jobs.
# Method: three tools, that at hand among them when it is gcc's; compile archives
# with each, compare. What is refused must be refused by each.
name=test_same_bytes
. tests/cli/lib.sh

skip() {
    echo "  skipped: $1"
    skipped=$((skipped + 1))
}

# Builds that others have, too: this one, and the other compiler's.
is_by_gcc() { "${CC:-cc}" -v 2>&1 | grep -q '^gcc version'; }
build_of() {
    case $1 in
    gcc-O2) case $BUILD in build/release-*) is_by_gcc && echo "$BUILD" && return ;; esac ;;
    clang-O2) echo "build/clang-release${WERROR:+-strict}" && return ;;
    esac
    echo "build/same-$1"
}

# make_tool NAME COMPILER OPTION...: its build, kept for the next time.
make_tool() {
    build=$(build_of "$1") compiler=$2
    shift 2
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "$@" CC="$compiler" \
        config=release BUILD="$build" "$build/spindle"
}
tool() {
    tools="$tools $1"
    make_tool "$1" "$2" -s -j2 >"$folder/stderr" 2>&1
}

# The Makefile asks for more where loops are hot; what a packager says is last,
# and so counts. Not optimized, frames are larger than is allowed.
plain_tool() {
    tools="$tools gcc-plain"
    make_tool gcc-plain gcc -s -j2 CFLAGS=-O0 WERROR= >"$folder/stderr" 2>&1 || return
    make_tool gcc-plain gcc -n -B V=1 CFLAGS=-O0 WERROR= 2>"$folder/stderr" |
        grep ' -c ' | sed 's/.* \(-O[0-9a-z]*\) .*/\1/' | sort -u \
        >"$folder/got"
    [ "$(cat "$folder/got")" = -O0 ]
}

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
    with=$(build_of "$1")/spindle archive=$2
    shift 2
    rm -f "$folder/out.sgc"
    timeout 60 "$with" compile "$archive" -o "$folder/out.sgc" --quiet "$@" \
        >/dev/null 2>"$folder/refusal"
    echo "exit $?"
    cat "$folder/refusal"
    [ ! -f "$folder/out.sgc" ] || cksum <"$folder/out.sgc"
}

# same ARCHIVE OPTION...: do all tools give the same?
same() {
    archive=$1
    shift
    compile_with gcc-O2 "$archive" --jobs 2 "$@" >"$folder/wanted"
    for other in $tools; do
        compile_with "$other" "$archive" --jobs 3 "$@" >"$folder/got"
        cmp -s "$folder/wanted" "$folder/got" || {
            cat "$folder/wanted" "$folder/got" >"$folder/stderr"
            return 1
        }
    done
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_2 \
        compile_with gcc-O2 "$archive" --jobs 1 "$@" >"$folder/got"
    cmp -s "$folder/wanted" "$folder/got"
}

if [ -n "${EXEC:-}${SANITIZE:-}" ] || ! command -v gcc >/dev/null; then
    skip "builds tools of its own, for this machine, with gcc"
    finish
    exit
fi
tools=
check "gcc -O2 builds the tool" tool gcc-O2 gcc
check "gcc -O0 builds the tool, all of it" plain_tool
if command -v clang >/dev/null; then
    check "clang -O2 builds the tool" tool clang-O2 clang
else
    skip "no clang"
fi
for archive in $(archives); do
    check "$(basename "$archive") is the same bytes by$tools" same "$archive"
done
check "demo.abc is, turned and in fewer bits" same \
    "${SPINDLE_TEST_DATA:-tests/data}/demo.abc" --up z --flip-v --precision 5 \
    --index-distance 7 --codec store
check "demo.abc is by the classic prediction" same \
    "${SPINDLE_TEST_DATA:-tests/data}/demo.abc" --codec lz4hc
finish
