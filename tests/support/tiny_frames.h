/* tiny_frames.h - frames of a small cache. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TINY_FRAMES_H
#define TESTS_SUPPORT_TINY_FRAMES_H

#include "support/tiny_builder.h"

/* Bytes of the boxes of each frame. */
uint32_t tiny_box_bytes(const struct builder *b);
void tiny_add_frame(struct builder *b, uint32_t frame);
void tiny_add_frame_entry(struct builder *b, uint32_t stored, uint32_t frame);

#endif
