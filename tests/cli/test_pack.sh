#!/usr/bin/env bash
# Goal: `spindle pack` writes correct paks, and unpack, info and verify read them.
# Method: pack small folders with each option and read the paks again.
set -u
name=test_pack
. tests/cli/lib.sh
make_json_reader
data=tests/data

# ---- a folder and back ------------------------------------------------------
mkdir -p "$folder/in/a/b" "$folder/in/levels"
cp $data/tiny.abc "$folder/in/a/tiny.abc"
cp $data/tiny.abc "$folder/in/levels/same.abc"
cp $data/colors.abc "$folder/in/a/b/colors.abc"
head -c 200000 /dev/urandom >"$folder/in/noise"
: >"$folder/in/empty"
for codec in none lz4hc deflate zstd; do
    exits 0 "pack --codec $codec" spindle pack "$folder/in" -o "$folder/$codec.spk" --codec $codec
    check "$codec: pack shows no progress without a terminal" silent
    exits 0 "$codec: verify" spindle verify "$folder/$codec.spk"
    exits 0 "$codec: verify against the folder" spindle verify "$folder/$codec.spk" --against "$folder/in"
    exits 0 "$codec: unpack" spindle unpack "$folder/$codec.spk" -o "$folder/out-$codec"
    check "$codec: unpack restores all files" diff -r "$folder/in" "$folder/out-$codec"
    for jobs in 1 3; do
        exits 0 "$codec: pack --jobs $jobs --quiet" spindle pack "$folder/in" -o "$folder/o.spk" --codec $codec --jobs $jobs --quiet
        check "$codec: pack --quiet prints nothing" test ! -s "$folder/stdout"
        check "$codec: the same bytes with --jobs $jobs" cmp -s "$folder/$codec.spk" "$folder/o.spk"
    done
done
bytes_of() { wc -c <"$folder/$1.spk"; }
check "paks by zstd and lz4hc are smaller than uncompressed ones" test "$(bytes_of zstd)" -lt "$(bytes_of none)" -a "$(bytes_of lz4hc)" -lt "$(bytes_of none)"
level() { spindle pack "$folder/in" -o "$folder/level$1.spk" --codec zstd --level "$1" --quiet; }
for n in 1 9 22; do exits 0 "pack --codec zstd --level $n" level $n; done
check "--level 9 is the default of zstd" cmp -s "$folder/zstd.spk" "$folder/level9.spk"
check "a higher --level makes a smaller pak" test "$(bytes_of level22)" -lt "$(bytes_of level9)" -a "$(bytes_of level9)" -lt "$(bytes_of level1)"
exits 0 "verify of a pak of level 22" spindle verify "$folder/level22.spk" --against "$folder/in"
exits 0 "--level with zstd by --codec-for" spindle pack "$folder/in" -o "$folder/o.spk" --codec-for '*=zstd' --level 22 --quiet
check "--level with --codec-for writes the same bytes as with --codec" cmp -s "$folder/o.spk" "$folder/level22.spk"
for n in 0 23 x; do exits 2 "--level $n is a usage error" level $n; done
exits 2 "--level with lz4hc is a usage error" spindle pack "$folder/in" -o "$folder/o.spk" --codec lz4hc --level 9
check "the message about --level names --codec zstd" says '--level is of --codec zstd'
exits 0 "info of a pak" spindle info "$folder/zstd.spk"
check "info counts the files of a pak" says "files  *5"
exits 0 "info --tree of a pak" spindle info "$folder/zstd.spk" --tree
check "info --tree lists the files of a pak" says " zstd  *a/tiny.abc$"
check "info --tree lists every name of a content" says " zstd  *levels/same.abc$"
exits 0 "info --json of a pak" spindle info "$folder/zstd.spk" --json
check "info --json gives the kind pak" json_has kind '"pak"'
check "info --json counts different contents" json_has contents 4
exits 0 "pack --json" spindle pack "$folder/in" -o "$folder/o.spk" --json --list
check "pack --json has a schema" json_has schema 1
check "pack --json counts files" json_has files 5
exits 0 "verify --json of a pak" spindle verify "$folder/zstd.spk" --json --against "$folder/in"
check "verify --json of a good pak has passed" json_has has_passed true
check "verify --json counts the compared files" json_has compared 5

# ---- a pak in its own input folder --------------------------------------------
mkdir "$folder/own"
cp $data/tiny.abc $data/colors.abc "$folder/own"
exits 0 "pack a folder into a file in the same folder" spindle pack "$folder/own" -o "$folder/own/x.spk" --quiet
cp "$folder/own/x.spk" "$folder/first.spk"
exits 0 "pack the folder again over the first pak" spindle pack "$folder/own" -o "$folder/own/x.spk" --quiet --strict
check "pack leaves its own output out of the inputs" cmp -s "$folder/own/x.spk" "$folder/first.spk"
exits 0 "verify of a pak in its own folder" spindle verify "$folder/own/x.spk" --against "$folder/own"
exits 1 "pack onto its only input is refused" spindle pack "$folder/own/x.spk" -o "$folder/own/x.spk"
check "pack onto its only input keeps the file" cmp -s "$folder/own/x.spk" "$folder/first.spk"

# ---- unpack by name ---------------------------------------------------------
exits 0 "unpack a folder and a file by name" spindle unpack "$folder/lz4hc.spk" a/b empty -o "$folder/some"
check "unpack by name writes the named files" test -f "$folder/some/a/b/colors.abc" -a -f "$folder/some/empty"
check "unpack by name writes no other files" test ! -e "$folder/some/a/tiny.abc" -a ! -e "$folder/some/noise"
exits 1 "unpack of a name that is not in the pak is refused" spindle unpack "$folder/lz4hc.spk" a/c -o "$folder/none"
check "unpack names the missing entry" says "a/c: is not in the pak"
check "unpack of a missing entry creates nothing" test ! -e "$folder/none"

# ---- orders, copies, left out files -----------------------------------------
cat >"$folder/play.json" <<'END'
{"schema": 1, "kind": "trace", "scenes": [
  {"name": "one", "reads": [{"path": "noise"}, {"path": "a/b/colors.abc"}]},
  {"name": "two", "reads": [{"path": "levels/same.abc"}, {"path": "a/b/colors.abc"}]}]}
END
names() { sed -n 's/^ *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]* [a-z0-9]*  *//p' "$folder/stdout" | tr '\n' ' '; }
listed() { [ "$(names)" = "$1" ]; }
exits 0 "pack by the default order" spindle pack "$folder/in" -o "$folder/o.spk" --list --quiet
check "the default order is by name" listed "a/b/colors.abc a/tiny.abc levels/same.abc noise empty "
exits 0 "pack --order size" spindle pack "$folder/in" -o "$folder/o.spk" --order size --list --quiet
check "--order size sorts by size" listed "a/b/colors.abc a/tiny.abc levels/same.abc noise empty "
exits 0 "pack --order type" spindle pack "$folder/in" -o "$folder/o.spk" --order type --list --quiet
check "--order type sorts by type" listed "noise a/b/colors.abc a/tiny.abc levels/same.abc empty "
exits 0 "pack --order scene" spindle pack "$folder/in" -o "$folder/o.spk" --order scene --order "$folder/play.json" --list --quiet
check "--order scene places files of a scene together" listed "a/b/colors.abc noise a/tiny.abc levels/same.abc empty "
exits 0 "pack --order first-use" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --order first-use --list --quiet
check "--order first-use sorts by first use in the trace" listed "noise a/b/colors.abc a/tiny.abc levels/same.abc empty "
exits 0 "pack --order small-first" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --order small-first --list --quiet
check "--order small-first places small files first in each scene" listed "a/b/colors.abc noise a/tiny.abc levels/same.abc empty "
exits 0 "pack --order TRACE" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --json
check "--order TRACE reports the best order" grep -Eq '"order":[^"]*"(scene|first-use|small-first|name|type|size)"' "$folder/stdout"
check "--order TRACE measures on four drives" test "$(grep -o '"ready_ms"' "$folder/stdout" | wc -l)" = 4
exits 0 "pack --order TRACE --drive DRIVE" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --drive ps2_dvd4x
check "--order TRACE reports the times of all orders" says "ready after, s  *name  *type  *size  *scene  *first-use  *small-first"
check "--order TRACE --drive reports times of the given drive" says "^    ps2_dvd4x  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*$"
check "--order TRACE --drive reports no other drive" sh -c "! grep -q x360 '$folder/stdout'"
exits 2 "an unknown order is a usage error" spindle pack "$folder/in" -o "$folder/o.spk" --order sizes
check "the message about an unknown order lists the orders" says 'no such file, and no order: name, type, size, first-use, small-first or scene'
printf '{"kind":\n "trace" 1}' >"$folder/bad.json"
exits 1 "a trace that is not JSON is refused" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/bad.json"
check "the message about bad JSON has line and column" says 'bad.json: line 2, column 10: is not JSON'
exits 2 "two orders are a usage error" spindle pack "$folder/in" -o "$folder/o.spk" --order name --order size
exits 2 "--order first-use without a trace is a usage error" spindle pack "$folder/in" -o "$folder/o.spk" --order first-use
exits 2 "--order name with a trace is a usage error" spindle pack "$folder/in" -o "$folder/o.spk" --order name --order "$folder/play.json"
exits 2 "--drive without a trace is a usage error" spindle pack "$folder/in" -o "$folder/o.spk" --order name --drive ps2_dvd4x
exits 1 "pack --drive with an unknown drive is refused" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --drive ps2_dvd9x
exits 0 "pack --order scene --duplicate-budget" spindle pack "$folder/in" -o "$folder/hot.spk" --order scene --order "$folder/play.json" --duplicate-budget 15 --traced-only --list --quiet
check "copies are placed in each scene that uses the file" listed "a/b/colors.abc noise a/b/colors.abc levels/same.abc "
exits 0 "verify of a pak with copies" spindle verify "$folder/hot.spk" --against "$folder/in"
exits 0 "pack --without another pak" spindle pack "$folder/in" -o "$folder/rest.spk" --without "$folder/hot.spk" --list --quiet
check "--without leaves out the files of the other pak" listed "a/tiny.abc empty "
exits 0 "pack of two paks" spindle pack "$folder/hot.spk" "$folder/rest.spk" -o "$folder/o.spk" --codec zstd
check "a pak of two paks equals a pak of all files" cmp -s "$folder/o.spk" "$folder/zstd.spk"
sed -i 's/"noise"/"nose"/' "$folder/play.json"
exits 0 "pack by a trace that names a missing file" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json"
check "pack warns of a file that only the trace names" says "play.json: nose: is not among the inputs"
exits 1 "pack --strict by a trace that names a missing file is refused" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/play.json" --strict
check "the refusal of a missing file is one line" one_line
check "the refusal of a missing file leaves no pak" test ! -e "$folder/p.spk"
sed 's#"path": "[^"]*#&.old#g' "$folder/play.json" >"$folder/far.json"
exits 1 "pack --traced-only by a trace without any input is refused" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/far.json" --traced-only
check "pack --traced-only does not write an empty pak" test ! -e "$folder/p.spk"
check "the message about unknown names quotes the first input" says "far.json: none of its files is among the inputs, the first of which is \"a/b/colors.abc\"$"
sed 's#"path": "#&data/#g' "$folder/play.json" >"$folder/far.json"
exits 0 "pack by a trace recorded from a parent folder" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/far.json" --traced-only
rm "$folder/p.spk"
sed -i 's/"path": "nose"/"path": 7/' "$folder/play.json"
mkdir -p "$folder/one"; echo a >"$folder/one/x.wav"
echo '{"schema": 1, "kind": "trace", "scenes": [{"name": "s", "reads": [{"at_us": 0, "path": "/a/x.wav", "task": "sound"}, {"at_us": 1, "path": "/b/x.wav", "task": "sound"}]}]}' >"$folder/two.json"
exits 0 "pack by a trace with two paths of one input" spindle pack "$folder/one" -o "$folder/o.spk" --order "$folder/two.json"
check "pack warns of two paths of one input" says "two.json: /b/x.wav: means the same input as /a/x.wav"
exits 1 "a trace with a wrong type of value is refused" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/play.json"
check "the message about a wrong type has the place in the trace" says "play.json: scenes\[0\].reads\[0\].path: is not a text"

# ---- codecs by pattern ------------------------------------------------------
for jobs in 1 3; do
    exits 0 "pack --codec-for, --jobs $jobs" spindle pack "$folder/in" -o "$folder/for$jobs.spk" --codec lz4hc --codec-for "a/*.abc=zstd" --codec-for "*/same.abc=none" --codec-for "*.abc=deflate" --jobs $jobs --list
done
check "a pattern of --codec-for matches whole paths, / included" says " zstd  *a/b/colors.abc$"
check "the codec of a content follows its first name" says " zstd  *levels/same.abc$"
check "files without a matching pattern have the codec of --codec" says " none  *noise$"
check "--codec-for writes the same bytes with any --jobs" cmp -s "$folder/for1.spk" "$folder/for3.spk"
exits 0 "verify of a pak with several codecs" spindle verify "$folder/for1.spk" --against "$folder/in"
mkdir -p "$folder/cache"
exits 0 "compile of a cache to pack" spindle compile --quiet $data/tiny.abc -o "$folder/cache/tiny.sgc" --codec store
exits 0 "pack of a cache with --codec zstd" spindle pack "$folder/cache" -o "$folder/o.spk" --codec zstd --list
check "pack stores caches uncompressed" says " none  *tiny.sgc$"
exits 0 "pack of a cache with --codec-for" spindle pack "$folder/cache" -o "$folder/o.spk" --codec-for "t?ny.*=zstd" --list
check "pack compresses a cache that --codec-for names" says " zstd  *tiny.sgc$"
for rule in "zstd" "=zstd" "*.abc=" "*.abc=rar" "*.abc=store"; do
    exits 2 "--codec-for $rule is a usage error" spindle pack "$folder/in" -o "$folder/p.spk" --codec-for "$rule"
done

# ---- usage ------------------------------------------------------------------
exits 2 "pack without an output is a usage error" spindle pack "$folder/in"
exits 2 "unpack without a folder is a usage error" spindle unpack "$folder/zstd.spk"
exits 2 "an unknown codec is a usage error" spindle pack "$folder/in" -o "$folder/p.spk" --codec rar
exits 2 "pack with two orders is a usage error" spindle pack "$folder/in" -o "$folder/p.spk" --order name --order size
exits 2 "--duplicate-budget without a trace is a usage error" spindle pack "$folder/in" -o "$folder/p.spk" --duplicate-budget 3
exits 2 "--traced-only without a trace is a usage error" spindle pack "$folder/in" -o "$folder/p.spk" --traced-only
exits 2 "verify --up of a pak is a usage error" spindle verify "$folder/zstd.spk" --up y
exits 3 "--order with a path to a missing trace fails" spindle pack "$folder/in" -o "$folder/p.spk" --order ./fastest
exits 3 "pack of a missing input fails" spindle pack "$folder/none" -o "$folder/p.spk"
exits 1 "pack onto an input is refused" spindle pack "$folder/in" -o "$folder/in/noise"
check "the message says that the output is the input" says "the output is the input"
exits 1 "pack onto the pak of --without is refused" spindle pack "$folder/in" --without "$folder/hot.spk" -o "$folder/hot.spk"
check "refused packs leave no output" test ! -e "$folder/p.spk"

# ---- damage -----------------------------------------------------------------
bend() { { head -c "$2" "$folder/$1.spk"; printf '\377'; tail -c +$(($2 + 2)) "$folder/$1.spk"; } >"$folder/bent.spk"; }
head -c 3000 "$folder/zstd.spk" >"$folder/short.spk"
: >"$folder/void.spk"
bend zstd 9
mv "$folder/bent.spk" "$folder/version.spk"
bend zstd 140
for file in short version bent; do
    for verb in info verify "unpack -o $folder/none"; do
        exits 1 "$verb refuses a $file pak" spindle $verb "$folder/$file.spk"
        check "$verb of a $file pak prints one line" one_line
    done
done
exits 1 "verify of a pak with a damaged index fails" spindle verify "$folder/bent.spk"
check "verify names the place of the damaged index" says "offset 0x80: checksum of the index: found 0x"
bend zstd 3000
exits 0 "info of a pak with a damaged block" spindle info "$folder/bent.spk"
exits 1 "verify of a pak with a damaged block fails" spindle verify "$folder/bent.spk"
check "verify reports the checksum of the damaged block" says "checksum of a block"
exits 1 "unpack of a pak with a damaged block fails" spindle unpack "$folder/bent.spk" -o "$folder/none"
check "unpack of a damaged block leaves no partial file" test ! -e "$folder/none/a/b/colors.abc"
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "noise"}]},
    {"name": "two", "reads": [{"path": "a/b/colors.abc"}, {"path": "noise"}]}]}' >"$folder/twice.json"
exits 0 "pack of a pak with a copy" spindle pack "$folder/in" -o "$folder/twice.spk" --order "$folder/twice.json" --duplicate-budget 100 --list
check "the pak has two copies of the file" test "$(grep -c 'none    noise$' "$folder/stdout")" = 2
at=$(sed -n 's/^ *\([0-9]*\) .* none    noise$/\1/p' "$folder/stdout" | sort -n | head -n 1)
{ head -c "$at" "$folder/twice.spk"; head -c 16 /dev/zero; tail -c +$((at + 17)) "$folder/twice.spk"; } >"$folder/bent.spk"
exits 0 "unpack of a file whose first copy is damaged" spindle unpack "$folder/bent.spk" noise -o "$folder/twice"
check "unpack warns of the damaged copy" says "bent.spk: noise: is damaged in the first of its copies"
check "unpack takes the file from the good copy" cmp -s "$folder/in/noise" "$folder/twice/noise"
at=$(($(bytes_of zstd) - 1))
bend zstd $at
exits 1 "verify of a pak with changed padding fails" spindle verify "$folder/bent.spk"
check "verify reports the offset of changed padding" says "byte of no file: found 255, expected 0"
printf x >>"$folder/out-none/noise"
exits 1 "verify against a folder with a longer file fails" spindle verify "$folder/none.spk" --against "$folder/out-none"
check "verify names the file of a different size" says "out-none/noise: has 200001 bytes, 200000 in the pak"
cp "$folder/in/noise" "$folder/out-none/noise"
printf '\000\000' | dd of="$folder/out-none/noise" bs=1 seek=70000 conv=notrunc 2>/dev/null
exits 1 "verify --json against a folder with different bytes fails" spindle verify "$folder/none.spk" --against "$folder/out-none" --json
check "verify --json against different bytes has not passed" json_has has_passed false

# ---- paks of version 1 stay readable ----------------------------------------
exits 0 "verify of a pak of version 1" spindle verify $data/pak-v1.spk
exits 0 "unpack of a pak of version 1" spindle unpack $data/pak-v1.spk -o "$folder/v1"
sums() { for file in a.txt b/large.txt b/noise.bin empty same.txt; do cksum <"$folder/v1/$file"; done; }
check "unpack of a pak of version 1 restores the packed bytes" test "$(sums | tr '\n' ' ')" = "3981580649 3005 2901005610 94264 648439857 700 4294967295 0 3981580649 3005 "
finish
