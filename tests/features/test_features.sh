#!/usr/bin/env bash
# test_features.sh WHOLE PROGRAM... - do runtimes without some features play the same
# frames as the whole runtime? PROGRAM is play_features for a set of switches, in a
# folder named for the set. Every line that it prints must also be printed by WHOLE, and
# it must need less memory.
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

check "whole: plays" said "$whole" whole
check "whole: prints 600 frames" test "$(frames whole)" = 600
for program; do
    name=$(basename "$(dirname "$program")")
    case $name in
    without_geometry | reads) pictures=0 ;;
    without_lifted_meshes | player) pictures=300 ;;
    *) pictures=600 ;;
    esac
    check "$name: plays" said "$program" "$name"
    check "$name: prints $pictures frames" test "$(frames "$name")" = "$pictures"
    check "$name: prints only lines that the whole runtime prints" says_nothing_else "$name"
    check "$name: takes no more memory than the whole runtime" test "$(memory "$name")" -le "$(memory whole)"
    case $name in
    *lifted_meshes | *geometry | *paks | *frame_buffers | *fill_jobs | *observers | reads | player)
        check "$name: takes less memory than the whole runtime" test "$(memory "$name")" -lt "$(memory whole)"
        ;;
    esac
    echo "$name: $(memory "$name") of $(memory whole) bytes of memory"
done
echo "test_features.sh: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
