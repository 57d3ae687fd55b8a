#!/usr/bin/env bash
# Goal: file names may have letters of any language: arguments, and folders and files
# that verbs create, read, pack, replace and refuse.
# Method: run the verbs in folders with such names; check the results with other
# programs.
# Threads as in test_compile.sh.
name=test_letters
. tests/cli/lib.sh

data=${SPINDLE_TEST_DATA:-tests/data}
inside="$folder/Größe Ωμέγα/日本語"
mkdir -p "$inside"
archive="$inside/Förderband 🎬.abc"
cp "$data/colors.abc" "$archive"

exits 0 "compile to a Cyrillic file name" spindle compile --quiet "$archive" -o "$inside/кэш.sgc"
check "the output has its Cyrillic name" [ -s "$inside/кэш.sgc" ]
spindle compile --quiet "$data/colors.abc" -o "$folder/plain.sgc" 2>/dev/null
check "the output has the same bytes as under a Latin name" cmp -s "$inside/кэш.sgc" "$folder/plain.sgc"
echo old >"$inside/alt.sgc"
exits 0 "compile over an existing file" spindle compile --quiet "$archive" -o "$inside/alt.sgc"
check "the new output replaces the existing file" cmp -s "$inside/alt.sgc" "$folder/plain.sgc"
exits 0 "verify" spindle verify "$inside/кэш.sgc" --against "$archive"
exits 0 "play --virtual" spindle play "$inside/кэш.sgc" --virtual --seconds 1
exits 0 "play in real time" spindle play "$inside/кэш.sgc" --seconds 0.2
exits 0 "info" spindle info "$inside/кэш.sgc"
check "info prints the Cyrillic name unchanged" says "кэш.sgc"
exits 3 "info of a missing file fails" spindle info "$inside/ничего.sgc"
check "the message prints the name of the missing file unchanged" says "日本語/ничего.sgc: cannot open"
exits 0 "render to a German file name" spindle render "$inside/кэш.sgc" --frames 0 -o "$inside/Bögen.png"
check "the picture has its German name" [ -s "$inside/Bögen.png" ]

exits 0 "pack a folder with a Greek name" spindle pack "$folder/Größe Ωμέγα" -o "$folder/ñ.spk"
exits 0 "info --tree of the pak" spindle info --tree "$folder/ñ.spk"
check "info --tree prints the names of entries unchanged" says "日本語/Förderband 🎬.abc"
exits 0 "unpack to a folder with a French name" spindle unpack "$folder/ñ.spk" -o "$folder/wieder da é"
check "unpack restores all files and names" diff -r "$folder/Größe Ωμέγα" "$folder/wieder da é"
exits 0 "unpack one entry by its Japanese name" spindle unpack "$folder/ñ.spk" "日本語/alt.sgc" -o "$folder/eines"
check "the unpacked entry has the packed bytes" cmp -s "$folder/eines/日本語/alt.sgc" "$folder/plain.sgc"

# The folders contain only the wanted outputs.
check "no temporary files are left" [ -z "$(find "$folder" -name '.spindle*')" ]
finish
