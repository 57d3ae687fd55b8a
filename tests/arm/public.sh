#!/usr/bin/env bash
# public.sh OBJECT... - what makes the linker keep every public function.
set -euo pipefail
"${ARM_LTO_NM:-arm-none-eabi-gcc-nm}" --defined-only "$@" |
    awk '$2 == "T" && $3 ~ /^spn_[a-z]/ { print "-Wl,-u," $3 }' | sort -u
