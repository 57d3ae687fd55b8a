#!/usr/bin/env bash
# Goal: `spindle simulate --clips` plays a script of animation clips with the real runtime and
# drive, alone and beside a trace; it counts what was not there, records a trace by which
# `anim pack --order` saves seeks, and refuses bad scripts with file, line and value.
# Method: clips compiled from files made by the project; two databases far apart on the disc.
# One thread.
set -u
name=test_simulate_clips
. tests/cli/lib.sh
data=$PWD/tests/data
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
anims=$folder/anims game=$folder/game
for part in a z; do
    [ $part = a ] && rate=30 || rate=40
    exits 0 "compile the clips of $part" spindle anim compile "$data/anim/arm.glb" -o "$anims/$part" --rate $rate --quiet
done
exits 0 "pack the clips by folder" spindle anim pack "$anims" -o "$game" --quiet
cp "$anims/a/arm.sas" "$game/arm.sas"
head -c 60000000 /dev/zero >"$game/m.bin" # between the databases
cp "$data/golden/classic-lz4.sgc" "$game/sea.sgc"
exits 0 "a pak of the game" spindle pack "$game" -o "$folder/data.spk" --quiet
run() { spindle simulate --layout "$folder/data.spk" "$@"; }

# ---- a script -----------------------------------------------------------------
cat >"$folder/walk.txt" <<'END'
# files
image     animations.sai
skeleton  arm.sas
pictures  30

0    play   loop=always for=2 a/wave.sac
2.5  cue    z/wave.sac
4    refer  for=1.5 a/spline.sac
5    play   rate=-0.5 a/spline.sac
6    preload z.sad
7    lock   for=0.25 z.sad
7.5  cue    z/spline.sac
END
walk="--clips $folder/walk.txt"
exits 0 "simulate a script" run $walk
check "simulate prints nothing on stderr" silent
check "text: the script and its length" says "^  clips   .*walk.txt on .*data.spk, 8.1 s$"
check "text: a row for each order" test "$(grep -cE '^  (deadline|key|fifo)  *4 ' "$folder/stdout")" = 3
check "text: a row for each clip" says '1.00      1      1      1  *[1-9][0-9.]* ms        60  *[1-9][0-9]*  a/wave.sac$'
exits 0 "simulate --json" run $walk --scheduler deadline --json
check "JSON: the script" json_has clips "\"$folder/walk.txt\""
check "JSON: the plays" json_has runs.0.clips.plays 4
check "JSON: one play was not there at once" json_has runs.0.clips.waits 1
# 2 s; 1 s; 0.6 s at half speed backwards; 0.6 s: 30 a second.
check "JSON: pictures" json_has runs.0.clips.pictures $((60 + 30 + 36 + 18))
check "JSON: cues that were there" json_has runs.0.clips.look_ahead_hits 2
check "JSON: cues that were not there" json_has runs.0.clips.look_ahead_misses 0
glitches=$(value runs.0.clips.glitches)
check "a play without a cue is late" test "$glitches" -gt 0
first_ms=$(value runs.0.clips.first_pose_ms)
check "glitches last as long as the longest wait" awk "BEGIN { exit !(($glitches - 1) * 1000 / 30 < $first_ms && $first_ms < $glitches * 1000 / 30 + 0.1) }"
check "a pose is there whenever the clip is" json_has runs.0.clips.held 0
check "JSON: memory of clips over time" json_has runs.0.clip_memory.0 0
check "JSON: memory is freed" awk "BEGIN { exit !($(value runs.0.clips.memory_bytes_peak) > 0) }"
check "reads of clips are reads of the run" test "$(value runs.0.classes.clip.reads)" = "$(value runs.0.clips.reads)"
check "the drive reads their bytes" test "$(value runs.0.bytes)" = "$(value runs.0.clips.bytes_read)"
cp "$folder/stdout" "$folder/first"
exits 0 "simulate a script again" run $walk --scheduler deadline --json
check "a run is repeatable" cmp "$folder/first" "$folder/stdout"
sed 's/^pictures .*/set anim_ahead_ms=0/' "$folder/walk.txt" >"$folder/blind.txt"
exits 0 "simulate without look-ahead" run --clips "$folder/blind.txt" --scheduler deadline --json
check "without look-ahead a cue is missed" json_has runs.0.clips.look_ahead_misses 1
check "a preload and a lock help the other" json_has runs.0.clips.look_ahead_hits 1
check "60 pictures a second unless the script says so" json_has runs.0.clips.pictures 288
exits 0 "simulate the beginning" run $walk --seconds 1 --scheduler key --json
check "--seconds ends the script" json_has runs.0.seconds 1
check "plays that have not begun are not counted" json_has runs.0.clips.plays 1
exits 0 "simulate a script with a fault" run $walk --scheduler key --json --fault unreadable,offset=2100:z.sad --fault stall,at=0,for=1
check "a stall makes glitches" test "$(value runs.0.clips.glitches)" -gt 30
check "reads that fail are counted" test "$(value runs.0.failed)" = "$(value runs.0.clips.reads_failed)"
check "reads fail" test "$(value runs.0.failed)" -gt 0
exits 0 "simulate a script with random faults" run $walk --scheduler key --json --faults 10 --seed 3

# ---- single clips --------------------------------------------------------------
exits 0 "a pak of single clips" spindle pack "$anims" -o "$folder/single.spk" --quiet
printf 'clip a/wave.sac\nclip z/spline.sac\n0 play a/wave.sac\n0.25 refer for=2 z/spline.sac\n' >"$folder/single.txt"
exits 0 "simulate single clips" spindle simulate --layout "$folder/single.spk" --clips "$folder/single.txt" --scheduler key --json
check "single clips play" json_has runs.0.clips.known 2
check "a reference reads a clip" json_has runs.0.clips.reads 2

# ---- the page --------------------------------------------------------------------
exits 0 "simulate -o" run $walk -o "$folder/page.html"
check "the page has the clips" grep -q '"clips":{"known":4,"played":4,' "$folder/page.html"
check "the page has their memory" grep -q '"clip_memory":\[0,[0-9]' "$folder/page.html"
check "the page has no assumed heap" sh -c "! grep -q '\"heap\":{' '$folder/page.html'"
if command -v chromium >/dev/null && [ -z "${EXEC:-}" ]; then
    chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=3000 --dump-dom "file://$folder/page.html" >"$folder/stdout" 2>"$folder/console"
    check "the page draws the memory of clips" says '<canvas id="memory" [^>]*aria-label="Memory of clips over time, at most '
    check "the page lists the plays" says '<td data-of="plays">4</td>'
    check "the browser reports no error" sh -c "! grep -q 'CONSOLE' '$folder/console'"
else
    echo "  skipped: the page is not checked without chromium"
fi

# ---- record, pack by the trace, run again -------------------------------------------
for i in 1 2; do
    [ $i = 1 ] && echo 'image animations.sai' >"$folder/dance.txt"
    printf '%s cue a/wave.sac\n%s.5 cue z/wave.sac\n' $((i * 8)) $((i * 8 + 2)) >>"$folder/dance.txt"
    printf '%s cue a/spline.sac\n%s.5 cue z/spline.sac\n' $((i * 8 + 4)) $((i * 8 + 6)) >>"$folder/dance.txt"
done
exits 0 "simulate --write-trace" run --clips "$folder/dance.txt" --scheduler deadline --json --write-trace "$folder/dance.json"
seeks=$(value runs.0.drive.seeks)
reads=$(value runs.0.clips.reads)
check "clips of two databases cost seeks" test "$seeks" -ge 4
check "the trace has the reads of clips" test "$(grep -c '"task": "animation"' "$folder/dance.json")" = "$reads"
exits 0 "pack by the trace" spindle anim pack "$anims" -o "$folder/packed" --order "$folder/dance.json" --recorded "$game/a.sad" --recorded "$game/z.sad" --json
check "all clips of the trace are used" json_has used_clips 4
cp "$game/m.bin" "$folder/packed/m.bin"
exits 0 "a pak of the new databases" spindle pack "$folder/packed" -o "$folder/packed.spk" --quiet
exits 0 "simulate again" spindle simulate --layout "$folder/packed.spk" --clips "$folder/dance.txt" --scheduler deadline --json
check "packed by the trace, clips cost fewer seeks" test "$(value runs.0.drive.seeks)" -lt "$seeks"
check "no clip is missed" json_has runs.0.clips.look_ahead_misses 0
exits 0 "simulate the trace" run --trace "$folder/dance.json" --scheduler deadline --json
check "the trace replays all reads" json_has runs.0.done "$reads"

# ---- clips beside a trace -----------------------------------------------------------
exits 0 "record a cache" spindle play --virtual --drive x360_dvd12x "$folder/data.spk:sea.sgc" --seconds 4 --record "$folder/sea.json"
exits 0 "simulate a trace and a script" run $walk --trace "$folder/sea.json" --scheduler deadline --json --write-trace "$folder/both.json"
check "the streams of the trace are read" test "$(value runs.0.classes.stream.reads)" -gt 0
check "the clips of the script are read" test "$(value runs.0.classes.clip.reads)" -gt 0
both=$(value runs.0.done)
check "the recording has both" test "$(grep -c '"path"' "$folder/both.json")" = "$both"
exits 0 "simulate both as text" run $walk --trace "$folder/sea.json"
check "text: the script and the trace" says '^  clips   .*walk.txt$'
check "text: the loop of the trace" says '^  reads   .*sea.json on .*data.spk, .* loop, '
exits 0 "play --record of clips" spindle play --virtual --drive x360_dvd12x "$folder/data.spk:animations.sai" --record "$folder/play.json"
exits 0 "pack by the recording of play" spindle anim pack "$anims" -o "$folder/played" --order "$folder/play.json" --recorded "$game/a.sad" --recorded "$game/z.sad" --json
check "the recorded clips are uses" json_has used_clips 4

# ---- order of arrival, several traces, two paks ---------------------------------------
# Four clips begin at once: in order of arrival the runtime has one of their reads at a time.
printf 'image animations.sai\n' >"$folder/crowd.txt"
for clip in a/wave z/wave a/spline z/spline; do printf '0 play loop=always for=2 %s.sac\n' $clip; done >>"$folder/crowd.txt"
exits 0 "simulate a crowd in order of arrival" run --clips "$folder/crowd.txt" --scheduler fifo --json
check "in order of arrival all clips play" json_has runs.0.clips.pictures 480
fifo_reads=$(value runs.0.clips.reads)
fifo_depth=$(value runs.0.depth_max)
exits 0 "simulate a crowd by deadline" run --clips "$folder/crowd.txt" --scheduler deadline --json
check "by deadline the runtime has more reads at once" test "$(value runs.0.depth_max)" -gt "$fifo_depth"
check "in order of arrival it has one" test "$fifo_depth" = 1
check "both read the clips" test "$fifo_reads" -ge 4
exits 0 "simulate a trace and a script in order of arrival" run $walk --trace "$folder/sea.json" --scheduler fifo --json
check "in order of arrival clips are read" test "$(value runs.0.clips.reads)" -gt 0
check "in order of arrival streams are read" test "$(value runs.0.classes.stream.reads)" -gt 0
exits 0 "simulate a script beside two traces" run $walk --trace "$folder/sea.json" --trace "$folder/dance.json" --scheduler deadline --json
check "the script plays beside the first" json_has results.0.runs.0.clips.plays 4
check "the script plays beside the second" json_has results.1.runs.0.clips.plays 4
exits 0 "compare two paks under a script" spindle simulate --clips "$folder/dance.txt" --compare "$folder/data.spk" "$folder/packed.spk" --json
check "compared: the seeks of A" json_has results.0.runs.0.drive.seeks "$seeks"
check "compared: B has fewer" test "$(value results.1.runs.0.drive.seeks)" -lt "$seeks"
exits 0 "compare as text" spindle simulate --clips "$folder/dance.txt" --compare "$folder/data.spk" "$folder/packed.spk"
check "compared: the script" says '^  clips   .*dance.txt, by deadline$'
check "compared: seeks side by side" says "^  seeks  *$seeks.00 "
check "compared: a row of clips for each pak" test "$(grep -c '^  [AB]  *8 ' "$folder/stdout")" = 2
exits 0 "compare under a script and a trace" spindle simulate --clips "$folder/dance.txt" --layout "$folder/data.spk" --trace "$folder/sea.json" --compare "$folder/data.spk" "$folder/packed.spk"
check "compared: the trace" says '^  reads   .*sea.json, .* by deadline$'

# ---- caches in the script ----------------------------------------------------------------
cat >"$folder/mix.txt" <<'END'
image animations.sai
0 stream for=3 sea.sgc
0.5 play loop=always for=2 a/wave.sac
1.25 stream rate=-1 sea.sgc
END
exits 0 "simulate caches and clips" run --clips "$folder/mix.txt" --scheduler deadline --json --write-trace "$folder/mix.json"
check "caches: two nodes of one cache" json_has runs.0.caches.0.plays 2
check "caches: the cache" json_has runs.0.caches.0.cache '"sea.sgc"'
check "caches: they are read" test "$(value runs.0.caches.0.bytes_read)" -gt 0
check "caches: their reads are reads of the run" test "$(value runs.0.classes.stream.reads)" -gt 0
check "caches: all bytes of the run are theirs and the clips'" test "$(value runs.0.bytes)" = "$(($(value runs.0.caches.0.bytes_read) + $(value runs.0.clips.bytes_read)))"
check "caches: frames are shown" test "$(value runs.0.caches.0.frames_shown)" -gt 0
check "caches: only the first pictures are late" test "$(value runs.0.caches.0.glitches)" -lt 30
check "caches: one heap" test "$(value runs.0.heap_peak_bytes)" -gt "$(value runs.0.clips.memory_bytes_peak)"
check "caches: the clip plays beside" json_has runs.0.clips.pictures 120
requested=$(value runs.0.requested)
check "caches: every read ends" test "$requested" = "$(($(value runs.0.done) + $(value runs.0.failed) + $(value runs.0.dropped) + $(value runs.0.waiting)))"
check "caches: the trace has all reads" test "$(grep -c '"path"' "$folder/mix.json")" -ge "$requested"
exits 0 "simulate caches and clips as text" run --clips "$folder/mix.txt"
check "caches: a row for each order" test "$(sed -n '/^  caches /,$p' "$folder/stdout" | grep -cE '^  (deadline|key|fifo)  *2 ')" = 3
exits 0 "simulate the beginning of caches" run --clips "$folder/mix.txt" --seconds 1 --scheduler key --json
check "caches: a node that has not begun is not counted" json_has runs.0.caches.0.plays 1
printf '0 stream for=2 sea.sgc\n' >"$folder/sea.txt"
exits 0 "simulate a cache without clips" run --clips "$folder/sea.txt" --scheduler key --json
check "without clips there is no report of them" sh -c "! grep -q '\"clips\":.*{' '$folder/stdout'"
check "a cache plays for its time" json_has runs.0.caches.0.pictures 120
exits 0 "compare two paks under caches" spindle simulate --clips "$folder/sea.txt" --compare "$folder/data.spk" "$folder/data.spk"
check "compared: a row of caches for each pak" test "$(sed -n '/^  caches /,$p' "$folder/stdout" | grep -cE '^  [AB]  *1 ')" = 2
exits 0 "a cache with an unreadable end" run --clips "$folder/sea.txt" --scheduler key --json --fault unreadable,offset=$(($(wc -c <"$game/sea.sgc") / 2)):sea.sgc
check "unreadable frames are dropped" test "$(value runs.0.caches.0.frames_dropped)" -gt 0
mkdir -p "$folder/torn"
cp "$game/sea.sgc" "$folder/torn/sea.sgc"
printf XXXX | dd of="$folder/torn/sea.sgc" bs=1 seek=$(($(wc -c <"$game/sea.sgc") / 2)) conv=notrunc 2>/dev/null
exits 0 "a pak of a damaged cache" spindle pack "$folder/torn" -o "$folder/torn.spk" --quiet
exits 1 "a damaged cache is refused" spindle simulate --layout "$folder/torn.spk" --clips "$folder/sea.txt" --scheduler key
check "the refusal of a damaged cache has its place" says '^spindle: sea.sgc: offset 0x[0-9a-f]*: checksum of a [a-z]*: found 0x'

# ---- bad input --------------------------------------------------------------------------
refused() {
    exits "$1" "$2 is refused" run --clips "$folder/bad.txt" "${@:4}"
    check "$2: the message" says "$3"
    check "$2: one line" one_line
    check "$2: no report" test ! -s "$folder/stdout"
}
# line LINE MESSAGE: a script with this line as its third.
line() {
    printf 'image animations.sai\n1 play a/wave.sac\n%s\n' "$1" >"$folder/bad.txt"
    refused 1 "the line $1" "^spindle: .*bad.txt: line 3: $2\$"
}
line 'plya a/wave.sac' '"plya": expected a time in seconds, image, clip, skeleton, set or pictures'
line '1.0000001 play a/wave.sac' '"1.0000001": expected a time in seconds, below 86400, with at most 6 decimals'
line '86400 play a/wave.sac' '"86400": expected a time in seconds, below 86400, with at most 6 decimals'
line '1. play a/wave.sac' '"1.": expected a time in seconds, .*'
line '0.5 play a/wave.sac' '"0.5": is before the time of an earlier line'
line '1 dance a/wave.sac' '"dance": expected play, cue, refer, preload, lock or stream'
line '1' '"": expected play, cue, refer, preload, lock or stream'
line '1 play' '"play": no name'
line '1 play for=0 a/wave.sac' '"for=0": expected seconds, more than 0 and below 86400'
line '1 play for= a/wave.sac' '"for=": expected seconds, more than 0 and below 86400'
line '1 play rate=0 a/wave.sac' '"rate=0": expected a rate from 0.001 to 8, or -0.001 to -8'
line '1 play rate=8.001 a/wave.sac' '"rate=8.001": expected a rate from .*'
line '1 cue loop=maybe a/wave.sac' '"loop=maybe": expected clip, always or never'
line '1 preload for=2 a.sad' '"for=2" is no option of preload'
line '1 stream loop=always sea.sgc' '"loop=always" is no option of stream'
line '1 stream none.sgc' 'none.sgc: not in the pak'
line '1 refer rate=2 a/wave.sac' '"rate=2" is no option of refer'
line '1 play b/wave.sac' 'b/wave.sac: there is no such clip'
line '1 lock b.sad' 'b.sad: there is no such database'
line 'image other.sai' '"other.sai": a second image'
line 'image' '"image": no name'
line 'clip a/wave.sac' 'a/wave.sac: a clip beside an image: .*'
line 'pictures 4' '"4": expected 5 to 240 pictures a second'
line 'pictures 241' '"241": expected 5 to 240 pictures a second'
line 'skeleton none.sas' 'none.sas: not in the pak'
line 'set anim_ahead_ms' '"anim_ahead_ms": expected NAME=VALUE'
line 'set anim_nothing=1' 'anim_nothing=1: there is no such variable'
line 'set anim_ahead_ms=fast' 'anim_ahead_ms=fast: the variable does not take this value'
printf 'image none.sai\n0 play a/wave.sac\n' >"$folder/bad.txt"
refused 1 "an image that no pak has" 'bad.txt: line 1: none.sai: not in the pak$'
printf 'image m.bin\n0 play a/wave.sac\n' >"$folder/bad.txt"
refused 1 "an image that is none" '^spindle: m.bin: offset 0x0: '
printf '0 stream animations.sai\n' >"$folder/bad.txt"
refused 1 "a stream that is no cache" '^spindle: animations.sai: offset 0x0: '
printf 'image animations.sai\n' >"$folder/bad.txt"
refused 1 "a script without a time" 'bad.txt: nothing is done at any time$'
printf '0 play a/wave.sac\n' >"$folder/bad.txt"
refused 1 "a script without an image" 'bad.txt: neither an image nor a clip nor a stream$'
printf 'image animations.sai\n0 play \0\n' >"$folder/bad.txt"
refused 1 "a script with a byte of 0" 'bad.txt: line 2: a byte of 0: not a text$'
: >"$folder/bad.txt"
refused 1 "an empty script" 'bad.txt: neither an image nor a clip nor a stream$'
exits 0 "compile another skeleton" spindle anim compile "$data/anim/arm.bvh" -o "$folder/other" --quiet
exits 0 "a pak of the other skeleton" spindle pack "$folder/other" -o "$folder/other.spk" --quiet
printf 'image animations.sai\nskeleton arm.sas\n0 play a/wave.sac\n' >"$folder/bad.txt"
refused 1 "a clip of another skeleton" 'bad.txt: line 3: a/wave.sac: none of the skeletons has the joints of this clip$' --layout "$folder/other.spk"
cp -r "$game" "$folder/worn"
printf X | dd of="$folder/worn/a.sad" bs=1 seek=2060 conv=notrunc 2>/dev/null
exits 0 "a pak of a worn database" spindle pack "$folder/worn" -o "$folder/worn.spk" --quiet
exits 1 "a damaged clip is refused" spindle simulate --layout "$folder/worn.spk" $walk --scheduler key
check "the refusal of a damaged clip has its place" says '^spindle: a/spline.sac: offset 0x[0-9a-f]*: checksum of a clip: found 0x'
exits 3 "a script that does not exist" run --clips "$folder/nowhere.txt"
exits 2 "--clips without --layout" spindle simulate $walk
exits 2 "--clips with --load" run $walk --load 1
exits 2 "--clips with --seed and without --faults" run $walk --seed 1
exits 2 "--write-trace of two runs" run $walk --trace "$folder/sea.json" --trace "$folder/dance.json" --write-trace "$folder/two.json"
exits 2 "--write-trace of two paks" spindle simulate $walk --compare "$folder/data.spk" "$folder/packed.spk" --write-trace "$folder/two.json"
exits 1 "a pak of --compare without the image" spindle simulate $walk --compare "$folder/data.spk" "$folder/single.spk"
exits 1 "a script as the output is refused" run $walk --write-trace "$folder/walk.txt"
finish
