/* mailbox.c - three copies and one word: which is in the middle, and whether
 * it is new. */
/* SPDX-License-Identifier: MIT */
#include "base/mailbox.h"

#include "base/mem.h"

#define IS_NEW 4u
#define INDEX 3u

void spn__mailbox_init(struct mailbox *mailbox, struct carve *carve,
                       uint32_t bytes)
{
    for (uint32_t i = 0; i < 3; i++)
        mailbox->copies[i] = SPN_CARVE(carve, uint8_t, bytes);
    mailbox->bytes = bytes;
    mailbox->draft = 0;
    atomic_store_relaxed(&mailbox->middle, 1);
    mailbox->latest = 2;
}

void spn__mailbox_send(struct mailbox *mailbox, const void *state)
{
    memcpy(mailbox->copies[mailbox->draft], state, mailbox->bytes);
    /* Pairs with the other side's: the copy comes with it. */
    mailbox->draft =
        atomic_exchange_acq_rel(&mailbox->middle, mailbox->draft | IS_NEW) &
        INDEX;
}

const void *spn__mailbox_latest(struct mailbox *mailbox)
{
    /* Only the reader takes the mark off: what is new stays so. */
    if (atomic_load_relaxed(&mailbox->middle) & IS_NEW)
        mailbox->latest =
            atomic_exchange_acq_rel(&mailbox->middle, mailbox->latest) & INDEX;
    return mailbox->copies[mailbox->latest];
}
