#!/usr/bin/env bash
# update.sh PRINT_DOCS FILE... - write the generated parts of documents, in place. With
# --check nothing is written: a part that differs is printed, and the exit code is 1.
#
# A part is between two lines:
#
#   BEGIN WORDS  and  END, in a comment of mdoc (.\" BEGIN ...) or of Markdown
#                     (<!-- BEGIN ... -->)
#
#   BEGIN run       bash runs the lines "    $ COMMAND" in a temporary folder with a
#                   link to tests. Their output follows, indented. $root is the
#                   source tree, $data its tests/data; spindle is the tool;
#                   benchmarks are on PATH.
#   BEGIN run-once  the same, but only with --once: for commands that take minutes
#   BEGIN WORDS     the output of PRINT_DOCS for these words
set -u
mode=write once=0
while :; do
    case ${1:-} in
    --check) mode=check ;;
    --once) once=1 ;;
    *) break ;;
    esac
    shift
done
print=$(realpath "${1:?usage: update.sh [--check] [--once] PRINT_DOCS FILE...}")
shift
spindle() { ${EXEC:-} "$SPINDLE" "$@"; }
export -f spindle
[ -z "${BENCHES:-}" ] || PATH=$BENCHES:$PATH
PATH=$PWD/tests/bench:$PATH
root=$PWD
data=$root/tests/data
SPINDLE_ASSETS=$(realpath -m "${SPINDLE_ASSETS:-../shared/assets}")
export PATH root data SPINDLE_ASSETS
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
    echo "docs: $*" >&2
    failed=1
}
# Print the commands of a part, each followed by its output.
run() {
    local line
    printf '\n'
    while IFS= read -r line; do
        case $line in '    $ '*) ;; *) continue ;; esac
        printf '%s\n' "$line"
        (cd "$folder/run" && bash -o pipefail -c "${line#'    $ '}") 2>&1 </dev/null | sed 's/^/    /; s/ *$//'
        [ "${PIPESTATUS[0]}" = 0 ] || return 1
    done
    printf '\n'
}
update() {
    local line words part
    rm -rf "$folder/run"
    mkdir "$folder/run"
    ln -s "$root/tests" "$folder/run/tests"
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in '.\" BEGIN '* | '<!-- BEGIN '*) ;; *) continue ;; esac
        words=${line#*BEGIN }
        words=${words% -->}
        : >"$folder/part"
        while IFS= read -r line; do
            case $line in '.\" END' | '<!-- END -->') break ;; esac
            printf '%s\n' "$line" >>"$folder/part"
            line=
        done
        [ -n "$line" ] || fail "$1: BEGIN $words has no END"
        part=ok
        if [ "$words" = run ] || [ "$words $once" = "run-once 1" ]; then
            run <"$folder/part" || part=
        elif [ "$words" = run-once ]; then
            cat "$folder/part"
        else
            ${EXEC:-} "$print" $words || part=
        fi
        [ -n "$part" ] || fail "$1: BEGIN $words: failed"
        printf '%s\n' "$line"
    done
}

for file; do
    update "$file" <"$file" >"$folder/new"
    [ -s "$folder/new" ] || { fail "$file: empty"; continue; }
    [ "$failed" = 0 ] || continue
    if [ "$mode" = write ]; then
        cmp -s "$folder/new" "$file" || { cat "$folder/new" >"$file"; echo "docs: $file written"; }
    else
        diff -u "$file" "$folder/new" || fail "$file: is not what the sources say: make docs"
    fi
done
exit "$failed"
