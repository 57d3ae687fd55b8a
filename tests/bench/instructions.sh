#!/usr/bin/env bash
# instructions.sh TOOL BENCH_CACHE CLIP... - count the instructions of the scalar
# decoder over all frames of a clip at 1 mm, by valgrind's callgrind, as a multiple of
# lz4hc's. Counts do not depend on other programs, so there is a limit: on x86-64, 4.4
# for --fast-decode and 8.5 for the default.
set -eu
tool=${1:?usage: instructions.sh TOOL BENCH_CACHE CLIP...}
bench=${2:?usage: instructions.sh TOOL BENCH_CACHE CLIP...}
shift 2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# decode_instructions CLIP OPTION...
decode_instructions() {
    "$tool" compile "$1" -o "$folder/clip.sgc" --quiet "${@:2}"
    SPINDLE_BENCH_ONCE=1 SPINDLE_BENCH_CACHE="$folder/clip.sgc" \
        valgrind --tool=callgrind --toggle-collect=clip_times_decode \
        --callgrind-out-file="$folder/callgrind" "$bench" >"$folder/said" 2>&1 || {
        cat "$folder/said" >&2
        exit 1
    }
    awk '/^summary:/ { print $2 }' "$folder/callgrind"
}
# row CLIP NAME BAR OPTION...
row() {
    local count times
    count=$(decode_instructions "$1" "${@:4}")
    times=$(awk "BEGIN { printf \"%.2f\", $count / $base }")
    echo "$(basename "$1"),$2,$count,$times"
    awk "BEGIN { exit !($times <= $3) }" || {
        echo "instructions.sh: more than $3 times lz4hc" >&2
        failed=1
    }
}

echo "clip,codec,instructions,lz4hc"
for clip; do
    base=$(decode_instructions "$clip" --codec lz4hc)
    row "$clip" lz4hc 1 --codec lz4hc
    row "$clip" fast-decode 4.4 --fast-decode
    row "$clip" default 8.5
done
exit "$failed"
