#!/usr/bin/env bash
# size.sh FOLDER WHOLE - how large the image for the bare Cortex-M is, by parts,
# and how deep its stacks are. Fails where a budget is exceeded.
#
#   code     instructions and constants of what a game has of Spindle: the
#            runtime, the platform, LZ4's decoder, and what these need of the
#            compiler's library. Not the game (the playing program, its four
#            memory functions), nor the emulated drive, in whose stead a game
#            has a real one, nor the caches that lie in the image. Runtime and
#            platform are optimized as one (.ltrans.o), so they are one part.
#   data     all that is written to and has a place of its own, in the whole
#            image; not the block that the runtime is given.
#   stack    of each thread, from the compiler's call graphs (stack.awk). What
#            the image measures of its own thread is test_arm.sh's.
#
# WHOLE has the image in which every public function is kept: paks, recording
# and guards, too. It has the same budgets.
set -eu
folder=${1:?usage: size.sh FOLDER WHOLE}
whole=${2:?usage: size.sh FOLDER WHOLE}
code_max=131072 data_max=1024 stack_max=8192
failed=0

# The linker's map: section, address, size, object; long names have a line of
# their own. What was dropped stands before the memory map.
parts() {
    awk '
        /^Linker script and memory map/ { is_map = 1 }
        !is_map { next }
        /^\.[a-z]/ { section = $1 }
        section != ".text" && section != ".rodata" { next }
        / \*fill\* / { parts["padding"] += strtonum_($3); next }
        /^ \.[^ ]+$/ { is_split = 1; next }
        /^ \.[^ ]+ +0x/ { add($3, $4); next }
        is_split && /^ +0x/ { add($2, $3) }
        { is_split = 0 }
        function strtonum_(hex,    i, value) {
            hex = tolower(substr(hex, 3))
            for (i = 1; i <= length(hex); i++)
                value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return value
        }
        function add(hex, object,    part) {
            part = "game"
            if (object ~ /\/runtime\/io\/(emulator[a-z_]*|emulated_drive|drive)\.o$/) part = "emulator"
            else if (object ~ /\/(runtime|platform)\/|\.ltrans\.o$/) part = "runtime"
            else if (object ~ /\/lz4\.o$/) part = "lz4"
            else if (object ~ /libgcc\.a/) part = "libgcc"
            parts[part] += strtonum_(hex)
        }
        END { for (part in parts) print part, parts[part] }' "$1/image.map"
}
# section FOLDER NAME
section() {
    "${ARM_SIZE:-arm-none-eabi-size}" -A "$1/play_hashes.elf" |
        awk -v name="$2" '$1 == name { bytes = $2 } END { print bytes + 0 }'
}
budget() {
    printf '%-32s %6d of %6d bytes' "$1" "$2" "$3"
    if [ "$2" -le "$3" ]; then echo; else echo "  TOO MUCH" && failed=1; fi
}

# Count the parts of an image into code and others. FOLDER
count() {
    code=0 others=0
    while read -r part bytes; do
        case $part in
        game | emulator) others=$((others + bytes)) ;;
        *) code=$((code + bytes)) ;;
        esac
        [ "$1" != "$folder" ] || printf '  %-30s %6d\n' "code: $part" "$bytes"
    done < <(parts "$1" | sort)
    all=$(($(section "$1" .text) + $(section "$1" .rodata)))
    # Strings that are equal are kept once, which the map does not show.
    [ "$((code + others))" -ge "$all" ] || {
        echo "size: $((all - code - others)) bytes of $1 are in no part"
        failed=1
    }
}
# stacks FOLDER IS_WHOLE: graphs older than the flags are of objects that were built
# in another way.
stacks() {
    local list graphs
    mapfile -t graphs < <(find "$folder" -name '*.ci' -newer tests/arm/arm.mk ! -name '*.ltrans.ci')
    list=$("${ARM_NM:-arm-none-eabi-nm}" "$1/play_hashes.elf" |
        awk -v entries='spn_* io_main worker_main reset' -v is_whole="$2" -f tests/arm/stack.awk tests/arm/calls.txt - \
            "${graphs[@]}" "$1"/*.ltrans.ci) || {
        echo "$list"
        exit 1
    }
    while read -r entry bytes way; do
        case $entry in
        spn_\*) title="stack: the caller's thread" ;;
        io_main) title="stack: the io thread" ;;
        worker_main) title="stack: a worker" ;;
        reset) title="stack: the game without threads" ;;
        esac
        budget "$title" "$bytes" "$stack_max"
        printf '    %s\n' "$way"
    done <<<"$list"
}

count "$folder"
printf '  %-30s %6d\n' "code: the whole image" "$all"
budget "code of the runtime" "$code" "$code_max"
budget "static data" $(($(section "$folder" .data) + $(section "$folder" .bss))) "$data_max"
stacks "$folder" 0
echo "with every public function: paks, records of reads, guards"
count "$whole"
printf '%-32s %6d bytes\n' "code of the runtime" "$code"
budget "static data" $(($(section "$whole" .data) + $(section "$whole" .bss))) "$data_max"
stacks "$whole" 1
exit "$failed"
