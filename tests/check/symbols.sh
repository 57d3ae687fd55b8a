#!/usr/bin/env bash
# symbols.sh LIBRARY [SYMBOLS] - check the symbols that a library needs and defines.
#
#   undefined   allowed are the four memory functions, libgcc's helpers, and
#               SYMBOLS (an extended regular expression; LZ4's decoder when
#               missing). SYMBOLS of "system", for the platform of an operating
#               system, allows all but allocation
#   defined     only spn_ and spn__ names
#   data        no writable data, initialised or not
set -u
library=${1:?usage: symbols.sh LIBRARY [SYMBOLS]}
symbols=${2:-LZ4_decompress_safe}
allocation='malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strn?dup|mmap(64)?|s?brk|(__imp_)?(Heap|Virtual|Global|Local)Alloc(Ex)?'
failed=0
[ -f "$library" ] || {
    echo "$library: no such library"
    exit 1
}

defined=$(nm -g --defined-only "$library" | awk 'NF == 3 {print $3}' | sort -u)
undefined=$(nm -u "$library" | awk '$1 == "U" {print $2}' | sort -u)
outside=$(comm -23 <(printf '%s\n' "$undefined") <(printf '%s\n' "$defined"))
if [ "$symbols" = system ]; then
    wanted=$(printf '%s\n' "$outside" | grep -xE "$allocation")
else
    wanted=$(printf '%s\n' "$outside" |
        grep -vxE 'memcpy|memmove|memset|memcmp|'"$symbols"'|__u?(div|mod|divmod)[dst]i[34]?|_GLOBAL_OFFSET_TABLE_')
fi
if [ -n "$wanted" ]; then
    echo "$library: undefined symbols that are not allowed:" $wanted
    failed=1
fi
foreign=$(printf '%s\n' "$defined" | grep -vE '^spn_' || true)
if [ -n "$foreign" ]; then
    echo "$library: global names without the prefix:" $foreign
    failed=1
fi
# Sections that a program can write. Constant tables of pointers (.data.rel.ro) become
# read-only when the program is loaded.
state=$(size -A "$library" | awk '$1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {print $1 " " $2 " bytes"}')
if [ -n "$state" ]; then
    echo "$library: writable data: $state"
    failed=1
fi
[ "$failed" = 0 ] && echo "$(basename "$library"): ok ($(printf '%s\n' "$defined" | wc -l) defined, outside: $(printf '%s ' $outside))"
exit "$failed"
