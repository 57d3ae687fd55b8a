#!/usr/bin/env bash
# Goal: the README's program compiles against an installed Spindle, as C and as C++, by
# pkg-config and by CMake, and plays a cache.
# Method: extract the program from README.md, install, compile and run.
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
# pc FIELD: a field of the installed .pc file, as pkg-config prints it, without required
# packages.
pc() { sed -n "s/^$1: //p" "$prefix/lib/pkgconfig/spindle.pc" | sed "s|\${libdir}|$prefix/lib|; s|\${includedir}|$prefix/include|"; }
compile_it() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror ${SANITIZE:-} $(pc Cflags) -o "$folder/play" "$folder/play.c" $(pc Libs) -llz4
}
compiles_as_cxx() {
    "${CXX:-c++}" -x c++ -std=c++11 -Wall -Wextra -Wshadow -Werror ${SANITIZE:-} $(pc Cflags) -o "$folder/play_cxx" "$folder/play.c" -x none $(pc Libs) -llz4 &&
        "$folder/play_cxx" "$folder/demo.sgc" >"$folder/out" && shows_each_once
}
plays() { "$folder/play" "$folder/demo.sgc" >"$folder/out"; }
# A machine that is too slow for real time shows fewer frames.
shows_each_once() {
    lines=$(wc -l <"$folder/out")
    [ "$lines" -ge 1 ] && [ "$lines" -le 30 ] && [ "$(grep -o '^frame [0-9]*: ' "$folder/out" | sort -u | wc -l)" = "$lines" ]
}
# The same program with registered codecs, as GUIDE.md shows.
register_codecs() {
    sed 's|^int main|static const spn_codec *const codecs[] = {\&spn_codec_deflate, \&spn_codec_zstd};\n&|
         s|config\.heap_bytes = 32u << 20;|&\n    config.codecs = codecs;\n    config.codec_count = 2;|' \
        "$folder/play.c" >"$folder/play_codecs.c" && grep -q 'codec_count = 2' "$folder/play_codecs.c"
}
codec_pc() { for codec in deflate zstd; do sed -n "s/^$1: //p" "$prefix/lib/pkgconfig/spindle-$codec.pc" | sed "s|\${libdir}|$prefix/lib|"; done; }
compile_codecs() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror ${SANITIZE:-} $(pc Cflags) -o "$folder/play_codecs" "$folder/play_codecs.c" \
        $(codec_pc Libs) $(pc Libs) -llz4 -lz -lzstd
}
plays_codec() { "$prefix/bin/spindle" compile --quiet --codec "$1" tests/data/demo.abc -o "$folder/$1.sgc" && "$folder/play_codecs" "$folder/$1.sgc" >"$folder/out"; }
names_codec() { ! "$folder/play" "$folder/$1.sgc" 2>"$folder/err" && grep -q 'not registered' "$folder/err"; }
# The command of GUIDE.md for a game with these codecs.
links_by_pkg_config() {
    "${CC:-cc}" ${SANITIZE:-} -o "$folder/linked" "$folder/play_codecs.c" \
        $(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs spindle-deflate spindle-zstd)
}
# by_cmake NAME LINE...: build the program in a project whose CMakeLists.txt has these
# lines, and play.
by_cmake() {
    mkdir -p "$folder/$1"
    { printf '%s\n' 'cmake_minimum_required(VERSION 3.14)' 'project(game C)' "${@:2}" 'add_executable(game ../play.c)' \
        'target_link_libraries(game PRIVATE spindle::spindle)'; } >"$folder/$1/CMakeLists.txt"
    CC=${CC:-cc} cmake -S "$folder/$1" -B "$folder/$1/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$folder/install.log" 2>&1 &&
        cmake --build "$folder/$1/build" -j2 >>"$folder/install.log" 2>&1 || { tail -n 20 "$folder/install.log"; return 1; }
    "$folder/$1/build/game" "$folder/demo.sgc" >"$folder/out" && shows_each_once
}
builds_no_tool() {
    MAKEFLAGS= make -s -n BUILD="$folder/none" PREFIX="$prefix" install-runtime >"$folder/commands" && ! grep -q offline/ "$folder/commands"
}
# The frames are at the end of the file.
damage_all() {
    "$prefix/bin/spindle" compile --quiet tests/data/fps-2997.abc -o "$folder/whole.sgc" || return 1
    frames=$("$prefix/bin/spindle" info --json "$folder/whole.sgc" | sed -n 's/^\t"frames_bytes":\t\([0-9]*\),$/\1/p')
    { head -c "-$frames" "$folder/whole.sgc" && head -c "$frames" /dev/zero | tr '\0' X; } >"$folder/bent.sgc"
    [ "$(wc -c <"$folder/whole.sgc")" = "$(wc -c <"$folder/bent.sgc")" ]
}
# The program must end by itself; the time limit catches one that does not.
gives_up() {
    timeout 60 "$folder/play" "$folder/bent.sgc" >"$folder/out" 2>"$folder/err"
    [ $? = 1 ] && [ ! -s "$folder/out" ] && grep -q 'bent.sgc: checksum' "$folder/err"
}
refuses() { ! "$folder/play" README.md 2>/dev/null; }
uninstalls() {
    MAKEFLAGS= make -s BUILD="$BUILD" PREFIX="$prefix" uninstall >/dev/null 2>&1
    [ -z "$(find "$prefix" -type f)" ]
}

check "the README's program has 40 to 90 lines" test "$(wc -l <"$folder/play.c")" -ge 40 -a "$(wc -l <"$folder/play.c")" -le 90
check "make install" install_it
check "make install installs all manual pages" test "$(ls "$prefix/share/man/man1" 2>/dev/null | wc -l)" = "$(ls offline/man/*.1 | wc -l)"
check "spindle --version prints the version of spindle.pc" test "spindle $(pc Version)" = "$("$prefix/bin/spindle" --version | head -n 1)"
check "the README's program compiles" compile_it
check "the demo's archive compiles" "$prefix/bin/spindle" compile --quiet tests/data/demo.abc -o "$folder/demo.sgc"
check "the README's program plays" plays
check "the README's program shows each frame once" shows_each_once
check "make install-runtime does not build the tool" builds_no_tool
if command -v "${CXX:-c++}" >/dev/null; then check "the README's program compiles as C++ and plays" compiles_as_cxx; fi
# The CMake projects do not pass on sanitizer flags.
if [ -z "${SANITIZE:-}" ] && command -v cmake >/dev/null; then
    check "CMake's find_package finds the installation" by_cmake found 'find_package(spindle 0.1 REQUIRED)'
    check "CMake's FetchContent builds the sources" by_cmake fetched 'include(FetchContent)' \
        "FetchContent_Declare(spindle SOURCE_DIR \"$PWD\")" 'FetchContent_MakeAvailable(spindle)'
fi
check "all frames of a cache are damaged for the next claim" damage_all
check "the README's program ends when all frames are damaged, with a message" gives_up
check "the README's program refuses a file that is not a cache" refuses
check "the program registers codecs in two lines" register_codecs
check "the README's program with codecs compiles" compile_codecs
for codec in deflate zstd; do
    check "the README's program with codecs plays $codec" plays_codec $codec
    check "the README's program with codecs shows each frame of $codec once" shows_each_once
    check "the README's program without codecs refuses $codec by name" names_codec $codec
done
if command -v pkg-config >/dev/null; then check "pkg-config lists all libraries of the README's program" links_by_pkg_config; fi
check "make uninstall leaves no file" uninstalls
echo "$name: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
