/* block_codec.h - how blocks are compressed, behind a table.
 *
 * A block is at most 64 KiB of raw bytes, independent of all others. Where
 * compression does not pay it is stored raw, whatever the file's codec.
 * Further codecs are tables of their own that the caller's config brings.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_BLOCK_CODEC_H
#define SPN_GEOM_BLOCK_CODEC_H

#include <spindle/status.h>
#include <stdint.h>

#define BLOCK_RAW_BYTES_MAX 65536u

/* Numbers of the file format; they never change. */
enum block_codec_id {
    BLOCK_CODEC_STORE = 0,
    BLOCK_CODEC_LZ4 = 1, /* one raw LZ4 block; LZ4HC when written */
    BLOCK_CODEC_DEFLATE = 2,
    BLOCK_CODEC_ZSTD = 3
};

struct block_codec {
    uint32_t id; /* enum block_codec_id */
    const char *name;
    uint32_t workspace_bytes; /* per worker */
    /* Decode exactly target_bytes from all of source_bytes, or refuse with
     * SPN_ERR_CODEC. Never reads or writes outside of either. `workspace` is
     * aligned to 64 and belongs to the call. */
    spn_status (*decode)(const void *source, uint32_t source_bytes,
                         void *target, uint32_t target_bytes, void *workspace);
};

/* The codec with this id among the built-in ones and `extra` (extra_count
 * tables, may be NULL); NULL when unknown. */
const struct block_codec *spn__block_codec_find(
    uint32_t id, const struct block_codec *const *extra, uint32_t extra_count);

#endif
