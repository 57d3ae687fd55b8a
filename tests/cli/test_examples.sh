#!/usr/bin/env bash
# Goal: the programs of tests/examples compile and work.
# Method: compile and run them.
set -u
name=test_examples
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
flags=(-Wall -Wextra -Werror ${SANITIZE:-} -Iruntime/include -Iplatform/posix -Itests/examples -I"$folder")
libs=("$BUILD/libspindle-posix.a" "$BUILD/libspindle.a" -llz4 -lpthread)
# Copy all public headers to one folder, as the installation does.
mkdir "$folder/spindle" && cp platform/posix/platform_posix.h "$folder/spindle/"

# ---- a class whose destructor aborts its read
compile_class() { "${CXX:-c++}" -std=c++11 "${flags[@]}" -o "$folder/class" tests/examples/streaming_class.cpp "${libs[@]}"; }
loads() {
    seq 1 9000 >"$folder/data"
    # The sum of all bytes, computed by other programs.
    sum=$(od -An -v -tu1 "$folder/data" | tr -s ' ' '\n' | awk '{s += $1} END {print s}')
    [ "$("$folder/class" "$folder/data")" = "loaded, sum $sum" ]
}
fails() { ! "$folder/class" "$folder/none" >"$folder/out" && grep -q '^failed, sum 0$' "$folder/out"; }
check "streaming_class.cpp compiles" compile_class
check "streaming_class loads a file, and other objects may be destroyed at any time" loads
check "streaming_class reports a file that does not exist" fails

# ---- profiler zones in the README's program
compile_zones() {
    awk '/^<!-- example -->/ {found = 1; next}
         found && /^```c/ {inside = 1; next}
         inside && /^```/ {exit}
         inside' README.md | sed 's|^#include <stdlib.h>|&\n#include "profiler_zones.h"|
         s|^    config.platform = &platform;|    static struct profiler_zones zones; zones.out = stderr; zones.platform = \&platform;\n    static spn_listener listener; listener = profiler_zones_listener(\&zones);\n    config.listener = \&listener;\n&|' >"$folder/play.c"
    grep -q profiler_zones_listener "$folder/play.c" &&
        "${CC:-cc}" -std=c11 "${flags[@]}" -o "$folder/play" "$folder/play.c" "${libs[@]}"
}
plays() { "$SPINDLE" compile --quiet tests/data/demo.abc -o "$folder/demo.sgc" && "$folder/play" "$folder/demo.sgc" >"$folder/out" 2>"$folder/zones"; }
# Zones of a thread nest: each end belongs to the last open begin.
nests() {
    sed -n 's/.*"name":"\([a-z]*\)","ph":"\(.\)".*"tid":\([0-9]*\).*/\3 \2 \1/p' "$folder/zones" | awk '
        $2 == "B" {stack[$1, ++depth[$1]] = $3}
        $2 == "E" {if (stack[$1, depth[$1]--] != $3) bad = 1}
        END {for (t in depth) if (depth[t] != 0) bad = 1; exit bad || NR == 0}'
}
# At least some zones of the kind, with node and cache.
names() { [ "$(grep -c "\"name\":\"$1\",\"ph\":\"B\".*\"cache\":[1-9][0-9]*,\"node\":[1-9]" "$folder/zones")" -gt 5 ]; }
updates() { [ "$(grep -c '"name":"update","ph":"B"' "$folder/zones")" -gt 5 ]; }
is_json() { { echo '['; sed '$s/,$//' "$folder/zones"; echo ']'; } >"$folder/zones.json" && "${PYTHON:-python3}" -c 'import json, sys; json.load(open(sys.argv[1]))' "$folder/zones.json"; }
is_short() { [ "$(wc -l <tests/examples/profiler_zones.h)" -le 70 ]; }
check "profiler_zones.h has at most 70 lines" is_short
check "the README's program compiles with profiler zones" compile_zones
check "the README's program with profiler zones plays" plays
check "the zones of each thread nest" nests
for zone in decompress decode fill; do check "zones of $zone name node and cache" names $zone; done
check "updates are zones" updates
if command -v "${PYTHON:-python3}" >/dev/null; then check "the zones are JSON" is_json; fi
echo "$name: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
