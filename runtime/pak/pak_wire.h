/* pak_wire.h - the pak file byte by byte.
 *
 * The reader (pak_index.h, pak_validate.h) and the writer (offline/pack) use
 * the same structs. Their fields are arrays of bytes, so padding, byte order
 * and alignment cannot differ between machines. Numbers are little-endian.
 * Reserved bytes are zero; other values are refused.
 *
 *   header   128 bytes
 *   index    entries, contents, copies, offset order, blocks, names, without
 *            gaps
 *   zeroes   up to the next sector
 *   copies   the stored bytes of each, then zeroes up to the next sector. The
 *            file ends with the last copy
 *
 *   entry    sorted by the hash of the name, then by the name
 *   content  numbered in the order in which the entries refer to them
 *   copy     sorted by content, then by offset. A content without bytes has
 *            none
 *   offset order  the numbers of all copies, sorted by offset
 *   block    64 KiB of a content; the last one is shorter. Compressed alone
 *   name     NUL-terminated, in the order of the entries
 *
 * No reference points backward, so there are no cycles. Every number that
 * follows from others is checked against them, so no two copies overlap and
 * each byte of the file belongs to one of these parts.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_WIRE_H
#define SPN_PAK_PAK_WIRE_H

#include "base/assert.h"
#include "base/endian.h"
#include "base/wire.h"
#include "pak/name_table.h"
#include "pak/pak_index.h"

#include <stdint.h>

struct pak_wire_header {
    uint8_t signature[8];
    uint8_t version[4];
    uint8_t entry_count[4];
    uint8_t content_count[4];
    uint8_t copy_count[4];
    uint8_t block_count[4];
    uint8_t name_bytes[4];
    uint8_t index_bytes[4];
    uint8_t index_checksum[4];
    uint8_t file_bytes[8];
    uint8_t data_offset[8];
    uint8_t reserved[68];
    uint8_t checksum[4]; /* of all bytes before it */
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_header) == PAK_HEADER_BYTES,
                  pak_wire_header_size);

struct pak_wire_entry {
    struct wire_named named;
    uint8_t content[4];
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_entry) == 16, pak_wire_entry_size);

struct pak_wire_content {
    uint8_t bytes[8];
    uint8_t stored_bytes[8]; /* of one copy */
    uint8_t first_block[4];
    uint8_t first_copy[4];
    uint8_t copy_count[4];
    uint8_t codec[1];
    uint8_t reserved[3];
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_content) == 32, pak_wire_content_size);

struct pak_wire_copy {
    uint8_t offset[8]; /* in the file, a multiple of PAK_SECTOR_BYTES */
    uint8_t content[4];
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_copy) == 12, pak_wire_copy_size);

struct pak_wire_offset_order {
    uint8_t copy[4];
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_offset_order) == 4,
                  pak_wire_offset_order_size);

struct pak_wire_block {
    uint8_t end[6];      /* from the start of the copy */
    uint8_t checksum[4]; /* of the stored bytes */
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_block) == 10, pak_wire_block_size);

/* Rows of the tables of an index; the row exists. */

static inline const struct pak_wire_entry *pak_wire_entry_at(
    const struct pak_index *index, uint32_t entry)
{
    return (const struct pak_wire_entry *)(const void *)index->entries + entry;
}

static inline const struct pak_wire_content *pak_wire_content_at(
    const struct pak_index *index, uint32_t content)
{
    return (const struct pak_wire_content *)(const void *)index->contents +
           content;
}

static inline const struct pak_wire_copy *pak_wire_copy_at(
    const struct pak_index *index, uint32_t copy)
{
    return (const struct pak_wire_copy *)(const void *)index->copies + copy;
}

static inline const struct pak_wire_block *pak_wire_block_at(
    const struct pak_index *index, uint32_t block)
{
    return (const struct pak_wire_block *)(const void *)index->blocks + block;
}

static inline struct name_table pak_wire_names(const struct pak_index *index)
{
    return (struct name_table){index->entries, sizeof(struct pak_wire_entry),
                               index->header.entry_count, index->names,
                               index->header.name_bytes};
}

/* The end of a block, from the start of a copy. */
static inline uint64_t pak_wire_block_end(const struct pak_wire_block *wire)
{
    return spn_load_u32le(wire->end) | (uint64_t)spn_load_u16le(wire->end + 4)
                                           << 32;
}

#endif
