#!/usr/bin/env bash
# run.sh PROGRAM... SCRIPT.sh... - the tests on Windows, in wine ($EXEC), and a
# line about them for the table of all machines: $FOLDER/win32.row.
#
# What lies in paths is UTF-8, which wine knows from the locale.
set -u
export LC_ALL=C.UTF-8
export FOLDER=${FOLDER:-build/machines} MACHINE=win32
mkdir -p "$FOLDER"
FOLDER=$(cd "$FOLDER" && pwd)
rm -f "$FOLDER/win32.row" "$FOLDER/win32.said"
# The reader of JSON and the like are this machine's own.
export CC=cc SANITIZE= JSON_EXEC=
began=$SECONDS
bash tests/run.sh "$@" | tee "$FOLDER/win32.log"
code=${PIPESTATUS[0]}
set -- $(tail -n 1 "$FOLDER/win32.log" | tr -dc '0-9 ')
echo "win32 little 64 $1 $2 $3 $((SECONDS - began))" >"$FOLDER/win32.row"
exit "$code"
