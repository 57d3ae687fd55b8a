/* snapshot.c - a sequence lock. */
/* SPDX-License-Identifier: MIT */
#include "base/snapshot.h"

#include "base/mem.h"

void spn__snapshot_write(struct snapshot *snapshot, const void *from)
{
    const uint8_t *bytes = from;
    uint32_t version = atomic_load_relaxed(&snapshot->version);

    atomic_store_relaxed(&snapshot->version, version + 1);
    for (uint32_t i = 0; i < snapshot->count; i++) {
        uint32_t word;

        memcpy(&word, bytes + (size_t)i * sizeof word, sizeof word);
        /* Release: a reader that sees this word also sees the odd version. */
        atomic_store_release(&snapshot->words[i], word);
    }
    /* Pairs with the first load of a reader, which then sees all words. */
    atomic_store_release(&snapshot->version, version + 2);
}

void spn__snapshot_read(const struct snapshot *snapshot, void *to)
{
    uint8_t *bytes = to;
    uint32_t before;
    uint32_t after;

    do {
        before = atomic_load_acquire(&snapshot->version);
        for (uint32_t i = 0; i < snapshot->count; i++) {
            /* Acquire: pairs with the store of the word, and is ordered before
             * the second load of the version. */
            uint32_t word = atomic_load_acquire(&snapshot->words[i]);

            memcpy(bytes + (size_t)i * sizeof word, &word, sizeof word);
        }
        after = atomic_load_relaxed(&snapshot->version);
    } while (before != after || (before & 1));
}
