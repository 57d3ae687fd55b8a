/* second_position.c - create, move and end the second position of a node. */
/* SPDX-License-Identifier: MIT */
#include "play/node/second_position.h"

#include "base/mem.h"
#include "play/cursor_life.h"
#include "play/node/mesh_mask.h"
#include "play/node/node_show.h"
#include "play/node/node_state.h"
#include "play/node/update.h"

#define NORMAL_RATE 1000

static struct node *second_of(const struct node *n)
{
    return n->second ? spn__manager_node(n->manager, n->second) : NULL;
}

static spn_status create(struct node *n)
{
    struct manager *m = n->manager;
    const spn_status status = spn__pool_take(&m->node_pool, &n->second);
    struct node *second;

    if (status != SPN_OK) {
        n->second = 0;
        return status;
    }
    second = &m->nodes[spn__pool_index(&m->node_pool, n->second)];
    spn__node_open(second, n->cache, n->second, &n->desc);
    second->cursor.is_second = true;
    second->cursor.importance = 0;
    spn__second_copy(n);
    return SPN_OK;
}

spn_status spn__second_set(struct node *n, int64_t time_us)
{
    if (time_us == SPN_NO_TIME) {
        spn__second_end(n);
        return SPN_OK;
    }
    if (!second_of(n)) {
        const spn_status status = create(n);

        if (status != SPN_OK)
            return status;
    }
    spn__node_start(second_of(n), time_us);
    return SPN_OK;
}

void spn__second_end(struct node *n)
{
    struct node *second = second_of(n);

    n->second = 0;
    if (second)
        spn__node_destroy(second);
}

static void copy_rate(const struct node *n, struct node *second)
{
    const struct cursor *s = &n->cursor;
    int32_t rate = s->set_permille;

    if (rate == 0)
        rate = s->is_backward ? -NORMAL_RATE : NORMAL_RATE;
    if (rate != second->cursor.set_permille)
        spn__cursor_set_rate(&second->cursor, rate);
}

static void copy_mask(const struct node *n, struct node *second)
{
    const struct cursor *from = &n->cursor;
    const struct cursor *to = &second->cursor;

    if (from->mask_words != to->mask_words ||
        memcmp(from->mesh_mask, to->mesh_mask,
               from->mask_words * sizeof from->mesh_mask[0]) != 0)
        spn__mesh_mask_set(second, from->mesh_mask, from->mask_words);
}

void spn__second_copy(const struct node *n)
{
    struct node *second = second_of(n);

    if (!second)
        return;
    copy_rate(n, second);
    spn__node_set_range(second, &n->range);
    copy_mask(n, second);
}

/* The direction may have been inferred anew from the playback time, so it is
 * copied. The second position ends if the playback time is equal to its time,
 * or beyond it in the direction of playback by at most the decode-ahead time.
 */
void spn__second_follow(struct node *n)
{
    struct node *second = second_of(n);
    const struct cursor *s = &n->cursor;
    int64_t passed_us;

    if (!second || !cursor_is_playing(s) || !second->has_span)
        return;
    copy_rate(n, second);
    passed_us = s->position_us - second->cursor.position_us;
    if (s->is_backward)
        passed_us = -passed_us;
    if (s->is_looping) {
        const int64_t period_us = span_period_us(&s->span);

        passed_us = (passed_us % period_us + period_us) % period_us;
    }
    if (passed_us >= 0 && passed_us <= cursor_ahead_us(s))
        spn__second_end(n);
}

/* A cut to the second position would show its picture at once: the node would
 * not want frames that the second position leaves out. Buffers of the engine
 * may have been released since it was updated. */
static bool is_ready(const struct node *n, const struct node *second)
{
    return second->cursor.near_cut <= n->cursor.cut &&
           !second->cursor.has_new_cut && spn__node_can_show_wanted(second);
}

void spn__second_report(const struct node *n, spn_node_state *state)
{
    const struct node *second = second_of(n);
    spn_node_state of_second;

    state->streaming_us = SPN_NO_TIME;
    if (!second)
        return;
    spn__node_get_state(second, &of_second);
    state->streaming_us = of_second.playback_us;
    state->streaming_precached_us = of_second.precached_us;
    state->is_streaming_ready = of_second.is_ready && is_ready(n, second);
}
