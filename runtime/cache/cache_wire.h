/* cache_wire.h - the .sgc file byte by byte: the one description of it.
 *
 * The reader (cache_file.h) and the writer both use these structs. They are
 * bytes only, so no padding, byte order or alignment can differ between
 * machines. Reserved bytes are zero and refused when they are not.
 *
 *   header       256 bytes
 *   frame table  frame_count x wire_frame, in stored order
 *   tables       names, nodes, meshes, attributes, materials, parts, tiles,
 *                blobs; no gaps
 *   blobs        in the order of their table; no gaps
 *   frames       in stored order; no gaps; the last ends with the file
 *
 * What follows from something else is not stored: first indices, parts' and
 * tiles' places, rows of animated nodes, the blocks of a frame, and which blob
 * is which. The order of what follows is:
 *
 *   attributes  mesh by mesh, its channels of version 7, ascending
 *   parts   ordered by tile, those of one mesh one after the other
 *   rows    of animated nodes: first those that are no matrices, then those
 *           that are, each in the order of the nodes
 *   blocks  runs of CACHE_NODES_PER_BLOCK rows, runs of as many rows that are
 *           matrices, then tile by tile its animated channels, ascending
 *   blobs   tables of each channel that lifted tiles have, ascending; tile by
 *           tile: predictor (if the tile has one), or its shape (if it is
 *           lifted), its rings (if it has some), reflection (if a mesh of it
 *           is mixed), its static channels, ascending; then the runs of
 *           16-bit indices, then those of 32-bit indices
 *
 * A lifted tile is one part, and all tiles of its mesh are lifted. Its values
 * and reflections stand layer by layer: the shape tells whose they are. Indices
 * are by vertices.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_WIRE_H
#define SPN_CACHE_CACHE_WIRE_H

#include "base/assert.h"
#include "base/mem.h"
#include "base/wire.h"
#include "cache/cache_file.h"
#include "codec/lift/residual_coder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire_header {
    uint8_t signature[8];
    uint8_t version[4];
    uint8_t codec[4];
    uint8_t frame_count[4];
    uint8_t group_count[4];
    uint8_t index_distance[4];
    uint8_t node_count[4];
    uint8_t animated_node_count[4];
    uint8_t mesh_count[4];
    uint8_t material_count[4];
    uint8_t part_count[4];
    uint8_t tile_count[4];
    uint8_t block_count[4];
    uint8_t blob_count[4];
    uint8_t name_bytes[4];
    uint8_t index16_count[4];
    uint8_t index32_count[4];
    uint8_t largest_frame_bytes[4];
    uint8_t largest_group_bytes[4];
    uint8_t tables_bytes[4];
    uint8_t tables_checksum[4];
    uint8_t frame_table_checksum[4];
    uint8_t up_axis[1];
    uint8_t reserved_a[3];
    uint8_t file_bytes[8];
    uint8_t frame_table_offset[8];
    uint8_t tables_offset[8];
    uint8_t blobs_offset[8];
    uint8_t blobs_bytes[8];
    uint8_t frames_offset[8];
    uint8_t duration_us[8];
    uint8_t start_s[8];
    uint8_t unit_metres[8];
    uint8_t precision_mm[8];
    uint8_t box_min[3][4];
    uint8_t box_max[3][4];
    uint8_t animated_affine_count[4];
    uint8_t attribute_count[4]; /* before version 7: 0 */
    uint8_t reserved_b[44];
    uint8_t checksum[4]; /* of all bytes before it, signature included */
};
SPN_STATIC_ASSERT(sizeof(struct wire_header) == CACHE_HEADER_BYTES,
                  wire_header_size);

struct wire_frame {
    uint8_t offset[8];
    uint8_t seconds[8]; /* the archive's own time */
    uint8_t time_us[8];
    uint8_t bytes[4];
    uint8_t number[4];
    uint8_t group[4];
    uint8_t type[1];
    uint8_t reference_count[1];
    uint8_t wait_mask[1];
    uint8_t reserved_a[1];
    uint8_t reference[CACHE_REFERENCES_MAX][2];
    uint8_t box_min[3][4];
    uint8_t box_max[3][4];
    uint8_t reserved_b[8];
};
SPN_STATIC_ASSERT(sizeof(struct wire_frame) == CACHE_FRAME_ENTRY_BYTES,
                  wire_frame_size);

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
    uint8_t static_mask[1]; /* before version 7: of the first four channels */
    uint8_t animated_mask[1];
    uint8_t reflection[1];
    uint8_t position_bits[3];
    uint8_t reserved[1];
    uint8_t position_min[3][4];
    uint8_t position_size[3][4];
    uint8_t uv_min[2][4];
    uint8_t uv_size[2][4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_mesh) == 64, wire_mesh_size);

/* The range of a channel that came with version 7. Components that the channel
 * does not have are zero. */
struct wire_attribute {
    uint8_t name[4]; /* in the archive */
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
    WIRE_PREDICTION_LIFTED = 2 /* from version 4 on */
};

/* Bit 15 of the slots of rings: they are rings by UVs, which move then. */
#define WIRE_RINGS_BY_UVS 0x8000u

struct wire_tile {
    uint8_t part_count[2];
    uint8_t ring_slots[2]; /* of a lifted tile whose QTangents have rings, and
                            * WIRE_RINGS_BY_UVS */
    uint8_t prediction[1]; /* enum wire_prediction */
    uint8_t channel_weights[1]; /* lifted, QTangents that move:
                                   LIFT_CHANNEL_WEIGHTS_*; else 0 */
    uint8_t layer_count[2];     /* lifted; else 0 */
};
SPN_STATIC_ASSERT(sizeof(struct wire_tile) == 8, wire_tile_size);

/* Bit 31 of a stored size: the bytes are raw. */
#define WIRE_RAW_BIT 0x80000000u

struct wire_blob {
    uint8_t stored[4]; /* bytes and WIRE_RAW_BIT */
    uint8_t checksum[4];
    uint8_t coding[1]; /* as in a directory's entry */
    uint8_t reserved[3];
};
SPN_STATIC_ASSERT(sizeof(struct wire_blob) == 12, wire_blob_size);

struct wire_directory_head {
    uint8_t checksum[4]; /* of the directory behind it */
    uint8_t number[4];
};
SPN_STATIC_ASSERT(sizeof(struct wire_directory_head) ==
                      CACHE_DIRECTORY_HEAD_BYTES,
                  wire_directory_head_size);

struct wire_directory_entry {
    uint8_t stored[4]; /* bytes and WIRE_RAW_BIT; 0: absent */
    uint8_t checksum[4];
    uint8_t coding[1]; /* enum coding | enum residual_order << 4 */
    uint8_t a[1];
    uint8_t b[1];
    uint8_t c[1];
};
SPN_STATIC_ASSERT(sizeof(struct wire_directory_entry) ==
                      CACHE_DIRECTORY_ENTRY_BYTES,
                  wire_directory_entry_size);

/* A row of a nodes block: the transforms of all rows come first, then one
 * byte of visibility each. */
#define WIRE_NODE_ROW_BYTES 41u
#define WIRE_AFFINE_ROW_BYTES 49u
SPN_STATIC_ASSERT(WIRE_AFFINE_ROW_BYTES *CACHE_NODES_PER_BLOCK <=
                      BLOCK_RAW_BYTES_MAX,
                  nodes_fit_a_block);
/* 8192 QTangents fill a block, and no channel is wider. */
SPN_STATIC_ASSERT(CACHE_TILE_VERTICES_MAX * 8 <= BLOCK_RAW_BYTES_MAX,
                  channels_fit_a_block);
SPN_STATIC_ASSERT(CACHE_INDICES_PER_BLOB_16 * 2 <= BLOCK_RAW_BYTES_MAX &&
                      CACHE_INDICES_PER_BLOB_32 * 4 <= BLOCK_RAW_BYTES_MAX,
                  indices_fit_a_block);

/* What has a coding of its own is stored in less than this. */
#define WIRE_OWN_BYTES_MAX (2u * BLOCK_RAW_BYTES_MAX)

/* A lifted payload is unpacked to where its values will stand, with what is
 * read beyond its end. */
static inline bool wire_is_payload(uint32_t stored_bytes, bool is_raw,
                                   uint32_t raw_bytes)
{
    return !is_raw && raw_bytes > RESIDUAL_PADDING &&
           stored_bytes <= raw_bytes - RESIDUAL_PADDING;
}

/* The two halves of a coding byte. */
static inline uint8_t wire_coding(const uint8_t byte[1])
{
    return byte[0] & 15u;
}

static inline uint8_t wire_order(const uint8_t byte[1])
{
    return byte[0] >> 4;
}

static inline uint8_t wire_coding_byte(uint32_t coding, uint32_t order)
{
    return (uint8_t)(coding | order << 4);
}

/* Numbers of single and of double precision (IEEE 754), judged by their bits: a
 * machine without double precision is spared a library of it. */

/* False for infinities and NaN. */
static inline bool wire_is_finite_f32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (bits >> 23 & 0xffu) != 0xffu;
}

static inline bool wire_is_finite_f64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (bits >> 52 & 0x7ffu) != 0x7ffu;
}

/* -1, 0 or 1: the sign of a finite number. There are two zeros. */
static inline int wire_sign_f64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (bits << 1 == 0)
        return 0;
    return bits >> 63 ? -1 : 1;
}

/* A box is either empty on all axes or on none, and finite. */
bool spn__cache_wire_box(const uint8_t min_bytes[3][4],
                         const uint8_t max_bytes[3][4], float min[3],
                         float max[3]);

/* Finite numbers and a rotation of unit length; or a matrix of finite ones.
 * `wire` is a wire_quat_tns or a wire_affine. */
bool spn__cache_wire_transform(const uint8_t *wire, bool is_affine,
                               struct transform *transform);

/* Bytes of the tables by the header's counts; what tables_bytes must be. */
uint64_t spn__cache_wire_tables_bytes(const struct cache_header *header);

/* -- parsing the tables -- */

struct cache_parser {
    const struct cache_header *header;
    const uint8_t *bytes;
    uint32_t at; /* start of the table that is parsed */
    struct cache_tables *tables;
    struct spn_fault *fault;
};

/* Where entry `index` of the running table starts. */
static inline uint32_t cache_parser_at(const struct cache_parser *parser,
                                       uint32_t index, size_t bytes)
{
    return parser->at + index * (uint32_t)bytes;
}

spn_status spn__cache_parse_parts(struct cache_parser *p);
spn_status spn__cache_parse_tiles(struct cache_parser *p);
spn_status spn__cache_parse_blobs(struct cache_parser *p);

/* -- what follows from the tables -- */

/* The blocks of a frame, in order. `affine_count` of the animated nodes are
 * matrices. Fills tiles[].block and up to `limit` entries; returns how many
 * there are (the array may be NULL with limit 0). Reads the tiles' counts,
 * masks, layer_count and predictor_blob (CACHE_NONE: none). */
uint64_t spn__cache_layout_blocks(uint32_t animated_node_count,
                                  uint32_t affine_count,
                                  struct cache_tile *tiles, uint32_t tile_count,
                                  struct cache_block *blocks, uint32_t limit);

/* The blobs, in order: kind, tile, channel, raw_bytes. Fills tables_blob,
 * tiles[].blob, and predictor_blob and reflection_blob where they are not
 * CACHE_NONE; of lifted tiles shape_blob and rings_blob. */
uint64_t spn__cache_layout_blobs(uint32_t index16_count, uint32_t index32_count,
                                 struct cache_tile *tiles, uint32_t tile_count,
                                 uint32_t tables_blob[CHANNEL_COUNT],
                                 struct cache_blob *blobs, uint32_t limit);

#endif
