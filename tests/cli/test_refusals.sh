#!/usr/bin/env bash
# The README's lists of refusals and warnings are true for every Ogawa archive
# at hand: what compiles verifies, what is refused says a reason of the list
# or a place in the file, and every warning is one of the list. That each
# entry of the lists can happen, and that nothing else is in the tables, is
# told by test_made_scenes and test_refusals.
set -u
name=test_refusals
. tests/cli/lib.sh
data=tests/data
assets=${SPINDLE_ASSETS:-../shared/assets}

# The rows of a table: those of the lines between two, first column.
rows() { sed -n "/$1/,/$2/s/^| \([^|]*[^| ]\) |.*/\1/p" README.md | grep -v '^refused$\|^said as'; }
rows '^<!-- refusals -->' '^| said as' >"$folder/refused"
rows '^| said as' '^<!-- \/refusals -->' >"$folder/warned"
check "the README has both lists" test "$(wc -l <"$folder/refused")" -ge 4 -a "$(wc -l <"$folder/warned")" -ge 10
refused=0 verified=0 warned=0

# The message after the file and the place is the reason, to the colon.
is_reason() { grep -q -F -f "$1" "$folder/message"; }

visit() {
    head -c 5 "$1" | grep -q Ogawa || return
    spindle compile "$1" -o "$folder/o.sgc" --codec store --no-b-frames >/dev/null 2>"$folder/stderr" </dev/null
    code=$?
    grep '^spindle: warning: ' "$folder/stderr" | while read -r line; do
        echo "$line" >"$folder/message"
        is_reason "$folder/warned" || echo "$line"
    done >"$folder/unknown"
    warned=$((warned + $(grep -c '^spindle: warning: ' "$folder/stderr")))
    check "$1: warnings are in the list" test ! -s "$folder/unknown"
    if [ "$code" = 0 ]; then
        exits 0 "$1 verifies" spindle verify "$folder/o.sgc" --against "$1"
        verified=$((verified + 1))
        return
    fi
    grep -v '^spindle: warning: \|^hint: ' "$folder/stderr" >"$folder/message"
    check "$1: refused, not failed" test "$code" = 1
    check "$1: in the list, or at a place of the file" eval 'grep -q "offset 0x" "$folder/message" || is_reason "$folder/refused"'
    refused=$((refused + 1))
}

for archive in $data/*.abc; do visit "$archive"; done
if [ -d "$assets" ]; then
    for archive in "$assets"/edge/*.abc "$assets"/real/*.abc "$assets"/synthetic/*.abc; do visit "$archive"; done
    check "most archives compile" test "$verified" -ge 40
else
    skipped=$((skipped + 1))
    echo "  skipped: no assets"
fi
echo "  $verified archives verified, $refused refused, $warned warnings"
finish
