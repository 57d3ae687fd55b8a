#!/usr/bin/env bash
# Goal: the table of all machines passes only when every machine prints the same frames
# as this machine.
# Method: run the script that prints the table with a fake make, which leaves the files
# of each case.
# One thread.
name=test_table
. tests/cli/lib.sh

cat >"$folder/make" <<'END'
case $2 in
test-machine-other) echo "frame 0 b" >"$FOLDER/other.said" ;;
test-machine-silent) : >"$FOLDER/silent.said" ;;
test-machine-*) ;;
test-*) echo "frame 0 a" >"$FOLDER/${2#test-}.said" ;;
esac
echo "1 passed, 0 failed, 0 skipped"
[ "$2" != test-code ]
END
printf '#!/bin/sh\necho frame 0 a\n' >"$folder/play"
chmod +x "$folder/play"
# table EXIT CLAIM TARGET...: run the script for the targets.
table() {
    exits "$1" "$2" env FOLDER="$folder/machines" HOST_PLAY="$folder/play" \
        MAKE="bash $folder/make" bash tests/machines/everywhere.sh "${@:3}"
}
table 0 "the table passes when two machines print the same frames" test-one test-two
check "the table sums the tests of both machines" says "^2 passed, 0 failed, 0 skipped"
table 1 "the table fails when one machine prints other frames" test-one test-machine-other test-two
check "the table names the machine that prints other frames" says "FAILED: other: its frames differ"
check "the table counts the machine with other frames as a failure" says "^3 passed, 1 failed, 0 skipped"
table 1 "the table fails when a machine prints nothing" test-one test-machine-silent
table 1 "the table fails when a machine never played" test-one test-machine-never
table 1 "the table fails when a machine's make fails" test-code
printf '#!/bin/sh\n' >"$folder/play"
table 1 "the table fails when this machine prints nothing" test-one
finish
