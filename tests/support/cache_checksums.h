/* cache_checksums.h - find and correct the checksums of a cache.
 *
 * Tests damage a cache and then correct its checksums, so that the damage
 * reaches the code that runs after the checksum test. These functions do not
 * validate: the file may contain any values.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CACHE_CHECKSUMS_H
#define TESTS_SUPPORT_CACHE_CHECKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offsets and counts of the header. All lie within the file. */
struct cache_parts {
    size_t frame_table;
    size_t tables;
    size_t blobs;
    size_t frames;
    size_t directory_bytes; /* with the boxes */
    uint32_t frame_count;
    uint32_t blob_count;
    uint32_t block_count;
};

/* False when the header names places outside of the file. */
bool cache_parts_find(const uint8_t *data, size_t size, struct cache_parts *p);

/* Bytes of the frame at index `stored` of the frame table, and its offset; 0
 * when it lies outside of the file. */
size_t cache_parts_frame(const uint8_t *data, size_t size,
                         const struct cache_parts *p, uint32_t stored,
                         size_t *start);

/* Correct all checksums that can be found in the file as it is: of blocks,
 * directories, blobs, the frame table, the tables and the header. */
void cache_checksums_correct(uint8_t *data, size_t size);

/* Correct the checksums of one frame, whose directory has `block_count` entries
 * and `directory_bytes`. */
void cache_checksums_correct_frame(uint8_t *frame, size_t bytes,
                                   uint32_t block_count,
                                   size_t directory_bytes);

/* One checksum of a good cache. */
struct cache_checksum {
    size_t at;     /* offset of the checksum */
    size_t offset; /* offset of the bytes that it covers */
    size_t bytes;
};

/* The checksums of a good cache. They can be corrected after damage that also
 * changes sizes. */
struct cache_checksums {
    struct cache_parts parts;
    /* For each frame in display order the checksums of its blocks, then that of
     * its directory. Then those of blobs, the frame table, the tables and the
     * header.
     */
    struct cache_checksum *list;
    size_t count;
    size_t *directories; /* offset of each frame's directory, in display
                          * order */
};

void cache_checksums_find(struct cache_checksums *checksums,
                          const uint8_t *bytes, size_t size);
void cache_checksums_free(struct cache_checksums *checksums);
/* Correct the checksums at these places. */
void cache_checksums_apply(const struct cache_checksums *checksums,
                           uint8_t *bytes);

#endif
