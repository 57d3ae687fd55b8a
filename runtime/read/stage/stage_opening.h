/* stage_opening.h - READ_OPENING: a read whose file may have to be opened.
 *
 * Every turn of a read begins here. Where its medium is known, because the file
 * is open or the pak is in memory, it goes on at once. Otherwise it waits in
 * the queue `opening`: one file is opened a step, that of the first read, so
 * that all places are known before the first of equals is chosen. Owner: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_OPENING_H
#define SPN_READ_STAGE_OPENING_H

#include "read/request.h"

struct io;

enum read_stage spn__opening_enter(struct io *io, uint32_t index);

/* Open the file of the first read. False when none waits. When that failed,
 * *index is the read, which was taken out of the queue, and *next its stage.
 * Otherwise *index is IO_NONE, and spn__opening_next tells for each read of the
 * queue where it goes. */
bool spn__opening_step(struct io *io, uint32_t *index, enum read_stage *next);
enum read_stage spn__opening_next(struct io *io, uint32_t index);

/* Does a medium with a free device have a read of a higher priority than the
 * first that waits to be opened? */
bool spn__opening_is_outranked(const struct io *io);

#endif
