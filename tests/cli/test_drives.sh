#!/usr/bin/env bash
# Goal: `spindle drives` lists drives, draws their curves and reads profiles.
# Method: run it and check its output.
# One thread.
set -u
name=test_drives
. tests/cli/lib.sh
make_json_reader

exits 0 "drives lists the built-in drives" spindle drives
for drive in wii_dvd6x gc_dvd3x gc_dvd3x_audio x360_dvd12x ps3_bd2x ps4_bd6x ps2_dvd4x ps2_dvd4x_dual ps2_cd24x ps1_cd2x pce_cd1x hdd_5400; do
    check "drives lists $drive" says "^$drive "
done
exits 0 "drives DRIVE prints the curve of a drive" spindle drives x360_dvd12x
check "the curve reaches the end of the disc" says "^ *7144 "
check "the curve has the seek time of a full stroke" says " 180.0 "
exits 0 "drives --json" spindle drives wii_dvd6x --json
check "drives --json names the verb" json_has verb '"drives"'
check "drives --json without --profile has no profile" sh -c "! grep -q '\"profile\"' '$folder/stdout'"
exits 0 "drives --json --profile" spindle drives wii_dvd6x x360_dvd12x --json --profile
cp "$folder/stdout" "$folder/profile.json"
check "drives --json --profile has a curve" json_has drives.1.curve.0
spindle drives x360_dvd12x --profile >"$folder/text"
while read -r key is text; do
    cp "$folder/profile.json" "$folder/stdout"
    json_has drives.1.profile."$key"
    check "drives --json --profile has the same $key as the text" test "${text%% #*}" = "$(tr -d '"[]' <"$folder/value" | if [ "$key" = about ]; then cat; else tr , ' '; fi)"
done <"$folder/text"
check "drives --json --profile has all keys of the text" test "$(wc -l <"$folder/text")" = "$(tr -d '\n\t' <"$folder/profile.json" | sed 's/.*"profile"://; s/}.*//' | grep -o '":' | wc -l)"


# Every constant of a profile has a mark and a source.
for drive in $(spindle drives | sed '1d; s/ .*//'); do
    spindle drives $drive --profile >"$folder/stdout"
    check "the profile of $drive has all constants" test "$(grep -cv '^name = \|^about = ' "$folder/stdout")" = 24
    check "every constant of $drive has a mark and a source" sh -c "! grep -v '^name = \|^about = ' '$folder/stdout' | grep -qv ' # \[[FA]\] [A-Za-z0-9]..'"
    check "the profile of $drive can be read back" spindle drives "$folder/stdout" --profile >/dev/null
done
exits 0 "drives --json --profile of two drives" spindle drives x360_dvd12x hdd_5400 --json --profile
check "an assumed constant has the mark A in JSON" json_has drives.0.sources.interface_rate.mark '"A"'
check "a documented constant has the mark F in JSON" json_has drives.1.sources.turns_mhz.mark '"F"'
check "a documented constant has its source in JSON" sh -c "grep -q Hitachi '$folder/stdout'"
printf 'name = x360_dvd12x\nlike = x360_dvd12x\nrate_out = 99000000\n' >"$folder/fast.txt"
exits 0 "drives --profile of a profile derived from another" spindle drives "$folder/fast.txt" --profile
check "a changed constant of a derived profile has no source" says '^rate_out = 99000000$'
check "an unchanged constant of a derived profile keeps its source" says '^rate_in = .* # \[F\] '

exits 0 "drives --profile of a built-in drive" spindle drives ps4_bd6x --profile
cp "$folder/stdout" "$folder/mine.txt"
exits 0 "drives --profile of the printed profile" spindle drives "$folder/mine.txt" --profile
check "a profile that was read back prints the same text" cmp -s "$folder/stdout" "$folder/mine.txt"
exits 2 "--profile without a drive is a usage error" spindle drives --profile
printf 'name = fast\nlike = x360_dvd12x\nrate_out = 99000000\n' >"$folder/fast.txt"
exits 0 "drives of a profile derived from another" spindle drives "$folder/fast.txt"
check "the changed constant of a derived profile is listed" says "^fast .* 99.00 "
printf 'name = fast\nlike = x360_dvd12x\nrate_uot = 99000000\n' >"$folder/fast.txt"
exits 1 "a profile with an unknown key is refused" spindle drives "$folder/fast.txt"
check "the message about an unknown key has line, column and the nearest key" says "fast.txt: line 3, column 1: rate_uot: unknown key; did you mean \"rate_out\""
check "the message about an unknown key is one line" one_line

exits 0 "drives -o of two drives" spindle drives wii_dvd6x hdd_5400 -o "$folder/two.svg"
check "drives -o writes an SVG" grep -q '^<svg xmlns="http://www.w3.org/2000/svg"' "$folder/two.svg"
check "the SVG is complete" test "$(tail -n 1 "$folder/two.svg")" = "</svg>"
check "the SVG has two curves in each of two panels" test "$(grep -c '<title>' "$folder/two.svg")" = 4
check "the SVG refers to no other file" sh -c "! grep -Eq '<script|<image|href|url\(' '$folder/two.svg'"
exits 0 "drives -o without drives draws all drives" spindle drives -o "$folder/all.svg"
check "the SVG of all drives has twelve curves in each panel" test "$(grep -c '<title>' "$folder/all.svg")" = 24
check "the SVG of all drives has a line style for each drive" test "$(grep '<title>' "$folder/all.svg" | grep -o 'stroke="#[^ ]* stroke-dasharray="[^"]*"' | sort -u | wc -l)" = 12
printf 'name = a"<b>&\nlike = gc_dvd3x\n' >"$folder/odd.txt"
exits 0 "drives -o of a drive whose name contains markup" spindle drives "$folder/odd.txt" -o "$folder/odd.svg"
check "markup in a drive's name is replaced in the SVG" grep -q '>a??b??</text>' "$folder/odd.svg"
exits 3 "drives -o into a missing folder fails" spindle drives -o "$folder/none/all.svg"
exits 1 "drives -o onto its input profile is refused" spindle drives "$folder/odd.txt" -o "$folder/odd.txt"
check "drives -o onto its input profile keeps the profile" grep -q gc_dvd3x "$folder/odd.txt"

exits 1 "an unknown drive is refused" spindle drives wii_dvd6y
check "the message about an unknown drive names the nearest drive" says 'did you mean "wii_dvd6x"'
check "the message about an unknown drive lists all drives" says 'ps1_cd2x'
exits 1 "an unknown drive unlike all others is refused" spindle drives floppy
check "the message about an unknown drive unlike all others lists all drives" says 'spindle: floppy: no such drive, and no such file; there are .*x360_dvd12x, .*hdd_5400'
exits 3 "a profile that does not exist fails" spindle drives "$folder/none"
exits 2 "an unknown option is a usage error" spindle drives --jsn
exits 0 "drives --help" spindle drives --help
check "drives --help begins with examples" says "^  spindle drives"
finish
