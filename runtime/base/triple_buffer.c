/* triple_buffer.c - exchanges of copies by one atomic word, which has the index
 * of the middle copy and whether it is new. */
/* SPDX-License-Identifier: MIT */
#include "base/triple_buffer.h"

#include "base/assert.h"
#include "base/mem.h"

#define IS_NEW 4u
#define INDEX 3u

void spn__triple_buffer_init(struct triple_buffer *buffer, struct carve *carve,
                             uint32_t bytes)
{
    for (uint32_t i = 0; i < 3; i++)
        buffer->copies[i] = SPN_CARVE(carve, uint8_t, bytes);
    buffer->bytes = bytes;
    buffer->draft = 0;
    atomic_store_relaxed(&buffer->middle, 1);
    buffer->latest = 2;
}

void spn__triple_buffer_send(struct triple_buffer *buffer, const void *state)
{
    SPN_ASSERT(buffer->draft < 3);
    memcpy(buffer->copies[buffer->draft], state, buffer->bytes);
    /* Pairs with the exchange of the reader, which then sees the copy. */
    buffer->draft =
        atomic_exchange_acq_rel(&buffer->middle, buffer->draft | IS_NEW) &
        INDEX;
}

const void *spn__triple_buffer_latest(struct triple_buffer *buffer)
{
    /* Only the reader clears IS_NEW, so a relaxed load suffices. */
    if (atomic_load_relaxed(&buffer->middle) & IS_NEW)
        buffer->latest =
            atomic_exchange_acq_rel(&buffer->middle, buffer->latest) & INDEX;
    return buffer->copies[buffer->latest];
}

bool spn__triple_buffer_check(const struct triple_buffer *buffer)
{
    uint32_t middle = atomic_load_relaxed(&buffer->middle);

    /* The writer, the reader and the middle have one copy each. */
    return buffer->draft < 3 && buffer->latest < 3 && (middle & ~IS_NEW) < 3 &&
           (1u << buffer->draft | 1u << buffer->latest |
            1u << (middle & INDEX)) == 7;
}
