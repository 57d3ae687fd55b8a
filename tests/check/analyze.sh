#!/usr/bin/env bash
# analyze.sh - gcc -fanalyzer, clang-tidy and cppcheck find nothing in what
# ships, on either system, and gcc and cppcheck nothing in the tests. Each file
# alone, as many at a time as there are cores.
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

is_win32() { case $1 in platform/win32/* | *_win32.c) true ;; *) false ;; esac }
is_test() { case $1 in tests/*) true ;; *) false ;; esac }
# Of a file, what its compiler is told: the instruction set that it is named
# for, and what the Makefile says of its system and folder.
flags_of() {
    case $1 in *_sse41.c) echo -msse4.1 ;; *_avx2.c) echo -mavx2 -mf16c ;; esac
    case $1 in */hdf5_*.c) pkg-config --cflags hdf5 2>/dev/null ;; esac
    is_win32 "$1" && echo -D__USE_MINGW_ANSI_STDIO=1
    is_test "$1" || return 0
    echo -Itests -Iplatform/consoles_stub -D_FILE_OFFSET_BITS=64
    is_win32 "$1" && echo -Itests/win32/include -include posix.h
}
gcc_of() { if is_win32 "$1"; then echo x86_64-w64-mingw32-gcc; else echo gcc; fi; }
# A test that has no memory may fall, and what it leaves lying is asan's to find.
not_asked() { if is_test "$1"; then echo -Wno-analyzer-possible-null-dereference -Wno-analyzer-possible-null-argument -Wno-analyzer-malloc-leak; fi; }
# file:line:column: warning: what, unless the line before has a reason. GCC 12
# does not follow loops that fill arrays: for what is not initialized the other
# two are asked.
gcc_one() {
    said=$($(gcc_of "$1") -std=c11 -O2 -fanalyzer -Wno-analyzer-use-of-uninitialized-value $(not_asked "$1") -fdiagnostics-plain-output $(flags_of "$1") $includes -c "$1" -o /dev/null 2>&1)
    code=$?
    printf '%s\n' "$said" | grep -E ': (warning|error|fatal error): ' | sort -u |
        while IFS=: read -r file line rest; do
            sed -n "$((line - 1))p" "$file" | grep -q '[*] -fanalyzer: ' || echo "$file:$line:$rest"
        done
    return $code
}
tidy_one() {
    clang-tidy --quiet "$1" -- $(is_win32 "$1" && echo --target=x86_64-w64-mingw32) -std=c11 $(flags_of "$1") $includes 2>/dev/null
}
# once NAME TOOL FILE - NAME_one, unless the file is known to be clean.
once() {
    known=$clean/$1-$({
        $2 --version
        cat tests/check/analyze.sh .clang-tidy "$3"
        $(gcc_of "$3") -std=c11 -E -CC $(flags_of "$3") $includes "$3"
    } 2>&1 | sha256sum | cut -c 1-40)
    [ ! -e "$known" ] || return 0
    said=$("$1_one" "$3")
    code=$?
    [ -z "$said" ] || printf '%s\n' "$said"
    [ "$code" != 0 ] || [ -n "$said" ] || : >"$known"
    return $code
}
export -f is_win32 is_test flags_of gcc_of not_asked gcc_one tidy_one once

# All, but for what has a compiler or headers of its own: the images of ARM and RISC-V, and what
# check-freestanding links.
sources() { printf '%s\n' ${FILES:-$(find runtime platform offline -name '*.c' | sort) $(find tests -name '*.c' ! -path 'tests/arm/*' ! -path 'tests/riscv/*' ! -name freestanding.c | sort)}; }
chosen() {
    sources | while read -r file; do
        case $1 in
        tidy) is_test "$file" ;;
        win32) ! is_win32 "$file" ;;
        hosted) is_win32 "$file" ;;
        *) false ;;
        esac || echo "$file"
    done
}
each() { chosen "$1" | xargs -P "$jobs" -n 1 bash -c "once $*"' "$0"'; }

# It knows neither C11's word for what does not return nor the macros of a
# library whose headers it is not shown.
cat >"$folder/known.h" <<'END'
#define _Noreturn __attribute__((noreturn))
#define cJSON_ArrayForEach(e, a) for ((e) = (a)->child; (e); (e) = (e)->next)
END
# cppcheck_of hosted|win32 FLAGS...
cppcheck_of() {
    files=$(chosen "$1")
    shift
    [ -z "$files" ] || cppcheck --quiet -j "$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem --include="$folder/known.h" -D__x86_64__ "$@" -Itests $includes \
        --template='{file}:{line}: {id}: {message}' $files
}

analyze() {
    case $1 in
    gcc) each gcc gcc ;;
    tidy) each tidy clang-tidy ;;
    cppcheck) cppcheck_of hosted -D__linux__ && cppcheck_of win32 -D_WIN32 ;;
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
    echo "$1: nothing in $(chosen "$1" | wc -l) files"
}

failed=0
[ $# != 0 ] || set -- cppcheck gcc tidy
for tool in "$@"; do
    analyze "$tool" || failed=1
done
exit $failed
