#!/usr/bin/env bash
# Goal: with_wine.sh runs its command beside a wine server that stays, even when an
# earlier server is running.
# Method: in a separate folder, start a server that will exit by itself; then look at
# the server that a command finds.
name=test_with_wine
. tests/cli/lib.sh

export WINEPREFIX=$folder/wine
mkdir "$WINEPREFIX"
echo "WINE REGISTRY Version 2" >"$WINEPREFIX/system.reg" # enough: no program runs in this prefix
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)

# Print the command lines of the servers of $WINEPREFIX.
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
check "a server that exits after a minute is running" eval '[ "$(servers | wc -l)" = 1 ] && ! stays'
exits 0 "with_wine.sh replaces a server that exits by itself by one that stays" bash tests/win32/with_wine.sh bash -c stays
check "with_wine.sh ends its server when the command ends" eval '[ "$(servers | wc -l)" = 0 ]'
exits 0 "with_wine.sh starts a server that stays when none is running" bash tests/win32/with_wine.sh bash -c stays
exits 3 "with_wine.sh exits with the command's exit code" bash tests/win32/with_wine.sh bash -c 'exit 3'
finish
