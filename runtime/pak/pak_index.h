/* pak_index.h - the index of a pak file (.spk), as a view of its bytes.
 *
 *   header | index | place | place | ...
 *
 * A pak holds many files. The runtime reads header and index when it mounts the
 * pak, validates them (pak_validate.h), and keeps the bytes of the index in
 * memory for as long as the pak is mounted. struct pak_index is a view of those
 * bytes: nothing is allocated or converted. All calls take O(1) but the search
 * for a name, which takes O(log n). pak_wire.h has the format byte by byte,
 * FORMAT.md describes it.
 *
 *   entry    a file: its name, and the number of its content
 *   content  the bytes of a file. Entries with equal bytes share one content.
 *            It consists of blocks of 64 KiB; each is compressed independently
 *            and has a checksum
 *   copy     the stored bytes of a content, at the start of a sector. A content
 *            can have several copies, so that a read can use the nearest
 *   place    the copies again, in the order of their offsets
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
/* No entry. */
#define PAK_NONE UINT32_MAX
/* The largest index: about two million entries. */
#define PAK_INDEX_BYTES_MAX (UINT32_C(1) << 28)
/* The largest content: the end of a block is stored in six bytes. */
#define PAK_CONTENT_BYTES_MAX ((UINT64_C(1) << 48) - 1)

struct pak_header {
    uint32_t entry_count;
    uint32_t content_count;
    uint32_t copy_count;
    uint32_t block_count; /* of all contents */
    uint32_t name_bytes;  /* of all names, each with its NUL */
    uint32_t index_bytes;
    uint32_t index_checksum;
    uint64_t file_bytes;
    uint64_t data_offset; /* of the first place, from the start of the file */
};

/* A validated index. Its bytes must outlive it. */
struct pak_index {
    struct pak_header header;
    /* The tables, each right behind the one before. */
    const uint8_t *entries;
    const uint8_t *contents;
    const uint8_t *copies;
    const uint8_t *places;
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
    uint32_t first_block;
    uint32_t block_count;
    uint32_t first_copy;
    uint32_t copy_count; /* 0 if the content has no bytes */
    uint32_t codec;      /* SPN_CODEC_STORE or another; can be unknown here */
};

struct pak_block {
    uint64_t offset;       /* from the start of a copy */
    uint32_t stored_bytes; /* equal to bytes: the block is not compressed */
    uint32_t bytes;        /* decoded */
    uint32_t checksum;     /* of the stored bytes */
};

/* The entry of a name of `name_bytes` bytes, a NUL not counted; PAK_NONE if
 * there is none. */
uint32_t spn__pak_find(const struct pak_index *index, const char *name,
                       uint32_t name_bytes);

/* Arguments are below the counts of the header; `block` is below the content's
 * block_count. */
struct pak_entry spn__pak_entry(const struct pak_index *index, uint32_t entry);
struct pak_content spn__pak_content(const struct pak_index *index,
                                    uint32_t content);
struct pak_block spn__pak_block(const struct pak_index *index,
                                const struct pak_content *content,
                                uint32_t block);
/* The offset of a copy in the file, and, unless `content` is NULL, whose copy
 * it is. The copies of a content begin at its first_copy. */
uint64_t spn__pak_copy(const struct pak_index *index, uint32_t copy,
                       uint32_t *content);
/* The copy at a place. Places are numbered in the order of their offsets. */
uint32_t spn__pak_place(const struct pak_index *index, uint32_t place);

/* The number of blocks of a content of so many bytes. */
static inline uint64_t pak_block_count(uint64_t bytes)
{
    return bytes / PAK_BLOCK_BYTES + (bytes % PAK_BLOCK_BYTES != 0);
}

/* The offset rounded up to the start of a sector. */
static inline uint64_t pak_sector_end(uint64_t offset)
{
    uint64_t mask = PAK_SECTOR_BYTES - 1;

    return (offset + mask) & ~mask;
}

#endif
