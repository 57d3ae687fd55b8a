#!/bin/sh
# lz4_source.sh - fetch the LZ4 source that this machine's Debian was built
# from, for builds that cannot use its liblz4.a (freestanding, cross).
#
#   lz4_source.sh FOLDER      leaves FOLDER/lz4/lib/lz4.c, lz4.h
#
# The list of source packages is derived from the machine's own list of
# binary packages and lives in FOLDER, like everything else that is written.
set -eu
folder=${1:?usage: lz4_source.sh FOLDER}
[ -f "$folder/lz4/lib/lz4.c" ] && exit 0
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/etc"
folder=$(cd "$folder" && pwd)

list=$folder/etc/sources.list
parts=$folder/etc/sources.list.d
rm -rf "$parts"
mkdir -p "$parts"
: >"$list"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    grep -E '^deb[[:space:]].*debian' "$file" |
        sed 's/^deb[[:space:]]/deb-src /' >>"$list" || true
done
for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    grep -q '^URIs:.*debian' "$file" || continue
    sed 's/^Types:.*/Types: deb-src/' "$file" >"$parts/$(basename "$file")"
done

apt() {
    apt-get -q -o Dir::Etc::sourcelist="$list" \
        -o Dir::Etc::sourceparts="$parts" \
        -o Dir::State::lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" \
        -o APT::Sandbox::User=root "$@"
}
{
    apt update
    cd "$folder"
    apt source lz4
} >"$folder/log" 2>&1 || {
    tail -n 20 "$folder/log" >&2
    echo "lz4_source.sh: could not fetch the source of lz4" >&2
    exit 1
}
rm -rf "$folder/lz4"
mv "$folder"/lz4-*/ "$folder/lz4"
test -f "$folder/lz4/lib/lz4.c"
