/* stage_storage.c - reads whose memory was not available (SPN_NO_MEMORY_NOW).
 */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_storage.h"

#include "read/engine.h"

enum read_stage spn__storage_enter(struct io *io, uint32_t index)
{
    spn__read_list_add(io, &io->storage_waiters, index);
    atomic_add_acq_rel(&io->storage_waiter_count, 1);
    return READ_AWAITS_STORAGE;
}

void spn__storage_leave(struct io *io)
{
    atomic_add_acq_rel(&io->storage_waiter_count, UINT32_MAX);
}

enum read_stage spn__storage_next(struct io *io, uint32_t index)
{
    (void)io;
    (void)index;
    return READ_OPENING;
}
