#!/bin/sh
# source.sh - download source packages of this machine's Debian version, for builds that
# cannot use its binaries: bare metal and other machines.
#
#   source.sh FOLDER PACKAGE...      writes FOLDER/PACKAGE/...
#
# The list of source packages is derived from the machine's own sources of binary
# packages. It is kept in FOLDER, like all other output.
set -eu
folder=${1:?usage: source.sh FOLDER PACKAGE...}
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
exec 9>"$folder/lock"
flock 9

missing=
for package in "$@"; do
    [ -d "$folder/$package" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

list=$folder/etc/sources.list
parts=$folder/etc/sources.list.d
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/etc"
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
    apt-get -q -o Acquire::Retries=3 -o Dir::Etc::sourcelist="$list" \
        -o Dir::Etc::sourceparts="$parts" \
        -o Dir::State::lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" \
        -o APT::Sandbox::User=root "$@"
}
# A mirror may not have all files of the newest version. Then take the version before.
fetch_one() {
    for version in $(apt-cache -o Dir::Etc::sourcelist="$list" \
        -o Dir::Etc::sourceparts="$parts" -o Dir::State::lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" showsrc "$1" |
        sed -n 's/^Version: //p' | sort -urV); do
        rm -rf "$folder/fetch"
        mkdir "$folder/fetch"
        if (cd "$folder/fetch" && apt source "$1=$version"); then
            mv "$folder"/fetch/*/ "$folder/$1"
            rm -rf "$folder/fetch"
            return 0
        fi
    done
    return 1
}
fetch() {
    apt update || return 1
    for package in $missing; do
        fetch_one "$package" || return 1
    done
}
fetch >"$folder/log" 2>&1 || {
    tail -n 20 "$folder/log" >&2
    echo "source.sh: could not fetch the source of:$missing" >&2
    exit 1
}
