#!/usr/bin/env bash
# Goal: `play` and `simulate` with --fault show the effect of the fault and report it.
# Method: run both with each kind of fault and compare the report with a run without
# faults.
# One thread.
set -u
name=test_faults
. tests/cli/lib.sh
make_json_reader
end_here_with_tsan
value() { json_has "$1" && cat "$folder/value"; }
number_is() { awk "BEGIN { exit !($(value "$1") $2) }"; }

exits 0 "compile of a cache to play" spindle compile --quiet --codec lz4hc tests/data/demo.abc -o "$folder/a.sgc"
cp "$folder/a.sgc" "$folder/b.sgc"
# Heaps that do not hold the clips: otherwise nothing is read after the first loop.
play() { spindle play --virtual --drive x360_dvd12x --heap 1 --seconds 10 --json "$@"; }
play_two() { spindle play --virtual --drive x360_dvd12x --heap 3 --seconds 10 --json "$@"; }

# ---- files ------------------------------------------------------------------
exits 0 "play without faults" play_two "$folder/a.sgc" "$folder/b.sgc"
check "play without faults has no retries" json_has drive.retries 0
hash=$(value frame_hash)
busy=$(value drive.busy_ms)
exits 0 "play with bad sectors" play_two "$folder/a.sgc" "$folder/b.sgc" --fault "bad-sectors,offset=500000,bytes=100000:$folder/b.sgc"
# The clip is read three times.
check "bad sectors cause retries in each loop" json_has drive.retries 3
check "bad sectors cost drive time" number_is drive.busy_ms "> $busy"
check "bad sectors cost no frame" test "$(value frame_hash)" = "$hash"
exits 3 "play with unreadable sectors reports an I/O error" play_two "$folder/a.sgc" "$folder/b.sgc" --fault "unreadable,offset=500000:$folder/b.sgc"
check "unreadable sectors cost frames" number_is frames_dropped "> 0"
check "unreadable sectors fail reads" number_is run.failed "> 0"
check "the fault names the file with unreadable sectors" json_has faults.0.file "\"$folder/b.sgc\""
check "the report does not name files without unreadable sectors" sh -c "! grep -q 'a\.sgc' '$folder/stdout' '$folder/stderr'"
at=$(value faults.0.offset)
check "the fault's offset is near the unreadable sectors" test "$at" -gt 400000 -a "$at" -lt 530000
exits 0 "play with unreadable sectors after the end of the run" play_two "$folder/a.sgc" "$folder/b.sgc" --fault "unreadable,offset=500000,at=3600:$folder/b.sgc"
check "unreadable sectors after the end of the run cost no frame" test "$(value frame_hash)" = "$hash"
exits 0 "play with sectors that are unreadable once" play_two "$folder/a.sgc" "$folder/b.sgc" --fault "unreadable,offset=500000,times=1:$folder/b.sgc"
check "a sector that is unreadable once is read again, and costs no frame" test "$(value frame_hash)" = "$hash"
printf '900000000 b.sgc\n' >"$folder/layout.txt"
exits 3 "play with unreadable sectors of a file that --disc-layout places" play_two "$folder/a.sgc" "$folder/b.sgc" --disc-layout "$folder/layout.txt" --fault "unreadable,offset=500000:$folder/b.sgc"
at=$(value faults.0.offset)
exits 3 "play with the same unreadable sectors by their position on the disc" play_two "$folder/a.sgc" "$folder/b.sgc" --disc-layout "$folder/layout.txt" --fault "unreadable,offset=900500000"
check "a fault by position on the disc names the same file" json_has faults.0.file "\"$folder/b.sgc\""
check "a fault by position on the disc has the same offset in the file" json_has faults.0.offset "$at"

# ---- the drive --------------------------------------------------------------
exits 0 "play with the tray open for 5 s" play "$folder/a.sgc" --fault tray-open,at=2,for=5
check "an open tray makes frames late" number_is frames_late "> 60"
check "an open tray drops no frame" json_has frames_dropped 0
exits 0 "play with two stalls" play "$folder/a.sgc" --fault stall,at=1,for=3 --fault stall,at=4.5
check "two stalls make frames late" number_is frames_late "> 60"
exits 3 "play with a swapped disc reports an I/O error" play "$folder/a.sgc" --fault disc-swapped,at=4,for=3
check "a swapped disc drops frames" number_is frames_dropped "> 0"
exits 3 "play with an open tray whose reads fail reports an I/O error" play "$folder/a.sgc" --fault tray-open,at=4,for=3,failing
check "an open tray whose reads fail drops frames" number_is frames_dropped "> 0"
exits 0 "play --virtual without --drive accepts a stall" spindle play "$folder/a.sgc" --virtual --heap 1 --seconds 10 --json --fault stall,at=2,for=5
check "a stall of the virtual disc makes frames late" number_is frames_late "> 60"

# ---- paks -------------------------------------------------------------------
mkdir "$folder/data"
cp "$folder/a.sgc" "$folder/data/a.sgc"
spindle compile --quiet tests/data/fps-2997.abc -o "$folder/data/c.sgc"
exits 0 "pack of two caches" spindle pack "$folder/data" -o "$folder/data.spk"
exits 3 "play with an unreadable entry of a pak reports an I/O error" play_two "$folder/data.spk:a.sgc" "$folder/data.spk:c.sgc" --fault "unreadable,offset=500000:$folder/data.spk:a.sgc"
check "the fault names pak and entry" json_has faults.0.file "\"$folder/data.spk:a.sgc\""
check "the report does not name other entries of the pak" sh -c "! grep -q 'c\.sgc' '$folder/stdout' '$folder/stderr'"
exits 3 "play --pak with a fault by the entry's name reports an I/O error" play_two --pak "$folder/data.spk" a.sgc c.sgc --fault unreadable,offset=500000:a.sgc
check "the fault names the entry as the command line does" json_has faults.0.file '"a.sgc"'
exits 3 "play with a fault by the end of a name reports an I/O error" play_two "$folder/data.spk:a.sgc" "$folder/data/c.sgc" --fault unreadable,offset=500000:a.sgc
check "the fault by the end of a name names pak and entry" json_has faults.0.file "\"$folder/data.spk:a.sgc\""
exits 1 "a fault by the end of two names is refused" play_two "$folder/data.spk:a.sgc" "$folder/data/a.sgc" --fault unreadable,offset=500000:a.sgc
check "the message about an ambiguous name lists both names" says "more than one: $folder/data.spk:a.sgc, $folder/data/a.sgc"
exits 1 "a fault by a name that is not played is refused" play "$folder/data.spk:a.sgc" --fault unreadable,offset=500000:b.sgc
check "the message about an unknown name lists the played names" says "none of these, nor the end of one: $folder/data.spk, $folder/data.spk:a.sgc"
exits 3 "play with a fault in the bytes of the pak itself reports an I/O error" play --pak "$folder/data.spk" a.sgc --fault "unreadable:$folder/data.spk"
exits 1 "a fault beyond the end of an entry is refused" play --pak "$folder/data.spk" a.sgc --fault unreadable,offset=5000000:a.sgc
check "the message about a fault beyond the end has the size of the entry" says "unreadable,offset=5000000:a.sgc: the range does not lie in its $(wc -c <"$folder/a.sgc") bytes"
exits 1 "a fault of a copy that does not exist is refused" play --pak "$folder/data.spk" a.sgc --fault unreadable,copy=2:a.sgc
check "the message about a missing copy has the number of copies" says "the pak has 1 of its copies"

# ---- simulate ---------------------------------------------------------------
for i in 1 2 3 4; do head -c $((i * 140000)) /dev/zero | tr '\0' "$i" >"$folder/data/f$i.dds"; done
exits 0 "pack of four files" spindle pack "$folder/data" -o "$folder/more.spk"
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    for i in 1 2 3 4; do printf '%s{"at_us": %u, "path": "f%u.dds", "task": "texture"}' "$([ $i = 1 ] || echo ,)" $((i * 500000)) $i; done
    printf ']}]}'
} >"$folder/trace.json"
simulate() { spindle simulate --trace "$folder/trace.json" --layout "$folder/more.spk" --json "$@"; }
exits 0 "simulate with an unreadable entry" simulate --fault unreadable,offset=100000:f3.dds
check "an unreadable entry fails its read" json_has runs.0.failed 1
check "an unreadable entry fails no other read" json_has runs.0.done 3
check "an unreadable entry fails its read in every order" json_has runs.2.failed 1
check "simulate counts one fault" json_has faults 1
exits 0 "simulate with a fault by pak and entry" simulate --scheduler key --fault "unreadable,offset=100000:$folder/more.spk:f3.dds"
check "a fault by pak and entry fails one read" json_has runs.0.failed 1
exits 0 "simulate with bad sectors in one entry" simulate --scheduler deadline --fault bad-sectors,retries=10:f4.dds
check "bad sectors cost retry time in simulate" number_is runs.0.drive.retry_ms "> 100"
check "bad sectors fail no read in simulate" json_has runs.0.done 4
exits 0 "simulate with a stall of 20 s" simulate --scheduler deadline --fault stall,at=1,for=20
check "a read waits for the end of a stall" number_is runs.0.longest_ms "> 15000"
exits 0 "simulate with an endless stall" simulate --fault stall
check "an endless stall ends the run without completed reads" json_has runs.0.done 0
check "an endless stall ends the run in every order" json_has runs.2.done 0
exits 3 "play with a tray that stays open from the start fails" play "$folder/a.sgc" --fault tray-open
check "the message about a tray that stays open says that the drive brought nothing" says "a.sgc: the drive brought nothing for 60 s"
check "the message about a tray that stays open is one line" one_line
exits 0 "simulate with random and given faults" spindle simulate --generate by-scene --seconds 5 --scheduler deadline --faults 3 --fault stall,at=1,for=1 --json
check "random and given faults are counted together" json_has faults 4
exits 1 "simulate refuses a fault of an entry that does not exist" simulate --fault unreadable:f9.dds
check "the message about a missing entry lists the entries" says "unreadable:f9.dds: its name is none of these, nor the end of one: .*f3.dds"
check "the message about a missing entry is one line" one_line
exits 1 "simulate refuses a fault beyond the end of the disc" simulate --fault unreadable,offset=99999999999
exits 2 "a fault by name in a generated game is a usage error" spindle simulate --generate copies --fault unreadable:f9.dds

# ---- faults that cannot be parsed --------------------------------------------
for fault in nonsense stall,offset=1 stall,at=x unreadable unreadable,offset=1: tray-open:a.sgc; do
    exits 2 "play --fault $fault is a usage error" play "$folder/a.sgc" --fault "$fault"
    check "play quotes the fault $fault" says "spindle: play: --fault $fault: "
    exits 2 "simulate --fault $fault is a usage error" simulate --fault "$fault"
    check "simulate quotes the fault $fault" says "spindle: simulate: --fault $fault: "
done
exits 1 "play refuses a fault of a file that is not played" play "$folder/a.sgc" --fault "unreadable:$folder/b.sgc"
check "the message about a file that is not played lists the played files" says "its name is none of these, nor the end of one: $folder/a.sgc"
exits 1 "play refuses a fault beyond the end of a file" play "$folder/a.sgc" --fault "unreadable,offset=5000000:$folder/a.sgc"
exits 2 "play --fault without --drive or --virtual is a usage error" spindle play "$folder/a.sgc" --fault stall,at=1
check "the message about a fault without a drive names --drive" says "fault of which --drive"

# ---- faults without effect ----------------------------------------------------
exits 0 "play with a fault that begins after the end of the run" spindle play "$folder/a.sgc" --virtual --seconds 2 --drive x360_dvd12x --fault stall,at=9,for=1 --fault stall,at=1,for=0.1
check "play warns once of a fault after the end of the run" test "$(grep -c warning "$folder/stderr")" = 1
check "the warning about a late fault has the length of the run" says "warning: stall,at=9,for=1: it begins after the end of the run, which took 2\.[0-9]* s"
exits 0 "simulate with a fault that begins after the end of a generated game" spindle simulate --generate by-scene --seconds 5 --scheduler key --fault stall,at=5,for=1 --fault stall,at=4.9,for=1
check "simulate warns once of a fault after the end of the run" test "$(cat "$folder/stderr")" = "spindle: warning: stall,at=5,for=1: it begins after the end of the run, which took 5.000 s"
for verb in play simulate; do
    exits 0 "$verb --help" spindle $verb --help
    check "$verb --help gives the default of a fault's bytes" sh -c "tr -s '\n ' ' ' <'$folder/stdout' | grep -q 'bytes (default 1; without an offset the whole file)'"
done
exits 2 "an option given twice is a usage error" spindle simulate --generate by-scene --seed 1 --seed 2
check "the message names the option given twice" says "simulate: --seed is given more than once"
finish
