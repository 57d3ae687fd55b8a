#!/usr/bin/env bash
# Goal: spindle anim describes files of motion as they are, compiles them within the precision, and
# exports what it compiled.
# Method: files made by the project, of every format; numbers in the output are compared with what
# the files were made with, clips with their sources.
# Threads as in test_compile.sh.
set -u
name=test_anim
. tests/cli/lib.sh
data=tests/data/anim
export SPINDLE
check "the JSON reader of the tests compiles" make_json_reader

# ---- info ------------------------------------------------------------------
exits 0 "info of a BVH file" spindle anim info $data/arm.bvh
check "info of a BVH file prints its parts" says "^$data/arm.bvh: bvh; joints 4, skins 0, clips 1$"
check "info of a BVH file has rate, frames, times, joints and channels of the clip" says "^ *25  *25  *5  *0.000  *0.160  *3  *4  arm$"
check "info of a BVH file has its extent" says "^  rest pose   0.75 units; 0.0075 m with --unit-metres 0.01$"
exits 0 "info --tree" spindle anim info $data/arm.bvh --tree --unit-metres 1
check "info --tree indents joints" says "^      2      lower$"
check "info uses --unit-metres" says "; 0.75 m with --unit-metres 1$"
for file in arm.gltf arm.glb arm_beside.gltf; do
    exits 0 "info of $file" spindle anim info $data/$file
    check "info of $file prints nothing on stderr" silent
    check "info of $file has the clip on a grid" says "^ *4  *4  *5  *0.000  *1.000  *4  *4  wave$"
    check "info of $file has the clip on no grid" says "^ *-  *30  *19  *0.500  *1.100  *3  *3  spline$"
done
exits 0 "info --rate" spindle anim info $data/arm.glb --rate 12
check "info --rate counts the frames at that rate" says "^ *4  *12  *13  .*wave$"
exits 0 "info --json" spindle anim info $data/arm.glb --json
check "info --json has the kind motion" json_has kind '"motion"'
check "info --json has the format" json_has format '"glb"'
check "info --json has joints" json_has joints.3.name '"hand"'
check "info --json has null for a joint without a name" json_has joints.4.name null
check "info --json has parents" json_has joints.3.parent 2
check "info --json has skins" json_has skins.0.joints.2 3
check "info --json has the own rate" json_has clips.0.own_rate 4
check "info --json has no own rate without a grid" json_has clips.1.own_rate null
check "info --json has the rate as a fraction" json_has clips.1.rate_numerator 30
check "info --json counts paths" json_has clips.0.channels.rotation 2
check "info --json counts interpolations" json_has clips.1.interpolations.CUBICSPLINE 2

exits 0 "info of several files" spindle anim info $data/arm.bvh $data/arm.glb
check "info of several files describes the first" says "^$data/arm.bvh: bvh; joints 4, "
check "info of several files describes the second" says "^$data/arm.glb: glb; joints 5, "
exits 3 "info of a missing file among several fails" spindle anim info $data/none.bvh $data/arm.glb
check "info describes the files after a missing one" says "^$data/arm.glb: glb; joints 5, "

# ---- refusals ----------------------------------------------------------------
mkdir "$folder/alone"
cp $data/arm_beside.gltf "$folder/alone"
exits 1 "a missing buffer is refused" spindle anim info "$folder/alone/arm_beside.gltf"
check "the refusal names value and path" says 'arm_beside.gltf: buffers\[0\].uri: no file "arm.bin" beside the document$'
head -c 600 $data/arm.bin >"$folder/alone/arm.bin"
exits 1 "a short buffer is refused" spindle anim info "$folder/alone/arm_beside.gltf"
check "the refusal of a short buffer has both sizes" says 'buffers\[0\].byteLength: 696 bytes promised, 600 are there$'
rm "$folder/alone/arm.bin"
mkdir "$folder/alone/arm.bin"
exits 3 "a folder instead of a buffer fails" spindle anim info "$folder/alone/arm_beside.gltf"
cp $data/arm.bin "$folder/arm.bin"
sed 's/"arm.bin"/"..\/arm.bin"/' $data/arm_beside.gltf >"$folder/alone/up.gltf"
exits 1 "a buffer outside of the folder is refused" spindle anim info "$folder/alone/up.gltf"
check "the refusal is one line" one_line
check "the refusal names the part" says 'buffers\[0\].uri: "../arm.bin" has a part ".."; only files in the folder'
mkdir "$folder/alone/below"
cp $data/arm.bin "$folder/alone/below/a b.bin"
sed 's/"arm.bin"/"below\/a%20b.bin"/' $data/arm_beside.gltf >"$folder/alone/down.gltf"
exits 0 "a buffer below the folder is read" spindle anim info "$folder/alone/down.gltf"
exits 1 "a file of another kind is refused" spindle anim info tests/data/tiny.abc
exits 3 "a missing file fails" spindle anim info "$folder/none.bvh"
for line in "info" "paint a" "info a --against b" "compile a" "export a" "export a -o -" \
    "verify a b --clip c" "verify a --clip b --clip c" "verify a --tree" "compile a -o b --against c"; do
    # shellcheck disable=SC2086
    exits 2 "anim $line is a usage error" spindle anim $line
    check "anim $line prints one line" eval 'test "$(wc -l <"$folder/stderr")" -le 2'
done
exits 2 "anim without an action is a usage error" spindle anim

# ---- compile ---------------------------------------------------------------
exits 0 "compile" spindle anim compile $data/arm.glb -o "$folder/anims" --json
check "compile writes clips and a skeleton" test "$(cd "$folder/anims" && echo *)" = "arm.sas spline.sac wave.sac"
check "compile --json has the bytes of a clip" json_has clips.0.bytes "$(wc -c <"$folder/anims/wave.sac")"
check "compile --json has the bytes of the skeleton" json_has skeletons.0.bytes "$(wc -c <"$folder/anims/arm.sas")"
check "compile raises the rate of a clip with cubic curves, at most to 240" json_has clips.1.rate 240
check "compile keeps the rate of a clip without cubic curves" json_has clips.0.rate 4
check "compile warns of curves that no rate follows" says "^spindle: warning: $data/arm.glb: spline: its frames are up to 0[0-9.]* mm off its cubic curves, and float tracks up to 0 (clips above the precision: 1); a higher --rate "
check "compile --json counts weights" json_has clips.1.float_tracks 2
# Several files, each an object as of one file; a bad one has its fault.
exits 0 "info --json of several files" spindle anim info "$folder/anims/wave.sac" "$folder/anims/arm.sas" $data/arm.glb --json
check "info of several: each has its kind" json_has files.0.kind '"clip"'
check "info of several: the second is a skeleton" json_has files.1.kind '"skeleton"'
check "info of several: the third is a source" json_has files.2.kind '"motion"'
check "info of several: each has its file" json_has files.1.file "\"$folder/anims/arm.sas\""
exits 1 "info --json of several with a bad one" spindle anim info "$folder/anims/wave.sac" tests/data/tiny.abc "$folder/anims/arm.sas" --json
check "info of several: the bad one is named" json_has files.1.file '"tests/data/tiny.abc"'
check "info of several: it has a fault" json_has files.1.fault.file '"tests/data/tiny.abc"'
check "info of several: the next one is described" json_has files.2.kind '"skeleton"'
exits 1 "info --json of one bad file" spindle anim info tests/data/tiny.abc --json
check "info of one bad file prints no object" test ! -s "$folder/stdout"

# ---- render ------------------------------------------------------------------
is_png() { [ "$(head -c 8 "$1" | od -An -v -t x1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }
for frame in 0 2; do
    exits 0 "render frame $frame of a clip" spindle render "$folder/anims/wave.sac" -f $frame --size 96x72 --view clip -o "$folder/wave$frame.png"
    check "the picture of frame $frame is a PNG file" is_png "$folder/wave$frame.png"
done
check "the arm moves in the pictures" eval '! cmp -s "$folder/wave0.png" "$folder/wave2.png"'
exits 0 "render a clip again" spindle render "$folder/anims/wave.sac" -f 2 --size 96x72 --view clip -o "$folder/again.png"
check "a picture of a clip is repeatable" cmp "$folder/wave2.png" "$folder/again.png"
exits 1 "a frame behind the end of a clip is refused" spindle render "$folder/anims/wave.sac" -f 999 -o "$folder/none.png"
check "the refusal has the frames of the clip" says "wave.sac: --frames: 999, but frames are 0 to [0-9]*$"
mkdir -p "$folder/bare"
cp "$folder/anims/wave.sac" "$folder/bare"
exits 1 "a clip without its skeleton is not drawn" spindle render "$folder/bare/wave.sac" -o "$folder/none.png"
exits 1 "a skeleton is not drawn" spindle render "$folder/anims/arm.sas" -o "$folder/none.png"
check "the refusal of a skeleton names the verb of animation" says 'is a skeleton: use "spindle anim info"$'
check "after refusals there is no picture" test ! -e "$folder/none.png"

# The verbs of caches name the verb of animation.
hint() {
    exits 1 "$1 of $2 is refused" spindle $1 "$2" ${@:4}
    check "$1 of $2: the hint" says "^spindle: .*$2: is an* .*: use \"spindle anim $3\"$"
    check "$1 of $2: one line" one_line
}
exits 0 "pack for hints" spindle anim pack "$folder/anims" -o "$folder/hints" --quiet
for file in "$folder/anims/wave.sac" "$folder/anims/arm.sas" "$folder/hints/animations.sad" "$folder/hints/animations.sai"; do
    hint info "$file" info
    hint verify "$file" verify
    hint export "$file" export -o "$folder/hint.ply"
    hint compile "$file" info -o "$folder/hint.sgc"
done
hint compile $data/arm.glb compile -o "$folder/hint.sgc"
hint compile $data/arm.bvh compile -o "$folder/hint.sgc"
hint info $data/arm.bvh info
check "a refused file leaves no output" test ! -e "$folder/hint.sgc" -a ! -e "$folder/hint.ply"

exits 0 "info of a clip with weights" spindle anim info "$folder/anims/spline.sac" --json
check "info --json has the names of weights" json_has float_names.1 '"joint4/weights[1]"'
exits 0 "compile again" spindle anim compile $data/arm.glb -o "$folder/anims" --json
for field in clips.0.error_mm clips.0.error_between_mm clips.1.error_mm clips.1.error_between_mm; do
    check "compile --json has $field" json_has $field
    check "$field is within the precision" awk "BEGIN { exit !($(cat "$folder/value") <= 0.1) }"
done
exits 0 "compile with one job" spindle anim compile $data/arm.glb -o "$folder/again" --jobs 1
check "compile prints clips" says "^ *5  *4  .*  wave.sac$"
check "compile prints the skeleton" says "^  joints 5, bytes [0-9]*: skeleton arm.sas$"
exits 0 "compile with four jobs" spindle anim compile $data/arm.gltf -o "$folder/four" --jobs 4 --quiet
check "compile --quiet prints nothing" test ! -s "$folder/stdout" -a ! -s "$folder/stderr"
check "all numbers of jobs give the same bytes" diff -r "$folder/anims" "$folder/again"
check ".gltf and .glb give the same bytes" diff -r "$folder/anims" "$folder/four"
exits 0 "compile --clip" spindle anim compile $data/arm.glb -o "$folder/one" --clip spline --rate 15
check "compile --clip writes that clip" test "$(cd "$folder/one" && echo *)" = "arm.sas spline.sac"
exits 1 "compile of a missing clip is refused" spindle anim compile $data/arm.glb -o "$folder/none" --clip wave --clip walk
check "the refusal names the clip" says '^spindle: .*arm.glb: --clip: no clip "walk" in this file$'
check "a refused compile leaves no folder" test ! -e "$folder/none"
exits 1 "compile refuses one bad input of two" spindle anim compile $data/arm.glb "$folder/alone/up.gltf" -o "$folder/none"
check "one bad input leaves no folder" test ! -e "$folder/none"
exits 0 "compile --precision" spindle anim compile $data/arm.glb -o "$folder/coarse" --precision 5
check "a coarse precision makes smaller clips" test "$(wc -c <"$folder/coarse/wave.sac")" -lt "$(wc -c <"$folder/anims/wave.sac")"
exits 0 "compile --keep-rate" spindle anim compile $data/arm.glb -o "$folder/kept" --keep-rate --json
check "compile --keep-rate does not raise the rate" json_has clips.1.rate 30
check "compile warns of curves that frames do not follow" says "^spindle: warning: $data/arm.glb: spline: its frames are up to 1[0-9.]* mm off its cubic curves, "
exits 0 "compile --rate" spindle anim compile $data/arm.glb -o "$folder/rated" --rate 12 --json
check "compile --rate is the rate, with curves, too" json_has clips.1.rate 12
exits 0 "compile of curves" spindle anim compile $data/arm.glb -o "$folder/curves" --json --precision 1
check "compile does not warn of curves that it follows" silent
check "compile --json has the loss of float tracks" json_has clips.1.curves_lost_float 0
check "compile --json has the loss at the skin" json_has clips.1.curves_lost_mm
check "curves are followed within the precision" awk "BEGIN { exit !($(cat "$folder/value") <= 1 && $(cat "$folder/value") > 0) }"
exits 0 "verify of a clip that follows curves" spindle anim verify "$folder/curves/spline.sac" --against $data/arm.glb --precision 1
exits 0 "compile of motion too large for the format" spindle anim compile $data/arm.bvh -o "$folder/large" --unit-metres 1000 --json
check "compile warns of a clip above the precision" says "^spindle: warning: $data/arm.bvh: arm: its error is [0-9.e+]* mm at frames and [0-9.e+]* mm between them, above the precision (such clips: 1): "
check "the error of the clip is above the precision" json_has clips.0.error_mm
check "the warning is right" awk "BEGIN { exit !($(cat "$folder/value") > 0.1) }"
exits 1 "verify refuses the clip above the precision" spindle anim verify "$folder/large/arm.sac" --against $data/arm.bvh --unit-metres 1000
mkdir "$folder/other"
sed 's/OFFSET 0.25 0.0 0.0/OFFSET 0.5 0.0 0.0/' $data/arm.bvh >"$folder/other/arm.bvh"
sed 's/JOINT still/JOINT moved/' $data/arm.bvh >"$folder/other/moved.bvh"
exits 0 "compile of several files" spindle anim compile $data/arm.bvh "$folder/other/arm.bvh" "$folder/other/moved.bvh" -o "$folder/several" --unit-metres 1
check "equal joints share a skeleton, equal names get a second one" test "$(cd "$folder/several" && echo *)" = "arm-arm.sac arm.sac arm.sas moved.sac moved.sas"
mkdir "$folder/case"
cp "$folder/other/arm.bvh" "$folder/case/ARM.bvh"
cp "$folder/other/moved.bvh" "$folder/case/Arm.bvh"
exits 0 "compile of names that differ in case" spindle anim compile $data/arm.bvh "$folder/case/ARM.bvh" "$folder/case/Arm.bvh" -o "$folder/cases"
check "names that differ in case become different on every system" test "$(cd "$folder/cases" && LC_ALL=C && echo *)" = "2-Arm-Arm.sac ARM-ARM.sac Arm-2.sas arm.sac arm.sas"
exits 3 "compile to a folder that is a file fails" spindle anim compile $data/arm.bvh -o "$folder/anims/arm.sas"

mkdir -p "$folder/sources/below" "$folder/nothing"
cp $data/arm.glb "$folder/sources/below/hero.GLB"
cp $data/arm.bvh $data/arm.bin "$folder/sources"
exits 0 "compile of a folder" spindle anim compile "$folder/sources" -o "$folder/sourced" --quiet
check "compile of a folder takes the sources in it and below" test "$(cd "$folder/sourced" && echo *)" = "arm.sac arm.sas hero.sas spline.sac wave.sac"
exits 1 "compile of a folder without sources is refused" spindle anim compile "$folder/nothing" -o "$folder/none"
check "the refusal names the kinds of sources" says "nothing: there are no files of these kinds: .glb .gltf .bvh$"
check "a folder without sources leaves no output" test ! -e "$folder/none"

# ---- flags of clips ----------------------------------------------------------
flags() {
    exits 0 "info of $1" spindle anim info "$1" --json
    check "the flags of $1 are $2" json_has flags "$2"
}
flags "$folder/anims/wave.sac" '["scale"]'
exits 0 "compile with flags" spindle anim compile $data/arm.glb -o "$folder/flags" --loop 'w*' --additive spline --root-motion '*' --json
check "compile --json has the flags" json_has clips.0.loops true
flags "$folder/flags/wave.sac" '["loops","scale","root-motion"]'
flags "$folder/flags/spline.sac" '["additive","root-motion"]'
check "flags change nothing but the header of 56 bytes" cmp <(tail -c +57 "$folder/flags/spline.sac") <(tail -c +57 "$folder/anims/spline.sac")
check "info prints the flags" eval 'spindle anim info "$folder/flags/wave.sac" | grep -q "^  flags  *loops scale root-motion$"'
sed 's/"name": "wave"/"name": "wave", "extras": {"loop": true, "additive": 1, "root_motion": "Hips"}/' $data/arm.gltf >"$folder/extras.gltf"
exits 0 "compile with extras" spindle anim compile "$folder/extras.gltf" -o "$folder/extras" --clip wave
check "compile warns of extras of another type" says "extras.gltf: animations\[0\].extras.root_motion: is ignored: not true, false, 1 or 0$"
flags "$folder/extras/wave.sac" '["loops","additive","scale"]'
exits 0 "compile with extras and options" spindle anim compile "$folder/extras.gltf" -o "$folder/extras" --clip wave --once wave --quiet
flags "$folder/extras/wave.sac" '["additive","scale"]'
exits 0 "export of flags" spindle anim export "$folder/flags/wave.sac" "$folder/flags/spline.sac" -o "$folder/flags.glb"
exits 0 "compile of exported flags" spindle anim compile "$folder/flags.glb" -o "$folder/flags2" --rate 4 --quiet
flags "$folder/flags2/wave.sac" '["loops","scale","root-motion"]'
flags "$folder/flags2/spline.sac" '["additive","root-motion"]'
exits 1 "a pattern without a clip is refused" spindle anim compile $data/arm.glb -o "$folder/none" --loop 'run*'
check "the refusal of a pattern names it" says '^spindle: .*arm.glb: --loop: no clip matches "run\*"$'
walk() { # ends of: root x, root's turn, leg
    printf 'HIERARCHY ROOT base { OFFSET 0 0 0 CHANNELS 0 JOINT hips { OFFSET 0 1 0 CHANNELS 4 Xposition Yposition Zposition Yrotation JOINT leg { OFFSET 0 -1 0 CHANNELS 1 Xrotation } } } MOTION Frames: 3 Frame Time: 0.1 0 1 0 0 10 1 1 0 0 20 %s 1 0 %s %s' "$1" "$2" "$3"
}
walk 2 90 10 >"$folder/walk.bvh"
walk 2 90 11 >"$folder/limp.bvh"
walk 0 0 10 >"$folder/still.bvh"
closes() { # does walk, limp, still close; options
    exits 0 "compile with $4" spindle anim compile "$folder/walk.bvh" "$folder/limp.bvh" "$folder/still.bvh" -o "$folder/closes" --unit-metres 1 --json $4
    check "with $4, walk closes: $1" json_has clips.0.loop_closes $1
    check "with $4, limp closes: $2" json_has clips.1.loop_closes $2
    check "with $4, still closes: $3" json_has clips.2.loop_closes $3
}
closes false false true ""
closes true false true "--root-joint hips"
closes false false true "--root-joint base"
closes true false true "--root-joint leg --open limp"
closes false true true "--closes limp"
closes true false false "--root-joint hips --open still"
closes false false true "--closes limp --open limp"
flags "$folder/closes/still.sac" '["loops","closes"]'
exits 1 "a root joint that is in no file is refused" spindle anim compile "$folder/walk.bvh" -o "$folder/none" --root-joint Hips
check "the refusal of a root joint names it" says 'walk.bvh: --root-joint: no joint "Hips" in this file$'
exits 0 "compile of a closed walk" spindle anim compile "$folder/walk.bvh" -o "$folder/closes" --unit-metres 1 --root-joint hips --quiet
exits 0 "export of a closed walk" spindle anim export "$folder/closes/walk.sac" -o "$folder/closes.glb"
exits 0 "compile of an exported walk" spindle anim compile "$folder/closes.glb" -o "$folder/closes2" --quiet
flags "$folder/closes2/walk.sac" '["loops","closes"]'
exits 2 "flags are options of compile" spindle anim pack "$folder/anims" -o "$folder/none" --loop wave

# ---- info of clips -------------------------------------------------------------
exits 0 "info of a clip" spindle anim info "$folder/anims/wave.sac"
check "info of a clip has joints, frames and rate" says "wave.sac: clip; joints 5, frames 5, 4 a second, 1.000 s$"
check "info of a clip counts its step tracks" says "^  scales *animated 1 (step 1), constant 0$"
exits 0 "info --json of a clip" spindle anim info "$folder/anims/wave.sac" --json
check "info --json of a clip has the kind clip" json_has kind '"clip"'
check "info --json of a clip counts animated rotations" json_has rotations.animated 2
json_has skeleton
cp "$folder/value" "$folder/hash"
exits 0 "info --json of a skeleton" spindle anim info "$folder/anims/arm.sas" --json
check "info --json of a skeleton has the kind skeleton" json_has kind '"skeleton"'
check "info --json of a skeleton has the names of joints" json_has joints.4.name '"joint4"'
json_has hash
check "clip and skeleton have the same hash" cmp -s "$folder/hash" "$folder/value"
json_has rest_pose
cp "$folder/value" "$folder/rest_pose"
exits 0 "info --json of the clip again" spindle anim info "$folder/anims/wave.sac" --json
json_has rest_pose
check "clip and skeleton have the same rest pose" cmp -s "$folder/rest_pose" "$folder/value"
exits 0 "info --tree of a skeleton" spindle anim info "$folder/anims/arm.sas" --tree
check "info --tree of a skeleton indents joints" says "^      3        hand$"

# ---- verify ----------------------------------------------------------------
for clip in wave spline; do
    exits 0 "verify $clip" spindle anim verify "$folder/anims/$clip.sac" --against $data/arm.gltf
    check "verify $clip prints that it passed" says "^$folder/anims/$clip.sac: 5 joints, [0-9]* frames: passed$"
done
exits 0 "verify of a clip that does not follow its curves" spindle anim verify "$folder/kept/spline.sac" --against $data/arm.gltf
check "verify prints what sampling has lost of a cubic curve" says "^  against the source's curves  *1[0-9]\."
exits 0 "verify of a clip with a rate of its own" spindle anim verify "$folder/one/spline.sac" --against $data/arm.glb
exits 0 "verify finds the clip by its file's name" spindle anim verify "$folder/several/arm-arm.sac" --against "$folder/other/arm.bvh" --unit-metres 1
exits 0 "verify of a clip alone" spindle anim verify "$folder/anims/wave.sac"
exits 1 "verify of a coarse clip fails" spindle anim verify "$folder/coarse/wave.sac" --against $data/arm.glb --json
check "verify --json of a coarse clip has not passed" json_has has_passed false
check "verify --json names the joint of the error" json_has error_mm.name
exits 0 "verify --precision of a coarse clip" spindle anim verify "$folder/coarse/wave.sac" --against $data/arm.glb --precision 5
exits 1 "verify against another file fails" spindle anim verify "$folder/several/arm.sac" --against "$folder/other/arm.bvh" --unit-metres 1
check "verify against another file has both errors" says "mm at frames, [0-9.]* mm between them, 0.000000 of float tracks; allowed are 0.1 mm, 0.15 mm and 0.0001$"
mkdir "$folder/weights"
cp $data/arm_beside.gltf "$folder/weights"
{ head -c 491 $data/arm.bin; printf '\100'; tail -c +493 $data/arm.bin; } >"$folder/weights/arm.bin"
exits 1 "verify against other weights fails" spindle anim verify "$folder/anims/spline.sac" --against "$folder/weights/arm_beside.gltf"
check "verify against other weights has the difference" says "mm between them, 1\.5[0-9]* of float tracks; allowed are "
# Ten weights at the five keys of "wave": with steps the frames are equal, and only what lies
# between them tells. Meshes name the tracks; extras say flags.
mkdir "$folder/steps"
cp $data/arm.bin "$folder/steps"
sed -e '29s/"bufferView": 10, \(.*\)"count": 6/"bufferView": 9, \1"count": 10/' -e '53,54s/"input": 7, "output": [89], "interpolation": "CUBICSPLINE"/"input": 0, "output": 1/' \
    -e '55s/7/0/' -e '57,58d' $data/arm_beside.gltf >"$folder/steps/lines.gltf"
sed '55s/"output": 10/"output": 10, "interpolation": "STEP"/' "$folder/steps/lines.gltf" >"$folder/steps/steps.gltf"
sed -e '37s/"scale"/"mesh": 0, "scale"/' -e '2s/^/  "meshes": [{"primitives": [{"attributes": {}, "targets": [{}, {}]}], "extras": {"targetNames": ["smile", "frown"]}}],\n/' \
    "$folder/steps/lines.gltf" >"$folder/steps/named.gltf"
sed '52s/"name": "spline"/"name": "spline", "extras": {"loop": true}/' "$folder/steps/lines.gltf" >"$folder/steps/loop.gltf"
exits 0 "compile weights of lines" spindle anim compile "$folder/steps/lines.gltf" --clip spline -o "$folder/steps/lines" --quiet
exits 0 "compile weights of steps" spindle anim compile "$folder/steps/steps.gltf" --clip spline -o "$folder/steps/steps" --quiet
exits 0 "verify of weights of lines" spindle anim verify "$folder/steps/lines/spline.sac" --against "$folder/steps/lines.gltf"
exits 0 "verify of weights of steps" spindle anim verify "$folder/steps/steps/spline.sac" --against "$folder/steps/steps.gltf"
exits 1 "verify of lines against steps fails" spindle anim verify "$folder/steps/lines/spline.sac" --against "$folder/steps/steps.gltf" --json
json_has float_error 0 || true
check "lines and steps are equal at frames" awk "BEGIN { exit !($(cat "$folder/value") < 0.0001) }"
json_has float_error_between 0 || true
check "lines and steps differ between frames" awk "BEGIN { exit !($(cat "$folder/value") > 0.001) }"
exits 1 "verify of steps against lines fails" spindle anim verify "$folder/steps/steps/spline.sac" --against "$folder/steps/lines.gltf"
exits 1 "verify against other names of weights fails" spindle anim verify "$folder/steps/lines/spline.sac" --against "$folder/steps/named.gltf"
check "the refusal has both names" says 'named.gltf: smile: float track 0 has another name in the clip: "joint4/weights\[0\]"$'
exits 1 "verify against a flag of the source fails" spindle anim verify "$folder/steps/lines/spline.sac" --against "$folder/steps/loop.gltf"
check "the refusal has the flags of both" says "spline.sac: flags: none; of the source and the options: loops$"
exits 0 "verify with a flag as an option" spindle anim compile "$folder/steps/lines.gltf" --clip spline --loop 'spl*' --root-motion spline -o "$folder/steps/flags" --quiet
exits 1 "verify without the options of compile fails" spindle anim verify "$folder/steps/flags/spline.sac" --against "$folder/steps/lines.gltf"
check "the refusal has the flags of the options" says "spline.sac: flags: loops root-motion; of the source and the options: none$"
exits 0 "verify with the options of compile" spindle anim verify "$folder/steps/flags/spline.sac" --against "$folder/steps/lines.gltf" --loop spline --root-motion 'spl*'
exits 1 "verify against other joints is refused" spindle anim verify "$folder/several/arm.sac" --against "$folder/other/moved.bvh" --clip moved
check "the refusal of other joints names the joint" says "moved.bvh: moved: joint 3 is another one"
exits 1 "verify against another clip is refused" spindle anim verify "$folder/anims/wave.sac" --against $data/arm.glb --clip spline
check "the refusal of another clip has both numbers of frames" says "arm.glb: spline: 3 frames and 2 float tracks at 4 frames a second, but the clip has 5 and 0$"
exits 0 "verify --skeleton" spindle anim verify "$folder/anims/wave.sac" --against $data/arm.glb --skeleton "$folder/again/arm.sas"
exits 1 "verify with another skeleton is refused" spindle anim verify "$folder/anims/wave.sac" --against $data/arm.glb --skeleton "$folder/several/arm.sas"
check "the refusal of a skeleton has both hashes" says "arm.sas: hash [0-9a-f]*, but the clip's skeleton has $(tr -d '\"' <"$folder/hash")"
exits 0 "compile of other bones" spindle anim compile "$folder/other/arm.bvh" -o "$folder/bones" --unit-metres 1
exits 1 "verify with another rest pose is refused" spindle anim verify "$folder/several/arm.sac" --against $data/arm.bvh --unit-metres 1 --skeleton "$folder/bones/arm.sas"
check "the refusal of a rest pose has both hashes" says "arm.sas: rest pose [0-9a-f]*, but the clip was made for [0-9a-f]*$"
cp "$folder/several/arm.sac" "$folder/bones/first.sac"
exits 1 "a skeleton with another rest pose is not found" spindle anim verify "$folder/bones/first.sac" --against $data/arm.bvh --unit-metres 1
exits 1 "export of clips of two rest poses is refused" spindle anim export "$folder/several/arm.sac" "$folder/bones/arm.sac" -o "$folder/bad.glb"
check "the refusal names the clip with the other rest pose" says "bones/arm.sac: another rest pose than that of .*several/arm.sac$"
cp -r "$folder/anims" "$folder/deep"
mkdir -p "$folder/deep/$(printf 'd/%.0s' {1..70})"
exits 0 "verify finds the skeleton beside a deep folder" spindle anim verify "$folder/deep/wave.sac" --against $data/arm.glb
mkdir "$folder/lost"
cp "$folder/anims/wave.sac" "$folder/lost"
exits 1 "a clip without its skeleton is refused" spindle anim verify "$folder/lost/wave.sac" --against $data/arm.glb
check "the refusal names the option" says "no skeleton in its folder has the hash .*: name it with --skeleton$"
bytes=$(wc -c <"$folder/anims/wave.sac")
for at in 0 20 60 $((bytes - 1)); do
    { head -c $at "$folder/anims/wave.sac"; printf '\377'; tail -c +$((at + 2)) "$folder/anims/wave.sac"; } >"$folder/lost/bent.sac"
    [ "$at" = 0 ] || exits 1 "info refuses a clip with a wrong byte $at" spindle anim info "$folder/lost/bent.sac"
    exits 1 "verify refuses a clip with a wrong byte $at" spindle anim verify "$folder/lost/bent.sac"
    check "the refusal of byte $at has an offset" says "bent.sac: offset 0x[0-9a-f]*: "
done
for size in 0 7 40 $((bytes - 1)); do
    head -c $size "$folder/anims/wave.sac" >"$folder/lost/short.sac"
    exits 1 "verify refuses a clip of $size bytes" spindle anim verify "$folder/lost/short.sac"
done
head -c 60 "$folder/anims/arm.sas" >"$folder/lost/arm.sas"
exits 1 "info refuses a short skeleton" spindle anim info "$folder/lost/arm.sas"

# ---- export ----------------------------------------------------------------
exits 0 "export" spindle anim export "$folder/anims/wave.sac" "$folder/anims/spline.sac" -o "$folder/moves.glb"
check "export prints nothing on stderr" silent
exits 0 "export --json" spindle anim export "$folder/anims/wave.sac" -o "$folder/wave.glb" --json
check "export --json has joints" json_has joints 5
check "export --json has channels: two rotations, a translation, a scale" json_has channels 4
check "export --json has keys: one for each frame" json_has keys 20
exits 0 "info of the export" spindle anim info "$folder/moves.glb" --json
check "the export has both clips" json_has clips.1.name '"spline"'
check "the export has the rate of the first clip" json_has clips.0.own_rate 4
check "the export has the rate of the second clip" json_has clips.1.own_rate 240
check "the export has the joints" json_has joints.3.name '"hand"'
check "the export keeps steps" json_has clips.0.interpolations.STEP 1
check "the export has weights" json_has clips.1.channels.weights 1
exits 0 "verify of weights against the export" spindle anim verify "$folder/anims/spline.sac" --against "$folder/moves.glb" --precision 0.005 --json
check "weights are the same in the export" json_has float_error 0
exits 0 "compile of the export with weights" spindle anim compile "$folder/moves.glb" -o "$folder/round2" --clip spline --json
check "the compiled export has the weights" json_has clips.0.float_tracks 2
exits 0 "info of the compiled export" spindle anim info "$folder/round2/spline.sac" --json
check "the compiled export has the names of weights" json_has float_names.1 '"joint4/weights[1]"'
exits 0 "verify of the compiled weights against the first source" spindle anim verify "$folder/round2/spline.sac" --against "$folder/moves.glb"
# A half turn of this clip is some steps too long: the export shortens it.
exits 0 "verify against the export" spindle anim verify "$folder/anims/wave.sac" --against "$folder/moves.glb"
exits 0 "compile of a finer clip" spindle anim compile $data/arm.glb -o "$folder/fine" --clip wave --precision 0.05
exits 0 "export of the finer clip" spindle anim export "$folder/fine/wave.sac" -o "$folder/fine.glb"
exits 0 "verify of the finer clip against the export" spindle anim verify "$folder/fine/wave.sac" --against "$folder/fine.glb" --precision 0.005
exits 0 "compile of the export" spindle anim compile "$folder/moves.glb" -o "$folder/round" --clip wave
exits 0 "verify of the compiled export against the first source" spindle anim verify "$folder/round/wave.sac" --against $data/arm.glb --precision 0.2
exits 0 "export of a folder" spindle anim export "$folder/anims" -o "$folder/folder.glb" --json
check "export of a folder has all its clips" json_has clips 2
exits 1 "export of clips of two skeletons is refused" spindle anim export "$folder/anims/wave.sac" "$folder/several/arm.sac" -o "$folder/bad.glb"
check "the refusal names both clips" says "arm.sac: another skeleton than that of .*wave.sac$"
check "a refused export leaves no output" test ! -e "$folder/bad.glb"
exits 1 "export onto an input is refused" spindle anim export "$folder/anims/wave.sac" -o "$folder/anims/wave.sac"
# Two poses, and a jump from one to the other within a frame of the compiled clip.
{ sed '/^Frames:/,$d' $data/arm.bvh; echo "Frames: 21"; echo "Frame Time: 0.01"; awk 'BEGIN { for (i = 0; i < 21; i++) print (i < 10 ? "0 0 0 0 0 0 0 0 0 0" : "2 1 0 40 0 0 0 50 0 0") }'; } >"$folder/cuts.bvh"
exits 0 "compile of a clip with a cut" spindle anim compile "$folder/cuts.bvh" -o "$folder/cuts" --rate 10 --unit-metres 1
exits 0 "info of a clip with a cut" spindle anim info "$folder/cuts/cuts.sac" --json
check "the clip has a cut" json_has has_cuts true
exits 0 "export of a clip with a cut" spindle anim export "$folder/cuts/cuts.sac" -o "$folder/cuts.glb"
cat >"$folder/validate.js" <<'JS'
require('gltf-validator').validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[2])))
    .then(report => process.exit(report.issues.numErrors + report.issues.numWarnings));
JS
if node -e 'require("gltf-validator")' 2>/dev/null; then
    for file in moves flags closes fine wave folder cuts; do
        check "the validator of glTF accepts $file.glb" node "$folder/validate.js" "$folder/$file.glb"
    done
else
    echo "  skipped: node and gltf-validator (make deps-check, where npm is)"
    skipped=$((skipped + 1))
fi
finish
