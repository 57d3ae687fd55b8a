#!/usr/bin/env bash
# test_corpora.sh - run every committed input of every fuzz target once, with the replay
# programs of this build.
set -u
here=$(dirname "$0")
passed=0 failed=0 skipped=0
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
for source in "$here"/fuzz_*.c; do
    target=$(basename "$source" .c)
    target=${target#fuzz_}
    # A build without libhdf5 does not have the code under test.
    [ "$target" = hdf5 ] && [ ! -s "$BUILD/hdf5.mk" ] && {
        skipped=$((skipped + 1))
        continue
    }
    program=$BUILD/fuzz/replay_$target
    [ -e "$program" ] || program=$program.exe
    # A target without a corpus fails: nothing would be replayed.
    # shellcheck disable=SC2086
    if find "$here/corpus/$target" -type f | sort |
        xargs ${EXEC:-} "$program" >"$output" 2>&1 &&
        [ -s "$output" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "fuzz_$target:"
        tail -n 30 "$output"
    fi
done
echo "test_corpora: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
