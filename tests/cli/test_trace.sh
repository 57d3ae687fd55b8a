#!/usr/bin/env bash
# What `spindle trace` makes of a recording, and what simulate makes of that.
# One thread.
set -u
name=test_trace
. tests/cli/lib.sh
make_json_reader

# Is the number in the JSON at $1 a number that passes the test `$2 $3`?
json_is() {
    json_has "$1" && awk -v x="$(cat "$folder/value")" -v y="$3" "BEGIN { exit !(x $2 y) }"
}

cat >"$folder/game.strace" <<'END'
7 100.000000 openat(AT_FDCWD, "/g/data/a.png", O_RDONLY) = 5</g/data/a.png>
7 100.001000 read(5</g/data/a.png>, ""..., 65536) = 65536
7 100.002000 read(5</g/data/a.png>, ""..., 65536) = 65536
7 100.003000 close(5</g/data/a.png>) = 0
9 100.004000 read(6</g/data/b.ogg>, ""..., 4096) = 4096
7 100.504000 read(5</g/data/c.dat>, ""..., 4096) = 4096
7 100.505000 read(8</etc/passwd>, ""..., 4096) = 1234
END
import="spindle trace import $folder/game.strace -o $folder/game.json"
exits 0 "a recording" $import --root /g/data
check "becomes reads of its files" says "game.json: 3 reads of 3 files, 139 kB"
check "of two threads" says "threads  *2$"
check "but for what lies elsewhere" says "elsewhere  *1 calls"
check "a chained read has its time to think" grep -q '"path": "c.dat", .*"after": 0, "think_us": 503000}' "$folder/game.json"
check "the scene is named for the file" grep -q '{"name": "game", "reads"' "$folder/game.json"
cp "$folder/game.json" "$folder/first.json"
exits 0 "as JSON, with scenes" $import --root /g/data --scene menu --scene-at 0.5=race --json
check "has its numbers" json_has reads 3
check "two scenes among them" json_has scenes 2
check "which are in the trace" grep -q '{"name": "race", "reads"' "$folder/game.json"
exits 0 "without a root" $import
check "has what lies elsewhere, too" says "4 reads of 4 files"

mkdir -p "$folder/data"
for file in a.png b.ogg c.dat; do head -c 131072 /dev/zero | tr '\0' "${file%%.*}" >"$folder/data/$file"; done
exits 0 "its data as a pak" spindle pack "$folder/data" -o "$folder/game.spk"
simulate="spindle simulate --layout $folder/game.spk --scheduler fifo"
exits 0 "the trace is a closed loop" $simulate --trace "$folder/game.json"
check "as it says" says "game.json on .*game.spk, closed loop, "
check "with what is not in the pak left out" says "passwd: not in the pak: 1 of 4"
check "and when the scene is ready" says "^  game  *3  *0\.[5-9][0-9]$"
exits 0 "for machines" $simulate --trace "$folder/first.json" --json
check "too" json_has loop '"closed"'
check "with how many reads wait" json_has chained 1
check "and how long a scene takes" json_is runs.0.scenes.0.ready_ms ">=" 503
exits 0 "as an open loop" $simulate --trace "$folder/first.json" --open-loop --json
check "it says so" json_has loop '"open"'
check "and no read waits" json_has chained 0
sed 's/, "think_us": [0-9]*//; s/, "after": [0-9]*//; s/, "thread": [0-9]*//' "$folder/first.json" >"$folder/old.json"
exits 0 "a trace of before there were threads" $simulate --trace "$folder/old.json"
check "is an open loop" says "old.json on .*, open loop, "

printf '7 100.0 read(5</a>, ""..., 5) = 5\n\n7 100.1 io_uring_setup(8, {flags=0}) = 4\n' >"$folder/ring.strace"
exits 0 "a game with requests that strace cannot see" spindle trace import "$folder/ring.strace" -o "$folder/ring.json" --json
check "is warned about" says "warning: .*ring.strace: line 3: io_uring_setup: "
check "for machines, too" json_has io_uring_line 3

# What is wrong.
printf '7 100.0 read(5</a>, ""..., 5) = 5\nread(5</a>, ""..., 5) = 5\n' >"$folder/bad.strace"
exits 1 "a line without a time" spindle trace import "$folder/bad.strace" -o "$folder/bad.json"
check "is refused with its place" says "bad.strace: line 2, column 1: no time of a call"
check "in a line" one_line
check "and nothing is written" test ! -e "$folder/bad.json"
exits 1 "a recording of nothing" $import --root /h
check "is refused" says "game.strace: no reads of files below /h"
exits 1 "a trace over its recording" spindle trace import "$folder/game.strace" -o "$folder/game.strace"
exits 2 "no such work" spindle trace export "$folder/game.strace" -o "$folder/no.json"
exits 2 "no recording" spindle trace import -o "$folder/no.json"
exits 0 "a trace on stdout" spindle trace import "$folder/game.strace" -o -
cp "$folder/stdout" "$folder/out.json"
$import >/dev/null 2>&1
check "is the file's, and nothing else" cmp "$folder/out.json" "$folder/game.json"
exits 2 "no output" spindle trace import "$folder/game.strace"
for scene in 5 x=race 0=race -1=race 5= nan=race 1e99=race; do exits 2 "--scene-at $scene" $import "--scene-at=$scene"; done
exits 2 "scenes that run back" $import --scene-at 2=a --scene-at 1=b
exits 0 "trace --help" spindle trace --help
check "begins with examples" says "^  spindle trace import"

# A recording of a real game.
recording=../shared/assets/traces/lighthouse.strace.xz
if [ -e "$recording" ] && command -v xzcat >/dev/null; then
    xzcat "$recording" >"$folder/lighthouse.strace"
    exits 0 "a real game" spindle trace import "$folder/lighthouse.strace" -o "$folder/lighthouse.json" --root /usr/share/games/supertuxkart/data --json
    check "has four threads" json_has threads 4
    check "that read its files" json_has files 694
    check "in about as many reads as its table has" json_is reads ">=" 1100
    check "and not more" json_is reads "<=" 1120
else
    echo "  skipped: no recording of a real game"
    skipped=$((skipped + 1))
fi
finish
