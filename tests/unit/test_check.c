/* test_check.c
 *
 * Goal: spn_check notices every kind of damage to what caches, nodes and
 *   cursors say of themselves: it is what the simulator trusts.
 * Method: a runtime that plays and reads; one field wrong at a time, where it
 *   must be found, and right again, where nothing is.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/cache.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/node/node.h"
#include "play/node/node_order.h"
#include "play/promise.h"
#include "runtime.h"
#include "support/stage.h"

static struct stage stage;

#define FOUND_WHERE(left, wrong)                                               \
    do {                                                                       \
        test_context("%s = %s", #left, #wrong);                                \
        (left) = (wrong);                                                      \
        CHECK(!spn_check(stage.rt));                                           \
    } while (0)

/* The check must fail when a field of the struct `object` has the value
 * `wrong`. */
#define FOUND(object, field, wrong)                                            \
    do {                                                                       \
        __typeof__(object) saved = (object);                                   \
                                                                               \
        FOUND_WHERE((object).field, wrong);                                    \
        (object) = saved;                                                      \
        CHECK(spn_check(stage.rt));                                            \
    } while (0)

static struct node *begin(void)
{
    struct tiny_options o = {.frame_count = 201, .vertices = 200};
    struct manager *m;
    struct node *n;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    /* Slow enough that reads are still in flight when the first frame is
     * shown. */
    stage.disc.bytes_per_second = 200000;
    node = stage_node(&stage, true);
    CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "16"), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    m = &stage.rt->manager;
    n = spn__manager_node(m, node);
    CHECK(n != NULL);
    return n;
}

static struct frame_slot *find_slot(const struct cache *c,
                                    enum frame_state state)
{
    for (uint32_t i = 0; i < c->header.frame_count; i++)
        if (frame_slot_at(c, i)->state == state)
            return frame_slot_at(c, i);
    test_fail(__FILE__, __LINE__, "there is a frame of state %d", state);
}

static void check_finds_damage_of_cursors(void)
{
    struct cursor *s = &begin()->cursor;
    struct cache *c = s->cache;
    struct manager *m = s->manager;
    struct group_read *r = m->group_reads.pending;
    struct frame_slot *ready = find_slot(c, FRAME_READY);
    struct frame_slot *empty = find_slot(c, FRAME_EMPTY);
    struct group_slot *group = cache_group_slot_at(c, 1);

    CHECK(r != NULL);
    FOUND(*s, account.running_count, 1);
    FOUND(*s, account.pending_count, 0);
    FOUND(*s, rate_permille, 0);
    FOUND(*s, is_active, false);
    FOUND(*s, account.owed_pages, s->account.owed_pages + 1);
    FOUND(*s, account.beyond_pages, s->account.beyond_pages + 1);
    FOUND(*s, drive_permille, s->drive_permille + 1);
    FOUND(*r, state, READ_FREE);
    FOUND(*r, state, READ_DONE);
    FOUND(*r, block, 0);
    FOUND(*r, owner, NULL);
    FOUND(*group, settled_count, 11);
    FOUND(*group, ready_count, 11);
    FOUND(*group, body_read, 2);
    FOUND(*ready, state, FRAME_EMPTY);
    FOUND(*ready, state, FRAME_RUNNING);
    FOUND(*ready, state, FRAME_FAILED);
    FOUND(*ready, frame, NULL);
    FOUND(*ready, is_listed, true);
    FOUND(*ready->frame, number, 200);
    FOUND(*ready->frame, cache, NULL);
    FOUND(*empty, state, FRAME_READY);
    FOUND(*empty, frame, ready->frame);
    FOUND(*c, ready_count, c->ready_count + 1);
    FOUND(m->promises.keeper, held_pages, m->promises.keeper.needed_pages + 1);
    FOUND(m->promises.keeper, needed_pages, m->promises.keeper.kept_pages + 1);
    FOUND(m->promises.keeper, list_count, 0);
    FOUND(*m->launches, running_count, 1);
    FOUND(*m->launches, unsubmitted_count, 1);
    stage_close(&stage);
}

static void check_finds_damage_of_nodes_and_caches(void)
{
    struct node *n = begin();
    struct manager *m = &stage.rt->manager;
    struct cache *c = n->cache;
    heap_handle handle;

    FOUND(*n, cache, NULL);
    FOUND(*c, node_count, 0);
    FOUND(*c, handle, 0);
    FOUND(*c, state, CACHE_CLOSING + 1);
    FOUND(*c, status, SPN_PENDING);
    FOUND(*c, pages, 0);
    FOUND(*c, pages, c->pages + 1);
    FOUND(*c, read_block, 1);
    FOUND(*c, bounce_block, 1);
    handle = c->blob_handles[0];
    FOUND_WHERE(c->blob_handles[0], 0);
    c->blob_handles[0] = handle;
    /* Failed caches hold no memory and have a cause. Opening caches have
     * none. */
    FOUND(*c, state, CACHE_FAILED);
    FOUND(*c, state, (enum cache_state)0);
    FOUND(*m, promises.owed_pages, m->promises.owed_pages + 1);
    FOUND(*m, promises.static_pages, m->promises.static_pages + 1);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        FOUND(*m, drive_permille[i], m->drive_permille[i] + 1);
    FOUND(m->cache_pool, used, 0);
    FOUND(m->cache_pool, last_free, 0);
    FOUND(m->node_pool, used, 0);
    FOUND(m->node_pool, last_free, 0);
    FOUND(stage.rt->heap, stats.free_pages, 0);
    stage_close(&stage);
}

static void check_finds_damage_of_promises_and_orders(void)
{
    struct node *n = begin();
    struct manager *m = &stage.rt->manager;
    const struct manager saved = *m;
    const uint16_t other = 1;

    CHECK(spn__promise_check(&m->promises));
    m->promises.block_pages = m->promises.static_pages + 1;
    CHECK(!spn__promise_check(&m->promises));
    *m = saved;
    m->promises.owed_pages = m->promises.promised_pages + 1;
    CHECK(!spn__promise_check(&m->promises));
    *m = saved;
    m->promises.static_pages = stage.rt->heap.page_count + 1;
    CHECK(!spn__promise_check(&m->promises));
    *m = saved;

    CHECK(spn__node_order_check(m));
    CHECK_EQ(m->order_count, 1);
    n->is_ordered = false;
    CHECK(!spn__node_order_check(m));
    n->is_ordered = true;
    m->order_count = 0;
    CHECK(!spn__node_order_check(m));
    *m = saved;
    for (uint32_t i = 0; i < 2; i++) {
        uint16_t *order = i == 0 ? m->decode_order : m->read_order;
        const uint16_t node = order[0];

        order[0] = other;
        CHECK(!spn__node_order_check(m));
        order[0] = node;
    }
    CHECK(spn__node_order_check(m));
    stage_close(&stage);
}

TEST_MAIN(TEST(check_finds_damage_of_cursors),
          TEST(check_finds_damage_of_nodes_and_caches),
          TEST(check_finds_damage_of_promises_and_orders))
