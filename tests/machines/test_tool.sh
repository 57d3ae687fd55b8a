#!/usr/bin/env bash
# Goal: the tool of every machine writes the same bytes and messages as the tool of this
# machine, and refuses the same input.
# Method: run both with the same arguments, each in its own folder; compare files,
# messages and exit codes.
name=test_tool
. tests/cli/lib.sh

# both CLAIM ARGUMENT...: run both tools with the arguments and compare.
both() {
    for side in host machine; do
        tool=$HOST_SPINDLE
        [ $side = host ] || tool="${EXEC:-} $SPINDLE"
        mkdir -p "$folder/$side"
        (
            cd "$folder/$side" || exit
            $tool "${@:2}" >"output $1" 2>"refused $1" </dev/null
            echo "exit $?" >>"output $1"
        )
    done
    check "$1" same
}
# Filter out values that depend on the size of pointers (memory), and times. After a
# difference copy the host's files to the machine's folder, so that the next comparison
# does not report it again.
unlike='"\(memory_bytes\|heap_live_bytes_peak\|decode_ms_per_frame\|fill_ms_per_picture\)":'
same() {
    diff -r -I "$unlike" "$folder/host" "$folder/machine" >"$folder/stderr" 2>&1 && return
    rm -rf "$folder/machine"
    cp -r "$folder/host" "$folder/machine"
    false
}

data=$(cd "${SPINDLE_TEST_DATA:-tests/data}" && pwd)
assets=$(cd "${SPINDLE_ASSETS:-../shared/assets}" 2>/dev/null && pwd)
# Emulated, the demo takes a minute, so it is compiled once, by lz4hc. From the folder
# of edge cases only small archives are used.
small=$(find "$data" ${assets:+"$assets/edge"} -name '*.abc' -size -60k ! -name '*.h5.abc' | sort)
[ -n "$assets" ] || {
    echo "  skipped: the archives of edge cases are missing"
    skipped=$((skipped + 1))
}

for archive in $small; do
    this=$(basename "$archive" .abc)
    both "compile $this" compile "$archive" -o "$this-s.sgc" --quiet
    both "compile $this --codec lz4hc" compile "$archive" -o "$this.sgc" --quiet --codec lz4hc
    both "info $this" info "$archive" --json
done
for codec in store deflate zstd; do
    both "compile --codec $codec" compile "$data/instances.abc" -o "instances-$codec.sgc" --quiet --codec $codec --up z --flip-v
done
both "compile the demo" compile "$data/demo.abc" -o demo.sgc --quiet --codec lz4hc
both "verify" verify demo.sgc --against "$data/demo.abc" --json
both "info of a cache" info demo.sgc --json
both "export" export demo.sgc --frame 7 -o frame.ply
both "render" render demo.sgc --frames 0,50,99 -o sheet.png
for codec in none lz4hc deflate zstd; do
    both "pack --codec $codec" pack "$data" -o $codec.spk --quiet --codec $codec
    both "unpack a pak of $codec" unpack $codec.spk -o out-$codec
done
both "verify a pak" verify zstd.spk --against "$data" --json
both "info of a pak" info zstd.spk --json
both "drives" drives
both "simulate" simulate --generate by-scene --seconds 20 --load 0.9 --json
both "play --drive" play demo.sgc --virtual --streams 8 --seconds 10 --drive x360_dvd12x --json
both "play caches of lifted meshes" play tiny-s.sgc instances-s.sgc colors.sgc --virtual --streams 3 --seconds 10 --json
finish
