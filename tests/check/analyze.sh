#!/usr/bin/env bash
# analyze.sh - gcc -fanalyzer, clang-tidy and cppcheck report nothing for the code that
# ships, on either system; gcc and cppcheck report nothing for the tests. Each file is
# analyzed alone, as many at a time as there are cores.
#
#   analyze.sh [gcc|tidy|cppcheck]...     all of them by default
#   FILES="a.c b.c" analyze.sh ...        only these files
#
# An analyzer that is missing or cannot read a file is a failure, too. Files without
# findings are not analyzed again by gcc and clang-tidy: CLEAN (build/analyze) has a
# file for each, named by a hash of their input, of the comments and of the analyzers'
# versions.
#
# A false alarm is marked in the line before, with a reason: NOLINTNEXTLINE(check) for
# clang-tidy, cppcheck-suppress for cppcheck, "-fanalyzer:" for gcc, which this script
# looks for. .clang-tidy lists the checks.
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
# The compiler flags of a file: of its instruction set by name, and of its system and
# folder as in the Makefile.
flags_of() {
    case $1 in *_sse41.c) echo -msse4.1 ;; *_avx2.c) echo -mavx2 -mf16c ;; esac
    case $1 in */hdf5_*.c) pkg-config --cflags hdf5 2>/dev/null ;; esac
    case $1 in */view/window/*.c) pkg-config --cflags sdl2 2>/dev/null ;; esac
    is_win32 "$1" && echo -D__USE_MINGW_ANSI_STDIO=1
    is_test "$1" || return 0
    echo -Itests -Iplatform/consoles_stub -D_FILE_OFFSET_BITS=64
    is_win32 "$1" && echo -Itests/win32/include -include posix.h
}
gcc_of() { if is_win32 "$1"; then echo x86_64-w64-mingw32-gcc; else echo gcc; fi; }
# Tests may crash when out of memory. Leaks of tests are the address sanitizer's task.
flags_off() { if is_test "$1"; then echo -Wno-analyzer-possible-null-dereference -Wno-analyzer-possible-null-argument -Wno-analyzer-malloc-leak; fi; }
# Print the warnings of gcc that no line before excuses. GCC 12 does not follow loops
# that fill arrays, so its warnings of uninitialized values are off; the other two
# analyzers check these.
gcc_one() {
    said=$($(gcc_of "$1") -std=c11 -O2 -fanalyzer -Wno-analyzer-use-of-uninitialized-value $(flags_off "$1") -fdiagnostics-plain-output $(flags_of "$1") $includes -c "$1" -o /dev/null 2>&1)
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
# once NAME TOOL FILE: run NAME_one, unless the file is known to be clean.
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
export -f is_win32 is_test flags_of gcc_of flags_off gcc_one tidy_one once

# All files, except those with a compiler or headers of their own: images of ARM and RISC-V, and
# the program of check-freestanding.
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

# cppcheck does not know C11's _Noreturn, nor macros of libraries whose headers it does
# not read.
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
