/* name_hash.c - the hash of the name of a scene node. */
/* SPDX-License-Identifier: MIT */
#include "cache/name_hash.h"

#include "base/hash64.h"

uint64_t spn__name_hash(const char *name)
{
    uint32_t bytes = 0;

    while (bytes < NAME_HASH_BYTES_MAX && name[bytes])
        bytes++;
    return spn__hash64(name, bytes, 0);
}
