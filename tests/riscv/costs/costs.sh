#!/usr/bin/env bash
# costs.sh IMAGE CACHES FOLDER - print for each codec the millions of instructions that
# decoding the demo's clip takes in 10 s of play, and those of all fills. Decoding is
# the instructions of all updates minus those of the same run with a clip of a few
# vertices instead.
set -eu
image=$1 caches=$2 folder=$3
export RISCV_ICOUNT=1
"$SPINDLE" compile tests/data/demo.abc -o "$folder/fast.sgc" --quiet --fast-decode
# count CACHE: run with the cache and print the lines of both counts.
count() {
    bash tests/riscv/make_disc.sh "$folder/costs.img" "$caches/flag.sgc" "$1" "$caches/flowing.sgc" "$caches/tiny.sgc"
    bash tests/riscv/run_image.sh "$folder/costs.img" "$image" |
        sed -nE 's/^(updates|fills) +//p' | paste -sd' '
}
read -r without _ < <(count "$caches/tiny.sgc")
for codec in "lz4hc $caches/flag.sgc" "fast-decode $folder/fast.sgc" "default $caches/lifted.sgc"; do
    read -r updates fills < <(count "${codec#* }")
    printf '%-12s decode %5d M   all fills %4d M\n' "${codec%% *}" $(((updates - without) / 1000000)) $((fills / 1000000))
done
