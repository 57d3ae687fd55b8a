/* test_check.c
 *
 * Goal: spn_check detects every kind of damage to the state of caches, nodes
 *   and streams. The simulator relies on it.
 * Method: a runtime that plays and reads. One field at a time is damaged,
 *   which must be detected, and restored, after which the check must pass.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/cache.h"
#include "play/node.h"
#include "play/node_order.h"
#include "play/promise.h"
#include "play/stream.h"
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
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    m = &stage.rt->manager;
    n = spn__manager_node(m, node);
    CHECK(n != NULL);
    return n;
}

static struct stream_read *find_read(struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state != READ_FREE)
            return &s->reads[i];
    test_fail(__FILE__, __LINE__, "%s", "there is a read");
}

static struct stream_frame *find_frame(struct stream *s, enum frame_state state)
{
    for (uint64_t i = 0; i < s->frame_count; i++) {
        struct stream_frame *f = spn__stream_frame(s, s->first_frame + i);

        if (f && f->state == state)
            return f;
    }
    test_fail(__FILE__, __LINE__, "there is a frame of state %d", state);
}

static void check_finds_damage_of_streams(void)
{
    struct stream *s = &begin()->stream;
    struct stream_group *g = spn__stream_group(s, s->first_place);
    struct stream_read *r = find_read(s);
    struct stream_frame *ready = find_frame(s, FRAME_READY);
    struct stream_frame *empty = find_frame(s, FRAME_EMPTY);

    FOUND(*s, decoded_pages, s->decoded_pages + 1);
    FOUND(*s, read_pages, s->read_pages + 1);
    FOUND(*s, frame_count, s->capacity + 1);
    FOUND(*s, decode_promise, 0);
    FOUND(*s, owed_pages, s->owed_pages + 1);
    FOUND(*s, drive_permille, s->drive_permille + 1);
    FOUND(*g, place, g->place + 1);
    FOUND(*g, stream, NULL);
    FOUND(*g, state, GROUP_SKIPPED + 1);
    FOUND(*g, read, STREAM_READS_MAX);
    FOUND(*r, state, READ_FREE);
    FOUND(*r, block, 0);
    FOUND(*r, pages, r->pages + 1);
    FOUND(*r, group_count, 0);
    FOUND(*r, group_count, r->group_count + 1);
    FOUND(*ready, state, FRAME_RETIRED + 1);
    FOUND(*ready, state, FRAME_EMPTY);
    FOUND(*ready, control, NULL);
    FOUND(*empty, state, FRAME_READY);
    FOUND(*empty, control, ready->control);
    /* A complete group has no frame in decoding. */
    CHECK_EQ(g->state, GROUP_COMPLETE);
    FOUND(*stream_group_frame(g, 0), state, FRAME_RUNNING);
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

TEST_MAIN(TEST(check_finds_damage_of_streams),
          TEST(check_finds_damage_of_nodes_and_caches),
          TEST(check_finds_damage_of_promises_and_orders))
