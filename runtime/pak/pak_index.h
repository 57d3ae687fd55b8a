/* pak_index.h - the index of a pak file (.spk), as a view of its bytes.
 *
 *   header | index: entries, contents, copies, offset order, blocks, names |
 *   stored bytes of a copy | stored bytes of a copy | ...
 *
 * A pak holds many files. The runtime reads header and index when it mounts the
 * pak, validates them (pak_validate.h), and keeps the bytes of the index in
 * memory for as long as the pak is mounted. struct pak_index is a view of those
 * bytes: nothing is allocated or converted. All calls take O(1) but the search
 * for a name, which takes O(log n). pak_wire.h has the format byte by byte,
 * FORMAT.md describes it.
 *
 *   entry    a file: its name, and the number of its content. Entries are
 *            sorted by the hash of the name, then by the name (name_table.h)
 *   content  the bytes of a file. Entries with equal bytes share one content.
 *            It consists of blocks of 64 KiB; each is compressed independently
 *            and has a checksum
 *   copy     the stored bytes of a content, at the start of a sector. Most
 *            contents have one copy. A content with several has the same bytes
 *            in each, so that a read can use the nearest
 *   offset order  the numbers of all copies, sorted by their offsets. The
 *            validation uses it to prove that copies do not overlap
 *
 * All numbers are little-endian. This module reads no file and decodes no
 * block. No state; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_INDEX_H
#define SPN_PAK_PAK_INDEX_H

#include <stdint.h>

#define PAK_SIGNATURE "SPNDLPAK"
#define PAK_VERSION 1u
#define PAK_HEADER_BYTES 128u
#define PAK_SECTOR_BYTES 2048u
#define PAK_BLOCK_BYTES 65536u
/* No entry. As NAME_NONE of name_table.h. */
#define PAK_NONE UINT32_MAX
/* The largest index: about two million entries. */
#define PAK_INDEX_BYTES_MAX (UINT32_C(1) << 28)
/* The largest content: the end of a block is stored in six bytes. */
#define PAK_CONTENT_BYTES_MAX ((UINT64_C(1) << 48) - 1)

struct pak_header {
    uint32_t entry_count;
    uint32_t content_count;
    uint32_t copy_count;  /* of all contents */
    uint32_t block_count; /* of all contents, each counted once */
    uint32_t name_bytes;  /* of all names, each with its NUL */
    uint32_t index_bytes;
    uint32_t index_checksum; /* of the index (base/checksum.h) */
    uint64_t file_bytes;
    uint64_t data_offset; /* of the first copy, from the start of the file */
};

/* A validated index. Its bytes must outlive it. */
struct pak_index {
    struct pak_header header;
    /* The tables, in this order and without gaps. */
    const uint8_t *entries;
    const uint8_t *contents;
    const uint8_t *copies;
    const uint8_t *offset_order;
    const uint8_t *blocks;
    const char *names;
};

struct pak_entry {
    const char *name; /* NUL-terminated, inside the index */
    uint32_t content;
};

struct pak_content {
    uint64_t bytes;        /* decoded */
    uint64_t stored_bytes; /* of one copy */
    uint32_t first_block;  /* counted through all blocks of the pak */
    uint32_t block_count;
    uint32_t first_copy; /* counted through all copies of the pak */
    uint32_t copy_count; /* at least 1; 0 if the content has no bytes */
    uint32_t codec;      /* SPN_CODEC_STORE or another. If it is not registered,
                          * reads of the content fail */
};

struct pak_block {
    uint64_t offset;       /* from the start of a copy */
    uint32_t stored_bytes; /* equal to bytes: the block is not compressed */
    uint32_t bytes;        /* decoded */
    uint32_t checksum;     /* of the stored bytes */
};

/* Find an entry by its name of `name_bytes` bytes, without a NUL. PAK_NONE: no
 * entry has the name. O(log n). */
uint32_t spn__pak_find(const struct pak_index *index, const char *name,
                       uint32_t name_bytes);

/* Entry number `entry`. The numbers given to this and the following functions
 * must be below the counts of the header. */
struct pak_entry spn__pak_entry(const struct pak_index *index, uint32_t entry);
/* Content number `content`. */
struct pak_content spn__pak_content(const struct pak_index *index,
                                    uint32_t content);
/* Block number `block` of a content, counted from its first one; must be below
 * content->block_count. */
struct pak_block spn__pak_block(const struct pak_index *index,
                                const struct pak_content *content,
                                uint32_t block);
/* Return the offset of a copy in the file. *content is set to the number of its
 * content; `content` may be NULL. The copies of a content have consecutive
 * numbers from its first_copy. */
uint64_t spn__pak_copy_offset(const struct pak_index *index, uint32_t copy,
                              uint32_t *content);
/* The number of the copy that is element `rank` of the offset order; below
 * header.copy_count. */
uint32_t spn__pak_copy_by_offset(const struct pak_index *index, uint32_t rank);

/* The number of blocks of a content of so many bytes. */
static inline uint64_t pak_block_count(uint64_t bytes)
{
    return bytes / PAK_BLOCK_BYTES + (bytes % PAK_BLOCK_BYTES != 0);
}

/* The offset rounded up to the start of a sector. */
static inline uint64_t pak_sector_ceil(uint64_t offset)
{
    uint64_t mask = PAK_SECTOR_BYTES - 1;

    return (offset + mask) & ~mask;
}

#endif
