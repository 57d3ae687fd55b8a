#!/usr/bin/env bash
# Goal: the default codec needs at most a third of the data rate, and does not make
# files larger.
# Method: compile real cloths with each codec, and compare the bytes of the reports.
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
[ -f "$assets/large/sail_irr.abc" ] || skip "the large archives are missing"
# On an emulator this takes minutes. test_same_bytes and test-everywhere show that the
# bytes are the same there.
[ -z "${EXEC:-}" ] || skip "bytes are measured on this machine"
case ${SANITIZE:-} in *sanitize*) skip "bytes are measured without sanitizers" ;; esac
check "the JSON reader of the tests compiles" make_json_reader

# bytes_of ARCHIVE FIELD OPTION...: compile, and print the field of the report as a
# whole number.
bytes_of() {
    spindle compile --json "$assets/$1" -o "$folder/o.sgc" "${@:3}" >"$folder/stdout" 2>"$folder/stderr" &&
        json_has "$2" && sed 's/\..*//' "$folder/value"
}
# at_most PERMILLE BYTES OF: whether BYTES is at most PERMILLE/1000 of OF; fails when
# one is missing.
at_most() { [ -n "$2" ] && [ -n "$3" ] && [ $(($2 * 1000)) -le $(($1 * $3)) ]; }

for cloth in sail_irr:42000 sail-60:62000; do
    archive=large/${cloth%:*}.abc
    check "$archive: mean bytes of a frame are within the limit" at_most 1000 "$(bytes_of "$archive" frame_bytes_mean)" "${cloth#*:}"
    bytes=$(json_has mesh_table.0.bytes && cat "$folder/value")
    check "$archive: vertex channels take half the bytes of lz4hc" \
        at_most 500 "$bytes" "$(bytes_of "$archive" mesh_table.0.bytes --codec lz4hc)"
done

# --fast-decode disables tangents by geometry. In a short clip their one-rings, which
# are stored once, would take more bytes than they save in the frames.
small="--unit-scale 0.01 --precision 0.1"
check "tangents by geometry do not make the file larger" \
    at_most 1005 "$(bytes_of synthetic/character.abc output_bytes $small)" \
    "$(bytes_of synthetic/character.abc output_bytes $small --fast-decode)"
finish
