#!/usr/bin/env bash
# Compare late reads of the runtime's deadline scheduler (spindle simulate) with those
# of C-LOOK (bench_overload) when a recorded game requests more than the drive can read:
# two recordings, three drives, six layouts, 1, 2 and 4 times the recorded rate, open
# loop, default deadlines. Virtual time: the same figures on every machine. Output: CSV;
# the last line counts the cells in which the deadline scheduler has over 2 percentage
# points more late reads. Needs the recordings (SPINDLE_ASSETS, else ../shared/assets),
# xz, 5 GB.
set -euo pipefail
tool=$1
reference=$2
traces=${SPINDLE_ASSETS:-../shared/assets}/traces
[ -e "$traces/files.tsv.xz" ] || { echo "no recordings in $traces: skipped" >&2; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Files of the recorded sizes, all different: media files do not compress, text does.
xz -dc "$traces/files.tsv.xz" | while IFS=$'\t' read -r bytes path; do
    mkdir -p "$work/data/$(dirname "$path")"
    case $path in
    *.png | *.jpg | *.JPG | *.ogg | *.ttf) head -c "$bytes" /dev/urandom ;;
    *) { echo "$path"; seq 1 $((bytes / 2 + 1)); } | head -c "$bytes" || true ;;
    esac >"$work/data/$path"
done

# A recording at a rate, as a trace. Deadlines are those of the classes
# (runtime/schedule/tasks.c).
trace() {
    sort -t"$(printf '\t')" -k2,2n -s "$traces/$1.tsv" | awk -F'\t' -v rate="$2" -v scene="$1" '
        BEGIN { printf "{\"schema\":1,\"kind\":\"trace\",\"scenes\":[{\"name\":\"%s\",\"reads\":[", scene }
        /^#/ { next }
        {
            task = "user"; due = 6000000
            if ($3 ~ /\.ogg$/) { task = "sound"; due = 400000 }
            else if ($3 ~ /\.spm$/) task = "geom_cache"
            else if ($3 ~ /\.(png|jpg)$/) task = "texture"
            printf "%s\n{\"at_us\":%d,\"path\":\"data/%s\",\"offset\":%d,\"bytes\":%d,\"task\":\"%s\",\"deadline_us\":%d}", \
                count++ ? "," : "", int($2 / rate), $3, $4, $5, task, due
        }
        END { print "]}]}" }' >"$work/$1$2.json"
}
for name in menu lighthouse; do
    for rate in 1 2 4; do trace $name $rate; done
    "$tool" pack "$work/data" -o "$work/trace_$name.spk" --order "$work/${name}1.json" -q
done
for order in name type size; do
    "$tool" pack "$work/data" -o "$work/$order.spk" --order $order -q
done
"$tool" pack "$work/data" -o "$work/duplicates.spk" --order "$work/menu1.json" \
    --order "$work/lighthouse1.json" --duplicate-budget 10 -q
"$tool" pack "$work/data" -o "$work/lz4hc.spk" --codec lz4hc -q
rm -rf "$work/data"

# Fails when the tool fails or prints no share of late reads.
late() {
    "$tool" simulate --trace "$work/$2$4.json" --layout "$work/$3.spk" \
        --drive "$1" --scheduler deadline --json >"$work/said"
    awk '/"late_share":/ { printf "%.2f", $2 * 100; found = 1; exit }
        END { exit !found }' "$work/said"
}
echo "drive,recording,layout,rate,deadline late %,c-look late %"
for drive in x360_dvd12x wii_dvd6x ps2_dvd4x; do
    for name in menu lighthouse; do
        for layout in name type size trace duplicates lz4hc; do
            for rate in 1 2 4; do
                pak=$layout
                [ $layout = trace ] && pak=trace_$name
                deadline=$(late $drive $name $pak $rate)
                upward=$("$reference" "$work/$name$rate.json" "$work/$pak.spk" $drive)
                echo "$drive,$name,$layout,$rate,$deadline,$upward"
            done
        done
    done
done | awk -F, '{ print; cells++; sum += $5; up += $6; over += $5 > $6 + 2 }
    END { printf "mean,,,,%.2f,%.2f\ncells %d, over the bar %d\n", sum / cells, up / cells, cells, over }'
