#!/usr/bin/env bash
# headers.sh - every public header compiles alone, as C11 and as C++11, with
# warnings as errors, on gcc and clang.
set -u
failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
check() {
    compiler=$1 language=$2 standard=$3 header=$4
    suffix=c
    [ "$language" = c++ ] && suffix=cpp
    printf '#include <%s>\n#include <%s>\nint main(void);\nint main(void) { return 0; }\n' \
        "$header" "$header" >"$folder/x.$suffix"
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Wpedantic -Werror \
        -I"$folder/include" -fsyntax-only "$folder/x.$suffix" || {
        echo "$header: does not compile alone as $standard by $compiler"
        failed=1
    }
}
# Copy the headers to one folder spindle/, as the installation does.
mkdir -p "$folder/include/spindle"
cp runtime/include/spindle/*.h platform/posix/platform_posix.h platform/win32/platform_win32.h \
    platform/consoles_stub/platform_{stub,dma}.h "$folder/include/spindle/"
count=0
for header in "$folder"/include/spindle/*.h; do
    name=spindle/$(basename "$header")
    for compiler in gcc clang; do
        check "$compiler" c c11 "$name"
        check "$compiler" c++ c++11 "$name"
    done
    count=$((count + 1))
done
[ "$failed" = 0 ] && echo "headers: ok ($count, C11 and C++11)"
exit "$failed"
