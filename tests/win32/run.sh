#!/usr/bin/env bash
# run.sh PROGRAM... SCRIPT.sh... - run the tests for Windows by wine ($EXEC), and write
# a line for the table of all machines to $FOLDER/win32.row.
#
# Paths are UTF-8. Wine takes the encoding from the locale.
set -u
export LC_ALL=C.UTF-8
export FOLDER=${FOLDER:-build/machines} MACHINE=win32
mkdir -p "$FOLDER"
FOLDER=$(cd "$FOLDER" && pwd)
rm -f "$FOLDER/win32.row" "$FOLDER/win32.said"
# Helper programs, such as the reader of JSON, are built for this machine and run
# without wine.
export CC=cc SANITIZE= JSON_EXEC=
began=$SECONDS
bash tests/run.sh "$@" | tee "$FOLDER/win32.log"
code=${PIPESTATUS[0]}
set -- $(tail -n 1 "$FOLDER/win32.log" | tr -dc '0-9 ')
echo "win32 little 64 $1 $2 $3 $((SECONDS - began))" >"$FOLDER/win32.row"
exit "$code"
