/* arrival.h - running frames that wait for their compressed bytes.
 *
 * A frame that is wanted now is launched while its read is under way: its
 * memory and its counters are set up, and its first job is submitted as soon as
 * the bytes arrive, by the io thread, without waiting for the next update. The
 * frames that wait for a read are a list of the read.
 *
 * Threads. `gate` of the read says to whom the list belongs. The caller's
 * thread sets ARRIVAL_EMPTY to take the list and ARRIVAL_AWAITED to give it
 * away; the io thread sets ARRIVAL_OVER, once, when the read has succeeded, and
 * submits the list if it was given away. If the caller's thread finds
 * ARRIVAL_OVER, it submits what it still has. So each frame is submitted
 * exactly once, whoever is first.
 *
 * If the read fails, or nobody wants it any more, its frames are *given up*:
 * their jobs run without bytes, and fail all tiles, so that the frames that
 * wait for those end, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_ARRIVAL_H
#define SPN_PLAY_ARRIVAL_H

#include "play/decoded_frame.h"
#include "play/group_read.h"

#include <spindle/status.h>
#include <stdbool.h>

/* True while the read of a running frame has not been completed. */
static inline bool arrival_is_awaited(const struct decoded_frame *f)
{
    return f->read && f->read->state != READ_DONE;
}

/* Have the first job of a frame submitted when its bytes arrive. Returns false,
 * without effect, if they have arrived. Caller's thread. */
bool spn__arrival_await(struct decoded_frame *f);
/* The bytes of a read have arrived: io_read.on_arrival, with the read. */
void spn__arrival_come(void *read);

/* The completion of a read gives back the frames that still wait. The caller's
 * thread owns the list until spn__arrival_resume. */
void spn__arrival_take(struct group_read *r);
/* Give up those frames of a list that was taken whose `unread` is not SPN_OK.
 */
void spn__arrival_give_up(struct group_read *r);
/* The read goes on: wait for it again. */
void spn__arrival_resume(struct group_read *r);
/* The read has ended: the frames of the list need a job. */
void spn__arrival_end(struct group_read *r);

/* Nobody wants the read any more: give up all its frames. Returns false,
 * without effect, if the bytes have arrived. Caller's thread. */
bool spn__arrival_cancel(struct group_read *r);

#endif
