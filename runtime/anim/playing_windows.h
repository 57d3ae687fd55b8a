/* playing_windows.h - records and memory of the windows of clips that play.
 *
 * The windows of a playing clip are a list. The first PLAYING_SLOTS of them
 * that are decoded have their memory in the block of the tracks, the others in
 * blocks of their own. Caller's thread; spn__window_find any thread between two
 * updates.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PLAYING_WINDOWS_H
#define SPN_ANIM_PLAYING_WINDOWS_H

#include "anim/playing_clip.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;

/* playing_window.slot: no memory. */
#define SLOT_NONE UINT32_MAX

/* The window of a segment; NULL: there is none. It is found by a hash, so that
 * plays of one clip do not search the windows of each other. */
struct playing_window *spn__window_find(const struct anim *a,
                                        const struct playing_clip *p,
                                        uint32_t segment);
/* The same, made if there is none. NULL: there is no record now. */
struct playing_window *spn__window_make(struct anim *a, struct playing_clip *p,
                                        uint32_t segment);

/* Free a window that no job decodes. */
void spn__window_free(struct anim *a, struct playing_window *w);

/* Slots in the block of a clip: PLAYING_SLOTS, or its number of segments. */
uint32_t spn__window_slot_count(const struct playing_clip *p);

/* Take a contiguous block of the heap for a clip or a window. SPN_OK; otherwise
 * there is no room now, or never (spn__anim_memory_take_whole). */
spn_status spn__window_take_block(struct anim *a, uint32_t bytes,
                                  heap_handle *out);
/* Take memory for a window that has none: a free slot, or a block. False: there
 * is no room now. */
bool spn__window_take_memory(struct anim *a, struct playing_window *w);
/* Move a decoded window from a block of its own to a slot, if one is free. */
void spn__window_move_to_slot(struct anim *a, struct playing_window *w);

#endif
