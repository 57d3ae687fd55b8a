#!/bin/sh
# powerpc.sh FOLDER - patch the C library's mathematics for an emulated 32-bit PowerPC.
#
# glibc sets the rounding mode by instructions of later processors (mffscrn, mffsl and
# others). Older processors ignore the bits that distinguish these from mffs and execute
# mffs. The emulator instead ends the program. This script replaces the instructions in
# FOLDER/libm.a by mffs. It changes only whole words of sections that contain code.
set -eu
from=$(powerpc-linux-gnu-gcc -print-file-name=libm.a)
perl -0777 -ne '
    my $changed = 0;
    # Members of the archive: a header of 60 bytes with the length of the member in decimal.
    for (my $at = 8; $at + 60 <= length; ) {
        my ($body, $bytes) = ($at + 60, 0 + substr $_, $at + 48, 10);
        $at = $body + $bytes + $bytes % 2;
        next if substr($_, $body, 4) ne "\x7fELF";
        my ($table, $entry_bytes, $count) = unpack "x32 N x10 n n", substr $_, $body, 52;
        for my $i (0 .. $count - 1) {
            my ($type, $flags, $place, $size) =
                unpack "x4 N N x4 N N", substr $_, $body + $table + $i * $entry_bytes, 24;
            next unless $type == 1 && $flags & 4; # bytes of the file; instructions
            for (my $k = $body + $place; $k < $body + $place + $size; $k += 4) {
                my $word = unpack "N", substr $_, $k, 4;
                next unless ($word & 0xfc0007ff) == 0xfc00048e;
                next unless (($word >> 16) & 31) =~ /^(1|22|23|24)$/;
                substr($_, $k, 4) = pack "N", $word & 0xffe00000 | 0x048e;
                $changed++;
            }
        }
    }
    die "powerpc.sh: no such instruction in the archive\n" unless $changed;
    print' "$from" >"$1/libm.a"
