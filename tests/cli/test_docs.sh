#!/usr/bin/env bash
# Goal: documents agree with the sources: manual pages with the tables of options, lists
# of refusals and warnings with the compiler, transcripts with the tool.
# Method: generate the parts again and compare.
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
    check "$document agrees with the sources" update --check "$print" "$document"
done
for verb in $(spindle --help | sed -n '/^usage/,$s/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -vx spindle); do
    check "$verb has a manual page" test -s "offline/man/spindle-$verb.1"
    check "the page spindle(1) refers to spindle-$verb(1)" grep -q "^.It Xr spindle-$verb 1" offline/man/spindle.1
done
check "the page spindle(1) lists verbs" grep -q '^.It Xr spindle-compile 1' offline/man/spindle.1

# A difference is reported, and `make docs` repairs it.
sed 's/^\.It Fl p Ar MM.*/.It Fl q Ar MM/' offline/man/spindle-compile.1 >"$folder/page.1"
check "update --check fails when a page lacks an option" eval '! update --check "$print" "$folder/page.1"'
check "update --check prints the lines that differ" grep -q '^-\.It Fl q Ar MM' "$folder/log"
check "update writes the page" update "$print" "$folder/page.1"
check "the written page equals the original" cmp "$folder/page.1" offline/man/spindle-compile.1
printf '%s\n' '<!-- BEGIN run -->' '    $ spindle --version | tail -n 1' 'old' '<!-- END -->' >"$folder/run.md"
check "update writes a transcript" update "$print" "$folder/run.md"
check "the transcript contains the tool's output" grep -q '^    codecs: spindle, ' "$folder/run.md"
printf '%s\n' '<!-- BEGIN run -->' '    $ spindle compil' '<!-- END -->' >"$folder/run.md"
check "update fails when a command of a transcript fails" eval '! update "$print" "$folder/run.md"'
printf '%s\n' '<!-- BEGIN run-once -->' '    $ echo new' '    old' '<!-- END -->' >"$folder/run.md"
check "update without --once passes a command marked as slow" update "$print" "$folder/run.md"
check "update without --once keeps the text of a slow command" grep -q '^    old$' "$folder/run.md"
check "update --once runs a slow command" update --once "$print" "$folder/run.md"
check "update --once writes the output of a slow command" grep -q '^    new$' "$folder/run.md"
printf 'a,b\n1,2\nx,mm,bytes\none,1,44\ntwo,0.1,5\n' >"$folder/table.csv"
check "columns.sh prints columns of a benchmark" test "$(bash tests/bench/columns.sh "$folder/table.csv" ',1,' x bytes)" = $'x    bytes\none     44'
check "columns.sh fails for a column that does not exist" eval '! bash tests/bench/columns.sh "$folder/table.csv" "" x bits 2>/dev/null'
printf '%s\n' '<!-- BEGIN refusals -->' 'text' >"$folder/run.md"
check "update fails for a part without an end" eval '! update "$print" "$folder/run.md"'
check "update keeps the text of a part without an end" grep -q '^text$' "$folder/run.md"

# Files that documents name exist.
for document in $(find . -name '*.md' -not -path './build/*' -not -path './out/*' -not -name PLAN.md); do
    check "$document names existing files, in lines of at most 120 columns" bash tests/docs/paths.sh "$document"
done
bent() {
    printf '%s\n' "$1" >"$folder/bent.md"
    ! bash tests/docs/paths.sh "$folder/bent.md" >"$folder/log"
}
check "paths.sh finds a path that does not exist" bent 'see `runtime/base/none.c`'
check "paths.sh finds a file name that does not exist" bent 'see `none_such.h`'
check "paths.sh finds a link to a file that does not exist" bent 'see [there](none.md)'
check "paths.sh finds a test that does not exist" bent "see test_of_nothing"
check "paths.sh finds a line of 121 columns" bent "$(printf '%0121d' 0)"

check "README.md has at most 200 lines" test "$(wc -l <README.md)" -le 200
check "CONTRIBUTING.md has at most 120 lines" test "$(wc -l <CONTRIBUTING.md)" -le 120

if command -v mandoc >/dev/null; then
    for page in $pages; do check "mandoc has no warnings for $page" mandoc -T lint -W warning "$page"; done
else
    skipped=$((skipped + 1))
    echo "  skipped: no mandoc"
fi
finish
