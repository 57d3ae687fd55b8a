#!/usr/bin/env bash
# Goal: the default codec keeps to a third of the data rate, and to no larger
# files.
# Method: real cloths, compiled each way; what the report says of their bytes.
# One thread.
set -u
name=test_rate
. tests/cli/lib.sh
assets=${SPINDLE_ASSETS:-../shared/assets}

skip() {
    echo "  skipped: $1"
    skipped=$((skipped + 1))
    finish
    exit
}
[ -f "$assets/large/sail_irr.abc" ] || skip "no large archives"
# There it takes minutes, and the bytes are the same: test_same_bytes and
# test-everywhere hold that.
[ -z "${EXEC:-}" ] || skip "bytes are measured on this machine"
case ${SANITIZE:-} in *sanitize*) skip "bytes are measured without sanitizers" ;; esac
check "a reader for JSON" make_json_reader

# bytes_of ARCHIVE FIELD OPTION...: whole bytes of the report's field.
bytes_of() {
    spindle compile --json "$assets/$1" -o "$folder/o.sgc" "${@:3}" >"$folder/stdout" 2>"$folder/stderr" &&
        json_has "$2" && sed 's/\..*//' "$folder/value"
}
# at_most PERMILLE BYTES OF: all of them there.
at_most() { [ -n "$2" ] && [ -n "$3" ] && [ $(($2 * 1000)) -le $(($1 * $3)) ]; }

for cloth in sail_irr:42000 sail-60:62000; do
    archive=large/${cloth%:*}.abc
    check "bytes a frame of $archive" at_most 1000 "$(bytes_of "$archive" frame_bytes_mean)" "${cloth#*:}"
    bytes=$(json_has mesh_table.0.bytes && cat "$folder/value")
    check "vertex channels of $archive are half of those by lz4hc" \
        at_most 500 "$bytes" "$(bytes_of "$archive" mesh_table.0.bytes --codec lz4hc)"
done

# Tangents by geometry are what --fast-decode leaves out: of a short clip the
# rings, which are stored once, would take more than they save in its frames.
small="--unit-scale 0.01 --precision 0.1"
check "tangents by geometry make no file larger" \
    at_most 1005 "$(bytes_of synthetic/character.abc output_bytes $small)" \
    "$(bytes_of synthetic/character.abc output_bytes $small --fast-decode)"
finish
