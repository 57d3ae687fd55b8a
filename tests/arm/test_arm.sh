#!/usr/bin/env bash
# test_arm.sh IMAGE PROGRAM DISC - does a bare Cortex-M show the same frames?
#
# Goal: what the runtime gives does not depend on the machine. Method: run the
# image under the emulator and the same playing program here, and compare what
# they say, line by line; the sums of each clip's frames are also those of
# spindle play, which is another player of the same runtime. What was said there
# goes to the table of all machines: $FOLDER/arm.said.
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
# A fault that comes back for ever must not hang the tests.
play_there() {
    timeout 300 "$ARM_QEMU" -M mps2-an385 -display none -monitor none -serial none \
        -chardev stdio,id=output -semihosting-config enable=on,target=native,chardev=output \
        -kernel "$image" </dev/null >"$folder/all"
}
play_here() { ${EXEC:-} "$program" >"$folder/here"; }
says_sum_of_tool() {
    sum=$(${EXEC:-} "$SPINDLE" play "$disc/$1.sgc" --virtual --json |
        sed -n 's/.*"frame_hash":[^"]*"\([0-9a-f]*\)".*/\1/p')
    [ -n "$sum" ] && grep -q "^$1.sgc frames [0-9]* $sum\$" "$folder/here"
}

check "the image plays to its end there" play_there
check "the program plays to its end here" play_here
grep '^stack ' "$folder/all"
grep -v '^stack ' "$folder/all" >"$folder/there"
mkdir -p "${FOLDER:=build/machines}"
cp "$folder/there" "$FOLDER/arm.said"
for clip in flag lifted flowing tiny; do
    check "$clip: the sum over its frames is that of spindle play" says_sum_of_tool "$clip"
done
# 120 frames, 120, 24, 16; and what is said at the end.
check "every frame was shown" test "$(grep -c ' frame ' "$folder/here")" = 280
check "as many lines there as here" test "$(wc -l <"$folder/there")" = "$(wc -l <"$folder/here")"
while IFS= read -r here <&3 && IFS= read -r there <&4; do
    check "there: $there; here: $here" test "$here" = "$there"
done 3<"$folder/here" 4<"$folder/there"
echo "test_arm.sh: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
