#!/usr/bin/env bash
# run.sh - run test programs, each in its own process, TEST_JOBS at a time (default: the
# number of cores).
#
#   run.sh PROGRAM... SCRIPT.sh...
#
# Every test ends with "NAME: N passed, M failed, K skipped". run.sh shows the output of
# tests that fail or skip. Its last line has the sums; the lines before it name the
# slowest tests. A test that ends without its line, or runs longer than TEST_SECONDS,
# counts as one failure.
#
# The file TEST_TIMES records how long each test took. The longest start first, so that
# the cores finish at about the same time.
#
# With TEST_THREADS=many (thread sanitizer) only tests that can show a data race run.
# These do not:
#
#   - tests that declare "One thread." on a line of its own. TEST_ONE_THREAD makes a program fail
#     that declares this but creates a thread.
#   - programs that do not reference pthread_create.
#   - tests that declare "Threads as in test_x.sh." (or .c): they vary only inputs and messages, and
#     test_x, which runs, uses threads in the same way.
set -u
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 2)}
limit=${TEST_SECONDS:-600}
times=${TEST_TIMES:-build/test-times}
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT INT TERM

source_of() {
    case $1 in
    *.sh) echo "$1" ;;
    *) basename "$1" .exe | sed 's|.*|tests/unit/&.c|' ;;
    esac
}
declares() { grep -Eqs "^( \*|#) $2" "$(source_of "$1")"; }

run_one() {
    name=${1##*/}
    TIMEFORMAT='%R %U %S'
    ! declares "$1" 'One thread\.' || export TEST_ONE_THREAD=1
    {
        time case $1 in
        *.sh) timeout "$limit" bash "$1" >"$logs/$name.log" 2>&1 ;;
        *) timeout "$limit" ${EXEC:-} "$1" >"$logs/$name.log" 2>&1 ;;
        esac
        echo $? >"$logs/$name.code"
    } 2>"$logs/$name.clock"
    awk -v name="$name" 'END { printf "%d s %s (%d s of processors)\n", $1, name, $2 + $3 }' "$logs/$name.clock" >"$logs/$name.time"
}

has_threads_to_check() {
    ! declares "$1" '(One thread|Threads as in test_[a-z_]+\.(c|sh))\.' || return
    case $1 in
    *.sh) ;;
    *) nm "$1" | grep -q ' \(pthread\|thrd\)_create' ;;
    esac
}

# Print the tests to run, the longest first. Tests without a recorded time come first.
declare -A took
while read -r seconds _ name _; do
    took[$name]=$seconds
done < <(cat "$times" 2>/dev/null)
in_order() {
    for test in "$@"; do
        [ "${TEST_THREADS:-}" != many ] || has_threads_to_check "$test" || continue
        echo "${took[${test##*/}]:-100000} $test"
    done | sort -s -k 1,1nr | cut -d ' ' -f 2-
}
count=$#
mapfile -t tests < <(in_order "$@")
set -- "${tests[@]}"
[ $# = "$count" ] || echo "$((count - $#)) of $count tests not run: one thread, or threads as in another test"

running=0
for test in "$@"; do
    run_one "$test" &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
        wait -n
        running=$((running - 1))
    fi
done
wait

passed=0 failed=0 skipped=0
for test in "$@"; do
    name=${test##*/}
    code=$(cat "$logs/$name.code" 2>/dev/null || echo none)
    line=$(tail -n 1 "$logs/$name.log" 2>/dev/null |
        sed -n 's/^[^:]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
    if [ -z "$line" ]; then
        line="0 1 0"
        echo "$name: died (exit $code)"
        tail -n 40 "$logs/$name.log"
    elif [ "$code" != 0 ]; then
        cat "$logs/$name.log"
    fi
    set -- $line
    # An exit code other than 0 and 77 is a failure even when the summary line counts
    # none.
    if [ "$2" = 0 ] && [ "$code" != 0 ] && [ "$code" != 77 ]; then
        set -- "$1" 1 "$3"
        echo "$name: exit $code"
    fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    if [ "$3" != 0 ] && [ "$code" = 0 ]; then
        grep 'skipped' "$logs/$name.log"
    fi
done
sort -rn "$logs"/*.time >"$logs/times"
mkdir -p "$(dirname "$times")"
cat "$logs/times" "$times" 2>/dev/null | awk '!seen[$3]++' >"$logs/all" && cp "$logs/all" "$times"
head -n "${TEST_SLOWEST:-5}" "$logs/times" | sed '1s/^/slowest: /; 2,$s/^/         /'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
