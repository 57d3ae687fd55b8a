# stack.awk - the deepest stack below a function, from what the compiler knows.
#
#   nm IMAGE | awk -v entries="reset io_main" -f stack.awk calls.txt - FILE.ci...
#
# Reads gcc's call graphs (-fcallgraph-info=su): how much stack each function
# takes and whom it calls. A call through a pointer goes to all that calls.txt
# says under the pointer's name, which stands in the source at that place.
# Equal functions are one, with one frame: nm has their names at one address.
# Fails where it does not know: a pointer without a line, a function without a
# frame, a cycle. Prints "ENTRY BYTES" and the way down to the deepest.
FILENAME == ARGV[1] {
    sub(/#.*/, "")
    if (NF == 0)
        next
    for (i = 2; i <= NF; i++)
        reach[$1] = reach[$1] " " $i
    next
}
FILENAME == ARGV[2] {
    address[$3] = $1
    next
}
/^node:/ {
    split($0, part, "\"")
    if (match(part[4], /[0-9]+ bytes \([a-z,]*\)/)) {
        text = substr(part[4], RSTART, RLENGTH)
        if (text ~ /\(dynamic\)/)
            die(part[2] " takes as much stack as it likes")
        if (!(part[2] in frame) || text + 0 > frame[part[2]])
            frame[part[2]] = text + 0
        # "name\nfile:line:column\nbytes"
        split(part[4], label, /\\n/)
        name = label[1]
        file = label[2]
        sub(/:.*/, "", file)
        sub(/.*\//, "", file)
        name_of[part[2]] = name
        named[name] = named[name] " " part[2]
        named[file ":" name] = named[file ":" name] " " part[2]
        if (symbol(part[2]) in address)
            framed[address[symbol(part[2])]] = part[2]
    }
}
/^edge:/ {
    split($0, part, "\"")
    if (part[4] == "__indirect_call")
        callees[part[2]] = callees[part[2]] " @" part[6]
    else
        callees[part[2]] = callees[part[2]] " " part[4]
}
# "file:function.suffix" -> "function.suffix", as the linker has it
function symbol(f) {
    sub(/.*:/, "", f)
    return f
}
function die(text) {
    print "stack: " text
    failed = 1
    exit 1
}
# "file:line:column" -> "file:pointer"
function pointer_at(place,    at, line, i, text) {
    split(place, at, ":")
    if (!(at[1] in lines)) {
        for (i = 1; (getline line < at[1]) > 0; i++)
            source[at[1], i] = line
        close(at[1])
        lines[at[1]] = 1
    }
    text = substr(source[at[1], at[2]], at[3])
    if (!match(text, /[A-Za-z_0-9]+(\[[a-z]*\])?\)?\(/))
        die("no call through a pointer at " place)
    text = substr(text, RSTART, RLENGTH)
    sub(/[[)(].*/, "", text)
    sub(/.*\//, "", at[1])
    return at[1] ":" text
}
# The functions that a name of calls.txt stands for.
function resolve(pointer, place,    short, all, i, count, name, found) {
    short = pointer
    sub(/.*:/, "", short)
    if (!(pointer in reach))
        pointer = short
    if (!(pointer in reach))
        die("calls.txt does not know where " short " leads, called at " place)
    count = split(reach[pointer], name, " ")
    for (i = 1; i <= count; i++) {
        if (name[i] == "-")
            continue
        if (name[i] in named)
            found = found named[name[i]]
        else if (is_whole)
            die("no function " name[i] ", which calls.txt has for " pointer)
    }
    return found
}
function depth(f,    all, i, count, name, below, deepest) {
    if (f in known)
        return known[f]
    if (f in is_open)
        die("a cycle through " f)
    if (!(f in frame) && symbol(f) in address && address[symbol(f)] in framed)
        return depth(framed[address[symbol(f)]])
    # libgcc's have no call graph. Their disassembly: 48 bytes at most, the
    # division of 64 bits with what it calls.
    if (!(f in frame) && f ~ /^__aeabi_/)
        frame[f] = 64
    if (!(f in frame))
        die("no frame of " f)
    is_open[f] = 1
    all = callees[f]
    count = split(all, name, " ")
    all = ""
    for (i = 1; i <= count; i++)
        all = all " " (name[i] ~ /^@/ ? resolve(pointer_at(substr(name[i], 2)), name[i]) : name[i])
    count = split(all, name, " ")
    for (i = 1; i <= count; i++) {
        below = depth(name[i])
        if (below > deepest) {
            deepest = below
            next_of[f] = name[i]
        }
    }
    delete is_open[f]
    known[f] = frame[f] + deepest
    return known[f]
}
END {
    if (failed)
        exit 1
    count = split(entries, entry, " ")
    for (i = 1; i <= count; i++) {
        all = named[entry[i]]
        if (entry[i] == "spn_*") {
            for (f in name_of)
                if (name_of[f] ~ /^spn_[a-z]/)
                    all = all " " f
        }
        if (all == "")
            die("no function " entry[i])
        deepest = 0
        total = split(all, first, " ")
        for (k = 1; k <= total; k++)
            if (depth(first[k]) > deepest) {
                deepest = depth(first[k])
                top = first[k]
            }
        printf "%s %d", entry[i], deepest
        for (f = top; f != ""; f = next_of[f]) {
            short = symbol(f)
            printf " %s(%d)", short, frame[f]
        }
        print ""
    }
}
