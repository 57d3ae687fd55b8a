#!/usr/bin/env bash
# merge_corpus.sh - reduce the committed corpus of a target to the inputs, old and new,
# that are needed to reach every edge.
#
#   merge_corpus.sh FOLDER TARGET [MORE...]    FOLDER has the engines and their
#                                              corpora; MORE are folders, too
#
# A committed corpus has at most 1 MiB: the smallest inputs that fit. Inputs that once
# found a fault are kept; their names do not look like hashes.
set -eu
here=$(dirname "$0")
folder=$1
target=$2
shift 2
corpus=$here/corpus/$target
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir -p "$corpus" "$folder/corpus/$target"
options=
[ -f "$here/$target.options" ] && options=$(cat "$here/$target.options")
# shellcheck disable=SC2086
"$folder/fuzz_$target" -merge=1 -use_counters=0 $options "$new" "$corpus" \
    "$folder/corpus/$target" "$@" >"$folder/log-merge-$target" 2>&1
find "$corpus" -type f | grep -E '/[0-9a-f]{40}$' | xargs -r rm
bytes=$(find "$corpus" -type f -printf '%s\n' | awk '{sum += $1} END {print sum + 0}')
left_out=0
while read -r size file; do
    if [ $((bytes + size)) -le 1048576 ]; then
        bytes=$((bytes + size))
        mv "$file" "$corpus"
    else
        left_out=$((left_out + 1))
    fi
done < <(find "$new" -type f -printf '%s %p\n' | sort -k 1,1n -k 2)
echo "$target: $(find "$corpus" -type f | wc -l) inputs, $bytes bytes, $left_out left out"
[ "$bytes" -le 1048576 ]
