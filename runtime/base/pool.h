/* pool.h - generation handles for the slots of a fixed table.
 *
 * A handle is generation << 16 | index. The generation changes each time that
 * the slot is taken or given back, so that stale handles are recognized; 0 is
 * never a handle. The pool has the generations and the list of free slots. The
 * slots themselves are an array of the caller. Thread: one owner.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_POOL_H
#define SPN_BASE_POOL_H

#include "base/carve.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define POOL_NONE UINT32_MAX

struct pool {
    uint16_t *generation; /* by slot; odd: in use */
    uint16_t *next;       /* by slot: the next free slot */
    uint32_t capacity;    /* <= 65535 */
    uint32_t used;        /* slots in use */
    uint32_t first_free;
    uint32_t last_free; /* free slots are reused first in, first out, so that
                           generations advance evenly */
};

void spn__pool_init(struct pool *pool, struct carve *carve, uint32_t capacity);
/* Take a free slot. SPN_ERR_TABLE_FULL if there is none. */
SPN_NODISCARD spn_status spn__pool_take(struct pool *pool, uint32_t *handle);
/* Index of a handle, or POOL_NONE if it is stale. */
uint32_t spn__pool_index(const struct pool *pool, uint32_t handle);
/* Handle of a slot in use. */
uint32_t spn__pool_handle(const struct pool *pool, uint32_t index);
bool spn__pool_is_used(const struct pool *pool, uint32_t index);
/* Replace a handle by a new one for the same slot; the old one is stale.
 * Returns 0 for a stale handle. */
uint32_t spn__pool_renew(struct pool *pool, uint32_t handle);
/* Free the slot of a handle. Returns false for a stale handle, without effect.
 */
bool spn__pool_give(struct pool *pool, uint32_t handle);
/* Return whether all invariants hold. O(capacity). */
bool spn__pool_check(const struct pool *pool);

#endif
