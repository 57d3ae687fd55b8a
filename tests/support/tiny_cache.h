/* tiny_cache.h - small caches made byte by byte, with the truth beside them.
 *
 * Every value is a function of (frame, mesh, channel, vertex, component), so a
 * test can compare what was streamed with what it should be without decoding
 * anything itself. Written straight from the description of the file, not by
 * the encoder: index frames are spatial or plain, B frames temporal with all
 * four references, in groups of `distance` frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TINY_CACHE_H
#define TESTS_TINY_CACHE_H

#include "codec/channel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tiny_options {
    uint32_t frame_count; /* default 31 */
    uint32_t distance;    /* between index frames; default 10 */
    uint32_t mesh_count;  /* default 1 */
    uint32_t vertices;    /* of each mesh; default 300. Parts of 8192 */
    uint32_t frame_us;    /* default 33333 */
    bool is_stored;       /* no compression */
    uint32_t codec;       /* enum block_codec_id; default LZ4 */
    bool has_uvs;         /* animated */
    bool has_colors;      /* static */
    bool has_attributes;  /* second UVs (static), velocities (animated): the
                           * file is of version 7 */
    bool has_static_mesh; /* one more mesh that never changes */
    bool is_noisy;        /* values that compress badly */
    uint32_t seed;
    /* mesh 0 is hidden in the groups [hidden_first, hidden_limit) */
    uint32_t hidden_first;
    uint32_t hidden_limit;
};

struct tiny_cache {
    struct tiny_options options; /* with defaults filled in */
    uint8_t *bytes;
    size_t size;
    uint32_t tile_count;
    uint32_t group_count;
    uint64_t *frame_offset; /* by number */
    uint32_t *frame_bytes;
    uint32_t *frame_group;
    uint64_t frame_table_offset;
    uint64_t tables_offset;
    uint64_t blobs_offset;
    uint64_t frames_offset;
};

struct tiny_cache *tiny_build(const struct tiny_options *options);
/* For tests that damage many: building compresses, copying does not. */
struct tiny_cache *tiny_copy(const struct tiny_cache *tiny);
void tiny_free(struct tiny_cache *tiny);

/* Quantized values of `count` vertices from `first` on, as the file has them.
 * Mesh mesh_count is the static one. */
void tiny_values(const struct tiny_options *o, uint32_t frame, uint32_t mesh,
                 enum channel channel, uint32_t first, uint32_t count,
                 void *out);
uint32_t tiny_group_of(const struct tiny_options *o, uint32_t frame);
bool tiny_is_hidden(const struct tiny_options *o, uint32_t frame,
                    uint32_t mesh);
/* World translation of a mesh's node. */
void tiny_translation(const struct tiny_options *o, uint32_t frame,
                      uint32_t mesh, float out[3]);

/* Recompute the checksums of header and tables after a test changed bytes. */
void tiny_mend(struct tiny_cache *tiny);

#endif
