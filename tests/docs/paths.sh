#!/usr/bin/env bash
# paths.sh FILE.md... - check that everything that documents name exists, and that their
# lines are short.
#
#   A name in `...` that ends like a source file must be a file, by its path or by the end of
#   its path. A name that begins with a folder of the tree must exist. NAME matches anything;
#   lib/ belongs to other projects.
#   A word like test_NAME must be a test, without its ending.
#   The target of a link must exist.
#   A line has at most 120 columns, except in tables.
set -u
cd "$(dirname "$0")/../.." || exit 2
failed=0
say() {
    echo "docs: $*"
    failed=1
}
files=$(find runtime platform offline tests .ci .github -type f; ls; ls -d -- .[a-z]*)
exists() { [ -e "$1" ] || grep -qE -- "(^|/)${1//./\\.}\$" <<<"$files"; }

for document; do
    for name in $(grep -oE '`[^` ]+`' "$document" | tr -d '`' | sort -u); do
        case $name in
        *NAME* | *\** | *:* | .* | _* | lib/* | *[\[\]{}\<\>\$\(]* | /* | -*) ;;
        *.[ch] | *.sh | *.mk | *.md | *.cpp | *.awk | runtime/* | platform/* | offline/* | tests/*)
            exists "${name%/}" || [ -e "$(dirname "$document")/$name" ] || say "$document: $name: no such file" ;;
        esac
    done
    for name in $(grep -oE '\btest_[a-z0-9_]+(\.[a-z]+)?' "$document" | grep -v '\.\|_$' | sort -u); do
        exists "$name.c" || exists "$name.sh" || say "$document: $name: no such test"
    done
    for target in $(grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -v '^http'); do
        [ -e "$(dirname "$document")/$target" ] || say "$document: link to $target: no such file"
    done
    long=$(awk '!/^\|/ && length > 120 { print FILENAME ": line " FNR ": " length " columns" }' "$document")
    [ -z "$long" ] || say "$long"
done
exit "$failed"
