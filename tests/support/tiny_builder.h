/* tiny_builder.h - internal interface between the tiny_*.c files that write a
 * file. */
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

/* -- tiny_tables.c -- */

/* With several meshes, the node of the last one has a matrix. */
uint32_t tiny_affine_count(const struct builder *b);
uint32_t tiny_attribute_count(const struct builder *b);
bool tiny_is_affine(const struct builder *b, uint32_t mesh);
/* Lay out parts, tiles, blocks and blobs: each part is one tile. */
void tiny_lay_out(struct builder *b);
void tiny_add_blobs(struct builder *b);
/* Add an animated node for each mesh, under a constant root. */
void tiny_add_tables(struct builder *b);
/* Store the transform of a mesh's node. */
void tiny_store_row(const struct builder *b, uint32_t frame, uint32_t mesh,
                    void *wire);
/* Residuals of the spatial prediction, from the last vertex to the first. */
void tiny_predict_spatial(enum channel channel, uint32_t count, void *values);

/* -- tiny_frames.c -- */

void tiny_add_frame(struct builder *b, uint32_t frame);
void tiny_add_frame_entry(struct builder *b, uint32_t stored, uint32_t frame);

#endif
