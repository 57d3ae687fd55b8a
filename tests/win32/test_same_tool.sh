#!/usr/bin/env bash
# Goal: spindle.exe writes the same bytes as spindle of this machine, and a played cache
# shows the same frames.
# Method: compile every archive of the tests, and one archive by each codec; compare
# files, exit codes and the hash over all played frames.
name=test_same_tool
. tests/cli/lib.sh

[ -n "${HOST_SPINDLE:-}" ] || { echo "test_same_tool: HOST_SPINDLE is not set"; exit 1; }
data=${SPINDLE_TEST_DATA:-tests/data}

same_cache() {
    "$HOST_SPINDLE" compile --quiet "$1" -o "$folder/here.sgc" "${@:2}" 2>"$folder/words-here"
    here=$?
    spindle compile --quiet "$1" -o "$folder/there.sgc" "${@:2}" 2>"$folder/words-there"
    [ $? = $here ] || return 1
    cmp "$folder/words-here" "$folder/words-there" || return 1
    [ $here != 0 ] || { cmp "$folder/here.sgc" "$folder/there.sgc" && caches=$((caches + 1)); }
}
caches=0
for archive in "$data"/*.abc; do
    check "compile $(basename "$archive"): the same bytes" same_cache "$archive"
done
for codec in store lz4hc deflate zstd; do
    check "compile --codec $codec: the same bytes" same_cache "$data/colors.abc" --codec $codec
done
check "at least 8 archives compile" [ $caches -ge 8 ]

hash_of() { "$@" --json | sed -n 's/.*"frame_hash":[^0-9a-f]*\([0-9a-f]*\).*/\1/p'; }
"$HOST_SPINDLE" compile --quiet "$data/demo.abc" -o "$folder/demo.sgc"
same_frames() {
    here=$(hash_of "$HOST_SPINDLE" play "$folder/demo.sgc" "$@")
    there=$(hash_of spindle play "$folder/demo.sgc" "$@")
    [ -n "$here" ] && [ "$here" = "$there" ]
}
check "play --virtual: the same frames" same_frames --virtual --streams 8 --seconds 10 --drive x360_dvd12x
# In real time late frames are not shown, so their number may be smaller.
exits 0 "play in real time, with overlapped reads" spindle play "$folder/demo.sgc" --seconds 2
check "play in real time shows frames" says "frames  *[1-9][0-9]* shown"
for codec in none lz4hc deflate zstd; do
    "$HOST_SPINDLE" pack "$data" -o "$folder/here.spk" --quiet --codec $codec
    spindle pack "$data" -o "$folder/there.spk" --quiet --codec $codec
    check "pack --codec $codec: the same bytes" cmp -s "$folder/here.spk" "$folder/there.spk"
done
finish
