#!/usr/bin/env bash
# size.sh FOLDER NAME:[CODE_MAX]... - print the size of the runtime on a bare Cortex-M,
# with different sets of features. FOLDER/NAME has image.elf, its linker map and the
# compiler's call graphs. Fails when a limit is exceeded.
#
#   code     bytes of Spindle's instructions and constants in the image: the
#            runtime, the platform, LZ4's decoder, and the compiler's library
#            functions that these need. Without the four memory functions, and
#            without the emulated drive, because a game has a real one.
#   feature  bytes that the image without the feature saves
#   worker   bytes of memory for each worker, without workspaces of codecs
#   stack    bytes of each thread's stack, from the call graphs (stack.awk)
#
# Compiled with -Os -flto and linked with --gc-sections. Fails when there is writable
# data.
set -eu
folder=${1:?usage: size.sh FOLDER NAME:CODE_MAX...}
shift
stack_max=8192
failed=0

too_much() {
    echo "size: $1: $2 is more than $3"
    failed=1
}
# code FOLDER: read the linker's map: section, address, size, object. A long section
# name has a line of its own. Discarded sections come before the memory map.
code() {
    awk '
        /^Linker script and memory map/ { is_map = 1 }
        !is_map { next }
        /^\.[a-z]/ { section = $1 }
        section != ".text" && section != ".rodata" { next }
        / \*fill\* / { bytes += number($3); next }
        /^ \.[^ ]+$/ { is_split = 1; next }
        /^ \.[^ ]+ +0x/ { add($3, $4); next }
        is_split && /^ +0x/ { add($2, $3) }
        { is_split = 0 }
        function number(hex,    i, value) {
            hex = tolower(substr(hex, 3))
            for (i = 1; i <= length(hex); i++)
                value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return value
        }
        function add(hex, object) {
            if (object !~ /mem_functions\.o$/)
                bytes += number(hex)
        }
        END { print bytes + 0 }' "$1/image.map"
}
# written FOLDER: bytes of writable data.
written() {
    "${ARM_SIZE:-arm-none-eabi-size}" -A "$1/image.elf" |
        awk '$1 == ".data" || $1 == ".bss" { bytes += $2 } END { print bytes + 0 }'
}
worker() {
    "${ARM_LTO_NM:-arm-none-eabi-gcc-nm}" -S -t d "$1/tests/arm/worker.o" |
        awk '$NF == "size_worker" { print $2 - 1 }'
}
# stacks FOLDER IS_WHOLE: stacks of the caller's thread, the io thread and a worker.
stacks() {
    "${ARM_NM:-arm-none-eabi-nm}" "$1/image.elf" |
        awk -v entries='spn_* io_main worker_main' -v is_whole="$2" -f tests/arm/stack.awk tests/arm/calls.txt - \
            "$1"/*.ci "$folder"/../lz4.ci "$folder"/../tests/check/mem_functions.ci
}

whole=0
printf '%-28s %7s %7s %8s %8s %15s\n' "" code budget feature worker "stack: caller io worker"
for size; do
    name=${size%%:*} budget=${size##*:}
    image=$folder/$name
    bytes=$(code "$image")
    [ "$name" != everything ] || whole=$bytes
    feature=
    case $name in without_*) [ "$whole" = 0 ] || feature=$((whole - bytes)) ;; esac
    stacks=$(stacks "$image" "$([ "$name" = everything ] && echo 1 || echo 0)") || {
        echo "$stacks"
        exit 1
    }
    mapfile -t depths < <(printf '%s\n' "$stacks" | awk '{ print $2 }')
    printf '%-28s %7s %7s %8s %8s   %5s %5s %5s\n' "$name" "$bytes" "${budget:--}" "${feature:--}" \
        "$(worker "$image")" "${depths[@]}"
    [ -z "$budget" ] || [ "$bytes" -le "$budget" ] || too_much "$name" "code of $bytes" "$budget"
    [ "$(written "$image")" = 0 ] || too_much "$name" "written data of $(written "$image")" 0
    for depth in "${depths[@]}"; do
        [ "$depth" -le "$stack_max" ] || {
            too_much "$name" "a stack of $depth" "$stack_max"
            printf '%s\n' "$stacks"
        }
    done
done
exit "$failed"
