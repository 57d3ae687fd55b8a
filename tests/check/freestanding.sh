#!/usr/bin/env bash
# freestanding.sh FOLDER - link the runtime with -nostdlib and run it.
#
# Its objects are compiled here with -ffreestanding, not taken from the ordinary build.
# LZ4 is compiled from its source with LZ4_FREESTANDING=1.
set -eu
folder=${1:?usage: freestanding.sh FOLDER}
cc=${CC:-gcc}
rm -rf "$folder/objects" # of sources that have another name now
mkdir -p "$folder/objects" "$folder/include/spindle"
sources=${SOURCES:-build/sources}
sh tests/check/source.sh "$sources" lz4
lz4=$(cd "$sources/lz4/lib" && pwd)
cp runtime/include/spindle/*.h platform/consoles_stub/platform_{stub,dma}.h "$folder/include/spindle/"

case $(uname -m) in
x86_64) machine=-DFREESTANDING_X86_64 ;;
aarch64) machine=-DFREESTANDING_AARCH64 ;;
*) echo "freestanding: linked for this machine, but not run"; machine= ;;
esac
flags="-std=c11 -O2 -ffreestanding -fno-stack-protector -fno-builtin -ffp-contract=off"
export cc flags folder lz4
{ find runtime -name '*.c' ! -path 'runtime/codecs/*' | sort && printf '%s\n' platform/consoles_stub/*.c; } |
    xargs -P "$(nproc 2>/dev/null || echo 2)" -n 1 bash -c '
    case $1 in
    *_sse41.c) flags="$flags -msse4.1" ;;
    *_avx2.c) flags="$flags -mavx2 -mf16c" ;;
    esac
    $cc $flags -I"$folder/include" -Iruntime -I"$lz4" -c "$1" -o "$folder/objects/$(basename "$1" .c).o"' bash
$cc $flags -DLZ4_FREESTANDING=1 -DLZ4_memcpy=memcpy -DLZ4_memmove=memmove \
    -DLZ4_memset=memset -include runtime/base/mem.h -c "$lz4/lz4.c" -o "$folder/objects/lz4.o"
for file in freestanding mem_functions; do
    $cc $flags $machine -I"$folder/include" -c "tests/check/$file.c" \
        -o "$folder/objects/$file.o"
done
$cc -nostdlib -static -no-pie -o "$folder/freestanding" "$folder"/objects/*.o
undefined=$(nm -u "$folder/freestanding")
[ -z "$undefined" ] || { echo "freestanding: undefined: $undefined"; exit 1; }
if [ -n "$machine" ]; then
    code=0
    "$folder/freestanding" || code=$?
    [ "$code" = 0 ] || { echo "freestanding: exit $code"; exit 1; }
fi
echo "freestanding: ok ($(size -t "$folder"/objects/*.o | awk 'END {print $1}') bytes of code and constants, $(stat -c %s "$folder/freestanding") in the file)"
