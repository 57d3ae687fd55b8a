#!/usr/bin/env bash
# public.sh OBJECT... - print the public functions that the objects define.
set -euo pipefail
"${ARM_LTO_NM:-arm-none-eabi-gcc-nm}" --quiet --defined-only "$@" |
    awk '$2 == "T" && $3 ~ /^spn_[a-z]/ { print $3 }' | sort -u
