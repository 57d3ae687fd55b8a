/* cache_wire_tables.h - the tables and node transforms of a cache file, as
 * bytes.
 *
 * Conventions as in cache_wire.h. The tables follow each other without gaps:
 * names, nodes, meshes, attributes, materials, parts, tiles, blobs. Values that
 * follow from others are not stored: first indices, places of parts and tiles,
 * rows of animated nodes, the blocks of a frame, and the meaning of each blob
 * (cache_layout.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_WIRE_TABLES_H
#define SPN_CACHE_CACHE_WIRE_TABLES_H

#include "base/assert.h"
#include "base/block_codec.h"
#include "cache/cache_header.h"
#include "codec/lift/residual_coder.h"

#include <stdbool.h>
#include <stdint.h>

struct wire_quat_tns {
    uint8_t rotation[4][4];
    uint8_t translation[3][4];
    uint8_t scale[3][4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_quat_tns) == 40, wire_quat_tns_size);

/* 3 x 4 row-major, for column vectors. */
struct wire_affine {
    uint8_t numbers[12][4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_affine) == 48, wire_affine_size);

struct wire_node {
    uint8_t parent[4];
    uint8_t mesh[4];
    uint8_t name[4];
    uint8_t is_animated[1];
    uint8_t is_visible[1];
    uint8_t is_affine[1];
    uint8_t reserved[1];
    uint8_t initial[48]; /* a wire_affine, or a wire_quat_tns and zeros */
};
SPN_STATIC_ASSERT(sizeof(struct wire_node) == 64, wire_node_size);

struct wire_mesh {
    uint8_t name[4];
    uint8_t vertex_count[4];
    uint8_t index_count[4];
    uint8_t material_count[4];
    uint8_t index_bytes[1];
    uint8_t static_mask[1];
    uint8_t animated_mask[1];
    uint8_t reflection[1];
    uint8_t position_bits[3];
    uint8_t box_shift[1]; /* 0 if positions are static */
    uint8_t position_min[3][4];
    uint8_t position_size[3][4];
    uint8_t uv_min[2][4];
    uint8_t uv_size[2][4];
    uint8_t content_hash[8]; /* mesh_hash.h; 0 if a channel is animated */
};
SPN_STATIC_ASSERT(sizeof(struct wire_mesh) == 72, wire_mesh_size);

/* The range of channel 4 or 5. Components that the channel does not have are
 * zero. */
struct wire_attribute {
    uint8_t name[4]; /* in the archive: offset into the names */
    uint8_t bits[3]; /* 1..16 */
    uint8_t reserved[1];
    uint8_t min[3][4];
    uint8_t size[3][4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_attribute) == 32, wire_attribute_size);

struct wire_material {
    uint8_t name[4];
    uint8_t id[4];
    uint8_t index_count[4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_material) == 12, wire_material_size);

struct wire_part {
    uint8_t mesh[4];
    uint8_t vertex_count[4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_part) == 8, wire_part_size);

enum wire_prediction {
    WIRE_PREDICTION_NONE = 0,
    WIRE_PREDICTION_ENTRIES = 1,
    WIRE_PREDICTION_LIFTED = 2
};

/* Bit 15 of one_ring_slots: one-rings predict from UVs, too, which are
 * animated then. */
#define WIRE_ONE_RINGS_BY_UVS 0x8000u

struct wire_tile {
    uint8_t part_count[2];
    uint8_t one_ring_slots[2];  /* and WIRE_ONE_RINGS_BY_UVS; 0: none */
    uint8_t prediction[1];      /* enum wire_prediction */
    uint8_t channel_weights[1]; /* lifted: LIFT_CHANNEL_WEIGHTS_*; else 0 */
    uint8_t layer_count[2];     /* lifted; else 0 */
};
SPN_STATIC_ASSERT(sizeof(struct wire_tile) == 8, wire_tile_size);

struct wire_blob {
    uint8_t stored[4]; /* bytes and WIRE_RAW_BIT */
    uint8_t checksum[4];
    uint8_t coding[1]; /* as in wire_directory_entry */
    uint8_t reserved[3];
};
SPN_STATIC_ASSERT(sizeof(struct wire_blob) == 12, wire_blob_size);

/* Bytes of a row in a node block: its transform and its visibility. */
#define WIRE_NODE_ROW_BYTES 41u
#define WIRE_AFFINE_ROW_BYTES 49u
SPN_STATIC_ASSERT(WIRE_AFFINE_ROW_BYTES *CACHE_NODES_PER_BLOCK <=
                      BLOCK_RAW_BYTES_MAX,
                  nodes_fit_a_block);
/* QTangents are the widest channel. */
SPN_STATIC_ASSERT(CACHE_TILE_VERTICES_MAX * 8 <= BLOCK_RAW_BYTES_MAX,
                  channels_fit_a_block);
SPN_STATIC_ASSERT(CACHE_INDICES_PER_BLOB_16 * 2 <= BLOCK_RAW_BYTES_MAX &&
                      CACHE_INDICES_PER_BLOB_32 * 4 <= BLOCK_RAW_BYTES_MAX,
                  indices_fit_a_block);

/* Stored bytes of a blob with an entropy coding of its own: fewer than these.
 */
#define WIRE_CODED_BYTES_MAX (2u * BLOCK_RAW_BYTES_MAX)

/* True for the stored size of a lifted payload. It is unpacked to where its
 * values will lie, with the bytes that its decoder reads beyond the end. */
static inline bool wire_is_payload(uint32_t stored_bytes, bool is_raw,
                                   uint32_t raw_bytes)
{
    return !is_raw && raw_bytes > RESIDUAL_PADDING &&
           stored_bytes <= raw_bytes - RESIDUAL_PADDING;
}

#endif
