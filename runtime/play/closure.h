/* closure.h - which frames must be decoded to decode one frame.
 *
 * The *closure* of a frame is the frame itself and those of its references,
 * transitively, that are not decoded and do not run. A closure is launched as a
 * whole or not at all (launch.h), so no memory is occupied by frames that
 * nothing can use yet. It lies within the group of the frame, and the anchor of
 * that group.
 *
 * In the pyramid of lifted meshes a closure has at most 4, 6 or 8 frames for
 * index distances 4, 8, 16; in the classic codec it is the sequence of frames
 * from the index frame on. Caller's thread, except spn__closure_measure.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CLOSURE_H
#define SPN_PLAY_CLOSURE_H

#include "play/cache.h"

#include <stdbool.h>
#include <stdint.h>

/* A group and its anchor. */
#define CLOSURE_FRAMES_MAX (CACHE_GROUP_FRAMES_MAX + 1u)

struct closure {
    uint32_t count;
    bool has_failed; /* a reference is lost: the frame cannot be decoded */
    bool is_ending;  /* a reference was cancelled, and is EMPTY soon */
    bool lacks_data; /* the compressed bytes of a frame are not in memory, */
    bool lacks_read; /* nor on their way */
    uint32_t frames[CLOSURE_FRAMES_MAX]; /* numbers; references come first */
};

/* The closure of a frame that is EMPTY. */
void spn__closure_collect(const struct cache *c, uint32_t number,
                          struct closure *out);

/* The frames of a group in the order of decoding, as indices in the group. Any
 * thread. */
void spn__closure_order(const struct cache *c, const struct cache_group *g,
                        uint8_t order[CACHE_GROUP_FRAMES_MAX]);

/* Frames of the largest closure of the clip, when nothing is decoded. The frame
 * table is read; any thread. Time: frames * frames of a group. */
uint32_t spn__closure_measure(const struct cache *c);

#endif
