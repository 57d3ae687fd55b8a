/* mailbox.h - the latest state of something, from one thread to another.
 *
 * Three copies: one that is being written, one that is being read, and one
 * between them that is exchanged as a whole. Neither side ever waits, the
 * reader never sees half of a state, and what is not fetched is replaced.
 * One writer, one reader.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_MAILBOX_H
#define SPN_BASE_MAILBOX_H

#include "base/atomic.h"
#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct mailbox {
    uint8_t *copies[3]; /* zeroed at first */
    uint32_t bytes;
    struct atomic_u32 middle;
    uint32_t draft;  /* the writer's */
    uint32_t latest; /* the reader's */
};

void spn__mailbox_init(struct mailbox *mailbox, struct carve *carve,
                       uint32_t bytes);
/* Writer. */
void spn__mailbox_send(struct mailbox *mailbox, const void *state);
/* Reader: the newest state that was sent, all zero before the first. Stays as
 * it is until the next call. */
const void *spn__mailbox_latest(struct mailbox *mailbox);

#endif
