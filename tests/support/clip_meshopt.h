/* clip_meshopt.h - the vertices of a decoded clip by meshoptimizer's codec.
 *
 * A vertex is one record of what animates somewhere in the clip, as quantized:
 * a position of 6 bytes and 2 that are 0, a QTangent of 8, and where UVs
 * animate 4 more: records must be of whole words. What a mesh does not have, or
 * does not animate, is 0. Colours and transforms are not coded.
 *
 * Version 0 of the vertex codec, which every version of the library decodes; it
 * packs bytes in groups, and zstd over it finds what it leaves. Of each frame
 * by itself, or of the difference to the frame before in the order of play, in
 * 16 bits.
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
    double bytes;     /* coded, of a frame */
    double encode_us; /* of a frame */
    struct clip_meshopt_frame *frames;
    uint8_t *memory;
    uint8_t *records; /* of all frames, as clip_times.h has them */
    uint8_t *coded;   /* of one frame, before zstd */
    size_t coded_room;
    void *zstd;
};

/* Encodes all frames of `clip`, which must be decoded, and looks whether they
 * come back. False: no vertex animates. Ends the program where it cannot. */
bool clip_meshopt_open(struct clip_meshopt *coding,
                       const struct whole_clip *clip, bool is_delta,
                       bool has_zstd);
void clip_meshopt_close(struct clip_meshopt *coding);

/* A pass as in clip_times.h, each frame to memory of its own. */
void clip_meshopt_decode(struct clip_meshopt *coding, double *least);

#endif
