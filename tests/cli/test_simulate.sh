#!/usr/bin/env bash
# What `spindle simulate` measures, says and draws.
# One thread.
set -u
name=test_simulate
. tests/cli/lib.sh
make_json_reader

short="--generate by-scene --seconds 20 --load 0.9"

# Is the number in the JSON at $1 a number that passes the test `$2 $3`?
json_is() {
    json_has "$1" && awk -v x="$(cat "$folder/value")" -v y="$3" "BEGIN { exit !(x $2 y) }"
}

exits 0 "simulate compares all orders" spindle simulate $short
for order in deadline key fifo; do check "$order is among them" says "^  $order "; done
check "and says what was read" says "made up, load 0.90, seed 1, files by-scene, 20.0 s"
cp "$folder/stdout" "$folder/first"
exits 0 "again" spindle simulate $short
check "says the same" cmp -s "$folder/first" "$folder/stdout"
check "without a word on stderr" silent
exits 0 "one order alone" spindle simulate $short --scheduler fifo
check "is one row in each table" test "$(grep '^  fifo    ' "$folder/stdout" | grep -vc ' still waited in the end$')" = 2
check "and no other" sh -c "! grep -q '^  key ' '$folder/stdout'"

exits 0 "as JSON" spindle simulate $short --scheduler key --json
check "with its verb" json_has verb '"simulate"'
check "names the order" json_has runs.0.order '"key"'
check "which the runtime chooses" json_has runs.0.chosen_by '"runtime"'
check "of some reads" json_is runs.0.asked ">" 50
check "all of which ended well" json_has runs.0.failed 0
check "with waits by class" json_is runs.0.classes.stream.p99_ms ">" 0
check "and what the drive did" json_is runs.0.drive.seeks ">" 10
exits 0 "another seed" spindle simulate $short --scheduler key --seed 2
check "is another game" sh -c "! cmp -s '$folder/first' '$folder/stdout'"
exits 0 "faults" spindle simulate $short --faults 40 --json --scheduler deadline
check "fail reads" json_is runs.0.failed ">" 0

# ---- a trace on a pak -------------------------------------------------------
mkdir -p "$folder/data"
for i in 1 2 3 4 5 6 7 8; do head -c $((i * 70000)) /dev/zero | tr '\0' "$i" >"$folder/data/f$i.dds"; done
exits 0 "a pak" spindle pack "$folder/data" -o "$folder/data.spk" --codec lz4hc
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    for i in 1 2 3 4 5 6 7 8; do
        [ $i = 1 ] || printf ', '
        printf '{"at_us": %u, "path": "f%u.dds", "task": "texture", "deadline_us": 3000000}' $((i * 10000)) $i
    done
    printf ']}]}'
} >"$folder/trace.json"
exits 0 "a trace on a pak" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --drive wii_dvd6x --json
check "reads all of it" json_has runs.0.done 8
check "in every order" json_has runs.2.done 8
check "in time" json_has runs.0.late 0
check "every byte of it" json_has runs.0.bytes 2520000
check "which was decoded" json_has runs.0.unpacked_bytes 2520000
check "from less" json_is runs.0.packed_bytes "<" 100000
check "and so read in less" json_is runs.0.stored_bytes "<" 100000
check "with a burst of the scene" json_has runs.0.bursts.0.scene '"one"'
check "of all eight" json_has runs.0.bursts.0.ended 8
check "in more than its transfer" json_is runs.0.bursts.0.transfer_times ">" 1
check "after mounting the pak" json_is runs.0.mount_ms ">" 0
cp "$folder/stdout" "$folder/first"
exits 0 "again" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --drive wii_dvd6x --json
check "are the same numbers" cmp -s "$folder/first" "$folder/stdout"
cp "$folder/data.spk" "$folder/bad.spk"
printf 'damage' | dd of="$folder/bad.spk" bs=1 seek=6150 conv=notrunc 2>/dev/null
exits 1 "a pak with a damaged block" spindle simulate --trace "$folder/trace.json" --layout "$folder/bad.spk" --scheduler key
check "is refused with the place" says "bad.spk: offset 0x.*checksum of a block"
check "in a line" one_line
exits 0 "the same in words" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --scheduler deadline
check "has the burst" says "^  one  *0\.0  *8  *[0-9]*\.[0-9][0-9]$"
exits 0 "less of it" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seconds 1 --json
check "is shorter" json_is runs.0.seconds "<=" 1
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "f8.dds", "task": "texture"}]}]}' >"$folder/one.json"
exits 0 "a trace of one read" spindle simulate --trace "$folder/one.json" --layout "$folder/data.spk" --scheduler deadline --json
json_has runs.0.classes.bulk.longest_ms && longest=$(cat "$folder/value")
check "takes some time" json_is runs.0.classes.bulk.longest_ms ">" 0
check "which is the mean, too" json_has runs.0.classes.bulk.mean_ms "$longest"
exits 1 "a trace of other files" sh -c "sed s/f/g/g '$folder/trace.json' >'$folder/other.json'; \${EXEC:-} '$SPINDLE' simulate --trace '$folder/other.json' --layout '$folder/data.spk'"
check "is refused by name" says "other.json: g1.dds: not in the pak"
check "in a line" one_line
: >"$folder/data/empty.dds"
exits 0 "a pak with an empty file" spindle pack "$folder/data" -o "$folder/empty.spk"
sed 's/f3/f9/; s/f5/empty/' "$folder/trace.json" >"$folder/other.json"
exits 0 "a trace of other files, too" spindle simulate --trace "$folder/other.json" --layout "$folder/empty.spk" --json
check "says what is left out, once" test "$(cat "$folder/stderr")" = "spindle: warning: $folder/other.json: f9.dds: not in the pak: 2 of 8 reads are left out of the run on $folder/empty.spk"
check "and how many" json_has left_out 2
check "and reads the rest" json_has runs.0.done 6
# As they were played, from the folder above.
sed 's|"f|"some/data/f|' "$folder/trace.json" >"$folder/above.json"
exits 0 "a trace that was played from above" spindle simulate --trace "$folder/above.json" --layout "$folder/data.spk" --json
check "is of the same files" json_has runs.0.done 8
exits 0 "a pak in its order" spindle pack "$folder/data" -o "$folder/above.spk" --order "$folder/above.json" --strict --traced-only --json
check "has them all" json_has traced_files 8
mkdir -p "$folder/two/a" "$folder/two/b"
cp "$folder/data/f1.dds" "$folder/two/a/f1.dds"
cp "$folder/data/f2.dds" "$folder/two/b/f1.dds"
exits 0 "a pak with a name twice" spindle pack "$folder/two" -o "$folder/two.spk"
exits 1 "a trace that may mean either" spindle simulate --trace "$folder/trace.json" --layout "$folder/two.spk"
check "is told both" says "trace.json: f1.dds: may be either of: a/f1.dds, b/f1.dds"
exits 1 "packing by it" spindle pack "$folder/two" -o "$folder/never.spk" --order "$folder/trace.json"
check "is told both, too" says "trace.json: f1.dds: may be either of: a/f1.dds, b/f1.dds"
exits 1 "a pak that is none" spindle simulate --trace "$folder/trace.json" --layout "$folder/trace.json"
exits 1 "a trace that is none" spindle simulate --trace "$folder/data.spk" --layout "$folder/data.spk"

# ---- what several want, and what never comes -----------------------------------
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "f8.dds"}, {"path": "f8.dds"}, {"path": "f7.dds"}]}]}' >"$folder/twice.json"
exits 0 "a plain pak" spindle pack "$folder/data" -o "$folder/plain.spk"
exits 0 "two reads of the same" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --scheduler deadline --json
check "are delivered twice" json_has runs.0.bytes $((8 * 70000 * 2 + 7 * 70000))
check "and come off the disc once" json_has runs.0.stored_bytes $((8 * 70000 + 7 * 70000))
exits 0 "a burst of which one cannot be read" spindle simulate --trace "$folder/trace.json" --layout "$folder/plain.spk" --fault unreadable,offset=500000,bytes=1 --scheduler fifo --json
check "has not all ended" json_has runs.0.bursts.0.ended 7
check "as one failed" json_has runs.0.bursts.0.failed 1
check "and no time" json_has runs.0.bursts.0.ms null
check "in times of its transfer, either" json_has runs.0.bursts.0.transfer_times null
exits 0 "the same burst in words" spindle simulate --trace "$folder/trace.json" --layout "$folder/plain.spk" --fault unreadable,offset=500000,bytes=1 --scheduler fifo -o "$folder/failed.html"
check "says so" says "^  one  *0\.0  *8  *1 fail$"
check "as the page does" grep -q '"ended":7,"failed":1,' "$folder/failed.html"
# More reads at once than the runtime's table has: the last ones wait for room.
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    seq -s, 8200 | sed 's/[0-9]*/{"path": "f8.dds", "bytes": 16}/g'
    printf ']}]}'
} >"$folder/many.json"
for order in deadline key fifo; do
    exits 0 "more reads than there is room for, by $order" spindle simulate --trace "$folder/many.json" --layout "$folder/plain.spk" --scheduler $order --json
    check "all of them end" json_has runs.0.done 8200
done
exits 0 "reads behind an open tray" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --fault tray-open -o "$folder/never.html"
check "are said" says "^  key  *3 reads were never answered"
check "for each order" test "$(grep -c "never answered" "$folder/stdout")" = 3
check "and on the page" grep -q '"never_answered":3' "$folder/never.html"
exits 0 "the same for machines" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --fault tray-open --scheduler fifo --json
check "has how many" json_has runs.0.never_answered 3
sed 's/"}/", "deadline_us": 90000000}/g' "$folder/twice.json" >"$folder/due.json"
for fault in tray-open tray-open,failing; do
    exits 0 "reads with a deadline, $fault" spindle simulate --trace "$folder/due.json" --layout "$folder/plain.spk" --fault $fault --scheduler key --json
    check "are late, answered or not" json_has runs.0.late 3
    check "all of them" json_has runs.0.late_share 1
    check "by class, too" json_has runs.0.classes.bulk.late 3
    exits 0 "and in words" spindle simulate --trace "$folder/due.json" --layout "$folder/plain.spk" --fault $fault --scheduler key -o "$folder/due.html"
    check "it says so" says "^  key  *100.00 "
    check "as the page does" grep -q '"late_share":1,' "$folder/due.html"
    # Of bulk; failed, or never answered.
    [ $fault = tray-open ] && how=15 || how=7
    check "with a mark for each" sh -c "grep -o '\"lates\":[^]]*' '$folder/due.html' | grep -Eq '^\"lates\":.([^,]*,[^,]*,[^,]*,$how,[0-9]*,?){3}\$'"
done
check "the help says so" sh -c "\${EXEC:-} '$SPINDLE' simulate --help | tr '\n' ' ' | grep -q 'a deadline that  *failed or was never answered is late'"
exits 0 "a tray that is closed" spindle simulate --trace "$folder/twice.json" --layout "$folder/plain.spk" --fault tray-open,for=2 --scheduler key --json
check "answers all" json_has runs.0.never_answered 0

# Normal reads that keep the drive busy, and three that wait for ever behind
# them: without a deadline none is late, yet none is forgotten.
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": ['
    seq -s, 10 | sed 's/[0-9][0-9]*/{"path": "f8.dds"}/g' | tr -d '\n'
    for i in 1 2 3; do printf ', {"at_us": %u, "path": "f%u.dds", "priority": "idle"}' $((i * 1000)) $i; done
    for i in $(seq 1 800); do printf ', {"at_us": %u, "path": "f%u.dds", "offset": %u}' $((i * 10000)) $((i % 4 + 4)) $((i * 4099 % 200000)); done
    printf ']}]}'
} >"$folder/idle.json"
idle="--trace $folder/idle.json --layout $folder/plain.spk --scheduler key --seconds 5"
exits 0 "idle reads behind others" spindle simulate $idle --json
check "are not late" json_has runs.0.late 0
check "and still wait" json_is runs.0.classes.bulk.waiting ">=" 3
check "the longest since its beginning" json_has runs.0.longest_ms 4999
check "in their class" json_has runs.0.classes.bulk.longest_ms 4999
waiting=$(json_has runs.0.waiting x; cat "$folder/value")
exits 0 "idle reads in words" spindle simulate $idle -o "$folder/idle.html"
check "have the longest wait" says "^  key  *0.00 .* 5.0$"
check "and it says how many still wait" says "^  key  *$waiting reads still waited in the end$"
check "as the page does" grep -q "\"waiting\":$waiting,.*\"longest_ms\":4999" "$folder/idle.html"

# ---- entering scenes --------------------------------------------------------
# 220 files at once, 40 of them also of the other scene; in scene order, with
# copies. Of one type; of several, sounds first; and with deadlines that no drive
# can keep.
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
    exits 0 "a pak of scenes, $types" spindle pack "$folder/scenes" -o "$folder/scenes.spk" --order scene --order "$folder/scenes-$types.json" --duplicate-budget 20
    exits 0 "entering them" spindle simulate --trace "$folder/scenes-$types.json" --layout "$folder/scenes.spk" --scheduler deadline --json
    for scene in 0 1; do
        check "scene $scene is 220 files" json_has runs.0.bursts.$scene.ended 220
        check "scene $scene takes its transfer and a tenth at most" json_is runs.0.bursts.$scene.transfer_times "<=" 1.1
    done
done

# Three scenes with copies of 40 out of 100 files each: the head comes from the
# scene before, and reads each copy that lies beside the scene's own files.
mkdir -p "$folder/copies"
awk -v to="$folder/copies" '
BEGIN {
    # About half of it compresses.
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
    exits 0 "a pak with copies, $codec" spindle pack "$folder/copies" -o "$folder/copies.spk" --order scene --order "$folder/copies-0.json" --duplicate-budget 20 --codec $codec
    for gap in 0 1 400; do
        exits 0 "reads $gap us apart" spindle simulate --trace "$folder/copies-$gap.json" --layout "$folder/copies.spk" --scheduler deadline --json
        # Compressed its transfer is half, and the way is as long as ever.
        case $gap,$codec in 0,*) bar=1.01 ;; *,none) bar=1.06 ;; *) bar=1.16 ;; esac
        for scene in 0 1 2; do
            json_has runs.0.bursts.$scene.transfer_times && cat "$folder/value"
        done >"$folder/times"
        check "three scenes take at most $bar of their transfer, $codec, $gap us apart" awk -v bar=$bar '{ sum += $1 } END { exit !(NR == 3 && sum / 3 <= bar) }' "$folder/times"
    done
done

# ---- several traces and paks, side by side --------------------------------------
mkdir -p "$folder/half"
cp "$folder"/data/f[1-4].dds "$folder/half/"
exits 0 "half of the files" spindle pack "$folder/half" -o "$folder/half.spk"
mkdir -p "$folder/rest"
cp "$folder"/data/f[4-8].dds "$folder/rest/"
exits 0 "and the others" spindle pack "$folder/rest" -o "$folder/rest.spk" --order size
trace="--trace $folder/trace.json"
exits 0 "two paks" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --scheduler deadline --json
check "have all files" json_has runs.0.done 8
check "every byte of them" json_has runs.0.bytes 2520000
check "and both names" says "half.spk, .*rest.spk"
exits 0 "a fault in the second" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --fault unreadable,offset=300000,bytes=1:f8.dds --scheduler fifo --json
check "fails one read" json_has runs.0.failed 1
exits 0 "a fault in the pak that is told" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --fault "unreadable,offset=0:$folder/half.spk:f4.dds" --scheduler fifo --json
check "fails none where the other's file is read" json_has runs.0.failed 0
printf '5000000000 half.spk\n3000000000 *rest.spk\n' >"$folder/disc.txt"
exits 0 "paks where a layout says" spindle simulate $trace --layout "$folder/half.spk" --layout "$folder/rest.spk" --disc-layout "$folder/disc.txt" --scheduler key -o "$folder/placed.html"
check "lie there" grep -Eq '"moves":.[0-9.]*,[0-9.]*,(48[89]|29[23])[0-9]{4},' "$folder/placed.html"
printf -- '- half.spk\n' >"$folder/disc.txt"
exits 1 "a pak that lies nowhere" spindle simulate $trace --layout "$folder/half.spk" --disc-layout "$folder/disc.txt"
check "is refused" says "half.spk: does not lie on the disc, says .*disc.txt"
exits 0 "two traces" spindle simulate $trace --trace "$folder/twice.json" --layout "$folder/plain.spk" --scheduler deadline --json
check "are two results" json_has results.0.runs.0.done 8
check "each by itself" json_has results.1.runs.0.done 3
exits 0 "two paks side by side" spindle simulate $trace --compare "$folder/data.spk" "$folder/plain.spk"
check "have their names" says "^  B  *.*plain.spk$"
check "and when the scene is ready" says "^  one  *[0-9.]*  *[0-9.]*  *[+-][0-9.]* %$"
exits 0 "the same for machines" spindle simulate $trace --compare "$folder/data.spk" "$folder/plain.spk" --json
check "is a result each" json_has results.1.runs.0.order '"deadline"'
exits 0 "a pak that lacks files beside one that has them" spindle simulate $trace --compare "$folder/data.spk" "$folder/half.spk"
check "is named by the warning" says "f5.dds: not in the pak: 4 of 8 reads are left out of the run on .*half.spk"
check "has no time, as the table says" says "^  one  *[0-9.]*  *- *B lacks 4 reads$"
check "and is not held against the other" says "^  drive busy, s  *[0-9.]*  *[0-9.]*$"
check "for they read what differs" says "^  of different reads: B lacks 4 reads$"
{
    printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "both", "reads": [{"path": "f4.dds"}, {"path": "f0.dds"}, {"path": "f4.dds", "offset": 100000}]}, '
    printf '{"name": "unlike", "at_us": 1, "reads": [{"at_us": 5000000, "path": "f1.dds"}, {"at_us": 5000000, "path": "f4.dds"}, {"at_us": 5000000, "path": "f8.dds"}]}]}'
} >"$folder/unlike.json"
exits 0 "paks that lack different files" spindle simulate --trace "$folder/unlike.json" --compare "$folder/half.spk" "$folder/rest.spk"
check "are told apart" says "^  unlike  *-  *-  *A lacks 1 reads, B lacks 1 reads$"
check "where neither has a file they read the same" says "^  both  *[0-9.]*  *[0-9.]*  *[+-][0-9.]* %$"
check "and the sum is of that" says "^  scenes of equal reads  *[0-9.]*  *[0-9.]*  *[+-][0-9.]* %$"
exits 0 "for machines" spindle simulate --trace "$folder/unlike.json" --compare "$folder/half.spk" "$folder/rest.spk" --json
check "there is how many each scene lacks" json_has results.0.runs.0.scenes.0.left_out 1
check "of each pak" json_has results.1.runs.0.scenes.1.left_out 1
exits 2 "one pak side by side" spindle simulate $trace --compare "$folder/data.spk"
exits 2 "the page of two" spindle simulate $trace --compare "$folder/data.spk" "$folder/plain.spk" -o "$folder/two.html"
exits 2 "a disc without paks" spindle simulate $short --disc-layout "$folder/disc.txt"

# ---- what fails a build -------------------------------------------------------
exits 1 "reads of files that are not there, strictly" spindle simulate --trace "$folder/trace.json" --layout "$folder/half.spk" --strict
check "are refused with how many" says "trace.json: f5.dds: not in the pak: 4 of 8 reads on .*half.spk"
exits 0 "all files there, strictly" spindle simulate $trace --layout "$folder/data.spk" --strict --scheduler deadline
sed 's/"deadline_us": 3000000/"deadline_us": 1/g' "$folder/trace.json" >"$folder/tight.json"
tight="--trace $folder/tight.json --layout $folder/plain.spk --scheduler deadline"
exits 1 "reads that are all late" spindle simulate $tight --fail-if-late 99.5
check "fail" says "tight.json: .*plain.spk: 100.00 % of the reads are late by deadline, more than 99.5 %"
check "behind the report" says "^  deadline  *100.00"
exits 0 "as many as may be" spindle simulate $tight --fail-if-late 100
exits 0 "none" spindle simulate $trace --layout "$folder/data.spk" --scheduler deadline --fail-if-late 0
sed 's/, "deadline_us": 3000000//g; s/"texture"/"sound"/g' "$folder/trace.json" >"$folder/untold.json"
untold="--trace $folder/untold.json --layout $folder/plain.spk --scheduler fifo --drive ps2_dvd4x --json"
exits 0 "reads without a deadline" spindle simulate $untold
check "have that of their class" json_is runs.0.late ">" 0
exits 0 "but if they are to have none" spindle simulate $untold --deadlines trace
check "are not late" json_has runs.0.late 0

# ---- a generated game as a trace ----------------------------------------------
exits 0 "a generated game" spindle simulate $short --scheduler deadline --write-trace "$folder/made.json" --json
check "reads" json_is runs.0.asked ">" 50
asked=$(cat "$folder/value")
check "is written as a trace" grep -q '"kind": "trace"' "$folder/made.json"
exits 0 "which is simulated" spindle simulate --generate by-scene --trace "$folder/made.json" --scheduler deadline --json
check "with the same reads" json_has runs.0.asked "$asked"
check "all of them" json_has left_out 0
check "on the same files" json_has layout '"by-scene"'
exits 0 "and on another layout" spindle simulate --generate copies --trace "$folder/made.json" --scheduler key --json
check "with the same reads" json_has runs.0.asked "$asked"
exits 1 "a trace of other files on that disc" spindle simulate --generate copies --trace "$folder/trace.json"
check "is refused by name" says "trace.json: f1.dds: not on the disc"
exits 3 "a trace where nothing can be written" spindle simulate $short --scheduler key --write-trace "$folder/none/made.json"

# ---- what is refused ----------------------------------------------------------
exits 2 "nothing to read" spindle simulate
exits 2 "two discs" spindle simulate --generate copies --trace "$folder/trace.json" --layout "$folder/data.spk"
exits 2 "a trace without a layout" spindle simulate --trace "$folder/trace.json"
exits 2 "a layout without a trace" spindle simulate --generate copies --layout "$folder/data.spk"
exits 2 "a page and a trace in one" spindle simulate $short --write-trace "$folder/made.html" -o "$folder/made.html"
exits 2 "a trace of a trace" spindle simulate --generate copies --trace "$folder/made.json" --write-trace "$folder/again.json"
exits 2 "a load of a trace" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --load 0.95
check "is not used in silence" says "load needs a generated game"
exits 2 "a seed of a trace" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seed 1
exits 0 "a seed of its faults" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" --seed 2 --faults 3 --scheduler key
for order in best sweep sstf c-look edf; do exits 2 "an order that is none: $order" spindle simulate $short --scheduler $order; done
exits 2 "an operand" spindle simulate $short "$folder/data.spk"
check "is told what paks are named by" says "named by --layout"
exits 1 "a drive that is none" spindle simulate $short --drive wii_dvd6y
check "is told the nearest" says 'did you mean "wii_dvd6x"'
exits 3 "a page where nothing can be written" spindle simulate $short --scheduler key -o "$folder/none/page.html"
exits 1 "a page that is the trace" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" -o "$folder/trace.json"
check "which stays as it is" grep -q '"kind": "trace"' "$folder/trace.json"

# ---- the page -----------------------------------------------------------------
exits 0 "simulate draws a page" spindle simulate $short --faults 5 -o "$folder/page.html"
check "that is whole" test "$(tail -n 1 "$folder/page.html")" = "</html>"
check "with its numbers" grep -q '"moves":\[' "$folder/page.html"
check "without the mark that they stand for" sh -c "! grep -q 'DATA\*/' '$folder/page.html'"
check "that says what of the heap is made up" grep -q 'how long a block stays is made up' "$folder/page.html"
check "that needs nothing from outside" sh -c "! grep -Eq '(src|href)=.?https?:|url\(|@import|fetch\(|XMLHttp' '$folder/page.html'"
exits 0 "the page of a trace" spindle simulate --trace "$folder/trace.json" --layout "$folder/data.spk" -o "$folder/trace.html"
check "has its bursts" grep -q '"bursts":\[{"scene":"one"' "$folder/trace.html"
check "and its files" grep -q '"files":\["f1.dds",' "$folder/trace.html"
check "and no heap that is made up" sh -c "! grep -q '\"heap\":{' '$folder/trace.html'"
# A read that is long enough to be steep in a close look.
mkdir -p "$folder/long"
head -c 6000000 /dev/zero | tr '\0' l >"$folder/long/long.dds"
cp "$folder/data/f1.dds" "$folder/long/"
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "f1.dds"}, {"path": "long.dds", "think_us": 900000}, {"path": "f1.dds", "think_us": 900000}]}]}' >"$folder/long.json"
exits 0 "a long file" spindle pack "$folder/long" -o "$folder/long.spk"
exits 0 "the page of a long read" spindle simulate --trace "$folder/long.json" --layout "$folder/long.spk" -o "$folder/plain.html"
cp "$folder/trace.json" "$folder/a<b>.json"
if spindle compile "$folder/a<b>.json" -o "$folder/none" 2>&1 | grep -q 'cannot open'; then
    echo "  skipped: no such names on this system"
    skipped=$((skipped + 2))
else
    exits 0 "names that would end the script" spindle simulate --trace "$folder/a<b>.json" --layout "$folder/data.spk" -o "$folder/odd.html"
    check "do not" sh -c "grep -q 'a.u003cb>.json' '$folder/odd.html' && ! grep -q 'a<b>' '$folder/odd.html'"
fi

browser=
for candidate in chromium chromium-browser google-chrome; do
    command -v $candidate >/dev/null && browser=$candidate && break
done

# What becomes of the page at $1, as HTML; the browser's console in
# $folder/console.
browse() {
    timeout 120 $browser --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run --hide-scrollbars --user-data-dir="$folder/browser" --virtual-time-budget=5000 --enable-logging=stderr --dump-dom "file://$1" 2>"$folder/log"
    grep ':CONSOLE' "$folder/log" >"$folder/console"
}

# The page $page in a frame of a width, told from inside what became of it: sets
# $folder/told to "errors scrollWidth width charts tip name". Its policy stays.
# The name: whether a close look at the longest read, pointed at its middle, says
# of which file it is, and goes on saying so when the view moves.
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
canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 40 }));
parent.postMessage([window.wrong, document.documentElement.scrollWidth, innerWidth, ["moves", "depth", "rate", "heap"].filter(painted).length, document.getElementById("tip").textContent.includes("MB/s") ? "tip" : "none", !D.trace ? "no-trace" : tall < 120 ? "flat" : isNamed ? "named" : "nameless"].join(" "), "*");
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
    echo "  skipped: no chromium to look at the page with"
else
    # As it is delivered: what only its own script makes is there, and nothing
    # was refused.
    for page in page trace plain; do
        browse "$folder/$page.html" >"$folder/stdout"
        check "$page: as delivered has its title" says '<h1 id="title">[^<]*: [0-9,]* reads in [0-9]* s</h1>'
        charts="moves depth rate"
        [ $page = page ] && charts="$charts heap"
        for chart in $charts; do
            check "$page: as delivered has drawn $chart" says "<canvas id=\"$chart\" [^>]*width=\"[1-9][0-9]*\" [^>]*aria-label=\"[A-Z]"
        done
        check "$page: as delivered has its numbers" says '<div class="tile[a-z ]*"><b>[0-9.]*<small> %</small></b><span>late ('
        check "$page: as delivered has a button for each order" test "$(grep -o '<input [^>]*name="order"' "$folder/stdout" | wc -l)" = 3
        check "$page: the browser says nothing of it" test ! -s "$folder/console"
    done
    for page in page plain; do for width in 1280 390 320; do
        [ $page = page ] && all="4 tip no-trace" || all="3 tip named"
        look $width
        check "$page: at a width of $width all is drawn, nothing fails, nothing sticks out" test "$(cat "$folder/told")" = "0 $width $width $all"
    done; done
    browse "$folder/plain.html" >"$folder/stdout"
    check "a class that nothing is of is not in the legend" sh -c "! grep -Eq '<li><i [^>]*></i>(clip|stream)' '$folder/stdout'"
    check "one that something is of is" says '<li><i [^>]*></i>bulk'
    check "the heap is hidden" says '<section class="card" id="heapcard" hidden'
    check "scenes are a table" says '<table id="scenes">.*<td data-of="scene">one</td>' 
fi

# The same numbers on every machine.
exits 0 "the example of MANUAL.md" spindle simulate --generate scattered --load 0.95
for order in order deadline key fifo; do
    row=$(grep -m 1 "^  $order " "$folder/stdout")
    check "$order is as MANUAL.md has it" grep -qxF -- "    $row" offline/simulate/MANUAL.md
done

exits 0 "simulate --help" spindle simulate --help
check "begins with examples" says "^  spindle simulate"
for word in scattered by-type by-scene copies all deadline key fifo; do
    check "names the choice $word" says "^ *--[a-z]* .*\b$word\b"
done
finish
