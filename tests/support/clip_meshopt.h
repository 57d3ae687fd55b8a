/* clip_meshopt.h - code the vertices of a decoded clip by meshoptimizer.
 *
 * A vertex is one record of all quantized channels that are animated somewhere
 * in the clip: 6 bytes of position and 2 zero bytes, 8 bytes of QTangent, and 4
 * bytes of UVs if animated. Records consist of whole words. Channels that a
 * mesh does not have or does not animate are 0. Colours and transforms are not
 * coded.
 *
 * The coder is version 0 of meshoptimizer's vertex codec, which every version
 * of the library decodes, followed by zstd. It codes each frame alone, or the
 * 16-bit difference to the frame before in the order of play.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_MESHOPT_H
#define TESTS_SUPPORT_CLIP_MESHOPT_H

#include "support/whole_clip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIP_MESHOPT_VERSION 0
#define CLIP_MESHOPT_ZSTD_LEVEL 9

struct clip_meshopt {
    bool is_delta;
    bool has_zstd;
    uint32_t frame_count;
    size_t record_count;
    uint32_t record_bytes;
    double bytes;     /* mean coded bytes of a frame */
    double encode_us; /* mean microseconds to encode a frame */
    struct clip_meshopt_frame *frames;
    uint8_t *memory;
    uint8_t *records; /* records of all frames, in the memory layout of
                       * clip_times.h */
    uint8_t *coded;   /* coded bytes of a frame before zstd */
    size_t coded_room;
    void *zstd;
};

/* Encode all frames of `clip`, which must be decoded, and check that decoding
 * restores them. False when no vertex is animated. Ends the program on
 * errors. */
bool clip_meshopt_open(struct clip_meshopt *coding,
                       const struct whole_clip *clip, bool is_delta,
                       bool has_zstd);
void clip_meshopt_close(struct clip_meshopt *coding);

/* One pass of clip_times.h: decode each frame to memory of its own. */
void clip_meshopt_decode(struct clip_meshopt *coding, double *least);

#endif
