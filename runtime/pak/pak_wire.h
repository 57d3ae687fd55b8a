/* pak_wire.h - the .spk file byte by byte: the one description of it.
 *
 * The reader (pak_index.h) and the writer both use these structs. They are
 * bytes only, so no padding, byte order or alignment can differ between
 * machines. Reserved bytes are zero and refused when they are not.
 *
 *   header   128 bytes
 *   index    entries, contents, copies, places, blocks, names; no gaps
 *   zeroes   up to the next sector
 *   places   the stored bytes of one copy of a content each, and zeroes up to
 *            the next sector; the last ends with the file
 *
 *   entry    a name, and which content it names; by hash, then by name
 *   content  what several entries may share: its sizes, its codec, its blocks
 *            and its copies. Numbered as the entries come to them
 *   copy     where the stored bytes lie; those of a content side by side, and
 *            by offset. A content of no bytes has none
 *   place    the copies again, by offset
 *   block    64 KiB of a content, the last what is left, compressed alone
 *
 * Nothing in it points backward, so nothing can be cyclic; and every number
 * that follows from another must be the one that follows, so that no two
 * places overlap and no byte belongs to nobody.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_WIRE_H
#define SPN_PAK_PAK_WIRE_H

#include "base/assert.h"
#include "base/wire.h"
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
    uint8_t checksum[4]; /* of all bytes before it, signature included */
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_header) == PAK_HEADER_BYTES,
                  pak_wire_header_size);

struct pak_wire_entry {
    uint8_t hash[8]; /* of the name, without its NUL */
    uint8_t name[4]; /* offset among the names, which follow the entries */
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
    uint8_t offset[8]; /* in the file; of a sector */
    uint8_t content[4];
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_copy) == 12, pak_wire_copy_size);

struct pak_wire_place {
    uint8_t copy[4];
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_place) == 4, pak_wire_place_size);

struct pak_wire_block {
    uint8_t end[6];      /* counted from the start of the copy */
    uint8_t checksum[4]; /* of the stored bytes */
};
SPN_STATIC_ASSERT(sizeof(struct pak_wire_block) == 10, pak_wire_block_size);

#endif
