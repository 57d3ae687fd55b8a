#!/usr/bin/env bash
# Goal: `spindle play --drive` plays from an emulated drive, and counts its work.
# Method: play small caches from several drives and check the report.
set -u
name=test_play_drive
. tests/cli/lib.sh
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
# number_is FIELD CONDITION: compare a field of the JSON report by awk.
number_is() { awk "BEGIN { exit !($(value "$1") $2) }"; }

exits 0 "compile of a cache to play" spindle compile --quiet --codec lz4hc tests/data/demo.abc -o "$folder/a.sgc"
cp "$folder/a.sgc" "$folder/b.sgc"
# Streams of one file share its reads, and a clip that fits the heap is read once. So there are several files, large ones
# where the drive is to be busy, and heaps that have not room for all of them.
exits 0 "compile of a large cache to play" spindle compile --quiet --codec store tests/data/demo.abc -o "$folder/large.sgc"
mkdir "$folder/eight" "$folder/four" "$folder/six"
for i in 1 2 3 4 5 6 7 8; do cp "$folder/a.sgc" "$folder/eight/$i.sgc"; done
for i in 1 2 3 4; do cp "$folder/large.sgc" "$folder/four/$i.sgc"; done
for i in 1 2 3 4 5 6; do cp "$folder/large.sgc" "$folder/six/$i.sgc"; done

# ---- real time --------------------------------------------------------------
exits 0 "play --drive in real time" spindle play "$folder"/four/[12].sgc --realtime --heap 6 --buffer-ahead 0.3,0.6 --seconds 3 --drive hdd_5400 --json
# The bytes of 3 s of both clips, which take the drive 105 ms; most of them when the machine is slow.
check "play --drive in real time reads the clips" number_is drive.bytes "> 4000000"
check "play --drive in real time keeps the drive busy for as long" number_is drive.busy_share "> 0.025"
check "play --realtime does not use virtual time" json_has is_virtual false
exits 0 "play without a drive" spindle play "$folder/a.sgc" --seconds 0.2 --json
check "play counts caches that play from memory" json_has caches_from_memory 1
check "play without a drive reports no drive" sh -c "! grep -q drive '$folder/stdout'"
end_here_with_tsan

# ---- virtual time -----------------------------------------------------------
# After 9.2 s some reads wait.
exits 0 "play --virtual --drive" spindle play "$folder"/eight/*.sgc --virtual --heap 12 --seconds 9.2 --drive x360_dvd12x
check "play --drive names the drive" says "drive  *x360_dvd12x, [0-9]* % busy"
check "play --drive prints the tables of simulate" test "$(spindle simulate --generate by-scene --seconds 1 --scheduler deadline | grep '^  order  *[ls]')" = "$(grep '^  order  *\(late\|sound\)' "$folder/stdout")"
check "play --drive prints one row in each table" test "$(grep '^  deadline ' "$folder/stdout" | grep -vc ' still waited in the end$')" = 2
cp "$folder/stdout" "$folder/first"
exits 0 "play --virtual --drive --json" spindle play "$folder"/eight/*.sgc --virtual --heap 12 --seconds 9.2 --drive x360_dvd12x --json
check "play --drive --json names the drive" json_has drive.name '"x360_dvd12x"'
for field in busy_share reads bytes seeks head_travel_mm seek_ms rotation_ms transfer_ms command_ms; do
    check "play --drive counts drive.$field" number_is drive.$field "> 0"
done
check "play --drive without faults has no retries" json_has drive.retries 0
check "the parts of the drive's busy time add up" awk "BEGIN { exit !(($(value drive.command_ms) + $(value drive.seek_ms) + $(value drive.rotation_ms) + $(value drive.gap_ms) + \
    $(value drive.transfer_ms) - $(value drive.busy_ms)) ^ 2 < 0.01) }"
check "no frame is late from a DVD drive" json_has frames_late 0
check "both reports have the same seek time" test "$(value run.drive.seek_ms)" = "$(value drive.seek_ms)"
check "all reads are of the class stream" test "$(value run.classes.stream.reads)" = "$(value run.done)"
check "play completes more than ten reads" number_is run.done "> 10"
check "some reads still wait at the end of the run" number_is run.waiting "> 0"
check "the text report has the same number of waiting reads" grep -q "^  deadline  *$(value run.waiting) reads* still waited in the end$" "$folder/first"
check "few reads are late" number_is run.late_share "< 0.1"
check "mean, p95, p99 and longest wait are in order" awk "BEGIN { w = $(value run.classes.stream.mean_ms); x = $(value run.classes.stream.p95_ms); y = $(value run.classes.stream.p99_ms); \
    z = $(value run.longest_ms); exit !(0 < w && w <= x && x <= y && y <= z && z < 10000) }"
check "the drive's rate is below its bound" awk "BEGIN { exit !(0 < $(value run.drive.bytes_per_second) && $(value run.drive.bytes_per_second) < $(value run.drive.bound_bytes_per_second)) }"
cp "$folder/stdout" "$folder/json1"
exits 0 "play --virtual --drive --json a second time" spindle play "$folder"/eight/*.sgc --virtual --heap 12 --seconds 9.2 --drive x360_dvd12x --json
for field in start_ms drive.seek_ms drive.rotation_ms drive.busy_ms bytes_read buffered_min_ms; do
    ours=$(value $field)
    check "two runs have the same $field" test "$ours" = "$(cp "$folder/json1" "$folder/stdout" && value $field)"
done

# A drive that is too slow shows as late frames: CD 1x reads 150 kB/s.
# So many streams that it is busy even if all of them read index frames alone.
exits 0 "play from a drive that is too slow" spindle play "$folder"/six/*.sgc --virtual --heap 16 --seconds 30 --drive pce_cd1x --json
check "a slow drive makes frames late" number_is frames_late "> 100"
check "a slow drive is always busy" number_is drive.busy_share "> 0.9"
check "a slow drive makes reads late" number_is run.late_share "> 0.5"
check "a slow drive makes reads wait long" number_is run.longest_ms "> 1000"

printf 'name = mine\nlike = wii_dvd6x\nrate_in = 1000000\nrate_out = 1000000\n' >"$folder/mine.txt"
exits 0 "play --drive with a profile of one's own" spindle play "$folder/a.sgc" --virtual --drive "$folder/mine.txt" --json
check "play names the drive of the profile" json_has drive.name '"mine"'
printf 'like = wii_dvd6x\n' >"$folder/nameless.txt"
exits 1 "a profile without a name is refused" spindle play "$folder/a.sgc" --virtual --drive "$folder/nameless.txt"
check "the message about a profile without a name names the missing key" says "nameless.txt: name: is missing: another drive than wii_dvd6x"
exits 1 "an unknown drive is refused" spindle play "$folder/a.sgc" --virtual --drive wii_dvd7x
check "the message about an unknown drive names the nearest" says 'did you mean "wii_dvd6x"'
check "the message about an unknown drive is one line" one_line
exits 3 "a profile that does not exist fails" spindle play "$folder/a.sgc" --virtual --drive "$folder/none.txt"

# ---- order and admission ------------------------------------------------------
exits 0 "play --drive --json" spindle play "$folder/a.sgc" --virtual --drive x360_dvd12x --json
check "the default order is the deadline scheduler" json_has drive.order '"deadline"'
exits 0 "play --order key" spindle play "$folder"/eight/*.sgc --virtual --heap 12 --seconds 9.2 --drive x360_dvd12x --order key --json
check "play --order key reports the order" json_has drive.order '"key"'
check "the order key coalesces no reads" json_has drive.reads_coalesced 0
check "all streams are admitted" json_has drive.streams_admitted 8
check "admitted streams use less than 90 % of the drive" number_is drive.admitted_share "< 0.9"
check "admitted streams use more than 10 % of the drive" number_is drive.admitted_share "> 0.1"
check "frames of admitted streams are in time" json_has drive.admitted_late 0
exits 0 "play of two streams from a drive that is too slow" spindle play "$folder/a.sgc" "$folder/b.sgc" --virtual --heap 4 --seconds 2 --drive pce_cd1x --json
check "streams beyond the drive's share are degraded" json_has drive.streams_degraded 2
exits 0 "play --overload refuse" spindle play "$folder/a.sgc" "$folder/b.sgc" --virtual --heap 4 --seconds 2 --drive pce_cd1x --overload refuse
check "--overload refuse refuses streams beyond the drive's share" says "admitted  *0 for 0 % of the drive, 0 degraded, 2 refused"
exits 0 "play --overload ignore" spindle play "$folder/a.sgc" "$folder/b.sgc" --virtual --heap 4 --seconds 2 --drive pce_cd1x --overload ignore --json
check "--overload ignore admits more than the drive's share" number_is drive.admitted_share "> 1"
# Copies all over the disc: streams beyond the drive's share do not delay admitted ones, and use the rest of the drive.
# Most streams are beyond it, and the drive has not time for all; or most are admitted, in a heap that has not room for
# all of them. Then the drive has time, and few frames are late: 22 % to 55 % would be if degraded streams read nothing.
too_many() { # DRIVE SECTORS HEAP DEGRADED FIELD CONDITION
    for i in $(seq 10 27); do echo "$((i * 791900 % $2 * 2048)) many/$i.sgc"; done >"$folder/many.txt"
    exits 0 "play of too many streams from $1" spindle play "$folder"/many/*.sgc --virtual --heap "$3" --seconds 30 --drive "$1" --disc-layout "$folder/many.txt" --json
    check "too many streams from $1, $3 MiB: some are degraded" json_has drive.streams_degraded "$4"
    check "too many streams from $1, $3 MiB: degraded streams use the rest of the drive" number_is "$5" "$6"
    check "too many streams from $1, $3 MiB: frames of admitted streams are in time" json_has drive.admitted_late 0
}
mkdir "$folder/many"
for i in $(seq 10 27); do cp "$folder/large.sgc" "$folder/many/$i.sgc"; done
too_many x360_dvd12x 3369140 64 13 drive.busy_share "> 0.9"
too_many ps2_dvd4x 2290000 64 15 drive.busy_share "> 0.9"
too_many wii_dvd6x 3369140 64 14 drive.busy_share "> 0.9"
for i in $(seq 10 27); do cp "$folder/a.sgc" "$folder/many/$i.sgc"; done
too_many x360_dvd12x 3369140 30 4 frames_late "< 1620"
too_many ps2_dvd4x 2290000 30 10 frames_late "< 1620"
too_many wii_dvd6x 3369140 30 8 frames_late "< 1620"
exits 2 "--order without a drive is a usage error" spindle play "$folder/a.sgc" --virtual --order key
exits 2 "--overload without a drive is a usage error" spindle play "$folder/a.sgc" --virtual --overload refuse
exits 2 "an unknown order is a usage error" spindle play "$folder/a.sgc" --virtual --drive wii_dvd6x --order fifo

# ---- places on the disc -----------------------------------------------------
far() { spindle play "$folder/a.sgc" "$folder/b.sgc" --virtual --heap 4 --drive wii_dvd6x --json "$@" >"$folder/stdout" 2>"$folder/stderr"; }
far
near=$(value drive.head_travel_mm)
printf '# far apart\n0 a.sgc\n4600000000\tb.sgc\n' >"$folder/layout.txt"
exits 0 "play --disc-layout with files far apart" far --disc-layout "$folder/layout.txt"
check "files far apart move the head further" awk "BEGIN { exit !($(value drive.head_travel_mm) > 100 * $near + 30) }"
check "play --disc-layout prints no warning" test ! -s "$folder/stderr"
printf '0 a.sgc\n4600000000 c.sgc\n5 *\n8 d.sgc\n' >"$folder/layout.txt"
exits 0 "play --disc-layout with lines for unknown files" far --disc-layout "$folder/layout.txt"
check "play warns of layout lines for unknown files" test "$(cat "$folder/stderr")" = "spindle: warning: $folder/layout.txt: c.sgc: no file has its place from it (2 of 4 lines are for nothing)"
printf -- '- a.sgc\n- b.sgc\n' >"$folder/layout.txt"
exits 0 "play --disc-layout with files on no disc" far --disc-layout "$folder/layout.txt"
check "files on no disc cause no reads of the drive" json_has drive.reads 0
printf '0 a.sgc\n1 a.sgc\n' >"$folder/layout.txt"
exits 1 "a layout with the same file twice is refused" far --disc-layout "$folder/layout.txt"
check "the message about a repeated file has line and column" says 'layout.txt: line 2, column 3: "a.sgc" is there twice'
printf '9399959551 a.sgc\n' >"$folder/layout.txt"
exits 1 "a layout with a file beyond the end of the disc is refused" far --disc-layout "$folder/layout.txt"
check "the message about a file beyond the end has the size of the disc" says "a.sgc: $(wc -c <"$folder/a.sgc") bytes from byte 9399959551 on do not fit on the disc of wii_dvd6x, which has 9399959552"
check "the message about a file beyond the end is one line" one_line
printf 'name = small\nlike = wii_dvd6x\nlayers = 1\nlayer_bytes = 1500000\n' >"$folder/small.txt"
exits 1 "files that do not fit on the disc are refused" spindle play "$folder/a.sgc" "$folder/b.sgc" --drive "$folder/small.txt"
check "the message names the first file that does not fit, and its position" says "b.sgc: [0-9]* bytes from byte $((($(wc -c <"$folder/a.sgc") + 2047) / 2048 * 2048)) on do not fit"
exits 0 "pack of two caches" spindle pack "$folder/a.sgc" "$folder/b.sgc" -o "$folder/ab.spk" --codec zstd
exits 0 "a compressed pak fits on the disc that is too small for its files" spindle play "$folder/ab.spk:a.sgc" --virtual --seconds 1 --drive "$folder/small.txt"
# The numbers are the same on every machine.
exits 0 "play: the example of MANUAL.md" spindle play "$folder/a.sgc" "$folder/b.sgc" --drive x360_dvd12x --virtual --heap 4 --seconds 10
sed -n '/^  frames /,/^  admitted /p; /^  deadline  *[0-9]*\(\.[0-9]*\| \/\) /p' "$folder/stdout" >"$folder/rows"
check "the example of MANUAL.md prints 13 rows" test "$(wc -l <"$folder/rows")" = 13
while IFS= read -r row; do check "MANUAL.md has the printed row: $row" grep -qxF -- "    $row" offline/simulate/MANUAL.md; done <"$folder/rows"
finish
