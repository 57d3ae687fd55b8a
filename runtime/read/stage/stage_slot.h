/* stage_slot.h - READ_AWAITS_SLOT: reads of compressed entries for which no
 * slot is free.
 *
 * When a slot is freed, all of them try again in the order of their priorities,
 * because the first may not need it any more. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_SLOT_H
#define SPN_READ_STAGE_SLOT_H

#include "read/request.h"

struct io;

enum read_stage spn__slot_enter(struct io *io, uint32_t index);
/* Take the first read out; its next stage is READ_OPENING. Returns false if
 * none waits, or no slot was freed since the last one left. */
bool spn__slot_step(struct io *io, uint32_t *index);

#endif
