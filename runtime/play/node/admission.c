/* admission.c - compute the share of a cursor, and decide its request. */
/* SPDX-License-Identifier: MIT */
#include "play/node/admission.h"

#include "base/assert.h"
#include "disc/drive_math.h"
#include "play/cursor_life.h"
#include "play/cursor_promise.h"
#include "play/cursor_range.h"
#include "play/drive_share.h"
#include "play/node/node.h"
#include "play/play_trace.h"

#include <spindle/features.h>

#define PERMILLE 1000u
/* Limit of a share, far above a whole drive. */
#define SHARE_MAX (1000u * PERMILLE)
#define READ_US_MAX 60000000u

/* Bytes of a clip's frames. */
static uint64_t clip_bytes(const struct cache *c)
{
    const struct cache_group *first = cache_group_at(c, 0);
    const struct cache_group *last =
        cache_group_at(c, c->header.group_count - 1);

    return last->offset + last->bytes - first->offset;
}

/* Bytes of one read: the preferred size, but not more than the clip has between
 * buffer_ahead_min_ms and buffer_ahead_max_ms, and at least a mean group.
 *
 * all  bytes of the clip */
static uint64_t read_bytes(const struct cursor *s, uint64_t all)
{
    const struct cache *c = s->cache;
    const uint32_t *value = s->manager->config.tuning->value;
    uint64_t low_us = (uint64_t)value[TUNING_buffer_ahead_min_ms] * 1000;
    uint64_t high_us = (uint64_t)value[TUNING_buffer_ahead_max_ms] * 1000;
    uint64_t group = all / c->header.group_count;
    uint64_t bytes = spn__cursor_read_bytes(s);
    uint64_t window = 0;

    if (high_us > low_us)
        window = spn__mul_div(all, high_us - low_us, (uint64_t)c->loop_us);
    if (window < group)
        window = group;
    if (bytes > window)
        bytes = window;
    return bytes < all ? bytes : all;
}

/* Set the share, rounded up; 0 if the drive is not known, or the clip has one
 * frame. drive_read_us is that of the longest read: half as long again as the
 * usual one (cursor_range.c). */
static void find_share(struct cursor *s)
{
    const struct cache *c = s->cache;
    uint64_t all = clip_bytes(c);
    uint64_t bytes;
    uint64_t period_us;
    uint64_t read_us = 0;
    uint64_t share;

    s->drive_permille = 0;
    s->drive_read_us = 0;
    /* Drives have a profile only with this feature. */
    if (!SPN_WITH_DEADLINE_SCHEDULER || c->header.frame_count < 2)
        return;
    /* The times of frames ascend, and each frame has a directory. */
    SPN_ASSERT(c->loop_us > 0);
    SPN_ASSERT(all > 0);
    bytes = read_bytes(s, all);
    if (!spn__io_expect(s->manager->config.io, c->file, bytes, &read_us))
        return;
    if (read_us > READ_US_MAX)
        read_us = READ_US_MAX;
    s->drive_read_us = (uint32_t)(read_us + read_us / 2);
    /* The time between two reads, if bytes are spread evenly over the clip. */
    period_us = spn__mul_div((uint64_t)c->loop_us, bytes, all);
    if (period_us == 0)
        period_us = 1;
    share = (read_us * PERMILLE + period_us - 1) / period_us;
    s->drive_permille = share < SHARE_MAX ? (uint32_t)share : SHARE_MAX;
}

static void set_admission(struct cursor *s, spn_admission admission)
{
    struct manager *m = s->manager;

    if (s->has_admission && s->admission == admission)
        return;
    s->admission = admission;
    spn__play_trace(m, TRACE_ADMIT, s->account.node, (uint32_t)admission,
                    s->drive_permille);
    /* The promise of memory depends on the admission. */
    spn__cursor_update_promise(s);
}

/* True if the cursor has something to read and was not admitted. */
static bool is_waiting(const struct node *n)
{
    const struct cursor *s = &n->cursor;

    return n->handle != 0 && cursor_is_playing(s) &&
           s->next_place != CURSOR_NO_POSITION &&
           !(s->has_admission && s->admission == SPN_ADMITTED);
}

static bool holds_memory(const struct cursor *s)
{
    const struct account *a = &s->account;

    return a->running_count > 0 || a->pending_count > 0 || a->frame_pages > 0 ||
           a->read_pages > 0;
}

static void decide(struct node *n)
{
    struct cursor *s = &n->cursor;
    struct manager *m = s->manager;
    uint32_t *sum = &m->drive_permille[s->cache->medium];
    uint32_t limit = m->drive_permille_max;
    bool has_room;

    /* It reads while the drive has nothing else to do. */
    if (s->is_second) {
        set_admission(s, SPN_DEGRADED);
        s->has_admission = true;
        return;
    }
    find_share(s);
    has_room = s->drive_permille == 0 ||
               n->desc.overload == SPN_OVERLOAD_IGNORE ||
               (*sum <= limit && s->drive_permille <= limit - *sum);
    if (has_room) {
        *sum += s->drive_permille;
        set_admission(s, SPN_ADMITTED);
    } else if (n->desc.overload != SPN_OVERLOAD_REFUSE) {
        set_admission(s, SPN_DEGRADED);
    } else if (holds_memory(s)) {
        /* It was admitted on another medium: it requests again after draining.
         */
        spn__cursor_drain(s);
        return;
    } else {
        set_admission(s, SPN_REFUSED);
    }
    s->has_admission = true;
}

/* The node with the oldest request after `serial`; NULL: none.
 *
 * is_first  consider all requests */
static struct node *next_after(const struct manager *m, uint32_t serial,
                               bool is_first)
{
    struct node *next = NULL;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct node *n = &m->nodes[i];
        uint32_t request = n->cursor.share_serial;

        if (!is_waiting(n) || (!is_first && (int32_t)(request - serial) <= 0))
            continue;
        if (!next || (int32_t)(request - next->cursor.share_serial) < 0)
            next = n;
    }
    return next;
}

void spn__admission_update(struct manager *m)
{
    struct node *n;
    uint32_t limit = m->config.tuning->value[TUNING_drive_permille_max];
    uint32_t serial = 0;
    bool is_first = true;

    if (!m->admission_is_due && limit == m->drive_permille_max)
        return;
    m->admission_is_due = false;
    m->drive_permille_max = limit;
    while ((n = next_after(m, serial, is_first)) != NULL) {
        serial = n->cursor.share_serial;
        is_first = false;
        decide(n);
    }
}

static void move(struct manager *m, struct cache *c, spn_medium medium)
{
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct cursor *s = &m->nodes[i].cursor;

        if (m->nodes[i].handle != 0 && m->nodes[i].cache == c)
            spn__drive_share_release(s);
    }
    c->medium = medium;
}

void spn__admission_update_media(void *manager)
{
    struct manager *m = manager;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        struct cache *c = &m->caches[i];
        struct file_facts file;

        /* Before that state, step_header of cache_load.c sets the medium. */
        if (spn__pool_is_used(&m->cache_pool, i) &&
            c->state >= CACHE_FRAMES_MEMORY && c->state <= CACHE_UNLOADED &&
            spn__io_file_facts(m->config.io, c->file, &file) == SPN_OK &&
            file.medium != c->medium)
            move(m, c, file.medium);
    }
}

bool spn__admission_check(const struct manager *m)
{
    uint32_t permille[SPN_MEDIUM_COUNT] = {0};

    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        const struct cursor *s = &m->nodes[i].cursor;

        if (m->nodes[i].handle != 0 && s->has_admission &&
            s->admission == SPN_ADMITTED)
            permille[m->nodes[i].cache->medium] += s->drive_permille;
    }
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (permille[i] != m->drive_permille[i])
            return false;
    return true;
}
