/* step.h - the step of the io thread, which moves reads from stage to stage.
 *
 * Each stage (request.h) has a pair of files with the work of the io thread on
 * its reads. They never call each other: their functions return the next stage,
 * and step.c changes the stage. Stage X has some of these functions:
 *
 *   enum read_stage spn__X_enter(struct io *io, uint32_t index)
 *       The read has entered X. Returns its next stage, or X to stay.
 *   spn__X_step
 *       Take one read of X that can go on, and return its next stage.
 *   spn__X_next
 *       Next stage of a given read of X that was aborted, or whose task was
 *       paused or resumed.
 *   spn__X_leave
 *       The read leaves X.
 *
 * For example stage_waiting.h declares them for READ_WAITING. Only step.c calls
 * enter and leave, and changes the stage of reads that the io thread owns. The
 * others are driven by the thread that owns the read (request.h):
 *
 *   stage         thread    driver
 *   QUEUED        starting  io_start.c sets it, and hands the read to the inbox
 *   AWAITS_BLOCK  caller    io_finish.c calls spn__block_take. The stage stays;
 *                           step.c changes it when the read is in the inbox
 *                           again
 *   AWAITS_ASYNC  worker    the job of stage_async.c calls the callback, sets
 *                           READ_COMPLETING and hands the read to the done
 *                           ring; the worker is the thread that runs the job.
 *                           Before the submit the read is the io thread's
 *   COMPLETING    caller    io_finish.c calls spn__completing_step, sets
 *                           READ_UNUSED and returns the request
 *
 * step.c enters AWAITS_BLOCK and COMPLETING only to hand the read over. The
 * worker does not call spn__completing_enter: that also calls `on_arrival`,
 * which is for the io thread, and which reads with an asynchronous callback do
 * not have. step.c never enters QUEUED and UNUSED: no read of the io thread
 * goes there. Each of these threads owns the read while it changes the stage,
 * and changes it before the request is handed on.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_STEP_H
#define SPN_READ_STAGE_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct io;

/* Do one bounded piece of work, if there is any: take reads from the inbox,
 * handle signals, submit a piece, take a completion, open a file. io thread. It
 * does not wait, but functions of the platform may.
 *
 * due_us  output, if there was no work: the time of the platform's clock at
 *         which the io thread must call again. UINT64_MAX: it must call again
 *         only after the event of spn__io_set_event was signalled
 *
 * Returns whether there was work. */
bool spn__io_step(struct io *io, uint64_t *due_us);

#endif
