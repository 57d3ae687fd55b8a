#!/usr/bin/env bash
# make_disc.sh DISC FILE... - write the image of a disc. The first sector has the table
# of contents: for each file its first sector and its bytes, as 8-byte little-endian
# numbers. The files follow, each at the start of a sector.
set -eu
disc=$1
shift
number() { for shift in 0 8 16 24 32 40 48 56; do printf '%b' "$(printf '\\x%02x' $(($1 >> shift & 255)))"; done; }
sectors() { echo $((($1 + 511) / 512)); }
next=1
{
    for file; do
        bytes=$(stat -c %s "$file")
        number "$next"
        number "$bytes"
        next=$((next + $(sectors "$bytes")))
    done
} >"$disc.new"
truncate -s 512 "$disc.new"
for file; do
    cat "$file" >>"$disc.new"
    truncate -s $((512 * $(sectors "$(stat -c %s "$disc.new")"))) "$disc.new"
done
mv "$disc.new" "$disc"
