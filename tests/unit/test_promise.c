/* test_promise.c
 *
 * Goal: a node that plays gives memory to one that has none, if that is enough
 * for it, and only then. Memory that several nodes were promised and share is
 * not given to anybody else.
 * Method: heaps whose sizes are computed from the promises of a small cache.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/cache.h"
#include "play/group_read.h"
#include "play/node/node.h"
#include "play/node/update.h"
#include "runtime.h"
#include "support/stage.h"

#define HEAP_BYTES (32u << 20)
#define PAGE_BYTES 4096u

/* Pages of a clip: of its static data, and of the promises of a node. */
struct sizes {
    uint32_t fixed;
    uint32_t least;
    uint32_t full;
};

static struct stage stage;

static const struct tiny_options small = {
    .frame_count = 301, .vertices = 300, .is_noisy = true};
static const struct tiny_options large = {
    .frame_count = 31, .vertices = 4000, .is_noisy = true, .seed = 2};

static struct sizes measure(const struct tiny_options *o)
{
    const struct cache *c;
    struct sizes sizes;
    uint32_t ahead_ms;

    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = HEAP_BYTES;
    stage.config.heap_page_bytes = PAGE_BYTES;
    stage_open(&stage);
    c = &stage.rt->manager.caches[0];
    ahead_ms = stage.rt->tuning->value[TUNING_decode_ahead_ms];
    sizes = (struct sizes){
        .fixed = stage.rt->manager.promises.static_pages,
        .least = spn__cache_frames_least(c) * c->plan.frame_pages +
                 c->read_pages_max,
        .full =
            spn__cache_frames_full(c, ahead_ms * 1000) * c->plan.frame_pages +
            spn__cache_reads_full(c)};
    stage_close(&stage);
    return sizes;
}

/* Open in a heap of so many pages; `reserve` of them belong to clips. */
static void open_beside_clips(const struct tiny_options *o, uint32_t pages,
                              uint32_t reserve)
{
    stage_init(&stage, tiny_build(o));
    stage.config.anim_count = reserve > 0 ? 1 : 0;
    stage.config.anim_reserve_bytes = reserve * PAGE_BYTES;
    stage.config.heap_bytes = pages * PAGE_BYTES;
    stage.config.heap_page_bytes = PAGE_BYTES;
    stage.disc.bytes_per_second = 64 << 20;
    stage_open(&stage);
    CHECK_EQ_U(stage.rt->heap.page_count, pages);
}

static void open_in(const struct tiny_options *o, uint32_t pages)
{
    open_beside_clips(o, pages, 0);
}

static const struct account *account_of(spn_node node)
{
    return &spn__manager_node(&stage.rt->manager, node)->cursor.account;
}

static uint32_t promise_of(spn_node node)
{
    return account_of(node)->frame_promise + account_of(node)->read_promise;
}

static void play(spn_node node, int64_t from_us, uint32_t updates)
{
    for (uint32_t i = 0; i < updates; i++) {
        CHECK_EQ(spn_node_set_playback_time(
                     stage.rt, node, from_us + (int64_t)i * STAGE_TICK_US),
                 SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
}

/* A read beyond the promise leaves twice the margin for fragmentation, so that
 * launches within it need not free what was read. The margin is 1/32 of the
 * heap here. It also leaves the reserve of clips, none of which is used. */
static uint32_t read_beyond(const struct tiny_options *o, uint32_t pages,
                            uint32_t reserve)
{
    const struct cursor *s;
    const struct promises *p;
    uint32_t count = 0;
    spn_node node;

    open_beside_clips(o, pages, reserve);
    CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "64"), SPN_OK);
    node = stage_node(&stage, true);
    s = &spn__manager_node(&stage.rt->manager, node)->cursor;
    p = &stage.rt->manager.promises;
    for (uint32_t i = 0; i < 240; i++) {
        const uint32_t serial = s->read_serial;

        play(node, (int64_t)i * STAGE_TICK_US, 1);
        if (s->read_serial == serial ||
            s->account.read_pages <= s->account.read_promise)
            continue;
        test_context("%u pages, update %u", pages, i);
        CHECK_EQ_U(spn__promise_margin(p), pages / 32);
        CHECK_EQ_U(p->clip_reserve_pages, reserve);
        CHECK(spn__heap_free_pages(p->heap) + p->keeper.kept_pages -
                  p->keeper.needed_pages >=
              p->owed_pages + 2 * (pages / 32) + reserve);
        count++;
    }
    stage_stop(&stage, node);
    return count;
}

static void a_read_beyond_the_promise_leaves_twice_the_margin(void)
{
    const struct tiny_options o = {
        .frame_count = 121, .vertices = 4000, .is_noisy = true};
    const struct sizes s = measure(&o);
    uint32_t count = 0;

    for (uint32_t spare = 20; spare < 200; spare += 20)
        count += read_beyond(&o, s.fixed + s.full + spare, 0);
    CHECK(count > 0);
}

static void a_read_beyond_the_promise_leaves_the_reserve_of_clips(void)
{
    const struct tiny_options o = {
        .frame_count = 121, .vertices = 4000, .is_noisy = true};
    const struct sizes s = measure(&o);
    const uint32_t reserve = 50;
    uint32_t count = 0;

    for (uint32_t spare = 20; spare < 200; spare += 20)
        count += read_beyond(&o, s.fixed + s.full + reserve + spare, reserve);
    CHECK(count > 0);
}

/* `playing` is 0 or 1: nodes[playing] plays, and the other one starts. */
static void start_beside(uint32_t playing)
{
    const struct sizes s = measure(&small);
    spn_node nodes[2];
    spn_node first;
    spn_node second;

    test_context("node %u plays first", playing);
    CHECK(s.full > s.least);
    open_in(&small, s.fixed + (s.full > 2 * s.least ? s.full : 2 * s.least));
    for (uint32_t i = 0; i < 2; i++)
        nodes[i] = stage_node(&stage, true);
    first = nodes[playing];
    second = nodes[1 - playing];
    play(first, 0, 120);
    CHECK_EQ_U(promise_of(first), s.full);
    /* The first one plays on, and the second one shows its frame. */
    CHECK_EQ(spn_node_set_playback_time(stage.rt, second, 5000000), SPN_OK);
    play(first, 120 * STAGE_TICK_US, 60);
    CHECK_EQ_U(promise_of(first), s.least);
    CHECK_EQ_U(promise_of(second), s.least);
    CHECK(stage_state(&stage, second).is_ready);
    /* It gets everything back. */
    CHECK_EQ(spn_node_stop_streaming(stage.rt, second), SPN_OK);
    play(first, 180 * STAGE_TICK_US, 30);
    CHECK_EQ_U(promise_of(first), s.full);
    stage_stop(&stage, first);
}

static void a_node_gets_what_another_one_yields(void)
{
    start_beside(0);
    start_beside(1);
}

/* The one that yields is served before the one that waits, because it leaps in
 * each update. It does not take back what it yielded. */
static void a_node_gets_what_one_that_leaps_yields(void)
{
    const struct sizes s = measure(&small);
    spn_node leaping;
    spn_node waiting;

    open_in(&small, s.fixed + (s.full > 2 * s.least ? s.full : 2 * s.least));
    leaping = stage_node(&stage, true);
    waiting = stage_node(&stage, true);
    play(leaping, 0, 120);
    CHECK_EQ_U(promise_of(leaping), s.full);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, waiting, 150 * 33333),
             SPN_OK);
    for (int64_t i = 0; i < 30; i++)
        play(leaping, (50 + i * 111 % 200) * 33333 + 30000, 1);
    CHECK_EQ_U(promise_of(leaping), s.least);
    CHECK_EQ_U(promise_of(waiting), s.least);
    stage_close(&stage);
}

static void nobody_yields_what_is_not_enough(void)
{
    const struct sizes s = measure(&small);
    const struct sizes l = measure(&large);
    struct tiny_cache *other = tiny_build(&large);
    spn_cache cache;
    spn_node node;
    spn_node waiting;

    CHECK(l.least > s.full);
    open_in(&small, s.fixed + l.fixed + l.least + s.least / 2);
    slow_platform_add(&stage.disc, "b", other->bytes, other->size);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, cache, NULL) == SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_get_status(stage.rt, cache, NULL), SPN_OK);
    node = stage_node(&stage, true);
    play(node, 0, 60);
    CHECK_EQ(spn_node_create(stage.rt, cache, NULL, &waiting), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, waiting, 0), SPN_OK);
    for (uint32_t i = 0; i < 60; i++) {
        play(node, (60 + i) * (int64_t)STAGE_TICK_US, 1);
        CHECK_EQ_U(promise_of(node), s.full);
    }
    CHECK_EQ(stage_state(&stage, waiting).status, SPN_NO_MEMORY_NOW);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_ready(&stage, waiting);
    stage_close(&stage);
    tiny_free(other);
}

/* A cache is opened while the promise of a node fills the heap: the node yields
 * what its static data needs, and plays on. */
static void a_cache_gets_what_nodes_yield(void)
{
    const struct sizes s = measure(&small);
    struct tiny_cache *other = tiny_build(&small);
    spn_status status = SPN_PENDING;
    uint32_t fixed;
    uint32_t late;
    spn_cache cache;
    spn_node node;

    open_in(&small, s.fixed + s.full);
    slow_platform_add(&stage.disc, "b", other->bytes, other->size);
    node = stage_node(&stage, true);
    play(node, 0, 60);
    CHECK_EQ_U(promise_of(node), s.full);
    late = stage_state(&stage, node).frames_late;
    fixed = stage.rt->manager.caches[0].pages_peak;
    CHECK(fixed + stage.rt->heap.page_count / 32 < s.full - s.least);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &cache), SPN_OK);
    for (uint32_t i = 0; i < 120 && status == SPN_PENDING; i++) {
        play(node, (60 + i) * (int64_t)STAGE_TICK_US, 1);
        status = spn_cache_get_status(stage.rt, cache, NULL);
    }
    CHECK_EQ(status, SPN_OK);
    CHECK_EQ_U(promise_of(node), s.least);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, late);
    /* When the cache has gone, the node gets everything back. */
    CHECK_EQ(spn_cache_close(stage.rt, cache), SPN_OK);
    play(node, 180 * (int64_t)STAGE_TICK_US, 30);
    CHECK_EQ_U(promise_of(node), s.full);
    stage_stop(&stage, node);
    tiny_free(other);
}

/* Two nodes in step are promised twice what they use. A block must not take
 * the rest: they may part. */
static void what_nodes_share_stays_promised(void)
{
    const struct sizes s = measure(&small);
    const uint32_t bytes = s.full / 2 * PAGE_BYTES;
    spn_node nodes[2];
    spn_block block;

    open_in(&small, s.fixed + 2 * s.full + s.full / 4);
    for (uint32_t i = 0; i < 2; i++)
        nodes[i] = stage_node(&stage, true);
    for (int64_t t = 0; t < 2000000; t += STAGE_TICK_US) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[1], t), SPN_OK);
        play(nodes[0], t, 1);
    }
    CHECK_EQ_U(promise_of(nodes[0]) + promise_of(nodes[1]), 2 * s.full);
    CHECK_EQ(spn_block_alloc(stage.rt, bytes, 0, &block), SPN_NO_MEMORY_NOW);
    /* They part, and both play on. */
    for (int64_t t = 0; t < 2000000; t += STAGE_TICK_US) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[1], 6000000 + t),
                 SPN_OK);
        play(nodes[0], 2000000 + t, 1);
        CHECK(stage_state(&stage, nodes[0]).is_ready);
        CHECK(t < 500000 || stage_state(&stage, nodes[1]).is_ready);
    }
    CHECK_EQ(spn_node_destroy(stage.rt, nodes[1]), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_block_alloc(stage.rt, bytes, 0, &block), SPN_OK);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    stage_stop(&stage, nodes[0]);
}

/* A read of many groups, as if it had been started when less was promised. */
static struct group_read *read_groups(spn_node node, uint32_t first_group,
                                      uint32_t pages)
{
    struct node *n = spn__manager_node(&stage.rt->manager, node);
    const struct group_request request = {
        .cache = n->cache,
        .account = &n->cursor.account,
        .kind = PROMISE_WITHIN,
        .offset = cache_group_at(n->cache, first_group)->offset /
                  GROUP_READ_ALIGN * GROUP_READ_ALIGN,
        .bytes = pages * PAGE_BYTES,
        .first_group = first_group,
        .last_group = n->cache->header.group_count - 1};
    struct group_read *r;

    CHECK_EQ(spn__group_read_start(&request, &r), SPN_OK);
    stage_finish_read(&stage, r);
    return r;
}

/* With the read in memory, there is no room to decode what it has brought. */
static void a_large_read_is_not_in_the_way_of_its_frames(void)
{
    const struct sizes s = measure(&small);
    const uint32_t group = 15;
    const struct cache *c;
    spn_node node;

    CHECK(s.full > s.least + s.least / 2);
    open_in(&small, s.fixed + s.least + s.least / 2);
    c = &stage.rt->manager.caches[0];
    node = stage_node(&stage, false);
    /* Frame 8 of a group is decoded with the 7 before it and two index
     * frames. */
    (void)read_groups(node, group,
                      s.least + s.least / 2 - 9 * c->plan.frame_pages);
    CHECK_EQ(spn_node_set_playback_time(
                 stage.rt, node,
                 cache_frame_at(c, cache_group_at(c, group)->first_frame + 7)
                     ->time_us),
             SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(promise_of(node), s.least);
    CHECK(!stage_state(&stage, node).is_ready);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_ready);
    stage_stop(&stage, node);
}

/* A second position has memory, and the node starts elsewhere. */
static void start_beside_second(uint32_t pages, uint32_t before, uint32_t after,
                                uint32_t second_after)
{
    spn_node node;
    spn_node second;

    test_context("%u pages", pages);
    open_in(&small, pages);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, 1000000), SPN_OK);
    second = spn__manager_node(&stage.rt->manager, node)->second;
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_streaming_ready);
    CHECK_EQ_U(promise_of(second), before);
    play(node, 6000000, 60);
    CHECK(stage_state(&stage, node).is_ready);
    CHECK_EQ_U(promise_of(node), after);
    CHECK_EQ_U(promise_of(second), second_after);
    stage_stop(&stage, node);
}

/* Nothing is taken from playback for a second position. */
static void a_second_position_yields_everything(void)
{
    const struct sizes s = measure(&small);

    start_beside_second(s.fixed + s.least, s.least, s.least, 0);
    start_beside_second(s.fixed + s.full, s.full, s.full, 0);
    start_beside_second(s.fixed + s.full + s.least, s.full, s.full, s.least);
}

/* The heap is full of kept memory. Without a limit nothing is freed before an
 * allocation needs it; with a limit everything idle may be. */
static void only_a_limit_frees_memory_in_advance(void)
{
    const struct sizes s = measure(&small);
    struct promises *p;
    spn_node node;
    uint32_t evicted;

    open_in(&small, s.fixed + 2 * s.full);
    p = &stage.rt->manager.promises;
    node = stage_node(&stage, true);
    play(node, 0, 600);
    CHECK(p->evicted_frames > 0);
    CHECK_EQ_U(p->limit_pages, p->heap->page_count);
    evicted = p->evicted_frames + p->evicted_reads;
    CHECK(spn__promise_respect_limit(p, PROMISE_BEYOND, p->limit_pages));
    CHECK_EQ_U(p->evicted_frames + p->evicted_reads, evicted);
    p->limit_pages--;
    CHECK(!spn__promise_respect_limit(p, PROMISE_BEYOND, p->limit_pages));
    CHECK(p->evicted_frames + p->evicted_reads > evicted);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(a_read_beyond_the_promise_leaves_twice_the_margin),
          TEST(a_read_beyond_the_promise_leaves_the_reserve_of_clips),
          TEST(only_a_limit_frees_memory_in_advance),
          TEST(a_second_position_yields_everything),
          TEST(a_large_read_is_not_in_the_way_of_its_frames),
          TEST(a_node_gets_what_another_one_yields),
          TEST(a_node_gets_what_one_that_leaps_yields),
          TEST(nobody_yields_what_is_not_enough),
          TEST(a_cache_gets_what_nodes_yield),
          TEST(what_nodes_share_stays_promised))
