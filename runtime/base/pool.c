/* pool.c - generations and the free list of a fixed table.
 *
 * A generation is odd while its slot is in use and even while it is free:
 * taking and freeing a slot add one each, renewing a handle adds two. So the
 * value of a handle is reused only after 32768 other handles of its slot. Free
 * slots form a list from first_free to last_free, linked by `next`.
 */
/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include "base/assert.h"

#define LIST_END 0xFFFFu
#define CAPACITY_MAX 65535u

static bool is_odd(uint16_t generation)
{
    return (generation & 1u) != 0;
}

void spn__pool_init(struct pool *pool, struct carve *carve, uint32_t capacity)
{
    SPN_ASSERT(capacity <= CAPACITY_MAX);
    pool->generation = SPN_CARVE(carve, uint16_t, capacity);
    pool->next = SPN_CARVE(carve, uint16_t, capacity);
    pool->used = 0;
    pool->capacity = 0;
    pool->first_free = LIST_END;
    pool->last_free = LIST_END;
    /* If the carve only counts or is over, the pool has no slots. */
    if (!pool->generation || !pool->next)
        return;
    pool->capacity = capacity;
    pool->first_free = 0;
    pool->last_free = capacity - 1;
    for (uint32_t i = 0; i < capacity; i++)
        pool->next[i] = (uint16_t)(i + 1 < capacity ? i + 1 : LIST_END);
}

spn_status spn__pool_take(struct pool *pool, uint32_t *handle)
{
    uint32_t index = pool->first_free;

    if (index == LIST_END)
        return SPN_ERR_TABLE_FULL;
    SPN_ASSERT(pool->used < pool->capacity);
    SPN_ASSERT(!is_odd(pool->generation[index]));
    pool->first_free = pool->next[index];
    if (pool->first_free == LIST_END)
        pool->last_free = LIST_END;
    pool->generation[index]++;
    pool->used++;
    *handle = spn__pool_handle(pool, index);
    return SPN_OK;
}

uint32_t spn__pool_index(const struct pool *pool, uint32_t handle)
{
    uint32_t index = handle & 0xFFFFu;

    if (!spn__pool_is_used(pool, index) ||
        pool->generation[index] != handle >> 16)
        return POOL_NONE;
    return index;
}

uint32_t spn__pool_handle(const struct pool *pool, uint32_t index)
{
    SPN_ASSERT(spn__pool_is_used(pool, index));
    return (uint32_t)pool->generation[index] << 16 | index;
}

bool spn__pool_is_used(const struct pool *pool, uint32_t index)
{
    return index < pool->capacity && is_odd(pool->generation[index]);
}

uint32_t spn__pool_renew(struct pool *pool, uint32_t handle)
{
    uint32_t index = spn__pool_index(pool, handle);

    if (index == POOL_NONE)
        return 0;
    pool->generation[index] = (uint16_t)(pool->generation[index] + 2);
    return spn__pool_handle(pool, index);
}

bool spn__pool_give(struct pool *pool, uint32_t handle)
{
    uint32_t index = spn__pool_index(pool, handle);

    if (index == POOL_NONE)
        return false;
    pool->generation[index]++;
    pool->next[index] = LIST_END;
    if (pool->last_free == LIST_END)
        pool->first_free = index;
    else
        pool->next[pool->last_free] = (uint16_t)index;
    pool->last_free = index;
    pool->used--;
    return true;
}

bool spn__pool_check(const struct pool *pool)
{
    uint32_t used = 0;
    uint32_t free_count;
    uint32_t index = pool->first_free;
    uint32_t last = LIST_END;

    for (uint32_t i = 0; i < pool->capacity; i++)
        used += is_odd(pool->generation[i]);
    if (used != pool->used)
        return false;
    /* The list ends after exactly this many slots: it has no cycle, and so it
     * has every free slot once. */
    free_count = pool->capacity - used;
    for (uint32_t i = 0; i < free_count; i++) {
        if (index >= pool->capacity || is_odd(pool->generation[index]))
            return false;
        last = index;
        index = pool->next[index];
    }
    return index == LIST_END && last == pool->last_free;
}
