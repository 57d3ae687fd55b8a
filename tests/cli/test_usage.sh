#!/usr/bin/env bash
# What the tool says when it is asked wrongly: which exit code, and one line.
# Threads as in test_compile.sh.
set -u
name=test_usage
. tests/cli/lib.sh
verbs="compile info verify export render play"

exits 2 "no verb is a usage error" spindle
check "and shows the verbs" says "spindle <verb> --help"
exits 0 "--help is none" spindle --help
check "and is data" silent
for verb in $verbs pack unpack drives simulate; do check "--help names $verb" says "^  $verb "; done
exits 0 "--version" spindle --version
check "says so" says "^spindle [0-9]"
exits 2 "an unknown verb" spindle compil
check "is told the nearest one" says 'did you mean "compile"'
exits 2 "an option in place of a verb" spindle --jobs
exits 2 "a word with what a terminal obeys" spindle $'\e[31mcompile\n'
check "is printed escaped" says 'unknown verb "\\x1b\[31mcompile\\x0a"'

for verb in $verbs; do
    exits 0 "$verb --help" spindle $verb --help
    check "$verb --help begins with examples" says "^  spindle $verb "
    exits 2 "$verb without an input" spindle $verb
    check "$verb says it in a line" one_line
    exits 2 "$verb with an unknown option" spindle $verb --no-such-option x
    exits 2 "$verb --jsn" spindle $verb --jsn x
done
for verb in $verbs pack unpack drives; do
    output=
    case $verb in compile | export | render | pack | unpack) output="-o $folder/x" ;; esac
    exits 2 "$verb of an empty name" spindle $verb '' $output
    check "$verb says that it is one" says "^spindle: $verb: an empty name is given for "
    if [ -n "$output" ]; then
        exits 2 "$verb to an empty name" spindle $verb x -o ''
        check "$verb says what is needed" says "^spindle: $verb: needs "
    fi
done
exits 2 "an empty name among others" spindle play x.sgc '' --streams 2
check "is seen" says "an empty name"
for option in drive disc-layout record pak scene; do
    exits 2 "--$option without a name" spindle play x.sgc --$option ''
    check "$option is named" says "^spindle: play: --$option is given an empty "
done
for verb in compile info verify play; do
    exits 2 "$verb --jsno" spindle $verb --jsno x
    check "$verb knows what --jsno was meant to be" says 'did you mean'
done

# ---- stdout as an output -----------------------------------------------------
cp tests/data/fps-2997.abc "$folder/x.abc"
for line in "compile $folder/x.abc -o -" "pack $folder/x.abc -o -" "unpack $folder/x.abc -o -" "simulate --generate copies -o -" "simulate --generate copies --write-trace -" "play x.sgc --record -" "drives -o - --json" "drives ps2_dvd4x -o - --profile" "trace import x.strace -o - --json"; do
    exits 2 "$line is a usage error" spindle $line
    check "$line: with a reason" says 'stdout'
done
exits 0 "a cache for what goes to stdout" spindle compile --quiet "$folder/x.abc" -o "$folder/x.sgc"
for line in "export $folder/x.sgc" "render $folder/x.sgc --size 64x48" "drives ps2_dvd4x wii_dvd6x"; do
    exits 0 "$line -o FILE" spindle $line -o "$folder/named"
    exits 0 "$line -o -" spindle $line -o -
    check "$line: stdout has the bytes of the file, and no others" cmp "$folder/named" "$folder/stdout"
done
check "no file is named so" test ! -e ./-
(cd "$folder" && exits 0 "an output in a file of that name" ${EXEC:-} "$SPINDLE" export x.sgc -o ./- && [ "$failed" = 0 ] && cmp -s ./- named)
check "is one" test -s "$folder/-"
rm "$folder/x.sgc"

exits 2 "compile needs an output" spindle compile tests/data/demo.abc
exits 2 "a codec that is not built in" spindle compile tests/data/demo.abc -o "$folder/x.sgc" --codec brotli
check "is named" says "not built in"
exits 2 "a precision that is no number" spindle compile tests/data/demo.abc -o "$folder/x.sgc" --precision fine
exits 2 "an index distance of 0" spindle compile tests/data/demo.abc -o "$folder/x.sgc" --index-distance 0
exits 2 "two inputs" spindle compile a.abc b.abc -o "$folder/x.sgc"
exits 2 "render's frames are numbers" spindle render x.sgc --frames 1,two -o "$folder/x.png"
exits 2 "render's size has two sides" spindle render x.sgc --size 100 -o "$folder/x.png"
exits 2 "a sheet that is too large" spindle render x.sgc --frames 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --size 4096x4096 -o "$folder/x.png"
exits 2 "export's space is one of two" spindle export x.sgc --space moon -o "$folder/x.ply"
exits 2 "buffer-ahead is two numbers" spindle play x.sgc --buffer-ahead 3
exits 2 "every file is played" spindle play x.sgc y.sgc z.sgc --streams 2
check "and it says how many there are" says "--streams 2 .* 3 files"
exits 2 "buffer-ahead rises" spindle play x.sgc --buffer-ahead 3,2

for verb in info verify play; do
    exits 3 "$verb of a file that is not there" spindle $verb "$folder/none"
    check "$verb says it in a line" one_line
done
exits 3 "compile of a file that is not there" spindle compile "$folder/none" -o "$folder/x.sgc"
exits 3 "export of a file that is not there" spindle export "$folder/none" -o "$folder/x.ply"
exits 3 "render of a file that is not there" spindle render "$folder/none" -o "$folder/x.png"
exits 3 "a folder is no input" spindle info "$folder"
exits 3 "an output in a folder that is not there" spindle compile "$folder/none" -o "$folder/no/x.sgc"
check "is judged before the input" says "no/x.sgc"
mkdir "$folder/full"
exits 3 "a folder is no output" spindle compile tests/data/demo.abc -o "$folder/full"
rmdir "$folder/full"
# An output that is the input, also by another name, leaves it as it is.
cp tests/data/demo.abc "$folder/own.abc"
ln "$folder/own.abc" "$folder/hard.abc"
ln -s own.abc "$folder/soft.abc"
for other in own hard soft; do
    for verb in compile "render --frames 0"; do
        exits 1 "$verb onto its own input ($other)" spindle $verb "$folder/own.abc" -o "$folder/$other.abc"
        check "is said" says "the output is the input"
        check "and the input is whole" cmp -s tests/data/demo.abc "$folder/own.abc"
    done
done
exits 0 "a cache to export" spindle compile --quiet tests/data/fps-2997.abc -o "$folder/own.sgc"
cp "$folder/own.sgc" "$folder/kept.sgc"
exits 1 "a frame behind the last" spindle export "$folder/own.sgc" --frame 20 -o "$folder/x.ply"
check "is told which there are" says "own.sgc: --frame: 20, but frames are 0 to 19$"
exits 1 "a picture of it, too" spindle render "$folder/own.sgc" --frames 0,20 -o "$folder/x.png"
check "is told which there are" says "own.sgc: --frames: 20, but frames are 0 to 19$"
exits 1 "export onto its own input" spindle export "$folder/own.sgc" --frame 0 -o "$folder/own.sgc"
check "and the cache is whole" cmp -s "$folder/kept.sgc" "$folder/own.sgc"
rm "$folder"/*.abc "$folder"/*.sgc
check "no output was left behind" test ! -e "$folder/x.sgc" -a ! -e "$folder/x.ply" -a ! -e "$folder/x.png"
if [ -c /dev/full ]; then
    check "a full disc behind stdout is noticed" sh -c '${EXEC:-} "$SPINDLE" --help >/dev/full 2>/dev/null; [ $? = 3 ]'
fi
finish
