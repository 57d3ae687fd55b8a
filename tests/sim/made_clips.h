/* made_clips.h - the caches of the simulator's discs. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_MADE_CLIPS_H
#define TESTS_SIM_MADE_CLIPS_H

#include "sim/made_disc.h"

#include <stddef.h>

struct clip_file {
    const char *path;
    const uint8_t *data;
    const uint8_t *bad_data; /* other bytes of the same size; NULL: none */
    size_t bytes;
};

/* Make MADE_CLIPS files and clips. */
void made_clips_make(struct clip_file *files, struct made_clip *clips);

/* The frame for a time of the clip: the last one that begins at or before
 * it. */
uint32_t made_clips_frame_at(const struct made_clip *clip, int64_t time_us);

/* Hash of `vertex_count` vertices of MADE_STRIDE bytes: 16-bit values, so that
 * it is the same for each byte order. */
uint64_t made_clips_hash(const void *vertices, uint32_t vertex_count);

#endif
