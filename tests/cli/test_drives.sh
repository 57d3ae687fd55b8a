#!/usr/bin/env bash
# What `spindle drives` lists, draws and reads.
# One thread.
set -u
name=test_drives
. tests/cli/lib.sh
make_json_reader

exits 0 "drives lists the built-in drives" spindle drives
for drive in wii_dvd6x gc_dvd3x gc_dvd3x_audio x360_dvd12x ps3_bd2x ps4_bd6x ps2_dvd4x ps2_dvd4x_dual ps2_cd24x ps1_cd2x pce_cd1x hdd_5400; do
    check "$drive is among them" says "^$drive "
done
exits 0 "one drive's curve" spindle drives x360_dvd12x
check "reaches over the disc" says "^ *7144 "
check "with the full stroke's seek" says " 180.0 "
exits 0 "as JSON" spindle drives wii_dvd6x --json
check "with its verb" json_has verb '"drives"'
check "without the profile" sh -c "! grep -q '\"profile\"' '$folder/stdout'"
exits 0 "as JSON with its profile" spindle drives wii_dvd6x x360_dvd12x --json --profile
cp "$folder/stdout" "$folder/profile.json"
check "has a curve, too" json_has drives.1.curve.0
spindle drives x360_dvd12x --profile >"$folder/text"
while read -r key is text; do
    cp "$folder/profile.json" "$folder/stdout"
    json_has drives.1.profile."$key"
    check "says $key as the text does" test "${text%% #*}" = "$(tr -d '"[]' <"$folder/value" | if [ "$key" = about ]; then cat; else tr , ' '; fi)"
done <"$folder/text"
check "says all of them" test "$(wc -l <"$folder/text")" = "$(tr -d '\n\t' <"$folder/profile.json" | sed 's/.*"profile"://; s/}.*//' | grep -o '":' | wc -l)"


# A constant without a mark and a source is none.
for drive in $(spindle drives | sed '1d; s/ .*//'); do
    spindle drives $drive --profile >"$folder/stdout"
    check "$drive has all constants" test "$(grep -cv '^name = \|^about = ' "$folder/stdout")" = 24
    check "each of which has its mark and source" sh -c "! grep -v '^name = \|^about = ' '$folder/stdout' | grep -qv ' # \[[FA]\] [A-Za-z0-9]..'"
    check "and each is read back" spindle drives "$folder/stdout" --profile >/dev/null
done
exits 0 "as JSON" spindle drives x360_dvd12x hdd_5400 --json --profile
check "what is assumed is marked" json_has drives.0.sources.interface_rate.mark '"A"'
check "so is a fact" json_has drives.1.sources.turns_mhz.mark '"F"'
check "with its source" sh -c "grep -q Hitachi '$folder/stdout'"
printf 'name = x360_dvd12x\nlike = x360_dvd12x\nrate_out = 99000000\n' >"$folder/fast.txt"
exits 0 "a drive under the name of another" spindle drives "$folder/fast.txt" --profile
check "has no source for what differs" says '^rate_out = 99000000$'
check "and the same for what does not" says '^rate_in = .* # \[F\] '

exits 0 "a profile as text" spindle drives ps4_bd6x --profile
cp "$folder/stdout" "$folder/mine.txt"
exits 0 "is read back" spindle drives "$folder/mine.txt" --profile
check "as it was" cmp -s "$folder/stdout" "$folder/mine.txt"
exits 2 "--profile of no drive" spindle drives --profile
printf 'name = fast\nlike = x360_dvd12x\nrate_out = 99000000\n' >"$folder/fast.txt"
exits 0 "a drive that is like another" spindle drives "$folder/fast.txt"
check "has what differs" says "^fast .* 99.00 "
printf 'name = fast\nlike = x360_dvd12x\nrate_uot = 99000000\n' >"$folder/fast.txt"
exits 1 "a drive with an unknown key" spindle drives "$folder/fast.txt"
check "says where" says "fast.txt: line 3, column 1: rate_uot: unknown key; did you mean \"rate_out\""
check "in a line" one_line

exits 0 "drives draws" spindle drives wii_dvd6x hdd_5400 -o "$folder/two.svg"
check "an SVG" grep -q '^<svg xmlns="http://www.w3.org/2000/svg"' "$folder/two.svg"
check "that is whole" test "$(tail -n 1 "$folder/two.svg")" = "</svg>"
check "with two curves in each of two panels" test "$(grep -c '<title>' "$folder/two.svg")" = 4
check "that needs nothing from outside" sh -c "! grep -Eq '<script|<image|href|url\(' '$folder/two.svg'"
exits 0 "and all, when none is named" spindle drives -o "$folder/all.svg"
check "twelve" test "$(grep -c '<title>' "$folder/all.svg")" = 24
check "each with a line of its own" test "$(grep '<title>' "$folder/all.svg" | grep -o 'stroke="#[^ ]* stroke-dasharray="[^"]*"' | sort -u | wc -l)" = 12
printf 'name = a"<b>&\nlike = gc_dvd3x\n' >"$folder/odd.txt"
exits 0 "a name that would end the text" spindle drives "$folder/odd.txt" -o "$folder/odd.svg"
check "does not" grep -q '>a??b??</text>' "$folder/odd.svg"
exits 3 "an SVG where nothing can be written" spindle drives -o "$folder/none/all.svg"
exits 1 "the SVG is the profile" spindle drives "$folder/odd.txt" -o "$folder/odd.txt"
check "which stays as it is" grep -q gc_dvd3x "$folder/odd.txt"

exits 1 "a drive that is not there" spindle drives wii_dvd6y
check "is told the nearest one" says 'did you mean "wii_dvd6x"'
check "and all" says 'ps1_cd2x'
exits 1 "a drive that is near to none" spindle drives floppy
check "is told all" says 'spindle: floppy: no such drive, and no such file; there are .*x360_dvd12x, .*hdd_5400'
exits 3 "a file that is not there" spindle drives "$folder/none"
exits 2 "an unknown option" spindle drives --jsn
exits 0 "drives --help" spindle drives --help
check "begins with examples" says "^  spindle drives"
finish
