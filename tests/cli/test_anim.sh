#!/usr/bin/env bash
# Goal: spindle anim describes files of motion as they are.
# Method: files made by the project, of every format; numbers in the output are compared with what
# the files were made with.
# One thread.
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
for line in "info" "info a b" "paint a" "info a --against b"; do
    # shellcheck disable=SC2086
    exits 2 "anim $line is a usage error" spindle anim $line
done
exits 2 "anim without an action is a usage error" spindle anim
finish
