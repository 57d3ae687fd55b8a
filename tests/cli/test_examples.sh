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

# ---- animation: two clips, masks, root motion
compile_anim() { "${CC:-cc}" -std=c11 "${flags[@]}" -o "$folder/anim" tests/examples/anim_sample.c "${libs[@]}"; }
packs() { "$SPINDLE" anim compile --quiet tests/data/anim/arm.glb --rate 4 -o "$folder/clips" && "$SPINDLE" anim pack --quiet "$folder/clips" -o "$folder/game"; }
samples() { (cd "$folder/game" && ../anim animations.sai arm.sas "$1" "$2" root lower) >"$folder/out" 2>&1; }
in_model() { sed -n 's/.*, joint in the model //p' "$folder/out"; }
# The translations of the root in wave, of the file: keys 2 and 4 of one each quarter of a second.
follows_root() {
    od -An -v -t f4 -w12 -j 144 -N 24 tests/data/anim/arm.bin | awk '{printf "%.4f %.4f %.4f\n", $1, $2, $3}' >"$folder/keys"
    sed -n 's/^\(0.50\|1.00\) s: character \([-0-9. ]*\), joint.*/\2/p' "$folder/out" | cmp -s - "$folder/keys"
}
check "anim_sample.c compiles" compile_anim
check "anim_sample.c has at most 200 lines" test "$(wc -l <tests/examples/anim_sample.c)" -le 200
check "clips for anim_sample are packed" packs
check "anim_sample plays two clips" samples wave.sac spline.sac
check "the character moves as the root does in its clip" follows_root
in_model >"$folder/blended"
check "anim_sample plays a clip whose root rests" samples spline.sac spline.sac
check "there are 21 frames" test "$(in_model | wc -l)" = 21
# The joints of the mask are those of the second clip, and the motion of the root is removed.
check "without its motion the root does not matter for masked joints" sh -c "sed -n 's/.*, joint in the model //p' '$folder/out' | cmp -s - '$folder/blended'"
check "anim_sample plays one clip twice" samples wave.sac wave.sac
check "the root moves in the same way" follows_root
check "the masked joints have the other clip" sh -c "! sed -n 's/.*, joint in the model //p' '$folder/out' | cmp -s - '$folder/blended'"
check "anim_sample refuses a clip that the image lacks" sh -c "! (cd '$folder/game' && ../anim animations.sai arm.sas none.sac wave.sac root lower) 2>'$folder/out' && grep -q '^anim_sample: none.sac: ' '$folder/out'"

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
