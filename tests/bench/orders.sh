#!/usr/bin/env bash
# Compare the pak order that `pack --order TRACE` chooses for four drives together with
# the best order for each drive. Two recordings of a real game, which wait for their
# reads, run through the runtime in virtual time; the figure is "ready after" of all
# scenes, the same on every machine. Output: CSV; the last column is chosen order / best
# order. Fails when it exceeds 1.03. Needs the recordings (SPINDLE_ASSETS, else
# ../shared/assets), xz, 2 GB.
set -euo pipefail
tool=$1
traces=${SPINDLE_ASSETS:-../shared/assets}/traces
[ -e "$traces/files.tsv.xz" ] || { echo "no recordings in $traces: skipped" >&2; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
drives="x360_dvd12x wii_dvd6x ps2_dvd4x hdd_5400"

# Files of the recorded sizes: sparse, with their names as content so that all differ.
xz -dc "$traces/files.tsv.xz" | while IFS=$'\t' read -r bytes path; do
    mkdir -p "$work/data/$(dirname "$path")"
    echo "$path" | head -c "$bytes" >"$work/data/$path"
    truncate -s "$bytes" "$work/data/$path"
done

# ready NAME DRIVE ORDER: seconds of the recording. Fails when the tool fails or prints
# no time.
ready() {
    "$tool" simulate --trace "$work/$1.json" --layout "$work/pak.spk" \
        --drive "$2" --scheduler deadline --json >"$work/said"
    awk '/"ready_ms":/ { sub(/,/, "", $2); sum += $2; found = 1 }
        END { printf "%.2f", sum / 1000; exit !found }' "$work/said"
}
for name in menu lighthouse; do
    xz -dc "$traces/$name.strace.xz" >"$work/$name.strace"
    "$tool" trace import "$work/$name.strace" -o "$work/$name.json" \
        --root /usr/share/games/supertuxkart -q
    for order in chosen name type size scene first-use small-first; do
        by=(--order "$order")
        case $order in
        chosen) by=(--order "$work/$name.json") ;;
        scene | first-use | small-first) by+=(--order "$work/$name.json") ;;
        esac
        "$tool" pack "$work/data" -o "$work/pak.spk" "${by[@]}" -q
        for drive in $drives; do
            echo "$name $drive $order $(ready $name $drive)"
        done
    done
done | awk '
    BEGIN { print "recording,drive,chosen,name,type,size,scene,first-use,small-first,chosen for best" }
    { cell = $1 "," $2; s[cell, $3] = $4; if (!(cell in seen)) { seen[cell] = 1; cells[++count] = cell }
      if ($3 != "chosen" && (!(cell in best) || $4 < best[cell])) best[cell] = $4 }
    END {
        orders = split("chosen name type size scene first-use small-first", order, " ")
        for (i = 1; i <= count; i++) {
            line = cells[i]
            for (k = 1; k <= orders; k++) line = line "," s[cells[i], order[k]]
            ratio = s[cells[i], "chosen"] / best[cells[i]]
            over += ratio > 1.03
            printf "%s,%.3f\n", line, ratio
        }
        printf "cells %d, over the bar %d\n", count, over
        exit over > 0 || count != 8
    }'
