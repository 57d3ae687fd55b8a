#!/usr/bin/env bash
# Goal: the runtime shows the same frames on Windows, in the same reads.
# Method: one program plays clips from an emulated drive and says every frame's
# hash; what it says here ($HOST_PLAY) and there ($PLAY) is compared, but for how
# a system ends its lines.
name=test_same_play
. tests/cli/lib.sh

check "it plays here" sh -c '"$HOST_PLAY" >"$0/here"' "$folder"
check "it plays there" sh -c '$EXEC "$PLAY" >"$0/there-as-it-is"' "$folder"
tr -d '\r' <"$folder/there-as-it-is" >"$folder/there"
check "it says something" test -s "$folder/here"
check "the same" cmp "$folder/here" "$folder/there"
finish
