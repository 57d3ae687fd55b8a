#!/usr/bin/env bash
# Goal: `spindle play` plays files in paks and records reads.
# Method: compare frames and drive work of loose files and of paks in several orders.
set -u
name=test_play_pak
. tests/cli/lib.sh
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
number_is() { awk "BEGIN { exit !($(value "$1") $2) }"; }

# Four different caches, with large files between them that the head must pass.
at=0
for codec in lz4hc zstd deflate store; do
    at=$((at + 1))
    exits 0 "compile of a cache to play" spindle compile --quiet tests/data/demo.abc -o "$folder/$at.sgc" --codec $codec
    yes "$at" | head -c 12000000 >"$folder/${at}z.bin"
done
cd "$folder" || exit 1
files="1.sgc 2.sgc 3.sgc 4.sgc"
exits 0 "pack --order name" spindle pack --quiet *.sgc *.bin -o name.spk --order name
run() { spindle play --virtual --drive wii_dvd6x --seconds 6 --json "$@"; }
of() { for f in $files; do echo "$1:$f"; done; }

exits 0 "play of files in a pak in real time" spindle play $(of name.spk) --seconds 2 --realtime
end_here_with_tsan

# ---- the same frames --------------------------------------------------------
exits 0 "play of loose files" run $files --record loose.json
hash=$(value frame_hash)
exits 0 "play of files in a pak" run $(of name.spk) --record play.json
check "files in a pak show the same frames as loose files" json_has frame_hash "$hash"
check "no frame from the pak is late" json_has frames_late 0
far=$(value drive.head_travel_mm)
exits 0 "play of files in a pak, a second time" run $(of name.spk) --record again.json
check "two plays write the same record" cmp -s play.json again.json
exits 0 "play --pak with names of entries" run --pak name.spk $files
check "play --pak shows the same frames" json_has frame_hash "$hash"
check "play --pak moves the head as far as with full names" json_has drive.head_travel_mm "$far"

# ---- order by the record ----------------------------------------------------
exits 0 "pack by a record of play" spindle pack --quiet *.sgc *.bin -o order.spk --order play.json
exits 0 "play of a pak in the recorded order" run $(of order.spk)
check "a pak in the recorded order shows the same frames" json_has frame_hash "$hash"
check "a pak in the recorded order needs a quarter of the head travel" awk "BEGIN { exit !($(value drive.head_travel_mm) < $far / 4) }"
# Two scenes share a file: pack gives each scene a copy within the budget.
exits 0 "play --record --scene harbour" run $(of name.spk) --record harbour.json --scene harbour
exits 0 "play --record --scene market" run $(of name.spk) --record market.json --scene market
exits 0 "pack by the records of two scenes" spindle pack --json *.sgc *.bin -o scenes.spk --order harbour.json --order market.json --duplicate-budget 100
check "the pak has two scenes" json_has scenes 2
check "the pak has copies of the shared files" number_is copies "> 0"
exits 2 "play --scene with an empty name is a usage error" run 1.sgc --record none.json --scene ""
exits 0 "pack by the record of loose files" spindle pack --quiet *.sgc *.bin -o loose.spk --order loose.json
exits 0 "play of a pak in the order recorded from loose files" run $(of loose.spk)
check "a pak in the order recorded from loose files needs a quarter of the head travel" awk "BEGIN { exit !($(value drive.head_travel_mm) < $far / 4) }"
# Neighbouring files have no more late frames than scattered ones, even with little
# read-ahead: data between two reads does not delay the head.
for order in key deadline; do
    tight() { spindle play --virtual --drive wii_dvd6x --json --seconds 10 --buffer-ahead 0.5,1 --order $order "$@"; }
    exits 0 "play of scattered files from a slow drive ($order)" tight $(of name.spk)
    late=$(value frames_late)
    exits 0 "play of neighbouring files from a slow drive ($order)" tight $(of order.spk)
    check "neighbouring files make no more late frames than scattered ones ($order)" number_is frames_late "<= $late"
    exits 0 "play of loose files from a slow drive ($order)" tight $files
    check "loose files make no more late frames than scattered ones ($order)" number_is frames_late "<= $late"
done
for codec in lz4hc zstd deflate; do
    exits 0 "pack --codec $codec" spindle pack --quiet *.sgc *.bin -o packed.spk --order play.json --codec $codec
    exits 0 "play of a pak by $codec" run $(of packed.spk)
    check "a pak by $codec shows the same frames" json_has frame_hash "$hash"
done
exits 0 "pack --traced-only by a record" spindle pack --quiet *.sgc *.bin -o stream.spk --order play.json --traced-only
exits 0 "play --load" run $(of stream.spk) --load
check "play --load shows the same frames" json_has frame_hash "$hash"
check "play --load does not read the drive after loading" json_has drive.reads 0
exits 0 "play of a pak in real time with threads" spindle play $(of stream.spk) --seconds 2 --realtime
exits 0 "play --load of a large pak" run $(of name.spk) --load --heap 128
check "play starts when the large pak is loaded" number_is start_ms "> 48000000 / 8500"
exits 0 "play of a loose file and a file in a pak" run 1.sgc stream.spk:2.sgc

# ---- refusals ------------------------------------------------------------------
exits 1 "play of an entry that does not exist is refused" run name.spk:5.sgc
check "the message names the pak and the missing entry" says 'name.spk: has no file "5.sgc"'
exits 3 "play from a pak that does not exist fails" run none.spk:1.sgc
exits 1 "play of an entry that is not a cache is refused" run name.spk:1z.bin
check "the message names the entry that is not a cache" says 'name.spk:1z.bin: offset 0x0: signature'
exits 1 "play of two paks with an equal entry is refused" run name.spk:1.sgc order.spk:2.sgc
check "the message names the entry in two paks" says 'name.spk:1.sgc: another pak has a file of this name'
exits 2 "--load without a pak is a usage error" spindle play 1.sgc --load
exits 1 "play --load of a pak larger than the heap is refused" run $(of name.spk) --load --heap 8
check "the message about a large pak names the heap's size" says 'name.spk: finds no room in a heap of 8 MiB'
exits 0 "play --load of a large pak from a slow drive" spindle play --virtual --seconds 1 --drive pce_cd1x $(of name.spk) --load
head -c 3000000 order.spk >short.spk
exits 1 "play from a truncated pak is refused" run short.spk:1.sgc
check "the message about a truncated pak has an offset" says 'short.spk: offset 0x'
exits 3 "play --record to a missing folder fails" run 1.sgc --record none/trace.json
rm -f bad.json
exits 1 "play --record of a refused run is refused" run name.spk:5.sgc --record bad.json
check "a refused run leaves no record" test ! -e bad.json
# A damaged block of a pak costs only the frames in it, like damage of a loose file.
exits 0 "pack of one cache" spindle pack --quiet 1.sgc -o whole.spk
{ head -c 400000 whole.spk; printf XXXXXXXX; tail -c +400009 whole.spk; } >bent.spk
exits 1 "play of a damaged pak reports the damage" spindle play bent.spk:1.sgc --virtual --json
check "play of a damaged pak shows nearly all frames" number_is frames_dropped "< 16"
check "play of a damaged pak drops some frames" number_is frames_dropped "> 0"
check "play of a damaged pak names frame and defect" says "frame [0-9]*: .*checksum"
# --record onto any input file of play is refused.
spindle drives wii_dvd6x --profile >own.txt
echo "0 *" >layout.txt
for input in 1.sgc name.spk own.txt layout.txt; do
    cp $input kept
    exits 1 "play --record onto its input $input is refused" spindle play 1.sgc name.spk:2.sgc --virtual --drive own.txt --disc-layout layout.txt --record $input
    check "the message names the input $input" says "$input: the output is the input"
    check "play --record onto $input keeps the file" cmp -s $input kept
    cp kept $input
done

finish
