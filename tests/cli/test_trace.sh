#!/usr/bin/env bash
# Goal: `spindle trace import` converts a recording of system calls to a trace, and
# simulate runs it.
# Method: import small recordings and one of a real game; check traces and reports.
# One thread.
set -u
name=test_trace
. tests/cli/lib.sh
make_json_reader

# json_is FIELD OPERATOR VALUE: compare a number of the JSON report.
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
exits 0 "trace import --root" $import --root /g/data
check "trace import counts reads, files and bytes" says "game.json: 3 reads of 3 files, 139 kB"
check "trace import counts threads" says "threads  *2$"
check "trace import counts calls outside of --root" says "elsewhere  *1 calls"
check "a dependent read has its delay after the read before" grep -q '"path": "c.dat", .*"after": 0, "think_us": 503000}' "$folder/game.json"
check "the default scene is named for the recording" grep -q '{"name": "game", "reads"' "$folder/game.json"
cp "$folder/game.json" "$folder/first.json"
exits 0 "trace import --scene --scene-at --json" $import --root /g/data --scene menu --scene-at 0.5=race --json
check "trace import --json counts reads" json_has reads 3
check "trace import --json counts scenes" json_has scenes 2
check "the trace contains the scene of --scene-at" grep -q '{"name": "race", "reads"' "$folder/game.json"
exits 0 "trace import without --root" $import
check "trace import without --root includes all files" says "4 reads of 4 files"

mkdir -p "$folder/data"
for file in a.png b.ogg c.dat; do head -c 131072 /dev/zero | tr '\0' "${file%%.*}" >"$folder/data/$file"; done
exits 0 "pack of the recording's files" spindle pack "$folder/data" -o "$folder/game.spk"
simulate="spindle simulate --layout $folder/game.spk --scheduler fifo"
exits 0 "simulate of an imported trace" $simulate --trace "$folder/game.json"
check "an imported trace is a closed loop" says "game.json on .*game.spk, closed loop, "
check "simulate warns of reads that are not in the pak" says "passwd: not in the pak: 1 of 4"
check "simulate reports when the scene is ready" says "^  game  *3  *0\.[5-9][0-9]$"
exits 0 "simulate --json of an imported trace" $simulate --trace "$folder/first.json" --json
check "simulate --json: the loop is closed" json_has loop '"closed"'
check "simulate --json counts dependent reads" json_has chained 1
check "simulate --json has the time until the scene is ready" json_is runs.0.scenes.0.ready_ms ">=" 503
exits 0 "simulate --open-loop --json" $simulate --trace "$folder/first.json" --open-loop --json
check "simulate --open-loop --json: the loop is open" json_has loop '"open"'
check "simulate --open-loop has no dependent reads" json_has chained 0
sed 's/, "think_us": [0-9]*//; s/, "after": [0-9]*//; s/, "thread": [0-9]*//' "$folder/first.json" >"$folder/old.json"
exits 0 "simulate of a trace without threads" $simulate --trace "$folder/old.json"
check "a trace without threads is an open loop" says "old.json on .*, open loop, "

printf '7 100.0 read(5</a>, ""..., 5) = 5\n\n7 100.1 io_uring_setup(8, {flags=0}) = 4\n' >"$folder/ring.strace"
exits 0 "trace import of a recording with io_uring" spindle trace import "$folder/ring.strace" -o "$folder/ring.json" --json
check "trace import warns of requests that strace cannot see" says "warning: .*ring.strace: line 3: io_uring_setup: "
check "trace import --json has the line of io_uring" json_has io_uring_line 3

# ---- refusals
printf '7 100.0 read(5</a>, ""..., 5) = 5\nread(5</a>, ""..., 5) = 5\n' >"$folder/bad.strace"
exits 1 "trace import of a line without a time is refused" spindle trace import "$folder/bad.strace" -o "$folder/bad.json"
check "the message about a line without a time has line and column" says "bad.strace: line 2, column 1: no time of a call"
check "the message about a line without a time is one line" one_line
check "a refused import writes no trace" test ! -e "$folder/bad.json"
exits 1 "trace import --root without reads below it is refused" $import --root /h
check "the message names the --root without reads" says "game.strace: no reads of files below /h"
exits 1 "trace import onto its input is refused" spindle trace import "$folder/game.strace" -o "$folder/game.strace"
exits 2 "an unknown trace command is a usage error" spindle trace export "$folder/game.strace" -o "$folder/no.json"
exits 2 "trace import without a recording is a usage error" spindle trace import -o "$folder/no.json"
exits 0 "trace import -o -" spindle trace import "$folder/game.strace" -o -
cp "$folder/stdout" "$folder/out.json"
$import >/dev/null 2>&1
check "trace import -o - prints only the trace" cmp "$folder/out.json" "$folder/game.json"
exits 2 "trace import without an output is a usage error" spindle trace import "$folder/game.strace"
for scene in 5 x=race 0=race -1=race 5= nan=race 1e99=race; do exits 2 "--scene-at $scene is a usage error" $import "--scene-at=$scene"; done
exits 2 "--scene-at with decreasing times is a usage error" $import --scene-at 2=a --scene-at 1=b
exits 0 "trace --help" spindle trace --help
check "trace --help begins with examples" says "^  spindle trace import"

# A recording of a real game.
recording=../shared/assets/traces/lighthouse.strace.xz
if [ -e "$recording" ] && command -v xzcat >/dev/null; then
    xzcat "$recording" >"$folder/lighthouse.strace"
    exits 0 "trace import of a real game" spindle trace import "$folder/lighthouse.strace" -o "$folder/lighthouse.json" --root /usr/share/games/supertuxkart/data --json
    check "the real game has four threads" json_has threads 4
    check "the real game reads 694 files" json_has files 694
    check "the real game makes at least 1100 reads" json_is reads ">=" 1100
    check "the real game makes at most 1120 reads" json_is reads "<=" 1120
else
    echo "  skipped: no recording of a real game"
    skipped=$((skipped + 1))
fi
finish
