#!/usr/bin/env bash
# tidy.sh - the laws of the house that a text search can hold.
#
#   layers    a file includes its own layer and lower ones
#   names     file names are unique in the whole tree
#   systems   operating system and instruction set macros stay in their rooms
#   heap      no allocation, stdio or recursion-prone library in runtime/
#   licence   one SPDX line a file
set -u
failed=0
say() {
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

sources() { find runtime platform offline tests -name '*.[ch]' | sort; }

# What a file may include, as an extended regular expression over the text
# between the quotes or angle brackets.
free='<(stdint|stddef|stdbool|stdalign)\.h>'
spindle='<spindle/[a-z_]+\.h>'
allowed() {
    case $1 in
    runtime/include/*) echo "^($free|$spindle)$" ;;
    runtime/base/mem.h) echo "^($free|<string\.h>)$" ;;
    runtime/base/*_sse41.c | runtime/base/*_avx2.c | runtime/geom/*_sse41.c | \
        runtime/geom/*_avx2.c) echo "^($free|$spindle|\"(base|io|geom)/[a-z0-9_]+\.h\"|<(immintrin|smmintrin)\.h>)$" ;;
    runtime/geom/*_neon.c) echo "^($free|$spindle|\"(base|io|geom)/[a-z0-9_]+\.h\"|<arm_neon\.h>)$" ;;
    runtime/base/cpu.c) echo "^($free|$spindle|\"base/[a-z0-9_]+\.h\"|<cpuid\.h>)$" ;;
    runtime/base/*) echo "^($free|$spindle|\"base/[a-z0-9_]+\.h\")$" ;;
    runtime/io/*) echo "^($free|$spindle|\"(base|io)/[a-z0-9_]+\.h\")$" ;;
    runtime/geom/block_codec.c) echo "^($free|$spindle|\"(base|io|geom)/[a-z0-9_]+\.h\"|<lz4\.h>)$" ;;
    runtime/codecs/deflate/*) echo "^($free|$spindle|\"base/[a-z0-9_]+\.h\"|<zlib\.h>)$" ;;
    runtime/codecs/zstd/*) echo "^($free|$spindle|\"base/[a-z0-9_]+\.h\"|<zstd\.h>)$" ;;
    runtime/geom/*) echo "^($free|$spindle|\"(base|io|geom)/[a-z0-9_]+\.h\")$" ;;
    runtime/*) echo "^($free|$spindle|\"(base|io|geom)/[a-z0-9_]+\.h\"|\"[a-z0-9_]+\.h\")$" ;;
    platform/consoles_stub/*) echo "^($free|<spindle/(platform|status)\.h>|\"[a-z0-9_]+\.h\")$" ;;
    platform/*) echo "^(<spindle/(platform|status)\.h>|\"[a-z0-9_]+\.h\"|<[a-z0-9_/]+\.h>)$" ;;
    offline/*) echo "^(\"(base|io|geom|common|abc|compile|drives|info|play|render|verify|platform/[a-z_]+)/[a-z0-9_]+\.h\"|\"[a-z0-9_]+\.h\"|<[a-zA-Z0-9_/]+\.h>)$" ;;
    *) echo '.' ;;
    esac
}

for file in $(sources); do
    pattern=$(allowed "$file")
    while IFS= read -r include; do
        [ -z "$include" ] && continue
        printf '%s\n' "$include" | grep -qE "$pattern" ||
            say "$file: may not include $include"
    done <<EOF
$(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]+([<"][^>"]+[>"]).*/\1/p' "$file")
EOF
    grep -q 'SPDX-License-Identifier: MIT' "$file" || say "$file: no SPDX line"
    case $file in
    runtime/base/cpu.c | *_sse41.c | *_avx2.c | *_neon.c) ;;
    *)
        grep -nE '__(SSE|AVX|ARM_NEON|x86_64|i386|aarch64)' "$file" |
            sed "s|^|$file:|" | grep . && say "$file: instruction set macro outside of its room"
        ;;
    esac
    case $file in
    platform/win32/* | offline/common/host.c) ;;
    *)
        grep -nE '\b(_WIN32|__linux__|__APPLE__)\b' "$file" |
            grep -v '^platform/posix' | sed "s|^|$file:|" | grep . |
            grep -qv '^platform/posix/' && say "$file: operating system macro outside of its room"
        ;;
    esac
    case $file in
    runtime/*)
        grep -nE '(^|[^a-z_])(malloc|calloc|realloc|free|printf|fprintf|snprintf|alloca|abort|exit|getenv|strlen|strcmp|strcpy)[[:space:]]*\(' "$file" |
            grep -vE '^[0-9]+:[[:space:]]*(\*|//|/\*)' | sed "s|^|$file:|" | grep . &&
            say "$file: calls the C library"
        grep -nE '^static [a-z_0-9 ]*[a-z_0-9]+(\[[^]]*\])*( = .*)?;' "$file" | grep -v const |
            sed "s|^|$file:|" | grep . && say "$file: static mutable state"
        ;;
    esac
    grep -nP '\t' "$file" | head -n 1 | grep . && say "$file: tab"
done

duplicate=$(sources | xargs -n 1 basename | sort | uniq -d)
[ -z "$duplicate" ] || say "file names used twice: $duplicate"

paths=$(grep -rnIE '(^|[^a-z.])/(wor[k]|roo[t]|hom[e])/[a-z.]' --include='*.[ch]' --include='*.md' \
    --include='*.sh' --include=Makefile runtime platform offline tests README.md Makefile 2>/dev/null | head -n 5)
[ -z "$paths" ] || say "paths of one machine: $paths"

[ "$failed" = 0 ] && echo "tidy: ok"
[ "$failed" = 0 ]
