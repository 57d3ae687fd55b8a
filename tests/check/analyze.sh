#!/usr/bin/env bash
# analyze.sh - gcc -fanalyzer, clang-tidy and cppcheck find nothing in what
# ships. Each file alone, as many at a time as there are cores. What is for
# another system has no headers here: its compiler warns of it.
#
#   analyze.sh [gcc|tidy|cppcheck]...     all of them by default
#   FILES="a.c b.c" analyze.sh ...        of these files alone
#
# An analyzer that is not there, or that cannot read a file, has not looked at
# it: that fails, too. In what gcc and clang-tidy found nothing they do not look
# again: CLEAN (build/analyze) has a file for each, named by a hash of all that
# they saw, comments and their own versions included.
#
# What is a false alarm says so in the line before, with the reason: by
# NOLINTNEXTLINE(check) of clang-tidy, by cppcheck-suppress, by "-fanalyzer:"
# for gcc, which this script looks for. .clang-tidy says which checks there are.
set -u
jobs=$(nproc 2>/dev/null || echo 2)
includes="-Iruntime/include -Iruntime -Ioffline -I."
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
clean=${CLEAN:-build/analyze}
mkdir -p "$clean"
export includes folder clean

# The instruction set that a file is named for.
flags_of() {
    case $1 in *_sse41.c) echo -msse4.1 ;; *_avx2.c) echo -mavx2 -mf16c ;; esac
}
# file:line:column: warning: what, unless the line before has a reason. GCC 12
# does not follow loops that fill arrays: for what is not initialized the other
# two are asked.
gcc_one() {
    said=$(gcc -std=c11 -O2 -fanalyzer -Wno-analyzer-use-of-uninitialized-value -fdiagnostics-plain-output $(flags_of "$1") $includes -c "$1" -o /dev/null 2>&1)
    code=$?
    printf '%s\n' "$said" | grep -E ': (warning|error|fatal error): ' | sort -u |
        while IFS=: read -r file line rest; do
            sed -n "$((line - 1))p" "$file" | grep -q '[*] -fanalyzer: ' || echo "$file:$line:$rest"
        done
    return $code
}
tidy_one() {
    clang-tidy --quiet "$1" -- -std=c11 $(flags_of "$1") $includes 2>/dev/null
}
# once NAME TOOL FILE - NAME_one, unless the file is known to be clean.
once() {
    known=$clean/$1-$({
        $2 --version
        cat tests/check/analyze.sh .clang-tidy "$3"
        gcc -std=c11 -E -CC $(flags_of "$3") $includes "$3"
    } 2>&1 | sha256sum | cut -c 1-40)
    [ ! -e "$known" ] || return 0
    said=$("$1_one" "$3")
    code=$?
    [ -z "$said" ] || printf '%s\n' "$said"
    [ "$code" != 0 ] || [ -n "$said" ] || : >"$known"
    return $code
}
export -f flags_of gcc_one tidy_one once

sources() { printf '%s\n' ${FILES:-$(find runtime platform/posix platform/consoles_stub offline -name '*.c' ! -name '*_win32.c' | sort)}; }
each() { sources | xargs -P "$jobs" -n 1 bash -c "once $*"' "$0"'; }

analyze() {
    case $1 in
    gcc) each gcc gcc ;;
    tidy) each tidy clang-tidy ;;
    cppcheck)
        cppcheck --quiet -j "$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr \
            --suppress=missingIncludeSystem -D__x86_64__ -D__linux__ $includes \
            --template='{file}:{line}: {id}: {message}' $(sources)
        ;;
    esac >"$folder/$1.txt" 2>&1
    code=$?
    if grep -E '^[^ ]+:[0-9]+:' "$folder/$1.txt"; then
        return 1
    fi
    if [ "$code" != 0 ]; then
        tail -n 3 "$folder/$1.txt"
        echo "$1: did not run to its end"
        return 1
    fi
    echo "$1: nothing in $(sources | wc -l) files"
}

failed=0
[ $# != 0 ] || set -- cppcheck gcc tidy
for tool in "$@"; do
    analyze "$tool" || failed=1
done
exit $failed
