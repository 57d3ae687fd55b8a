#!/usr/bin/env bash
# everywhere.sh TARGET... - run make's targets test-machine-NAME and test-NAME one after
# the other, and print a table of their results. The last line has the sums. The output
# of a machine is in FOLDER (build/machines).
#
# Each target runs the same playing program on its machine and leaves the program's
# output in NAME.said: the hash of every frame, and every read. A machine fails when
# this output is missing or differs from that of this machine ($HOST_PLAY).
set -u
FOLDER=${FOLDER:-build/machines}
mkdir -p "$FOLDER"
rm -f "$FOLDER"/*
passed=0 failed=0 skipped=0
for target in "$@"; do
    machine=${target#test-} machine=${machine#machine-}
    echo "== $target"
    began=$SECONDS
    ${MAKE:-make} --no-print-directory "$target" 2>&1 | tee "$FOLDER/$machine.all"
    code=${PIPESTATUS[0]}
    line=$(sed -n 's/^\([^:]*: \)*\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\2 \3 \4/p' \
        "$FOLDER/$machine.all" | tail -n 1)
    # A target that fails without a summary counts as one failure.
    set -- ${line:-0 1 0}
    [ "$code" = 0 ] || [ "$2" != 0 ] || set -- "$1" 1 "$3"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    # A target without a .row file of its own gets one without byte order and word size.
    [ -f "$FOLDER/$machine.row" ] ||
        echo "$machine - - $1 $2 $3 $((SECONDS - began))" >"$FOLDER/$machine.row"
done
frames_of() {
    if [ -s "$FOLDER/$1.said" ]; then sha256sum <"$FOLDER/$1.said" | cut -c 1-16; else echo none; fi
}
"$HOST_PLAY" >"$FOLDER/(here).said" || failed=$((failed + 1))
here=$(frames_of "(here)")
row() { printf '%-10s %-6s %4s %7s %7s %8s  %-16s %8s\n' "$@"; }
row machine order bits passed failed skipped frames seconds
row "(here)" - - - - - "$here" -
for file in "$FOLDER"/*.row; do
    set -- $(cat "$file")
    frames=$(frames_of "$1")
    row "$1" "$2" "$3" "$4" "$5" "$6" "$frames" "$7"
    [ "$frames" != none ] && [ "$frames" = "$here" ] || {
        echo "  FAILED: $1: its frames differ from those of this machine"
        failed=$((failed + 1))
    }
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
