/* anim_counts.c - see anim_counts.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_counts.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "base/assert.h"

#define COUNT(word) ((word) & ~COUNT_IS_LISTED)

void spn__anim_counts_init(struct anim_counts *counts, struct carve *carve,
                           uint32_t capacity)
{
    *counts = (struct anim_counts){.capacity = capacity};
    counts->words = SPN_CARVE(carve, struct atomic_u32, capacity);
    counts->next = SPN_CARVE(carve, struct atomic_u32, capacity);
}

/* The clip has just got COUNT_IS_LISTED from this thread. */
static void push(struct anim_counts *counts, uint32_t clip)
{
    uint32_t head = atomic_load_relaxed(&counts->head);

    do
        /* Published by the exchange, which pairs with that in take. */
        atomic_store_relaxed(&counts->next[clip], head);
    while (!atomic_compare_exchange_acq_rel(&counts->head, &head, clip + 1));
}

void spn__anim_counts_push(struct anim_counts *counts, uint32_t clip)
{
    SPN_ASSERT(clip < counts->capacity);
    if (!(atomic_or_acq_rel(&counts->words[clip], COUNT_IS_LISTED) &
          COUNT_IS_LISTED))
        push(counts, clip);
}

/* Replace the word of a clip. The new word has COUNT_IS_LISTED if the old one
 * has it, or if `is_change`. */
static bool replace(struct anim_counts *counts, uint32_t clip, uint32_t *word,
                    uint32_t count, bool is_change)
{
    const uint32_t flag = is_change ? COUNT_IS_LISTED : *word & COUNT_IS_LISTED;
    const bool is_listed = (*word & COUNT_IS_LISTED) != 0;

    /* Pairs with the exchange in next: the caller's thread, which clears the
     * flag first and reads the count then, sees this change, or the flag is
     * set again. */
    if (!atomic_compare_exchange_acq_rel(&counts->words[clip], word,
                                         count | flag))
        return false;
    if (is_change && !is_listed)
        push(counts, clip);
    return true;
}

void spn__anim_counts_add(struct anim_counts *counts, uint32_t clip)
{
    uint32_t word;
    uint32_t count;

    SPN_ASSERT(clip < counts->capacity);
    word = atomic_load_relaxed(&counts->words[clip]);
    do {
        count = COUNT(word);
        if (count >= SPN_ANIM_REFS_MAX)
            return;
    } while (!replace(counts, clip, &word, count + 1, count == 0));
}

bool spn__anim_counts_remove(struct anim_counts *counts, uint32_t clip)
{
    uint32_t word;
    uint32_t count;

    SPN_ASSERT(clip < counts->capacity);
    word = atomic_load_relaxed(&counts->words[clip]);
    do {
        count = COUNT(word);
        if (count == 0)
            return false;
        if (count >= SPN_ANIM_REFS_MAX)
            return true;
    } while (!replace(counts, clip, &word, count - 1, count == 1));
    return true;
}

uint32_t spn__anim_counts_get(const struct anim_counts *counts, uint32_t clip)
{
    return COUNT(atomic_load_relaxed(&counts->words[clip]));
}

/* The clip of an element; COUNT_IS_LISTED: the end. */
static uint32_t clip_at(uint32_t number)
{
    return number != 0 ? number - 1 : COUNT_IS_LISTED;
}

/* Reverse the list, because the last push is its first element. */
uint32_t spn__anim_counts_take(struct anim_counts *counts)
{
    /* Pairs with the exchange in push. */
    uint32_t at = atomic_exchange_acq_rel(&counts->head, 0);
    uint32_t reversed = 0;

    while (at != 0) {
        const uint32_t after = atomic_load_relaxed(&counts->next[at - 1]);

        atomic_store_relaxed(&counts->next[at - 1], reversed);
        reversed = at;
        at = after;
    }
    return clip_at(reversed);
}

uint32_t spn__anim_counts_first(const struct anim_counts *counts)
{
    /* Pairs with the exchange in push. */
    return clip_at(atomic_load_acquire(&counts->head));
}

uint32_t spn__anim_counts_after(const struct anim_counts *counts, uint32_t clip)
{
    return clip_at(atomic_load_relaxed(&counts->next[clip]));
}

uint32_t spn__anim_counts_next(struct anim_counts *counts, uint32_t clip)
{
    const uint32_t after = spn__anim_counts_after(counts, clip);

    /* From here on another thread may push the clip. */
    atomic_and_acq_rel(&counts->words[clip], ~COUNT_IS_LISTED);
    return after;
}

#endif
