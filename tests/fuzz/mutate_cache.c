/* mutate_cache.c - change one part of a cache, and usually correct its
 * checksums.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/mutate_cache.h"

#include "cache/cache_header.h"
#include "fuzz/fuzz.h"
#include "support/cache_checksums.h"

static void mutate_frame(uint8_t *data, size_t size,
                         const struct cache_parts *p, unsigned *seed)
{
    size_t start;
    size_t bytes;

    if (p->frame_count == 0)
        return;
    bytes = cache_parts_frame(data, size, p, fuzz_pick(seed, p->frame_count),
                              &start);
    if (bytes == 0)
        return;
    if (fuzz_pick(seed, 2))
        fuzz_mutate_inside(data, start, start + p->directory_bytes);
    else
        fuzz_mutate_inside(data, start + p->directory_bytes, start + bytes);
}

size_t mutate_cache(uint8_t *data, size_t size, size_t size_max, unsigned seed)
{
    const uint32_t way = fuzz_pick(&seed, 10);
    struct cache_parts p;

    if (!cache_parts_find(data, size, &p) || way == 0)
        size = LLVMFuzzerMutate(data, size, size_max);
    else if (way == 1)
        fuzz_mutate_inside(data, 0, CACHE_HEADER_BYTES - 4);
    else if (way <= 3)
        fuzz_mutate_inside(data, p.frame_table, p.tables);
    else if (way <= 5)
        fuzz_mutate_inside(data, p.tables, p.blobs);
    else if (way <= 7)
        fuzz_mutate_inside(data, p.blobs, p.frames);
    else
        mutate_frame(data, size, &p, &seed);
    if (fuzz_pick(&seed, 16) > 0)
        cache_checksums_correct(data, size);
    return size;
}
