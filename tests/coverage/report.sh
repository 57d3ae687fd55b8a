#!/usr/bin/env bash
# report.sh - print which branches of runtime/ the tests took, by file; fail below a
# share.
#
#   report.sh BUILD OUT BRANCH_MIN
#
# OUT/branches.txt has a line for each file, with the lines of branches that were never
# taken. uncovered.md gives the reason for each branch that cannot be taken.
set -u
build=$1 out=$2 branch_min=$3
mkdir -p "$out"
gcovr --root . --filter runtime/ --object-directory "$build" "$build" \
    --branches --txt "$out/branches.txt" --fail-under-branch "$branch_min"
code=$?
cat "$out/branches.txt"
exit $code
