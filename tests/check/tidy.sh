#!/usr/bin/env bash
# tidy.sh - rules of CONTRIBUTING.md that a text search can check.
#
#   includes  of the system and of libraries only in the allowed files
#   names     file names are unique in the whole tree
#   systems   macros of operating systems and instruction sets only in their files
#   compiler  compiler extensions only in base/compiler.h, atomics only in base/atomic.h;
#             SPN_NODISCARD is public, in spindle/status.h
#   heap      no allocation, stdio or recursion-prone library in runtime/
#   tests     include no source file and no private header; their headers, except those of
#             examples and macros, define no state
#   width     80 columns; a string may be longer
#   licence   one SPDX line in each file
#   porting   platform.md describes every function of the platform table
set -u
shopt -s extglob
failed=0
say() {
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

sources() { find runtime platform offline tests -name '*.[ch]' | sort; }

# Set pattern, an extended regular expression, to the includes that a file may have.
# layers.sh checks which folders of the runtime and the tool may include which.
free='<(stdint|stddef|stdbool|stdalign)\.h>'
spindle='<spindle/[a-z_]+\.h>'
own='"[a-z0-9_]+(/[a-z0-9_]+)*\.h"'
allowed() {
    case $1 in
    runtime/include/*) pattern="^($free|$spindle)$" ;;
    runtime/base/mem.h) pattern="^($free|<string\.h>)$" ;;
    runtime/base/block_codec.c) pattern="^($free|$spindle|$own|<lz4\.h>)$" ;;
    runtime/base/compiler.h) pattern="^($free|<intrin\.h>)$" ;;
    runtime/base/cpu.c) pattern="^($free|$spindle|$own|<cpuid\.h>)$" ;;
    runtime/codecs/deflate/*) pattern="^($free|$spindle|$own|<zlib\.h>)$" ;;
    runtime/codecs/zstd/*) pattern="^($free|$spindle|$own|<zstd\.h>)$" ;;
    runtime/base/simd_sse41.h) pattern="^($free|$own|<smmintrin\.h>)$" ;;
    runtime/base/simd_avx2.h | runtime/*_avx2.c) pattern="^($free|$own|<immintrin\.h>)$" ;;
    runtime/base/simd_neon.h) pattern="^($free|$own|<arm_neon\.h>)$" ;;
    runtime/*) pattern="^($free|$spindle|$own)$" ;;
    platform/consoles_stub/*) pattern="^($free|<stdatomic\.h>|<spindle/(platform|status)\.h>|\"[a-z0-9_]+\.h\")$" ;;
    platform/*) pattern="^(<spindle/(platform|status)\.h>|\"[a-z0-9_]+\.h\"|<[a-z0-9_/]+\.h>)$" ;;
    offline/*) pattern="^($own|<[a-zA-Z0-9_/]+\.h>)$" ;;
    *) pattern='.' ;;
    esac
}
# Whether a quoted include of the runtime or the tool, named from the tree's root,
# exists.
include_exists() {
    case $1 in
    runtime/*) [ -f "runtime/$2" ] ;;
    offline/*) [ -f "runtime/$2" ] || [ -f "offline/$2" ] || [[ $2 == platform/*/*.h && -f $2 ]] ;;
    esac
}

# Report the lines on stdin, which grep -H found, with the rule that they break.
refuse() {
    while IFS= read -r line; do
        say "$line: $1"
    done
}

while IFS=: read -r file include; do
    allowed "$file"
    [[ $include =~ $pattern ]] || say "$file: may not include $include"
    [[ $file != @(runtime|offline)/* || $include != \"* ]] || {
        name=${include//\"/}
        include_exists "$file" "$name" || say "$file: may not include $include: no such file there"
    }
done < <(sources | xargs grep -HE '^[[:space:]]*#[[:space:]]*include' |
    sed -nE 's/^([^:]*):[[:space:]]*#[[:space:]]*include[[:space:]]+([<"][^>"]+[>"]).*/\1:\2/p')

refuse "no SPDX line" < <(sources | xargs grep -L 'SPDX-License-Identifier: MIT')
refuse "macro of an instruction set outside of its files" < <(
    sources | grep -vE '^runtime/base/cpu\.c$|_(sse41|avx2|neon)\.c$' |
        xargs grep -nHE '__(SSE|AVX|ARM_NEON|x86_64|i386|aarch64)'
)
refuse "macro of an operating system outside of its files" < <(
    sources | grep -vE '^platform/(win32|posix)/|^offline/host/host_([a-z]+_)?(win32|posix)\.c$|^offline/common/system_(win32|posix)\.c$' |
        xargs grep -nHE '\b(_WIN32|__linux__|__APPLE__)\b'
)
refuse "compiler extension outside of base/compiler.h" < <(
    sources | grep -E '^(runtime|platform)/' | grep -vE '^runtime/base/(compiler|atomic)\.h$|^runtime/include/spindle/status\.h$' |
        xargs grep -nHE '__(attribute__|builtin_|atomic_|sync_|declspec|forceinline)|\b_(Interlocked|BitScan|MSC_VER)'
)
refuse "base/atomic.h: compiler extension that is not an atomic" < <(grep -nHE '__(attribute__|builtin_|declspec)|_BitScan' runtime/base/atomic.h)
refuse "atomic outside of base/atomic.h" < <(grep -nHE '__(atomic|sync)_|_Interlocked' runtime/base/compiler.h)
refuse "status.h: compiler extension other than SPN_NODISCARD" < <(
    grep -nHE '__(attribute__|builtin_|atomic_|declspec)' runtime/include/spindle/status.h | grep -v 'SPN_NODISCARD'
)
refuse "calls the C library" < <(
    sources | grep '^runtime/' |
        xargs grep -nHE '(^|[^a-z_])(malloc|calloc|realloc|free|printf|fprintf|snprintf|alloca|abort|exit|getenv|strlen|strcmp|strcpy)[[:space:]]*\(' |
        grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\*|//|/\*)'
)
refuse "static mutable state" < <(
    sources | grep '^runtime/' |
        xargs grep -nHE '^static [a-z_0-9 ]*[a-z_0-9]+(\[[^]]*\])*( = .*)?;' |
        grep -vE '^[^:]*:[0-9]+:.*const'
)
refuse "a test includes a source file or a private header" < <(
    sources | grep '^tests/' | xargs grep -nHE '^[[:space:]]*#[[:space:]]*include.*(\.c|_private\.h)[">]'
)
refuse "state in a header of tests: define it in a source file" < <(
    sources | grep '^tests/.*\.h$' | grep -v '^tests/examples/' |
        xargs grep -nHE '^[[:space:]]*((alignas|_Alignas)[[:space:]]*\([^)]*\)[[:space:]]*)?static[[:space:]]' |
        grep -vE 'static inline|\\$'
)
refuse "section banner that clang-format breaks: write /* -- title -- */" < <(sources | xargs grep -nHE '/\* ?-{3,}')
refuse "\"One thread.\" must start a line: runs with the thread sanitizer search for it there" < <(
    grep -nHE '[^ *] +One thread\.' tests/unit/*.c 2>/dev/null
)
# clang-format leaves comments as they are: it would break their tables.
refuse "line over 80 columns" < <(sources | xargs grep -nHE '^.{81}' | grep -vE '^[^:]*:[0-9]+:.*"')
refuse "tab" < <(sources | xargs grep -nHP '\t')

duplicate=$(sources | xargs -n 1 basename | sort | uniq -d)
[ -z "$duplicate" ] || say "file names used twice: $duplicate"

# A file name at the start of a file's first comment must be the file's own.
while IFS=: read -r file name; do
    [ "$(basename "$file")" = "$name" ] || say "$file: its first line names $name"
done < <(sources | xargs awk 'FNR == 1 && match($0, /^\/\* [a-z0-9_]+\.[ch]/) { print FILENAME ":" substr($0, 4, RLENGTH - 3) }')

# The lists of tests/machines name existing claims.
while IFS=: read -r file claim; do
    grep -qsw "$claim" "tests/unit/$file" || say "tests/machines: no claim $file:$claim"
done < <(grep -hoEs 'test_[a-z0-9_]+\.c:[a-z0-9_]+' tests/machines/costs.txt tests/machines/not_here.txt)

for name in $(sed -nE 's/^ *.*\(\*([a-z_]+)\)\(void \*user.*/\1/p' runtime/include/spindle/platform.h); do
    grep -q "\`$name\`" platform/platform.md || say "platform/platform.md: does not describe $name"
done

paths=$(grep -rnIE '(^|[^a-z.])/(wor[k]|roo[t]|hom[e])/[a-z.]' --include='*.[ch]' --include='*.md' \
    --include='*.sh' --include=Makefile runtime platform offline tests README.md Makefile 2>/dev/null | head -n 5)
[ -z "$paths" ] || say "absolute paths of a developer's machine: $paths"

[ "$failed" = 0 ] && echo "tidy: ok"
[ "$failed" = 0 ]
