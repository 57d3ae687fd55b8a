/* cursor_keep.h - a cursor marks the memory that it needs (kept.h).
 *
 * What a cursor keeps is charged to it and held as far as its promise goes,
 * beside what it reserved for its next launch and its next read; the rest is
 * only needed. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_KEEP_H
#define SPN_PLAY_CURSOR_KEEP_H

#include "play/cursor.h"

#include <stdbool.h>
#include <stdint.h>

struct decoded_frame;
struct frame_slot;
struct group_read;

/* Keep a frame that is READY or RUNNING.
 *
 * until_us  time until it is needed */
void spn__cursor_keep_frame(struct cursor *s, struct frame_slot *slot,
                            int64_t until_us);
/* The frame is shown: others may have to be decoded again before it goes. */
void spn__cursor_keep_shown(struct cursor *s, struct frame_slot *slot);
/* A cursor that has found no memory for some time frees what does not fit its
 * promise: it may be in the way of its own frames, and can be read again in
 * smaller parts. */
void spn__cursor_keep_read(struct cursor *s, struct group_read *r,
                           int64_t until_us);
/* Mark a read as needed, but do not charge it. */
void spn__cursor_want_read(struct cursor *s, struct group_read *r,
                           int64_t until_us);
/* The frames of a group of the read are decoded: it is needed last of all, in
 * the next loop, or not at all. */
void spn__cursor_pass_read(struct cursor *s, struct group_read *r);

/* A decoded frame omits a tile that it wants: the frame counts as not decoded.
 * cursor_lacks does not look at the frame, which is hardly ever in the
 * processor's cache, while no frame of the clip omits a wanted tile. */
bool spn__cursor_lacks(const struct cursor *s, const struct decoded_frame *f);
static inline bool cursor_lacks(const struct cursor *s,
                                const struct decoded_frame *f)
{
    return s->cache->has_lacking && spn__cursor_lacks(s, f);
}

/* A decoded frame is not even to be shown: it lacks meshes, playback stands
 * still, and no other cursor holds the frame, so it is decoded again. */
bool spn__cursor_rejects(const struct cursor *s, const struct frame_slot *slot);

#endif
