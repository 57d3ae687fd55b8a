#!/usr/bin/env bash
# Goal: `spindle view` draws animation clips as skeletons beside caches; time, keys, draw modes and
# colours work for clips as for caches; a damaged clip costs that clip.
# Method: screenshots on a virtual display, compared with each other. The runs have a virtual clock,
# so that they are repeatable.
# One thread.
set -u
name=test_view_clips
. tests/cli/lib.sh
. tests/view/lib.sh
data=$PWD/tests/data
make_json_reader
value() { json_has "$1" && cat "$folder/value"; }
anims=$folder/anims game=$folder/game
exits 0 "compile a hero" spindle anim compile "$data/anim/arm.glb" -o "$anims/hero" --quiet
exits 0 "compile a prop" spindle anim compile "$data/anim/arm.bvh" -o "$anims/prop" --unit-metres 1 --quiet
exits 0 "pack the clips" spindle anim pack "$anims" -o "$game" --quiet
cp "$anims/hero/arm.sas" "$game/hero.sas"
cp "$anims/prop/arm.sas" "$game/prop.sas"
exits 0 "compile a cloth" spindle compile --quiet tests/data/demo.abc -o "$folder/demo.sgc"
demo=$folder/demo.sgc wave=$anims/hero/wave.sac spline=$anims/hero/spline.sac prop=$anims/prop/arm.sac
image=$game/animations.sai
exits 2 "--characters without an image" spindle view "$wave" --characters 2
if ! has_sdl2; then
    skipped=$((skipped + 1))
    echo "  skipped: no SDL2"
    finish
    exit
fi
if is_tsan; then end_here_with_tsan; fi
open_display "$wave"
check "the comparer of pictures compiles" compile_comparer
# shot NAME TIME KEYS FILE...: a picture without the overlay.
shot() { check "a picture: $1" view "${@:4}" --screenshot "$2=$folder/$1.png" --keys "o$3"; }
same() { is_near "$folder/$1.png" "$folder/$2.png" 0 0; }
other() { is_apart "$folder/$1.png" "$folder/$2.png" 30 0; }

# ---- time ----------------------------------------------------------------------
shot wave 0.25 '' "$wave"
check "nothing is said of a clip that plays" silent
shot nothing 0.25 2 "$wave"
check "a clip is drawn" other wave nothing
shot wave-later 0.5 '' "$wave"
check "a clip moves" other wave wave-later
# 5 frames, 4 in a second; a loop goes from the last one to the first one, too.
shot wave-loop 1.5 '' "$wave"
check "a clip loops" same wave-loop wave
shot wave-end 1 l "$wave"
shot wave-over 1.5 l "$wave"
check "a clip that does not loop stays at its last frame" same wave-over wave-end
check "and this is another one" other wave-over wave-loop
shot wave-between 0.3 i "$wave"
check "without interpolation the frame before is drawn" same wave-between wave
shot wave-between 0.3 '' "$wave"
check "with interpolation another pose is" other wave-between wave
shot wave-backward 0.25 r "$wave"
check "a screenshot is at its time backwards, too" same wave-backward wave
exits 0 "play backwards" view "$wave" --frames 90 --keys or --json
check "backwards, each picture has its pose" json_has clips.poses 90
check "time went back" eval 'json_has time_s && grep -q "^-1[.]" "$folder/value"'
# The first clip plays at time 0, and the one before it at once.
exits 0 "play an image backwards" view "$image" --frames 300 --keys or --tune anim_grace_ms=0 --json
check "backwards, characters look ahead" test "$(value clips.look_ahead_hits)" -ge "$(($(value clips.plays) - 2))"
check "backwards, only the first two plays wait" test "$(value clips.waits)" -le 2
exits 0 "play at 8 times the speed" view "$spline" --frames 90 --json
poses() { json_has clips.poses "$1" && json_has clips.pictures "$1" && json_has pictures_late 0; }
check "each picture has its pose, and none is late" poses 90
check "the report says what went to the GPU" test "$(value gpu_bytes)" -gt $((90 * 24 * 28))

# ---- keys ----------------------------------------------------------------------
shot frames 0.25 f "$wave"
check "clips look the same on the path of frames" same frames wave
for keys in w ww n c cc 3 h; do
    shot keys 0.25 "$keys" "$wave"
    check "--keys $keys changes the picture of a clip" other keys wave
done
shot keys 0.25 ccc "$wave"
check "the colour of levels is that of states" same keys wave
shot keys 0.25 1 "$wave"
check "1 shows clips" same keys wave
check "view --keys with the overlay" view "$wave" --screenshot 0.25="$folder/overlay.png"
check "view --keys with the overlay and a filter" view "$wave" --screenshot 0.25="$folder/filter.png" --tune debug_filter=nobody
check "the filter takes the rows of clips out of the overlay" other overlay filter

# ---- caches and several clips --------------------------------------------------
shot both 0.25 '' "$demo" "$wave"
shot cloth 0.25 '' "$demo"
shot both-later 0.5 '' "$demo" "$wave"
shot both-2 0.25 2 "$demo" "$wave"
check "a clip beside a cache is drawn" other both both-2
check "the camera shows both" other both cloth
check "both move" other both both-later
exits 0 "view a cache and clips from a drive" view "$demo" "$wave" "$spline" "$prop" --drive x360_dvd12x --frames 60 --json
check "each picture of each clip has its pose" eval 'json_has clips.poses 180 && json_has clips.glitches 0'
shot image 0.25 '' "$image" --characters 3
shot single 0.25 '' "$image:hero/spline.sac" "$image:hero/wave.sac" "$image:prop/arm.sac"
check "all clips of an image at the same time are these clips" same image single
# In the order of names: spline 0.6 s, wave 1 s, arm 0.16 s.
shot first 0.3 '' "$image"
shot second 0.9 '' "$image"
shot again 2.06 '' "$image"
check "one clip of an image follows the other" other first second
check "after the last one the first one follows" same again first
shot back 2.06 '' "$image" --screenshot 0.3="$folder/back.png"
check "time may jump back to another clip" same back first
exits 0 "a clip in a pak" spindle pack "$game" -o "$folder/game.spk" --quiet
shot pak 0.3 '' "$folder/game.spk:animations.sai"
check "an image in a pak looks the same" same pak first
exits 0 "view prints a report" view "$wave" --frames 3
check "the report has the clips" says '^  poses sampled     3 of 3; '

# ---- what is not there ---------------------------------------------------------
mkdir "$folder/bad"
cp "$wave" "$folder/bad/alone.sac"
shot alone 0.25 '' "$folder/bad/alone.sac"
check "a warning names the clip without a skeleton" says '^spindle: warning: .*/alone.sac: no skeleton (.sas) in its folder has the hash [0-9a-f]*: name one'
check "nothing is drawn of it" same alone nothing
mkdir "$folder/lone"
mv "$folder/bad/alone.sac" "$folder/lone/"
cp "$anims/hero/arm.sas" "$spline" "$folder/bad/"
printf XXX | dd of="$folder/bad/spline.sac" bs=1 seek=$(($(wc -c <"$spline") / 2)) conv=notrunc 2>/dev/null
exits 1 "view of a clip with a damaged segment" view "$folder/bad/spline.sac" "$wave" --frames 36 --json
check "the message names clip, place and value" says '^spindle: .*/bad/spline.sac: offset 0x[0-9a-f]*: checksum of a segment: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch); not there in [0-9]* pictures$'
check "the other clip has all its poses" json_has clips.each.0.poses 36
check "the damaged one has some" test "$(value clips.each.1.poses)" -lt 36 -a "$(value clips.each.1.poses)" -gt 0
exits 1 "a screenshot of a damaged segment" view "$folder/bad/spline.sac" --keys o --screenshot 0.17="$folder/damaged.png"
shot whole 0.17 '' "$spline"
check "a screenshot of a damaged segment is written, in another colour" other damaged whole
check "wait for a clip in a stall" view "$image" --keys o --drive x360_dvd12x --fault stall,at=0.3,for=8 --tune anim_ahead_ms=0 --frames 90 --screenshot 0.9="$folder/pending.png"
check "a clip that is not there is drawn in another colour" other pending second
refused() {
    exits "$1" "$2" view "${@:4}" --frames 3
    check "the refusal says what" says "$3"
    check "a refusal is one line" one_line
    check "a refusal prints no report" test ! -s "$folder/stdout"
}
head -c 100 "$wave" >"$folder/bad/short.sac"
refused 1 "a clip that was cut off" 'short.sac: offset 0x0: file size: found 100, expected' "$folder/bad/short.sac"
exits 1 "view of a clip that was cut off beside another one" view "$folder/bad/short.sac" "$wave" --keys o --screenshot 0.25="$folder/beside.png"
check "the message says what of the clip is damaged" says '^spindle: .*short.sac: offset 0x0: file size: found 100, expected'
check "it is printed once" one_line
check "the other clip is drawn" same beside wave
exits 1 "view of a clip that was cut off beside a cache" view "$folder/bad/short.sac" "$demo" --keys o --screenshot 0.25="$folder/beside.png"
check "the cache is drawn" same beside cloth
head -c 20 "$wave" >"$folder/bad/short.sac"
refused 1 "a clip without a whole header" 'short.sac: offset 0x[0-9a-f]*: .*found ' "$folder/bad/short.sac"
refused 3 "a clip that does not exist" 'nope.sac: cannot open: ' "$folder/nope.sac"
refused 1 "a clip of another skeleton" 'alone.sac: is for a skeleton with the hash' "$folder/lone/alone.sac" "$anims/prop/arm.sas"
refused 1 "a skeleton alone" 'a skeleton without clips' "$anims/hero/arm.sas"
finish
