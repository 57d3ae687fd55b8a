/* budget.c - a counter with a limit. A read alone may exceed the limit. */
/* SPDX-License-Identifier: MIT */
#include "schedule/budget.h"

#include "base/assert.h"
#include "base/minmax.h"

#define IS_REFUSED 0x80000000u
#define UNITS_MAX (IS_REFUSED - 1u)

static uint32_t units_of(uint64_t bytes)
{
    uint64_t units =
        bytes / BUDGET_UNIT_BYTES + (bytes % BUDGET_UNIT_BYTES > 0);

    return units < UNITS_MAX ? (uint32_t)units : UNITS_MAX;
}

static bool fits(const struct budget *budget, uint32_t used, uint32_t units)
{
    uint32_t limit;

    if (used == 0)
        return true;
    /* Relaxed: a limit is a number alone. */
    limit = atomic_load_relaxed(&budget->limit);
    return used <= limit && units <= limit - used;
}

void spn__budget_init(struct budget *budget, uint64_t limit_bytes)
{
    spn__budget_set_limit(budget, limit_bytes);
    atomic_store_relaxed(&budget->word, 0);
    atomic_store_relaxed(&budget->peak, 0);
}

void spn__budget_set_limit(struct budget *budget, uint64_t limit_bytes)
{
    atomic_store_relaxed(&budget->limit, units_of(limit_bytes));
}

bool spn__budget_take(struct budget *budget, uint64_t bytes, bool is_forced,
                      uint32_t *units)
{
    uint32_t word = atomic_load_relaxed(&budget->word);
    uint32_t wanted;
    uint32_t next;
    bool is_taken;

    do {
        uint32_t used = word & UNITS_MAX;

        wanted = units_of(bytes);
        is_taken = is_forced || fits(budget, used, wanted);
        /* More than 8 TiB cannot be counted; no machine has as much. */
        wanted = min_u32(wanted, UNITS_MAX - used);
        next = is_taken ? word + wanted : word | IS_REFUSED;
    } while (!atomic_compare_exchange_acq_rel(&budget->word, &word, next));
    if (!is_taken)
        return false;
    *units = wanted;
    if ((next & UNITS_MAX) > atomic_load_relaxed(&budget->peak))
        atomic_store_relaxed(&budget->peak, next & UNITS_MAX);
    return true;
}

bool spn__budget_give(struct budget *budget, uint32_t units)
{
    uint32_t before = atomic_add_acq_rel(&budget->word, 0u - units);

    SPN_ASSERT((before & UNITS_MAX) >= units);
    return before & IS_REFUSED;
}

void spn__budget_forget_refusal(struct budget *budget)
{
    atomic_and_acq_rel(&budget->word, ~IS_REFUSED);
}

uint64_t spn__budget_bytes(const struct budget *budget)
{
    uint32_t used = atomic_load_relaxed(&budget->word) & UNITS_MAX;

    return (uint64_t)used * BUDGET_UNIT_BYTES;
}

uint64_t spn__budget_bytes_peak(const struct budget *budget)
{
    return (uint64_t)atomic_load_relaxed(&budget->peak) * BUDGET_UNIT_BYTES;
}

void spn__budget_reset_peak(struct budget *budget)
{
    atomic_store_relaxed(&budget->peak,
                         atomic_load_relaxed(&budget->word) & UNITS_MAX);
}

bool spn__budget_check(const struct budget *budget, uint64_t units)
{
    uint32_t used = atomic_load_relaxed(&budget->word) & UNITS_MAX;

    return used == units && used <= atomic_load_relaxed(&budget->peak);
}
