#!/usr/bin/env bash
# Goal: a compile that is killed leaves the old file or no file, never a part of a file.
# Method: kill it by each signal, and at random times.
# Threads as in test_compile.sh.
set -u
name=test_killed
. tests/cli/lib.sh
data=tests/data

# ---- killed ----------------------------------------------------------------
# Whether the process has a file in the folder open, named or unnamed.
is_writing() {
    [ "$(ls -A "$folder/killed" | wc -l)" -gt "$old_count" ] && return 0
    for link in /proc/$pid/fd/*; do
        case $(readlink "$link") in "$folder/killed"/*) return 0 ;; esac
    done 2>/dev/null
    return 1
}
# killed SIGNAL CODE old|none: send the signal while the tool writes. The folder must
# have the same files as before.
killed() (
    set -m # or SIGINT is ignored from the start
    rm -rf "$folder/killed"
    mkdir "$folder/killed"
    [ $3 = none ] || echo old >"$folder/killed/x.sgc"
    old_count=$(ls -A "$folder/killed" | wc -l)
    "$SPINDLE" compile --quiet $data/demo.abc -o "$folder/killed/x.sgc" &
    pid=$!
    until is_writing || ! kill -0 $pid 2>/dev/null; do :; done
    kill -$1 $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
    [ $code = $2 ] || { echo "exit $code" >&2; exit 1; }
    [ "$(ls -A "$folder/killed" | wc -l)" = "$old_count" ] || exit 1
    [ $3 = none ] || [ "$(cat "$folder/killed/x.sgc")" = old ]
)
# Whether the system writes outputs as unnamed temporary files.
has_unnamed_files() (
    rm -rf "$folder/killed"
    mkdir "$folder/killed"
    old_count=0
    "$SPINDLE" compile --quiet $data/demo.abc -o "$folder/killed/x.sgc" &
    pid=$!
    until is_writing || ! kill -0 $pid 2>/dev/null; do :; done
    kill -STOP $pid
    count=$(ls -A "$folder/killed" | wc -l)
    kill -KILL $pid
    wait $pid 2>/dev/null
    [ "$count" = 0 ]
)
if [ -z "${EXEC:-}" ]; then
    for before in old none; do
        for signal in INT:130 TERM:143 HUP:129 KILL:137; do
            # A named temporary file stays after SIGKILL.
            [ $signal = KILL:137 ] && ! has_unnamed_files && continue
            check "SIG${signal%:*}, with $before file: the folder has no other file" killed ${signal%:*} ${signal#*:} $before
        done
    done
else
    skipped=$((skipped + 6))
fi

# Run the command with a reader that stops after one byte. The output is larger than a
# pipe's buffer.
unread() { # CODE COMMAND...
    wanted=$1
    shift
    { "$SPINDLE" "$@" 2>"$folder/stderr"; echo $? >"$folder/code"; } | head -c 1 >/dev/null
    [ "$(cat "$folder/code")" = "$wanted" ]
}
if [ -z "${EXEC:-}" ]; then
    "$SPINDLE" compile --quiet --codec store $data/demo.abc -o "$folder/whole.sgc"
    # A signal that the shell ignores is also ignored by its children.
    if (kill -PIPE $BASHPID); then
        echo "  skipped: SIGPIPE is ignored here"
        skipped=$((skipped + 2))
    else
        check "SIGPIPE ends the tool when no process reads its output" unread 141 export "$folder/whole.sgc" -o -
        check "SIGPIPE: no message" silent
    fi
    trap '' PIPE
    check "with SIGPIPE ignored the write fails with exit code 3" unread 3 export "$folder/whole.sgc" -o -
    check "with SIGPIPE ignored the message says that the write failed" grep -q '^spindle: standard output: cannot write' "$folder/stderr"
    trap - PIPE
else
    skipped=$((skipped + 4))
fi

# ---- at random times -------------------------------------------------------
# The seed of RANDOM. The first delay is shorter than the fastest of three compiles.
seed=20261122
kills=200
case ${SANITIZE:-} in ?*) kills=20 ;; esac # they slow the tool, and see no more of a kill
short=(compile --quiet --codec store $data/demo.abc -o)
measure() {
    whole_us=1000000000
    for _ in 1 2 3; do
        began=${EPOCHREALTIME/[.,]/}
        "$SPINDLE" "${short[@]}" "$folder/whole.sgc" || return 1
        took=$((${EPOCHREALTIME/[.,]/} - began))
        [ $took -ge $whole_us ] || whole_us=$took
    done
}
# Print old, new or none for the output file.
found() {
    [ -e "$folder/killed/x.sgc" ] || { echo none; return; }
    cmp -s "$folder/killed/x.sgc" "$folder/old.sgc" && { echo old; return; }
    cmp -s "$folder/killed/x.sgc" "$folder/whole.sgc" && { echo new; return; }
    echo torn
}
# kill_once old|none AFTER_US: print the exit code, the file before and the file after.
kill_once() (
    rm -rf "$folder/killed"
    mkdir "$folder/killed"
    [ $1 = none ] || cp "$folder/old.sgc" "$folder/killed/x.sgc"
    "$SPINDLE" "${short[@]}" "$folder/killed/x.sgc" & # itself: a function would be a shell
    pid=$!
    sleep "$(printf '%u.%06u' $(($2 / 1000000)) $(($2 % 1000000)))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    echo "$? $1 $(found)"
)
# The speed of the machine changes during the run: a compile that ended by itself makes
# the delays after it shorter, a killed one makes them longer. Two of three are killed.
kill_many() {
    RANDOM=$seed
    limit_us=$whole_us
    for ((i = 0; i < kills; i++)); do
        if [ $((i % 2)) = 0 ]; then before=old; else before=none; fi
        line=$(kill_once $before $(((RANDOM * 32768 + RANDOM) % limit_us)))
        echo "$line"
        case $line in
        0*) limit_us=$((limit_us - limit_us / 16)) ;;
        *) limit_us=$((limit_us + limit_us / 32)) ;;
        esac
    done >"$folder/kills"
}
ended() { grep -cE "^$1\$" "$folder/kills"; }
if [ -z "${EXEC:-}" ]; then
    spindle compile --quiet --codec store --precision 3 $data/demo.abc -o "$folder/old.sgc"
    check "the time of a compile can be measured" measure
    kill_many
    echo "  $(ended '137 .*') of $kills killed within $whole_us us, seed $seed: left $(ended '.* old') old, $(ended '.* new') new, $(ended '.* none') none"
    check "killed at random: each output is the complete old or the complete new file" test "$(ended '(137|0) (old (old|new)|none (none|new))')" = $kills
    check "killed at random: each compile that ended by itself left the new file" test "$(ended '0 .*')" = "$(ended '0 .* new')"
    check "killed at random: most compiles were killed" test "$(ended '137 .*')" -gt $((kills / 2))
else
    skipped=$((skipped + 4))
fi

# ---- file size limit, missing permission ------------------------------------
# Write a file of the allowed size at most; the limit counts KiB.
too_long() (
    rm -f "$folder/limited.sgc"
    ulimit -f 16
    "$SPINDLE" compile --quiet $data/demo.abc -o "$folder/limited.sgc" 2>"$folder/limited.txt"
    [ $? = 3 ] && [ ! -e "$folder/limited.sgc" ] && grep -q "limited.sgc: cannot write" "$folder/limited.txt"
)
if [ -z "${EXEC:-}" ]; then
    check "an output longer than the file size limit fails as a write error" too_long
else
    skipped=$((skipped + 1))
fi

# Whoever may write to a folder may replace its files.
echo old >"$folder/kept.sgc"
chmod 444 "$folder/kept.sgc"
exits 0 "compile replaces a read-only output" spindle compile --quiet $data/fps-2997.abc -o "$folder/kept.sgc"
exits 0 "the replaced read-only output verifies" spindle verify "$folder/kept.sgc" --against $data/fps-2997.abc
check "the replaced output stays read-only" test "$(stat -c %a "$folder/kept.sgc")" = 444
finish
