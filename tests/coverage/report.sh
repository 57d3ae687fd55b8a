#!/usr/bin/env bash
# report.sh - what the tests took of runtime/, by file; fails below a share.
#
#   report.sh BUILD OUT BRANCH_MIN
#
# OUT/branches.txt has a line for each file, with the lines of which a branch
# was never taken; uncovered.md says of those that stay why they do.
set -u
build=$1 out=$2 branch_min=$3
mkdir -p "$out"
gcovr --root . --filter runtime/ --object-directory "$build" "$build" \
    --branches --txt "$out/branches.txt" --fail-under-branch "$branch_min"
code=$?
cat "$out/branches.txt"
exit $code
