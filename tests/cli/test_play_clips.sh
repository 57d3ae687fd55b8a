#!/usr/bin/env bash
# Goal: `spindle play` plays animation clips beside caches: single clips, images with databases,
# from files and paks; it finds their skeletons, samples poses, counts pictures of clips that were
# not there, and refuses bad input.
# Method: clips compiled from files made by the project, on the virtual clock and an emulated drive.
set -u
name=test_play_clips
. tests/cli/lib.sh
data=$PWD/tests/data
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
bytes() { wc -c <"$1"; }
anims=$folder/anims game=$folder/game
exits 0 "compile a hero" spindle anim compile "$data/anim/arm.glb" -o "$anims/hero" --quiet
exits 0 "compile a prop" spindle anim compile "$data/anim/arm.bvh" -o "$anims/prop" --quiet
exits 0 "pack the clips" spindle anim pack "$anims" -o "$game" --quiet
bare=$folder/bare
cp -r "$game" "$bare"
rm "$bare"/*/arm.sas
mv "$game/prop/arm.sas" "$game/prop.sas"
cache=$data/golden/classic-lz4.sgc
wave=$anims/hero/wave.sac spline=$anims/hero/spline.sac hero=$anims/hero/arm.sas
image=$game/animations.sai
run() { spindle play --virtual --drive x360_dvd12x "$@"; }

exits 0 "play in real time" spindle play "$cache" "$wave" "$hero" --seconds 0.2
check "clips play in real time" says '^  glitches          0 of 12 pictures of clips; '
end_here_with_tsan

# ---- single clips ------------------------------------------------------------
exits 0 "play a cache and two clips" run "$cache" "$wave" "$spline" "$hero"
check "play prints nothing on stderr" silent
check "text: the clips that played" says '^  clips             2 of 2 played by 2 characters$'
check "text: the glitches" says '^  glitches          0 of 120 pictures of clips; the last pose held in 0 others$'
check "text: the wait for the first pose" says '^  first pose        at once in 0 of 2 plays, after [1-9][0-9.]* ms in the worst$'
check "text: the reads" says '^  clips read        2 reads, 1[.][0-9]* kB; 0 failed, 0 aborted; '
check "text: a row for each clip" says "^ *$(bytes "$wave")     1.00      1      1      1  *[0-9.]* ms        60         0     60  .*/wave.sac\$"
check "the run is as long as the longest clip" says '^played 1.00 s, 1 stream, virtual clock$'
exits 0 "play --json" run "$cache" "$wave" "$spline" "$hero" --json
check "JSON: clips that played" json_has clips.played 2
check "JSON: skeletons" json_has clips.skeletons 1
check "JSON: pictures" json_has clips.pictures 120
check "JSON: each clip" json_has clips.each.1.bytes "$(bytes "$wave")"
check "JSON: frames of the cache" test "$(value frames_shown)" -gt 20
cp "$folder/stdout" "$folder/first"
exits 0 "play --json again" run "$cache" "$wave" "$spline" "$hero" --json
check "a run is repeatable" diff <(grep -v '_ms_per_' "$folder/first") <(grep -v '_ms_per_' "$folder/stdout")
exits 0 "play a cache alone" run "$cache" --json
check "JSON: no clips unless given" sh -c "! grep -q clips '$folder/stdout'"

# ---- skeletons and poses --------------------------------------------------------
# poses COUNT CLIPS: what the last run says.
poses() { json_has clips.poses "$1" && json_has clips.pictures "$2"; }
exits 0 "play clips without their skeleton" run "$wave" "$anims/prop/arm.sac" --json
check "skeletons are found beside clips, and each picture has a pose" poses 120 120
check "JSON: the skeleton of a clip" json_has clips.each.1.skeleton "\"$anims/prop/arm.sas\""
check "nothing is said of skeletons that are found" silent
# The root of wave.sac goes to and fro; that of spline.sac rests.
exits 0 "play a clip whose root moves" run "$wave" --seconds 0.5
check "text: poses and the way of the root" says '^  poses sampled     30 of 30; first joints moved 0[.][1-9][0-9]* m$'
exits 0 "play a clip whose root rests" run "$spline" --json
check "a root that rests does not move" json_has clips.root_metres 0
exits 0 "play an image with skeletons in its folder, and in those of clips" run "$image" --json
check "an image has poses" poses 106 106
check "both skeletons are open" json_has clips.skeletons 2
exits 0 "play an image without skeletons" run "$bare/animations.sai" --json
check "without skeletons there are no poses" poses 0 106
check "the clips play all the same" json_has clips.glitches 0
hash() { spindle anim info "$1" --json >"$folder/stdout" && json_has skeleton && tr -d '"' <"$folder/value"; }
wave_hash=$(hash "$wave")
exits 0 "play an image without skeletons again" run "$bare/animations.sai"
check "a warning names clip and hash" says "^spindle: warning: hero/spline.sac: no skeleton (.sas) in its folder has the hash $wave_hash: name one; "
check "there is one warning for each skeleton" test "$(wc -l <"$folder/stderr")" = 2
exits 0 "play an image with skeletons that are named" run "$bare/animations.sai" "$hero" "$anims/prop/arm.sas" --json
check "named skeletons have the poses" poses 106 106
sed 's/OFFSET 0.0 0.5 0.0/OFFSET 0.0 0.75 0.0/' "$data/anim/arm.bvh" >"$folder/taller.bvh"
exits 0 "compile a taller prop" spindle anim compile "$folder/taller.bvh" -o "$folder/taller" --quiet
exits 0 "play a clip with the skeleton of other proportions" run "$anims/prop/arm.sac" "$folder/taller/taller.sas" --json
check "the skeleton that fits is preferred" silent
cp "$anims/prop/arm.sac" "$folder/taller/"
exits 0 "play a clip beside a skeleton of other proportions" run "$folder/taller/arm.sac" --json
check "a skeleton of other proportions is used, with a warning" says '^spindle: warning: .*/arm.sac: is for the rest pose [0-9a-f]*, but .*/taller.sas has [0-9a-f]*$'
check "it has the poses" poses 10 10
head -c 60 "$anims/hero/arm.sas" >"$folder/taller/cut.sas"
exits 0 "play beside a skeleton that was cut off" run "$folder/taller/arm.sac" --json
check "a damaged skeleton is not the clip's" poses 10 10

# ---- the heap is shared --------------------------------------------------------
exits 1 "play in a heap that is too small" run "$cache" "$data/golden/attributes-lifted.sgc" "$wave" --streams 40 --heap 1
enough=$(sed -n 's/^.*; \([0-9]*\) MiB are surely enough$/\1/p' "$folder/stderr")
exits 0 "play in a heap that is surely enough" run "$cache" "$data/golden/attributes-lifted.sgc" "$wave" --streams 40 --heap "${enough:-1}"

# ---- images ------------------------------------------------------------------
exits 0 "play all clips of an image" run "$image" --json
check "an image plays all its clips" json_has clips.played 3
check "its clips follow each other" json_has clips.pictures 106
check "a timeline has looked ahead" json_has clips.look_ahead_hits 2
check "no clip is missed" json_has clips.glitches 0
exits 0 "play without look-ahead" run "$image" --tune anim_ahead_ms=0 --json
check "without look-ahead clips are late" json_has clips.look_ahead_misses 2
exits 0 "play --characters" run "$image" --characters 2 --seconds 3 --json
check "two characters play" json_has clips.characters 2
check "the clips are repeated to the end" json_has clips.pictures 360
exits 0 "play one clip of an image" run "$image:hero/wave.sac" "$hero"
check "IMAGE.sai:CLIP plays that clip" says '^  clips             1 of 3 played by 1 character$'
echo "1000000000 hero.sad" >"$folder/places"
exits 0 "play with the place of a database" run "$image" --disc-layout "$folder/places"
check "the place of a database is no mistake" silent
exits 2 "--characters without an image" run "$wave" --characters 2
exits 2 "--streams without a cache" run "$wave" --streams 2

# ---- paks --------------------------------------------------------------------
exits 0 "a pak of clips" spindle pack "$anims" -o "$folder/anims.spk" --quiet
exits 0 "a pak of a game" spindle pack "$game" -o "$folder/game.spk" --quiet
exits 0 "play a clip in a pak" run "$folder/anims.spk:hero/wave.sac"
check "a clip in a pak plays" says '^  glitches          0 of 60 pictures of clips; '
check "its skeleton is found in the pak" says '^  poses sampled     60 of 60; '
exits 0 "play a clip of --pak" run --pak "$folder/anims.spk" hero/wave.sac
check "its skeleton is found in the pak of --pak" says '^  poses sampled     60 of 60; '
exits 0 "play an image in a pak" run "$folder/game.spk:animations.sai" --record "$folder/game.json" --json
check "an image in a pak plays" json_has clips.glitches 0
check "an image in a pak has poses" poses 106 106
check "the reads of clips are recorded" grep -q '"path": "hero.sad", .* "task": "animation"' "$folder/game.json"
exits 0 "play an image of a loaded pak" run --pak "$folder/game.spk" animations.sai --load --json
check "an image of --pak plays" json_has clips.played 3

sums() { cat "$game"/*.sad "$anims"/*/*.sas | cksum; }
before=$(sums)
exits 1 "record onto a database of the image" run "$image" --record "$game/hero.sad"
check "the refusal names the output" says "hero.sad"
exits 1 "record onto a skeleton that is found" run "$wave" --record "$hero"
check "what was to be overwritten is there" test "$before" = "$(sums)"

# ---- snapshots -----------------------------------------------------------------
exits 0 "play --snapshot with clips" run "$cache" "$wave" "$spline" --snapshot 0.3
check "a line for each character" test "$(grep -c '^clip .*: frame [0-9]* of [0-9]*, loaded, sampled; glitches 0, held 0$' "$folder/stdout")" = 2
check "the frame of now" says '^clip .*/wave.sac: frame 1 of 5, '
exits 0 "play --snapshot with a filter" run "$cache" "$wave" "$spline" --snapshot 0.3 --tune debug_filter=wave
check "the filter leaves out the other clip" test "$(grep -c '^clip ' "$folder/stdout")" = 1
exits 0 "play --snapshot --json of an image in a stall" run "$image" --snapshot 0.8 --fault stall,at=0.3,for=2 --tune anim_ahead_ms=0 --json
check "JSON: the clip that plays" json_has snapshot.clips.0.clip '"hero/wave.sac"'
check "JSON: it is not there" eval 'json_has snapshot.clips.0.is_ready false && json_has snapshot.clips.0.pose "\"pending\""'
check "JSON: memory of clips" test "$(value snapshot.clip_memory.pages_image)" -gt 0

# ---- a recording, simulated ---------------------------------------------------
cp "$cache" "$game/sea.sgc"
exits 0 "a pak of clips and a cache" spindle pack "$game" -o "$folder/mix.spk" --quiet
exits 0 "record clips and a cache" run "$folder/mix.spk:animations.sai" "$folder/mix.spk:sea.sgc" --record "$folder/mix.json" --json
exits 0 "simulate the recording" spindle simulate --trace "$folder/mix.json" --layout "$folder/mix.spk" --scheduler deadline --json
check "simulate reads the image, two skeletons and each clip" json_has runs.0.classes.clip.reads 6
check "simulate reads the cache" test "$(value runs.0.classes.stream.reads)" -gt 0
check "simulate finds all files of clips" json_has left_out 0
exits 0 "pack by the recording" spindle anim pack "$anims" -o "$folder/used" --order "$folder/mix.json" --recorded "$game/hero.sad" --recorded "$game/prop.sad" --json
check "the recorded clips are uses" json_has used_clips 3

# ---- faults and bad input ----------------------------------------------------
cp -r "$game" "$folder/bad"
printf X | dd of="$folder/bad/hero.sad" bs=1 seek=2060 conv=notrunc 2>/dev/null
exits 1 "play a damaged database" run "$folder/bad/animations.sai" --json
check "damage is reported with file, place and value" says '^spindle: hero/spline.sac: offset 0x800: checksum of a clip: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch); not there in 36 pictures$'
check "the run goes on after damage" json_has clips.pictures 106
check "its pictures are glitches" json_has clips.glitches 36
rm "$folder/bad/hero.sad"
exits 3 "play without a database" run "$folder/bad/animations.sai"
at=$(($(bytes "$spline") / 2))
cp "$spline" "$folder/spline.sac"
printf XXX | dd of="$folder/spline.sac" bs=1 seek=$at conv=notrunc 2>/dev/null
exits 1 "play a clip with a damaged segment" run "$folder/spline.sac" --json
check "a damaged segment is reported" says '^spindle: .*/spline.sac: offset 0x[0-9a-f]*: checksum of a segment: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch); not there in [0-9]* pictures$'
check "the last pose holds over damage" test "$(value clips.held)" -gt 0
exits 3 "play with an unreadable place of a database of an image" run "$image" --fault "unreadable,offset=2048:hero.sad" --json
check "its clips cannot be read" test "$(value clips.glitches)" -gt 60
check "the message names the clip" says '^spindle: hero/[a-z]*.sac: '
exits 1 "play with a fault of a file that the image does not have" run "$image" --fault "unreadable,offset=0:villain.sad"
check "the message lists the databases" says "game/hero.sad"
exits 1 "play with a fault beyond the end of a database" run "$image" --fault "unreadable,offset=1000000:prop.sad"
check "the message has the size of the database" says "$(bytes "$game/prop.sad")"
exits 0 "play over a stall" run "$image" --fault stall,at=0.3,for=0.8 --tune anim_ahead_ms=0 --json
check "a stall makes glitches" test "$(value clips.glitches)" -gt 0
refused() {
    exits "$1" "$2" run "${@:4}"
    check "the refusal says what" says "$3"
    check "a refusal is one line" one_line
    check "a refusal prints no report" test ! -s "$folder/stdout"
}
head -c 100 "$wave" >"$folder/short.sac"
refused 1 "a clip that was cut off" 'short.sac: offset 0x0: file size: found 100, expected '"$(bytes "$wave")" "$folder/short.sac"
exits 1 "play a clip that was cut off beside another one" run "$folder/short.sac" "$wave" --json
check "its message is printed, once" eval 'one_line && says "short.sac: offset 0x0: file size: found 100"'
check "the other clip plays" poses 60 60
exits 1 "play a clip that was cut off beside a cache" run "$folder/short.sac" "$cache" --json
check "the cache plays" test "$(value frames_shown)" -gt 15
head -c 20 "$wave" >"$folder/short.sac"
refused 1 "a clip without a whole header" 'short.sac: offset 0x[0-9a-f]*: .*found ' "$folder/short.sac"
cp -r "$anims/hero" "$folder/bent"
printf X | dd of="$folder/bent/arm.sas" bs=1 seek=60 conv=notrunc 2>/dev/null
exits 0 "play a clip beside a damaged skeleton" run "$folder/bent/wave.sac" --json
check "the message says what of the skeleton is damaged" says '^spindle: warning: .*/bent/arm.sas: offset 0x[0-9a-f]*: .*; it is not used$'
check "it has no poses" poses 0 60
refused 1 "a damaged skeleton that is named" 'bent/arm.sas: offset 0x[0-9a-f]*: ' "$folder/bent/wave.sac" "$folder/bent/arm.sas"
head -c 100 "$hero" >"$folder/short.sas"
refused 1 "a skeleton that was cut off" 'short.sas: offset 0x0: file size: found 100, expected '"$(bytes "$hero")" "$wave" "$folder/short.sas"
head -c 100 "$image" >"$folder/short.sai"
refused 1 "an image that was cut off" 'short.sai: offset 0x[0-9a-f]*: .*found ' "$folder/short.sai"
cp "$image" "$folder/flipped.sai"
printf X | dd of="$folder/flipped.sai" bs=1 seek=200 conv=notrunc 2>/dev/null
refused 1 "a damaged image" 'flipped.sai: offset 0x[0-9a-f]*: .*found .*expected ' "$folder/flipped.sai"
refused 1 "a clip that an image does not have" 'the image has no clip "nope"' "$image:nope"
refused 1 "a clip beside an image" 'a clip beside the image' "$image" "$wave"
refused 1 "two images" 'a second image beside' "$image" "$folder/flipped.sai"
refused 1 "a skeleton alone" 'a skeleton without clips' "$hero"
cp "$anims/prop/arm.sac" "$folder/alone.sac"
refused 1 "a clip of another skeleton" 'alone.sac: is for a skeleton with the hash [0-9a-f]*, which is no operand and not in its folder' "$folder/alone.sac" "$hero"
refused 3 "a clip that does not exist" 'nope.sac: cannot open: ' "$folder/nope.sac"
finish
