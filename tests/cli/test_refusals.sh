#!/usr/bin/env bash
# Goal: the lists of refusals and warnings in offline/abc/SUPPORT.md are true.
# Method: compile every Ogawa archive that is available. An archive that compiles must
# verify. A refusal must be in the list or name an offset in the file. Every warning
# must be in the list. Every message names a path and a value, and has a limited length.
# (test_made_refusals and test_made_warnings show that every entry can occur; test_docs
# compares the lists with the compiler.)
set -u
name=test_refusals
. tests/cli/lib.sh
data=tests/data
assets=${SPINDLE_ASSETS:-../shared/assets}

# Print the reasons of a generated list.
rows() { sed -n "/^<!-- BEGIN $1 -->/,/^<!-- END/s/^- \*\*\(.*\)\*\*:.*/\1/p" offline/abc/SUPPORT.md; }
rows refusals >"$folder/refused"
rows warnings >"$folder/warned"
check "SUPPORT.md has both lists" test "$(wc -l <"$folder/refused")" -ge 4 -a "$(wc -l <"$folder/warned")" -ge 10
refused=0 verified=0 warned=0 empty=0

# Whether the message, after file and place, is a reason of the list up to the colon.
is_reason() { grep -q -F -f "$1" "$folder/message"; }

# Whether the message names the object, the sample and the numbers.
is_complete() {
    case $1 in
    *': topology changes over time: '*) grep -Eq ': /.*: .*sample [0-9]+ \([-+.e0-9]+ s\).*sample [0-9]+' ;;
    *': not a finite number: '*) grep -Eq ': /.*: .* (sample|frame) .*(nan|inf|e\+[0-9]+)' ;;
    *': there are no meshes: '*) grep -Eq ': (the archive has none|[0-9]+ (never visible|empty))' ;;
    *': curves are'* | *': points are'* | *': cameras are'* | *': lights are'* | *': NURBS'* | *': meshes that are never'* | *': transforms with nothing'*) grep -Eq ': /.* are dropped \([0-9]+\)(: also /.*)?$' ;;
    *': subdivision'*) grep -Eq ': /.* cages \([0-9]+\)(: also /.*)?$' ;;
    *'offset 0x'*) grep -Eq 'offset 0x[0-9a-f]+: .*[0-9]' ;;
    *) grep -Eq ': /.*: .* \([0-9]+\): .' ;;
    esac <<<"$1" && [ ${#1} -lt 1600 ]
}

visit() {
    head -c 5 "$1" | grep -q Ogawa || return
    spindle compile "$1" -o "$folder/o.sgc" --codec store --no-b-frames >/dev/null 2>"$folder/stderr" </dev/null
    code=$?
    # Compile a scene without meshes again with --allow-empty, to check its transforms.
    if [ "$code" = 1 ] && grep -q ': there are no meshes: ' "$folder/stderr" && is_complete "$(head -n 1 "$folder/stderr")"; then
        empty=$((empty + 1))
        spindle compile "$1" -o "$folder/o.sgc" --codec store --no-b-frames --allow-empty >/dev/null 2>"$folder/stderr" </dev/null
        code=$?
    fi
    grep '^spindle: warning: ' "$folder/stderr" | while read -r line; do
        echo "$line" >"$folder/message"
        is_reason "$folder/warned" && is_complete "$line" || echo "$line"
    done >"$folder/unknown"
    warned=$((warned + $(grep -c '^spindle: warning: ' "$folder/stderr")))
    check "$1: every warning is in the list, and names object and number" test ! -s "$folder/unknown"
    if [ "$code" = 0 ]; then
        # verify has one thread.
        is_tsan || exits 0 "$1 verifies" spindle verify "$folder/o.sgc" --against "$1"
        verified=$((verified + 1))
        return
    fi
    grep -v '^spindle: warning: \|^hint: ' "$folder/stderr" >"$folder/message"
    check "$1: refused with exit code 1" test "$code" = 1
    check "$1: the refusal is in the list or has an offset in the file" eval 'grep -q "offset 0x" "$folder/message" || is_reason "$folder/refused"'
    check "$1: the refusal names object and number" is_complete "$(cat "$folder/message")"
    refused=$((refused + 1))
}

# says_all ARCHIVE MESSAGE: compile prints exactly the message, also with --strict.
says_all() {
    spindle compile "$data/$1" -o "$folder/o.sgc" --codec store >/dev/null 2>"$folder/stderr" </dev/null
    check "$1: $2" grep -q -x -F "spindle: ${3:-}$data/$1: $2" "$folder/stderr"
    exits 1 "$1 is refused with --strict" spindle compile "$data/$1" -o "$folder/o.sgc" --codec store --strict
    check "$1: the refusal by --strict is one line" one_line
}
says_all topology.abc '/grp/splash: topology changes over time: sample 1 (0.0833333333 s) has 54 faces, 198 corners and 47 points, sample 0 has 48, 176 and 42'
warns() { says_all "$1" "$2" 'warning: '; }
warns colors.abc '/grp/two_sets_and_other_params: geometry parameters are dropped (3): pair, strings, uvSet2'
warns colors.abc '/grp/two_sets_and_other_params: further colour sets are dropped (1): colorSetB'
warns visibility.abc '/hidden_grp/meshB: meshes that are never visible are dropped (1)'
warns subd.abc '/grp/subdShape: subdivision surfaces become their control cages (2): also /grp/subdStatic'

for archive in $data/*.abc; do visit "$archive"; done
if [ -d "$assets" ]; then
    for archive in "$assets"/edge/*.abc "$assets"/real/*.abc "$assets"/synthetic/*.abc; do visit "$archive"; done
    check "at least 40 archives compile" test "$verified" -ge 40
    # The reference library reads these archives, although their counts contradict each
    # other.
    for one in cube2__b423c5 polyMesh1__f5eaa5; do
        exits 1 "$one is refused as damaged" spindle compile "$assets/real/alembic__$one.abc" -o "$folder/o.sgc"
        check "$one: the message has an offset and two counts that differ" says 'offset 0x[0-9a-f]*: /.*: sample 0.*: .* has [0-9]'
    done
else
    skipped=$((skipped + 1))
    echo "  skipped: no assets"
fi
echo "  $verified archives verified, $empty of them without meshes, $refused refused, $warned warnings"
finish
