/* mend_cache.h - caches whose bytes are wrong and whose checksums are right. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MEND_CACHE_H
#define TESTS_FUZZ_MEND_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the parts of a cache lie, by a header that may say anything but what
 * leads out of the file. */
struct cache_parts {
    size_t frame_table;
    size_t tables;
    size_t blobs;
    size_t frames;
    size_t directory_bytes;
    uint32_t frame_count;
    uint32_t blob_count;
    uint32_t block_count;
};

/* False: the header is too wrong. */
bool cache_parts_find(const uint8_t *data, size_t size, struct cache_parts *p);

/* Bytes of the frame that stands at `stored` in the frame table, and where it
 * begins; 0: not in the file. */
size_t cache_parts_frame(const uint8_t *data, size_t size,
                         const struct cache_parts *p, uint32_t stored,
                         size_t *start);

/* Make right what can be found of the checksums of blocks, blobs,
 * directories, tables and header. */
void mend_cache(uint8_t *data, size_t size);

/* The same of one frame: its directory has `block_count` entries. */
void mend_frame(uint8_t *frame, size_t bytes, uint32_t block_count);

#endif
