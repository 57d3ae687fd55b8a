/* codecs.h - the block codecs that the tool can decode: those of the runtime,
 * deflate and zstd. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_CODECS_H
#define OFFLINE_COMMON_CODECS_H

#include <spindle/codec.h>

/* The codecs that are not built into the runtime, for spn_config. */
#define CODECS_EXTRA_COUNT 2u
extern const spn_codec *const codecs_extra[CODECS_EXTRA_COUNT];

/* Find a codec by its number. NULL: unknown. */
const spn_codec *codecs_find(uint32_t id);

#endif
