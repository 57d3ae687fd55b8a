#!/usr/bin/env bash
# run.sh PROGRAM... SCRIPT.sh... - the tests of $MACHINE, run by $EXEC, and a
# line about it for the table: $FOLDER/$MACHINE.row.
#
# An emulator takes 10 to 30 times as long: so may a test, before it counts as
# one that hangs (TEST_SECONDS). The rule of what is left out: a
# claim that took MACHINE_SECONDS (10) or more when costs.txt was measured, and
# what is about the machine that the emulator runs on (not_here.txt, with
# reasons). Each one is counted as skipped, and named. The simulator has
# TEST_SEEDS (10).
set -u
FOLDER=${FOLDER:-build/machines}
mkdir -p "$FOLDER"
FOLDER=$(cd "$FOLDER" && pwd)
rm -f "$FOLDER/$MACHINE".row "$FOLDER/$MACHINE".said
TEST_LEAVE_OUT=" $({
    awk -v least="${MACHINE_SECONDS:-10}" '!/^#/ && $1 >= least { print $2 }' tests/machines/costs.txt
    awk '!/^#/ { print $1 }' tests/machines/not_here.txt
} | tr '\n' ' ')"
TEST_SECONDS=${TEST_SECONDS:-6000}
TEST_SEEDS=${TEST_SEEDS:-10}
export TEST_LEAVE_OUT TEST_SECONDS TEST_SEEDS FOLDER MACHINE
began=$SECONDS
bash tests/run.sh "$@" | tee "$FOLDER/$MACHINE.log"
code=${PIPESTATUS[0]}

# big or little, and the bytes of a pointer.
kind=$(printf '%s\n' '#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__' big '#else' little '#endif' __SIZEOF_POINTER__ |
    $CC -E -P -x c - | tr '\n' ' ')
set -- $(tail -n 1 "$FOLDER/$MACHINE.log" | tr -dc '0-9 ')
echo "$MACHINE ${kind% * } $((8 * ${kind#* })) $1 $2 $3 $((SECONDS - began))" >"$FOLDER/$MACHINE.row"
exit "$code"
