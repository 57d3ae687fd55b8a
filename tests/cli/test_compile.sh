#!/usr/bin/env bash
# Whatever the options, compiled caches are what the archives say, the same
# bytes for any number of jobs, and the same frames when they are played.
set -u
name=test_compile
. tests/cli/lib.sh
data=tests/data
export SPINDLE
check "a reader for JSON" make_json_reader
hash_of() { spindle play "$folder/demo.sgc" --json "$@" >"$folder/stdout" && json_has frame_hash && cat "$folder/value"; }

exits 0 "compile" spindle compile $data/demo.abc -o "$folder/demo.sgc"
check "by the spindle codec" says "codec  *spindle, blocks lz4hc$"
exits 0 "its info" spindle info "$folder/demo.sgc"
check "which names it" says "codec spindle, blocks lz4"
exits 0 "frames that are no power of two apart" spindle compile $data/demo.abc -o "$folder/o.sgc" --index-distance 12
check "are by lz4hc, in words" says "codec  *lz4hc: the spindle codec wants"
exits 0 "the same for machines" spindle compile --quiet --json $data/tiny.abc -o "$folder/o.sgc" --index-distance 12
check "by its name" json_has codec '"lz4hc"'
classic_options=("--no-b-frames" "--index-distance 37" "--precision 0" "--codec store" "--codec deflate" "--codec zstd" "--index-distance 1" "--jobs 1" "--unit-scale 0.01")
few_for_threads classic_options 1
for options in "${classic_options[@]}"; do
    codec="--codec lz4hc"
    case $options in *--codec*) codec= ;; esac
    exits 0 "compile $options" spindle compile --quiet $codec $data/demo.abc -o "$folder/o.sgc" $options
    alone exits 0 "verify after $options" spindle verify "$folder/o.sgc" --against $data/demo.abc
done
turns=("--flip-v" "--up z")
few_for_threads turns 1
for options in "${turns[@]}"; do
    exits 0 "compile $options" spindle compile --quiet $data/demo.abc -o "$folder/o.sgc" $options
    alone exits 0 "verify after $options" spindle verify "$folder/o.sgc" --against $data/demo.abc $options
    alone exits 1 "verify without $options" spindle verify "$folder/o.sgc" --against $data/demo.abc
done
exits 0 "the names of colours" spindle info $data/colors.abc
check "are told" says "colours colorSetB vertex"
exits 0 "compile --colors" spindle compile --quiet $data/colors.abc -o "$folder/o.sgc" --colors colorSetA
alone exits 0 "verify of those colours" spindle verify "$folder/o.sgc" --against $data/colors.abc --colors colorSetA
alone exits 1 "verify of others" spindle verify "$folder/o.sgc" --against $data/colors.abc --colors colorSetB
exits 1 "colours that are nowhere" spindle compile --quiet $data/colors.abc -o "$folder/none.sgc" --colors colorSetC
check "leave no file" test ! -e "$folder/none.sgc"
exits 0 "the names of texture coordinates" spindle info --json $data/colors.abc
check "are told" says '"uvSet2"'
exits 0 "compile --uv-sets" spindle compile --quiet $data/colors.abc -o "$folder/o.sgc" --uv-sets 2
alone exits 0 "verify of both sets" spindle verify "$folder/o.sgc" --against $data/colors.abc
exits 0 "its info" spindle info "$folder/o.sgc"
check "names the second" says 'second uv "uvSet2"'
exits 0 "compile --uv-sets NAME" spindle compile --quiet $data/colors.abc -o "$folder/p.sgc" --uv-sets uvSet2
check "the same bytes by name" cmp -s "$folder/o.sgc" "$folder/p.sgc"
exits 1 "texture coordinates that are nowhere" spindle compile --quiet $data/colors.abc -o "$folder/none.sgc" --uv-sets light
exits 0 "velocities that are nowhere" spindle compile $data/tiny.abc -o "$folder/o.sgc" --velocities
check "are a warning" says "asked for is not there: --velocities"
exits 2 "steps of velocities that are not kept" spindle compile --quiet $data/tiny.abc -o "$folder/none.sgc" --velocity-precision 5
exits 1 "or refused" spindle compile --quiet --strict $data/tiny.abc -o "$folder/none.sgc" --velocities
check "and leave no file" test ! -e "$folder/none.sgc"
# ---- codecs ----------------------------------------------------------------
codecs=(lz4hc store deflate zstd)
few_for_threads codecs 1
for codec in "${codecs[@]}"; do
    spindle compile --quiet --jobs 3 --codec $codec $data/demo.abc -o "$folder/$codec.sgc"
    exits 0 "play of $codec on threads" spindle play "$folder/$codec.sgc" --seconds 1
    alone spindle compile --quiet --jobs 1 --codec $codec $data/demo.abc -o "$folder/o.sgc"
    alone check "$codec: the same bytes for any --jobs" cmp -s "$folder/$codec.sgc" "$folder/o.sgc"
done
# ---- the spindle codec -----------------------------------------------------
spindle compile --quiet --jobs 3 --codec spindle $data/demo.abc -o "$folder/spindle.sgc"
alone spindle compile --quiet --jobs 1 --codec spindle $data/demo.abc -o "$folder/o.sgc"
alone check "spindle: the same bytes for any --jobs" cmp -s "$folder/spindle.sgc" "$folder/o.sgc"
exits 0 "info of spindle" spindle info "$folder/spindle.sgc"
check "spindle: info names it" says "codec spindle, blocks lz4"
exits 0 "info of spindle as JSON" spindle info --json "$folder/spindle.sgc"
check "spindle: info names it as compile does" json_has codec '"spindle"'
check "spindle: and what compresses blocks" json_has block_codec '"lz4hc"'
alone exits 0 "verify of spindle" spindle verify "$folder/spindle.sgc" --against $data/demo.abc
for options in "--virtual --streams 2" "--seconds 4" "--seconds 4 --workers 0"; do
    exits 0 "play of spindle, $options" spindle play "$folder/spindle.sgc" $options --json
    if [ "$options" = "${options#--virtual}" ] && ! json_has frames_distinct 120; then
        echo "  skipped: the machine was too busy to show every frame"
        skipped=$((skipped + 1))
        continue
    fi
    json_has frame_hash && mv "$folder/value" "$folder/o.hash"
    [ -f "$folder/spindle.hash" ] || cp "$folder/o.hash" "$folder/spindle.hash"
    check "the same frames, $options" cmp -s "$folder/spindle.hash" "$folder/o.hash"
done
for options in "--codec lz4hc --fast-decode" "--codec deflate --vertex-order layers" "--index-distance 10 --fast-decode"; do
    exits 2 "what other codecs do not have, $options" spindle compile $options $data/demo.abc -o "$folder/o.sgc"
    check "is named, $options" grep -q "is for --codec spindle" "$folder/stderr"
done
exits 2 "no power of two" spindle compile --codec spindle --index-distance 12 $data/demo.abc -o "$folder/o.sgc"
spindle_options=("--fast-decode" "--no-b-frames" "--index-distance 1" "--index-distance 4" "--index-distance 64" "--vertex-order layers" "--precision 0")
few_for_threads spindle_options 1
for options in "${spindle_options[@]}"; do
    exits 0 "compile $options" spindle compile --quiet $data/demo.abc -o "$folder/o.sgc" $options
    alone exits 0 "verify after $options" spindle verify "$folder/o.sgc" --against $data/demo.abc
done

# ---- play, on the real clock -------------------------------------------------
exits 0 "play with as many workers as there can be" spindle play "$folder/demo.sgc" --workers 64 --seconds 0.1
exits 0 "play without any" spindle play "$folder/demo.sgc" --workers 0 --seconds 0.1
exits 0 "an archive without meshes" spindle compile --quiet --allow-empty $data/bare.abc -o "$folder/bare.sgc"
exits 0 "is played" spindle play "$folder/bare.sgc" --seconds 0.2
hash=$(hash_of --virtual)
real=$(hash_of --seconds 5)
if json_has frames_distinct 120; then
    check "the same hash on the real clock, with threads" test "$hash" = "$real"
else
    echo "  skipped: the machine was too busy to show every frame"
    skipped=$((skipped + 1))
fi

# ---- one thread --------------------------------------------------------------
rest_has_one_thread
for codec in "${codecs[@]}"; do
    exits 0 "info of $codec" spindle info "$folder/$codec.sgc"
    check "$codec: info names it" says "codec ${codec%hc}"
    exits 0 "export of $codec" spindle export "$folder/$codec.sgc" --frame 33 -o "$folder/$codec.ply"
    check "$codec: the same vertices" cmp -s "$folder/lz4hc.ply" "$folder/$codec.ply"
    exits 0 "play of $codec" spindle play "$folder/$codec.sgc" --virtual --streams 2 --json
    json_has frame_hash && mv "$folder/value" "$folder/$codec.hash"
    check "$codec: the same frames" cmp -s "$folder/lz4hc.hash" "$folder/$codec.hash"
    check "$codec: none is late" json_has frames_late 0
done
exits 0 "export of spindle" spindle export "$folder/spindle.sgc" --frame 33 -o "$folder/spindle.ply"

bytes_of() { wc -c <"$folder/$1.sgc"; }
check "deflate and zstd are smaller than lz4hc, and that than store" test "$(bytes_of deflate)" -lt "$(bytes_of lz4hc)" -a "$(bytes_of zstd)" -lt "$(bytes_of lz4hc)" -a "$(bytes_of lz4hc)" -lt "$(bytes_of store)"
check "spindle is smaller than zstd" test "$(bytes_of spindle)" -lt "$(bytes_of zstd)"
for codec in deflate zstd; do
    { head -c 60000 "$folder/$codec.sgc"; printf 'XXXX'; tail -c +60005 "$folder/$codec.sgc"; } >"$folder/o.sgc"
    exits 1 "verify of a bent $codec cache" spindle verify "$folder/o.sgc"
    check "$codec: one line" one_line
    exits 1 "play goes on without it ($codec)" spindle play "$folder/o.sgc" --virtual
    check "$codec: to the end" says "^played "
done
exits 0 "compile --json" spindle compile --json $data/demo.abc -o "$folder/o.sgc"
check "has a schema" json_has schema 1
check "counts frames" json_has frames 120
finish
