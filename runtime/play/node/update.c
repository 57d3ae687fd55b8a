/* update.c - the update of all caches and nodes. */
/* SPDX-License-Identifier: MIT */
#include "play/node/update.h"

#include "base/assert.h"
#include "base/heap_check.h"
#include "mesh/mesh_registry.h"
#include "observe/pace.h"
#include "play/cache.h"
#include "play/cache_load.h"
#include "play/cache_references.h"
#include "play/cursor_plan.h"
#include "play/cursor_promise.h"
#include "play/cursor_read.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/node/admission.h"
#include "play/node/fill_job.h"
#include "play/node/governor.h"
#include "play/node/memory_play.h"
#include "play/node/mesh_mask.h"
#include "play/node/node.h"
#include "play/node/node_order.h"
#include "play/node/reclaim.h"

#include <spindle/features.h>
#include <spindle/memory.h>

/* Records of reads: some for each node, as many as its frames could need. */
#define NODE_READS_MAX 32u

static uint32_t read_capacity(const struct manager_config *config)
{
    const uint32_t each = config->stream_frame_count < NODE_READS_MAX
                              ? config->stream_frame_count
                              : NODE_READS_MAX;
    const uint64_t all = (uint64_t)each * config->node_count;

    /* Slots have 16 bits for 1 + index. */
    return all < UINT16_MAX ? (uint32_t)all : UINT16_MAX - 1;
}

void spn__manager_init(struct manager *m, struct carve *carve,
                       const struct manager_config *config)
{
    m->config = *config;
    spn__promise_init(&m->promises, config->heap);
    if (!SPN_WITH_GEOMETRY)
        return;
    spn__carve_for(carve, SPN_MEMORY_CACHES);
    m->codecs = SPN_CARVE(carve, const spn_codec *, config->codec_count);
    for (uint32_t i = 0; m->codecs && i < config->codec_count; i++)
        m->codecs[i] = config->codecs[i];
    spn__predict_ops_init(&m->predict, config->cpu);
    if (SPN_WITH_LIFTED_MESHES)
        m->lift_ops = SPN_CARVE(carve, struct lift_ops, 1);
    if (SPN_WITH_LIFTED_MESHES && m->lift_ops)
        spn__lift_ops_init(m->lift_ops, config->cpu);
    spn__fill_ops_init(&m->fill, config->cpu);
    spn__pool_init(&m->cache_pool, carve, config->cache_count);
    m->caches = SPN_CARVE(carve, struct cache, config->cache_count);
    m->mesh_registry = SPN_CARVE(carve, struct mesh_registry, 1);
    spn__carve_for(carve, SPN_MEMORY_NODES);
    spn__pool_init(&m->node_pool, carve, config->node_count);
    m->nodes = SPN_CARVE(carve, struct node, config->node_count);
    m->promises.reclaim = spn__reclaim;
    m->launches = spn__launch_init(carve);
    m->governor = SPN_CARVE(carve, struct governor, 1);
    spn__group_reads_init(&m->group_reads, carve, read_capacity(config));
    m->decode_order = SPN_CARVE(carve, uint16_t, config->node_count);
    m->read_order = SPN_CARVE(carve, uint16_t, config->node_count);
    m->order_count = 0;
    spn__fill_jobs_init(m, carve, config->fill_count);
    for (uint32_t i = 0; m->nodes && i < config->node_count; i++)
        spn__node_init(&m->nodes[i], m, config->stream_frame_count);
}

struct cache *spn__manager_cache(const struct manager *m, spn_cache handle)
{
    uint32_t index = spn__pool_index(&m->cache_pool, handle);

    if (index == POOL_NONE || m->caches[index].reference_count == 0)
        return NULL;
    return &m->caches[index];
}

struct node *spn__manager_node(const struct manager *m, spn_node handle)
{
    uint32_t index = spn__pool_index(&m->node_pool, handle);

    if (index == POOL_NONE || m->nodes[index].is_dying)
        return NULL;
    return &m->nodes[index];
}

/* Two reads under way keep a device busy. More are started only on a fast
 * device (reads_pending_ms), because the choice of the cursor and of the range
 * is better the later it is made. With the deadline scheduler each cursor may
 * have one read waiting: the more reads it can choose from, the shorter are its
 * seeks. */
static bool may_start_read(const struct manager *m, spn_medium medium)
{
    const struct pace *pace = spn__io_pace(m->config.io, medium);
    const struct manager_pending *pending = &m->pending[medium];
    uint64_t limit_us =
        (uint64_t)m->config.tuning->value[TUNING_reads_pending_ms] * 1000;
    uint64_t pending_us;

    if (pending->reads < 2 ||
        (spn__io_has_deadline_order(m->config.io, medium) &&
         pending->reads < m->order_count))
        return true;
    pending_us = spn__pace_read_us(pace, pending->bytes) +
                 (uint64_t)(pending->reads - 1) * spn__pace_read_us(pace, 0);
    return pace->is_known && pending_us < limit_us;
}

/* Cursors that started together reach their minimum together, and then wait for
 * each other's reads. In the order of deadlines, each admitted stream must have
 * buffered as much as the reads before it and its own take, plus one read of a
 * degraded cursor. Returns true if one of them has less. */
static bool needs_early_reads(const struct manager *m, spn_medium medium)
{
    int64_t taken_us =
        (int64_t)m->config.tuning->value[TUNING_decode_ahead_ms] * 1000;
    int64_t spare_us = INT64_MAX;
    uint32_t degraded_us = 0;

    for (uint32_t i = 0; i < m->order_count; i++) {
        const struct cursor *s = &m->nodes[m->read_order[i]].cursor;

        if (s->cache->medium != medium)
            continue;
        if (s->admission == SPN_DEGRADED && s->drive_read_us > degraded_us)
            degraded_us = s->drive_read_us;
        if (s->admission != SPN_ADMITTED)
            continue;
        taken_us += s->drive_read_us;
        if (s->read_slack_us - taken_us < spare_us)
            spare_us = s->read_slack_us - taken_us;
    }
    return spare_us < degraded_us;
}

/* One read for each cursor, then a second one for each, and so on. */
static void start_reads(struct manager *m)
{
    uint32_t left = m->config.tuning->value[TUNING_update_reads_max];
    bool has_started = true;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        m->pending[i].needs_early_reads = needs_early_reads(m, (spn_medium)i);
    while (has_started && left > 0) {
        has_started = false;
        for (uint32_t i = 0; i < m->order_count && left > 0; i++) {
            struct cursor *s = &m->nodes[m->read_order[i]].cursor;

            if (!may_start_read(m, s->cache->medium) || !spn__cursor_read(s))
                continue;
            has_started = true;
            left--;
        }
    }
}

/* Deadline of a read that goes on behind a bad place. */
#define RETRY_US 500000u

/* The first cursor that waits for its least promise and can get it, if others
 * yield `spare` pages; NULL: none. */
static struct cursor *find_waiting(struct manager *m, uint64_t spare)
{
    struct cursor_need need;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0 && !m->nodes[i].cursor.is_second &&
            spn__cursor_awaits_memory(&m->nodes[i].cursor, &need) &&
            need.pages <= need.pages_max + spare)
            return &m->nodes[i].cursor;
    return NULL;
}

/* Reduce promises for static data of a cache that found no room, the last ones
 * first, if that is enough. It is allocated in one of the next updates. */
static void yield_to_static(struct manager *m, uint64_t spare)
{
    spn__promise_reserve(&m->promises, spare);
    for (uint32_t i = m->node_pool.capacity; i-- > 0;)
        if (m->nodes[i].handle != 0 && spn__promise_excess(&m->promises) > 0 &&
            spn__cursor_spare_promise(&m->nodes[i].cursor) > 0)
            spn__cursor_yield_promise(&m->nodes[i].cursor);
}

/* Reduce promises for a cursor that found no room for one, the last ones first.
 * They are reduced in each update until the cursor has its promise, because
 * memory that is held now becomes free only at the next update. */
static void yield_promises(struct manager *m)
{
    struct cursor *waiting;
    struct cursor_need need;
    uint64_t spare = 0;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0)
            spare += spn__cursor_spare_promise(&m->nodes[i].cursor);
    yield_to_static(m, spare);
    waiting = find_waiting(m, spare);
    if (!waiting)
        return;
    for (uint32_t i = m->node_pool.capacity; i-- > 0;)
        if (m->nodes[i].handle != 0 &&
            spn__cursor_awaits_memory(waiting, &need) &&
            need.pages > need.pages_max &&
            spn__cursor_spare_promise(&m->nodes[i].cursor) > 0)
            spn__cursor_yield_promise(&m->nodes[i].cursor);
    spn__cursor_update_promise(waiting);
}

/* Caches whose frames are written to buffers of the engine. */
static bool has_buffers(const struct manager *m, uint32_t cache)
{
    return spn__pool_is_used(&m->cache_pool, cache) &&
           cache_has_buffers(&m->caches[cache]);
}

/* Take over what has ended. Then nothing is needed, held or charged any more,
 * except what jobs and the device use. */
static void collect_frames(struct manager *m)
{
    struct promises *p = &m->promises;

    spn__launch_collect(m);
    spn__promise_begin(p);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        account_begin(&m->nodes[i].cursor.account);
    spn__launch_hold(m);
    spn__group_reads_hold(m);
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (has_buffers(m, i))
            spn__frame_buffers_collect(&m->caches[i]);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        spn__promise_settle(p, &m->nodes[i].cursor.account);
}

/* The user has allowed streams less memory. First all cursors yield, the last
 * ones first; then the last ones lose their promise.
 *
 * is_hard  false: they yield only */
static void reduce_promises(struct manager *m, bool is_hard)
{
    const struct promises *p = &m->promises;

    for (uint32_t i = m->node_pool.capacity;
         i-- > 0 && p->promised_pages > p->limit_pages;) {
        struct cursor *s = &m->nodes[i].cursor;

        if (m->nodes[i].handle == 0)
            continue;
        if (is_hard)
            spn__cursor_drop_promise(s);
        else if (spn__cursor_spare_promise(s) > 0)
            spn__cursor_yield_promise(s);
    }
}

/* Second positions get what all others leave. */
static void update_promises(struct manager *m)
{
    reduce_promises(m, false);
    m->is_short = false;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < m->node_pool.capacity; i++)
            if (m->nodes[i].handle != 0 && m->nodes[i].cursor.is_second == k)
                spn__cursor_update_promise(&m->nodes[i].cursor);
    reduce_promises(m, true);
}

static void plan_cursors(struct manager *m)
{
    spn__mesh_masks_update(m);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0)
            spn__cursor_plan(&m->nodes[i].cursor);
    spn__mesh_masks_free(m);
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (has_buffers(m, i))
            spn__frame_buffers_update(&m->caches[i]);
    spn__fill_jobs_hold(m);
    /* Only now it is known what is held. */
    update_promises(m);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0)
            spn__cursor_update_share(&m->nodes[i].cursor);
    yield_promises(m);
    spn__memory_play_update(m);
    spn__promise_trim(&m->promises);
}

/* Decode and read, nearest deadline first. */
static void start_work(struct manager *m)
{
    for (uint32_t i = 0; i < m->order_count; i++)
        spn__cursor_launch(&m->nodes[m->decode_order[i]].cursor);
    spn__launch_submit(m);
    spn__decode_pace_begin(&m->launches->pace);
    start_reads(m);
    for (uint32_t i = 0; i < m->order_count; i++)
        spn__cursor_launch_early(&m->nodes[m->decode_order[i]].cursor);
}

void spn__manager_update(struct manager *m, uint64_t now_us)
{
    const bool is_on = manager_is_on(m);

    if (!SPN_WITH_GEOMETRY)
        return;
    SPN_ASSERT(m->order_count <= m->node_pool.capacity);
    SPN_ASSERT(spn__promise_check(&m->promises));
    m->governor->elapsed_us =
        now_us > m->now_us && m->now_us > 0 ? now_us - m->now_us : 0;
    m->now_us = now_us;
    /* Whole pages, so that the limit also holds between two multiples. */
    m->promises.limit_pages = spn__promise_pages(
        &m->promises,
        (uint64_t)m->config.tuning->value[TUNING_stream_memory_kib] * 1024 >>
            m->config.heap->page_shift << m->config.heap->page_shift);
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (spn__pool_is_used(&m->cache_pool, i))
            spn__cache_step(&m->caches[i]);
    collect_frames(m);
    spn__decode_pace_update(&m->launches->pace, m->governor->elapsed_us);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0)
            spn__node_update(&m->nodes[i]);
    plan_cursors(m);
    spn__group_reads_abort(m);
    if (is_on)
        spn__group_reads_retry(m, now_us + RETRY_US);
    spn__admission_update(m);
    spn__node_order_update(m);
    spn__governor_update(m);
    if (is_on)
        start_work(m);
    spn__launch_submit(m);
}

bool spn__manager_shutdown(struct manager *m)
{
    if (!SPN_WITH_GEOMETRY)
        return true;
    collect_frames(m);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct node *n = &m->nodes[i];

        if (n->handle == 0)
            continue;
        if (!n->is_dying)
            spn__node_destroy(n);
        spn__node_update(n);
    }
    plan_cursors(m);
    spn__group_reads_abort(m);
    spn__launch_submit(m);
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        spn__cache_force_close(&m->caches[i]);
        spn__cache_step(&m->caches[i]);
    }
    return m->cache_pool.used == 0 && m->node_pool.used == 0;
}

bool spn__manager_check(const struct manager *m)
{
    uint64_t owed = 0;
    uint64_t beyond = m->promises.unpaid_pages;
    uint64_t charged = m->promises.unpaid_pages;
    uint64_t static_pages = 0;

    if (!spn__heap_check(m->config.heap))
        return false;
    if (!SPN_WITH_GEOMETRY)
        return m->promises.block_pages == m->promises.static_pages;
    if (!spn__pool_check(&m->cache_pool) || !spn__pool_check(&m->node_pool) ||
        !spn__mesh_registry_check(m->mesh_registry))
        return false;
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        if (!spn__cache_check(&m->caches[i]))
            return false;
        if (m->caches[i].state == CACHE_READY &&
            (!spn__frame_slot_check(&m->caches[i]) ||
             !spn__frame_buffers_check(&m->caches[i]) ||
             !spn__mesh_mask_check(&m->caches[i]) ||
             !spn__group_table_check(&m->caches[i])))
            return false;
        static_pages += m->caches[i].pages;
    }
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        if (m->nodes[i].handle == 0)
            continue;
        if (!spn__node_check(&m->nodes[i]))
            return false;
        owed += m->nodes[i].cursor.account.owed_pages;
        beyond += m->nodes[i].cursor.account.beyond_pages;
        charged += (uint64_t)m->nodes[i].cursor.account.frame_pages +
                   m->nodes[i].cursor.account.read_pages;
    }
    if (!spn__keeper_check(&m->promises.keeper) || !spn__launch_check(m) ||
        !spn__group_reads_check(m))
        return false;
    return spn__promise_check(&m->promises) && spn__memory_play_check(m) &&
           spn__admission_check(m) && spn__governor_check(m) &&
           owed == m->promises.owed_pages &&
           beyond == m->promises.beyond_pages &&
           m->promises.keeper.held_pages <= charged &&
           static_pages + m->promises.block_pages == m->promises.static_pages;
}
