/* manager.c - the update of all caches and nodes, in the order of need. */
/* SPDX-License-Identifier: MIT */
#include "play/manager.h"

#include "base/assert.h"
#include "observe/pace.h"
#include "play/admission.h"
#include "play/cache.h"
#include "play/node.h"

#include <spindle/features.h>
#include <spindle/memory.h>

uint32_t spn__manager_scratch_bytes(const spn_codec *const *codecs,
                                    uint32_t codec_count)
{
    /* The built-in ones need none. */
    return spn__manager_workspace_at(codecs, codec_count, NULL);
}

uint32_t spn__manager_workspace_at(const spn_codec *const *codecs,
                                   uint32_t codec_count, const spn_codec *codec)
{
    return SCRATCH_WORKSPACES +
           spn__block_codec_workspace_at(codecs, codec_count, codec);
}

void spn__manager_init(struct manager *m, struct carve *carve,
                       const struct manager_config *config)
{
    m->config = *config;
    if (!SPN_WITH_GEOMETRY)
        return;
    spn__carve_for(carve, SPN_MEMORY_CACHES);
    m->codecs = SPN_CARVE(carve, const spn_codec *, config->codec_count);
    for (uint32_t i = 0; m->codecs && i < config->codec_count; i++)
        m->codecs[i] = config->codecs[i];
    spn__predict_ops_init(&m->predict, config->cpu);
    if (SPN_WITH_LIFTED_MESHES)
        m->lift = SPN_CARVE(carve, struct lift_ops, 1);
    if (SPN_WITH_LIFTED_MESHES && m->lift)
        spn__lift_ops_init(m->lift, config->cpu);
    spn__fill_ops_init(&m->fill, config->cpu);
    spn__pool_init(&m->cache_pool, carve, config->cache_count);
    m->caches = SPN_CARVE(carve, struct cache, config->cache_count);
    spn__carve_for(carve, SPN_MEMORY_NODES);
    spn__pool_init(&m->node_pool, carve, config->node_count);
    m->nodes = SPN_CARVE(carve, struct node, config->node_count);
    m->order = SPN_CARVE(carve, uint16_t, config->node_count);
    m->read_order = SPN_CARVE(carve, uint16_t, config->node_count);
    m->order_count = 0;
    for (uint32_t i = 0; i < config->node_count; i++)
        spn__node_init(m->nodes ? &m->nodes[i] : NULL, m, carve,
                       config->stream_frame_count);
}

SPN_NOINLINE uint32_t spn__manager_pages(const struct manager *m,
                                         uint64_t bytes)
{
    uint32_t shift = m->config.heap->page_shift;

    return (uint32_t)((bytes + ((uint64_t)1 << shift) - 1) >> shift);
}

/* What fragmentation may hide (heap.h's promise), but not more than an eighth
 * of the heap: beyond that shedding is cheaper. */
static uint32_t margin(const struct manager *m)
{
    const struct heap *heap = m->config.heap;
    uint64_t pages;

    /* Where nothing is promised nothing must be found. */
    if (m->margin_unit <= 1 || m->promised_pages == 0)
        return 0;
    pages = ((uint64_t)heap->stats.live_extents + 1) * (m->margin_unit - 1);
    return pages < heap->page_count / 8 ? (uint32_t)pages
                                        : heap->page_count / 8;
}

bool spn__manager_may_take(const struct manager *m, uint32_t pages,
                           uint32_t promised)
{
    uint64_t others = m->owed_pages > promised ? m->owed_pages - promised : 0;

    return spn__heap_free_pages(m->config.heap) >=
           (uint64_t)pages + others + margin(m);
}

void spn__manager_ask_for(struct manager *m, uint32_t pages)
{
    uint64_t kept = (uint64_t)m->static_pages + m->promised_pages + margin(m);

    if (kept + pages <= m->config.heap->page_count)
        m->wants_shed = true;
}

spn_status spn__manager_take_block(void *manager, uint64_t bytes,
                                   uint32_t unit_bytes, enum heap_tag tag,
                                   heap_handle *out)
{
    struct manager *m = manager;
    uint32_t pages;
    spn_status status = SPN_NO_MEMORY_NOW;

    if (bytes > UINT32_MAX)
        return SPN_ERR_MEMORY;
    pages = spn__manager_pages(m, bytes);
    if (pages > m->config.heap->page_count - m->lasting_pages)
        return SPN_ERR_MEMORY;
    if (spn__manager_may_take(m, pages, 0))
        status = spn__heap_alloc(m->config.heap, (uint32_t)bytes, unit_bytes,
                                 tag, out);
    if (status != SPN_OK) {
        spn__manager_ask_for(m, pages);
        return status;
    }
    m->lasting_pages += pages;
    m->static_pages += pages;
    return SPN_OK;
}

void spn__manager_give_lasting(void *manager, heap_handle block)
{
    struct manager *m = manager;
    uint32_t pages =
        spn__manager_pages(m, spn__heap_bytes(m->config.heap, block));

    SPN_ASSERT(pages <= m->lasting_pages);
    (void)spn__heap_free(m->config.heap, block);
    m->lasting_pages -= pages;
    m->static_pages -= pages;
}

void spn__manager_trace(struct manager *m, enum trace_kind kind,
                        uint32_t subject, uint32_t a, uint32_t b)
{
    if (SPN_WITH_OBSERVERS)
        spn__trace_add(m->config.trace, m->now_us, kind, subject, a, b);
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

/* -- the order of need -- */

static bool is_playing(const struct node *n)
{
    return n->handle != 0 && n->stream.is_active && !n->stream.is_draining;
}

/* Time until a group is needed; INT64_MAX: never. */
static int64_t time_until(const struct stream *s, uint64_t place)
{
    if (!stream_has_group(s, place) && spn__stream_is_end(s, place))
        return INT64_MAX;
    return spn__stream_group_time(s, place) - s->position_us;
}

/* Time until the first frame is needed that is not even launched, and until
 * the first that is not even asked for. */
static void find_slack(struct stream *s)
{
    uint64_t place = s->next_place;

    for (uint32_t i = 0; i < s->group_count; i++) {
        const struct stream_group *g = spn__stream_group(s, s->first_place + i);

        if (g->state == GROUP_WAITING && !g->is_anchor_only &&
            g->first + g->info->frame_count > s->wanted) {
            place = g->place;
            break;
        }
    }
    s->slack_us = time_until(s, place);
    s->read_slack_us = time_until(s, s->next_place);
}

/* Nearest deadline first; of equals whoever was served longest ago, so that
 * all get their turn; then the slot, so that the order is total. */
static bool is_before(const struct manager *m, uint32_t a, uint32_t b,
                      bool is_for_reads)
{
    const struct stream *x = &m->nodes[a].stream;
    const struct stream *y = &m->nodes[b].stream;
    int64_t x_us = is_for_reads ? x->read_slack_us : x->slack_us;
    int64_t y_us = is_for_reads ? y->read_slack_us : y->slack_us;

    if (x_us != y_us)
        return x_us < y_us;
    if (x->served != y->served)
        return (int32_t)(x->served - y->served) < 0;
    return a < b;
}

/* Insertion: the order of the last update is almost this one's. */
static void sort_nodes(const struct manager *m, uint16_t *order,
                       bool is_for_reads)
{
    for (uint32_t i = 1; i < m->order_count; i++) {
        uint16_t node = order[i];
        uint32_t at = i;

        for (; at > 0 && is_before(m, node, order[at - 1], is_for_reads); at--)
            order[at] = order[at - 1];
        order[at] = node;
    }
}

/* Take out those that do not play any more. */
static uint32_t keep_playing(const struct manager *m, uint16_t *order)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < m->order_count; i++)
        if (is_playing(&m->nodes[order[i]]))
            order[count++] = order[i];
    return count;
}

static void order_nodes(struct manager *m)
{
    uint32_t count;

    for (uint32_t i = 0; i < m->order_count; i++)
        if (!is_playing(&m->nodes[m->order[i]]))
            m->nodes[m->order[i]].is_ordered = false;
    count = keep_playing(m, m->order);
    m->order_count = keep_playing(m, m->read_order);
    SPN_ASSERT(count == m->order_count);
    (void)count;
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct node *n = &m->nodes[i];

        if (!is_playing(n))
            continue;
        find_slack(&n->stream);
        if (n->is_ordered)
            continue;
        n->is_ordered = true;
        m->order[m->order_count] = (uint16_t)i;
        m->read_order[m->order_count] = (uint16_t)i;
        m->order_count++;
    }
    sort_nodes(m, m->order, false);
    sort_nodes(m, m->read_order, true);
}

/* Two reads keep a medium's device busy. More are started only when it is
 * fast: what a read covers and whose it is are chosen best when its turn has
 * come. Not so where the sweep chooses: the more it can choose from the shorter
 * are its ways, so each stream may have a read that waits. */
static bool may_start_read(const struct manager *m, spn_medium medium)
{
    const struct pace *pace = spn__io_pace(m->config.io, medium);
    const struct manager_pending *pending = &m->pending[medium];
    uint64_t limit_us =
        (uint64_t)m->config.tuning->value[TUNING_reads_pending_ms] * 1000;
    uint64_t pending_us;

    if (pending->reads < 2 || (spn__io_has_sweep(m->config.io, medium) &&
                               pending->reads < m->order_count))
        return true;
    pending_us = spn__pace_read_us(pace, pending->bytes) +
                 (uint64_t)(pending->reads - 1) * spn__pace_read_us(pace, 0);
    return pace->is_known && pending_us < limit_us;
}

/* Streams that started together are at their least together, and then wait for
 * each other. In the order of need, each must have as much ahead as the reads
 * of those before it take, and one of a stream that is degraded. Until then
 * none of these reads. */
static bool is_rush(const struct manager *m, spn_medium medium)
{
    int64_t taken_us =
        (int64_t)m->config.tuning->value[TUNING_decode_ahead_ms] * 1000;
    int64_t spare_us = INT64_MAX;
    uint32_t degraded_us = 0;

    for (uint32_t i = 0; i < m->order_count; i++) {
        const struct stream *s = &m->nodes[m->read_order[i]].stream;

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

/* In rounds, so that one stream's second read comes after all others' first. */
static void start_reads(struct manager *m)
{
    uint32_t left = m->config.tuning->value[TUNING_update_reads_max];
    bool has_started = true;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        m->pending[i].is_rush = is_rush(m, (spn_medium)i);
    while (has_started && left > 0) {
        has_started = false;
        for (uint32_t i = 0; i < m->order_count && left > 0; i++) {
            struct stream *s = &m->nodes[m->read_order[i]].stream;

            if (!may_start_read(m, s->cache->medium) || !spn__stream_read(s))
                continue;
            has_started = true;
            left--;
        }
    }
}

bool spn__manager_shed(struct manager *m)
{
    /* The longest lead gives up first. */
    for (uint32_t i = m->order_count; i-- > 0;)
        if (spn__stream_shed(&m->nodes[m->order[i]].stream)) {
            m->shed_reads++;
            return true;
        }
    return false;
}

/* Whoever needs it most urgently makes room for himself. */
static void make_room(struct manager *m)
{
    for (uint32_t i = 0; i < m->order_count; i++)
        if (spn__stream_make_room(&m->nodes[m->order[i]].stream))
            return;
}

void spn__manager_update(struct manager *m, uint64_t now_us)
{
    if (!SPN_WITH_GEOMETRY)
        return;
    m->now_us = now_us;
    m->wants_shed = false;
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (spn__pool_is_used(&m->cache_pool, i))
            spn__cache_step(&m->caches[i]);
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0)
            spn__node_update(&m->nodes[i]);
    spn__admission_update(m);
    order_nodes(m);
    for (uint32_t i = 0; i < m->order_count; i++)
        spn__stream_launch(&m->nodes[m->order[i]].stream);
    start_reads(m);
    if (m->wants_shed && !spn__manager_shed(m))
        make_room(m);
}

bool spn__manager_shutdown(struct manager *m)
{
    if (!SPN_WITH_GEOMETRY)
        return true;
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct node *n = &m->nodes[i];

        if (n->handle == 0)
            continue;
        if (!n->is_dying)
            spn__node_destroy(n);
        spn__node_update(n);
    }
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        spn__cache_abandon(&m->caches[i]);
        spn__cache_step(&m->caches[i]);
    }
    return m->cache_pool.used == 0 && m->node_pool.used == 0;
}

bool spn__manager_check(const struct manager *m)
{
    uint64_t owed = 0;
    uint64_t static_pages = 0;
    uint32_t permille[SPN_MEDIUM_COUNT] = {0};

    if (!spn__heap_check(m->config.heap))
        return false;
    if (!SPN_WITH_GEOMETRY)
        return m->lasting_pages == m->static_pages;
    if (!spn__pool_check(&m->cache_pool) || !spn__pool_check(&m->node_pool))
        return false;
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        if (!spn__cache_check(&m->caches[i]))
            return false;
        static_pages += m->caches[i].pages;
    }
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        if (m->nodes[i].handle == 0)
            continue;
        if (!spn__node_check(&m->nodes[i]))
            return false;
        owed += m->nodes[i].stream.owed_pages;
        if (m->nodes[i].stream.is_judged &&
            m->nodes[i].stream.admission == SPN_ADMITTED)
            permille[m->nodes[i].cache->medium] +=
                m->nodes[i].stream.drive_permille;
    }
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (permille[i] != m->drive_permille[i])
            return false;
    return owed == m->owed_pages &&
           static_pages + m->lasting_pages == m->static_pages;
}
