/* test_stream_damage.c
 *
 * Goal: damage costs the damaged frames and the frames that refer to them.
 * Method: flipped bits in blocks and directories, and unreadable ranges. Every
 *   frame is then shown, and compared with its true values or expected as lost.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/frame_slot.h"
#include "play/group_read.h"
#include "play/group_table.h"
#include "play/node/node.h"
#include "read/engine.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/tiny_truth.h"

static struct stage stage;

/* Whether `frame` is lost when `damaged` is: it refers to it. */
static bool is_lost(const struct tiny_options *o, uint32_t damaged,
                    uint32_t frame)
{
    uint32_t group = tiny_group_of(o, damaged);
    bool is_index = damaged % o->distance == 0 || damaged == o->frame_count - 1;
    bool frame_is_index =
        frame % o->distance == 0 || frame == o->frame_count - 1;

    if (frame == damaged)
        return true;
    if (frame_is_index)
        return false;
    if (is_index)
        return tiny_group_of(o, frame) == group ||
               tiny_group_of(o, frame) == group + 1;
    return tiny_group_of(o, frame) == group && frame > damaged;
}

/* When frames from `good` on are damaged: the last frame that refers to none of
 * them. Index frames have no references. */
static uint32_t last_good(const struct tiny_options *o, uint32_t good)
{
    return (good - 1) / o->distance * o->distance;
}

static void play_damaged(uint32_t damaged, const char *what)
{
    const struct tiny_options *o = &stage.tiny->options;
    spn_node node = stage_node(&stage, false);
    uint32_t lost = 0;
    spn_node_state state = {0};

    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t f = 0; f < o->frame_count; f++) {
        test_context("%s, damaged %u, frame %u", what, damaged, f);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        state = stage_state(&stage, node);
        if (!is_lost(o, damaged, f)) {
            CHECK_EQ(state.shown_frame, f);
            for (uint32_t mesh = 0; mesh < o->mesh_count; mesh++)
                stage_check_frame(&stage, node, mesh, f);
        } else {
            lost++;
            CHECK(state.shown_frame != f);
            CHECK(!is_lost(o, damaged, state.shown_frame));
        }
    }
    CHECK(lost > 0);
    CHECK_EQ(state.frames_dropped, lost);
    CHECK_EQ(state.frames_late, lost);
    CHECK_EQ(state.fault_frame, damaged);
    CHECK(state.status < 0);
    CHECK(state.fault.what != NULL);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
}

static void damage_costs_the_frame_and_what_refers_to_it(void)
{
    struct tiny_options o = {.frame_count = 41};
    static const uint32_t damaged[] = {1, 5, 10, 15, 19, 20, 33, 39, 40};

    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct tiny_cache *t = tiny_build(&o);
        uint32_t frame = damaged[i];

        /* A bit of the last block; a bit of the directory. */
        t->bytes[t->frame_offset[frame] + t->frame_bytes[frame] - 1] ^= 4;
        stage_init(&stage, t);
        stage_open(&stage);
        play_damaged(frame, "block");
        stage_close(&stage);

        t = tiny_build(&o);
        t->bytes[t->frame_offset[frame] + 9] ^= 4;
        stage_init(&stage, t);
        stage_open(&stage);
        play_damaged(frame, "directory");
        stage_close(&stage);
    }
}

/* The last block of index frame 10 belongs to mesh 1. Frames are lost as a
 * whole: no picture has meshes of two frames. */
static void damage_of_one_mesh_costs_the_frame(void)
{
    struct tiny_options o = {.frame_count = 21, .mesh_count = 2};
    struct tiny_cache *t = tiny_build(&o);

    t->bytes[t->frame_offset[10] + t->frame_bytes[10] - 1] ^= 1;
    stage_init(&stage, t);
    stage_open(&stage);
    play_damaged(10, "mesh 1");
    stage_close(&stage);
}

/* A clip with a damaged end shows its last good frame when playback starts
 * there. */
static void damaged_end_shows_the_last_good_frame(void)
{
    struct tiny_options o = {.frame_count = 41};
    static const uint32_t good_counts[] = {40, 38, 31, 30, 21, 20, 11, 1, 0};
    spn_node_state state = {0};

    for (size_t i = 0; i < sizeof good_counts / sizeof good_counts[0]; i++) {
        struct tiny_cache *t = tiny_build(&o);
        uint32_t good = good_counts[i];
        uint64_t bytes_read;
        spn_node node;

        for (uint32_t f = good; f < o.frame_count; f++)
            t->bytes[t->frame_offset[f] + 9] ^= 4;
        stage_init(&stage, t);
        stage_open(&stage);
        node = stage_node(&stage, false);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node, 40 * 33333), SPN_OK);
        for (int k = 0; k < 200; k++)
            stage_tick(&stage, STAGE_TICK_US);
        /* Back and forth, where no good frame follows. */
        for (uint32_t f = 40; f + 1 > good && f > 36; f--) {
            test_context("%u good, at %u", good, f);
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333),
                     SPN_OK);
            for (int k = 0; k < 100; k++)
                stage_tick(&stage, STAGE_TICK_US);
            state = stage_state(&stage, node);
            if (good > 0)
                CHECK_EQ(state.shown_frame, last_good(&t->options, good));
            else
                CHECK_EQ(state.shown_frame, UINT32_MAX);
            CHECK(!state.is_ready);
        }
        bytes_read = state.bytes_read;
        for (int k = 0; k < 100; k++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(stage_state(&stage, node).bytes_read, bytes_read);
        stage_stop(&stage, node);
    }
}

/* When the damage is gone, the frame is shown at the next visit, and nothing is
 * kept for the frame shown instead. */
static void damaged_end_is_tried_again(void)
{
    struct tiny_options o = {.frame_count = 81};
    struct tiny_cache *t = tiny_build(&o);
    spn_node node;

    for (uint32_t f = 61; f < o.frame_count; f++)
        t->bytes[t->frame_offset[f] + 9] ^= 4;
    stage_init(&stage, t);
    stage.config.stream_frame_count = 22;
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 80 * 33333), SPN_OK);
    for (int k = 0; k < 900; k++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(stage_state(&stage, node).shown_frame, 60);
    for (uint32_t f = 61; f < o.frame_count; f++)
        t->bytes[t->frame_offset[f] + 9] ^= 4;
    for (uint32_t f = 55; f < o.frame_count; f++) {
        test_context("frame %u", f);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_until_ready(&stage, node);
        CHECK_EQ(stage_state(&stage, node).shown_frame, f);
    }
    stage_close(&stage);
}

/* The same where the user repeats a range that is shorter than a jump, with a
 * rate and without one. */
static void damaged_range_is_tried_again(void)
{
    const int64_t first_us = 34 * 33333;

    for (int32_t rate = -1000; rate <= 1000; rate += 1000) {
        const struct tiny_options o = {.frame_count = 81};
        struct tiny_cache *t = tiny_build(&o);
        const int64_t step_us = rate < 0 ? -16667 : 16667;
        spn_node node;
        uint32_t ready = 0;

        test_context("rate %d", (int)rate);
        for (uint32_t f = 31; f < 40; f++)
            t->bytes[t->frame_offset[f] + 9] ^= 4;
        stage_init(&stage, t);
        stage_open(&stage);
        node = stage_node(&stage, false);
        CHECK_EQ(spn_node_set_range(stage.rt, node, first_us,
                                    first_us + 3 * 33333, SPN_ONCE),
                 SPN_OK);
        CHECK_EQ(spn_node_set_rate(stage.rt, node, rate), SPN_OK);
        for (int k = 0; k < 240; k++) {
            for (uint32_t f = 31; k == 120 && f < 40; f++)
                t->bytes[t->frame_offset[f] + 9] ^= 4;
            CHECK_EQ(spn_node_set_playback_time(
                         stage.rt, node,
                         first_us + ((k * step_us) % 83333 + 83333) % 83333),
                     SPN_OK);
            stage_tick(&stage, STAGE_TICK_US);
            ready += stage_state(&stage, node).is_ready;
            CHECK(k > 120 || ready == 0);
        }
        CHECK(ready > 60);
        stage_stop(&stage, node);
    }
}

#define UNREADABLE_FRAMES 81u
#define HEAP_BLOCKS 1024u

static uint32_t unreadable_reads;

/* Take every fifth page, so that no block above four pages is contiguous. */
static void fragment_heap(heap_handle *held, uint32_t capacity, uint32_t *count)
{
    struct heap *heap = &stage.rt->heap;
    heap_handle between[HEAP_BLOCKS];
    uint32_t filled = 0;

    *count = 0;
    while (*count < capacity && filled < HEAP_BLOCKS &&
           spn__heap_alloc(heap, 4096, 0, HEAP_TAG_USER, &held[*count]) ==
               SPN_OK) {
        ++*count;
        if (spn__heap_alloc(heap, 16384, 0, HEAP_TAG_USER, &between[filled]))
            break;
        filled++;
    }
    while (filled-- > 0)
        CHECK(spn__heap_free(heap, between[filled]));
}

/* Play a clip of which [offset, offset + bytes) cannot be read. Frames [first,
 * limit) are lost, all others are shown. */
static void play_unreadable(uint64_t offset, uint64_t bytes, uint32_t first,
                            uint32_t limit, bool is_fragmented)
{
    struct slow_fault fault = {
        .kind = SLOW_ERROR, .path = "a", .offset = offset, .bytes = bytes};
    heap_handle held[HEAP_BLOCKS];
    uint32_t held_count = 0;
    uint32_t shown[UNREADABLE_FRAMES];
    spn_node node;

    slow_platform_fault(&stage.disc, &fault);
    stage_open(&stage);
    if (is_fragmented)
        fragment_heap(held, HEAP_BLOCKS, &held_count);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 200; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t f = 0; f < UNREADABLE_FRAMES; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        shown[f] = stage_state(&stage, node).shown_frame;
    }
    for (uint32_t f = 0; f < UNREADABLE_FRAMES; f++) {
        test_context("frame %u%s", f, is_fragmented ? ", fragmented" : "");
        CHECK_EQ(shown[f] == f, f < first || f >= limit);
    }
    CHECK_EQ(stage_state(&stage, node).frames_dropped, limit - first);
    unreadable_reads = stage.disc.reads;
    while (held_count-- > 0)
        CHECK(spn__heap_free(&stage.rt->heap, held[held_count]));
    stage_stop(&stage, node);
}

static struct tiny_cache *unreadable_clip(void)
{
    struct tiny_options o = {
        .frame_count = UNREADABLE_FRAMES, .is_noisy = true, .vertices = 1000};
    struct tiny_cache *t = tiny_build(&o);

    stage_init(&stage, t);
    stage.config.heap_bytes = 16 << 20;
    return t;
}

/* A read of several groups, in pieces of 256 KiB, to one extent and to many.
 * The lost frames are those on the bad pages, and those that refer to them. */
static void an_unreadable_place_costs_its_frames(void)
{
    for (int i = 0; i < 2; i++) {
        /* The page also has the end of frame 34; frame 40 begins the next
         * group. */
        const struct tiny_cache *t = unreadable_clip();

        CHECK(t->frame_offset[35] % 4096 != 0);
        CHECK(t->frame_offset[34] < (t->frame_offset[35] & ~(uint64_t)4095));
        play_unreadable(t->frame_offset[35], 100, 34, 40, i);
        /* All pages belong to frame 25, except the first and last. */
        t = unreadable_clip();
        play_unreadable(t->frame_offset[25] + 4096,
                        t->frame_bytes[25] - 2 * 4096, 25, 30, i);
        /* Index frame 40 and the frame after it. */
        t = unreadable_clip();
        play_unreadable(t->frame_offset[40] + t->frame_bytes[40] - 1, 1, 31, 50,
                        i);
    }
}

/* Most of groups 3 and 4; index frame 40 is good again. */
static void large_unreadable_range_is_passed_quickly(void)
{
    const struct tiny_cache *t = unreadable_clip();
    uint64_t start = t->frame_offset[22];
    uint64_t end = t->frame_offset[38];

    stage.disc.command_us = 1000;
    play_unreadable(start, end - start, 21, 40, true);
    /* 7 tries at the first bad page, one at each frame, and the good ones. */
    CHECK(unreadable_reads < 60);
}

static void temporary_error_costs_nothing(void)
{
    struct tiny_options o = {.frame_count = 41};
    struct tiny_cache *t = tiny_build(&o);
    struct slow_fault fault = {.kind = SLOW_ERROR,
                               .path = "a",
                               .offset = t->frame_offset[15],
                               .bytes = 100,
                               .times = 1};
    spn_node node;

    stage_init(&stage, t);
    slow_platform_fault(&stage.disc, &fault);
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    stage_play(&stage, node, 0, 40 * 33333);
    CHECK_EQ(stage_state(&stage, node).frames_dropped, 0);
    stage_stop(&stage, node);
}

/* A group is read again for some of its frames, and that read fails, while
 * others are decoded. When those are freed, they are not decoded from the
 * buffer of the failed read. */
static void a_failed_read_costs_decoded_frames_when_they_are_freed(void)
{
    const struct tiny_options o = {.frame_count = 41};
    struct tiny_cache *t = tiny_build(&o);
    struct slow_fault fault = {.kind = SLOW_ERROR, .path = "a"};
    spn_node node;
    struct cache *c;

    stage_init(&stage, t);
    stage_open(&stage);
    node = stage_node(&stage, false);
    c = spn__manager_node(&stage.rt->manager, node)->cache;
    stage_stream(&stage, node, 11 * 33333);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    fault.offset = t->frame_offset[11];
    fault.bytes = t->frame_offset[19] - fault.offset;
    slow_platform_fault(&stage.disc, &fault);
    spn__group_read_free(spn__group_table_read(c, 14));
    spn__frame_slot_free(frame_slot_at(c, 19)->frame);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(frame_slot_at(c, 19)->state, FRAME_FAILED);
    CHECK_EQ(frame_slot_at(c, 18)->state, FRAME_READY);
    spn__frame_slot_free(frame_slot_at(c, 18)->frame);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(frame_slot_at(c, 18)->state, FRAME_FAILED);
    CHECK_EQ(c->frame_fault.status, SPN_ERR_IO);
    CHECK_EQ_U(c->fault_frame, 18);
    stage_stop(&stage, node);
}

/* -- reads that cannot start -- */

#define RETRY_FRAMES 161u

/* Make reads fail to start, as if the table of reads were full, or allow them
 * again. */
static void switch_reads(void)
{
    (void)atomic_add_acq_rel(&stage.rt->io->pending, IO_IS_SHUT);
}

/* A read that is to go on behind a failure, and cannot. */
static const struct group_read *find_retry(void)
{
    for (const struct group_read *r = stage.rt->manager.group_reads.pending; r;
         r = r->next)
        if (r->state == READ_RETRY)
            return r;
    return NULL;
}

/* Where playback goes meanwhile: it stays, it goes on, to the end of what a
 * later read brought, or elsewhere; or it stops. */
static void end_retry(spn_node node, const struct cursor *s,
                      uint32_t playback_case)
{
    const uint64_t last = cache_group_at(s->cache, 6)->first_frame - 1;
    const uint64_t frames[] = {0, 5, last, RETRY_FRAMES - 1};

    if (playback_case < 4)
        CHECK_EQ(spn_node_set_playback_time(
                     stage.rt, node, (int64_t)frames[playback_case] * 33333),
                 SPN_OK);
    else
        CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    for (int i = 0; i < 10; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

/* One read for each group of the next 1.6 s; frame 15 cannot be read. */
static spn_node start_many_reads(void)
{
    static const char *const settings[][2] = {{"buffer_ahead_min_ms", "1600"},
                                              {"buffer_ahead_max_ms", "1600"},
                                              {"request_kib", "64"},
                                              {"reads_pending_ms", "10000"}};
    const struct tiny_options o = {
        .frame_count = RETRY_FRAMES, .is_noisy = true, .vertices = 1000};
    struct tiny_cache *t = tiny_build(&o);
    const struct slow_fault fault = {.kind = SLOW_ERROR,
                                     .path = "a",
                                     .offset = t->frame_offset[15],
                                     .bytes = 100};
    spn_node node;

    stage_init(&stage, t);
    stage.disc.bytes_per_second = 1 << 20;
    stage_open(&stage);
    for (uint32_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        CHECK_EQ(spn_tuning_set(stage.rt, settings[i][0], settings[i][1]),
                 SPN_OK);
    slow_platform_fault(&stage.disc, &fault);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    do
        stage_tick(&stage, STAGE_TICK_US);
    while (!stage.rt->manager.group_reads.pending);
    return node;
}

static void a_retry_waits_until_reads_can_start(void)
{
    for (uint32_t playback_case = 0; playback_case < 5; playback_case++) {
        const struct cursor *s;
        spn_node node;

        test_context("playback %u", playback_case);
        node = start_many_reads();
        s = &spn__manager_node(&stage.rt->manager, node)->cursor;
        switch_reads();
        for (int i = 0; i < 100 && !find_retry(); i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK(find_retry() != NULL);
        end_retry(node, s, playback_case);
        CHECK_EQ(find_retry() != NULL, playback_case < 2);
        switch_reads();
        if (playback_case < 4)
            stage_until_ready(&stage, node);
        for (int i = 0; i < 60; i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK(!find_retry());
        if (playback_case < 2)
            CHECK(stage_state(&stage, node).frames_dropped > 0);
        stage_stop(&stage, node);
    }
}

/* Reads of the frame at which playback stands fail for some time. Attempts
 * become rare, and the frame is shown without a step of the time. */
static void a_lost_frame_is_tried_again_at_rest(void)
{
    struct slow_fault *fault;
    spn_node node;
    uint32_t hits;

    stage_init(&stage, tiny_build(NULL));
    fault = slow_platform_fault(
        &stage.disc,
        &(struct slow_fault){.kind = SLOW_ERROR,
                             .path = "a",
                             .offset = stage.tiny->frame_offset[15],
                             .bytes = stage.tiny->frame_bytes[15]});
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 15 * 33333 + 1),
             SPN_OK);
    for (int i = 0; i < 60 * 8; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_IO);
    CHECK(!stage_state(&stage, node).is_ready);
    hits = fault->hits;
    CHECK(hits > 3);
    for (int i = 0; i < 60 * 8; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(fault->hits > hits);
    CHECK(fault->hits - hits < hits);
    slow_platform_clear_faults(&stage.disc);
    for (int i = 0; i < 60 * 10 && !stage_state(&stage, node).is_ready; i++)
        stage_tick(&stage, STAGE_TICK_US);
    stage_check_frame(&stage, node, 0, 15);
    CHECK(stage_state(&stage, node).is_ready);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(damage_costs_the_frame_and_what_refers_to_it),
          TEST(damage_of_one_mesh_costs_the_frame),
          TEST(damaged_end_shows_the_last_good_frame),
          TEST(damaged_end_is_tried_again), TEST(damaged_range_is_tried_again),
          TEST(an_unreadable_place_costs_its_frames),
          TEST(large_unreadable_range_is_passed_quickly),
          TEST(temporary_error_costs_nothing),
          TEST(a_failed_read_costs_decoded_frames_when_they_are_freed),
          TEST(a_retry_waits_until_reads_can_start),
          TEST(a_lost_frame_is_tried_again_at_rest))
