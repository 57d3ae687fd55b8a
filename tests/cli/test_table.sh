#!/usr/bin/env bash
# Goal: the table of all machines passes only where every machine says of the
# frames what this one says.
# Method: the script that draws it, with a make that leaves what each of the
# cases would. One thread.
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
# table EXIT CLAIM TARGET...
table() {
    exits "$1" "$2" env FOLDER="$folder/machines" HOST_PLAY="$folder/play" \
        MAKE="bash $folder/make" bash tests/machines/everywhere.sh "${@:3}"
}
table 0 "one hash" test-one test-two
check "both are counted" says "^2 passed, 0 failed, 0 skipped"
table 1 "a machine of other frames" test-one test-machine-other test-two
check "is named" says "FAILED: other does not show"
check "and counted" says "^3 passed, 1 failed, 0 skipped"
table 1 "a machine that says nothing" test-one test-machine-silent
table 1 "a machine that never played" test-one test-machine-never
table 1 "a machine that ends with a failure" test-code
printf '#!/bin/sh\n' >"$folder/play"
table 1 "nothing was said here" test-one
finish
