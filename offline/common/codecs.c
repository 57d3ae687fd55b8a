/* codecs.c - every block codec that the tool can decode. */
/* SPDX-License-Identifier: MIT */
#include "common/codecs.h"

#include "base/block_codec.h"

const spn_codec *const codecs_extra[CODECS_EXTRA_COUNT] = {&spn_codec_deflate,
                                                           &spn_codec_zstd};

const spn_codec *codecs_find(uint32_t id)
{
    return spn__block_codec_find(id, codecs_extra, CODECS_EXTRA_COUNT);
}
