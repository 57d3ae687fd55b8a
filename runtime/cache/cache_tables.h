/* cache_tables.h - the static tables of a cache: nodes, meshes, tiles, blobs.
 *
 * Reading the tables turns the bytes between the frame table and the blobs into
 * the structs below, and validates them. Whoever uses the structs may trust
 * every count, range and cross-reference. They never change once they are read;
 * any thread may use them.
 *
 *   mesh   vertices in the order in which they are shown. Channels that never
 *          change are *static* and stored once, in blobs; the others are
 *          *animated* and stored in each frame, in blocks.
 *   part   a run of at most 8192 vertices of one mesh. Predictions never leave
 *          it.
 *   tile   one part, or parts of several small meshes with the same channels,
 *          of at most 8192 vertices. It is the unit of decoding and of memory.
 *   block  one channel of one tile in one frame, or a run of node transforms:
 *          at most 64 KiB, compressed alone, with its checksum.
 *   blob   a piece of static data, stored like a block.
 *
 * A tile is *classic* or *lifted*. Classic tiles are predicted by
 * codec/classic: from earlier vertices, which a predictor names, and from other
 * frames. Lifted tiles are predicted by codec/lift: from coarser vertices in a
 * hierarchy, and from other frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_TABLES_H
#define SPN_CACHE_CACHE_TABLES_H

#include "cache/cache_header.h"
#include "cache/transform.h"
#include "codec/channel.h"

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parents come before their children. */
struct cache_node {
    uint32_t parent;    /* CACHE_NONE: a root */
    uint32_t mesh;      /* that it shows; CACHE_NONE: none */
    uint32_t name;      /* full path: offset into the names */
    uint64_t name_hash; /* name_hash.h */
    uint32_t animated;  /* its row in the transforms of each frame; CACHE_NONE:
                        * it never changes */
    struct transform initial; /* in frame 0 */
    bool is_visible;          /* in frame 0 */
};

enum cache_reflection {
    CACHE_REFLECTION_NONE = 0, /* every tangent frame is right-handed */
    CACHE_REFLECTION_ALL = 1,  /* every one is left-handed */
    CACHE_REFLECTION_MIXED = 2 /* a bit for each vertex, in a blob */
};

struct cache_mesh {
    uint64_t first_vertex; /* vertices of all meshes before it */
    uint32_t name;         /* path in the archive: offset into the names */
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t first_index; /* among all indices of the same width */
    uint32_t first_material;
    uint32_t material_count;
    uint32_t first_part;
    uint32_t part_count;
    uint8_t index_bytes;   /* 2 or 4 */
    uint8_t static_mask;   /* CHANNEL_BIT of its static channels */
    uint8_t animated_mask; /* CHANNEL_BIT of its animated channels */
    uint8_t reflection;    /* enum cache_reflection */
    uint8_t box_shift;     /* low bits that its boxes leave out (cache_box.h) */
    uint64_t content_hash; /* mesh_hash.h; 0 if a channel is animated */
    struct channel_range range[CHANNEL_COUNT]; /* from quantized to floats */
    uint32_t second_uv_name; /* in the archive; CACHE_NONE: it has none */
};

struct cache_part {
    uint32_t mesh;
    uint32_t first_vertex; /* in the mesh */
    uint32_t vertex_count; /* 1..CACHE_TILE_VERTICES_MAX */
    uint32_t tile;
    uint32_t tile_vertex; /* where it starts in the tile */
    uint32_t box_bit;     /* where its box starts among the boxes of a frame */
};

struct cache_tile {
    uint32_t vertex_count; /* 1..CACHE_TILE_VERTICES_MAX */
    uint32_t first_part;
    uint32_t part_count;
    uint8_t static_mask;
    uint8_t animated_mask;
    /* Numbers of blocks and blobs; CACHE_NONE: the tile has none. */
    uint32_t block[CHANNEL_COUNT]; /* of animated channels, in each frame */
    uint32_t blob[CHANNEL_COUNT];  /* of static channels */
    uint32_t predictor_blob;       /* struct predict_entry of each vertex */
    uint32_t reflection_blob;      /* a bit for each vertex */
    /* Of lifted tiles, which have no predictor (codec/lift/lift.h). One-rings
     * are the neighbours around each vertex, from which QTangents are predicted
     * (codec/lift/one_ring.h). */
    uint32_t layer_count;     /* of its hierarchy; 0: the tile is classic */
    uint32_t channel_weights; /* LIFT_CHANNEL_WEIGHTS_*: which weights
                               * QTangents do not share with other channels */
    uint32_t hierarchy_blob;
    uint32_t one_ring_slots; /* that all its one-rings take; 0: it has none */
    bool one_rings_by_uvs;   /* they predict from UVs as well as positions */
    uint32_t one_rings_blob;
};

/* True for a tile that is predicted by codec/lift. */
static inline bool cache_tile_is_lifted(const struct cache_tile *tile)
{
    return SPN_WITH_LIFTED_MESHES && tile->layer_count > 0;
}

enum cache_block_kind { CACHE_BLOCK_NODES, CACHE_BLOCK_CHANNEL };

/* A block that every frame has. Node blocks come first (cache_nodes.h). */
struct cache_block {
    uint32_t kind;      /* enum cache_block_kind */
    uint32_t first;     /* nodes: the first row */
    uint32_t count;     /* nodes: rows; channel: vertices */
    uint32_t tile;      /* channel */
    uint32_t channel;   /* channel: enum channel */
    uint32_t raw_bytes; /* decompressed */
    bool is_affine;     /* nodes: rows are matrices */
    bool has_predictor; /* channel: CODING_SPATIAL is possible */
    bool is_lifted;     /* channel: CODING_LIFTED is possible */
};

enum cache_blob_kind {
    CACHE_BLOB_CHANNEL,    /* a static channel of a tile */
    CACHE_BLOB_PREDICTOR,  /* three u16 for each vertex of a tile */
    CACHE_BLOB_REFLECTION, /* a bit for each vertex of a tile, low bit first */
    CACHE_BLOB_INDEX16,    /* a run of the 16-bit indices */
    CACHE_BLOB_INDEX32,    /* a run of the 32-bit indices */
    CACHE_BLOB_TABLES,     /* the residual coder's tables of a channel */
    CACHE_BLOB_HIERARCHY,  /* of a lifted tile */
    CACHE_BLOB_ONE_RINGS   /* of a lifted tile */
};

struct cache_blob {
    uint32_t kind;    /* enum cache_blob_kind */
    uint32_t tile;    /* of runs of indices: the number of the run */
    uint32_t channel; /* CACHE_BLOB_CHANNEL, CACHE_BLOB_TABLES */
    uint8_t coding;   /* enum coding: CODING_PLAIN; of channels SPATIAL and
                       * LIFTED, too; of indices LIFTED, too */
    uint8_t order;    /* enum residual_order; of channels only */
    bool is_raw;      /* stored without compression */
    uint32_t raw_bytes;
    uint32_t stored_bytes;
    uint32_t checksum; /* of the stored bytes */
    uint64_t offset;   /* from cache_header.blobs_offset */
};

/* All tables. The arrays lie in one block of the caller's memory; each has as
 * many elements as the header says. */
struct cache_tables {
    const char *names; /* each ends with a NUL */
    struct cache_node *nodes;
    struct cache_mesh *meshes;
    spn_material_range *materials; /* their names are in `names` */
    struct cache_part *parts;
    struct cache_tile *tiles;
    struct cache_block *blocks;
    struct cache_blob *blobs;
    uint32_t *animated_nodes; /* for each row: its node */
    /* For each channel: the tables that all lifted tiles share; CACHE_NONE: no
     * lifted tile has the channel. */
    uint32_t tables_blob[CHANNEL_COUNT];
};

/* Bytes of memory that the arrays take; SIZE_MAX: more than there can be. */
size_t spn__cache_tables_memory(const struct cache_header *header);

/* Check the checksum of the cache_header.tables_bytes at `bytes`, read them,
 * and validate them. `memory` has at least the size above and is aligned to 64;
 * the caller owns it. SPN_ERR_MEMORY: it is too small. */
SPN_NODISCARD spn_status spn__cache_tables_read(
    const struct cache_header *header, const uint8_t *bytes, void *memory,
    size_t memory_bytes, struct cache_tables *tables, struct spn_fault *fault);

#endif
