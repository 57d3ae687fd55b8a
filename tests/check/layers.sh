#!/usr/bin/env bash
# layers.sh [BUILD] - check the folders of runtime and offline against the order in layers.txt.
#
#   includes  of the sources
#   calls     of the objects below BUILD, by their symbols (static names repeat
#             across files, so source text cannot show them)
#
# A folder may use itself and the folders before it in the list. Every .c file of the runtime has a
# header of the same name beside it or in include/spindle, except entry points (api_*.c), kernels of
# one instruction set, and block codecs (spindle/codec.h). A header has at most 350 lines, except
# kernel templates (*_vector.h) and public headers. The output has for each folder its .c files, its
# lines and the folders that it uses. What stage_*.c of runtime/read/stage defines is called only by
# the same file, by step.c, and by io_finish.c: the latter drives on the caller's thread the stages
# READ_AWAITS_BLOCK and READ_COMPLETING (stage/step.h). For runtime/play and runtime/read it also has the largest call
# cycle of files; at most 4 files in runtime/play.
set -u
build=${1:-}
list=${LAYERS:-tests/check/layers.txt}

sources() { find runtime offline -name '*.[ch]' | sort; }
symbols() {
    [ -n "$build" ] || return 0
    # A build folder may contain objects of sources that no longer exist.
    (cd "$build" && find runtime offline -name '*.o' | sort) | while IFS= read -r object; do
        [ ! -f "${object%.o}.c" ] || printf '%s\n' "$object"
    done | (cd "$build" && xargs nm -A -P 2>/dev/null)
}
{
    sources | xargs wc -l | awk '$2 != "total" { print "file", $2, $1 }'
    sources | xargs grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]+[<"][^>"]+[>"]' |
        sed -E 's/^([^:]*):.*([<"])([^>"]+)[>"]$/include \1 \2\3/'
    symbols | sed -nE 's/^([^:]*)\.o: ([^ ]+) ([A-Za-z]).*$/symbol \1.c \2 \3/p'
} | awk -v list="$list" '
    function folder_of(path) { sub("/[^/]*$", "", path); return path }
    function fail(text) { print "layers: " text; failed = 1 }
    function use(from, to, why,    a, b) {
        a = folder_of(from); b = folder_of(to)
        if (a == b || (a, b, "seen") in uses) return
        uses[a, b, "seen"] = 1
        if (!(a in rank) || !(b in rank)) return
        if (rank[b] > rank[a] || (a in only && index(only[a], " " b " ") == 0))
            fail(from ": " why ": may not use " b)
        used[a] = used[a] " " b
    }
    # The largest set of files in a folder that all reach each other by calls.
    function largest_cycle(folder, most,    n, i, j, k, size, set, largest, files, file, reach, pair, seen) {
        for (i in calls_of) {
            split(i, pair, SUBSEP)
            if (folder_of(pair[1]) != folder || folder_of(pair[2]) != folder) continue
            for (k = 1; k <= 2; k++) if (!(pair[k] in seen)) { seen[pair[k]] = 1; file[++n] = pair[k] }
            reach[pair[1], pair[2]] = 1
        }
        for (k = 1; k <= n; k++) for (i = 1; i <= n; i++)
            if ((file[i], file[k]) in reach) for (j = 1; j <= n; j++)
                if ((file[k], file[j]) in reach) reach[file[i], file[j]] = 1
        for (i = 1; i <= n; i++) {
            size = 0; set = ""
            for (j = 1; j <= n; j++)
                if (i != j && (file[i], file[j]) in reach && (file[j], file[i]) in reach) {
                    size++; set = set " " substr(file[j], length(folder) + 2)
                }
            if (size && size + 1 > largest) { largest = size + 1; files = " " substr(file[i], length(folder) + 2) set }
        }
        printf "%-32s %s\n", folder, largest ? "files in the largest call cycle: " largest ":" files : "no call cycle of files"
        if (most && largest > most) fail(folder ": a call cycle of more than " most " files")
    }
    BEGIN {
        while ((getline line < list) > 0) {
            if (line ~ /^#/ || line ~ /^ *$/) continue
            split(line, field, /  +/)
            rank[field[1]] = ++count
            names[count] = field[1]
            if (match(line, /only: [^|]*/))
                only[field[1]] = " " substr(line, RSTART + 6, RLENGTH - 6) " "
        }
    }
    $1 == "file" {
        is_file[$2] = 1
        lines[folder_of($2)] += $3
        if ($2 ~ /\.c$/) sources[folder_of($2)]++
        if (!(folder_of($2) in rank) && !(folder_of($2) in reported)) {
            fail(folder_of($2) ": not in " list)
            reported[folder_of($2)] = 1
        }
    }
    $1 == "include" {
        name = substr($3, 2)
        if (name in resolved) to = resolved[name]
        else {
            to = ""
            if (("runtime/" name) in is_file) to = "runtime/" name
            else if (("offline/" name) in is_file) to = "offline/" name
            else if (("runtime/include/" name) in is_file) to = "runtime/include/" name
            resolved[name] = to
        }
        if (to != "") use($2, to, "includes " name)
    }
    $1 == "file" && $2 ~ /\.h$/ && $2 !~ /(_vector\.h|^runtime\/include\/.*)$/ && $3 > 350 {
        fail($2 ": more than 350 lines")
    }
    $1 == "symbol" && $4 ~ /[A-TV-Z]/ { defined[$3] = $2 }
    $1 == "symbol" && $4 == "U" { caller[++calls] = $2; callee[calls] = $3 }
    # Whether a call breaks the rule that only their drivers call the stages of a read.
    function is_past_driver(from, to) {
        if (from == to || to !~ /^runtime\/read\/stage\/stage_[a-z]+\.c$/) return 0
        if (from == "runtime/read/stage/io_finish.c" && to ~ /\/stage_(block|completing)\.c$/) return 0
        return from != "runtime/read/stage/step.c"
    }
    function needs_header(path) {
        return path ~ /^runtime\/.*\.c$/ && path !~ /\/api_[a-z_]+\.c$|_(sse41|avx2|neon)\.c$|^runtime\/codecs\//
    }
    END {
        for (path in is_file) if (needs_header(path)) {
            header = path; sub(/c$/, "h", header)
            public = header; sub(/.*\//, "runtime/include/spindle/", public)
            if (!(header in is_file) && !(public in is_file)) fail(path ": no header of the same name")
        }
        for (i = 1; i <= calls; i++)
            if (callee[i] in defined) {
                use(caller[i], defined[callee[i]], "calls " callee[i])
                if (is_past_driver(caller[i], defined[callee[i]]))
                    fail(caller[i] ": calls " callee[i] ", which only step.c may call")
                if (caller[i] != defined[callee[i]]) calls_of[caller[i], defined[callee[i]]] = 1
            }
        for (i = 1; i <= count; i++) {
            name = names[i]
            if (!(name in lines)) { fail(list ": " name ": no such folder"); continue }
            text = used[name]
            gsub(/ runtime\/include\/spindle/, " spindle", text)
            printf "%-32s %3d .c %6d lines  uses:%s\n", name, sources[name], lines[name], text == "" ? " -" : text
            if (sources[name] > 30) fail(name ": more than 30 .c files")
            if (name ~ /^runtime/) { whole += lines[name]; if (lines[name] > largest) { largest = lines[name]; at = name } }
        }
        if (calls) { largest_cycle("runtime/play", 4); largest_cycle("runtime/read", 0) }
        if (largest * 4 > whole) fail(at ": more than a quarter of the runtime")
        if (!failed) print "layers: ok (" count " folders, " (calls ? "includes and calls" : "includes") ", without a cycle)"
        exit failed
    }'
