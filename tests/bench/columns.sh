#!/usr/bin/env bash
# columns.sh FILE ROWS COLUMN... - print columns of a benchmark's CSV, aligned.
#
# ROWS is a pattern of grep -E that selects lines after the first one; "" selects all.
# The header is the first line that contains the first COLUMN. Lines before it are ignored.
set -eu
file=${1:?usage: columns.sh FILE ROWS COLUMN...} rows=$2
shift 2
[ $# != 0 ] || { echo "columns.sh: which columns?" >&2; exit 2; }
sed -n "/^\(.*,\)\?$1,/,\$p" "$file" | awk -F, -v wanted="$(printf '%s,' "$@")" -v rows="$rows" '
    NR == 1 {
        count = split(wanted, names, ",") - 1
        for (i = 1; i <= NF; i++) at[$i] = i
        for (k = 1; k <= count; k++)
            if (!(names[k] in at)) { print "columns.sh: no column " names[k] | "cat >&2"; exit 1 }
    }
    NR == 1 || rows == "" || $0 ~ rows {
        shown++
        for (k = 1; k <= count; k++) {
            cell[shown, k] = $(at[names[k]])
            if (length(cell[shown, k]) > width[k]) width[k] = length(cell[shown, k])
        }
    }
    END {
        for (r = 1; r <= shown; r++) {
            line = ""
            for (k = 1; k <= count; k++)
                line = line sprintf(k == 1 ? "%-*s" : "  %*s", width[k], cell[r, k])
            print line
        }
    }'
