/* cache_wire.h - header, frame table and directories of a cache file, as bytes.
 *
 * These structs are the stored layout: arrays of bytes only, so no padding,
 * byte order or alignment differs between machines. Numbers are little-endian.
 * Reserved bytes are zero; validation refuses others. FORMAT.md describes the
 * fields. The reader and the tool's writer use the same structs;
 * cache_wire_tables.h has those of the tables.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_WIRE_H
#define SPN_CACHE_CACHE_WIRE_H

#include "base/assert.h"
#include "base/mem.h"
#include "base/wire.h"
#include "cache/cache_directory.h"
#include "cache/cache_frame_table.h"
#include "cache/cache_header.h"

#include <stdbool.h>
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
    uint8_t attribute_count[4];
    uint8_t box_bytes[4];
    uint8_t flags[4]; /* WIRE_PLAYS_FROM_MEMORY */
    uint8_t reserved_b[36];
    uint8_t checksum[4]; /* of all bytes before it */
};
SPN_STATIC_ASSERT(sizeof(struct wire_header) == CACHE_HEADER_BYTES,
                  wire_header_size);

#define WIRE_PLAYS_FROM_MEMORY 1u

struct wire_frame {
    uint8_t offset[8];
    uint8_t seconds[8]; /* time in the archive */
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

/* Bit 31 of a stored size: the bytes are raw. */
#define WIRE_RAW_BIT 0x80000000u

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
    uint8_t a[1];      /* cache_block_entry.motion_factor */
    uint8_t b[1];      /* cache_block_entry.lerp_factor */
    uint8_t c[1];      /* cache_block_entry.motion_weight */
};
SPN_STATIC_ASSERT(sizeof(struct wire_directory_entry) ==
                      CACHE_DIRECTORY_ENTRY_BYTES,
                  wire_directory_entry_size);

/* The coding byte of a block or blob: enum coding in its low half, enum
 * residual_order in its high half. */
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

/* IEEE 754 numbers are tested by their bits: so a machine without double
 * precision needs no library for it. */

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

/* -1, 0 or 1: the sign of a finite number; 0 for both zeros. */
static inline int wire_sign_f64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (bits << 1 == 0)
        return 0;
    return bits >> 63 ? -1 : 1;
}

#endif
