#!/usr/bin/env bash
# What `spindle play` plays out of paks, and what it records.
set -u
name=test_play_pak
. tests/cli/lib.sh
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
number_is() { awk "BEGIN { exit !($(value "$1") $2) }"; }

# Four files that differ, and as much between them as a head would notice.
at=0
for codec in lz4hc zstd deflate store; do
    at=$((at + 1))
    exits 0 "a cache" spindle compile --quiet tests/data/demo.abc -o "$folder/$at.sgc" --codec $codec
    yes "$at" | head -c 12000000 >"$folder/${at}z.bin"
done
cd "$folder" || exit 1
files="1.sgc 2.sgc 3.sgc 4.sgc"
exits 0 "a pak by name" spindle pack --quiet *.sgc *.bin -o name.spk --order name
run() { spindle play --virtual --drive wii_dvd6x --seconds 6 --json "$@"; }
of() { for f in $files; do echo "$1:$f"; done; }

exits 0 "files in a pak play in real time" spindle play $(of name.spk) --seconds 2 --realtime
rest_has_one_thread

# ---- the same pictures -------------------------------------------------------
exits 0 "loose files play" run $files --record loose.json
hash=$(value frame_hash)
exits 0 "files in a pak play" run $(of name.spk) --record play.json
check "the same frames" json_has frame_hash "$hash"
check "none late" json_has frames_late 0
far=$(value drive.head_travel_mm)
exits 0 "again" run $(of name.spk) --record again.json
check "the same record" cmp -s play.json again.json
exits 0 "by --pak" run --pak name.spk $files
check "the same frames" json_has frame_hash "$hash"
check "the same way of the head" json_has drive.head_travel_mm "$far"

# ---- laid out by the record ---------------------------------------------------
exits 0 "a pak by the record" spindle pack --quiet *.sgc *.bin -o order.spk --order play.json
exits 0 "plays" run $(of order.spk)
check "the same frames" json_has frame_hash "$hash"
check "with less travel" awk "BEGIN { exit !($(value drive.head_travel_mm) < $far / 4) }"
# Two scenes that share a file: each has it, where that is worth a copy.
exits 0 "a scene" run $(of name.spk) --record harbour.json --scene harbour
exits 0 "another scene" run $(of name.spk) --record market.json --scene market
exits 0 "a pak by both" spindle pack --json *.sgc *.bin -o scenes.spk --order harbour.json --order market.json --duplicate-budget 100
check "has two scenes" json_has scenes 2
check "and copies" number_is copies "> 0"
exits 2 "a scene without a name" run 1.sgc --record none.json --scene ""
exits 0 "a pak by the record of loose files" spindle pack --quiet *.sgc *.bin -o loose.spk --order loose.json
exits 0 "plays" run $(of loose.spk)
check "with less travel, too" awk "BEGIN { exit !($(value drive.head_travel_mm) < $far / 4) }"
# What lies together is played no later than what is scattered, however little is
# read ahead: the head is not held up by what lies between two reads.
for order in key deadline; do
    tight() { spindle play --virtual --drive wii_dvd6x --json --seconds 10 --buffer-ahead 0.5,1 --order $order "$@"; }
    exits 0 "scattered, close to the edge" tight $(of name.spk)
    late=$(value frames_late)
    exits 0 "together, close to the edge" tight $(of order.spk)
    check "no later ($order)" number_is frames_late "<= $late"
    exits 0 "loose, close to the edge" tight $files
    check "no later, too ($order)" number_is frames_late "<= $late"
done
for codec in lz4hc zstd deflate; do
    exits 0 "a compressed pak" spindle pack --quiet *.sgc *.bin -o packed.spk --order play.json --codec $codec
    exits 0 "plays" run $(of packed.spk)
    check "the same frames" json_has frame_hash "$hash"
done
exits 0 "a pak for streaming" spindle pack --quiet *.sgc *.bin -o stream.spk --order play.json --traced-only
exits 0 "loaded, it plays" run $(of stream.spk) --load
check "the same frames" json_has frame_hash "$hash"
check "without the drive" json_has drive.reads 0
exits 0 "in real time, with threads" spindle play $(of stream.spk) --seconds 2 --realtime
exits 0 "a large pak, loaded" run $(of name.spk) --load --heap 128
check "is ready when that is over" number_is start_ms "> 48000000 / 8500"
exits 0 "one loose, one in a pak" run 1.sgc stream.spk:2.sgc

# ---- refusals ------------------------------------------------------------------
exits 1 "a name that is not there" run name.spk:5.sgc
check "is named" says 'name.spk: has no file "5.sgc"'
exits 3 "a pak that is not there" run none.spk:1.sgc
exits 1 "a file that is no cache" run name.spk:1z.bin
check "is named" says 'name.spk:1z.bin: offset 0x0: signature'
exits 1 "a name in two paks" run name.spk:1.sgc order.spk:2.sgc
check "is refused" says 'name.spk:1.sgc: another pak has a file of this name'
exits 2 "--load of nothing" spindle play 1.sgc --load
exits 1 "a pak larger than the heap" run $(of name.spk) --load --heap 8
check "finds no room" says 'name.spk: finds no room in a heap of 8 MiB'
exits 0 "a pak that takes a slow drive long to load" spindle play --virtual --seconds 1 --drive pce_cd1x $(of name.spk) --load
head -c 3000000 order.spk >short.spk
exits 1 "a pak that was cut off" run short.spk:1.sgc
check "is refused with its place" says 'short.spk: offset 0x'
exits 3 "a record that cannot be written" run 1.sgc --record none/trace.json
rm -f bad.json
exits 1 "a run that is refused" run name.spk:5.sgc --record bad.json
check "leaves no record" test ! -e bad.json
# A damaged block of a pak costs what lies in it, as damage of a loose file does.
exits 0 "one clip" spindle pack --quiet 1.sgc -o whole.spk
{ head -c 400000 whole.spk; printf XXXXXXXX; tail -c +400009 whole.spk; } >bent.spk
exits 1 "a damaged pak plays on" spindle play bent.spk:1.sgc --virtual --json
check "with nearly all frames" number_is frames_dropped "< 16"
check "but not all" number_is frames_dropped "> 0"
check "and says what is wrong" says "frame [0-9]*: .*checksum"
# What is played is never the record.
spindle drives wii_dvd6x --profile >own.txt
echo "0 *" >layout.txt
for input in 1.sgc name.spk own.txt layout.txt; do
    cp $input kept
    exits 1 "a record over $input" spindle play 1.sgc name.spk:2.sgc --virtual --drive own.txt --disc-layout layout.txt --record $input
    check "is refused by name" says "$input: the output is the input"
    check "and leaves it" cmp -s $input kept
    cp kept $input
done

finish
