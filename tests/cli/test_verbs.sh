#!/usr/bin/env bash
# Every verb does its work on small archives: compiled caches are what the
# archives say, other ones are not, and outputs are whole or not there.
# Compiling with options and playing on the real clock: test_compile.
# One thread.
set -u
name=test_verbs
. tests/cli/lib.sh
data=tests/data
export SPINDLE
check "a reader for JSON" make_json_reader

# ---- compile ---------------------------------------------------------------
exits 0 "compile" spindle compile $data/demo.abc -o "$folder/demo.sgc"
check "no progress without a terminal" silent
for archive in colors fps-2997 inherits instances names ngons visibility; do
    exits 0 "compile $archive" spindle compile --quiet $data/$archive.abc -o "$folder/$archive.sgc"
    check "--quiet is silent" test ! -s "$folder/stdout"
    exits 0 "verify $archive" spindle verify "$folder/$archive.sgc" --against $data/$archive.abc
done
# ---- refusals --------------------------------------------------------------
for archive in damaged topology; do
    exits 1 "$archive is refused" spindle compile $data/$archive.abc -o "$folder/bad.sgc"
    check "$archive: one line" one_line
    check "$archive: no output" test ! -e "$folder/bad.sgc"
done
head -c 8 "$folder/demo.sgc" >"$folder/signature.sgc"
exits 1 "a signature alone" spindle info "$folder/signature.sgc"
check "and says what is missing" says "signature.sgc: offset 0x0: file size: found 8, expected 256"
head -c 1000 "$folder/demo.sgc" >"$folder/short.sgc"
: >"$folder/empty.sgc"
head -c 5000 /dev/zero | cat "$folder/demo.sgc" - >"$folder/long.sgc"
{ head -c 60000 "$folder/demo.sgc"; printf 'XXXX'; tail -c +60005 "$folder/demo.sgc"; } >"$folder/bent.sgc"
for file in short empty bent; do
    for verb in verify play; do
        exits 1 "$verb refuses a $file cache" spindle $verb "$folder/$file.sgc"
        check "$verb: $file: one line" one_line
    done
    [ $file = bent ] && continue
    exits 1 "export refuses a $file cache" spindle export "$folder/$file.sgc" -o "$folder/bad.ply"
    exits 1 "render refuses a $file cache" spindle render "$folder/$file.sgc" -o "$folder/bad.png"
    exits 1 "info refuses a $file cache" spindle info "$folder/$file.sgc"
done
check "no output after a refusal" test ! -e "$folder/bad.ply" -a ! -e "$folder/bad.png"
exits 1 "play goes on without a damaged frame" spindle play "$folder/bent.sgc" --virtual
check "to the end" says "^played 4"
check "says in one line" one_line
check "and says which, where and how many" says "offset 0x[0-9a-f]*: frame [0-9]*: checksum of a block: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch); [0-9]* frames not shown"
damage=$(sed -n 's/.*\(offset 0x.*mismatch)\).*/\1/p' "$folder/stderr")
exits 1 "in JSON" spindle play "$folder/bent.sgc" "$folder/demo.sgc" "$folder/bent.sgc" --virtual --json
check "that it is damaged" json_has is_damaged true
check "which file" json_has faults.0.file "\"$folder/bent.sgc\""
check "where" json_has faults.0.offset
check "which frame" json_has faults.0.frame
check "what" json_has faults.0.what '"checksum of a block"'
check "of which kind" json_has faults.0.status '"SPN_ERR_CHECKSUM"'
check "what was found" json_has faults.0.value
check "how many frames it cost" json_has faults.0.frames_dropped
check "the other one, too" json_has faults.1.file "\"$folder/bent.sgc\""
check "and no sound one" sh -c "! grep -q '\"file\".*demo.sgc' '$folder/stdout'"
check "in a line for each" test "$(grep -c 'checksum of a block.*frames not shown$' "$folder/stderr")" = 2
exits 0 "with what the memory is made of" spindle play "$folder/demo.sgc" --virtual --seconds 0.1 --memory --json
sum_of_tables() {
    sed -n '/"memory":/,/\]/s/.*"bytes":[^0-9]*\([0-9]*\).*/\1/p' "$folder/stdout" | awk '{s += $1} END {printf "%d", s}'
}
check "its tables are all of it" test "$(sum_of_tables)" = "$(json_has memory_bytes && cat "$folder/value")"
exits 0 "a sound one" spindle play "$folder/demo.sgc" --virtual --json
check "is not damaged" json_has is_damaged false
check "and has no faults" json_has faults "[]"
exits 0 "late frames alone are no error" spindle play "$folder/demo.sgc" --virtual --streams 16 --disc-rate 1 --seconds 10 --json
check "though there are some" sh -c "test $(json_has frames_late && cat "$folder/value") -gt 0"
exits 1 "verify refuses it" spindle verify "$folder/bent.sgc"
check "in the same words" says "$damage"
exits 1 "in JSON, too" spindle verify "$folder/bent.sgc" --json
check "with the same line" says "$damage"
check "without a verdict" json_has has_passed false
check "which file" json_has fault.file "\"$folder/bent.sgc\""
check "where in it" json_has fault.offset
check "which is before what was changed" test "$(cat "$folder/value")" -gt 50000 -a "$(cat "$folder/value")" -le 60000
check "in which frame" json_has fault.place "\"frame $(json_has fault.frame && cat "$folder/value")\""
check "what" json_has fault.what '"checksum of a block"'
check "of which kind" json_has fault.status '"SPN_ERR_CHECKSUM"'
json_has fault.value
check "what was found" test "$(printf 'found 0x%08x' "$(cat "$folder/value")")" = "$(printf %s "$damage" | grep -o 'found 0x[0-9a-f]*')"
json_has fault.expected
check "and what should be there" test "$(printf 'expected 0x%08x' "$(cat "$folder/value")")" = "$(printf %s "$damage" | grep -o 'expected 0x[0-9a-f]*')"
for file in short empty; do
    exits 1 "verify --json of a $file cache" spindle verify "$folder/$file.sgc" --json
    check "$file: has no verdict" json_has has_passed false
    check "$file: and a fault" json_has fault.what
done
spindle compile --quiet $data/colors.abc -o "$folder/colors.sgc" --codec store
exits 1 "verify --json against a damaged archive" spindle verify "$folder/colors.sgc" --against $data/damaged.abc --json
check "names the archive" json_has fault.file "\"$data/damaged.abc\""
check "and the place in it" json_has fault.place '"/grp/c4f_animated.geom/.arbGeomParams/Cd"'
exits 3 "verify --json of a cache that is not there" spindle verify "$folder/none.sgc" --json
check "is an object, too" json_has fault.file "\"$folder/none.sgc\""
{ head -c 300 "$folder/demo.sgc"; printf 'XXXX'; tail -c +305 "$folder/demo.sgc"; } >"$folder/table.sgc"
for verb in info play verify; do
    exits 1 "$verb refuses a damaged frame table" spindle $verb "$folder/table.sgc"
    check "$verb: in the same words" says "table.sgc: offset 0x100: checksum of the frame table: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch)"
done

# ---- nothing to see --------------------------------------------------------
exits 1 "an archive without meshes is refused" spindle compile $data/bare.abc -o "$folder/none.sgc"
check "with the reason" says "bare.abc: there are no meshes: the archive has none; it has 2 transforms, 1 group of curves, 2 cameras$"
check "in one line" one_line
check "and a hint" says "^hint: --allow-empty "
check "without an output" test ! -e "$folder/none.sgc"
exits 1 "--strict --allow-empty refuses what is dropped" spindle compile --strict --allow-empty $data/bare.abc -o "$folder/none.sgc"
check "and says so" says "curves are dropped"
exits 0 "--allow-empty compiles it" spindle compile --json --allow-empty $data/bare.abc -o "$folder/bare.sgc"
check "has no meshes" json_has meshes 0
check "says what was dropped" says "cameras are dropped"
exits 0 "its cache is verified" spindle verify "$folder/bare.sgc" --against $data/bare.abc
check "by its nodes' names" says "^  transforms .* mm (frame 0, node 0 /rig/wheel)$"
exits 0 "in JSON" spindle verify "$folder/bare.sgc" --against $data/bare.abc --json
check "by names, too" json_has transform_mm.path '"/rig/wheel"'
check "and without a mesh" json_has transform_mm.mesh -1
exits 0 "decoded" spindle verify "$folder/bare.sgc"
exits 0 "described" spindle info "$folder/bare.sgc" --tree
check "with its transforms" says "/rig/wheel"
check "and a box of nothing" says "^  box         empty$"
exits 0 "described in JSON" spindle info "$folder/bare.sgc" --json
check "without meshes" json_has meshes "[]"
check "and without a box" json_has box_min null
check "at both ends" json_has box_max null
exits 0 "played" spindle play "$folder/bare.sgc" --virtual --streams 3 --seconds 1 --json
check "frame by frame" json_has frames_distinct 2
exits 0 "exported" spindle export "$folder/bare.sgc" -o "$folder/bare.ply"
check "as nothing" grep -aq '^element vertex 0$' "$folder/bare.ply"
exits 0 "drawn" spindle render "$folder/bare.sgc" --size 64x48 -o "$folder/bare.png"
exits 0 "the archive is described" spindle info $data/bare.abc
check "as one that does not compile, for the same reason" says "compiles    no: .*bare.abc: there are no meshes: the archive has none; it has 2 transforms, "
exits 0 "the archive is drawn" spindle render $data/bare.abc --size 64x48 -o "$folder/bare2.png"
check "as empty as its cache" cmp -s "$folder/bare.png" "$folder/bare2.png"

# ---- verify ----------------------------------------------------------------
exits 0 "verify alone" spindle verify "$folder/demo.sgc"
exits 0 "verify --json" spindle verify --json "$folder/demo.sgc" --against $data/demo.abc
check "passes" json_has has_passed true
check "measures" json_has position_mm
exits 1 "a cache is not another archive's" spindle verify --json "$folder/demo.sgc" --against $data/colors.abc
check "and JSON says so, too" json_has has_passed false
exits 3 "an archive that is not there" spindle verify "$folder/demo.sgc" --against "$folder/none"

# ---- damage in what is dropped -----------------------------------------------
# The size of the block of a parameter that is no colour: 2^63 - 1 bytes.
{ head -c $((0x18db)) $data/colors.abc; printf '\377\377\377\377\377\377\377\177'; tail -c +$((0x18db + 9)) $data/colors.abc; } >"$folder/harmed.abc"
exits 0 "is none of a compile's" spindle compile "$folder/harmed.abc" -o "$folder/o.sgc" --codec store
exits 0 "nor of a verify's" spindle verify "$folder/o.sgc" --against "$folder/harmed.abc"
exits 0 "nor keeps info from telling the rest" spindle info "$folder/harmed.abc"
check "which is said" says "^  compiles    8 frames"
check "beside the damage" says "^  damaged     .*harmed.abc: offset 0x18db: /grp/.*/strings: sample 0: "
exits 0 "the same for machines" spindle info "$folder/harmed.abc" --json
check "with the place" json_has damage.place '"/grp/two_sets_and_other_params.geom/.arbGeomParams/strings"'
check "of an archive that compiles" json_has compiles true
for file in damaged topology; do
    spindle compile $data/$file.abc -o "$folder/o.sgc" 2>&1 | grep -v warning | sed 's/^spindle: //' >"$folder/reason"
    spindle info $data/$file.abc >"$folder/stdout" 2>&1
    check "$file.abc: info gives compile's reason" says "$(cat "$folder/reason")"
    [ -s "$folder/reason" ] || bad "$file.abc: there is a reason"
done

# ---- units -------------------------------------------------------------------
LC_ALL=C sed 's/geomcache-lab abcgen 1.0/Maya 2019 AbcExport v1.0/' $data/fps-2997.abc >"$folder/maya.abc"
exits 0 "an archive of Maya" spindle compile "$folder/maya.abc" -o "$folder/o.sgc"
check "has a hint" says "^hint: Maya's unit is a centimetre: with --unit-scale 0.01 "
check "alone" test "$(wc -l <"$folder/stderr")" = 1
for options in "--unit-scale 1" "--unit-scale 0.01" --quiet "--precision 0"; do
    exits 0 "an archive of Maya, $options" spindle compile "$folder/maya.abc" -o "$folder/o.sgc" $options
    check "has none, $options" silent
done
exits 0 "an archive of others" spindle compile $data/fps-2997.abc -o "$folder/o.sgc"
check "has none" silent
exits 0 "info" spindle info "$folder/maya.abc"
check "says it, too" says "written by  Maya 2019 AbcExport v1.0 .*; units are centimetres$"

# ---- info ------------------------------------------------------------------
exits 0 "info of an archive" spindle info $data/fps-2997.abc --tree
exits 0 "info --json of an archive" spindle info $data/fps-2997.abc --json
check "says its kind" json_has kind '"archive"'
check "has times" json_has frame_times_s
cp "$folder/value" "$folder/times"
exits 0 "info --json of a cache" spindle info "$folder/fps-2997.sgc" --json
check "says its kind" json_has kind '"cache"'
check "has times" json_has frame_times_s
check "the cache has the archive's own times" cmp -s "$folder/times" "$folder/value"
check "has a mean of the frames" json_has frame_bytes_mean
check "has a box" json_has box_max.2
for archive in demo tiny colors subd; do
    spindle compile --quiet --json $data/$archive.abc -o "$folder/o.sgc" >"$folder/stdout"
    for field in codec block_codec lifted_meshes; do json_has $field && cat "$folder/value"; done >"$folder/compiled"
    exits 0 "info of $archive" spindle info "$folder/o.sgc" --json
    for field in codec block_codec lifted_meshes; do json_has $field && cat "$folder/value"; done >"$folder/informed"
    check "$archive: info and compile name the same codec" cmp "$folder/compiled" "$folder/informed"
    [ -s "$folder/compiled" ] || bad "$archive: there is a codec"
done
for codec in store lz4hc deflate zstd; do
    spindle compile --quiet --codec $codec $data/fps-2997.abc -o "$folder/o.sgc"
    exits 0 "info of $codec" spindle info "$folder/o.sgc" --json
    check "calls the codec what --codec calls it" json_has codec "\"$codec\""
    exits 0 "info of $codec in words" spindle info "$folder/o.sgc"
    check "calls it so, too" says "codec $codec\$"
done
# What info says of an archive is what its cache has.
for archive in names colors fps-2997 ngons; do
    for field in path vertices triangles materials channels.position.is_animated channels.qtangent.is_animated channels.uv.is_animated channels.color.is_animated; do
        spindle info $data/$archive.abc --json >"$folder/stdout"
        json_has meshes.0.$field; value=$(cat "$folder/value")
        spindle info "$folder/$archive.sgc" --json >"$folder/stdout"
        json_has meshes.0.$field; check "$archive: info of the archive and of the cache agree: $field" test "$value" = "$(cat "$folder/value")"
    done
done
exits 0 "info --json of an archive with materials" spindle info $data/names.abc --json
check "counts vertices after splitting" json_has meshes.0.vertices 72
check "names materials" json_has meshes.0.materials.4.name '"neg-4"'
check "and channels" json_has meshes.0.channels '{"position":{"is_animated":false},"qtangent":{"is_animated":false}}'
exits 0 "info --tree of a cache" spindle info "$folder/instances.sgc" --tree
check "shows nodes" says "mesh 0"
exits 0 "info of what does not compile" spindle info $data/topology.abc
check "says why" says "compiles    no:"
exits 0 "info --json of what does not compile" spindle info $data/topology.abc --json
check "says that it does not" json_has compiles false
check "and has times all the same" json_has frames 12
check "all of them" json_has frame_times_s.11 0.5

# ---- export, render --------------------------------------------------------
exits 0 "export" spindle export "$folder/demo.sgc" --frame 7 -o "$folder/a.ply"
check "is PLY" grep -aq '^format binary_little_endian 1.0$' "$folder/a.ply"
check "with all vertices" grep -aq '^element vertex 2142$' "$folder/a.ply"
exits 1 "a frame that is not there" spindle export "$folder/demo.sgc" --frame 120 -o "$folder/b.ply"
exits 1 "a mesh that is not there" spindle export "$folder/demo.sgc" --mesh /none -o "$folder/b.ply"
check "no output" test ! -e "$folder/b.ply"
exits 0 "one mesh alone" spindle export "$folder/demo.sgc" --mesh /flag_grp/flag/flagShape --space object -o "$folder/b.ply"
vertices() { grep -aq "^element vertex $1\$" "$folder/b.ply"; }
for path in /:58 /blink_grp:8 /plain/:42 /plain/meshD:42 /hidden_grp:8; do
    exits 0 "all that is below ${path%:*}" spindle export "$folder/visibility.sgc" --mesh "${path%:*}" -o "$folder/b.ply"
    check "and no more" vertices "${path#*:}"
done
exits 0 "one of several instances" spindle export "$folder/instances.sgc" --mesh /inst_parent_1 -o "$folder/b.ply"
check "and no other" vertices 72
exits 0 "a mesh wherever it is shown" spindle export "$folder/instances.sgc" --mesh /src/srcShape -o "$folder/b.ply"
check "which is six times" vertices 432
exits 0 "an instance by its full path" spindle export "$folder/instances.sgc" --mesh /inst_parent_2/inst/srcShape -o "$folder/b.ply"
check "and no other" vertices 72
exits 0 "what is shown elsewhere, too, alone" spindle export "$folder/instances.sgc" --mesh /src/srcShape --no-instances -o "$folder/b.ply"
check "and no other" vertices 72
exits 2 "no instances of what?" spindle export "$folder/instances.sgc" --no-instances -o "$folder/b.ply"
rm "$folder/b.ply"
exits 1 "an instance that is not there" spindle export "$folder/instances.sgc" --mesh /inst_parent_3/inst/srcShap -o "$folder/b.ply"
check "is told what is near" says '^hint: nearest: /inst_parent_3/inst/srcShape, /inst_parent_[0-2]/inst/srcShape, /inst_parent_[0-2]/inst/srcShape; spindle info'
exits 2 "an empty path" spindle export "$folder/visibility.sgc" --mesh "" -o "$folder/b.ply"
for path in /none /plai /plain/meshDD plain /hidden_grp/meshB; do
    exits 1 "a path that is not there: $path" spindle export "$folder/visibility.sgc" --mesh "$path" -o "$folder/b.ply"
    check "is said: $path" says "no such node or mesh"
    check "in a line: $path" one_line
done
exits 1 "a mesh that is hidden now" spindle export "$folder/visibility.sgc" --mesh /blink_grp --frame 12 -o "$folder/b.ply"
check "is said" says "/blink_grp: is hidden in frame 12"
exits 1 "a transform without a mesh" spindle export "$folder/bare.sgc" --mesh /rig/wheel -o "$folder/b.ply"
check "is said" says "/rig/wheel: has no mesh"
check "none of them left an output" test ! -e "$folder/b.ply"
exits 0 "render a cache" spindle render "$folder/demo.sgc" --frames 0,60,119 --size 64x48 -o "$folder/a.png"
exits 0 "render again" spindle render "$folder/demo.sgc" --frames 0,60,119 --size 64x48 -o "$folder/b.png"
check "the same picture" cmp -s "$folder/a.png" "$folder/b.png"
exits 0 "render an archive" spindle render $data/demo.abc --frames 0 --size 64x48 -o "$folder/c.png"
# What a picture shows frames it: of a mesh that travels less than the clip.
for view in "" picture clip; do
    exits 0 "render by ${view:-default}" spindle render $data/inherits.abc --frames 1 --size 64x48 ${view:+--view $view} -o "$folder/view$view.png"
done
check "pictures are framed by themselves by default" cmp -s "$folder/view.png" "$folder/viewpicture.png"
check "--view clip sees all of the clip" test "$(cmp "$folder/view.png" "$folder/viewclip.png" >/dev/null; echo $?)" = 1
exits 1 "a frame that is not there" spindle render "$folder/demo.sgc" --frames 120 -o "$folder/d.png"
check "no picture" test ! -e "$folder/d.png"

# ---- play ------------------------------------------------------------------
for option in '--disc-rate 5' '--seek-ms 0' '--workers 2 --virtual' '--workers 65' '--heap 0' '--streams 0' '--realtime --virtual' \
    '--virtual --drive wii_dvd6x --seek-ms 5' '--virtual --drive wii_dvd6x --disc-rate 5' '--disc-layout x'; do
    exits 2 "play $option is refused" spindle play "$folder/demo.sgc" $option
done
exits 0 "a cache of one frame" spindle compile --quiet $data/ngons.abc -o "$folder/one.sgc"
exits 0 "is played" spindle play "$folder/one.sgc" --virtual --json
check "for a second" json_has pictures 60
exits 0 "play in the least of heaps" spindle play "$folder/demo.sgc" --virtual --heap 1
for clock in '' --virtual; do
    exits 1 "too many streams are refused at once, $clock" timeout 30 $EXEC "$SPINDLE" play "$folder/demo.sgc" $clock --streams 500 --seconds 3600
    check "and what would do is said" says "[0-9]* of 500 streams find no room in 64 MiB; [0-9]* MiB are surely enough"
done
exits 0 "500 streams play where they find room" spindle play "$folder/demo.sgc" --virtual --streams 500 --heap 1000 --seconds 0.2 --disc-rate 1000 --seek-ms 0 --json
check "all of them" json_has frames_dropped 0
hash_of() { spindle play "$folder/demo.sgc" --json "$@" >"$folder/stdout" && json_has frame_hash && cat "$folder/value"; }
exits 0 "play on a virtual clock" spindle play "$folder/demo.sgc" --virtual --streams 4 --json
check "no frame is late" json_has frames_late 0
check "none differs when it is shown again" json_has frames_unequal 0
check "every frame was shown" json_has frames_distinct 120
check "by every stream, the first one, too" json_has frames_shown 480
exits 0 "play 16 streams from a disc with long seeks" spindle play "$folder/demo.sgc" --virtual --streams 16 --seconds 20 --rate 30 --seek-ms 100 --json
check "none is late after the first second" json_has frames_late_after_1s 0
check "reads are long where seeks are" sh -c "test $(json_has disc_seeks && cat "$folder/value") -le 100"
exits 0 "the same in little memory" spindle play "$folder/demo.sgc" --virtual --streams 16 --seconds 20 --rate 30 --heap 24 --buffer-ahead 0.5,1 --json
check "none is late after the first second" json_has frames_late_after_1s 0
hash=$(hash_of --virtual --streams 4)
check "the same hash with one stream" test "$hash" = "$(hash_of --virtual)"
check "the same hash with late frames" test "$hash" = "$(hash_of --virtual --streams 16 --seek-ms 250 --seconds 60)"
check "of which there are some" sh -c "test $(json_has frames_late && cat "$folder/value") -gt 0"
# Tangents by geometry may be the same rotation of the other sign.
for options in --fast-decode "--codec store --no-b-frames"; do
    spindle compile --quiet $data/demo.abc $options -o "$folder/o.sgc"
    spindle play "$folder/o.sgc" --virtual --json >"$folder/stdout" && json_has frame_hash && mv "$folder/value" "$folder/$options.hash"
done
check "the same hash of a cache coded otherwise" cmp "$folder/--fast-decode.hash" "$folder/--codec store --no-b-frames.hash"
spindle compile --quiet $data/demo.abc --precision 2 --codec lz4hc -o "$folder/o.sgc"
check "another hash of other values" test "$hash" != "$(spindle play "$folder/o.sgc" --virtual --json >"$folder/stdout" && json_has frame_hash && cat "$folder/value")"
for drive in x360_dvd12x wii_dvd6x ps3_bd2x hdd_5400; do
    check "the same hash from $drive" test "$hash" = "$(hash_of --virtual --streams 2 --drive $drive)"
done
finish
