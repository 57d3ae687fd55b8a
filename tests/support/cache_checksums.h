/* cache_checksums.h - where the checksums of a cache are, and making them
 * right.
 *
 * Tests damage a cache and then correct its checksums, so that the damage
 * reaches the code behind them. Nothing here validates: a file may say
 * anything.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CACHE_CHECKSUMS_H
#define TESTS_SUPPORT_CACHE_CHECKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offsets and counts, as the header has them; none leads out of the file. */
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

/* False: the header names places outside the file. */
bool cache_parts_find(const uint8_t *data, size_t size, struct cache_parts *p);

/* Bytes of the frame at place `stored` of the frame table, and the offset where
 * it starts; 0: outside the file. */
size_t cache_parts_frame(const uint8_t *data, size_t size,
                         const struct cache_parts *p, uint32_t stored,
                         size_t *start);

/* Correct all checksums that can be found: of blocks, directories, blobs, frame
 * table, tables and header, in the file as it is now. */
void cache_checksums_correct(uint8_t *data, size_t size);

/* The same for one frame, whose directory has `block_count` entries. */
void cache_checksums_correct_frame(uint8_t *frame, size_t bytes,
                                   uint32_t block_count);

/* One checksum of a good cache. */
struct cache_checksum {
    size_t at;     /* offset of the checksum */
    size_t offset; /* of the bytes that it covers */
    size_t bytes;
};

/* All checksums of a good cache, to be corrected after damage that may have
 * changed sizes, too. */
struct cache_checksums {
    struct cache_parts parts;
    /* Of frames in display order: those of their blocks, then that of the
     * directory. Then those of blobs, the frame table, the tables, the header.
     */
    struct cache_checksum *list;
    size_t count;
    size_t *directories; /* offset of each frame, in display order */
};

void cache_checksums_find(struct cache_checksums *checksums,
                          const uint8_t *bytes, size_t size);
void cache_checksums_free(struct cache_checksums *checksums);
/* Correct the checksums at these places. */
void cache_checksums_apply(const struct cache_checksums *checksums,
                           uint8_t *bytes);

#endif
