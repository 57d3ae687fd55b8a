#!/usr/bin/env bash
# run.sh - runs test programs, as many at a time as there are cores (or
# TEST_JOBS), each in a process of its own.
#
#   run.sh PROGRAM... SCRIPT.sh...
#
# Every test ends with "NAME: N passed, M failed, K skipped". The output of a
# test that failed or skipped is shown. The last line sums them up. A test
# that dies without its line, or runs longer than TEST_SECONDS, counts as one
# failure. The slowest are named before the last line.
#
# What took longest the last time begins first (TEST_TIMES remembers), so that
# no core waits for another at the end.
#
# With TEST_THREADS=many only what can tell of threads is run: not what says
# "One thread." in a line of its own (programs fail everywhere when they say so
# and have more), nor programs that do not refer to pthread_create, nor what says
# "Threads as in test_x.sh." (or .c): it varies what is read, said or refused,
# and threads do the same there as in that other one, which is run.
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
says() { grep -Eqs "^( \*|#) $2" "$(source_of "$1")"; }

run_one() {
    name=${1##*/}
    TIMEFORMAT='%R %U %S'
    ! says "$1" 'One thread\.' || export TEST_ONE_THREAD=1
    {
        time case $1 in
        *.sh) timeout "$limit" bash "$1" >"$logs/$name.log" 2>&1 ;;
        *) timeout "$limit" ${EXEC:-} "$1" >"$logs/$name.log" 2>&1 ;;
        esac
        echo $? >"$logs/$name.code"
    } 2>"$logs/$name.clock"
    awk -v name="$name" 'END { printf "%d s %s (%d s of processors)\n", $1, name, $2 + $3 }' "$logs/$name.clock" >"$logs/$name.time"
}

tells_of_threads() {
    ! says "$1" '(One thread|Threads as in test_[a-z_]+\.(c|sh))\.' || return
    case $1 in
    *.sh) ;;
    *) nm "$1" | grep -q ' \(pthread\|thrd\)_create' ;;
    esac
}

# Those of the arguments that are to be run, the longest first. What was never
# measured comes before all others.
declare -A took
while read -r seconds _ name _; do
    took[$name]=$seconds
done < <(cat "$times" 2>/dev/null)
in_order() {
    for test in "$@"; do
        [ "${TEST_THREADS:-}" != many ] || tells_of_threads "$test" || continue
        echo "${took[${test##*/}]:-100000} $test"
    done | sort -s -k 1,1nr | cut -d ' ' -f 2-
}
count=$#
mapfile -t tests < <(in_order "$@")
set -- "${tests[@]}"
[ $# = "$count" ] || echo "$((count - $#)) of $count tests have one thread, or the threads of another: not run"

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
    # An exit code that says failure while the line says none is a failure.
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
