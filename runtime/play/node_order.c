/* node_order.c - deadlines of streams, and the order of their nodes. */
/* SPDX-License-Identifier: MIT */
#include "play/node_order.h"

#include "base/assert.h"
#include "play/node.h"

static bool is_playing(const struct node *n)
{
    return n->handle != 0 && n->stream.is_active && !n->stream.is_draining;
}

/* Time until a group is needed; INT64_MAX: the clip ends before it. */
static int64_t time_until(const struct stream *s, uint64_t place)
{
    if (!stream_has_group(s, place) && spn__stream_is_end(s, place))
        return INT64_MAX;
    return spn__stream_group_time(s, place) - s->playback_us;
}

/* Set the times until the first frame that was not launched is needed, and
 * until the first one that was not requested is. */
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

/* See node_order.h for the order. */
static bool is_before(const struct manager *m, uint32_t a, uint32_t b,
                      bool is_for_reads)
{
    const struct stream *x = &m->nodes[a].stream;
    const struct stream *y = &m->nodes[b].stream;
    int64_t x_us = is_for_reads ? x->read_slack_us : x->slack_us;
    int64_t y_us = is_for_reads ? y->read_slack_us : y->slack_us;

    if (x_us != y_us)
        return x_us < y_us;
    if (x->read_serial != y->read_serial)
        return (int32_t)(x->read_serial - y->read_serial) < 0;
    return a < b;
}

/* Insertion sort, because the order changes little from update to update. */
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

/* Remove nodes that do not play any more. Returns how many are left. */
static uint32_t keep_playing(const struct manager *m, uint16_t *order)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < m->order_count; i++)
        if (is_playing(&m->nodes[order[i]]))
            order[count++] = order[i];
    return count;
}

void spn__node_order_update(struct manager *m)
{
    uint32_t count;

    for (uint32_t i = 0; i < m->order_count; i++)
        if (!is_playing(&m->nodes[m->decode_order[i]]))
            m->nodes[m->decode_order[i]].is_ordered = false;
    count = keep_playing(m, m->decode_order);
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
        m->decode_order[m->order_count] = (uint16_t)i;
        m->read_order[m->order_count] = (uint16_t)i;
        m->order_count++;
    }
    sort_nodes(m, m->decode_order, false);
    sort_nodes(m, m->read_order, true);
}

bool spn__node_order_check(const struct manager *m)
{
    uint32_t ordered = 0;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        ordered += m->nodes[i].is_ordered;
    for (uint32_t i = 0; i < m->order_count; i++)
        if (!m->nodes[m->decode_order[i]].is_ordered ||
            !m->nodes[m->read_order[i]].is_ordered)
            return false;
    return ordered == m->order_count;
}
