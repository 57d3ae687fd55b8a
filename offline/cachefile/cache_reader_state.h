/* cache_reader_state.h - an open cache, as the files of this folder share it.
 *
 * cache_reader.c opens the file and owns the struct; static_meshes.c fills the
 * meshes, frame_slots.c the decoded frames, cache_view.c the view of one frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CACHEFILE_CACHE_READER_STATE_H
#define OFFLINE_CACHEFILE_CACHE_READER_STATE_H

#include "cache/decoder.h"
#include "cachefile/cache_reader.h"
#include "codec/classic/predict.h"
#include "common/fault_text.h"
#include "fill/fill.h"
#include "host/host.h"

/* The channels of a mesh, in the order of its vertices. */
struct mesh_channels {
    uint8_t *channel[CHANNEL_COUNT]; /* NULL: the mesh lacks it */
};

/* Properties of a mesh that never change. */
struct static_mesh {
    uint32_t *indices;   /* cache_mesh.index_count */
    uint8_t *reflection; /* a bit for each vertex; NULL: none */
};

/* One decoded frame. */
struct frame_slot {
    struct arena arena;
    uint32_t number;   /* CACHE_NONE: empty */
    uint64_t last_use; /* by cache_reader.clock */
    uint8_t **values;  /* for each block; NULL: its tile is absent */
};

struct cache_reader {
    const char *path;
    struct diag *diag; /* the caller's */
    struct host_map map;
    bool is_borrowed; /* the map is the caller's memory */
    struct arena arena;
    struct cache_header header;
    struct cache_tables tables;
    struct cache_frame *frames; /* header.frame_count, in display order */
    struct cache_group *groups; /* header.group_count */
    double *seconds;            /* for each frame */
    struct predict_ops predict;
    struct lift_ops lift;
    struct fill_ops fill;
    uint8_t **blob_data; /* for each blob */
    struct cache_decoder decoder;
    struct decode_scratch scratch;
    struct static_mesh *static_meshes;     /* for each mesh */
    struct mesh_channels *static_channels; /* for each mesh */
    /* frame_slots.c */
    uint64_t clock; /* counts uses of slots */
    uint32_t slot_count;
    struct frame_slot **slots;
    bool *is_wanted;    /* for each frame of a group */
    uint32_t *last_use; /* rank of the last frame that refers to it; the last
                         * element is the anchor frame's */
    /* cache_view.c */
    struct arena view_arena;
    struct cache_reader_frame view; /* number CACHE_NONE: none */
};

/* Refuse the file; false. `base` is added to the fault's offset. `frame` is the
 * number of the damaged frame, or FAULT_NO_FRAME. */
bool cache_reader_refuse(const struct cache_reader *reader, uint64_t base,
                         uint32_t frame, const struct spn_fault *fault);

/* Allocate `bytes` for what is stored in `stored_bytes`, or refuse the file and
 * return NULL. A damaged size must not exhaust the memory: no codec can unpack
 * as much from so little. `offset` is where the stored bytes begin. */
void *cache_reader_alloc(struct cache_reader *reader, struct arena *arena,
                         const struct cache_block_entry *entry, size_t bytes,
                         uint64_t offset, uint32_t frame);

/* Copy the values of a tile to the vertices of its meshes. A mesh's memory
 * comes from the arena at the first call. Meshes with is_skipped are left out;
 * NULL: none. */
void cache_reader_scatter(const struct cache_reader *reader, uint32_t tile,
                          enum channel channel, const uint8_t *values,
                          const bool *is_skipped, struct arena *arena,
                          struct mesh_channels *meshes);

#endif
