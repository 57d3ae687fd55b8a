#!/usr/bin/env bash
# run_fuzz.sh - fuzz each target for FUZZ_SECONDS and print a table of the results. The
# table has processor seconds, which may be fewer.
#
#   run_fuzz.sh FOLDER TARGET...     FOLDER has the engines fuzz_TARGET
#
# The seed is FUZZ_SEED. By default it is derived from the date, so that every day tries
# other inputs. New inputs go to FOLDER/corpus/TARGET, findings to FOLDER/findings.
# TARGET.options has flags of libFuzzer for a target, TARGET.dict its words. Exits with
# 1 when anything was found.
set -u
here=$(dirname "$0")
folder=$1
shift
seconds=${FUZZ_SECONDS:-60}
seed=${FUZZ_SEED:-$(date +%Y%m%d)}
echo "FUZZ_SEED=$seed"
mkdir -p "$folder/findings" "$folder/log"
failed=0
TIMEFORMAT=%U
printf '%-10s %14s %8s %10s %8s %8s %9s\n' target executions seconds "a second" edges inputs findings
for target in "$@"; do
    corpus=$folder/corpus/$target
    log=$folder/log/$target
    mkdir -p "$corpus"
    committed=
    [ -d "$here/corpus/$target" ] && committed=$here/corpus/$target
    dict=
    [ -f "$here/$target.dict" ] && dict=-dict=$here/$target.dict
    options=
    [ -f "$here/$target.options" ] && options=$(cat "$here/$target.options")
    before=$(find "$folder/findings" -name "$target-*" | wc -l)
    # shellcheck disable=SC2086
    { time "$folder/fuzz_$target" -seed="$seed" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$folder/findings/$target-" \
        $dict $options "$corpus" $committed >"$log" 2>&1; } 2>"$log.seconds"
    code=$?
    found=$(($(find "$folder/findings" -name "$target-*" | wc -l) - before))
    [ "$code" = 0 ] || [ "$found" != 0 ] || found=1
    printf '%-10s %14s %8s %10s %8s %8s %9s\n' "$target" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
        "$(cat "$log.seconds")" \
        "$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")" \
        "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)" \
        "$(find "$corpus" -type f | wc -l)" "$found"
    [ "$found" = 0 ] || {
        failed=1
        grep -E 'ERROR|SUMMARY|not true|Test unit written' "$log" | head -n 5
    }
done
[ "$failed" = 0 ]
