/* triple_buffer.h - the latest state that one thread publishes to another.
 *
 * There are three copies of the state: the writer fills one, the reader uses
 * one, and the third lies between them. Publishing and fetching exchange a copy
 * with the third by one atomic operation. Neither side waits, the reader never
 * sees a state in parts, and a state that was not fetched is replaced. One
 * writer thread, one reader thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TRIPLE_BUFFER_H
#define SPN_BASE_TRIPLE_BUFFER_H

#include "base/atomic.h"
#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct triple_buffer {
    uint8_t *copies[3]; /* zeroed at first */
    uint32_t bytes;
    struct atomic_u32 middle;
    uint32_t draft;  /* the writer's */
    uint32_t latest; /* the reader's */
};

void spn__triple_buffer_init(struct triple_buffer *buffer, struct carve *carve,
                             uint32_t bytes);
/* Writer. */
void spn__triple_buffer_send(struct triple_buffer *buffer, const void *state);
/* Reader: the newest state that was sent, all zero before the first. Stays as
 * it is until the next call. */
const void *spn__triple_buffer_latest(struct triple_buffer *buffer);

#endif
