#!/usr/bin/env bash
# Goal: compile reports meshes and channels, the data rate and times, as text and as
# JSON, and shows progress only on a terminal.
# Method: compile small archives and check the output.
# Threads as in test_compile.sh.
set -u
name=test_report
. tests/cli/lib.sh
data=tests/data
export SPINDLE
check "the JSON reader of the tests compiles" make_json_reader

# ---- text ------------------------------------------------------------------
exits 0 "compile" spindle compile $data/demo.abc -o "$folder/o.sgc"
check "compile's report names the mesh" says 'flagShape, 2142 vertices'
for channel in positions tangents uvs; do
    check "compile's report has the channel $channel" grep -qE "^    $channel +[0-9.]+ +([0-9]+ %|still) +[0-9.e-]+ +[0-9.e-]+ (mm|degrees|uv)$" "$folder/stdout"
done
check "compile's report has the data rate" grep -qE 'data rate +least [0-9.]+, mean [0-9.]+, most [0-9.]+ MB/s' "$folder/stdout"
check "compile's report has a chart of the data rate" grep -qE '^    \|[-_.,~+=*#@]+\| 1 s each' "$folder/stdout"
for stage in read transforms split 'normals and tangents' quantize search compress check write; do
    check "compile's report has the time of: $stage" grep -qE "^    $stage +[0-9.]+ +[0-9]+ %$" "$folder/stdout"
done
# A long path is cut at its beginning, because its end distinguishes objects.
LC_ALL=C sed 's/nnnnnnnnnn/0123456789/g' $data/names.abc >"$folder/digits.abc"
exits 0 "compile of an archive with a long object path" spindle compile "$folder/digits.abc" -o "$folder/o.sgc"
check "compile's report prints the last 60 bytes of a long path" grep -qE '^  (0123456789){6}, 8 vertices$' "$folder/stdout"
exits 0 "compile of a clip of one frame" spindle compile $data/ngons.abc -o "$folder/o.sgc"
check "compile's report of one frame has no data rate" test "$(grep -c 'data rate' "$folder/stdout")" = 0

# The reported errors are those that verify measures.
spindle compile $data/demo.abc -o "$folder/o.sgc" | awk '$1 == "positions" { printf "%.2f %.2f\n", $5, $6 }' >"$folder/reported"
spindle verify "$folder/o.sgc" --against $data/demo.abc | awk '$1 == "positions" { printf "%.2f %.2f\n", $2, $3 }' >"$folder/found"
check "compile's report has the same errors as verify" cmp -s "$folder/reported" "$folder/found"

many=${SPINDLE_ASSETS:-../shared/assets}/synthetic/rigid-debris.abc
if [ -f "$many" ]; then
    exits 0 "compile of a scene with many meshes" spindle compile "$many" -o "$folder/o.sgc"
    check "compile's report of many meshes is shorter than 100 lines" test "$(wc -l <"$folder/stdout")" -lt 100
    check "compile's report sums up the remaining meshes" grep -qE '^  [0-9]+ more meshes$' "$folder/stdout"
    check "compile's report has the bits of the remaining meshes" test "$(sed -n '/more meshes/,$p' "$folder/stdout" | grep -c '^    positions *[1-9]')" = 1
    exits 0 "compile --json of a scene with many meshes" spindle compile "$many" -o "$folder/o.sgc" --json
    json_has meshes && meshes=$(cat "$folder/value")
    json_has mesh_table
    check "compile --json lists all meshes" test "$(grep -o '"path"' "$folder/value" | wc -l)" = "$meshes"
else
    echo "  skipped: no scene of many meshes"
    skipped=$((skipped + 1))
fi

# ---- JSON ------------------------------------------------------------------
exits 0 "compile --json --jobs 2" spindle compile --json $data/demo.abc -o "$folder/o.sgc" --jobs 2
check "compile --json has a schema" json_has schema 1
check "compile --json names the verb" json_has verb '"compile"'
for field in frames b_frames meshes nodes vertices triangles input_bytes output_bytes static_bytes frames_bytes \
    node_bytes directory_bytes frame_bytes_mean quantized_bytes_per_frame bytes_per_second warnings jobs seconds; do
    check "compile --json has $field" json_has $field
    check "compile --json: $field is a number" grep -qE '^[0-9.e+-]+$' "$folder/value"
done
check "compile --json has mesh_table" json_has mesh_table
for field in path vertices triangles bytes channels channel is_animated bits_per_vertex streams b_streams b_share \
    error_unit error_worst error_mean; do
    check "compile --json: mesh_table has $field" grep -q "\"$field\":" "$folder/value"
done
check "compile --json has rate" json_has rate
for field in bucket_seconds least mean most bucket_bytes; do
    check "compile --json: rate has $field" grep -q "\"$field\":" "$folder/value"
done
check "compile --json has stages" json_has stages
for field in stage processor_seconds seconds; do
    check "compile --json: stages have $field" grep -q "\"$field\":" "$folder/value"
done
check "compile --json prints nothing on stderr" silent

# ---- progress --------------------------------------------------------------
if command -v script >/dev/null && [ -z "${EXEC:-}" ]; then
    on_terminal() { script -qec "'$SPINDLE' compile $data/demo.abc -o '$folder/o.sgc' $*" /dev/null </dev/null >"$folder/typed" 2>&1; }
    on_terminal ""
    check "compile shows a progress bar on a terminal" grep -qE 'compiling \[#+ *\] +[0-9]+ %' "$folder/typed"
    on_terminal --quiet
    check "compile --quiet shows no progress bar" test ! -s "$folder/typed"
    on_terminal --json
    check "compile --json shows no progress bar" test "$(grep -c compiling "$folder/typed")" = 0
else
    echo "  skipped: no terminal to be had"
    skipped=$((skipped + 1))
fi
finish
