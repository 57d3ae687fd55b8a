#!/usr/bin/env bash
# Goal: with any options a compiled cache agrees with its archive, has the same bytes
# for any number of jobs, and shows the same frames in all kinds of play.
# Method: compile small archives with each option, then run verify, info and play.
set -u
name=test_compile
. tests/cli/lib.sh
data=tests/data
export SPINDLE
check "the JSON reader of the tests compiles" make_json_reader
hash_of() { spindle play "$folder/demo.sgc" --json "$@" >"$folder/stdout" && json_has frame_hash && cat "$folder/value"; }

exits 0 "compile" spindle compile $data/demo.abc -o "$folder/demo.sgc"
check "compile: the report names the spindle codec" says "codec  *spindle, blocks lz4hc$"
exits 0 "info of a cache by the spindle codec" spindle info "$folder/demo.sgc"
check "info names the spindle codec" says "codec spindle, blocks lz4"
exits 0 "compile with an index distance of 12" spindle compile $data/demo.abc -o "$folder/o.sgc" --index-distance 12
check "compile with an index distance of 12: the report gives the reason for lz4hc" says "codec  *lz4hc: the spindle codec wants"
exits 0 "compile --json with an index distance of 12" spindle compile --quiet --json $data/tiny.abc -o "$folder/o.sgc" --index-distance 12
check "compile --json with an index distance of 12: codec is lz4hc" json_has codec '"lz4hc"'
classic_options=("--no-b-frames" "--index-distance 37" "--precision 0" "--codec store" "--codec deflate" "--codec zstd" "--index-distance 1" "--jobs 1" "--unit-scale 0.01")
limit_for_tsan classic_options 1
for options in "${classic_options[@]}"; do
    codec="--codec lz4hc"
    case $options in *--codec*) codec= ;; esac
    exits 0 "compile $options" spindle compile --quiet $codec $data/demo.abc -o "$folder/o.sgc" $options
    single_threaded exits 0 "verify after compile $options" spindle verify "$folder/o.sgc" --against $data/demo.abc
done
axis_options=("--flip-v" "--up z")
limit_for_tsan axis_options 1
for options in "${axis_options[@]}"; do
    exits 0 "compile $options" spindle compile --quiet $data/demo.abc -o "$folder/o.sgc" $options
    single_threaded exits 0 "verify after compile $options, with the same options" spindle verify "$folder/o.sgc" --against $data/demo.abc $options
    single_threaded exits 1 "verify after compile $options fails without these options" spindle verify "$folder/o.sgc" --against $data/demo.abc
done
exits 0 "info of an archive with colours" spindle info $data/colors.abc
check "info lists the names of colours" says "colours colorSetB vertex"
exits 0 "compile --colors" spindle compile --quiet $data/colors.abc -o "$folder/o.sgc" --colors colorSetA
single_threaded exits 0 "verify --colors with the compiled colours" spindle verify "$folder/o.sgc" --against $data/colors.abc --colors colorSetA
single_threaded exits 1 "verify --colors with other colours fails" spindle verify "$folder/o.sgc" --against $data/colors.abc --colors colorSetB
exits 1 "compile --colors with an unknown name is refused" spindle compile --quiet $data/colors.abc -o "$folder/none.sgc" --colors colorSetC
check "compile --colors with an unknown name leaves no file" test ! -e "$folder/none.sgc"
exits 0 "info --json of an archive with UV sets" spindle info --json $data/colors.abc
check "info --json lists the names of UV sets" says '"uvSet2"'
exits 0 "compile --uv-sets 2" spindle compile --quiet $data/colors.abc -o "$folder/o.sgc" --uv-sets 2
single_threaded exits 0 "verify of two UV sets" spindle verify "$folder/o.sgc" --against $data/colors.abc
exits 0 "info of a cache with two UV sets" spindle info "$folder/o.sgc"
check "info names the second UV set" says 'second uv "uvSet2"'
exits 0 "compile --uv-sets NAME" spindle compile --quiet $data/colors.abc -o "$folder/p.sgc" --uv-sets uvSet2
check "compile --uv-sets by number and by name writes the same bytes" cmp -s "$folder/o.sgc" "$folder/p.sgc"
exits 1 "compile --uv-sets with an unknown name is refused" spindle compile --quiet $data/colors.abc -o "$folder/none.sgc" --uv-sets light
exits 0 "compile --velocities without velocities in the archive" spindle compile $data/tiny.abc -o "$folder/o.sgc" --velocities
check "compile --velocities without velocities in the archive warns" says "requested data does not exist: --velocities"
exits 2 "compile --velocity-precision without --velocities is a usage error" spindle compile --quiet $data/tiny.abc -o "$folder/none.sgc" --velocity-precision 5
exits 1 "compile --strict --velocities without velocities is refused" spindle compile --quiet --strict $data/tiny.abc -o "$folder/none.sgc" --velocities
check "compile --strict --velocities without velocities leaves no file" test ! -e "$folder/none.sgc"
# ---- codecs ----------------------------------------------------------------
codecs=(lz4hc store deflate zstd)
limit_for_tsan codecs 1
for codec in "${codecs[@]}"; do
    spindle compile --quiet --jobs 3 --codec $codec $data/demo.abc -o "$folder/$codec.sgc"
    exits 0 "play of a cache by $codec on threads" spindle play "$folder/$codec.sgc" --seconds 1
    single_threaded spindle compile --quiet --jobs 1 --codec $codec $data/demo.abc -o "$folder/o.sgc"
    single_threaded check "$codec: the same bytes for any --jobs" cmp -s "$folder/$codec.sgc" "$folder/o.sgc"
done
# ---- the spindle codec -----------------------------------------------------
spindle compile --quiet --jobs 3 --codec spindle $data/demo.abc -o "$folder/spindle.sgc"
single_threaded spindle compile --quiet --jobs 1 --codec spindle $data/demo.abc -o "$folder/o.sgc"
single_threaded check "spindle: the same bytes for any --jobs" cmp -s "$folder/spindle.sgc" "$folder/o.sgc"
exits 0 "info of a cache by spindle" spindle info "$folder/spindle.sgc"
check "spindle: info names the codec" says "codec spindle, blocks lz4"
exits 0 "info --json of a cache by spindle" spindle info --json "$folder/spindle.sgc"
check "spindle: info --json names the codec" json_has codec '"spindle"'
check "spindle: info --json names the block codec" json_has block_codec '"lz4hc"'
single_threaded exits 0 "verify of a cache by spindle" spindle verify "$folder/spindle.sgc" --against $data/demo.abc
for options in "--virtual --streams 2" "--seconds 4" "--seconds 4 --workers 0"; do
    exits 0 "play $options of a cache by spindle" spindle play "$folder/spindle.sgc" $options --json
    if [ "$options" = "${options#--virtual}" ] && ! json_has frames_distinct 120; then
        echo "  skipped: the machine was too busy to show every frame"
        skipped=$((skipped + 1))
        continue
    fi
    json_has frame_hash && mv "$folder/value" "$folder/o.hash"
    [ -f "$folder/spindle.hash" ] || cp "$folder/o.hash" "$folder/spindle.hash"
    check "play $options of a cache by spindle shows the same frames" cmp -s "$folder/spindle.hash" "$folder/o.hash"
done
for options in "--codec lz4hc --fast-decode" "--codec deflate --vertex-order layers" "--index-distance 10 --fast-decode"; do
    exits 2 "compile $options is a usage error: options of the spindle codec only" spindle compile $options $data/demo.abc -o "$folder/o.sgc"
    check "compile $options: the message names --codec spindle" grep -q "is for --codec spindle" "$folder/stderr"
done
exits 2 "compile --codec spindle with an index distance of 12 is a usage error" spindle compile --codec spindle --index-distance 12 $data/demo.abc -o "$folder/o.sgc"
spindle_options=("--fast-decode" "--no-b-frames" "--index-distance 1" "--index-distance 4" "--index-distance 64" "--vertex-order layers" "--precision 0")
limit_for_tsan spindle_options 1
for options in "${spindle_options[@]}"; do
    exits 0 "compile $options" spindle compile --quiet $data/demo.abc -o "$folder/o.sgc" $options
    single_threaded exits 0 "verify after compile $options" spindle verify "$folder/o.sgc" --against $data/demo.abc
done

# ---- flags --------------------------------------------------------------------
for flag in "" --play-from-memory; do
    exits 0 "compile $flag" spindle compile --quiet --codec store $flag $data/tiny.abc -o "$folder/o.sgc"
    exits 0 "info after compile $flag" spindle info --json "$folder/o.sgc"
    check "info says whether the cache plays from memory" json_has plays_from_memory $([ -n "$flag" ] && echo true || echo false)
done
exits 0 "info of a cache that plays from memory" spindle info "$folder/o.sgc"
check "info as text says that the cache plays from memory" says "playback    from memory"

# ---- play in real time --------------------------------------------------------
exits 0 "play with 64 workers" spindle play "$folder/demo.sgc" --workers 64 --seconds 0.1
exits 0 "play without workers" spindle play "$folder/demo.sgc" --workers 0 --seconds 0.1
exits 0 "compile --allow-empty of an archive without meshes" spindle compile --quiet --allow-empty $data/bare.abc -o "$folder/bare.sgc"
exits 0 "play of a cache without meshes" spindle play "$folder/bare.sgc" --seconds 0.2
hash=$(hash_of --virtual)
real=$(hash_of --seconds 5)
if json_has frames_distinct 120; then
    check "play in real time with threads: the same frame hash as in virtual time" test "$hash" = "$real"
else
    echo "  skipped: the machine was too busy to show every frame"
    skipped=$((skipped + 1))
fi

# ---- single-threaded commands -----------------------------------------------
end_here_with_tsan
for codec in "${codecs[@]}"; do
    exits 0 "info of a cache by $codec" spindle info "$folder/$codec.sgc"
    check "$codec: info names the codec" says "codec ${codec%hc}"
    exits 0 "export from a cache by $codec" spindle export "$folder/$codec.sgc" --frame 33 -o "$folder/$codec.ply"
    check "$codec: export writes the same vertices as from lz4hc" cmp -s "$folder/lz4hc.ply" "$folder/$codec.ply"
    exits 0 "play of a cache by $codec" spindle play "$folder/$codec.sgc" --virtual --streams 2 --json
    json_has frame_hash && mv "$folder/value" "$folder/$codec.hash"
    check "$codec: the same frames as by lz4hc" cmp -s "$folder/lz4hc.hash" "$folder/$codec.hash"
    check "$codec: no frame is late" json_has frames_late 0
done
exits 0 "export from a cache by spindle" spindle export "$folder/spindle.sgc" --frame 33 -o "$folder/spindle.ply"

bytes_of() { wc -c <"$folder/$1.sgc"; }
check "caches by deflate and zstd are smaller than by lz4hc, and by lz4hc smaller than by store" test "$(bytes_of deflate)" -lt "$(bytes_of lz4hc)" -a "$(bytes_of zstd)" -lt "$(bytes_of lz4hc)" -a "$(bytes_of lz4hc)" -lt "$(bytes_of store)"
check "caches by spindle are smaller than by zstd" test "$(bytes_of spindle)" -lt "$(bytes_of zstd)"
for codec in deflate zstd; do
    { head -c 60000 "$folder/$codec.sgc"; printf 'XXXX'; tail -c +60005 "$folder/$codec.sgc"; } >"$folder/o.sgc"
    exits 1 "verify of a damaged $codec cache fails" spindle verify "$folder/o.sgc"
    check "verify of a damaged $codec cache prints one line" one_line
    exits 1 "play of a damaged $codec cache reports the damage" spindle play "$folder/o.sgc" --virtual
    check "play of a damaged $codec cache continues to the end" says "^played "
done
exits 0 "compile --json" spindle compile --json $data/demo.abc -o "$folder/o.sgc"
check "compile --json has a schema" json_has schema 1
check "compile --json counts frames" json_has frames 120
finish
