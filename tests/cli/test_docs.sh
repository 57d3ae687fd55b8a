#!/usr/bin/env bash
# Documents agree with the sources: manual pages with the tables of options, lists of
# refusals and warnings with those of the compiler, transcripts with the tool.
# One thread.
set -u
name=test_docs
. tests/cli/lib.sh
print=$BUILD/docs/print_docs
pages=$(ls offline/man/*.1)
documents="$pages $(ls offline/abc/SUPPORT.md offline/simulate/MANUAL.md 2>/dev/null)"
update() { SPINDLE=$SPINDLE bash tests/docs/update.sh "$@" >"$folder/log" 2>&1; }

# shellcheck disable=SC2086
for document in $documents; do
    check "$document says what the sources say" update --check "$print" "$document"
done
for verb in $(spindle --help | sed -n '/^usage/,$s/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -vx spindle); do
    check "$verb has a page" test -s "offline/man/spindle-$verb.1"
    check "which the overview names" grep -q "^.It Xr spindle-$verb 1" offline/man/spindle.1
done
check "there are verbs" grep -q '^.It Xr spindle-compile 1' offline/man/spindle.1

# What differs is seen, and repaired.
sed 's/^\.It Fl p Ar MM.*/.It Fl q Ar MM/' offline/man/spindle-compile.1 >"$folder/page.1"
check "an option that is not there is seen" eval '! update --check "$print" "$folder/page.1"'
check "with the lines that differ" grep -q '^-\.It Fl q Ar MM' "$folder/log"
check "and can be written" update "$print" "$folder/page.1"
check "as it was" cmp "$folder/page.1" offline/man/spindle-compile.1
printf '%s\n' '<!-- BEGIN run -->' '    $ spindle --version | tail -n 1' 'old' '<!-- END -->' >"$folder/run.md"
check "a transcript is written" update "$print" "$folder/run.md"
check "with what the tool prints" grep -q '^    codecs: spindle, ' "$folder/run.md"
printf '%s\n' '<!-- BEGIN run -->' '    $ spindle compil' '<!-- END -->' >"$folder/run.md"
check "a command that fails is seen" eval '! update "$print" "$folder/run.md"'
printf '%s\n' '<!-- BEGIN run-once -->' '    $ echo new' '    old' '<!-- END -->' >"$folder/run.md"
check "what takes long is left as it was" update "$print" "$folder/run.md"
check "with its text" grep -q '^    old$' "$folder/run.md"
check "until it is asked for" update --once "$print" "$folder/run.md"
check "and written" grep -q '^    new$' "$folder/run.md"
printf 'a,b\n1,2\nx,mm,bytes\none,1,44\ntwo,0.1,5\n' >"$folder/table.csv"
check "columns of a benchmark" test "$(bash tests/bench/columns.sh "$folder/table.csv" ',1,' x bytes)" = $'x    bytes\none     44'
check "one that is not there fails" eval '! bash tests/bench/columns.sh "$folder/table.csv" "" x bits 2>/dev/null'
printf '%s\n' '<!-- BEGIN refusals -->' 'text' >"$folder/run.md"
check "so is a part without an end" eval '! update "$print" "$folder/run.md"'
check "and its text stays" grep -q '^text$' "$folder/run.md"

# What documents name exists.
for document in $(find . -name '*.md' -not -path './build/*' -not -path './out/*' -not -name PLAN.md); do
    check "$document names files that exist, in short lines" bash tests/docs/paths.sh "$document"
done
bent() {
    printf '%s\n' "$1" >"$folder/bent.md"
    ! bash tests/docs/paths.sh "$folder/bent.md" >"$folder/log"
}
check "a file that is not there is seen" bent 'see `runtime/base/none.c`'
check "so is one without its path" bent 'see `none_such.h`'
check "and a link" bent 'see [there](none.md)'
check "and a long line" bent "$(printf '%0121d' 0)"

check "the README has at most 200 lines" test "$(wc -l <README.md)" -le 200
check "CONTRIBUTING.md has at most 120" test "$(wc -l <CONTRIBUTING.md)" -le 120

if command -v mandoc >/dev/null; then
    for page in $pages; do check "$page lints" mandoc -T lint -W warning "$page"; done
else
    skipped=$((skipped + 1))
    echo "  skipped: no mandoc"
fi
finish
