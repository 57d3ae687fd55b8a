/* block_codec.h - the built-in block codecs, and lookup of codecs by id.
 *
 * A block has at most 64 KiB of raw bytes and is compressed by itself. If
 * compression does not make it smaller, it is stored raw, whatever the codec of
 * the file. Other codecs are tables of the config (spindle/codec.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_BLOCK_CODEC_H
#define SPN_BASE_BLOCK_CODEC_H

#include <spindle/codec.h>
#include <spindle/status.h>
#include <stdint.h>

#define BLOCK_RAW_BYTES_MAX 65536u

/* Ids in files; they never change. */
enum block_codec_id {
    BLOCK_CODEC_STORE = SPN_CODEC_STORE,
    BLOCK_CODEC_LZ4 = SPN_CODEC_LZ4, /* compressed by LZ4HC */
    BLOCK_CODEC_DEFLATE = SPN_CODEC_DEFLATE,
    BLOCK_CODEC_ZSTD = SPN_CODEC_ZSTD
};

/* Find a codec by id among the built-in ones and the `extra_count` tables of
 * `extra` (may be NULL if there are none). NULL: unknown. */
const spn_codec *spn__block_codec_find(uint32_t id,
                                       const spn_codec *const *extra,
                                       uint32_t extra_count);

/* Offset of the workspace of a codec of `extra` in the workspace of all, in
 * which they follow each other at multiples of 64. For any other codec: the
 * size of the workspace of all. */
uint32_t spn__block_codec_workspace_at(const spn_codec *const *extra,
                                       uint32_t extra_count,
                                       const spn_codec *codec);

/* Text for a codec that is not registered, e.g. "block codec deflate". Static.
 */
const char *spn__block_codec_title(uint32_t id);

#endif
