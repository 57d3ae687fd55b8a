#!/usr/bin/env bash
# Goal: the runtime shows the same frames on every machine, and makes the same reads.
# Method: the same program plays clips from an emulated drive on this machine
# ($HOST_PLAY) and on the other ($PLAY, run by $EXEC), and prints every frame's hash.
# The outputs are compared line by line, except line endings. The other machine's output
# is kept for the table of all machines: $FOLDER/$MACHINE.said.
name=test_play
. tests/cli/lib.sh

check "the playing program runs on this machine" sh -c '"$HOST_PLAY" >"$0/here"' "$folder"
check "the playing program runs on the other machine" sh -c '$EXEC "$PLAY" >"$0/there-as-it-is"' "$folder"
tr -d '\r' <"$folder/there-as-it-is" >"$folder/there"
check "the playing program prints lines on this machine" test -s "$folder/here"
check "both machines print the same number of lines" test "$(wc -l <"$folder/here")" = "$(wc -l <"$folder/there")"
while IFS= read -r here <&3 && IFS= read -r there <&4; do
    check "this machine: $here; other machine: $there" test "$here" = "$there"
done 3<"$folder/here" 4<"$folder/there"
mkdir -p "$FOLDER"
cp "$folder/there" "$FOLDER/$MACHINE.said"
finish
