/* tiny_cache.h - small caches written byte by byte, with their true values.
 *
 * Every value is a function of frame, mesh, channel, vertex and component, so a
 * test can compare streamed values without decoding. The files are written from
 * the description of the format, not by the encoder. Index frames are spatial
 * or plain. B frames are temporal with all four references, in groups of
 * `distance` frames.
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
    uint32_t distance;    /* frames between index frames; default 10 */
    uint32_t mesh_count;  /* default 1 */
    uint32_t vertices;    /* of each mesh; default 300; parts have up to 8192 */
    uint32_t frame_us;    /* default 33333 */
    bool is_stored;       /* blocks are not compressed */
    uint32_t codec;       /* enum block_codec_id; default LZ4 */
    bool has_uvs;         /* with animated UVs */
    bool has_colors;      /* with static colours */
    bool has_attributes;  /* with static second UVs and animated velocities */
    bool has_static_mesh; /* with one more, static mesh */
    bool plays_from_memory;
    bool is_noisy;           /* values compress badly */
    bool is_same_everywhere; /* the same bytes on every machine */
    uint32_t seed;
    /* mesh 0 is hidden in the groups [hidden_first, hidden_limit) */
    uint32_t hidden_first;
    uint32_t hidden_limit;
};

struct tiny_cache {
    struct tiny_options options; /* with defaults applied */
    uint8_t *bytes;
    size_t size;
    uint32_t tile_count;
    uint32_t group_count;
    uint64_t *frame_offset; /* indexed by frame number */
    uint32_t *frame_bytes;
    uint32_t *frame_group;
    uint64_t frame_table_offset;
    uint64_t tables_offset;
    uint64_t blobs_offset;
    uint64_t frames_offset;
};

struct tiny_cache *tiny_build(const struct tiny_options *options);
/* A copy for tests that damage many caches: copying is faster than building. */
struct tiny_cache *tiny_copy(const struct tiny_cache *tiny);
void tiny_free(struct tiny_cache *tiny);

void tiny_write(const struct tiny_cache *tiny, const char *path);

/* Recompute the checksums of header and tables after a test has changed
 * bytes. */
void tiny_correct_checksums(struct tiny_cache *tiny);

#endif
