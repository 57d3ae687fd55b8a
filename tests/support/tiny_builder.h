/* tiny_builder.h - a file that the tiny_*.c files write. The functions are in
 * tiny_cache.c. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TINY_BUILDER_H
#define TESTS_TINY_BUILDER_H

#include "support/tiny_cache.h"

struct grow {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

struct builder {
    struct tiny_cache *tiny;
    struct tiny_options o;
    struct grow out;
    uint32_t mesh_total; /* includes the static mesh */
    uint32_t part_count;
    struct cache_tile *tiles;
    struct cache_part *parts;
    struct cache_block *blocks;
    uint32_t block_count;
    struct cache_blob *blobs;
    uint32_t blob_count;
    uint32_t index_count; /* for each mesh */
    struct grow names;
    struct grow blob_bytes;
};

/* Append bytes; zeros when `data` is NULL. Returns their place, valid until the
 * next call. */
void *tiny_grow(struct grow *g, const void *data, size_t bytes);
/* Compress a block. Returns the stored size, with the raw bit. */
uint32_t tiny_pack(const struct tiny_options *o, const void *raw,
                   uint32_t raw_bytes, uint8_t *out);

#endif
