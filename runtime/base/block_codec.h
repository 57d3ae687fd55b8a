/* block_codec.h - the built-in block codecs, and the table of all.
 *
 * A block is at most 64 KiB of raw bytes, independent of all others. Where
 * compression does not pay it is stored raw, whatever the file's codec.
 * Further codecs are tables of their own that the caller's config brings
 * (spindle/codec.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_BLOCK_CODEC_H
#define SPN_BASE_BLOCK_CODEC_H

#include <spindle/codec.h>
#include <spindle/status.h>
#include <stdint.h>

#define BLOCK_RAW_BYTES_MAX 65536u

/* Numbers of the file format; they never change. */
enum block_codec_id {
    BLOCK_CODEC_STORE = SPN_CODEC_STORE,
    BLOCK_CODEC_LZ4 = SPN_CODEC_LZ4, /* LZ4HC when written */
    BLOCK_CODEC_DEFLATE = SPN_CODEC_DEFLATE,
    BLOCK_CODEC_ZSTD = SPN_CODEC_ZSTD
};

/* The codec with this id among the built-in ones and `extra` (extra_count
 * tables, may be NULL); NULL when unknown. */
const spn_codec *spn__block_codec_find(uint32_t id,
                                       const spn_codec *const *extra,
                                       uint32_t extra_count);

/* Where the workspace of a registered codec begins among those of all, which
 * lie one behind the other at multiples of 64; their end for any other. */
uint32_t spn__block_codec_workspace_at(const spn_codec *const *extra,
                                       uint32_t extra_count,
                                       const spn_codec *codec);

/* What to call the codec with this id when it is not there, e.g. "block codec
 * deflate". Static string. */
const char *spn__block_codec_title(uint32_t id);

#endif
