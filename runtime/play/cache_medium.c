/* cache_medium.c - caches whose pak comes into memory, or leaves it.
 *
 * Where a cache lies decides who reads beside it, how fast, and whether a drive
 * has time for it: what its streams were given on one medium is given back, and
 * they are judged on the other, in the order in which they once asked. Reads on
 * their way end where they began.
 */
/* SPDX-License-Identifier: MIT */
#include "play/manager.h"

#include "play/admission.h"
#include "play/node.h"

static void move(struct manager *m, struct cache *c, spn_medium medium)
{
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct stream *s = &m->nodes[i].stream;

        if (m->nodes[i].handle != 0 && m->nodes[i].cache == c)
            spn__admission_release(s);
    }
    c->medium = medium;
}

void spn__manager_heed_paks(void *context)
{
    struct manager *m = context;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        struct cache *c = &m->caches[i];
        spn_medium medium;

        /* Before, it asks when its header is there. */
        if (spn__pool_is_used(&m->cache_pool, i) &&
            c->state >= CACHE_FRAMES_MEMORY && c->state <= CACHE_READY &&
            spn__io_file_medium(m->config.io, c->file, &medium) == SPN_OK &&
            medium != c->medium)
            move(m, c, medium);
    }
}
