#!/bin/sh
# libraries.sh - build the tool's libraries for another machine. Their sources are those
# of the Debian packages that this machine's tool is linked with, so that both tools
# write the same bytes.
#
#   CC=... CXX=... AR=... libraries.sh FOLDER
#
# Writes FOLDER/include and FOLDER/lib/*.a. Link with
#
#   CPPFLAGS=-IFOLDER/include LDFLAGS=-LFOLDER/lib LDLIBS='-lz -lstdc++'
#
# because libpng.a needs zlib after it, and meshoptimizer is C++. The sources go to
# SOURCES (build/sources), which all machines share. Does nothing when the result is
# newer than this script. No configure script runs; the flags below replace it. JOBS
# compilers run at a time.
set -eu
folder=${1:?usage: CC=... CXX=... AR=... libraries.sh FOLDER}
sources=${SOURCES:-build/sources}
CC=${CC:-cc} CXX=${CXX:-c++} AR=${AR:-ar}
export CC CXX

if [ -f "$folder/done" ] && [ "$folder/done" -nt "$0" ]; then
    exit 0
fi
sh "$(dirname "$0")/../check/source.sh" "$sources" \
    lz4 libdeflate zlib libzstd meshoptimizer cjson libpng1.6 xxhash
rm -rf "$folder"
mkdir -p "$folder/include/cjson" "$folder/lib" "$folder/objects"

# All machines must compute the same floats: no fused multiply-add, no x87.
FLAGS='-O2 -w -ffp-contract=off'
case $($CC -dumpmachine) in
i?86-*) FLAGS="$FLAGS -msse2 -mfpmath=sse" ;;
esac
export FLAGS

# library NAME "FLAGS" FILE...
library() {
    name=$1 own=$2
    shift 2
    objects=$folder/objects/$name
    mkdir -p "$objects"
    for file in "$@"; do
        echo "$file"
        echo "$objects/$(echo "$file" | tr / _).o"
    done | OWN=$own xargs -n 2 -P "${JOBS:-$(nproc 2>/dev/null || echo 2)}" sh -c '
        case $1 in
        *.cpp) $CXX $FLAGS $OWN -c "$1" -o "$2" ;;
        *) $CC $FLAGS $OWN -c "$1" -o "$2" ;;
        esac' sh
    $AR rcsD "$folder/lib/lib$name.a" "$objects"/*.o
}

s=$sources
cp "$s/lz4/lib/lz4.h" "$s/lz4/lib/lz4hc.h" "$s/libdeflate/libdeflate.h" \
    "$s/zlib/zlib.h" "$s/zlib/zconf.h" "$s/libzstd/lib/zstd.h" \
    "$s/libzstd/lib/zstd_errors.h" "$s/meshoptimizer/src/meshoptimizer.h" \
    "$s/libpng1.6/png.h" "$s/libpng1.6/pngconf.h" "$s/xxhash/xxhash.h" "$folder/include"
cp "$s/libpng1.6/scripts/pnglibconf.h.prebuilt" "$folder/include/pnglibconf.h"
cp "$s/cjson/cJSON.h" "$folder/include/cjson"

library lz4 '' "$s/lz4/lib/lz4.c" "$s/lz4/lib/lz4hc.c"
library deflate "-I$s/libdeflate" "$s"/libdeflate/lib/*.c "$s"/libdeflate/lib/*/cpu_features.c
library z '' "$s"/zlib/adler32.c "$s"/zlib/compress.c "$s"/zlib/crc32.c "$s"/zlib/deflate.c \
    "$s"/zlib/inf*.c "$s"/zlib/trees.c "$s"/zlib/uncompr.c "$s"/zlib/zutil.c
library zstd '-DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_' "$s"/libzstd/lib/common/*.c \
    "$s"/libzstd/lib/compress/*.c "$s"/libzstd/lib/decompress/*.c
library meshoptimizer '-std=c++11 -fno-exceptions -fno-rtti' "$s"/meshoptimizer/src/*.cpp
library cjson '' "$s/cjson/cJSON.c"
# Leave out the filters for instruction sets of other processors.
library png "-I$folder/include -DPNG_ARM_NEON_OPT=0 -DPNG_POWERPC_VSX_OPT=0 -DPNG_INTEL_SSE_OPT=0" \
    $(ls "$s"/libpng1.6/png*.c | grep -v pngtest)
library xxhash '' "$s/xxhash/xxhash.c"
rm -rf "$folder/objects"
: >"$folder/done"
