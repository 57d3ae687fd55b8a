/* stage_unverified.c - reads that need a slot to verify their last blocks. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_unverified.h"

#include "read/engine.h"

enum read_stage spn__unverified_enter(struct io *io, uint32_t index)
{
    spn__read_list_add(io, &io->unverified, index);
    return READ_UNVERIFIED;
}

uint32_t spn__unverified_count(const struct io *io)
{
    return io->unpack.borrowers.count > 0 ? io->unverified.count : 0;
}

uint32_t spn__unverified_step(struct io *io)
{
    uint32_t index = IO_NONE;
    bool has_one = spn__read_list_pop(io, &io->unverified, &index);

    SPN_ASSERT(has_one);
    (void)has_one;
    return index;
}
