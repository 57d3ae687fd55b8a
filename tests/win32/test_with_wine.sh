#!/usr/bin/env bash
# Goal: what runs beside a server of wine has one that stays, whoever started
# one before.
# Method: in a folder of its own a server that will go by itself is there first;
# the one that a command then finds is looked at.
name=test_with_wine
. tests/cli/lib.sh

export WINEPREFIX=$folder/wine
mkdir "$WINEPREFIX"
echo "WINE REGISTRY Version 2" >"$WINEPREFIX/system.reg" # nothing is run in it that would want more
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)

# How the server of $WINEPREFIX was started.
servers() {
    for process in /proc/[0-9]*; do
        tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -Fqx "WINEPREFIX=$WINEPREFIX" || continue
        tr '\0' ' ' <"$process/cmdline" | grep 'wineserver[0-9]* .*-p'
    done
}
export -f servers
stays() { [ "$(servers | wc -l)" = 1 ] && servers | grep -q -- '-p *$'; }
export -f stays

"$server" -p60
check "one that goes after a minute is there" eval '[ "$(servers | wc -l)" = 1 ] && ! stays'
exits 0 "a command beside one of those" bash tests/win32/with_wine.sh bash -c stays
check "which goes with it" eval '[ "$(servers | wc -l)" = 0 ]'
exits 0 "a command beside none" bash tests/win32/with_wine.sh bash -c stays
exits 3 "the command's exit code is handed on" bash tests/win32/with_wine.sh bash -c 'exit 3'
finish
