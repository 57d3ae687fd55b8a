#!/usr/bin/env bash
# A compiler that is killed leaves the old file or none, never a part of one.
# Threads as in test_compile.sh.
set -u
name=test_killed
. tests/cli/lib.sh
data=tests/data

# ---- killed ----------------------------------------------------------------
# Is the process at work on a file in the folder, named or not?
is_writing() {
    [ "$(ls -A "$folder/killed" | wc -l)" -gt "$old_count" ] && return 0
    for link in /proc/$pid/fd/*; do
        case $(readlink "$link") in "$folder/killed"/*) return 0 ;; esac
    done 2>/dev/null
    return 1
}
# killed SIGNAL CODE old|none: what is there is what was there before.
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
# Then the output has no name while it is written.
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
            # Where the file has a name, nobody removes it.
            [ $signal = KILL:137 ] && ! has_unnamed_files && continue
            check "SIG${signal%:*}, with $before file: nothing else is there" killed ${signal%:*} ${signal#*:} $before
        done
    done
else
    skipped=$((skipped + 6))
fi

# Nobody reads on: what is written is more than a pipe holds.
unread() { # CODE COMMAND...
    wanted=$1
    shift
    { "$SPINDLE" "$@" 2>"$folder/stderr"; echo $? >"$folder/code"; } | head -c 1 >/dev/null
    [ "$(cat "$folder/code")" = "$wanted" ]
}
if [ -z "${EXEC:-}" ]; then
    "$SPINDLE" compile --quiet --codec store $data/demo.abc -o "$folder/whole.sgc"
    # What a shell ignores, its children ignore.
    if (kill -PIPE $BASHPID); then
        echo "  skipped: SIGPIPE is ignored here"
        skipped=$((skipped + 2))
    else
        check "SIGPIPE ends it, as it ends others" unread 141 export "$folder/whole.sgc" -o -
        check "without a word" silent
    fi
    trap '' PIPE
    check "where that is ignored the write fails" unread 3 export "$folder/whole.sgc" -o -
    check "and says so" grep -q '^spindle: standard output: cannot write' "$folder/stderr"
    trap - PIPE
else
    skipped=$((skipped + 4))
fi

# ---- at random instants ----------------------------------------------------
# RANDOM is of this seed; delays are within the time of the fastest of three.
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
# What is there, in a word.
found() {
    [ -e "$folder/killed/x.sgc" ] || { echo none; return; }
    cmp -s "$folder/killed/x.sgc" "$folder/old.sgc" && { echo old; return; }
    cmp -s "$folder/killed/x.sgc" "$folder/whole.sgc" && { echo new; return; }
    echo torn
}
# kill_once old|none AFTER_US: prints how it ended, and what it left.
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
kill_many() {
    RANDOM=$seed
    for ((i = 0; i < kills; i++)); do
        if [ $((i % 2)) = 0 ]; then before=old; else before=none; fi
        kill_once $before $(((RANDOM * 32768 + RANDOM) % whole_us))
    done >"$folder/kills"
}
ended() { grep -cE "^$1\$" "$folder/kills"; }
if [ -z "${EXEC:-}" ]; then
    spindle compile --quiet --codec store --precision 3 $data/demo.abc -o "$folder/old.sgc"
    check "a compile to be killed" measure
    kill_many
    echo "  $(ended '137 .*') of $kills killed within $whole_us us, seed $seed: left $(ended '.* old') old, $(ended '.* new') new, $(ended '.* none') none"
    check "what was there, or what would be, whole" test "$(ended '(137|0) (old (old|new)|none (none|new))')" = $kills
    check "what ended by itself is there" test "$(ended '0 .*')" = "$(ended '0 .* new')"
    check "most were killed" test "$(ended '137 .*')" -gt $((kills / 2))
else
    skipped=$((skipped + 4))
fi

# ---- no room, no right -----------------------------------------------------
# As long as files may be; the limit counts KiB.
too_long() (
    rm -f "$folder/limited.sgc"
    ulimit -f 16
    "$SPINDLE" compile --quiet $data/demo.abc -o "$folder/limited.sgc" 2>"$folder/limited.txt"
    [ $? = 3 ] && [ ! -e "$folder/limited.sgc" ] && grep -q "limited.sgc: cannot write" "$folder/limited.txt"
)
if [ -z "${EXEC:-}" ]; then
    check "a file longer than the system allows is a failed write" too_long
else
    skipped=$((skipped + 1))
fi

# Who may write to the folder may replace what is in it.
echo old >"$folder/kept.sgc"
chmod 444 "$folder/kept.sgc"
exits 0 "a read-only file is replaced" spindle compile --quiet $data/fps-2997.abc -o "$folder/kept.sgc"
exits 0 "as a whole" spindle verify "$folder/kept.sgc" --against $data/fps-2997.abc
check "and stays read-only" test "$(stat -c %a "$folder/kept.sgc")" = 444
finish
