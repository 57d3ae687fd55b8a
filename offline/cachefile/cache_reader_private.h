/* cache_reader_private.h - what the files of the cache reader share. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CACHEFILE_CACHE_READER_PRIVATE_H
#define OFFLINE_CACHEFILE_CACHE_READER_PRIVATE_H

#include "cache/cache_lift.h"
#include "cachefile/cache_reader.h"
#include "codec/classic/predict.h"
#include "common/fault_text.h"
#include "fill/fill.h"
#include "host/host.h"

/* Frames that stay decoded: a B frame and its references, and some more so
 * that looking at a few frames in turn is cheap, too. */
#define READER_SLOTS 12u

/* What never changes of a mesh. */
struct reader_mesh {
    uint32_t *indices;
    uint8_t *reflection;
    uint8_t *channel[CHANNEL_COUNT];
};

/* A decoded frame: the values of each block. */
struct reader_slot {
    struct arena arena;
    uint32_t number;   /* CACHE_NONE: empty */
    uint64_t last_use; /* of the reader's clock */
    uint8_t **values;  /* per block; NULL: absent */
};

struct cache_reader {
    const char *path;
    struct diag *diag;
    struct host_map map;
    bool is_lent; /* the map is of the caller's memory */
    struct arena arena;
    struct cache_header header;
    struct cache_tables tables;
    struct cache_frame *frames;
    struct cache_group *groups;
    double *seconds;
    const spn_codec *codec;
    void *codec_workspace;
    uint8_t *channel_scratch;
    struct predict_ops predict;
    struct fill_ops fill;
    struct reader_mesh *meshes;
    struct predict_entry **entries; /* per tile; NULL: no predictor */
    struct lift_ops lift;
    uint8_t **lift_data; /* per blob; NULL: not one of lifted tiles */
    void *lift_workspace;
    uint64_t clock;
    uint32_t slot_count;
    struct reader_slot **slots;
    bool *is_wanted;    /* per frame of a group */
    uint32_t *last_use; /* rank of the last frame that refers to it; the anchor
                         * frame's comes last */
    struct arena view_arena;
    struct cache_reader_frame view; /* number CACHE_NONE: none */
};

/* A refusal by the door; `base`: offset of what it judged. `frame`: or
 * FAULT_NO_FRAME. */
bool cache_reader_refuse(const struct cache_reader *reader, uint64_t base,
                         uint32_t frame, const struct spn_fault *fault);

/* Decode all blobs. */
bool cache_reader_load_static(struct cache_reader *reader);

/* Unpack `stored` bytes at `offset` of the file into memory of an arena.
 * NULL after a refusal. */
void *cache_reader_unpack(struct cache_reader *reader, uint64_t offset,
                          uint32_t stored_bytes, uint32_t checksum, bool is_raw,
                          uint32_t component_bytes, uint32_t raw_bytes,
                          struct arena *arena, uint32_t frame);

/* The residuals of a channel of `count` vertices, in memory of the arena. */
void *cache_reader_unpack_channel(struct cache_reader *reader, uint64_t offset,
                                  const struct cache_block_entry *entry,
                                  enum channel channel, uint32_t count,
                                  struct arena *arena, uint32_t frame);

/* -- cache_reader_lift.c -- */

/* Tables or a shape, from their unpacked bytes. */
bool cache_reader_load_lift(struct cache_reader *reader,
                            const struct cache_blob *blob, const uint8_t *raw,
                            uint64_t offset);

/* Indices that have a coding of their own; NULL after a refusal. */
void *cache_reader_read_indices(const struct cache_reader *reader,
                                const struct cache_blob *blob,
                                const uint8_t *raw, uint64_t offset,
                                struct arena *arena);

/* Places of indices, and rings, once all other blobs are there. */
bool cache_reader_join_lift(struct cache_reader *reader);

/* Decode the payload that lies at `values`; `from`: what the frame refers to,
 * `from_count` of it; positions and UVs of the same frame, where there are
 * some. */
SPN_NODISCARD spn_status cache_reader_decode_lifted(
    struct cache_reader *reader, uint32_t tile, enum channel channel,
    uint32_t payload_bytes, const void *const *from, uint32_t from_count,
    const void *positions, const void *uvs, void *values,
    struct spn_fault *fault);

/* Copy the values of a tile to its meshes' vertices: `target(mesh)` is where
 * the mesh's first vertex lies. */
void cache_reader_scatter(const struct cache_reader *reader, uint32_t tile,
                          enum channel channel, const uint8_t *values,
                          uint8_t *(*target)(void *user, uint32_t mesh),
                          void *user);

#endif
