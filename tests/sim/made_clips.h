/* made_clips.h - the caches of the simulator's discs. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_MADE_CLIPS_H
#define TESTS_SIM_MADE_CLIPS_H

#include "sim/made_disc.h"

#include <stddef.h>

struct clip_file {
    const char *path;
    const uint8_t *data;
    const uint8_t *bad_data; /* as large; NULL: none */
    size_t bytes;
};

/* MADE_CLIPS of both. */
void made_clips_make(struct clip_file *files, struct made_clip *clips);

/* The frame that a playback time wants: the last one that begins by then. */
uint32_t made_clips_frame_at(const struct made_clip *clip, int64_t time_us,
                             bool is_looping);

/* Of `vertices` vertices of MADE_STRIDE bytes. */
uint64_t made_clips_hash(const void *vertices, uint32_t vertex_count);

#endif
