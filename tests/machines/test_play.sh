#!/usr/bin/env bash
# Goal: the runtime shows the same frames on every machine, in the same reads.
# Method: one program plays clips from an emulated drive and says every frame's
# hash; what it says here and there is compared, line by line.
name=test_play
. tests/cli/lib.sh

if [ -z "${PLAY:-}" ] || [ -z "${HOST_PLAY:-}" ]; then
    echo "  skipped: no playing program here"
    skipped=1
    finish
    exit
fi
check "it plays here" sh -c '"$HOST_PLAY" >"$0/here"' "$folder"
check "it plays there" sh -c '$EXEC "$PLAY" >"$0/there"' "$folder"
check "it says something" test -s "$folder/here"
check "it says as much" test "$(wc -l <"$folder/here")" = "$(wc -l <"$folder/there")"
while IFS= read -r here <&3 && IFS= read -r there <&4; do
    check "here: $here; there: $there" test "$here" = "$there"
done 3<"$folder/here" 4<"$folder/there"
finish
