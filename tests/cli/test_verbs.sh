#!/usr/bin/env bash
# Goal: every verb works on small archives: verify passes a cache with its own archive
# and fails it with others, and outputs are complete or absent.
# Method: run each verb with its options. (test_compile has the options of compile, and
# play in real time.)
# One thread.
set -u
name=test_verbs
. tests/cli/lib.sh
data=tests/data
export SPINDLE
check "the JSON reader of the tests compiles" make_json_reader

# ---- compile ---------------------------------------------------------------
exits 0 "compile" spindle compile $data/demo.abc -o "$folder/demo.sgc"
check "compile shows no progress without a terminal" silent
for archive in colors fps-2997 inherits instances names ngons visibility; do
    exits 0 "compile $archive" spindle compile --quiet $data/$archive.abc -o "$folder/$archive.sgc"
    check "compile --quiet $archive prints nothing" test ! -s "$folder/stdout"
    exits 0 "verify $archive" spindle verify "$folder/$archive.sgc" --against $data/$archive.abc
done
# ---- refusals --------------------------------------------------------------
for archive in damaged topology; do
    exits 1 "compile refuses $archive" spindle compile $data/$archive.abc -o "$folder/bad.sgc"
    check "compile $archive prints one line" one_line
    check "compile $archive leaves no output" test ! -e "$folder/bad.sgc"
done
head -c 8 "$folder/demo.sgc" >"$folder/signature.sgc"
exits 1 "info of a file with only a signature is refused" spindle info "$folder/signature.sgc"
check "the message about a file with only a signature has its size" says "signature.sgc: offset 0x0: file size: found 8, expected 256"
head -c 1000 "$folder/demo.sgc" >"$folder/short.sgc"
: >"$folder/empty.sgc"
head -c 5000 /dev/zero | cat "$folder/demo.sgc" - >"$folder/long.sgc"
{ head -c 60000 "$folder/demo.sgc"; printf 'XXXX'; tail -c +60005 "$folder/demo.sgc"; } >"$folder/bent.sgc"
for file in short empty bent; do
    for verb in verify play; do
        exits 1 "$verb refuses a $file cache" spindle $verb "$folder/$file.sgc"
        check "$verb of a $file cache prints one line" one_line
    done
    [ $file = bent ] && continue
    exits 1 "export refuses a $file cache" spindle export "$folder/$file.sgc" -o "$folder/bad.ply"
    exits 1 "render refuses a $file cache" spindle render "$folder/$file.sgc" -o "$folder/bad.png"
    exits 1 "info refuses a $file cache" spindle info "$folder/$file.sgc"
done
check "refused caches leave no output" test ! -e "$folder/bad.ply" -a ! -e "$folder/bad.png"
exits 0 "play --tune" spindle play "$folder/demo.sgc" --virtual --tune buffer_ahead_min_ms=300 --tune e_GeomCacheMaxBufferAheadTime=0.6 --tune debug_filter=a=b
for line in "none=1" "buffer_ahead_min_ms" "buffer_ahead_min_ms=1" "e_GeomCacheMaxBufferAheadTime=9999" "geometry=0" "e_GeomCaches=0" "interpolate=x"; do
    exits 1 "play --tune $line is refused" spindle play "$folder/demo.sgc" --virtual --tune "$line"
    check "play --tune $line prints one line that names it" eval 'one_line && says "^spindle: --tune: "'
done
check "the message about a value has the range" says "interpolate: 0 to 1, not"
exits 1 "play of a damaged cache reports the damage" spindle play "$folder/bent.sgc" --virtual
check "play of a damaged cache continues to the end" says "^played 4"
check "play of a damaged cache prints one line" one_line
check "play of a damaged cache names offset, frame, checksums and lost frames" says "offset 0x[0-9a-f]*: frame [0-9]*: checksum of a block: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch); [0-9]* frames not shown"
damage=$(sed -n 's/.*\(offset 0x.*mismatch)\).*/\1/p' "$folder/stderr")
exits 1 "play --json of a damaged cache" spindle play "$folder/bent.sgc" "$folder/demo.sgc" "$folder/bent.sgc" --virtual --json
check "play --json: is_damaged is true" json_has is_damaged true
check "play --json: the first fault has its file" json_has faults.0.file "\"$folder/bent.sgc\""
check "play --json: the first fault has its offset" json_has faults.0.offset
check "play --json: the first fault has its frame" json_has faults.0.frame
check "play --json: the first fault has its reason" json_has faults.0.what '"checksum of a block"'
check "play --json: the first fault has its status" json_has faults.0.status '"SPN_ERR_CHECKSUM"'
check "play --json: the first fault has the value found" json_has faults.0.value
check "play --json: the first fault has the number of lost frames" json_has faults.0.frames_dropped
check "play --json: the second fault has its file" json_has faults.1.file "\"$folder/bent.sgc\""
check "play --json lists no good file as damaged" sh -c "! grep -q '\"file\".*demo.sgc' '$folder/stdout'"
check "play --json prints one line on stderr for each damaged file" test "$(grep -c 'checksum of a block.*frames not shown$' "$folder/stderr")" = 2
exits 0 "play --memory --json" spindle play "$folder/demo.sgc" --virtual --seconds 0.1 --memory --json
sum_of_tables() {
    sed -n '/"memory":/,/\]/s/.*"bytes":[^0-9]*\([0-9]*\).*/\1/p' "$folder/stdout" | awk '{s += $1} END {printf "%d", s}'
}
check "play --memory: the tables add up to the whole memory" test "$(sum_of_tables)" = "$(json_has memory_bytes && cat "$folder/value")"
exits 0 "play --json of a good cache" spindle play "$folder/demo.sgc" --virtual --json
check "play --json of a good cache: is_damaged is false" json_has is_damaged false
check "play --json of a good cache has no faults" json_has faults "[]"
exits 0 "late frames do not change play's exit code" spindle play "$folder/demo.sgc" --virtual --streams 2 --heap 1 --disc-rate 0.1 --seconds 10 --json
check "a slow disc makes frames late" sh -c "test $(json_has frames_late && cat "$folder/value") -gt 0"
exits 1 "verify refuses a damaged cache" spindle verify "$folder/bent.sgc"
check "verify prints the same message as play" says "$damage"
exits 1 "verify --json of a damaged cache" spindle verify "$folder/bent.sgc" --json
check "verify --json prints the same message as play" says "$damage"
check "verify --json of a damaged cache has not passed" json_has has_passed false
check "verify --json: the fault has its file" json_has fault.file "\"$folder/bent.sgc\""
check "verify --json: the fault has its offset" json_has fault.offset
check "verify --json: the fault's offset is that of the block with the changed byte" test "$(cat "$folder/value")" -gt 50000 -a "$(cat "$folder/value")" -le 60000
check "verify --json: the fault names its frame" json_has fault.place "\"frame $(json_has fault.frame && cat "$folder/value")\""
check "verify --json: the fault has its reason" json_has fault.what '"checksum of a block"'
check "verify --json: the fault has its status" json_has fault.status '"SPN_ERR_CHECKSUM"'
json_has fault.value
check "verify --json: the fault has the value found" test "$(printf 'found 0x%08x' "$(cat "$folder/value")")" = "$(printf %s "$damage" | grep -o 'found 0x[0-9a-f]*')"
json_has fault.expected
check "verify --json: the fault has the expected value" test "$(printf 'expected 0x%08x' "$(cat "$folder/value")")" = "$(printf %s "$damage" | grep -o 'expected 0x[0-9a-f]*')"
for file in short empty; do
    exits 1 "verify --json of a $file cache" spindle verify "$folder/$file.sgc" --json
    check "verify --json of a $file cache has not passed" json_has has_passed false
    check "verify --json of a $file cache has a fault" json_has fault.what
done
spindle compile --quiet $data/colors.abc -o "$folder/colors.sgc" --codec store
exits 1 "verify --json against a damaged archive" spindle verify "$folder/colors.sgc" --against $data/damaged.abc --json
check "verify --json: the fault names the damaged archive" json_has fault.file "\"$data/damaged.abc\""
check "verify --json: the fault names the property in the archive" json_has fault.place '"/grp/c4f_animated.geom/.arbGeomParams/Cd"'
exits 3 "verify --json of a missing cache fails" spindle verify "$folder/none.sgc" --json
check "verify --json of a missing cache prints JSON with the file" json_has fault.file "\"$folder/none.sgc\""
{ head -c 300 "$folder/demo.sgc"; printf 'XXXX'; tail -c +305 "$folder/demo.sgc"; } >"$folder/table.sgc"
for verb in info play verify; do
    exits 1 "$verb refuses a damaged frame table" spindle $verb "$folder/table.sgc"
    check "$verb prints the same message about a damaged frame table as other verbs" says "table.sgc: offset 0x100: checksum of the frame table: found 0x[0-9a-f]*, expected 0x[0-9a-f]* (checksum mismatch)"
done

# ---- scenes without meshes -----------------------------------------------------
exits 1 "compile of an archive without meshes is refused" spindle compile $data/bare.abc -o "$folder/none.sgc"
check "the refusal of an archive without meshes lists its objects" says "bare.abc: there are no meshes: the archive has none; it has 2 transforms, 1 group of curves, 2 cameras$"
check "the refusal of an archive without meshes is one line" one_line
check "the refusal of an archive without meshes has a hint" says "^hint: --allow-empty "
check "the refusal of an archive without meshes leaves no output" test ! -e "$folder/none.sgc"
exits 1 "compile --strict --allow-empty refuses dropped objects" spindle compile --strict --allow-empty $data/bare.abc -o "$folder/none.sgc"
check "the refusal by --strict names the dropped curves" says "curves are dropped"
exits 0 "compile --allow-empty" spindle compile --json --allow-empty $data/bare.abc -o "$folder/bare.sgc"
check "compile --allow-empty --json has no meshes" json_has meshes 0
check "compile --allow-empty warns of dropped cameras" says "cameras are dropped"
exits 0 "verify of a cache without meshes against its archive" spindle verify "$folder/bare.sgc" --against $data/bare.abc
check "verify names the node with the largest error" says "^  transforms .* mm (frame 0, node 0 /rig/wheel)$"
exits 0 "verify --json of a cache without meshes" spindle verify "$folder/bare.sgc" --against $data/bare.abc --json
check "verify --json names the path of the node" json_has transform_mm.path '"/rig/wheel"'
check "verify --json has no mesh for the node" json_has transform_mm.mesh -1
exits 0 "verify of a cache without meshes alone" spindle verify "$folder/bare.sgc"
exits 0 "info --tree of a cache without meshes" spindle info "$folder/bare.sgc" --tree
check "info --tree lists the transforms" says "/rig/wheel"
check "info prints an empty box for a cache without meshes" says "^  box         empty$"
exits 0 "info --json of a cache without meshes" spindle info "$folder/bare.sgc" --json
check "info --json has no meshes" json_has meshes "[]"
check "info --json has no lower corner of the box" json_has box_min null
check "info --json has no upper corner of the box" json_has box_max null
exits 0 "play of a cache without meshes" spindle play "$folder/bare.sgc" --virtual --streams 3 --seconds 1 --json
check "play of a cache without meshes shows its frames" json_has frames_distinct 2
exits 0 "export of a cache without meshes" spindle export "$folder/bare.sgc" -o "$folder/bare.ply"
check "export of a cache without meshes has no vertices" grep -aq '^element vertex 0$' "$folder/bare.ply"
exits 0 "render of a cache without meshes" spindle render "$folder/bare.sgc" --size 64x48 -o "$folder/bare.png"
exits 0 "info of an archive without meshes" spindle info $data/bare.abc
check "info gives the same reason as compile" says "compiles    no: .*bare.abc: there are no meshes: the archive has none; it has 2 transforms, "
exits 0 "render of an archive without meshes" spindle render $data/bare.abc --size 64x48 -o "$folder/bare2.png"
check "archive and cache without meshes have the same picture" cmp -s "$folder/bare.png" "$folder/bare2.png"

# ---- verify ----------------------------------------------------------------
exits 0 "verify of a cache alone" spindle verify "$folder/demo.sgc"
exits 0 "verify --json of a good cache" spindle verify --json "$folder/demo.sgc" --against $data/demo.abc
check "verify --json of a good cache has passed" json_has has_passed true
check "verify --json has the position error" json_has position_mm
exits 1 "verify against another archive fails" spindle verify --json "$folder/demo.sgc" --against $data/colors.abc
check "verify --json against another archive has not passed" json_has has_passed false
exits 3 "verify against a missing archive fails" spindle verify "$folder/demo.sgc" --against "$folder/none"

# ---- damage in dropped properties ----------------------------------------------
# The size of the block of a string parameter becomes 2^63 - 1 bytes.
{ head -c $((0x18db)) $data/colors.abc; printf '\377\377\377\377\377\377\377\177'; tail -c +$((0x18db + 9)) $data/colors.abc; } >"$folder/harmed.abc"
exits 0 "compile ignores damage in a dropped property" spindle compile "$folder/harmed.abc" -o "$folder/o.sgc" --codec store
exits 0 "verify ignores damage in a dropped property" spindle verify "$folder/o.sgc" --against "$folder/harmed.abc"
exits 0 "info of an archive with damage in a dropped property" spindle info "$folder/harmed.abc"
check "info says that the archive compiles" says "^  compiles    8 frames"
check "info reports the damage in the dropped property" says "^  damaged     .*harmed.abc: offset 0x18db: /grp/.*/strings: sample 0: "
exits 0 "info --json of an archive with damage in a dropped property" spindle info "$folder/harmed.abc" --json
check "info --json has the place of the damage" json_has damage.place '"/grp/two_sets_and_other_params.geom/.arbGeomParams/strings"'
check "info --json says that the damaged archive compiles" json_has compiles true
for file in damaged topology; do
    spindle compile $data/$file.abc -o "$folder/o.sgc" 2>&1 | grep -v warning | sed 's/^spindle: //' >"$folder/reason"
    spindle info $data/$file.abc >"$folder/stdout" 2>&1
    check "$file.abc: info gives compile's reason" says "$(cat "$folder/reason")"
    [ -s "$folder/reason" ] || bad "$file.abc: there is a reason"
done

# ---- units -------------------------------------------------------------------
LC_ALL=C sed 's/geomcache-lab abcgen 1.0/Maya 2019 AbcExport v1.0/' $data/fps-2997.abc >"$folder/maya.abc"
exits 0 "compile of an archive of Maya" spindle compile "$folder/maya.abc" -o "$folder/o.sgc"
check "compile hints at Maya's unit" says "^hint: Maya's unit is a centimetre: with --unit-scale 0.01 "
check "compile prints only the hint about Maya's unit" test "$(wc -l <"$folder/stderr")" = 1
for options in "--unit-scale 1" "--unit-scale 0.01" --quiet "--precision 0"; do
    exits 0 "compile of an archive of Maya, $options" spindle compile "$folder/maya.abc" -o "$folder/o.sgc" $options
    check "compile $options prints no hint about Maya's unit" silent
done
exits 0 "compile of an archive of another program" spindle compile $data/fps-2997.abc -o "$folder/o.sgc"
check "compile prints no hint about units for another program" silent
exits 0 "info of an archive of Maya" spindle info "$folder/maya.abc"
check "info names the unit of Maya" says "written by  Maya 2019 AbcExport v1.0 .*; units are centimetres$"

# ---- info ------------------------------------------------------------------
exits 0 "info --tree of an archive" spindle info $data/fps-2997.abc --tree
exits 0 "info --json of an archive" spindle info $data/fps-2997.abc --json
check "info --json of an archive has the kind archive" json_has kind '"archive"'
check "info --json of an archive has frame times" json_has frame_times_s
cp "$folder/value" "$folder/times"
exits 0 "info --json of a cache" spindle info "$folder/fps-2997.sgc" --json
check "info --json of a cache has the kind cache" json_has kind '"cache"'
check "info --json of a cache has frame times" json_has frame_times_s
check "info --json has the same times for cache and archive" cmp -s "$folder/times" "$folder/value"
check "info --json of a cache has the mean bytes of a frame" json_has frame_bytes_mean
check "info --json of a cache has a box" json_has box_max.2
for archive in demo tiny colors subd; do
    spindle compile --quiet --json $data/$archive.abc -o "$folder/o.sgc" >"$folder/stdout"
    for field in codec block_codec lifted_meshes; do json_has $field && cat "$folder/value"; done >"$folder/compiled"
    exits 0 "info --json of the cache of $archive" spindle info "$folder/o.sgc" --json
    for field in codec block_codec lifted_meshes; do json_has $field && cat "$folder/value"; done >"$folder/informed"
    check "$archive: info and compile name the same codec" cmp "$folder/compiled" "$folder/informed"
    [ -s "$folder/compiled" ] || bad "$archive: there is a codec"
done
for codec in store lz4hc deflate zstd; do
    spindle compile --quiet --codec $codec $data/fps-2997.abc -o "$folder/o.sgc"
    exits 0 "info --json of a cache by $codec" spindle info "$folder/o.sgc" --json
    check "info --json names the codec $codec as --codec does" json_has codec "\"$codec\""
    exits 0 "info of a cache by $codec" spindle info "$folder/o.sgc"
    check "info names the codec $codec as --codec does" says "codec $codec\$"
done
# info reports the same numbers for an archive and for its cache.
for archive in names colors fps-2997 ngons; do
    for field in path vertices triangles materials channels.position.is_animated channels.qtangent.is_animated channels.uv.is_animated channels.color.is_animated; do
        spindle info $data/$archive.abc --json >"$folder/stdout"
        json_has meshes.0.$field; value=$(cat "$folder/value")
        spindle info "$folder/$archive.sgc" --json >"$folder/stdout"
        json_has meshes.0.$field; check "$archive: info of the archive and of the cache agree: $field" test "$value" = "$(cat "$folder/value")"
    done
done
exits 0 "info --json of an archive with materials" spindle info $data/names.abc --json
check "info --json counts vertices after splitting" json_has meshes.0.vertices 72
check "info --json names materials" json_has meshes.0.materials.4.name '"neg-4"'
check "info --json lists channels" json_has meshes.0.channels '{"position":{"is_animated":false},"qtangent":{"is_animated":false}}'
exits 0 "info --tree of a cache" spindle info "$folder/instances.sgc" --tree
check "info --tree lists nodes" says "mesh 0"
exits 0 "info of an archive that does not compile" spindle info $data/topology.abc
check "info gives the reason why the archive does not compile" says "compiles    no:"
exits 0 "info --json of an archive that does not compile" spindle info $data/topology.abc --json
check "info --json: compiles is false" json_has compiles false
check "info --json counts the frames of an archive that does not compile" json_has frames 12
check "info --json has all frame times of an archive that does not compile" json_has frame_times_s.11 0.5

# ---- export, render --------------------------------------------------------
exits 0 "export" spindle export "$folder/demo.sgc" --frame 7 -o "$folder/a.ply"
check "export writes PLY" grep -aq '^format binary_little_endian 1.0$' "$folder/a.ply"
check "export writes all vertices" grep -aq '^element vertex 2142$' "$folder/a.ply"
exits 1 "export of a frame after the last is refused" spindle export "$folder/demo.sgc" --frame 120 -o "$folder/b.ply"
exits 1 "export of an unknown mesh is refused" spindle export "$folder/demo.sgc" --mesh /none -o "$folder/b.ply"
check "refused exports leave no output" test ! -e "$folder/b.ply"
exits 0 "export --mesh --space object" spindle export "$folder/demo.sgc" --mesh /flag_grp/flag/flagShape --space object -o "$folder/b.ply"
vertices() { grep -aq "^element vertex $1\$" "$folder/b.ply"; }
for path in /:58 /blink_grp:8 /plain/:42 /plain/meshD:42 /hidden_grp:8; do
    exits 0 "export --mesh of everything below ${path%:*}" spindle export "$folder/visibility.sgc" --mesh "${path%:*}" -o "$folder/b.ply"
    check "export --mesh ${path%:*} writes only vertices below the path" vertices "${path#*:}"
done
exits 0 "export --mesh of one instance by its parent" spindle export "$folder/instances.sgc" --mesh /inst_parent_1 -o "$folder/b.ply"
check "export of one instance by its parent writes no other instance" vertices 72
exits 0 "export --mesh of a mesh with instances" spindle export "$folder/instances.sgc" --mesh /src/srcShape -o "$folder/b.ply"
check "export of a mesh with instances writes all six" vertices 432
exits 0 "export --mesh of one instance by its full path" spindle export "$folder/instances.sgc" --mesh /inst_parent_2/inst/srcShape -o "$folder/b.ply"
check "export of one instance by its full path writes no other instance" vertices 72
exits 0 "export --mesh --no-instances of a mesh with instances" spindle export "$folder/instances.sgc" --mesh /src/srcShape --no-instances -o "$folder/b.ply"
check "export --no-instances writes only the original" vertices 72
exits 2 "export --no-instances without --mesh is a usage error" spindle export "$folder/instances.sgc" --no-instances -o "$folder/b.ply"
rm "$folder/b.ply"
exits 1 "export --mesh of an unknown instance is refused" spindle export "$folder/instances.sgc" --mesh /inst_parent_3/inst/srcShap -o "$folder/b.ply"
check "export hints at the nearest instances" says '^hint: nearest: /inst_parent_3/inst/srcShape, /inst_parent_[0-2]/inst/srcShape, /inst_parent_[0-2]/inst/srcShape; spindle info'
exits 2 "export --mesh with an empty path is a usage error" spindle export "$folder/visibility.sgc" --mesh "" -o "$folder/b.ply"
for path in /none /plai /plain/meshDD plain /hidden_grp/meshB; do
    exits 1 "export --mesh of an unknown path is refused: $path" spindle export "$folder/visibility.sgc" --mesh "$path" -o "$folder/b.ply"
    check "export names an unknown path as such: $path" says "no such node or mesh"
    check "export of an unknown path prints one line: $path" one_line
done
exits 1 "export of a mesh that is hidden in the frame is refused" spindle export "$folder/visibility.sgc" --mesh /blink_grp --frame 12 -o "$folder/b.ply"
check "export says that the mesh is hidden in the frame" says "/blink_grp: is hidden in frame 12"
exits 1 "export of a transform without a mesh is refused" spindle export "$folder/bare.sgc" --mesh /rig/wheel -o "$folder/b.ply"
check "export says that the transform has no mesh" says "/rig/wheel: has no mesh"
check "refused exports by path leave no output" test ! -e "$folder/b.ply"
exits 0 "render of a cache" spindle render "$folder/demo.sgc" --frames 0,60,119 --size 64x48 -o "$folder/a.png"
exits 0 "render of a cache a second time" spindle render "$folder/demo.sgc" --frames 0,60,119 --size 64x48 -o "$folder/b.png"
check "render writes the same picture again" cmp -s "$folder/a.png" "$folder/b.png"
exits 0 "render of an archive" spindle render $data/demo.abc --frames 0 --size 64x48 -o "$folder/c.png"
# --view picture frames each picture by itself. The mesh moves less than the whole
# clip's box.
for view in "" picture clip; do
    exits 0 "render --view ${view:-default}" spindle render $data/inherits.abc --frames 1 --size 64x48 ${view:+--view $view} -o "$folder/view$view.png"
done
check "render --view picture is the default" cmp -s "$folder/view.png" "$folder/viewpicture.png"
check "render --view clip shows another section than --view picture" test "$(cmp "$folder/view.png" "$folder/viewclip.png" >/dev/null; echo $?)" = 1
exits 1 "render of a frame after the last is refused" spindle render "$folder/demo.sgc" --frames 120 -o "$folder/d.png"
check "a refused render leaves no picture" test ! -e "$folder/d.png"

# ---- play ------------------------------------------------------------------
for option in '--disc-rate 5' '--seek-ms 0' '--workers 2 --virtual' '--decode-us 5' '--decode-us 0 --virtual' '--workers 65' '--heap 0' '--streams 0' '--realtime --virtual' \
    '--virtual --drive wii_dvd6x --seek-ms 5' '--virtual --drive wii_dvd6x --disc-rate 5' '--disc-layout x'; do
    exits 2 "play $option is a usage error" spindle play "$folder/demo.sgc" $option
done
exits 0 "compile of a clip of one frame" spindle compile --quiet $data/ngons.abc -o "$folder/one.sgc"
exits 0 "play of a cache of one frame" spindle play "$folder/one.sgc" --virtual --json
check "play of one frame lasts a second" json_has pictures 60
exits 0 "play --heap 1" spindle play "$folder/demo.sgc" --virtual --heap 1
for clock in '' --virtual; do
    exits 1 "play of 500 streams in a small heap is refused at once, $clock" timeout 30 $EXEC "$SPINDLE" play "$folder/demo.sgc" $clock --streams 500 --seconds 3600
    check "the refusal of 500 streams names a sufficient heap, $clock" says "[0-9]* of 500 streams find no room in 64 MiB; [0-9]* MiB are surely enough"
done
exits 0 "play of 500 streams in a large heap" spindle play "$folder/demo.sgc" --virtual --streams 500 --heap 1000 --seconds 0.2 --disc-rate 1000 --seek-ms 0 --json
check "500 streams in a large heap drop no frame" json_has frames_dropped 0
hash_of() { spindle play "$folder/demo.sgc" --json "$@" >"$folder/stdout" && json_has frame_hash && cat "$folder/value"; }
exits 0 "play --virtual --streams 4" spindle play "$folder/demo.sgc" --virtual --streams 4 --json
check "four streams have no late frame" json_has frames_late 0
check "four streams show equal frames in every loop" json_has frames_unequal 0
check "four streams show all frames of the clip" json_has frames_distinct 120
check "each of four streams shows every frame" json_has frames_shown 480
exits 0 "play --decode-us" spindle play "$folder/demo.sgc" --virtual --decode-us 60000 --seconds 8 --json
check "play --decode-us leaves out frames" sh -c "test $(json_has frames_left_out && cat "$folder/value") -gt 0"
exits 0 "play of 16 streams from a disc with long seeks" spindle play "$folder/demo.sgc" --virtual --streams 16 --seconds 20 --rate 30 --seek-ms 100 --json
check "16 streams have no late frame after the first second" json_has frames_late_after_1s 0
check "long seeks lead to few, long reads" sh -c "test $(json_has disc_seeks && cat "$folder/value") -le 100"
exits 0 "play of 16 streams in a small heap" spindle play "$folder/demo.sgc" --virtual --streams 16 --seconds 20 --rate 30 --heap 24 --buffer-ahead 0.5,1 --json
check "16 streams in a small heap have no late frame after the first second" json_has frames_late_after_1s 0
hash=$(hash_of --virtual --streams 4)
check "one stream shows the same frame hash as four" test "$hash" = "$(hash_of --virtual)"
late="--streams 2 --heap 1 --rate 240 --seek-ms 250"
check "streams with late frames show the same frame hash" test "$hash" = "$(hash_of --virtual $late --seconds 60)"
check "streams with long seeks, in a heap that does not hold the clip, have late frames" sh -c "test $(json_has frames_late && cat "$folder/value") -gt 0"
# Tangents by geometry may be the same rotation with the other sign.
for options in --fast-decode "--codec store --no-b-frames"; do
    spindle compile --quiet $data/demo.abc $options -o "$folder/o.sgc"
    spindle play "$folder/o.sgc" --virtual --json >"$folder/stdout" && json_has frame_hash && mv "$folder/value" "$folder/$options.hash"
done
check "caches by --fast-decode and by --codec store show the same frame hash" cmp "$folder/--fast-decode.hash" "$folder/--codec store --no-b-frames.hash"
spindle compile --quiet $data/demo.abc --precision 2 --codec lz4hc -o "$folder/o.sgc"
check "other values show another frame hash" test "$hash" != "$(spindle play "$folder/o.sgc" --virtual --json >"$folder/stdout" && json_has frame_hash && cat "$folder/value")"
for drive in x360_dvd12x wii_dvd6x ps3_bd2x hdd_5400; do
    check "play from $drive shows the same frame hash" test "$hash" = "$(hash_of --virtual --streams 2 --drive $drive)"
done
finish
