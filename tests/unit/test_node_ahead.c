/* test_node_ahead.c
 *
 * Goal: the ranges of frames ahead that a node reports, wanted, decoded and
 *   read, are those of a walk from frame to frame.
 * Method: random playback of several nodes on small caches, in heaps from poor
 *   to plenty; after each update the ranges are compared, also for random cuts,
 *   and for other numbers of frames that the node may visit.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/arrival.h"
#include "play/cursor_keep.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/level.h"
#include "play/node/node_ahead.h"
#include "runtime.h"
#include "support/stage.h"

#define FRAME_US 33333
#define NODES 3u
#define UPDATES 120u

static struct stage stage;
static struct test_random seed;

enum range { WANTED, DECODED, READ, RANGES };

static bool is_in(const struct node *n, uint64_t frame, enum range range)
{
    const uint32_t number = spn__cursor_number(&n->cursor, frame);
    const struct frame_slot *slot = frame_slot_at(n->cache, number);

    switch (range) {
    case WANTED:
        return spn__cursor_time_until(&n->cursor, frame) <=
               cursor_ahead_us(&n->cursor);
    case DECODED:
        return slot->state == FRAME_READY &&
               !cursor_lacks(&n->cursor, slot->frame);
    case READ:
    case RANGES:
        break;
    }
    if (slot->state == FRAME_EMPTY)
        return spn__group_table_has(n->cache, number);
    return slot->state != FRAME_RUNNING || !arrival_is_awaited(slot->frame);
}

/* From playback to a frame: in playback its time begins where that of the frame
 * before it ends. */
static int64_t time_to(const struct node *n, uint64_t frame)
{
    const struct cursor *s = &n->cursor;

    return s->is_backward
               ? n->playback_us - spn__cursor_frame_time(s, frame + 1)
               : spn__cursor_frame_time(s, frame) - n->playback_us;
}

static struct node_range_ahead walk(const struct node *n, enum range range)
{
    const struct cursor *s = &n->cursor;
    struct node_range_ahead out = {0};
    uint64_t frame = s->wanted;

    while (out.count < s->frames_max && is_in(n, frame, range)) {
        out.last = spn__cursor_number(s, frame);
        if (out.count++ == 0)
            out.first = out.last;
        if (!spn__cursor_next_frame(s, &frame)) {
            out.us = s->is_backward ? n->playback_us
                                    : spn__cursor_end_us(s) - n->playback_us;
            return out;
        }
    }
    if (out.count > 0)
        out.us = time_to(n, frame);
    return out;
}

static void compare(const struct node *n)
{
    struct node_ahead ahead;
    const struct node_range_ahead *found[RANGES] = {
        &ahead.wanted, &ahead.decoded, &ahead.read};

    spn__node_look_ahead(n, &ahead);
    for (uint32_t i = 0; i < RANGES; i++) {
        const struct node_range_ahead truth = walk(n, (enum range)i);

        CHECK_EQ_U(found[i]->first, truth.first);
        CHECK_EQ_U(found[i]->last, truth.last);
        CHECK_EQ_U(found[i]->count, truth.count);
        CHECK_EQ(found[i]->us, truth.us);
    }
}

/* What the walks passed. */
static struct {
    uint32_t more_than_a_loop;
    uint32_t gaps;
    uint32_t cuts;
    uint32_t lacks;
    uint32_t ends;
} seen;

/* The same node with another cut, and a smaller table. */
static void compare_changed(struct node *n)
{
    struct cursor *s = &n->cursor;
    const struct cursor before = *s;
    const uint32_t cut_max = level_cut_max(n->cache);

    s->cut = (uint16_t)test_random_below(&seed, cut_max + 1);
    s->near_cut =
        (uint16_t)(s->cut + test_random_below(&seed, cut_max - s->cut + 1));
    s->cut_from = s->wanted + test_random_below(&seed, 40);
    if (s->is_backward)
        s->cut_from -= s->cut_from < 40 ? s->cut_from : 40;
    seen.cuts += s->near_cut > 0;
    compare(n);
    s->frames_max = 1 + test_random_below(&seed, 64);
    compare(n);
    *s = before;
}

static void compare_all(void)
{
    struct manager *m = &stage.rt->manager;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct node *n = &m->nodes[i];
        struct node_ahead ahead;

        if (n->handle == 0 || !cursor_is_playing(&n->cursor))
            continue;
        compare(n);
        spn__node_look_ahead(n, &ahead);
        seen.more_than_a_loop +=
            ahead.decoded.count > n->cursor.span.frame_count;
        seen.gaps += ahead.decoded.count < ahead.read.count;
        seen.lacks += n->cache->has_lacking;
        seen.ends += !n->cursor.is_looping && ahead.read.count > 0;
        compare_changed(n);
    }
}

static int64_t random_time(int64_t duration_us)
{
    return (int64_t)test_random_below(&seed, (uint32_t)duration_us + 1);
}

/* Change how a node plays, at times, or the masks of all nodes: a frame lacks
 * meshes only if no node wanted them when it was decoded. */
static void change(const spn_node nodes[NODES], spn_node node,
                   int64_t duration_us, int64_t *step_us)
{
    const uint32_t mask = test_random_below(&seed, 4);
    const int64_t first_us = random_time(duration_us);
    const int64_t last_us = first_us + random_time(duration_us - first_us);

    switch (test_random_below(&seed, 8)) {
    case 0:
        CHECK_EQ(
            spn_node_set_range(stage.rt, node, first_us, last_us,
                               (spn_range_mode)test_random_below(&seed, 3)),
            SPN_OK);
        break;
    case 1:
        for (uint32_t i = 0; i < NODES; i++)
            CHECK_EQ(spn_node_set_mesh_mask(stage.rt, nodes[i], &mask, 1),
                     SPN_OK);
        break;
    case 2:
        *step_us = (int64_t)test_random_below(&seed, 7 * STAGE_TICK_US) -
                   3 * (int64_t)STAGE_TICK_US;
        break;
    default:
        break;
    }
}

static void play(const struct tiny_options *o)
{
    const int64_t duration_us = (int64_t)(o->frame_count - 1) * FRAME_US;
    spn_node nodes[NODES];
    int64_t time_us[NODES];
    int64_t step_us[NODES];

    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = stage_node(&stage, i % 2 == 0);
        time_us[i] = random_time(duration_us);
        step_us[i] = STAGE_TICK_US;
    }
    for (uint32_t k = 0; k < UPDATES; k++) {
        for (uint32_t i = 0; i < NODES; i++) {
            if (test_random_below(&seed, 20) == 0)
                change(nodes, nodes[i], duration_us, &step_us[i]);
            if (test_random_below(&seed, 60) == 0)
                time_us[i] = random_time(duration_us);
            time_us[i] += step_us[i];
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], time_us[i]),
                     SPN_OK);
        }
        stage_tick(&stage, STAGE_TICK_US);
        compare_all();
    }
}

static void ranges_are_those_of_a_walk_over_frames(void)
{
    for (uint32_t round = 0; round < 24; round++) {
        struct tiny_options o = {.vertices = 300, .mesh_count = 2};

        seed = (struct test_random){round + 1};
        test_context("seed %u", round + 1);
        o.frame_count = 2 + test_random_below(&seed, 120);
        o.distance = 1 + test_random_below(&seed, 12);
        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = (1u + round % 4) << 20;
        stage.config.node_count = NODES;
        stage.disc.bytes_per_second = (1u + round % 3) << 20;
        stage.disc.seek_us = 20000;
        stage_open(&stage);
        play(&o);
        stage_close(&stage);
    }
    CHECK(seen.more_than_a_loop > 0);
    CHECK(seen.gaps > 0);
    CHECK(seen.cuts > 0);
    CHECK(seen.lacks > 0);
    CHECK(seen.ends > 0);
    test_context("%s", "");
}

TEST_MAIN(TEST(ranges_are_those_of_a_walk_over_frames))
