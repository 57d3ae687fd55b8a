#!/usr/bin/env bash
# msvc.sh - the runtime and the console stub are plain C11 for compilers like
# Microsoft's: no GNU extensions, no header of a C library.
#
# Method: clang compiles every file for that system with only its own headers and those
# of the runtime. The one function of LZ4 that the runtime calls is declared here.
# 64-bit Arm has its own barriers in base/atomic.h, so it is compiled, too.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
printf '%s\n' '/* As <lz4.h> has it. */' \
    'int LZ4_decompress_safe(const char *, char *, int, int);' >"$folder/lz4.h"
cp platform/consoles_stub/*.h "$folder"
export folder
look() {
    target=$1
    shift
    printf '%s\n' "$@" | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 1 bash -c '
        case $1 in
        *_sse41.c) flags=-msse4.1 ;;
        *_avx2.c) flags="-mavx2 -mbmi2 -mf16c" ;;
        esac
        clang --target='"$target"' -ffreestanding -std=c11 -pedantic-errors -Wall -Wextra -Werror \
            -fsyntax-only ${flags:-} -Iruntime/include -Iruntime -isystem "$folder" "$1"' bash || {
        echo "msvc: not clean for $target"
        exit 1
    }
}
sources=$(find runtime -name '*.c' ! -path 'runtime/codecs/*' | sort && printf '%s\n' platform/consoles_stub/*.c)
look x86_64-pc-windows-msvc $sources
look aarch64-pc-windows-msvc runtime/base/*.c
echo "msvc: ok ($(printf '%s\n' "$sources" | wc -l) files)"
