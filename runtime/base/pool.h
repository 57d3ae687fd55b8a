/* pool.h - generation handles over a fixed table.
 *
 * handle = generation (16 bits, never 0) << 16 | index: a stale handle is
 * refused, 0 is never a handle. The pool keeps generations and the free list
 * only; the slots are the caller's array. Owner: one thread.
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
    uint16_t *generation; /* odd when in use */
    uint16_t *next;       /* free list */
    uint32_t capacity;    /* <= 65535 */
    uint32_t used;
    uint32_t first_free;
    uint32_t last_free; /* first in, first out: a slot rests before reuse */
};

void spn__pool_init(struct pool *pool, struct carve *carve, uint32_t capacity);
/* SPN_ERR_TABLE_FULL when none is free. */
SPN_NODISCARD spn_status spn__pool_take(struct pool *pool, uint32_t *handle);
/* Index of a live handle, or POOL_NONE. */
uint32_t spn__pool_index(const struct pool *pool, uint32_t handle);
/* The live handle of an index in use. */
uint32_t spn__pool_handle(const struct pool *pool, uint32_t index);
bool spn__pool_is_used(const struct pool *pool, uint32_t index);
/* A new handle for the slot of a live one, which is stale from here on; 0 for
 * a stale handle. */
uint32_t spn__pool_renew(struct pool *pool, uint32_t handle);
/* False for a stale handle: nothing changes. */
bool spn__pool_give(struct pool *pool, uint32_t handle);
bool spn__pool_check(const struct pool *pool);

#endif
