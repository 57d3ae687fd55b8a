/* clip_times.h - measure decoding, filling and copying of a clip's frames.
 *
 * The unit of comparison is memcpy of the raw quantized frame: all animated
 * values as decoded. Each kind of work passes over all frames by itself:
 * decoding in file order, filling and copying in playback order. So each pass
 * reads a frame that was last touched a whole clip ago, as in a game, and
 * memcpy does not find it in near caches.
 *
 * There are two kinds of targets. Decoding writes each frame to memory of its
 * own, also last touched a whole clip ago; clip_times_copy does the same.
 * Filling writes the same vertex buffer again, which stays in near caches;
 * clip_times_copy_near does the same and is faster.
 *
 * Times are microseconds of this program's processor time. `least` has for each
 * frame the least time over all passes, minus the time of reading the clock; 0
 * before the first pass.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_TIMES_H
#define TESTS_SUPPORT_CLIP_TIMES_H

#include "support/whole_clip.h"

#include <stdint.h>

/* The layout of fills: positions as floats; normals, tangents and UVs
 * packed. */
extern const spn_vertex_layout clip_vertex_layout;

/* Numbers for all frames. Ends the program when memory runs out. */
double *clip_times_new(const struct whole_clip *cache);

/* Target memory of fills and copies: one block, all parts at multiples of 64
 * bytes, because alignment changes the time of a copy by up to a quarter. */
struct clip_room {
    uint8_t *memory;
    uint8_t *again;  /* one target, used for every frame */
    uint8_t *frames; /* targets of all frames, one after the other */
};
void clip_room_open(struct clip_room *room, const struct whole_clip *cache);
void clip_room_close(struct clip_room *room);

/* Lower `least` to the time since `start`, measured by bench_cpu_us. */
void clip_times_keep(double *least, double start);

/* One pass each. `cpu`: the instruction sets that may be used. */
void clip_times_decode(struct whole_clip *cache, uint32_t cpu, double *least);
/* The part of decoding before prediction. */
void clip_times_entropy(struct whole_clip *cache, uint32_t cpu, double *least);
/* Fill at the time midway to the next frame. */
void clip_times_fill(const struct whole_clip *cache, uint32_t cpu,
                     const struct clip_room *room, double *least);
/* Copy each frame to memory of its own. */
void clip_times_copy(const struct whole_clip *cache,
                     const struct clip_room *room, double *least);
/* Copy each frame to the same memory. */
void clip_times_copy_near(const struct whole_clip *cache,
                          const struct clip_room *room, double *least);

/* The mean of all frames. */
double clip_times_mean(const struct whole_clip *cache, const double *least);

#endif
