#!/usr/bin/env bash
# Goal: the runtime shows the same frames on every machine, in the same reads.
# Method: one program plays clips from an emulated drive and says every frame's
# hash; what it says here ($HOST_PLAY) and there ($PLAY, run by $EXEC) is
# compared line by line, but for how a system ends its lines. What was said there
# goes to the table of all machines: $FOLDER/$MACHINE.said.
name=test_play
. tests/cli/lib.sh

check "it plays here" sh -c '"$HOST_PLAY" >"$0/here"' "$folder"
check "it plays there" sh -c '$EXEC "$PLAY" >"$0/there-as-it-is"' "$folder"
tr -d '\r' <"$folder/there-as-it-is" >"$folder/there"
check "it says something" test -s "$folder/here"
check "it says as much" test "$(wc -l <"$folder/here")" = "$(wc -l <"$folder/there")"
while IFS= read -r here <&3 && IFS= read -r there <&4; do
    check "here: $here; there: $there" test "$here" = "$there"
done 3<"$folder/here" 4<"$folder/there"
mkdir -p "$FOLDER"
cp "$folder/there" "$FOLDER/$MACHINE.said"
finish
