#!/usr/bin/env bash
# What `spindle pack` writes, and what unpack, info and verify make of it.
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
    exits 0 "pack by $codec" spindle pack "$folder/in" -o "$folder/$codec.spk" --codec $codec
    check "$codec: no progress without a terminal" silent
    exits 0 "$codec: verify" spindle verify "$folder/$codec.spk"
    exits 0 "$codec: verify against the folder" spindle verify "$folder/$codec.spk" --against "$folder/in"
    exits 0 "$codec: unpack" spindle unpack "$folder/$codec.spk" -o "$folder/out-$codec"
    check "$codec: all is back" diff -r "$folder/in" "$folder/out-$codec"
    for jobs in 1 3; do
        exits 0 "$codec: --jobs $jobs" spindle pack "$folder/in" -o "$folder/o.spk" --codec $codec --jobs $jobs --quiet
        check "$codec: --quiet is silent" test ! -s "$folder/stdout"
        check "$codec: the same bytes with --jobs $jobs" cmp -s "$folder/$codec.spk" "$folder/o.spk"
    done
done
bytes_of() { wc -c <"$folder/$1.spk"; }
check "compressed paks are smaller" test "$(bytes_of zstd)" -lt "$(bytes_of none)" -a "$(bytes_of lz4hc)" -lt "$(bytes_of none)"
level() { spindle pack "$folder/in" -o "$folder/level$1.spk" --codec zstd --level "$1" --quiet; }
for n in 1 9 22; do exits 0 "--level $n" level $n; done
check "--level 9 is the default" cmp -s "$folder/zstd.spk" "$folder/level9.spk"
check "a higher one is smaller" test "$(bytes_of level22)" -lt "$(bytes_of level9)" -a "$(bytes_of level9)" -lt "$(bytes_of level1)"
exits 0 "verify what the highest made" spindle verify "$folder/level22.spk" --against "$folder/in"
exits 0 "--level of some files" spindle pack "$folder/in" -o "$folder/o.spk" --codec-for '*=zstd' --level 22 --quiet
check "the same bytes" cmp -s "$folder/o.spk" "$folder/level22.spk"
for n in 0 23 x; do exits 2 "--level $n" level $n; done
exits 2 "--level of another codec" spindle pack "$folder/in" -o "$folder/o.spk" --codec lz4hc --level 9
check "is told of which it is" says '--level is of --codec zstd'
exits 0 "info" spindle info "$folder/zstd.spk"
check "counts files" says "files  *5"
exits 0 "info --tree" spindle info "$folder/zstd.spk" --tree
check "lists them" says " zstd  *a/tiny.abc$"
check "by every name" says " zstd  *levels/same.abc$"
exits 0 "info --json" spindle info "$folder/zstd.spk" --json
check "has a kind" json_has kind '"pak"'
check "contents" json_has contents 4
exits 0 "pack --json" spindle pack "$folder/in" -o "$folder/o.spk" --json --list
check "has a schema" json_has schema 1
check "counts files" json_has files 5
exits 0 "verify --json" spindle verify "$folder/zstd.spk" --json --against "$folder/in"
check "has passed" json_has has_passed true
check "compared all" json_has compared 5

# ---- a pak in the folder that it is of ----------------------------------------
mkdir "$folder/own"
cp $data/tiny.abc $data/colors.abc "$folder/own"
exits 0 "pack into the folder itself" spindle pack "$folder/own" -o "$folder/own/x.spk" --quiet
cp "$folder/own/x.spk" "$folder/first.spk"
exits 0 "pack it again" spindle pack "$folder/own" -o "$folder/own/x.spk" --quiet --strict
check "without the first pak" cmp -s "$folder/own/x.spk" "$folder/first.spk"
exits 0 "and verify" spindle verify "$folder/own/x.spk" --against "$folder/own"
exits 1 "a pak of itself is refused" spindle pack "$folder/own/x.spk" -o "$folder/own/x.spk"
check "and is as it was" cmp -s "$folder/own/x.spk" "$folder/first.spk"

# ---- some of it -------------------------------------------------------------
exits 0 "unpack a file and a folder" spindle unpack "$folder/lz4hc.spk" a/b empty -o "$folder/some"
check "gives these" test -f "$folder/some/a/b/colors.abc" -a -f "$folder/some/empty"
check "and no other" test ! -e "$folder/some/a/tiny.abc" -a ! -e "$folder/some/noise"
exits 1 "unpack what is not there" spindle unpack "$folder/lz4hc.spk" a/c -o "$folder/none"
check "names it" says "a/c: is not in the pak"
check "and makes nothing" test ! -e "$folder/none"

# ---- orders, copies, what is left out ---------------------------------------
cat >"$folder/play.json" <<'END'
{"schema": 1, "kind": "trace", "scenes": [
  {"name": "one", "reads": [{"path": "noise"}, {"path": "a/b/colors.abc"}]},
  {"name": "two", "reads": [{"path": "levels/same.abc"}, {"path": "a/b/colors.abc"}]}]}
END
names() { sed -n 's/^ *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]* [a-z0-9]*  *//p' "$folder/stdout" | tr '\n' ' '; }
listed() { [ "$(names)" = "$1" ]; }
exits 0 "--order name" spindle pack "$folder/in" -o "$folder/o.spk" --list --quiet
check "is by name" listed "a/b/colors.abc a/tiny.abc levels/same.abc noise empty "
exits 0 "--order size" spindle pack "$folder/in" -o "$folder/o.spk" --order size --list --quiet
check "is by size" listed "a/b/colors.abc a/tiny.abc levels/same.abc noise empty "
exits 0 "--order type" spindle pack "$folder/in" -o "$folder/o.spk" --order type --list --quiet
check "is by type" listed "noise a/b/colors.abc a/tiny.abc levels/same.abc empty "
exits 0 "--order scene" spindle pack "$folder/in" -o "$folder/o.spk" --order scene --order "$folder/play.json" --list --quiet
check "is by use" listed "a/b/colors.abc noise a/tiny.abc levels/same.abc empty "
exits 0 "--order first-use" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --order first-use --list --quiet
check "is by first use" listed "noise a/b/colors.abc a/tiny.abc levels/same.abc empty "
exits 0 "--order small-first" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --order small-first --list --quiet
check "is by first use, small ones first" listed "a/b/colors.abc noise a/tiny.abc levels/same.abc empty "
exits 0 "--order TRACE" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --json
check "says which order was best" grep -Eq '"order":[^"]*"(scene|first-use|small-first|name|type|size)"' "$folder/stdout"
check "on four drives" test "$(grep -o '"ready_ms"' "$folder/stdout" | wc -l)" = 4
exits 0 "--order TRACE for a drive" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --drive ps2_dvd4x
check "says what the others come to" says "ready after, s  *name  *type  *size  *scene  *first-use  *small-first"
check "on that drive" says "^    ps2_dvd4x  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*$"
check "and no other" sh -c "! grep -q x360 '$folder/stdout'"
exits 2 "an order that is none" spindle pack "$folder/in" -o "$folder/o.spk" --order sizes
check "is told which there are" says 'no such file, and no order: name, type, size, first-use, small-first or scene'
printf '{"kind":\n "trace" 1}' >"$folder/bad.json"
exits 1 "a trace that is no JSON" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/bad.json"
check "is told the line and column" says 'bad.json: line 2, column 10: is not JSON'
exits 2 "two orders" spindle pack "$folder/in" -o "$folder/o.spk" --order name --order size
exits 2 "an order by use of nothing" spindle pack "$folder/in" -o "$folder/o.spk" --order first-use
exits 2 "an order by name of a trace" spindle pack "$folder/in" -o "$folder/o.spk" --order name --order "$folder/play.json"
exits 2 "a drive that chooses nothing" spindle pack "$folder/in" -o "$folder/o.spk" --order name --drive ps2_dvd4x
exits 1 "a drive that is none" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json" --drive ps2_dvd9x
exits 0 "copies" spindle pack "$folder/in" -o "$folder/hot.spk" --order scene --order "$folder/play.json" --duplicate-budget 15 --traced-only --list --quiet
check "are where they are used" listed "a/b/colors.abc noise a/b/colors.abc levels/same.abc "
exits 0 "verify of copies" spindle verify "$folder/hot.spk" --against "$folder/in"
exits 0 "the rest" spindle pack "$folder/in" -o "$folder/rest.spk" --without "$folder/hot.spk" --list --quiet
check "is the rest" listed "a/tiny.abc empty "
exits 0 "a pak of two" spindle pack "$folder/hot.spk" "$folder/rest.spk" -o "$folder/o.spk" --codec zstd
check "is one of all" cmp -s "$folder/o.spk" "$folder/zstd.spk"
sed -i 's/"noise"/"nose"/' "$folder/play.json"
exits 0 "a trace that names what is not there" spindle pack "$folder/in" -o "$folder/o.spk" --order "$folder/play.json"
check "is a warning" says "play.json: nose: is not among the inputs"
exits 1 "and with --strict a refusal" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/play.json" --strict
check "in one line" one_line
check "without a pak" test ! -e "$folder/p.spk"
sed 's#"path": "[^"]*#&.old#g' "$folder/play.json" >"$folder/far.json"
exits 1 "a trace of other names alone" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/far.json" --traced-only
check "is no empty pak" test ! -e "$folder/p.spk"
check "and what there is is said" says "far.json: none of its files is among the inputs, the first of which is \"a/b/colors.abc\"$"
sed 's#"path": "#&data/#g' "$folder/play.json" >"$folder/far.json"
exits 0 "a trace of a game above the folder" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/far.json" --traced-only
rm "$folder/p.spk"
sed -i 's/"path": "nose"/"path": 7/' "$folder/play.json"
mkdir -p "$folder/one"; echo a >"$folder/one/x.wav"
echo '{"schema": 1, "kind": "trace", "scenes": [{"name": "s", "reads": [{"at_us": 0, "path": "/a/x.wav", "task": "sound"}, {"at_us": 1, "path": "/b/x.wav", "task": "sound"}]}]}' >"$folder/two.json"
exits 0 "two paths of a trace that mean one input" spindle pack "$folder/one" -o "$folder/o.spk" --order "$folder/two.json"
check "are a warning" says "two.json: /b/x.wav: means the same input as /a/x.wav"
exits 1 "a trace that is none" spindle pack "$folder/in" -o "$folder/p.spk" --order "$folder/play.json"
check "is told where" says "play.json: scenes\[0\].reads\[0\].path: is not a text"

# ---- codecs of some ---------------------------------------------------------
for jobs in 1 3; do
    exits 0 "--codec-for, --jobs $jobs" spindle pack "$folder/in" -o "$folder/for$jobs.spk" --codec lz4hc --codec-for "a/*.abc=zstd" --codec-for "*/same.abc=none" --codec-for "*.abc=deflate" --jobs $jobs --list
done
check "any name that fits, / too" says " zstd  *a/b/colors.abc$"
check "of a content the first name counts" says " zstd  *levels/same.abc$"
check "others have the codec of all" says " none  *noise$"
check "the same bytes with any --jobs" cmp -s "$folder/for1.spk" "$folder/for3.spk"
exits 0 "verify of several codecs" spindle verify "$folder/for1.spk" --against "$folder/in"
mkdir -p "$folder/cache"
exits 0 "a cache" spindle compile --quiet $data/tiny.abc -o "$folder/cache/tiny.sgc" --codec store
exits 0 "is stored" spindle pack "$folder/cache" -o "$folder/o.spk" --codec zstd --list
check "as it is" says " none  *tiny.sgc$"
exits 0 "unless it is named" spindle pack "$folder/cache" -o "$folder/o.spk" --codec-for "t?ny.*=zstd" --list
check "by a rule" says " zstd  *tiny.sgc$"
for rule in "zstd" "=zstd" "*.abc=" "*.abc=rar" "*.abc=store"; do
    exits 2 "--codec-for $rule" spindle pack "$folder/in" -o "$folder/p.spk" --codec-for "$rule"
done

# ---- usage ------------------------------------------------------------------
exits 2 "pack needs an output" spindle pack "$folder/in"
exits 2 "unpack needs a folder" spindle unpack "$folder/zstd.spk"
exits 2 "an unknown codec" spindle pack "$folder/in" -o "$folder/p.spk" --codec rar
exits 2 "two orders" spindle pack "$folder/in" -o "$folder/p.spk" --order name --order size
exits 2 "copies without a trace" spindle pack "$folder/in" -o "$folder/p.spk" --duplicate-budget 3
exits 2 "traced without a trace" spindle pack "$folder/in" -o "$folder/p.spk" --traced-only
exits 2 "a pak has no up" spindle verify "$folder/zstd.spk" --up y
exits 3 "an order that is no word is a file" spindle pack "$folder/in" -o "$folder/p.spk" --order ./fastest
exits 3 "an input that is not there" spindle pack "$folder/none" -o "$folder/p.spk"
exits 1 "the output is an input" spindle pack "$folder/in" -o "$folder/in/noise"
check "is said" says "the output is the input"
exits 1 "the output is what it is without" spindle pack "$folder/in" --without "$folder/hot.spk" -o "$folder/hot.spk"
check "no pak was left behind" test ! -e "$folder/p.spk"

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
        check "$verb: $file: one line" one_line
    done
done
exits 1 "what is bent is told" spindle verify "$folder/bent.spk"
check "with its place" says "offset 0x80: checksum of the index: found 0x"
bend zstd 3000
exits 0 "info of a pak with a bent block" spindle info "$folder/bent.spk"
exits 1 "verify finds it" spindle verify "$folder/bent.spk"
check "by its checksum" says "checksum of a block"
exits 1 "unpack does, too" spindle unpack "$folder/bent.spk" -o "$folder/none"
check "and leaves no half file" test ! -e "$folder/none/a/b/colors.abc"
printf '{"schema": 1, "kind": "trace", "scenes": [{"name": "one", "reads": [{"path": "noise"}]},
    {"name": "two", "reads": [{"path": "a/b/colors.abc"}, {"path": "noise"}]}]}' >"$folder/twice.json"
exits 0 "a pak with a copy" spindle pack "$folder/in" -o "$folder/twice.spk" --order "$folder/twice.json" --duplicate-budget 100 --list
check "of a file" test "$(grep -c 'none    noise$' "$folder/stdout")" = 2
at=$(sed -n 's/^ *\([0-9]*\) .* none    noise$/\1/p' "$folder/stdout" | sort -n | head -n 1)
{ head -c "$at" "$folder/twice.spk"; head -c 16 /dev/zero; tail -c +$((at + 17)) "$folder/twice.spk"; } >"$folder/bent.spk"
exits 0 "a file that is damaged in one copy" spindle unpack "$folder/bent.spk" noise -o "$folder/twice"
check "is named" says "bent.spk: noise: is damaged in the first of its copies"
check "and taken from the other" cmp -s "$folder/in/noise" "$folder/twice/noise"
at=$(($(bytes_of zstd) - 1))
bend zstd $at
exits 1 "verify finds bytes of nobody" spindle verify "$folder/bent.spk"
check "by their place" says "byte of no file: found 255, expected 0"
printf x >>"$folder/out-none/noise"
exits 1 "verify against another folder" spindle verify "$folder/none.spk" --against "$folder/out-none"
check "names the file" says "out-none/noise: has 200001 bytes, 200000 in the pak"
cp "$folder/in/noise" "$folder/out-none/noise"
printf '\000\000' | dd of="$folder/out-none/noise" bs=1 seek=70000 conv=notrunc 2>/dev/null
exits 1 "verify against other bytes" spindle verify "$folder/none.spk" --against "$folder/out-none" --json
check "has not passed" json_has has_passed false

# ---- paks of version 1 stay readable ----------------------------------------
exits 0 "verify of a pak of version 1" spindle verify $data/pak-v1.spk
exits 0 "unpack of a pak of version 1" spindle unpack $data/pak-v1.spk -o "$folder/v1"
sums() { for file in a.txt b/large.txt b/noise.bin empty same.txt; do cksum <"$folder/v1/$file"; done; }
check "gives what was packed" test "$(sums | tr '\n' ' ')" = "3981580649 3005 2901005610 94264 648439857 700 4294967295 0 3981580649 3005 "
finish
