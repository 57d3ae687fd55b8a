#!/usr/bin/env bash
# with_wine.sh COMMAND... - run COMMAND beside a wine server that is for $WINEPREFIX
# only.
#
# A server that wine starts by itself exits after the last program, and refuses a
# program that connects at that moment. This script starts a server first, so that
# programs also start quickly, and ends it after COMMAND. It first ends a server of an
# earlier run, because wine would use that one.
set -u
mkdir -p "$WINEPREFIX" || exit 1
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
"$server" -k && "$server" -w
"$server" -p || { echo "with_wine.sh: no server of wine for $WINEPREFIX" >&2; exit 1; }
trap '"$server" -k' EXIT
# The first run in a new folder sets it up. Run it now, so that it is not charged to a
# test's time. WINEDLLOVERRIDES disables parts of wine that no test uses.
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
[ -f "$WINEPREFIX/system.reg" ] || ${WINE:?} wineboot -i >/dev/null 2>&1
"$@"
