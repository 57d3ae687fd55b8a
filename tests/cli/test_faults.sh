#!/usr/bin/env bash
# What goes wrong with a drive where `play` and `simulate` are told so.
# One thread.
set -u
name=test_faults
. tests/cli/lib.sh
make_json_reader
rest_has_one_thread
value() { json_has "$1" && cat "$folder/value"; }
number_is() { awk "BEGIN { exit !($(value "$1") $2) }"; }

exits 0 "a cache" spindle compile --quiet --codec lz4hc tests/data/demo.abc -o "$folder/a.sgc"
cp "$folder/a.sgc" "$folder/b.sgc"
play() { spindle play --virtual --drive x360_dvd12x --seconds 10 --json "$@"; }

# ---- files ------------------------------------------------------------------
exits 0 "nothing goes wrong" play "$folder/a.sgc" "$folder/b.sgc"
check "with no retries" json_has drive.retries 0
hash=$(value frame_hash)
busy=$(value drive.busy_ms)
exits 0 "bad sectors" play "$folder/a.sgc" "$folder/b.sgc" --fault "bad-sectors,offset=500000,bytes=100000:$folder/b.sgc"
check "cost retries" number_is drive.retries "> 3"
check "and time" number_is drive.busy_ms "> $busy"
check "but no frame" test "$(value frame_hash)" = "$hash"
exits 3 "unreadable ones" play "$folder/a.sgc" "$folder/b.sgc" --fault "unreadable,offset=500000:$folder/b.sgc"
check "cost frames" number_is frames_dropped "> 0"
check "fail reads" number_is run.failed "> 0"
check "of that file" json_has faults.0.file "\"$folder/b.sgc\""
check "and no other" sh -c "! grep -q 'a\.sgc' '$folder/stdout' '$folder/stderr'"
at=$(value faults.0.offset)
check "where they are" test "$at" -gt 400000 -a "$at" -lt 530000
exits 0 "a file that lies elsewhere" play "$folder/a.sgc" "$folder/b.sgc" --fault "unreadable,offset=500000,at=3600:$folder/b.sgc"
check "or later is whole" test "$(value frame_hash)" = "$hash"
exits 0 "what heals" play "$folder/a.sgc" "$folder/b.sgc" --fault "unreadable,offset=500000,times=1:$folder/b.sgc"
check "is tried again" test "$(value frame_hash)" = "$hash"
printf '900000000 b.sgc\n' >"$folder/layout.txt"
exits 3 "a file with a place of its own" play "$folder/a.sgc" "$folder/b.sgc" --disc-layout "$folder/layout.txt" --fault "unreadable,offset=500000:$folder/b.sgc"
exits 3 "by the disc's byte" play "$folder/a.sgc" "$folder/b.sgc" --disc-layout "$folder/layout.txt" --fault "unreadable,offset=900500000"
check "is the same file" json_has faults.0.file "\"$folder/b.sgc\""
check "and place" json_has faults.0.offset "$at"

# ---- the drive --------------------------------------------------------------
exits 0 "an open tray" play "$folder/a.sgc" --fault tray-open,at=2,for=5
check "makes frames late" number_is frames_late "> 60"
check "and drops none" json_has frames_dropped 0
exits 0 "a stall" play "$folder/a.sgc" --fault stall,at=1,for=3 --fault stall,at=4.5
check "and another" number_is frames_late "> 60"
exits 3 "another disc" play "$folder/a.sgc" --fault disc-swapped,at=4,for=3
check "drops frames" number_is frames_dropped "> 0"
exits 3 "a tray whose reads fail" play "$folder/a.sgc" --fault tray-open,at=4,for=3,failing
check "drops them, too" number_is frames_dropped "> 0"
exits 0 "the virtual disc has faults, too" spindle play "$folder/a.sgc" --virtual --seconds 10 --json --fault stall,at=2,for=5
check "that show" number_is frames_late "> 60"

# ---- paks -------------------------------------------------------------------
mkdir "$folder/data"
cp "$folder/a.sgc" "$folder/data/a.sgc"
spindle compile --quiet tests/data/fps-2997.abc -o "$folder/data/c.sgc"
exits 0 "a pak" spindle pack "$folder/data" -o "$folder/data.spk"
exits 3 "an entry of it" play "$folder/data.spk:a.sgc" "$folder/data.spk:c.sgc" --fault "unreadable,offset=500000:$folder/data.spk:a.sgc"
check "by its name there" json_has faults.0.file "\"$folder/data.spk:a.sgc\""
check "alone" sh -c "! grep -q 'c\.sgc' '$folder/stdout' '$folder/stderr'"
exits 3 "a name in --pak" play --pak "$folder/data.spk" a.sgc c.sgc --fault unreadable,offset=500000:a.sgc
check "by its name" json_has faults.0.file '"a.sgc"'
exits 3 "the end of a name" play "$folder/data.spk:a.sgc" "$folder/data/c.sgc" --fault unreadable,offset=500000:a.sgc
check "is enough" json_has faults.0.file "\"$folder/data.spk:a.sgc\""
exits 1 "the end of two" play "$folder/data.spk:a.sgc" "$folder/data/a.sgc" --fault unreadable,offset=500000:a.sgc
check "is not" says "more than one: $folder/data.spk:a.sgc, $folder/data/a.sgc"
exits 1 "of none" play "$folder/data.spk:a.sgc" --fault unreadable,offset=500000:b.sgc
check "is told which are there" says "none of these, nor the end of one: $folder/data.spk, $folder/data.spk:a.sgc"
exits 3 "the pak itself" play --pak "$folder/data.spk" a.sgc --fault "unreadable:$folder/data.spk"
exits 1 "more of an entry than there is" play --pak "$folder/data.spk" a.sgc --fault unreadable,offset=5000000:a.sgc
check "is said with its size" says "unreadable,offset=5000000:a.sgc: the range does not lie in its $(wc -c <"$folder/a.sgc") bytes"
exits 1 "a copy that is not there" play --pak "$folder/data.spk" a.sgc --fault unreadable,copy=2:a.sgc
check "is said with how many there are" says "the pak has 1 of its copies"

# ---- simulate ---------------------------------------------------------------
for i in 1 2 3 4; do head -c $((i * 140000)) /dev/zero | tr '\0' "$i" >"$folder/data/f$i.dds"; done
exits 0 "a pak of more" spindle pack "$folder/data" -o "$folder/more.spk"
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    for i in 1 2 3 4; do printf '%s{"at_us": %u, "path": "f%u.dds", "task": "texture"}' "$([ $i = 1 ] || echo ,)" $((i * 500000)) $i; done
    printf ']}]}'
} >"$folder/trace.json"
simulate() { spindle simulate --trace "$folder/trace.json" --layout "$folder/more.spk" --json "$@"; }
exits 0 "an unreadable entry" simulate --fault unreadable,offset=100000:f3.dds
check "fails its read" json_has runs.0.failed 1
check "and no other" json_has runs.0.done 3
check "in every order" json_has runs.2.failed 1
check "once told" json_has faults 1
exits 0 "one by the pak's name, too" simulate --scheduler key --fault "unreadable,offset=100000:$folder/more.spk:f3.dds"
check "fails its read" json_has runs.0.failed 1
exits 0 "bad sectors of one" simulate --scheduler deadline --fault bad-sectors,retries=10:f4.dds
check "cost time" number_is runs.0.drive.retry_ms "> 100"
check "but no read" json_has runs.0.done 4
exits 0 "a stall" simulate --scheduler deadline --fault stall,at=1,for=20
check "is waited for" number_is runs.0.longest_ms "> 15000"
exits 0 "a stall without an end" simulate --fault stall
check "ends all the same" json_has runs.0.done 0
check "in every order" json_has runs.2.done 0
exits 3 "a tray that stays open before the show" play "$folder/a.sgc" --fault tray-open
check "is told as what it is" says "a.sgc: the drive brought nothing for 60 s"
check "in a line" one_line
exits 0 "drawn and told faults" spindle simulate --generate by-scene --seconds 5 --scheduler deadline --faults 3 --fault stall,at=1,for=1 --json
check "are counted together" json_has faults 4
exits 1 "an entry that is not there" simulate --fault unreadable:f9.dds
check "is told which are" says "unreadable:f9.dds: its name is none of these, nor the end of one: .*f3.dds"
check "in a line" one_line
exits 1 "a byte beyond the disc" simulate --fault unreadable,offset=99999999999
exits 2 "a name in a generated game" spindle simulate --generate copies --fault unreadable:f9.dds

# ---- what says nothing ------------------------------------------------------
for fault in nonsense stall,offset=1 stall,at=x unreadable unreadable,offset=1: tray-open:a.sgc; do
    exits 2 "play is told $fault" play "$folder/a.sgc" --fault "$fault"
    check "and quotes it" says "spindle: play: --fault $fault: "
    exits 2 "so is simulate" simulate --fault "$fault"
    check "which quotes it, too" says "spindle: simulate: --fault $fault: "
done
exits 1 "a name that is not played" play "$folder/a.sgc" --fault "unreadable:$folder/b.sgc"
check "is refused" says "its name is none of these, nor the end of one: $folder/a.sgc"
exits 1 "a byte behind the file" play "$folder/a.sgc" --fault "unreadable,offset=5000000:$folder/a.sgc"
exits 2 "a fault of no drive" spindle play "$folder/a.sgc" --fault stall,at=1
check "asks for it" says "fault of which --drive"

# ---- what would be silent ------------------------------------------------------
exits 0 "a fault after the end of a show" spindle play "$folder/a.sgc" --virtual --seconds 2 --drive x360_dvd12x --fault stall,at=9,for=1 --fault stall,at=1,for=0.1
check "is said, alone" test "$(grep -c warning "$folder/stderr")" = 1
check "with the end" says "warning: stall,at=9,for=1: it begins after the end of the run, which took 2\.[0-9]* s"
exits 0 "and of a generated game" spindle simulate --generate by-scene --seconds 5 --scheduler key --fault stall,at=5,for=1 --fault stall,at=4.9,for=1
check "is said, alone" test "$(cat "$folder/stderr")" = "spindle: warning: stall,at=5,for=1: it begins after the end of the run, which took 5.000 s"
for verb in play simulate; do
    exits 0 "$verb --help" spindle $verb --help
    check "tells how many bytes a fault has" sh -c "tr -s '\n ' ' ' <'$folder/stdout' | grep -q 'bytes (default 1; without an offset the whole file)'"
done
exits 2 "an option twice" spindle simulate --generate by-scene --seed 1 --seed 2
check "is refused" says "simulate: --seed is given more than once"
finish
