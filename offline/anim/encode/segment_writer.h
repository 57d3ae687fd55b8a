/* segment_writer.h - writes a segment as anim_segment.h describes it. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_SEGMENT_WRITER_H
#define OFFLINE_ANIM_ENCODE_SEGMENT_WRITER_H

#include "anim/encode/clip_rows.h"

#include <stddef.h>

/* Encode segment `segment` of the rows. `cuts` is NULL if the clip has none;
 * else one byte for each of its frames. Returns the bytes, in `arena`. */
uint8_t *segment_write(const struct clip_rows *rows, uint32_t segment,
                       const uint8_t *cuts, struct arena *arena, size_t *bytes);

#endif
