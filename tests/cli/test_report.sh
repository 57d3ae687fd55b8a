#!/usr/bin/env bash
# What compile reports: a table of meshes and channels, the data rate, where
# the time went, all of it as JSON; and progress, only where somebody looks.
# Threads as in test_compile.sh.
set -u
name=test_report
. tests/cli/lib.sh
data=tests/data
export SPINDLE
check "a reader for JSON" make_json_reader

# ---- words -----------------------------------------------------------------
exits 0 "compile" spindle compile $data/demo.abc -o "$folder/o.sgc"
check "names the mesh" says 'flagShape, 2142 vertices'
for channel in positions tangents uvs; do
    check "has $channel" grep -qE "^    $channel +[0-9.]+ +([0-9]+ %|still) +[0-9.e-]+ +[0-9.e-]+ (mm|degrees|uv)$" "$folder/stdout"
done
check "tells the data rate" grep -qE 'data rate +least [0-9.]+, mean [0-9.]+, most [0-9.]+ MB/s' "$folder/stdout"
check "draws it" grep -qE '^    \|[-_.,~+=*#@]+\| 1 s each' "$folder/stdout"
for stage in read transforms split 'normals and tangents' quantize search compress check write; do
    check "tells the time of: $stage" grep -qE "^    $stage +[0-9.]+ +[0-9]+ %$" "$folder/stdout"
done
# The end of a path says more than its beginning.
LC_ALL=C sed 's/nnnnnnnnnn/0123456789/g' $data/names.abc >"$folder/digits.abc"
exits 0 "a long path" spindle compile "$folder/digits.abc" -o "$folder/o.sgc"
check "is named by its last 60 bytes" grep -qE '^  (0123456789){6}, 8 vertices$' "$folder/stdout"
exits 0 "a clip of one frame" spindle compile $data/ngons.abc -o "$folder/o.sgc"
check "has no rate" test "$(grep -c 'data rate' "$folder/stdout")" = 0

# The errors are those that verify finds.
spindle compile $data/demo.abc -o "$folder/o.sgc" | awk '$1 == "positions" { printf "%.2f %.2f\n", $5, $6 }' >"$folder/told"
spindle verify "$folder/o.sgc" --against $data/demo.abc | awk '$1 == "positions" { printf "%.2f %.2f\n", $2, $3 }' >"$folder/found"
check "errors are those that verify finds" cmp -s "$folder/told" "$folder/found"

many=${SPINDLE_ASSETS:-../shared/assets}/synthetic/rigid-debris.abc
if [ -f "$many" ]; then
    exits 0 "a scene of many meshes" spindle compile "$many" -o "$folder/o.sgc"
    check "does not flood the terminal" test "$(wc -l <"$folder/stdout")" -lt 100
    check "sums up the rest" grep -qE '^  [0-9]+ more meshes$' "$folder/stdout"
    check "with their bits" test "$(sed -n '/more meshes/,$p' "$folder/stdout" | grep -c '^    positions *[1-9]')" = 1
    exits 0 "and in JSON" spindle compile "$many" -o "$folder/o.sgc" --json
    json_has meshes && meshes=$(cat "$folder/value")
    json_has mesh_table
    check "all are named in JSON" test "$(grep -o '"path"' "$folder/value" | wc -l)" = "$meshes"
else
    echo "  skipped: no scene of many meshes"
    skipped=$((skipped + 1))
fi

# ---- JSON ------------------------------------------------------------------
exits 0 "compile --json" spindle compile --json $data/demo.abc -o "$folder/o.sgc" --jobs 2
check "schema" json_has schema 1
check "verb" json_has verb '"compile"'
for field in frames b_frames meshes nodes vertices triangles input_bytes output_bytes static_bytes frames_bytes \
    node_bytes directory_bytes frame_bytes_mean quantized_bytes_per_frame bytes_per_second warnings jobs seconds; do
    check "$field is a number" json_has $field
    check "$field is a number" grep -qE '^[0-9.e+-]+$' "$folder/value"
done
check "mesh_table" json_has mesh_table
for field in path vertices triangles bytes channels channel is_animated bits_per_vertex streams b_streams b_share \
    error_unit error_worst error_mean; do
    check "mesh_table has $field" grep -q "\"$field\":" "$folder/value"
done
check "rate" json_has rate
for field in bucket_seconds least mean most bucket_bytes; do
    check "rate has $field" grep -q "\"$field\":" "$folder/value"
done
check "stages" json_has stages
for field in stage processor_seconds seconds; do
    check "stages have $field" grep -q "\"$field\":" "$folder/value"
done
check "no word on stderr" silent

# ---- progress --------------------------------------------------------------
if command -v script >/dev/null && [ -z "${EXEC:-}" ]; then
    on_terminal() { script -qec "'$SPINDLE' compile $data/demo.abc -o '$folder/o.sgc' $*" /dev/null </dev/null >"$folder/typed" 2>&1; }
    on_terminal ""
    check "a bar on a terminal" grep -qE 'compiling \[#+ *\] +[0-9]+ %' "$folder/typed"
    on_terminal --quiet
    check "none with --quiet" test ! -s "$folder/typed"
    on_terminal --json
    check "none with --json" test "$(grep -c compiling "$folder/typed")" = 0
else
    echo "  skipped: no terminal to be had"
    skipped=$((skipped + 1))
fi
finish
