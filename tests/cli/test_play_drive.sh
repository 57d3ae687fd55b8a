#!/usr/bin/env bash
# What `spindle play --drive` plays from, counts and refuses.
set -u
name=test_play_drive
. tests/cli/lib.sh
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
# The number of a field is so, as awk sees it.
number_is() { awk "BEGIN { exit !($(value "$1") $2) }"; }

exits 0 "a cache" spindle compile --quiet --codec lz4hc tests/data/demo.abc -o "$folder/a.sgc"
cp "$folder/a.sgc" "$folder/b.sgc"

# ---- real -------------------------------------------------------------------
exits 0 "play from a drive in real time" spindle play "$folder/a.sgc" --realtime --streams 2 --seconds 3 --drive hdd_5400 --json
check "that takes its time" number_is drive.busy_ms "> 0"
check "on the real clock" json_has is_virtual false
exits 0 "play from no drive" spindle play "$folder/a.sgc" --seconds 0.2 --json
check "counts none" sh -c "! grep -q drive '$folder/stdout'"
rest_has_one_thread

# ---- virtual ----------------------------------------------------------------
exits 0 "play from a drive" spindle play "$folder/a.sgc" --virtual --streams 8 --seconds 10 --drive x360_dvd12x
check "names it" says "drive  *x360_dvd12x, [0-9]* % busy"
check "has the tables of simulate" test "$(spindle simulate --generate by-scene --seconds 1 --scheduler deadline | grep '^  order  *[ls]')" = "$(grep '^  order  *\(late\|sound\)' "$folder/stdout")"
check "with a row in each" test "$(grep '^  deadline ' "$folder/stdout" | grep -vc ' still waited in the end$')" = 2
cp "$folder/stdout" "$folder/first"
exits 0 "again" spindle play "$folder/a.sgc" --virtual --streams 8 --seconds 10 --drive x360_dvd12x --json
check "its name" json_has drive.name '"x360_dvd12x"'
for field in busy_share reads bytes seeks head_travel_mm seek_ms rotation_ms transfer_ms command_ms; do
    check "$field is counted" number_is drive.$field "> 0"
done
check "no bad blocks" json_has drive.retries 0
check "the parts are the whole" awk "BEGIN { exit !(($(value drive.command_ms) + $(value drive.seek_ms) + $(value drive.rotation_ms) + $(value drive.gap_ms) + \
    $(value drive.transfer_ms) - $(value drive.busy_ms)) ^ 2 < 0.01) }"
check "no frame is late" json_has frames_late 0
check "the drive's time is the same in both tables" test "$(value run.drive.seek_ms)" = "$(value drive.seek_ms)"
check "reads are of streams" test "$(value run.classes.stream.reads)" = "$(value run.done)"
check "some" number_is run.done "> 10"
check "one waits when the show is over" number_is run.waiting "> 0"
check "as the words say" grep -q "^  deadline  *$(value run.waiting) reads* still waited in the end$" "$folder/first"
check "few of them late" number_is run.late_share "< 0.1"
check "their waits are in order" awk "BEGIN { w = $(value run.classes.stream.mean_ms); x = $(value run.classes.stream.p95_ms); y = $(value run.classes.stream.p99_ms); \
    z = $(value run.longest_ms); exit !(0 < w && w <= x && x <= y && y <= z && z < 10000) }"
check "what it gave is below what it could" awk "BEGIN { exit !(0 < $(value run.drive.bytes_per_second) && $(value run.drive.bytes_per_second) < $(value run.drive.bound_bytes_per_second)) }"
cp "$folder/stdout" "$folder/json1"
exits 0 "the same" spindle play "$folder/a.sgc" --virtual --streams 8 --seconds 10 --drive x360_dvd12x --json
for field in start_ms drive.seek_ms drive.rotation_ms drive.busy_ms bytes_read buffered_min_ms; do
    ours=$(value $field)
    check "$field is the same again" test "$ours" = "$(cp "$folder/json1" "$folder/stdout" && value $field)"
done

# A drive that is too slow is not hidden: CD 1x gives 150 kB/s.
exits 0 "play from a drive that is too slow" spindle play "$folder/a.sgc" --virtual --streams 4 --seconds 10 --drive pce_cd1x --json
check "frames are late" number_is frames_late "> 100"
check "the drive has no pause" number_is drive.busy_share "> 0.9"
check "reads are late" number_is run.late_share "> 0.5"
check "and wait long" number_is run.longest_ms "> 1000"

printf 'name = mine\nlike = wii_dvd6x\nrate_in = 1000000\nrate_out = 1000000\n' >"$folder/mine.txt"
exits 0 "a drive of one's own" spindle play "$folder/a.sgc" --virtual --drive "$folder/mine.txt" --json
check "is named" json_has drive.name '"mine"'
printf 'like = wii_dvd6x\n' >"$folder/nameless.txt"
exits 1 "a drive without a name of its own" spindle play "$folder/a.sgc" --virtual --drive "$folder/nameless.txt"
check "is said" says "nameless.txt: name: is missing: another drive than wii_dvd6x"
exits 1 "a drive that is none" spindle play "$folder/a.sgc" --virtual --drive wii_dvd7x
check "is nearly one" says 'did you mean "wii_dvd6x"'
check "in a line" one_line
exits 3 "a drive that is no file" spindle play "$folder/a.sgc" --virtual --drive "$folder/none.txt"

# ---- order and admission ------------------------------------------------------
exits 0 "a drive has its order" spindle play "$folder/a.sgc" --virtual --drive x360_dvd12x --json
check "the deadline scheduler" json_has drive.order '"deadline"'
exits 0 "the key is, too" spindle play "$folder/a.sgc" --virtual --streams 8 --seconds 10 --drive x360_dvd12x --order key --json
check "if asked for" json_has drive.order '"key"'
check "it joins nothing" json_has drive.reads_joined 0
check "all are admitted" json_has drive.streams_admitted 8
check "to half of the drive" number_is drive.admitted_share "< 0.9"
check "of which some is used" number_is drive.admitted_share "> 0.1"
check "whose frames are in time" json_has drive.admitted_late 0
exits 0 "too much for a drive" spindle play "$folder/a.sgc" --virtual --streams 2 --seconds 2 --drive pce_cd1x --json
check "degrades streams" json_has drive.streams_degraded 2
exits 0 "or refuses them" spindle play "$folder/a.sgc" --virtual --streams 2 --seconds 2 --drive pce_cd1x --overload refuse
check "and says so" says "admitted  *0 for 0 % of the drive, 0 degraded, 2 refused"
exits 0 "or lets them" spindle play "$folder/a.sgc" --virtual --streams 2 --seconds 2 --drive pce_cd1x --overload ignore --json
check "take more than there is" number_is drive.admitted_share "> 1"
# Copies all over the disc: what is too much takes from nobody, on any drive.
mkdir "$folder/many"
for i in $(seq 10 27); do cp "$folder/a.sgc" "$folder/many/$i.sgc"; done
too_many() { # DRIVE SECTORS DEGRADED
    for i in $(seq 10 27); do echo "$((i * 791900 % $2 * 2048)) many/$i.sgc"; done >"$folder/many.txt"
    exits 0 "too much for $1" spindle play "$folder"/many/*.sgc --virtual --seconds 30 --drive "$1" --disc-layout "$folder/many.txt" --json
    check "degrades some" json_has drive.streams_degraded "$3"
    check "who read what is left" number_is drive.busy_share "> 0.9"
    check "and the others are in time" json_has drive.admitted_late 0
}
too_many x360_dvd12x 3369140 4
too_many ps2_dvd4x 2290000 10
too_many wii_dvd6x 3369140 8
exits 2 "an order of no drive" spindle play "$folder/a.sgc" --virtual --order key
exits 2 "an overload of no drive" spindle play "$folder/a.sgc" --virtual --overload refuse
exits 2 "an order that is none" spindle play "$folder/a.sgc" --virtual --drive wii_dvd6x --order fifo

# ---- places -----------------------------------------------------------------
far() { spindle play "$folder/a.sgc" "$folder/b.sgc" --virtual --drive wii_dvd6x --json "$@" >"$folder/stdout" 2>"$folder/stderr"; }
far
near=$(value drive.head_travel_mm)
printf '# far apart\n0 a.sgc\n4600000000\tb.sgc\n' >"$folder/layout.txt"
exits 0 "files far apart" far --disc-layout "$folder/layout.txt"
check "move the head further" awk "BEGIN { exit !($(value drive.head_travel_mm) > 100 * $near + 30) }"
check "without a word" test ! -s "$folder/stderr"
printf '0 a.sgc\n4600000000 c.sgc\n5 *\n8 d.sgc\n' >"$folder/layout.txt"
exits 0 "lines of a layout for no file" far --disc-layout "$folder/layout.txt"
check "are said" test "$(cat "$folder/stderr")" = "spindle: warning: $folder/layout.txt: c.sgc: no file has its place from it (2 of 4 lines are for nothing)"
printf -- '- a.sgc\n- b.sgc\n' >"$folder/layout.txt"
exits 0 "files on no disc" far --disc-layout "$folder/layout.txt"
check "leave the drive alone" json_has drive.reads 0
printf '0 a.sgc\n1 a.sgc\n' >"$folder/layout.txt"
exits 1 "a file that lies twice" far --disc-layout "$folder/layout.txt"
check "is named with its place" says 'layout.txt: line 2, column 3: "a.sgc" is there twice'
printf '9399959551 a.sgc\n' >"$folder/layout.txt"
exits 1 "a file beyond the end of the disc" far --disc-layout "$folder/layout.txt"
check "is said" says "a.sgc: $(wc -c <"$folder/a.sgc") bytes from byte 9399959551 on do not fit on the disc of wii_dvd6x, which has 9399959552"
check "in a line" one_line
printf 'name = small\nlike = wii_dvd6x\nlayers = 1\nlayer_bytes = 1500000\n' >"$folder/small.txt"
exits 1 "a disc that is full" spindle play "$folder/a.sgc" "$folder/b.sgc" --drive "$folder/small.txt"
check "says of which file, and where" says "b.sgc: [0-9]* bytes from byte $((($(wc -c <"$folder/a.sgc") + 2047) / 2048 * 2048)) on do not fit"
exits 0 "a pak" spindle pack "$folder/a.sgc" "$folder/b.sgc" -o "$folder/ab.spk" --codec zstd
exits 0 "which is smaller than its files" spindle play "$folder/ab.spk:a.sgc" --virtual --seconds 1 --drive "$folder/small.txt"
# The same numbers on every machine.
exits 0 "the example of MANUAL.md" spindle play "$folder/a.sgc" "$folder/b.sgc" --drive x360_dvd12x --virtual --streams 8 --seconds 10
sed -n '/^  frames /,/^  admitted /p; /^  deadline  *[0-9]*\(\.[0-9]*\| \/\) /p' "$folder/stdout" >"$folder/rows"
check "in some rows" test "$(wc -l <"$folder/rows")" = 13
while IFS= read -r row; do check "is as MANUAL.md has it: $row" grep -qxF -- "    $row" offline/simulate/MANUAL.md; done <"$folder/rows"
finish
