/* node_order.c - the order of their nodes. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_order.h"

#include "base/assert.h"
#include "play/node/node.h"

static bool is_playing(const struct node *n)
{
    return n->handle != 0 && cursor_is_playing(&n->cursor);
}

/* See node_order.h for the order. */
static bool is_before(const struct manager *m, uint32_t a, uint32_t b,
                      bool is_for_reads)
{
    const struct cursor *x = &m->nodes[a].cursor;
    const struct cursor *y = &m->nodes[b].cursor;
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
