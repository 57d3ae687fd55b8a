#!/usr/bin/env bash
# Goal: the checks of tests/check find the defects that they are for.
# Method: break one rule in a copy of the tree; the check must fail.
# One thread.
set -u
name=test_laws
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
tree=$folder/tree
mkdir "$tree"
cp -R runtime platform offline README.md Makefile "$tree"
mkdir -p "$tree/tests"
cp -R tests/check "$tree/tests"

# broken CLAIM FILE TEXT: add TEXT to FILE; tidy.sh or layers.sh must fail.
broken() {
    file=$tree/$2
    had=0
    [ -f "$file" ] && had=1 && cp "$file" "$folder/kept"
    mkdir -p "$(dirname "$file")"
    printf '%s\n' "$3" >>"$file"
    if (cd "$tree" && bash tests/check/tidy.sh && bash tests/check/layers.sh) >"$folder/log" 2>&1; then
        echo "  FAILED: $1"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
    if [ "$had" = 1 ]; then cp "$folder/kept" "$file"; else rm "$file" && rmdir "$(dirname "$file")" 2>/dev/null; fi
}
spdx='/* SPDX-License-Identifier: MIT */'

if (cd "$tree" && bash tests/check/tidy.sh && bash tests/check/layers.sh) >"$folder/log" 2>&1; then
    passed=$((passed + 1))
else
    echo "  FAILED: the tree itself is tidy"
    cat "$folder/log"
    failed=$((failed + 1))
fi
broken "the runtime may not include a codec's library" runtime/base/block_codec.c '#include <zlib.h>'
broken "a codec may not include the library of another codec" runtime/codecs/deflate/codec_deflate.c '#include <zstd.h>'
broken "platform.md describes every function of the platform table" runtime/include/spindle/platform.h '    void (*never_told)(void *user);'
broken "base may not include reads" runtime/base/pool.c '#include "read/io.h"'
broken "reads may not include playback" runtime/read/io.c '#include "play/cursor.h"'
broken "the emulator may not include the scheduler" runtime/emulator/emulator.c '#include "schedule/queue.h"'
broken "the runtime may not include the emulator" runtime/api_config.c '#include "emulator/emulated_drive.h"'
broken "a low folder of the tool may not include a high one" offline/abc/tree.c '#include "cli/verbs.h"'
broken "every folder is in layers.txt" runtime/new/new.c "$spdx"
broken "every source file of the runtime has a header" runtime/base/lonely.c "$spdx"
broken "a header has at most 350 lines" runtime/base/long.h "$(yes "$spdx" | head -n 351)"
broken "the runtime may not include a platform" runtime/api_config.c '#include "platform/posix/platform_posix.h"'
broken "the runtime may not include stdio" runtime/base/word_queue.c '#include <stdio.h>'
broken "a platform may not include internal headers of the runtime" platform/posix/platform_posix.h '#include "base/heap.h"'
broken "the tool may not include tests" offline/main.c '#include "tests/harness.h"'
broken "the runtime may not allocate" runtime/base/pool.c 'void *f(void); void *f(void) { return malloc(1); }'
broken "the runtime has no mutable state" runtime/base/pool.c 'static int counter;'
broken "tests may not include a source file" tests/support/fixture.c "$spdx
#include \"base/pool.c\""
broken "tests may not include a private header" tests/support/fixture.c "$spdx
#include \"support/other_private.h\""
broken "a header of tests has no state" tests/support/fixture.h "$spdx
alignas(64) static unsigned char memory[64];"
broken "file names are unique" offline/common/pool.c "$spdx"
broken "every file has its licence line" offline/common/other.c 'int x;'
broken "section banners have the short form" runtime/base/pool.c '/* ---- section ---------------------------------------------------------- */'
broken "macros of instruction sets are only in their files" runtime/codec/classic/predict.c '#if defined(__SSE4_1__)
#endif'
broken "macros of operating systems are only in their files" offline/main.c '#ifdef _WIN32
#endif'

# Calls are found in object files: a call to a higher folder is refused.
calls() {
    rm -rf "$folder/objects"
    mkdir -p "$folder/objects/runtime/base" "$folder/objects/runtime/read"
    printf 'int spn__x(void); int spn__pool(void); int spn__pool(void) { return %s; }' "$2" |
        "${CC:-cc}" -x c -c -o "$folder/objects/runtime/base/pool.o" - &&
        printf 'int spn__pool(void); int spn__x(void); int spn__x(void) { return %s; }' "$3" |
        "${CC:-cc}" -x c -c -o "$folder/objects/runtime/read/io.o" - || return
    if (cd "$tree" && bash tests/check/layers.sh "$folder/objects") >"$folder/log" 2>&1; then got=ok; else got=refused; fi
    if [ "$got" = "$4" ]; then
        passed=$((passed + 1))
    else
        echo "  FAILED: $1"
        cat "$folder/log"
        failed=$((failed + 1))
    fi
}
calls "a call to a lower folder is allowed" 1 'spn__pool()' ok
calls "a call to a higher folder is refused" 'spn__x()' 1 refused

# A call cycle of files in runtime/play: four files are allowed.
cycle() {
    rm -rf "$folder/objects"
    mkdir -p "$folder/objects/runtime/play"
    count=0
    for file in $(cd "$tree/runtime/play" && ls ./*.c | head -n "$1"); do
        next=$(((count + 1) % $1))
        printf 'int spn__cycle%s(void); int spn__cycle%s(void); int spn__cycle%s(void) { return spn__cycle%s(); }' $next $count $count $next |
            "${CC:-cc}" -x c -c -o "$folder/objects/runtime/play/$(basename "$file" .c).o" - || return
        count=$((count + 1))
    done
    if (cd "$tree" && bash tests/check/layers.sh "$folder/objects") >"$folder/log" 2>&1; then got=ok; else got=refused; fi
    if [ "$got" = "$2" ]; then
        passed=$((passed + 1))
    else
        echo "  FAILED: a call cycle of $1 files in runtime/play is $2"
        cat "$folder/log"
        failed=$((failed + 1))
    fi
}
cycle 4 ok
cycle 5 refused

# The symbol check, with objects that contain one function.
object() {
    printf '%s\n' "$1" | "${CC:-cc}" -x c -c -o "$folder/x.o" - &&
        rm -f "$folder/x.a" && ar rcsD "$folder/x.a" "$folder/x.o"
}
symbols() {
    object "$2"
    if bash tests/check/symbols.sh "$folder/x.a" ${4:+"$4"} >"$folder/log" 2>&1; then got=ok; else got=refused; fi
    if [ "$got" = "$3" ]; then
        passed=$((passed + 1))
    else
        echo "  FAILED: $1"
        cat "$folder/log"
        failed=$((failed + 1))
    fi
}
symbols "a clean object is accepted" 'int spn_x(int a); int spn_x(int a) { return a + 1; }' ok
symbols "a call of malloc in the runtime is refused" 'void *malloc(unsigned long); void *spn_x(void); void *spn_x(void) { return malloc(3); }' refused
symbols "the runtime may call LZ4's decoder" 'int LZ4_decompress_safe(void); int spn_x(void); int spn_x(void) { return LZ4_decompress_safe(); }' ok
symbols "a codec may not call LZ4's decoder" 'int LZ4_decompress_safe(void); int spn_x(void); int spn_x(void) { return LZ4_decompress_safe(); }' refused 'inflate'
symbols "the runtime may not call zlib" 'int inflate(void); int spn_x(void); int spn_x(void) { return inflate(); }' refused
symbols "a codec may call zlib when SYMBOLS allows it" 'int inflate(void); int spn_x(void); int spn_x(void) { return inflate(); }' ok 'inflate'
symbols "a call of malloc in a codec is refused" 'void *malloc(unsigned long); void *spn_x(void); void *spn_x(void) { return malloc(3); }' refused 'inflate'
symbols "a public name without the prefix is refused" 'int heap_x(int a); int heap_x(int a) { return a + 1; }' refused
symbols "writable data is refused" 'int spn_counter = 1; int *spn_x(void); int *spn_x(void) { return &spn_counter; }' refused

# The analyzers, with one file. An analyzer that cannot run must not pass.
analysis() {
    printf '%s\n' "$2" >"$folder/x.c"
    if FILES="$folder/x.c" PATH=${5:-$PATH} bash tests/check/analyze.sh "$4" >"$folder/log" 2>&1; then got=ok; else got=refused; fi
    if [ "$got" = "$3" ]; then
        passed=$((passed + 1))
    else
        echo "  FAILED: $1"
        cat "$folder/log"
        failed=$((failed + 1))
    fi
}
mkdir "$folder/bin"
for tool in bash cat find grep mktemp nproc rm sed sort tail wc xargs; do
    ln -s "$(command -v $tool)" "$folder/bin/$tool"
done
analysis "an analyzer accepts a file without findings" 'int spn_x(int a); int spn_x(int a) { return a + 1; }' ok gcc
analysis "an analyzer reports a file with a defect" '#include <stdlib.h>
int spn_x(int *a);
int spn_x(int *a) { free(a); return *a; }' refused gcc
analysis "an analyzer fails for a file that it cannot compile" '#include "nobody_has_this.h"' refused gcc
for tool in gcc tidy cppcheck; do
    analysis "the analysis fails without $tool" 'int spn_x;' refused $tool "$folder/bin"
done

# A build for size keeps kernels fast, and only kernels.
last_level_of() {
    env -u MAKEFLAGS -u MAKELEVEL make -n config=release CFLAGS=-Os BUILD="$folder/bare" "$folder/bare/$1.o" 2>"$folder/log" |
        grep -oE -- ' -O[0-9s]' | tail -n 1
}
for file in codec/lift/lift:-O3 codec/classic/predict_sse41:-O3 codec/lift/one_ring:-O3 codec/lift/residual_coder:-O3 \
    fill/fill_ops:-O3 play/cursor:-Os; do
    if [ "$(last_level_of "runtime/${file%:*}")" = " ${file#*:}" ]; then
        passed=$((passed + 1))
    else
        echo "  FAILED: ${file%:*} is compiled by ${file#*:} with CFLAGS=-Os"
        cat "$folder/log"
        failed=$((failed + 1))
    fi
done

echo "$name: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
