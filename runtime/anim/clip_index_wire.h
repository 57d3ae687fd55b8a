/* clip_index_wire.h - the index of clips byte by byte.
 *
 * The reader (clip_index.h, clip_index_validate.h) and the writer
 * (offline/anim) use the same structs. Their fields are arrays of bytes, so
 * padding, byte order and alignment cannot differ between machines. Numbers are
 * little-endian. Reserved bytes are zero; other values are refused.
 *
 *   header   128 bytes
 *   clips    sorted by the hash of the name, then by the name
 *   kinds    numbered in the order in which the clips refer to them
 *   files    sorted as the clips are; an image only
 *   names    NUL-terminated: of the clips in their order, then of the files
 *
 * In a database, zeros up to a multiple of 2,048 bytes follow, and then the
 * ranges of the clips. Several clips may have the same range.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_CLIP_INDEX_WIRE_H
#define SPN_ANIM_CLIP_INDEX_WIRE_H

#include "anim/clip_index.h"
#include "base/assert.h"
#include "base/endian.h"
#include "base/wire.h"
#include "pak/name_table.h"

#include <stdint.h>

struct clip_wire_header {
    uint8_t signature[8];
    uint8_t version[4];
    uint8_t clip_count[4];
    uint8_t kind_count[4];
    uint8_t file_count[4];
    uint8_t name_bytes[4];
    uint8_t index_bytes[4];
    uint8_t index_checksum[4];
    uint8_t data_checksum[4];
    uint8_t data_offset[8];
    uint8_t file_bytes[8];
    uint8_t reserved[68];
    uint8_t checksum[4]; /* of all bytes before it */
};
SPN_STATIC_ASSERT(sizeof(struct clip_wire_header) == CLIP_INDEX_HEADER_BYTES,
                  clip_wire_header_size);

struct clip_wire_clip {
    struct wire_named named;
    uint8_t file[4]; /* CLIP_INDEX_NONE: see clip_facts */
    uint8_t kind[4];
    uint8_t offset[6];
    uint8_t flags[2];
    uint8_t bytes[4];
    uint8_t first_bytes[4];
    uint8_t first_checksum[4];
    uint8_t rest_checksum[4];
    uint8_t frame_count[4];
};
SPN_STATIC_ASSERT(sizeof(struct clip_wire_clip) == 48, clip_wire_clip_size);

struct clip_wire_kind {
    uint8_t skeleton[8];
    uint8_t rest_pose_hash[4];
    uint8_t joint_count[4];
    uint8_t rate_numerator[4];
    uint8_t rate_denominator[4];
};
SPN_STATIC_ASSERT(sizeof(struct clip_wire_kind) == 24, clip_wire_kind_size);

struct clip_wire_file {
    struct wire_named named;
    uint8_t data_checksum[4];
    uint8_t data_offset[8];
    uint8_t file_bytes[8];
};
SPN_STATIC_ASSERT(sizeof(struct clip_wire_file) == 32, clip_wire_file_size);

/* Rows of the tables of an index; the row exists. */

static inline const struct clip_wire_clip *clip_wire_clip_at(
    const struct clip_index *index, uint32_t clip)
{
    return (const struct clip_wire_clip *)(const void *)index->clips + clip;
}

static inline const struct clip_wire_kind *clip_wire_kind_at(
    const struct clip_index *index, uint32_t kind)
{
    return (const struct clip_wire_kind *)(const void *)index->kinds + kind;
}

static inline const struct clip_wire_file *clip_wire_file_at(
    const struct clip_index *index, uint32_t file)
{
    return (const struct clip_wire_file *)(const void *)index->files + file;
}

/* The names of clips, and those of files. */

static inline struct name_table clip_wire_clip_names(
    const struct clip_index *index)
{
    return (struct name_table){index->clips, sizeof(struct clip_wire_clip),
                               index->header.clip_count, index->names,
                               index->header.name_bytes};
}

static inline struct name_table clip_wire_file_names(
    const struct clip_index *index)
{
    return (struct name_table){index->files, sizeof(struct clip_wire_file),
                               index->header.file_count, index->names,
                               index->header.name_bytes};
}

static inline uint64_t clip_wire_offset(const struct clip_wire_clip *wire)
{
    return spn_load_u32le(wire->offset) |
           (uint64_t)spn_load_u16le(wire->offset + 4) << 32;
}

#endif
