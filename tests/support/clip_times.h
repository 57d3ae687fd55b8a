/* clip_times.h - what decoding, filling and copying a clip's frames takes.
 *
 * The measure is memcpy of the raw frame: of the quantized frame as it was
 * decoded, all that animates. Each kind of work goes over all frames in a pass
 * of its own, decoding in the order of the file, filling and copying in that of
 * play. So the frame that is read was last touched a whole clip ago, as in a
 * game, for all of them alike: memcpy does not find it in the near caches
 * because something else has just read it.
 *
 * Where it goes to, there are two. Decoding writes each frame to memory of its
 * own, last touched a whole clip ago, too; beside it stands the copy that does
 * the same. Filling writes the same vertices again and again, which stay in the
 * near caches; beside it stands the copy to a buffer that is used again, which
 * is the quicker one.
 *
 * Times are microseconds of this program's processor, the least of each frame
 * over all passes, less what looking at the clock takes. `least` has one number
 * a frame, 0 before the first pass.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_TIMES_H
#define TESTS_SUPPORT_CLIP_TIMES_H

#include "support/whole_clip.h"

#include <stdint.h>

/* Of a fill: positions as floats, normals, tangents and UVs packed. */
extern const spn_vertex_layout clip_vertex_layout;

/* Numbers of all frames; ends the program when there is no memory. */
double *clip_times_new(const struct whole_clip *cache);

/* What fills and copies write to. Like the decoded frames it is one block, all
 * at multiples of 64: what memory the system happens to give makes a copy take
 * a quarter more or less. */
struct clip_room {
    uint8_t *memory;
    uint8_t *again;  /* for a frame, or for what is filled */
    uint8_t *frames; /* for all frames, one after the other */
};
void clip_room_open(struct clip_room *room, const struct whole_clip *cache);
void clip_room_close(struct clip_room *room);

/* The least of `least` and the time since `start`, by bench_cpu_us. */
void clip_times_keep(double *least, double start);

/* One pass each; `cpu`: bits of the instruction sets that may be used. */
void clip_times_decode(struct whole_clip *cache, uint32_t cpu, double *least);
/* What decoding does before it predicts. */
void clip_times_entropy(struct whole_clip *cache, uint32_t cpu, double *least);
/* Half way to the frame that follows. */
void clip_times_fill(const struct whole_clip *cache, uint32_t cpu,
                     const struct clip_room *room, double *least);
/* To a frame's own memory. */
void clip_times_copy(const struct whole_clip *cache,
                     const struct clip_room *room, double *least);
/* To memory that is used again. */
void clip_times_copy_near(const struct whole_clip *cache,
                          const struct clip_room *room, double *least);

/* The mean of all frames. */
double clip_times_mean(const struct whole_clip *cache, const double *least);

#endif
