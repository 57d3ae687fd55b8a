#!/usr/bin/env bash
# declared.sh NAME "COMPILER FLAGS..." OBJECT... - check that every function which the
# public headers declare with these switches is defined in the objects. Calls of a
# function that is declared but not defined would compile and not link.
set -u
name=${1:?usage: declared.sh NAME "COMPILER FLAGS..." OBJECT...}
flags=$2
shift 2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

printf '#include <spindle/spindle.h>\n' >"$folder/x.c"
# shellcheck disable=SC2086 # the flags are words
$flags -E -P "$folder/x.c" | grep -oE '\bspn_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$folder/declared"
nm -g --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u >"$folder/defined"
missing=$(comm -23 "$folder/declared" "$folder/defined")
count=$(wc -l <"$folder/declared")
[ "$count" -gt 40 ] || {
    echo "$name: declares $count functions only"
    exit 1
}
[ -z "$missing" ] || {
    printf '%s: declared, and not defined:\n%s\n' "$name" "$missing"
    exit 1
}
