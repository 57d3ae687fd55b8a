#!/usr/bin/env bash
# with_wine.sh COMMAND... - runs COMMAND beside a server of wine that belongs to
# $WINEPREFIX alone.
#
# The server that wine starts by itself goes with the last program, and refuses
# the next one that asks at that moment. This one is there before all, so that a
# program starts in a moment, and goes at the end. One that an earlier run left
# behind is ended first: it would be taken for this one.
set -u
mkdir -p "$WINEPREFIX" || exit 1
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
"$server" -k && "$server" -w
"$server" -p || { echo "with_wine.sh: no server of wine for $WINEPREFIX" >&2; exit 1; }
trap '"$server" -k' EXIT
# Its folder is made by its first run, which is no test's time; no test wants
# what it would ask for.
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
[ -f "$WINEPREFIX/system.reg" ] || ${WINE:?} wineboot -i >/dev/null 2>&1
"$@"
