/* tiny_clips.h - made-up clips, whose bytes mean nothing, and the databases and
 * images that have them, made by the tool's writer. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TINY_CLIPS_H
#define TESTS_TINY_CLIPS_H

#include "anim/clip_index_writer.h"

#include <stdbool.h>
#include <stdint.h>

#define TINY_CLIPS_HEADER_BYTES 24u

struct tiny_clips {
    struct arena arena;
    struct diag diag; /* silent */
    struct clip_input *sources;
    uint32_t count;
};

/* Make `count` clips of `bytes` bytes each, > TINY_CLIPS_HEADER_BYTES + 64.
 * Their names are "PREFIX/00000.sac" and so on. Each has four segments of equal
 * size, 40 frames at 30 a second, 67 joints, and bytes of its own. */
void tiny_clips_init(struct tiny_clips *clips, const char *prefix,
                     uint32_t count, uint32_t bytes);
void tiny_clips_free(struct tiny_clips *clips);

/* A database of all clips; fails the claim if it is refused. */
struct clip_index_file tiny_clips_database(struct tiny_clips *clips);
/* An image of all clips, as files of their own. */
struct clip_index_file tiny_clips_image(struct tiny_clips *clips);
/* An image of one database. */
struct clip_index_file tiny_clips_image_of(struct tiny_clips *clips,
                                           const char *path,
                                           const struct clip_index_file *file);

/* Repair the checksums of an image or database: of the index, if it lies within
 * the file, then of the header. */
void tiny_clips_correct(uint8_t *bytes, size_t size);

#endif
