/* anim_encode.h - from dense clips to the files of clips and skeletons.
 *
 * The same clip and options give the same bytes on every machine. A call uses
 * one thread and only its own memory, so clips can be encoded in parallel.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_ANIM_ENCODE_H
#define OFFLINE_ANIM_ENCODE_ANIM_ENCODE_H

#include "anim/dense_clip.h"
#include "common/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANIM_PRECISION 0.0001       /* metres, at the skin: 0.1 mm */
#define ANIM_FLOAT_PRECISION 0.0001 /* of float tracks */
/* Between two frames the error may be larger by this factor. */
#define ANIM_BETWEEN_FACTOR 1.5

/* A clip has segments of 16 frames. If one of them had more than
 * ANIM_SEGMENT_BYTES_MAX bytes, or all had more than ANIM_SEGMENT_BYTES_MEAN on
 * average, or 16 frames had more than ANIM_SEGMENT_VALUES_MAX values, it has
 * segments of 8 frames, or else of 4: what a game reads, keeps and decodes at
 * once stays small when many tracks move. The values of a frame are those of a
 * row and of wide translations (anim_window.h). */
#define ANIM_SEGMENT_BYTES_MEAN 4096u
#define ANIM_SEGMENT_BYTES_MAX 8192u
#define ANIM_SEGMENT_VALUES_MAX 6144u

struct anim_encode_options {
    double precision;       /* metres; > 0 */
    double float_precision; /* > 0 */
};

/* A file in memory. */
struct anim_file {
    uint8_t *bytes;
    size_t size;
};

/* Why a clip cannot be encoded; NULL if it can be. A static string: too many
 * joints, a name that is not allowed, numbers that are not finite ... */
const char *anim_encode_refusal(const struct dense_clip *clip,
                                const struct anim_encode_options *options);

/* Write the skeleton of a clip, which is not refused. */
void anim_encode_skeleton(const struct dense_clip *clip, struct arena *arena,
                          struct anim_file *file);
/* The hash of its names and parents. */
uint64_t anim_encode_hash(const struct dense_clip *clip, struct arena *arena);

/* Write a clip, which is not refused. The precision is kept unless a range is
 * too large for the format's integers; measure the file to see it
 * (clip_error.h). */
void anim_encode_clip(const struct dense_clip *clip,
                      const struct anim_encode_options *options,
                      struct arena *arena, struct anim_file *file);

#endif
