/* pak_index.h - the .spk file: its header and index, validated.
 *
 *   header | index | place | place | ...
 *
 * Little-endian, header and index with a checksum each, the signature written
 * last. The index is read in one go and stays as it lies in the file: a
 * struct pak_index is a view of it, so nothing is allocated, and every call
 * behind the door is O(1), but for the search by name, O(log n).
 *
 * An entry is a name; a content is what it names, in blocks of 64 KiB that
 * are compressed alone and checksummed each. Several entries may have the
 * same content, and a content may lie in several copies, each at the start of
 * a sector. Names are paths with '/', compared byte by byte.
 *
 * This module refuses everything that could hurt later; what is behind it
 * trusts the index. It knows nothing of files, and decodes no block.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_INDEX_H
#define SPN_PAK_PAK_INDEX_H

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define PAK_SIGNATURE "SPNDLPAK"
#define PAK_VERSION 1u
#define PAK_HEADER_BYTES 128u
#define PAK_SECTOR_BYTES 2048u
#define PAK_BLOCK_BYTES 65536u
#define PAK_NONE UINT32_MAX
/* What an index takes at most; some two million entries. */
#define PAK_INDEX_BYTES_MAX (UINT32_C(1) << 28)
/* Of a content, stored or not: a block's end has six bytes. */
#define PAK_CONTENT_BYTES_MAX ((UINT64_C(1) << 48) - 1)
/* Of a name with its NUL: what a path may have. */
#define PAK_NAME_BYTES_MAX 512u

struct pak_header {
    uint32_t entry_count;
    uint32_t content_count;
    uint32_t copy_count;
    uint32_t block_count;
    uint32_t name_bytes; /* all names, each with its NUL */
    uint32_t index_bytes;
    uint32_t index_checksum;
    uint64_t file_bytes;
    uint64_t data_offset; /* of the first place */
};

/* A validated index; the bytes behind it must outlive it. */
struct pak_index {
    struct pak_header header;
    const uint8_t *entries;
    const uint8_t *contents;
    const uint8_t *copies;
    const uint8_t *places;
    const uint8_t *blocks;
    const char *names;
};

struct pak_entry {
    const char *name;
    uint32_t content;
};

struct pak_content {
    uint64_t bytes;
    uint64_t stored_bytes; /* of one copy */
    uint32_t first_block;
    uint32_t block_count;
    uint32_t first_copy;
    uint32_t copy_count; /* 0 when there are no bytes */
    uint32_t codec;      /* SPN_CODEC_STORE ...; may be one that is unknown */
};

struct pak_block {
    uint64_t offset; /* from the start of the copy */
    uint32_t stored_bytes;
    uint32_t bytes; /* the same: it is stored raw */
    uint32_t checksum;
};

/* Judge the header of a file of `file_bytes`; `bytes` has PAK_HEADER_BYTES
 * unless the file is smaller. SPN_ERR_FORMAT, _VERSION, _CHECKSUM. */
SPN_NODISCARD spn_status spn__pak_header(const uint8_t *bytes,
                                         uint64_t file_bytes,
                                         struct pak_header *header,
                                         struct spn_fault *fault);

/* Judge the index: the header's index_bytes, which lie behind the header. */
SPN_NODISCARD spn_status spn__pak_index(const struct pak_header *header,
                                        const uint8_t *bytes,
                                        struct pak_index *index,
                                        struct spn_fault *fault);

/* Entry of a name of `name_bytes` (without a NUL), or PAK_NONE. */
uint32_t spn__pak_find(const struct pak_index *index, const char *name,
                       uint32_t name_bytes);

/* Numbers below the header's counts; `block` below the content's. */
struct pak_entry spn__pak_entry(const struct pak_index *index, uint32_t entry);
struct pak_content spn__pak_content(const struct pak_index *index,
                                    uint32_t content);
struct pak_block spn__pak_block(const struct pak_index *index,
                                const struct pak_content *content,
                                uint32_t block);
/* Where copy `copy` (from a content's first_copy on) begins in the file. */
uint64_t spn__pak_copy(const struct pak_index *index, uint32_t copy,
                       uint32_t *content);
/* The copy that lies at `place`, counted along the file. */
uint32_t spn__pak_place(const struct pak_index *index, uint32_t place);

/* Blocks of a content of `bytes` bytes. */
static inline uint64_t pak_block_count(uint64_t bytes)
{
    return bytes / PAK_BLOCK_BYTES + (bytes % PAK_BLOCK_BYTES != 0);
}

/* The next start of a sector. */
static inline uint64_t pak_sector_end(uint64_t offset)
{
    uint64_t mask = PAK_SECTOR_BYTES - 1;

    return (offset + mask) & ~mask;
}

/* May a pak have a file of this name (`name_bytes` without a NUL)? UTF-8, no
 * control characters, no backslash or colon, parts between '/' that are not
 * empty, "." or "..": nothing that could lead out of a folder. */
bool spn__pak_name_is_good(const char *name, uint32_t name_bytes);

/* Bytes that an index of such counts takes; 0: too many. */
uint32_t spn__pak_index_bytes(const struct pak_header *header);

#endif
