#!/usr/bin/env bash
# Goal: `spindle simulate` measures, reports and draws reads on a model of a drive.
# Method: simulate generated games and small traces, and check numbers, text and page.
# One thread.
set -u
name=test_simulate
. tests/cli/lib.sh
make_json_reader

short="--generate by-scene --seconds 20 --load 0.9"

# json_is FIELD OPERATOR VALUE: compare a number of the JSON report.
json_is() {
    json_has "$1" && awk -v x="$(cat "$folder/value")" -v y="$3" "BEGIN { exit !(x $2 y) }"
}

exits 0 "simulate compares all orders" spindle simulate $short
for order in deadline key fifo; do check "simulate reports the order $order" says "^  $order "; done
check "simulate describes the generated game" says "made up, load 0.90, seed 1, files by-scene, 20.0 s"
cp "$folder/stdout" "$folder/first"
exits 0 "simulate a second time" spindle simulate $short
check "simulate prints the same text for the same seed" cmp -s "$folder/first" "$folder/stdout"
check "simulate prints nothing on stderr" silent
exits 0 "simulate --scheduler fifo" spindle simulate $short --scheduler fifo
check "simulate --scheduler fifo prints one row in each table" test "$(grep '^  fifo    ' "$folder/stdout" | grep -vc ' still waited in the end$')" = 2
check "simulate --scheduler fifo prints no row of another order" sh -c "! grep -q '^  key ' '$folder/stdout'"

exits 0 "simulate --json" spindle simulate $short --scheduler key --json
check "simulate --json names the verb" json_has verb '"simulate"'
check "simulate --json names the order" json_has runs.0.order '"key"'
check "simulate --json: the runtime chose the order" json_has runs.0.chosen_by '"runtime"'
check "simulate --json counts the requested reads" json_is runs.0.requested ">" 50
check "simulate --json: no read failed" json_has runs.0.failed 0
check "simulate --json has waits by class" json_is runs.0.classes.stream.p99_ms ">" 0
check "simulate --json has the drive's seeks" json_is runs.0.drive.seeks ">" 10
exits 0 "simulate --seed 2" spindle simulate $short --scheduler key --seed 2
check "another seed makes another game" sh -c "! cmp -s '$folder/first' '$folder/stdout'"
exits 0 "simulate --faults 40" spindle simulate $short --faults 40 --json --scheduler deadline
check "faults fail reads" json_is runs.0.failed ">" 0

# ---- a trace on a pak -------------------------------------------------------
mkdir -p "$folder/data"
for i in 1 2 3 4 5 6 7 8; do head -c $((i * 70000)) /dev/zero | tr '\0' "$i" >"$folder/data/f$i.dds"; done
exits 0 "pack of eight files" spindle pack "$folder/data" -o "$folder/data.spk" --codec lz4hc
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    for i in 1 2 3 4 5 6 7 8; do
        [ $i = 1 ] || printf ', '
        printf '{"at_us": %u, "path": "f%u.dds", "task": "texture", "deadline_us": 3000000}' $((i * 10000)) $i
    done
    printf ']}]}'
} >"$folder/trace.json"
exits 0 "simulate --trace on a pak" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --drive wii_dvd6x --json
check "all traced reads complete" json_has runs.0.done 8
check "all traced reads complete in every order" json_has runs.2.done 8
check "no traced read is late" json_has runs.0.late 0
check "the reads deliver every byte of the trace" json_has runs.0.bytes 2520000
check "all bytes were decompressed" json_has runs.0.unpacked_bytes 2520000
check "the compressed bytes are fewer" json_is runs.0.packed_bytes "<" 100000
check "the drive reads only the compressed bytes" json_is runs.0.stored_bytes "<" 100000
check "the scene's reads are one burst" json_has runs.0.bursts.0.scene '"one"'
check "the burst has eight reads" json_has runs.0.bursts.0.ended 8
check "the burst takes longer than its transfer" json_is runs.0.bursts.0.transfer_times ">" 1
check "the report has the time of mounting the pak" json_is runs.0.mount_ms ">" 0
cp "$folder/stdout" "$folder/first"
exits 0 "simulate --trace a second time" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --drive wii_dvd6x --json
check "simulate --trace prints the same numbers again" cmp -s "$folder/first" "$folder/stdout"
cp "$folder/data.spk" "$folder/bad.spk"
printf 'damage' | dd of="$folder/bad.spk" bs=1 seek=6150 conv=notrunc 2>/dev/null
exits 1 "simulate of a pak with a damaged block is refused" spindle simulate --trace "$folder/trace.json" --layout "$folder/bad.spk" --scheduler key
check "the message about a damaged block has its offset" says "bad.spk: offset 0x.*checksum of a block"
check "the message about a damaged block is one line" one_line
exits 0 "simulate --trace as text" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --scheduler deadline
check "the text report has the burst" says "^  one  *0\.0  *8  *[0-9]*\.[0-9][0-9]$"
exits 0 "simulate --trace --seconds 1" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seconds 1 --json
check "--seconds 1 shortens the run" json_is runs.0.seconds "<=" 1
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "f8.dds", "task": "texture"}]}]}' >"$folder/one.json"
exits 0 "simulate of a trace with one read" spindle simulate --trace "$folder/one.json" --layout "$folder/data.spk" --scheduler deadline --json
json_has runs.0.classes.bulk.longest_ms && longest=$(cat "$folder/value")
check "the longest wait of one read is above 0" json_is runs.0.classes.bulk.longest_ms ">" 0
check "the mean wait of one read equals the longest" json_has runs.0.classes.bulk.mean_ms "$longest"
exits 1 "simulate of a trace of other files is refused" sh -c "sed s/f/g/g '$folder/trace.json' >'$folder/other.json'; \${EXEC:-} '$SPINDLE' simulate --trace '$folder/other.json' --layout '$folder/data.spk'"
check "the message names a traced file that is not in the pak" says "other.json: g1.dds: not in the pak"
check "the message about a traced file is one line" one_line
: >"$folder/data/empty.dds"
exits 0 "pack with an empty file" spindle pack "$folder/data" -o "$folder/empty.spk"
sed 's/f3/f9/; s/f5/empty/' "$folder/trace.json" >"$folder/other.json"
exits 0 "simulate of a trace of which some files are in the pak" spindle simulate --trace "$folder/other.json" --layout "$folder/empty.spk" --json
check "simulate warns once of the reads left out" test "$(cat "$folder/stderr")" = "spindle: warning: $folder/other.json: f9.dds: not in the pak: 2 of 8 reads are left out of the run on $folder/empty.spk"
check "simulate --json counts the reads left out" json_has left_out 2
check "simulate runs the remaining reads" json_has runs.0.done 6
# The same paths, recorded from the parent folder.
sed 's|"f|"some/data/f|' "$folder/trace.json" >"$folder/above.json"
exits 0 "simulate of a trace recorded from a parent folder" spindle simulate --trace "$folder/above.json" --layout "$folder/data.spk" --json
check "the reads of a trace from a parent folder complete" json_has runs.0.done 8
exits 0 "pack by a trace recorded from a parent folder" spindle pack "$folder/data" -o "$folder/above.spk" --order "$folder/above.json" --strict --traced-only --json
check "pack finds all files of a trace from a parent folder" json_has traced_files 8
mkdir -p "$folder/two/a" "$folder/two/b"
cp "$folder/data/f1.dds" "$folder/two/a/f1.dds"
cp "$folder/data/f2.dds" "$folder/two/b/f1.dds"
exits 0 "pack of a name in two folders" spindle pack "$folder/two" -o "$folder/two.spk"
exits 1 "simulate of an ambiguous traced name is refused" spindle simulate --trace "$folder/trace.json" --layout "$folder/two.spk"
check "the message about an ambiguous name lists both files" says "trace.json: f1.dds: may be either of: a/f1.dds, b/f1.dds"
exits 1 "pack by an ambiguous traced name is refused" spindle pack "$folder/two" -o "$folder/never.spk" --order "$folder/trace.json"
check "pack's message about an ambiguous name lists both files" says "trace.json: f1.dds: may be either of: a/f1.dds, b/f1.dds"
exits 1 "simulate --layout of a file that is not a pak is refused" spindle simulate --trace "$folder/trace.json" --layout "$folder/trace.json"
exits 1 "simulate --trace of a file that is not a trace is refused" spindle simulate --trace "$folder/data.spk" --layout "$folder/data.spk"

# ---- several reads of a file, and reads that never end --------------------------
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "f8.dds"}, {"path": "f8.dds"}, {"path": "f7.dds"}]}]}' >"$folder/twice.json"
exits 0 "pack without compression" spindle pack "$folder/data" -o "$folder/plain.spk"
exits 0 "simulate of two reads of one file" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --scheduler deadline --json
check "both reads of one file deliver its bytes" json_has runs.0.bytes $((8 * 70000 * 2 + 7 * 70000))
check "two reads of one file read the disc once" json_has runs.0.stored_bytes $((8 * 70000 + 7 * 70000))
exits 0 "simulate of a burst with an unreadable file" spindle simulate --trace "$folder/trace.json" --layout "$folder/plain.spk" --fault unreadable,offset=500000,bytes=1 --scheduler fifo --json
check "a burst with a failed read has seven completed reads" json_has runs.0.bursts.0.ended 7
check "a burst with a failed read counts the failure" json_has runs.0.bursts.0.failed 1
check "a burst with a failed read has no time" json_has runs.0.bursts.0.ms null
check "a burst with a failed read has no ratio to its transfer" json_has runs.0.bursts.0.transfer_times null
exits 0 "simulate as text of a burst with an unreadable file" spindle simulate --trace "$folder/trace.json" --layout "$folder/plain.spk" --fault unreadable,offset=500000,bytes=1 --scheduler fifo -o "$folder/failed.html"
check "the text report marks the failed burst" says "^  one  *0\.0  *8  *1 fail$"
check "the page has the failed burst" grep -q '"ended":7,"failed":1,' "$folder/failed.html"
# More reads at once than the runtime's table holds: the last ones wait for a place.
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    seq -s, 8200 | sed 's/[0-9]*/{"path": "f8.dds", "bytes": 16}/g'
    printf ']}]}'
} >"$folder/many.json"
for order in deadline key fifo; do
    exits 0 "simulate of more reads than the table of reads holds, by $order" spindle simulate --trace "$folder/many.json" --layout "$folder/plain.spk" --scheduler $order --json
    check "all of 8200 reads complete by $order" json_has runs.0.done 8200
done
exits 0 "simulate with a tray that stays open" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --fault tray-open -o "$folder/never.html"
check "the text report counts reads that were never answered" says "^  key  *3 reads were never answered"
check "every order reports reads that were never answered" test "$(grep -c "never answered" "$folder/stdout")" = 3
check "the page counts reads that were never answered" grep -q '"never_answered":3' "$folder/never.html"
exits 0 "simulate --json with a tray that stays open" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --fault tray-open --scheduler fifo --json
check "simulate --json counts reads that were never answered" json_has runs.0.never_answered 3
sed 's/"}/", "deadline_us": 90000000}/g' "$folder/twice.json" >"$folder/due.json"
for fault in tray-open tray-open,failing; do
    exits 0 "simulate of reads with a deadline, $fault" spindle simulate --trace "$folder/due.json" --layout "$folder/plain.spk" --fault $fault --scheduler key --json
    check "$fault: reads with a deadline are late, answered or not" json_has runs.0.late 3
    check "$fault: all reads with a deadline are late" json_has runs.0.late_share 1
    check "$fault: the class bulk counts the late reads" json_has runs.0.classes.bulk.late 3
    exits 0 "simulate as text of reads with a deadline, $fault" spindle simulate --trace "$folder/due.json" --layout "$folder/plain.spk" --fault $fault --scheduler key -o "$folder/due.html"
    check "$fault: the text report has 100 % late reads" says "^  key  *100.00 "
    check "$fault: the page has 100 % late reads" grep -q '"late_share":1,' "$folder/due.html"
    # The code of each late read on the page: class bulk; 15 failed, 7 never answered.
    [ $fault = tray-open ] && how=15 || how=7
    check "$fault: the page marks each late read" sh -c "grep -o '\"lates\":[^]]*' '$folder/due.html' | grep -Eq '^\"lates\":.([^,]*,[^,]*,[^,]*,$how,[0-9]*,?){3}\$'"
done
check "simulate --help defines late reads" sh -c "\${EXEC:-} '$SPINDLE' simulate --help | tr '\n' ' ' | grep -q 'a deadline that  *failed or was never answered is late'"
exits 0 "simulate with a tray that is closed after 2 s" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --fault tray-open,for=2 --scheduler key --json
check "all reads are answered after the tray is closed" json_has runs.0.never_answered 0

# Normal reads keep the drive busy; three idle reads wait behind them to the end. They
# have no deadline, so they are not late, but the report counts them.
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    seq -s, 10 | sed 's/[0-9][0-9]*/{"path": "f8.dds"}/g' | tr -d '\n'
    for i in 1 2 3; do printf ', {"at_us": %u, "path": "f%u.dds", "priority": "idle"}' $((i * 1000)) $i; done
    for i in $(seq 1 800); do printf ', {"at_us": %u, "path": "f%u.dds", "offset": %u}' $((i * 10000)) $((i % 4 + 4)) $((i * 4099 % 200000)); done
    printf ']}]}'
} >"$folder/idle.json"
idle="--trace $folder/idle.json --layout $folder/plain.spk --scheduler key --seconds 5"
exits 0 "simulate of idle reads behind reads that keep the drive busy" spindle simulate $idle --json
check "waiting idle reads are not late" json_has runs.0.late 0
check "idle reads still wait at the end" json_is runs.0.classes.bulk.waiting ">=" 3
check "the longest wait counts reads that still wait" json_has runs.0.longest_ms 4999
check "the longest wait of the class counts reads that still wait" json_has runs.0.classes.bulk.longest_ms 4999
waiting=$(json_has runs.0.waiting x; cat "$folder/value")
exits 0 "simulate as text of waiting idle reads" spindle simulate $idle -o "$folder/idle.html"
check "the text report has the longest wait of waiting reads" says "^  key  *0.00 .* 5.0$"
check "the text report counts the waiting reads" says "^  key  *$waiting reads still waited in the end$"
check "the page has the waiting reads and the longest wait" grep -q "\"waiting\":$waiting,.*\"longest_ms\":4999" "$folder/idle.html"

# ---- entering scenes --------------------------------------------------------
# 220 files at once; 40 of them belong to both scenes and have copies. The reads are of
# one type, of several types with sounds first, or have deadlines that no drive can
# meet.
mkdir -p "$folder/scenes"
awk -v to="$folder/scenes" '
function task(name) { return name ~ /wav/ ? "sound" : name ~ /[0-4].dds/ ? "animation" : "texture" }
function trace(out, is_typed, deadline_us,    s, pass, i, it, sep) {
    printf "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [" >out
    for (s = 0; s < 2; s++) {
        printf "%s{\"name\": \"s%d\", \"reads\": [", s ? "]}, " : "", s >out
        sep = ""
        for (pass = 0; pass < 2; pass++)
            for (i = 0; i < 220; i++) {
                it = name[s, (i * 91) % 220]
                if (pass == (is_typed && it !~ /wav/)) {
                    printf "%s{\"at_us\": %d, \"path\": \"%s\", \"task\": \"%s\", \"deadline_us\": %d}", sep, s * 10000000, it, is_typed ? task(it) : "texture", deadline_us >out
                    sep = ", "
                }
            }
    }
    print "]}]}" >out
}
BEGIN {
    for (s = 0; s < 2; s++) {
        for (i = 0; i < 180; i++) name[s, i] = sprintf("s%d_%03d.dds", s, (i * 77) % 180)
        for (i = 180; i < 220; i++) name[s, i] = sprintf("all_%03d.wav", i)
        for (i = 0; i < 220; i++) {
            bytes = 4000 + (i * 7919) % 90000
            text = sprintf("%60s%d", name[s, i], i)
            while (length(text) < bytes) text = text text
            printf "%s", substr(text, 1, bytes) >(to "/" name[s, i])
            close(to "/" name[s, i])
        }
    }
    trace(to "-one.json", 0, 0)
    trace(to "-three.json", 1, 0)
    trace(to "-due.json", 1, 300000)
}'
for types in one three due; do
    exits 0 "pack --order scene with copies, $types" spindle pack "$folder/scenes" -o "$folder/scenes.spk" --order scene --order "$folder/scenes-$types.json" --duplicate-budget 20
    exits 0 "simulate of entering the scenes, $types" spindle simulate --trace "$folder/scenes-$types.json" --layout "$folder/scenes.spk" --scheduler deadline --json
    for scene in 0 1; do
        check "$types: the burst of scene $scene has 220 files" json_has runs.0.bursts.$scene.ended 220
        check "$types: the burst of scene $scene takes at most 1.1 times its transfer" json_is runs.0.bursts.$scene.transfer_times "<=" 1.1
    done
done

# Three scenes, each with copies of 40 of its 100 files. The head comes from the scene
# before, and reads the copy beside the scene's own files.
mkdir -p "$folder/copies"
awk -v to="$folder/copies" '
BEGIN {
    # About half of the bytes compresses.
    srand(1)
    while (length(pool) < 510000) {
        for (k = 0; k < 300; k++) chunk = chunk sprintf("%c", 33 + int(rand() * 90))
        pool = pool chunk sprintf("%300s", "")
        chunk = ""
    }
    for (i = 0; i < 640; i++) {
        name = i < 540 ? sprintf("s%d_%03d.dds", i / 180, i) : sprintf("all_%03d.wav", i)
        bytes = 4000 + (i * 7919) % 300000
        printf "%s", substr(pool, 1 + i * 311, bytes) >(to "/" name)
        close(to "/" name)
    }
    for (gap = 0; gap <= 400; gap = gap ? gap * 400 : 1) {
        out = to "-" gap ".json"
        printf "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [" >out
        for (s = 0; s < 3; s++) {
            printf "%s{\"name\": \"s%d\", \"reads\": [", s ? "]}, " : "", s >out
            for (k = 0; k < 220; k++) {
                i = (k * 91) % 220
                name = i < 180 ? sprintf("s%d_%03d.dds", s, s * 180 + i) : sprintf("all_%03d.wav", 540 + (i * 37 + s * 29) % 100)
                printf "%s{\"at_us\": %d, \"path\": \"%s\", \"task\": \"%s\"}", k ? ", " : "", s * 10000000 + k * gap, name, name ~ /wav/ ? "sound" : k % 3 ? "texture" : "animation" >out
            }
        }
        print "]}]}" >out
        close(out)
    }
}'
for codec in none lz4hc; do
    exits 0 "pack of three scenes with copies, $codec" spindle pack "$folder/copies" -o "$folder/copies.spk" --order scene --order "$folder/copies-0.json" --duplicate-budget 20 --codec $codec
    for gap in 0 1 400; do
        exits 0 "simulate of the three scenes, $codec, reads $gap us apart" spindle simulate --trace "$folder/copies-$gap.json" --layout "$folder/copies.spk" --scheduler deadline --json
        # Compressed, the transfer takes half the time, and the head's travel as long as
        # before.
        case $gap,$codec in 0,*) bar=1.01 ;; *,none) bar=1.06 ;; *) bar=1.16 ;; esac
        for scene in 0 1 2; do
            json_has runs.0.bursts.$scene.transfer_times && cat "$folder/value"
        done >"$folder/times"
        check "three scenes with copies take at most $bar times their transfer, $codec, reads $gap us apart" awk -v bar=$bar '{ sum += $1 } END { exit !(NR == 3 && sum / 3 <= bar) }' "$folder/times"
    done
done

# ---- several traces and paks, comparison -----------------------------------------
mkdir -p "$folder/half"
cp "$folder"/data/f[1-4].dds "$folder/half/"
exits 0 "pack of half of the files" spindle pack "$folder/half" -o "$folder/half.spk"
mkdir -p "$folder/rest"
cp "$folder"/data/f[4-8].dds "$folder/rest/"
exits 0 "pack of the other files" spindle pack "$folder/rest" -o "$folder/rest.spk" --order size
trace="--trace $folder/trace.json"
exits 0 "simulate --layout with two paks" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --scheduler deadline --json
check "all reads from two paks complete" json_has runs.0.done 8
check "the reads from two paks deliver every byte" json_has runs.0.bytes 2520000
check "the report names both paks" says "half.spk, .*rest.spk"
exits 0 "simulate with a fault in the second pak" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --fault unreadable,offset=300000,bytes=1:f8.dds --scheduler fifo --json
check "a fault in the second pak fails one read" json_has runs.0.failed 1
exits 0 "simulate with a fault in a named pak" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --fault "unreadable,offset=0:$folder/half.spk:f4.dds" --scheduler fifo --json
check "a fault in a named pak fails no read of another pak's copy" json_has runs.0.failed 0
printf '5000000000 half.spk\n3000000000 *rest.spk\n' >"$folder/disc.txt"
exits 0 "simulate --disc-layout of two paks" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --disc-layout "$folder/disc.txt" --scheduler key -o "$folder/placed.html"
check "--disc-layout places the paks" grep -Eq '"moves":.[0-9.]*,[0-9.]*,(48[89]|29[23])[0-9]{4},' "$folder/placed.html"
printf -- '- half.spk\n' >"$folder/disc.txt"
exits 1 "simulate --disc-layout without a place for the pak is refused" spindle simulate $trace --layout "$folder/half.spk" --disc-layout "$folder/disc.txt"
check "the message names the pak without a place" says "half.spk: does not lie on the disc, says .*disc.txt"
exits 0 "simulate of two traces" spindle simulate $trace --trace "$folder/twice.json" --layout "$folder/plain.spk" --scheduler deadline --json
check "the first trace has a result" json_has results.0.runs.0.done 8
check "the second trace has a result" json_has results.1.runs.0.done 3
exits 0 "simulate --compare of two paks" spindle simulate $trace --compare "$folder/data.spk" "$folder/plain.spk"
check "--compare names both paks" says "^  B  *.*plain.spk$"
check "--compare has the time of each scene" says "^  one  *[0-9.]*  *[0-9.]*  *[+-][0-9.]* %$"
exits 0 "simulate --compare --json" spindle simulate $trace --compare "$folder/data.spk" "$folder/plain.spk" --json
check "--compare --json has a result for each pak" json_has results.1.runs.0.order '"deadline"'
exits 0 "simulate --compare with a pak that lacks files" spindle simulate $trace --compare "$folder/data.spk" "$folder/half.spk"
check "--compare warns of the reads left out" says "f5.dds: not in the pak: 4 of 8 reads are left out of the run on .*half.spk"
check "--compare has no time for a scene that lacks reads" says "^  one  *[0-9.]*  *- *B lacks 4 reads$"
check "--compare prints no difference of the drive's busy time when the reads differ" says "^  drive busy, s  *[0-9.]*  *[0-9.]*$"
check "--compare names the pak that lacks reads" says "^  of different reads: B lacks 4 reads$"
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "both", "reads": [{"path": "f4.dds"}, {"path": "f0.dds"}, {"path": "f4.dds", "offset": 100000}]}, '
    printf '{"name": "unlike", "at_us": 1, "reads": [{"at_us": 5000000, "path": "f1.dds"}, {"at_us": 5000000, "path": "f4.dds"}, {"at_us": 5000000, "path": "f8.dds"}]}]}'
} >"$folder/unlike.json"
exits 0 "simulate --compare of paks that lack different files" spindle simulate --trace "$folder/unlike.json" --compare "$folder/half.spk" "$folder/rest.spk"
check "--compare counts the reads that each pak lacks" says "^  unlike  *-  *-  *A lacks 1 reads, B lacks 1 reads$"
check "--compare has the times of a scene with equal reads" says "^  both  *[0-9.]*  *[0-9.]*  *[+-][0-9.]* %$"
check "--compare sums the scenes with equal reads" says "^  scenes of equal reads  *[0-9.]*  *[0-9.]*  *[+-][0-9.]* %$"
exits 0 "simulate --compare --json of paks that lack different files" spindle simulate --trace "$folder/unlike.json" --compare "$folder/half.spk" "$folder/rest.spk" --json
check "--compare --json counts the reads left out of the first pak" json_has results.0.runs.0.scenes.0.left_out 1
check "--compare --json counts the reads left out of the second pak" json_has results.1.runs.0.scenes.1.left_out 1
exits 2 "--compare with one pak is a usage error" spindle simulate $trace --compare "$folder/data.spk"
exits 2 "--compare with -o is a usage error" spindle simulate $trace --compare "$folder/data.spk" "$folder/plain.spk" -o "$folder/two.html"
exits 2 "--disc-layout without paks is a usage error" spindle simulate $short --disc-layout "$folder/disc.txt"

# ---- options that fail a build --------------------------------------------------
exits 1 "simulate --strict of a trace with missing files is refused" spindle simulate --trace "$folder/trace.json" --layout "$folder/half.spk" --strict
check "the refusal by --strict counts the missing reads" says "trace.json: f5.dds: not in the pak: 4 of 8 reads on .*half.spk"
exits 0 "simulate --strict of a trace with all files" spindle simulate $trace --layout "$folder/data.spk" --strict --scheduler deadline
sed 's/"deadline_us": 3000000/"deadline_us": 1/g' "$folder/trace.json" >"$folder/tight.json"
tight="--trace $folder/tight.json --layout $folder/plain.spk --scheduler deadline"
exits 1 "simulate --fail-if-late 99.5 with 100 % late reads fails" spindle simulate $tight --fail-if-late 99.5
check "the message of --fail-if-late has the share of late reads" says "tight.json: .*plain.spk: 100.00 % of the reads are late by deadline, more than 99.5 %"
check "--fail-if-late prints the report first" says "^  deadline  *100.00"
exits 0 "simulate --fail-if-late 100 with 100 % late reads" spindle simulate $tight --fail-if-late 100
exits 0 "simulate --fail-if-late 0 without late reads" spindle simulate $trace --layout "$folder/data.spk" --scheduler deadline --fail-if-late 0
sed 's/, "deadline_us": 3000000//g; s/"texture"/"sound"/g' "$folder/trace.json" >"$folder/untold.json"
untold="--trace $folder/untold.json --layout $folder/plain.spk --scheduler fifo --drive ps2_dvd4x --json"
exits 0 "simulate of reads without a deadline" spindle simulate $untold
check "reads without a deadline have that of their class" json_is runs.0.late ">" 0
exits 0 "simulate --deadlines trace of reads without a deadline" spindle simulate $untold --deadlines trace
check "--deadlines trace: reads without a deadline are not late" json_has runs.0.late 0

# ---- a generated game as a trace ----------------------------------------------
exits 0 "simulate --write-trace of a generated game" spindle simulate $short --scheduler deadline --write-trace "$folder/made.json" --json
check "the generated game has reads" json_is runs.0.requested ">" 50
requested=$(cat "$folder/value")
check "--write-trace writes a trace" grep -q '"kind": "trace"' "$folder/made.json"
exits 0 "simulate of the written trace" spindle simulate --generate by-scene --trace "$folder/made.json" --scheduler deadline --json
check "the written trace has the same reads" json_has runs.0.requested "$requested"
check "the written trace names only files of the layout" json_has left_out 0
check "the written trace is simulated on the same layout" json_has layout '"by-scene"'
exits 0 "simulate of the written trace on another layout" spindle simulate --generate copies --trace "$folder/made.json" --scheduler key --json
check "the written trace has the same reads on another layout" json_has runs.0.requested "$requested"
exits 1 "simulate --generate of a trace of other files is refused" spindle simulate --generate copies --trace "$folder/trace.json"
check "the message names a traced file that is not on the disc" says "trace.json: f1.dds: not on the disc"
exits 3 "--write-trace to a missing folder fails" spindle simulate $short --scheduler key --write-trace "$folder/none/made.json"

# ---- usage errors and refusals -------------------------------------------------
exits 2 "simulate without reads is a usage error" spindle simulate
exits 2 "--generate with --layout is a usage error" spindle simulate --generate copies --trace "$folder/trace.json" --layout "$folder/data.spk"
exits 2 "--trace without --layout or --generate is a usage error" spindle simulate --trace "$folder/trace.json"
exits 2 "--generate with --layout and without --trace is a usage error" spindle simulate --generate copies --layout "$folder/data.spk"
exits 2 "--write-trace and -o to the same file are a usage error" spindle simulate $short --write-trace "$folder/made.html" -o "$folder/made.html"
exits 2 "--write-trace of a trace is a usage error" spindle simulate --generate copies --trace "$folder/made.json" --write-trace "$folder/again.json"
exits 2 "--load with a trace is a usage error" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --load 0.95
check "the message about --load asks for a generated game" says "load needs a generated game"
exits 2 "--seed with a trace is a usage error" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seed 1
exits 0 "--seed with a trace and --faults" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seed 2 --faults 3 --scheduler key
for order in best sweep sstf c-look edf; do exits 2 "an unknown order is a usage error: $order" spindle simulate $short --scheduler $order; done
exits 2 "an operand is a usage error" spindle simulate $short "$folder/data.spk"
check "the message about an operand names --layout" says "named by --layout"
exits 1 "an unknown drive is refused" spindle simulate $short --drive wii_dvd6y
check "the message about an unknown drive names the nearest" says 'did you mean "wii_dvd6x"'
exits 3 "-o to a missing folder fails" spindle simulate $short --scheduler key -o "$folder/none/page.html"
exits 1 "-o onto the trace is refused" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" -o "$folder/trace.json"
check "-o onto the trace keeps the trace" grep -q '"kind": "trace"' "$folder/trace.json"

# ---- the page -----------------------------------------------------------------
exits 0 "simulate -o writes a page" spindle simulate $short --faults 5 -o "$folder/page.html"
check "the page is complete" test "$(tail -n 1 "$folder/page.html")" = "</html>"
check "the page contains its data" grep -q '"moves":\[' "$folder/page.html"
check "the page contains no placeholder of its data" sh -c "! grep -q 'DATA\*/' '$folder/page.html'"
check "the page says which of the heap's values are assumed" grep -q 'how long a block stays is assumed' "$folder/page.html"
check "the page has snapshots of the heap" grep -q '"page_bytes":[0-9]*,"snapshots":\[\[0,[0-9]' "$folder/page.html"
check "the page has a reasonable size" test "$(wc -c <"$folder/page.html")" -lt 400000
check "the page loads nothing from outside" sh -c "! grep -Eq '(src|href)=.?https?:|url\(|@import|fetch\(|XMLHttp' '$folder/page.html'"
exits 0 "simulate -o with a trace" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" -o "$folder/trace.html"
check "the page of a trace has its bursts" grep -q '"bursts":\[{"scene":"one"' "$folder/trace.html"
check "the page of a trace has its files" grep -q '"files":\["f1.dds",' "$folder/trace.html"
check "the page of a trace has no assumed heap" sh -c "! grep -q '\"heap\":{' '$folder/trace.html'"
# A read that is long enough to appear steep when zoomed in.
mkdir -p "$folder/long"
head -c 6000000 /dev/zero | tr '\0' l >"$folder/long/long.dds"
cp "$folder/data/f1.dds" "$folder/long/"
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "f1.dds"}, {"path": "long.dds", "think_us": 900000}, {"path": "f1.dds", "think_us": 900000}]}]}' >"$folder/long.json"
exits 0 "pack of a long file" spindle pack "$folder/long" -o "$folder/long.spk"
exits 0 "simulate -o of a long read" spindle simulate --trace "$folder/long.json" --layout "$folder/long.spk" -o "$folder/plain.html"
cp "$folder/trace.json" "$folder/a<b>.json"
if spindle compile "$folder/a<b>.json" -o "$folder/none" 2>&1 | grep -q 'cannot open'; then
    echo "  skipped: no such names on this system"
    skipped=$((skipped + 2))
else
    exits 0 "simulate -o with names that contain markup" spindle simulate --trace "$folder/a<b>.json" --layout "$folder/data.spk" -o "$folder/odd.html"
    check "markup in names is escaped on the page" sh -c "grep -q 'a.u003cb>.json' '$folder/odd.html' && ! grep -q 'a<b>' '$folder/odd.html'"
fi

browser=
for candidate in chromium chromium-browser google-chrome; do
    command -v $candidate >/dev/null && browser=$candidate && break
done

# browse PAGE: print the page as HTML after its scripts ran; the console goes to
# $folder/console.
browse() {
    timeout 120 $browser --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run --hide-scrollbars --user-data-dir="$folder/browser" --virtual-time-budget=5000 --enable-logging=stderr --dump-dom "file://$1" 2>"$folder/log"
    grep ':CONSOLE' "$folder/log" >"$folder/console"
}

# look WIDTH: show the page $page in a frame of this width. A script inside reports
# "errors scrollWidth width charts tip name" to $folder/told. Without a trace it moves
# the slider of the heap to its end instead of "name". The page's content policy
# stays in force. "name" tells whether the tip at the middle of the longest read, zoomed
# in, names the read's file, also after the view moved.
look() {
    sed 's|^"use strict";$|"use strict"; window.wrong = 0; addEventListener("error", () => window.wrong++);|' "$folder/$page.html" >"$folder/inner.html"
    cat >>"$folder/inner.html" <<'END'
<script>
const painted = id => { const c = document.getElementById(id), p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; return p.some(x => x > 0); };
const canvas = document.getElementById("rate"), box = canvas.getBoundingClientRect();
document.querySelectorAll("#pick input").forEach(i => i.click());
document.getElementById("in").click();
canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 40 }));
const move = document.getElementById("moves"), m = run.moves;
let best = 0;
for (let i = 0; i < m.length; i += MOVE) if (m[i + 3] - m[i + 2] > m[best + 3] - m[best + 2]) best = i;
const tipped = () => { const text = document.getElementById("tip").textContent; return text.includes(D.files[m[best + 6]]); };
const begin_ms = m[best] + m[best + 5], middle = (begin_ms + m[best + 1]) / 2;
look(middle - 100, middle + 100);
const at = move.getBoundingClientRect(), point = new PointerEvent("pointermove", { clientX: at.left + move.chart.x(middle), clientY: at.top + move.chart.pos((m[best + 2] + m[best + 3]) / 2) });
move.dispatchEvent(point);
let isNamed = tipped();
look(0, whole);
look(middle - 100, middle + 100);
isNamed = isNamed && tipped();
const tall = Math.abs(move.chart.pos(m[best + 2]) - move.chart.pos(m[best + 3]));
document.getElementById("out").click(); document.getElementById("in").click();
const when = document.getElementById("when"), note = document.getElementById("pagenote");
const slide = to => { when.value = to; when.dispatchEvent(new Event("input")); return note.textContent; };
const hasMoved = !D.trace && slide(0) !== slide(when.max) && /(sound|clip|stream|bulk) [0-9].*, free [0-9].*; the oldest block is [0-9]/.test(slide(when.max));
canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 40 }));
parent.postMessage([window.wrong, document.documentElement.scrollWidth, innerWidth, ["moves", "depth", "rate", "heap", "pages"].filter(painted).length, document.getElementById("tip").textContent.includes("MB/s") ? "tip" : "none", !D.trace ? (hasMoved ? "no-trace" : "still") : tall < 120 ? "flat" : isNamed ? "named" : "nameless"].join(" "), "*");
</script>
END
    cat >"$folder/outer.html" <<END
<!doctype html><title>nothing</title><iframe src="inner.html" style="width:$1px;height:800px;border:0"></iframe>
<script>addEventListener("message", e => { document.title = "told " + e.data; });</script>
END
    browse "$folder/outer.html" |
        sed -n 's|.*<title>told \([^<]*\)</title>.*|\1|p' >"$folder/told"
}

if [ -z "$browser" ]; then
    skipped=$((skipped + 1))
    echo "  skipped: the page is not checked without chromium"
else
    # The page as delivered: its own script has drawn it, and the browser blocked
    # nothing.
    for page in page trace plain; do
        browse "$folder/$page.html" >"$folder/stdout"
        check "$page: the page has its title" says '<h1 id="title">[^<]*: [0-9,]* reads in [0-9]* s</h1>'
        charts="moves depth rate"
        [ $page = page ] && charts="$charts heap"
        for chart in $charts; do
            check "$page: the page draws $chart" says "<canvas id=\"$chart\" [^>]*width=\"[1-9][0-9]*\" [^>]*aria-label=\"[A-Z]"
        done
        check "$page: the page has its numbers" says '<div class="tile[a-z ]*"><b>[0-9.]*<small> %</small></b><span>late ('
        check "$page: the page has a button for each order" test "$(grep -o '<input [^>]*name="order"' "$folder/stdout" | wc -l)" = 3
        check "$page: the browser's console is empty" test ! -s "$folder/console"
    done
    for page in page plain; do for width in 1280 390 320; do
        [ $page = page ] && all="5 tip no-trace" || all="3 tip named"
        look $width
        check "$page: at a width of $width everything is drawn without errors or overflow" test "$(cat "$folder/told")" = "0 $width $width $all"
    done; done
    browse "$folder/plain.html" >"$folder/stdout"
    check "the legend lists no class without reads" sh -c "! grep -Eq '<li><i [^>]*></i>(clip|stream)' '$folder/stdout'"
    check "the legend lists the class bulk" says '<li><i [^>]*></i>bulk'
    check "the page of a trace hides the heap" says '<section class="card" id="heapcard" hidden'
    check "the page lists the scenes in a table" says '<table id="scenes">.*<td data-of="scene">one</td>' 
fi

# The numbers are the same on every machine.
exits 0 "simulate: the example of MANUAL.md" spindle simulate --generate scattered --load 0.95
for order in order deadline key fifo; do
    row=$(grep -m 1 "^  $order " "$folder/stdout")
    check "MANUAL.md has the printed row of $order" grep -qxF -- "    $row" offline/simulate/MANUAL.md
done

exits 0 "simulate --help" spindle simulate --help
check "simulate --help begins with examples" says "^  spindle simulate"
for word in scattered by-type by-scene copies all deadline key fifo; do
    check "simulate --help lists the choice $word" says "^ *--[a-z]* .*\b$word\b"
done
finish
