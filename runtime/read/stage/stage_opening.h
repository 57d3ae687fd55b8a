/* stage_opening.h - READ_OPENING: reads whose file may have to be opened.
 *
 * Every read passes through this stage when it is taken from the inbox, and
 * again after it has waited in another stage. If its medium is known, because
 * the file is open or the pak is in memory, it leaves at once. Otherwise it
 * waits in the queue `opening`. Each step opens one file, that of the first
 * read, so that the places of all waiting reads are known before one of equal
 * priority is chosen. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_OPENING_H
#define SPN_READ_STAGE_OPENING_H

#include "read/request.h"

struct io;

enum read_stage spn__opening_enter(struct io *io, uint32_t index);

/* Open the file of the first read. Returns false if no read waits. If the file
 * could not be opened, the read was taken out of the queue: *index is the read
 * and *next its next stage. Otherwise *index is IO_NONE, and spn__opening_next
 * returns the next stage of each read in the queue. */
bool spn__opening_step(struct io *io, uint32_t *index, enum read_stage *next);
enum read_stage spn__opening_next(struct io *io, uint32_t index);

/* Return whether a medium with a free device has a read of a higher priority
 * than the first read of this stage. */
bool spn__opening_is_outranked(const struct io *io);

#endif
