#!/usr/bin/env bash
# The README's program compiles against an installed Spindle and plays a cache.
set -u
name=test_readme
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
check() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        echo "  FAILED: $1"
        failed=$((failed + 1))
    fi
}
prefix=$folder/usr

awk '/^<!-- example -->/ {found = 1; next}
     found && /^```c/ {inside = 1; next}
     inside && /^```/ {exit}
     inside' README.md >"$folder/play.c"

install_it() {
    MAKEFLAGS= make -s BUILD="$BUILD" PREFIX="$prefix" install >"$folder/install.log" 2>&1 || {
        cat "$folder/install.log"
        return 1
    }
}
# What pkg-config --static would say, from the installed file.
pc() { sed -n "s/^$1: //p" "$prefix/lib/pkgconfig/spindle.pc" | sed "s|\${libdir}|$prefix/lib|; s|\${includedir}|$prefix/include|"; }
compile_it() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror ${SANITIZE:-} $(pc Cflags) -o "$folder/play" "$folder/play.c" $(pc Libs) $(pc Libs.private)
}
plays() { "$folder/play" "$folder/demo.sgc" >"$folder/out"; }
shows_30() { [ "$(grep -c '^frame [0-9]*: ' "$folder/out")" = 30 ]; }
refuses() { ! "$folder/play" README.md 2>/dev/null; }
uninstalls() {
    MAKEFLAGS= make -s BUILD="$BUILD" PREFIX="$prefix" uninstall >/dev/null 2>&1
    [ -z "$(find "$prefix" -type f)" ]
}

check "the README has a program of about 60 lines" test "$(wc -l <"$folder/play.c")" -ge 40 -a "$(wc -l <"$folder/play.c")" -le 90
check "make install" install_it
check "the program compiles" compile_it
check "the demo's archive compiles" "$prefix/bin/spindle" compile --quiet tests/data/demo.abc -o "$folder/demo.sgc"
check "the program plays" plays
check "thirty frames are shown" shows_30
check "a file that is no cache is refused" refuses
check "make uninstall leaves nothing" uninstalls
echo "$name: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
