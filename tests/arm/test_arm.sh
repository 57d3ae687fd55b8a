#!/usr/bin/env bash
# test_arm.sh IMAGE PROGRAM DISC - does a bare Cortex-M show the same frames?
#
# Goal: the runtime's output does not depend on the machine.
# Method: run the image under the emulator and the same playing program on this machine,
# and compare their output line by line. The hash over each clip's frames must also be
# that of spindle play, a second player of the same runtime. The image's output is kept
# for the table of all machines: $FOLDER/arm.said.
set -u
image=${1:?usage: test_arm.sh IMAGE PROGRAM DISC}
program=$2
disc=$3
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
# The time limit ends an image whose fault handler loops for ever.
play_there() {
    timeout 300 "$ARM_QEMU" -M mps2-an385 -display none -monitor none -serial none \
        -chardev stdio,id=output -semihosting-config enable=on,target=native,chardev=output \
        -kernel "$image" </dev/null >"$folder/all"
}
play_here() { ${EXEC:-} "$program" >"$folder/here"; }
has_hash_of_tool() {
    sum=$(${EXEC:-} "$SPINDLE" play "$disc/$1.sgc" --virtual --json |
        sed -n 's/.*"frame_hash":[^"]*"\([0-9a-f]*\)".*/\1/p')
    [ -n "$sum" ] && grep -q "^$1.sgc frames [0-9]* $sum\$" "$folder/here"
}

check "the image plays to its end on the Cortex-M" play_there
check "the program plays to its end on this machine" play_here
grep '^stack ' "$folder/all"
grep -v '^stack ' "$folder/all" >"$folder/there"
mkdir -p "${FOLDER:=build/machines}"
cp "$folder/there" "$FOLDER/arm.said"
for clip in flag lifted flowing tiny; do
    check "$clip: the hash over its frames is that of spindle play" has_hash_of_tool "$clip"
done
# 280 lines: 120, 120, 24 and 16 frames; the summary lines follow.
check "every frame was shown" test "$(grep -c ' frame ' "$folder/here")" = 280
check "both machines print the same number of lines" test "$(wc -l <"$folder/there")" = "$(wc -l <"$folder/here")"
while IFS= read -r here <&3 && IFS= read -r there <&4; do
    check "Cortex-M: $there; this machine: $here" test "$here" = "$there"
done 3<"$folder/here" 4<"$folder/there"
echo "test_arm.sh: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
