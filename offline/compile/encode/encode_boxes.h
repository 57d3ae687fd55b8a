/* encode_boxes.h - the boxes of meshes in a frame (cache/cache_box.h). */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_BOXES_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_BOXES_H

#include "compile/encode/encoder.h"

#include <stdint.h>

/* Compute the box of each part whose positions are animated, as the directory
 * of the frame stores it. A part that the frame does not contain gets some box.
 *
 * values  of all blocks: those of block i start at e->block_at[i]
 * out     e->layout.box_bytes bytes */
void encoder_boxes(const struct encoder *e, const uint8_t *values,
                   uint8_t *out);

#endif
