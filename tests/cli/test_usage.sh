#!/usr/bin/env bash
# Goal: a wrong command line ends with exit code 2, a missing file with 3, and one line
# that names the mistake.
# Method: run the tool with each mistake.
# Threads as in test_compile.sh.
set -u
name=test_usage
. tests/cli/lib.sh
verbs="compile info verify export render play view"

exits 2 "spindle without a verb is a usage error" spindle
check "the message about a missing verb shows the help option" says "spindle <verb> --help"
exits 0 "spindle --help" spindle --help
check "spindle --help prints nothing on stderr" silent
for verb in $verbs pack unpack drives simulate anim; do check "spindle --help lists $verb" says "^  $verb "; done
exits 0 "spindle --version" spindle --version
check "spindle --version prints the version" says "^spindle [0-9]"
check "spindle --version prints the formats of animation" says "^clip and skeleton format [0-9]*, database and image format [0-9]*$"
for end in sgc spk sac sas sad sai; do check "spindle --version lists .$end" says "^reads: .*[.]$end"; done
exits 2 "an unknown verb is a usage error" spindle compil
check "the message about an unknown verb names the nearest" says 'did you mean "compile"'
exits 2 "an option in place of a verb is a usage error" spindle --jobs
exits 2 "a verb with control characters is a usage error" spindle $'\e[31mcompile\n'
check "control characters are printed escaped" says 'unknown verb "\\x1b\[31mcompile\\x0a"'

for verb in $verbs; do
    exits 0 "$verb --help" spindle $verb --help
    check "$verb --help begins with examples" says "^  spindle $verb "
    exits 2 "$verb without an input is a usage error" spindle $verb
    check "$verb without an input prints one line" one_line
    exits 2 "$verb with an unknown option is a usage error" spindle $verb --no-such-option x
    exits 2 "$verb --jsn is a usage error" spindle $verb --jsn x
done
for verb in $verbs pack unpack drives; do
    output=
    case $verb in compile | export | render | pack | unpack) output="-o $folder/x" ;; esac
    exits 2 "$verb with an empty input name is a usage error" spindle $verb '' $output
    check "$verb: the message names the empty input" says "^spindle: $verb: an empty name is given for "
    if [ -n "$output" ]; then
        exits 2 "$verb -o with an empty name is a usage error" spindle $verb x -o ''
        check "$verb: the message about -o names what is needed" says "^spindle: $verb: needs "
    fi
done
exits 2 "play with an empty name among others is a usage error" spindle play x.sgc '' --streams 2
check "play: the message names the empty name" says "an empty name"
for option in drive disc-layout record pak scene; do
    exits 2 "play --$option with an empty value is a usage error" spindle play x.sgc --$option ''
    check "play: the message about an empty value names --$option" says "^spindle: play: --$option is given an empty "
done
for verb in compile info verify play; do
    exits 2 "$verb --jsno is a usage error" spindle $verb --jsno x
    check "$verb: the message suggests an option for --jsno" says 'did you mean'
done

# ---- stdout as an output -----------------------------------------------------
cp tests/data/fps-2997.abc "$folder/x.abc"
for line in "compile $folder/x.abc -o -" "pack $folder/x.abc -o -" "unpack $folder/x.abc -o -" "simulate --generate copies -o -" "simulate --generate copies --write-trace -" "play x.sgc --record -" "drives -o - --json" "drives ps2_dvd4x -o - --profile" "trace import x.strace -o - --json"; do
    exits 2 "$line is a usage error" spindle $line
    check "$line: the message names stdout" says 'stdout'
done
exits 0 "compile of a cache to export" spindle compile --quiet "$folder/x.abc" -o "$folder/x.sgc"
for line in "export $folder/x.sgc" "render $folder/x.sgc --size 64x48" "drives ps2_dvd4x wii_dvd6x"; do
    exits 0 "$line -o FILE" spindle $line -o "$folder/named"
    exits 0 "$line -o -" spindle $line -o -
    check "$line -o - writes exactly the bytes of the file" cmp "$folder/named" "$folder/stdout"
done
check "-o - creates no file named -" test ! -e ./-
(cd "$folder" && exits 0 "-o ./- writes a file named -" ${EXEC:-} "$SPINDLE" export x.sgc -o ./- && [ "$failed" = 0 ] && cmp -s ./- named)
check "the file named - exists" test -s "$folder/-"
rm "$folder/x.sgc"

exits 2 "compile without an output is a usage error" spindle compile tests/data/demo.abc
exits 2 "compile --codec with an unknown codec is a usage error" spindle compile tests/data/demo.abc -o "$folder/x.sgc" --codec brotli
check "the message about an unknown codec says that it is not built in" says "not built in"
exits 2 "--precision with a word is a usage error" spindle compile tests/data/demo.abc -o "$folder/x.sgc" --precision fine
exits 2 "--index-distance 0 is a usage error" spindle compile tests/data/demo.abc -o "$folder/x.sgc" --index-distance 0
exits 2 "compile of two inputs is a usage error" spindle compile a.abc b.abc -o "$folder/x.sgc"
exits 2 "render --frames with a word is a usage error" spindle render x.sgc --frames 1,two -o "$folder/x.png"
exits 2 "render --size with one number is a usage error" spindle render x.sgc --size 100 -o "$folder/x.png"
exits 2 "render of a sheet beyond the size limit is a usage error" spindle render x.sgc --frames 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --size 4096x4096 -o "$folder/x.png"
exits 2 "export --space with an unknown space is a usage error" spindle export x.sgc --space moon -o "$folder/x.ply"
exits 2 "--buffer-ahead with one number is a usage error" spindle play x.sgc --buffer-ahead 3
exits 2 "play of more files than --streams is a usage error" spindle play x.sgc y.sgc z.sgc --streams 2
check "the message about --streams has the number of files" says "--streams 2 .* 3 files"
exits 2 "--buffer-ahead with decreasing numbers is a usage error" spindle play x.sgc --buffer-ahead 3,2

for verb in info verify play; do
    exits 3 "$verb of a missing file fails" spindle $verb "$folder/none"
    check "$verb of a missing file prints one line" one_line
done
exits 3 "compile of a missing file fails" spindle compile "$folder/none" -o "$folder/x.sgc"
exits 3 "export of a missing file fails" spindle export "$folder/none" -o "$folder/x.ply"
exits 3 "render of a missing file fails" spindle render "$folder/none" -o "$folder/x.png"
exits 3 "info of a folder fails" spindle info "$folder"
exits 3 "compile to a missing folder fails" spindle compile "$folder/none" -o "$folder/no/x.sgc"
check "compile checks the output before the input" says "no/x.sgc"
mkdir "$folder/full"
exits 3 "compile onto a folder fails" spindle compile tests/data/demo.abc -o "$folder/full"
rmdir "$folder/full"
# An output that is also the input, under the same or another name, is refused and not
# changed.
cp tests/data/demo.abc "$folder/own.abc"
ln "$folder/own.abc" "$folder/hard.abc"
ln -s own.abc "$folder/soft.abc"
for other in own hard soft; do
    for verb in compile "render --frames 0"; do
        exits 1 "$verb onto its own input ($other) is refused" spindle $verb "$folder/own.abc" -o "$folder/$other.abc"
        check "$verb onto its own input ($other): the message says so" says "the output is the input"
        check "$verb onto its own input ($other) keeps the input" cmp -s tests/data/demo.abc "$folder/own.abc"
    done
done
exits 0 "compile of a cache to export" spindle compile --quiet tests/data/fps-2997.abc -o "$folder/own.sgc"
cp "$folder/own.sgc" "$folder/kept.sgc"
exits 1 "export of a frame after the last is refused" spindle export "$folder/own.sgc" --frame 20 -o "$folder/x.ply"
check "export: the message has the range of frames" says "own.sgc: --frame: 20, but frames are 0 to 19$"
exits 1 "render of a frame after the last is refused" spindle render "$folder/own.sgc" --frames 0,20 -o "$folder/x.png"
check "render: the message has the range of frames" says "own.sgc: --frames: 20, but frames are 0 to 19$"
exits 1 "export onto its own input is refused" spindle export "$folder/own.sgc" --frame 0 -o "$folder/own.sgc"
check "export onto its own input keeps the cache" cmp -s "$folder/kept.sgc" "$folder/own.sgc"
rm "$folder"/*.abc "$folder"/*.sgc
check "refused commands leave no output" test ! -e "$folder/x.sgc" -a ! -e "$folder/x.ply" -a ! -e "$folder/x.png"
if [ -c /dev/full ]; then
    check "a full disc behind stdout is a write error" sh -c '${EXEC:-} "$SPINDLE" --help >/dev/full 2>/dev/null; [ $? = 3 ]'
fi
finish
