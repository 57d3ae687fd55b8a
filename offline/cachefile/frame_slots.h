/* frame_slots.h - decoded frames of an open cache, kept while they are needed.
 *
 * A slot holds the decoded blocks of one frame. The next frame takes the slot
 * that was used longest ago, unless a frame that is still to be decoded refers
 * to it. One thread at a time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CACHEFILE_FRAME_SLOTS_H
#define OFFLINE_CACHEFILE_FRAME_SLOTS_H

#include "cachefile/cache_reader_state.h"

#include <stdint.h>

/* Allocate the tables of the slots. */
void frame_slots_init(struct cache_reader *reader);
void frame_slots_free(struct cache_reader *reader);

/* Decode a frame and all that it refers to. The slot stays valid until the next
 * call. NULL after a refusal. */
const struct frame_slot *frame_slots_decode(struct cache_reader *reader,
                                            uint32_t number);

#endif
