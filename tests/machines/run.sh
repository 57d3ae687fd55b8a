#!/usr/bin/env bash
# run.sh PROGRAM... SCRIPT.sh... - run the tests of $MACHINE by $EXEC, and write a line
# for the table to $FOLDER/$MACHINE.row.
#
# An emulator is 10 to 30 times slower than the machine, so the time limit of a test
# (TEST_SECONDS) is longer here. Two kinds of claims are skipped and listed by name:
# claims that took at least MACHINE_SECONDS (10) when costs.txt was measured, and claims
# about the machine that runs the emulator (not_here.txt, with reasons). The simulator
# runs TEST_SEEDS (10) seeds.
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

# Byte order (big or little) and the bytes of a pointer.
kind=$(printf '%s\n' '#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__' big '#else' little '#endif' __SIZEOF_POINTER__ |
    $CC -E -P -x c - | tr '\n' ' ')
set -- $(tail -n 1 "$FOLDER/$MACHINE.log" | tr -dc '0-9 ')
echo "$MACHINE ${kind% * } $((8 * ${kind#* })) $1 $2 $3 $((SECONDS - began))" >"$FOLDER/$MACHINE.row"
exit "$code"
