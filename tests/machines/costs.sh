#!/usr/bin/env bash
# costs.sh PROGRAM... - the seconds that each claim of the unit tests takes of a
# processor, run by $EXEC: those of 1 s or more, the dearest first, to
# tests/machines/costs.txt. A claim is ended after COSTS_SECONDS (12, more than
# run.sh allows), and is in the list with these. What fails otherwise is told. Of programs that are not
# named the list keeps what it has.
set -eu
out=tests/machines/costs.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export COSTS_SECONDS=${COSTS_SECONDS:-12} TEST_SEEDS=${TEST_SEEDS:-10} folder
for program in "$@"; do
    TEST_LIST=1 ${EXEC:-} "$program" | sed "s|^|$program |"
done | xargs -P "${TEST_JOBS:-$(nproc)}" -L 1 bash -c '
    ulimit -t "$COSTS_SECONDS"
    TIMEFORMAT="%U $1"
    { time ${EXEC:-} "$0" "${1#*:}" >"$folder/said $1" 2>&1; } 2>"$folder/time $1"
    code=$?
    # Killed by the limit, which counts what the system does for it, too.
    [ $code != 137 ] || { echo "$COSTS_SECONDS $1" >"$folder/time $1"; exit 0; }
    [ $code = 0 ] || [ $code = 77 ] || { echo "$1: exit $code"; tail -n 5 "$folder/said $1"; }' || true
kept() { [ ! -f "$out" ] || grep '^[0-9]' "$out" | grep -vF "$(printf ' %s.c:\n' "${@##*/}")" || true; }
kept "$@" >"$folder/kept"
{
    echo "# Seconds of the processor that a claim takes under $EXEC, from 1 s"
    echo "# on, and when it was measured at most COSTS_SECONDS: make machine-costs."
    echo "# run.sh says what for."
    { grep -hE '^[0-9.]+ test_' "$folder"/time* | awk '$1 >= 1' || true; } | sort -k1,1rn -k2,2 - "$folder/kept"
} >"$out"
wc -l "$out"
