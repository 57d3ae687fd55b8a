#!/bin/sh
# powerpc.sh FOLDER - the C library's mathematics for an emulated PowerPC.
#
# glibc sets rounding by instructions of later processors (mffscrn, mffsl and
# others), which earlier ones take for mffs, ignoring the bits that tell them
# apart. The emulator of 32-bit processors ignores nothing and ends the program.
# FOLDER/libm.a has mffs in their places, which is what a real one would do.
set -eu
from=$(powerpc-linux-gnu-gcc -print-file-name=libm.a)
perl -0777 -pe 's/([\xfc-\xff])(.)(.\x8e)/
    my ($a, $b, $c) = ($1, ord $2, $3);
    (ord($c) & 7) == 4 && ($b & 31) =~ m,^(1|22|23|24)$, ? $a . chr($b & 0xe0) . "\x04\x8e" : $a . chr($b) . $c/gesx' \
    "$from" >"$1/libm.a"
