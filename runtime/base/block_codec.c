/* block_codec.c - the built-in block codecs: store and LZ4.
 *
 * Decoders only; the compressors are in offline/compress. Neither needs a
 * workspace. A block that does not decode to exactly the expected number of
 * bytes is refused. LZ4_decompress_safe is the only external function of the
 * runtime.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"

#include "base/mem.h"

#include <lz4.h>
#include <stddef.h>

static spn_status decode_store(const void *source, uint32_t source_bytes,
                               void *target, uint32_t target_bytes,
                               void *workspace)
{
    (void)workspace;
    if (source_bytes != target_bytes)
        return SPN_ERR_CODEC;
    if (target_bytes > 0)
        memcpy(target, source, target_bytes);
    return SPN_OK;
}

static spn_status decode_lz4(const void *source, uint32_t source_bytes,
                             void *target, uint32_t target_bytes,
                             void *workspace)
{
    (void)workspace;
    /* Sizes are int for LZ4; blocks are not larger than 64 KiB. */
    if (source_bytes > INT32_MAX || target_bytes > BLOCK_RAW_BYTES_MAX)
        return SPN_ERR_CODEC;
    if (LZ4_decompress_safe(source, target, (int)source_bytes,
                            (int)target_bytes) != (int)target_bytes)
        return SPN_ERR_CODEC;
    return SPN_OK;
}

static const spn_codec store = {BLOCK_CODEC_STORE, "store", 0, decode_store};
static const spn_codec lz4 = {BLOCK_CODEC_LZ4, "lz4hc", 0, decode_lz4};

const spn_codec *spn__block_codec_find(uint32_t id,
                                       const spn_codec *const *extra,
                                       uint32_t extra_count)
{
    if (id == BLOCK_CODEC_STORE)
        return &store;
    if (id == BLOCK_CODEC_LZ4)
        return &lz4;
    for (uint32_t i = 0; extra && i < extra_count; i++)
        if (extra[i] && extra[i]->id == id)
            return extra[i];
    return NULL;
}

uint32_t spn__block_codec_workspace_at(const spn_codec *const *extra,
                                       uint32_t extra_count,
                                       const spn_codec *codec)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < extra_count && extra[i] != codec; i++)
        at += (extra[i]->workspace_bytes + 63) & ~UINT32_C(63);
    return at;
}

const char *spn__block_codec_title(uint32_t id)
{
    if (id == BLOCK_CODEC_DEFLATE)
        return "block codec deflate";
    if (id == BLOCK_CODEC_ZSTD)
        return "block codec zstd";
    return "block codec";
}
