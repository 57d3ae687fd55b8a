#!/usr/bin/env bash
# costs.sh PROGRAM... - measure the processor time of each claim of the unit tests, run by $EXEC,
# and write claims of 1 s or more to tests/machines/costs.txt, the most expensive first. A claim is
# killed after COSTS_SECONDS (12, more than run.sh allows) and listed with that time. Other failures
# are printed. Claims of programs that are not arguments keep their lines.
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
    { time ${EXEC:-} "$0" "${1#*:}" >"$folder/output $1" 2>&1; } 2>"$folder/time $1"
    code=$?
    # Killed by the time limit. The limit includes system time, so user time may be
    # shorter.
    [ $code != 137 ] || { echo "$COSTS_SECONDS $1" >"$folder/time $1"; exit 0; }
    [ $code = 0 ] || [ $code = 77 ] || { echo "$1: exit $code"; tail -n 5 "$folder/output $1"; }' || true
kept() { [ ! -f "$out" ] || grep '^[0-9]' "$out" | grep -vF "$(printf ' %s.c:\n' "${@##*/}")" || true; }
kept "$@" >"$folder/kept"
{
    echo "# Seconds of processor time of a claim under $EXEC: claims of 1 s"
    echo "# and more, measured up to COSTS_SECONDS by make machine-costs."
    echo "# run.sh leaves claims out by this list."
    { grep -hE '^[0-9.]+ test_' "$folder"/time* | awk '$1 >= 1' || true; } | sort -k1,1rn -k2,2 - "$folder/kept"
} >"$out"
wc -l "$out"
