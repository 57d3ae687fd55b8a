#!/usr/bin/env bash
# Goal: `spindle play --snapshot T` prints what is in memory at the time T of playback,
# as text and as JSON, and the snapshot does not change the run.
# Method: play golden caches on the virtual clock with and without it.
set -u
name=test_play_snapshot
. tests/cli/lib.sh
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
play() { spindle play tests/data/golden/classic-lz4.sgc tests/data/golden/attributes-lifted.sgc --virtual --heap 1 "$@"; }

exits 0 "play" play
cp "$folder/stdout" "$folder/plain"
exits 0 "play --snapshot" play --snapshot 0.1
check "the time of the snapshot" says '^After 0.100 s:$'
check "the heap" says '^heap 1\.0 MiB, pages of 4 KiB: static '
check "the bar" says '^heap \[[.scdb]\{64\}\]$'
check "a line for each cache" test "$(grep -c '^cache tests/data/golden/.*: 20 frames, ' "$folder/stdout")" = 2
check "a line for each node" test "$(grep -c '^node [0-9]* tests/data/golden/.*: at 0.100 of 0.7.. s loop' "$folder/stdout")" = 2
check "the sums" says '^total: 2 nodes, 2 play; late 0, '
check "the head of the drive" says '^optical disc: head at '
# Times of this machine are left out.
run() { sed '/^After 0.100 s:$/,/^total: /d; /^  decode /d; /^  fill /d' "$1" | cat -s; }
check "the run is the same" test "$(run "$folder/plain")" = "$(run "$folder/stdout")"

exits 0 "play --snapshot beyond the end" play --snapshot 100
check "a late snapshot is taken after the last picture" says '^After 0.833 s:$'
exits 0 "play --snapshot with a filter" play --snapshot 0.1 --tune debug_filter=lifted
check "the filter leaves out the other node" test "$(grep -c '^node ' "$folder/stdout")" = 1
exits 2 "play --snapshot 0" play --snapshot 0

exits 0 "play --snapshot --json" play --snapshot 0.1 --json
check "JSON: the time" json_has snapshot.seconds 0.1
check "JSON: nodes of the first cache" json_has snapshot.caches.0.nodes 1
check "JSON: frames that are shown" test "$(value snapshot.nodes.0.shown.0)-$(value snapshot.nodes.0.shown.1)" = 2-3
check "JSON: the heap begins with page 0" json_has snapshot.heap.extents.0.0 0
check "JSON: the use of all pages adds up" test "$(($(value snapshot.heap.pages_free) + $(value snapshot.heap.pages_static) + $(value snapshot.heap.pages_compressed) + \
    $(value snapshot.heap.pages_decoded) + $(value snapshot.heap.pages_block)))" = "$(value snapshot.heap.pages)"
exits 0 "play --json" play --json
check "JSON: no snapshot unless asked for" sh -c "! grep -q snapshot '$folder/stdout'"
finish
