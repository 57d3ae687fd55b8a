#!/usr/bin/env bash
# test_features.sh WHOLE PROGRAM... - do runtimes without some parts play what the
# whole one plays? PROGRAM is play_features of a set of switches, in a folder of
# that name; what each said must be lines that WHOLE says, too, and the memory
# that it needs less.
set -u
whole=${1:?usage: test_features.sh WHOLE PROGRAM...}
shift
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

check() {
    claim=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "  FAILED: $claim"
        failed=$((failed + 1))
    fi
}
said() { ${EXEC:-} "$1" >"$folder/$2"; }
frames() { grep -c " frame " "$folder/$1"; }
memory() { sed -n 's/^memory //p' "$folder/$1"; }
says_nothing_else() { ! grep " frame " "$folder/$1" | grep -vxFf "$folder/whole"; }

check "the whole runtime plays" said "$whole" whole
check "it says every picture" test "$(frames whole)" = 600
for program; do
    name=$(basename "$(dirname "$program")")
    case $name in
    without_geometry | reads) pictures=0 ;;
    without_lifted_meshes | player) pictures=300 ;;
    *) pictures=600 ;;
    esac
    check "$name: plays" said "$program" "$name"
    check "$name: says $pictures pictures" test "$(frames "$name")" = "$pictures"
    check "$name: its frames are those of the whole" says_nothing_else "$name"
    check "$name: takes no more memory" test "$(memory "$name")" -le "$(memory whole)"
    case $name in
    *lifted_meshes | *geometry | *paks | *frame_buffers | *observers | reads | player)
        check "$name: takes less memory" test "$(memory "$name")" -lt "$(memory whole)"
        ;;
    esac
    echo "$name: $(memory "$name") of $(memory whole) bytes of memory"
done
echo "test_features.sh: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
