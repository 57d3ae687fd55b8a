/* stage_unpacking.h - READ_UNPACKING: nothing more of a read is read, and its
 * last blocks are with the workers.
 *
 * Every read passes here on its way to its end; one of a plain file goes on at
 * once. A read of a pak waits until all its slots are back. Then its last
 * stored blocks are verified, and where bytes are bad it may go on with another
 * copy. Owner: the io thread; the workers write the read's memory.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_UNPACKING_H
#define SPN_READ_STAGE_UNPACKING_H

#include "read/request.h"

struct io;

enum read_stage spn__unpacking_enter(struct io *io, uint32_t index);

/* Take a slot that came back from the workers: *slot, of read *index, whatever
 * its stage, which goes to *next. Afterwards the slot has to be freed. False:
 * there is none. */
bool spn__unpacking_step(struct io *io, uint32_t *slot, uint32_t *index,
                         enum read_stage *next);

/* More bytes of a read of a stored entry have arrived: give its whole blocks to
 * the workers, as far as slots are free, which compare the checksums. */
void spn__unpacking_verify(struct io *io, uint32_t index);

#endif
