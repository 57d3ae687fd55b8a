/* pak_index_writer.h - write the header and the index of a pak file.
 *
 * pak_writer.c has written the copies (pak_writer.h) and describes them in a
 * `struct pak_data`; this module makes the index and the header of them. The
 * format is runtime/pak/FORMAT.md. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_INDEX_WRITER_H
#define OFFLINE_PACK_PAK_INDEX_WRITER_H

#include "pack/pak_writer.h"

/* A content as it is stored. Contents have the indices of pack_contents. */
struct stored_content {
    uint64_t offset; /* in the pak file, of its first copy */
    uint64_t stored_bytes;
    uint32_t first_block; /* index in pak_data.blocks */
    uint32_t codec;       /* SPN_CODEC_STORE ... */
    uint32_t copy_count;  /* copies of the content, the first included */
};

struct stored_block {
    uint64_t end; /* offset of its end from the beginning of the content */
    uint32_t checksum;
};

struct pak_data {
    struct pak_header header; /* of pak_index_plan */
    struct stored_content *contents;
    struct stored_block *blocks; /* of all contents, in their order */
    uint64_t *offsets; /* in the pak file, of each copy of the layout */
};

/* Set the counts, `index_bytes` and `data_offset` of a zeroed header.
 * `block_count` is that of all contents. Returns false after a refusal: the
 * index would be too large. */
bool pak_index_plan(const struct pak_writing *writing, uint64_t block_count,
                    struct pak_header *header);

/* Write index, header and, at last, the signature. The index is checked by the
 * runtime's own code before. Sets out->header and out->index. Returns false
 * after a refusal. */
bool pak_index_write(const struct pak_writing *writing,
                     const struct pak_data *data, struct pak_written *out);

#endif
