#!/usr/bin/env bash
# Goal: names may have the letters of any language: of the program's arguments,
# of folders and files that are made, found, packed, replaced and refused.
# Method: the verbs, in such folders; what is written is looked at from outside.
# Threads as in test_compile.sh.
name=test_letters
. tests/cli/lib.sh

data=${SPINDLE_TEST_DATA:-tests/data}
inside="$folder/Größe Ωμέγα/日本語"
mkdir -p "$inside"
archive="$inside/Förderband 🎬.abc"
cp "$data/colors.abc" "$archive"

exits 0 "compile" spindle compile --quiet "$archive" -o "$inside/кэш.sgc"
check "it is there by its name" [ -s "$inside/кэш.sgc" ]
spindle compile --quiet "$data/colors.abc" -o "$folder/plain.sgc" 2>/dev/null
check "the same bytes as by other names" cmp -s "$inside/кэш.sgc" "$folder/plain.sgc"
echo old >"$inside/alt.sgc"
exits 0 "an old file is replaced" spindle compile --quiet "$archive" -o "$inside/alt.sgc"
check "by the new one" cmp -s "$inside/alt.sgc" "$folder/plain.sgc"
exits 0 "verify" spindle verify "$inside/кэш.sgc" --against "$archive"
exits 0 "play" spindle play "$inside/кэш.sgc" --virtual --seconds 1
exits 0 "play by the clock" spindle play "$inside/кэш.sgc" --seconds 0.2
exits 0 "info" spindle info "$inside/кэш.sgc"
check "says the name as it is" says "кэш.sgc"
exits 3 "what is not there is refused" spindle info "$inside/ничего.sgc"
check "by its name" says "日本語/ничего.sgc: cannot open"
exits 0 "render" spindle render "$inside/кэш.sgc" --frames 0 -o "$inside/Bögen.png"
check "the picture is there" [ -s "$inside/Bögen.png" ]

exits 0 "pack a folder" spindle pack "$folder/Größe Ωμέγα" -o "$folder/ñ.spk"
exits 0 "info of the pak" spindle info --tree "$folder/ñ.spk"
check "has the names" says "日本語/Förderband 🎬.abc"
exits 0 "unpack" spindle unpack "$folder/ñ.spk" -o "$folder/wieder da é"
check "all is there, by the same names" diff -r "$folder/Größe Ωμέγα" "$folder/wieder da é"
exits 0 "unpack one" spindle unpack "$folder/ñ.spk" "日本語/alt.sgc" -o "$folder/eines"
check "the one" cmp -s "$folder/eines/日本語/alt.sgc" "$folder/plain.sgc"

# What is left in those folders is what was asked for.
check "no temporaries stay" [ -z "$(find "$folder" -name '.spindle*')" ]
finish
