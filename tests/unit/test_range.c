/* test_range.c
 *
 * Goal: a node plays a range of its clip once, in a loop or to and fro, at the
 *   rate that was set; no picture is late at the ends of the range, and nothing
 *   outside of it is decoded.
 * Method: small caches on a slow disc with a virtual clock. The shown frame is
 *   compared with the formulas of geom_node.h.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/cache.h"
#include "play/frame_slot.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"

#define FRAME_US 33333
#define FRAMES 121

static struct stage stage;
static uint32_t decodes;

struct range {
    int64_t first_us;
    int64_t last_us;
    spn_range_mode mode;
};

static void on_decompressed(void *user, const spn_event *event)
{
    (void)user;
    (void)event;
    decodes++;
}

static const spn_listener listener = {.decompress_end = on_decompressed};

static void open_clip(uint32_t frames)
{
    const struct tiny_options o = {.frame_count = frames, .vertices = 300};

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 8 << 20;
    stage.config.listener = &listener;
    stage.disc.bytes_per_second = 8 << 20;
    stage.disc.seek_us = 20000;
    stage_open(&stage);
    decodes = 0;
}

static void set_range(spn_node node, const struct range *r)
{
    CHECK_EQ(
        spn_node_set_range(stage.rt, node, r->first_us, r->last_us, r->mode),
        SPN_OK);
}

/* The time of the clip that a playback time shows, as geom_node.h says. */
static int64_t clip_time(const struct range *r, int64_t t)
{
    const int64_t length_us = r->last_us - r->first_us;
    int64_t in_us;

    if (r->mode == SPN_ONCE || length_us == 0)
        return t < r->first_us ? r->first_us : t > r->last_us ? r->last_us : t;
    in_us = t - r->first_us;
    if (r->mode == SPN_LOOP)
        return r->first_us + (in_us % length_us + length_us) % length_us;
    in_us = (in_us % (2 * length_us) + 2 * length_us) % (2 * length_us);
    return in_us <= length_us ? r->first_us + in_us
                              : r->last_us - (in_us - length_us);
}

static void set_time(spn_node node, int64_t t)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
}

/* The picture of a time is decoded and shown, with the right point between its
 * two frames. */
static void check_picture(spn_node node, const struct range *r, int64_t t)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[300 * 12];
    const int64_t u = clip_time(r, t);
    const uint32_t floor = (uint32_t)(u / FRAME_US);
    const float alpha = (float)(u % FRAME_US) / (float)FRAME_US;
    spn_fill_result result = {0};

    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, &result),
             SPN_OK);
    CHECK(!result.is_late);
    CHECK_EQ_U(result.floor_frame, floor);
    CHECK_EQ_U(result.ceil_frame, floor + (u % FRAME_US != 0));
    CHECK(result.alpha - alpha < 0.001f && alpha - result.alpha < 0.001f);
}

/* From `from_us` on in steps; no picture is late. */
static void play(spn_node node, const struct range *r, int64_t from_us,
                 int64_t step_us, uint32_t updates)
{
    for (uint32_t i = 0; i < updates; i++) {
        const int64_t t = from_us + (int64_t)i * step_us;

        test_context("range %lld..%lld, mode %d, update %u, at %lld us",
                     (long long)r->first_us, (long long)r->last_us,
                     (int)r->mode, i, (long long)t);
        set_time(node, t);
        stage_tick(&stage, STAGE_TICK_US);
        check_picture(node, r, t);
    }
    test_context("%s", "");
}

static void begin(spn_node node, int64_t t)
{
    set_time(node, t);
    stage_until_ready(&stage, node);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

/* Frames of the range and those to which they refer. */
static bool is_needed(const struct cache *c, uint32_t number, uint32_t first,
                      uint32_t last)
{
    bool needed[FRAMES] = {false};

    for (uint32_t n = first; n <= last; n++)
        needed[n] = true;
    for (uint32_t round = 0; round < 8; round++)
        for (uint32_t n = 0; n < FRAMES; n++)
            for (uint32_t k = 0;
                 needed[n] && k < cache_frame_at(c, n)->reference_count; k++)
                needed[cache_reference(c, n, k)] = true;
    return needed[number];
}

static void check_decoded(spn_node node, uint32_t first, uint32_t last)
{
    const struct cache *c =
        spn__manager_node(&stage.rt->manager, node)->cursor.cache;
    uint32_t outside = 0;

    for (uint32_t n = 0; n < FRAMES; n++) {
        test_context("frame %u", n);
        if (n >= first && n <= last)
            CHECK_EQ(frame_slot_at(c, n)->state, FRAME_READY);
        if (is_needed(c, n, first, last))
            continue;
        CHECK_EQ(frame_slot_at(c, n)->state, FRAME_EMPTY);
        outside++;
    }
    CHECK(outside > 0);
}

static void bad_arguments_are_refused(void)
{
    spn_node node;

    open_clip(31);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_range(NULL, node, 0, 1, SPN_LOOP), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_range(stage.rt, 0, 0, 1, SPN_LOOP), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_range(stage.rt, node, -1, 1, SPN_LOOP), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_range(stage.rt, node, 2, 1, SPN_LOOP), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_range(stage.rt, node, 0, 1, (spn_range_mode)3),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_range(stage.rt, node, 0, 1, (spn_range_mode)-1),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_rate(NULL, node, 1000), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_rate(stage.rt, 0, 1000), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, 8001), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, -8001), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, -8000), SPN_OK);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, 0), SPN_OK);
    stage_close(&stage);
}

/* Times run on, or the engine keeps them in the range itself. */
static void plays_once_decoded(const struct range *r, bool runs_on)
{
    const uint32_t first = (uint32_t)(r->first_us / FRAME_US);
    const uint32_t last = (uint32_t)((r->last_us + FRAME_US - 1) / FRAME_US);
    uint32_t reads = 0;
    spn_node node;

    open_clip(FRAMES);
    node = stage_node(&stage, false);
    set_range(node, r);
    begin(node, r->first_us);
    for (uint32_t i = 0; i < 300; i++) {
        const int64_t t = r->first_us + (int64_t)i * STAGE_TICK_US;

        if (i == 150) {
            reads = stage.disc.reads;
            decodes = 0;
        }
        test_context("mode %d, update %u", (int)r->mode, i);
        set_time(node, runs_on ? t : clip_time(r, t));
        stage_tick(&stage, STAGE_TICK_US);
        check_picture(node, r, t);
    }
    CHECK_EQ_U(stage.disc.reads, reads);
    CHECK_EQ_U(decodes, 0);
    check_decoded(node, first, last);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, 1); /* the very first */
    stage_stop(&stage, node);
}

static void a_range_that_fits_is_read_and_decoded_once(void)
{
    static const struct range ranges[] = {
        {1000000, 2000000, SPN_LOOP},
        {1000000, 1500000, SPN_PING_PONG},
        {45 * FRAME_US, 60 * FRAME_US, SPN_PING_PONG},
        {30 * FRAME_US, 60 * FRAME_US, SPN_LOOP},
        {47 * FRAME_US + 1, 47 * FRAME_US + 40000, SPN_PING_PONG}};

    for (uint32_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        plays_once_decoded(&ranges[i], true);
        plays_once_decoded(&ranges[i], false);
    }
}

/* Memory holds a part of the range: it is read again, and is not late. */
static void long_ranges_are_never_late_at_their_ends(void)
{
    static const struct range ranges[] = {{500000, 3500000, SPN_LOOP},
                                          {500000, 3500000, SPN_PING_PONG}};

    for (uint32_t i = 0; i < 4; i++) {
        const struct range *r = &ranges[i % 2];
        const int64_t step_us = i < 2 ? STAGE_TICK_US : -(int64_t)STAGE_TICK_US;
        const int64_t from_us = i < 2 ? r->first_us : r->last_us - 1;
        uint32_t reads;
        const struct tiny_options o = {
            .frame_count = FRAMES, .vertices = 300, .is_noisy = true};
        spn_node node;

        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = 512 << 10;
        stage.disc.bytes_per_second = 8 << 20;
        stage.disc.seek_us = 20000;
        stage_open(&stage);
        node = stage_node(&stage, false);
        set_range(node, r);
        CHECK_EQ(spn_node_set_rate(stage.rt, node, step_us > 0 ? 1000 : -1000),
                 SPN_OK);
        begin(node, from_us);
        play(node, r, from_us, step_us, 400);
        reads = stage.disc.reads;
        play(node, r, from_us + 400 * step_us, step_us, 400);
        CHECK(stage.disc.reads > reads);
        stage_stop(&stage, node);
    }
}

static void a_range_that_ends_clamps_times(void)
{
    static const struct range r = {20 * FRAME_US, 40 * FRAME_US, SPN_ONCE};
    spn_node node;

    open_clip(FRAMES);
    node = stage_node(&stage, true);
    set_range(node, &r);
    begin(node, -5);
    CHECK_EQ(stage_state(&stage, node).playback_us, r.first_us);
    play(node, &r, 20 * FRAME_US, STAGE_TICK_US, 60);
    CHECK_EQ(stage_state(&stage, node).playback_us, r.last_us);
    play(node, &r, INT64_MAX, 0, 2);
    play(node, &r, INT64_MIN, 0, 2);
    check_decoded(node, 20, 40);
    CHECK_EQ(stage_state(&stage, node).precached_us, 20 * FRAME_US);
    stage_stop(&stage, node);
}

static void every_rate_plays_in_both_directions(void)
{
    for (int rate = -8; rate <= 8; rate += 4) {
        const struct range r = {0, 300 * FRAME_US, SPN_LOOP};
        const int64_t step_us = (int64_t)rate * STAGE_TICK_US;
        spn_node node;

        if (rate == 0)
            continue;
        open_clip(301);
        stage.disc.bytes_per_second = 64 << 20;
        stage.disc.seek_us = 1000;
        node = stage_node(&stage, false);
        set_range(node, &r);
        CHECK_EQ(spn_node_set_rate(stage.rt, node, rate * 1000), SPN_OK);
        begin(node, 0);
        play(node, &r, 0, step_us, 300);
        /* It turns round at once. */
        CHECK_EQ(spn_node_set_rate(stage.rt, node, -rate * 1000), SPN_OK);
        for (int i = 0; i < 20; i++)
            stage_tick(&stage, STAGE_TICK_US);
        play(node, &r, 299 * step_us, -step_us, 300);
        stage_stop(&stage, node);
    }
}

/* With a rate, steps the other way do not turn the cursor. */
static void a_rate_is_not_inferred_until_it_is_zero(void)
{
    spn_node node;
    const struct cursor *s;

    open_clip(31);
    node = stage_node(&stage, true);
    s = &spn__manager_node(&stage.rt->manager, node)->cursor;
    CHECK_EQ(spn_node_set_rate(stage.rt, node, 3000), SPN_OK);
    begin(node, 1000000);
    for (int i = 1; i <= 5; i++) {
        set_time(node, 1000000 - i * 1000);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK(!s->is_backward);
    CHECK_EQ_U(s->rate_permille, 3000);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, 0), SPN_OK);
    for (int i = 6; i <= 10; i++) {
        set_time(node, 1000000 - i * 1000);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK(s->is_backward);
    stage_stop(&stage, node);
}

/* Any range, any time, also while playback goes on or the clip is not open. */
static void every_time_shows_its_picture(void)
{
    struct test_random random = {11};
    const int64_t end_us = (FRAMES - 1) * FRAME_US;
    spn_node node;

    open_clip(FRAMES);
    node = stage_node(&stage, false);
    for (uint32_t i = 0; i < 150; i++) {
        struct range r = {.mode = (spn_range_mode)(i % 3)};
        const uint32_t width =
            i % 7 == 0 ? i % 4 : test_random_below(&random, 2000000);
        const int64_t step_us =
            (int64_t)test_random_below(&random, 40000) - 20000;
        int64_t t = (int64_t)test_random_below(&random, 40000000) - 20000000;

        r.first_us = test_random_below(&random, (uint32_t)end_us);
        if (i % 5 == 0)
            r.first_us -= r.first_us % FRAME_US;
        r.last_us = r.first_us + width;
        set_range(node, &r);
        if (r.last_us > end_us)
            r.last_us = end_us;
        for (int k = 0; k < 8; k++) {
            test_context("%u: %lld..%lld, mode %d, at %lld us", i,
                         (long long)r.first_us, (long long)r.last_us,
                         (int)r.mode, (long long)t);
            set_time(node, t);
            stage_tick(&stage, STAGE_TICK_US);
            stage_until_ready(&stage, node);
            check_picture(node, &r, t);
            t += step_us;
        }
    }
    stage_stop(&stage, node);
}

/* Whole clips: as without a range. The picture stays when the range changes. */
static void ranges_may_change_at_any_time(void)
{
    const struct range whole = {0, INT64_MAX, SPN_LOOP};
    const struct range part = {60 * FRAME_US, 90 * FRAME_US, SPN_LOOP};
    const struct range beyond = {INT64_MAX, INT64_MAX, SPN_PING_PONG};
    spn_node node;

    open_clip(FRAMES);
    node = stage_node(&stage, false);
    set_range(node, &whole);
    begin(node, -10000);
    stage_check_frame(&stage, node, 0, FRAMES - 1);
    set_time(node, 10 * FRAME_US);
    stage_until_ready(&stage, node);
    set_range(node, &part);
    CHECK(!stage_state(&stage, node).is_ready);
    CHECK_EQ_U(stage_state(&stage, node).shown_frame, 10);
    stage_check_frame(&stage, node, 0, 10);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 70);
    set_range(node, &beyond);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, FRAMES - 1);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    set_range(node, &part);
    set_time(node, 0);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 60);
    stage_stop(&stage, node);
}

/* A range clamps what is shown, and not the time that was set. */
static void each_range_shows_the_time_that_was_set(void)
{
    const struct range early = {20 * FRAME_US, 40 * FRAME_US, SPN_ONCE};
    const struct range late = {60 * FRAME_US, 90 * FRAME_US, SPN_ONCE};
    const struct range part = {0, 30 * FRAME_US, SPN_LOOP};
    spn_node node;

    open_clip(FRAMES);
    node = stage_node(&stage, false);
    set_range(node, &early);
    begin(node, 70 * FRAME_US);
    stage_check_frame(&stage, node, 0, 40);
    set_range(node, &late);
    CHECK_EQ(stage_state(&stage, node).playback_us, 70 * FRAME_US);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 70);
    set_range(node, &early);
    CHECK_EQ(stage_state(&stage, node).playback_us, 40 * FRAME_US);
    set_range(node, &part);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 10);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    set_range(node, &early);
    CHECK_EQ(stage_state(&stage, node).playback_us, 40 * FRAME_US);
    stage_stop(&stage, node);
}

/* A range of one time has only one leg: what comes after it has times, too. */
static void a_single_time_is_needed_now(void)
{
    const struct range single = {40 * FRAME_US, 40 * FRAME_US, SPN_ONCE};
    const struct cursor *s;
    spn_node node;

    open_clip(FRAMES);
    node = stage_node(&stage, false);
    set_range(node, &single);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, -1000), SPN_OK);
    begin(node, 40 * FRAME_US);
    stage_check_frame(&stage, node, 0, 40);
    s = &spn__manager_node(&stage.rt->manager, node)->cursor;
    CHECK_EQ(spn__cursor_time_until(s, s->wanted), 0);
    stage_stop(&stage, node);
}

static void a_range_may_be_set_before_the_cache_is_open(void)
{
    const struct tiny_options o = {.frame_count = FRAMES, .vertices = 300};
    const struct range part = {60 * FRAME_US, 90 * FRAME_US, SPN_PING_PONG};
    spn_node node = 0;

    stage_init(&stage, tiny_build(&o));
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &node), SPN_OK);
    set_range(node, &part);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, -1000), SPN_OK);
    set_time(node, 100 * FRAME_US);
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, NULL), SPN_PENDING);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 80);
    stage_stop(&stage, node);
}

/* Places of groups are numbered from the start of the range: the group that is
 * read next in the old range is another one in the new range. */
static void a_range_in_groups_that_are_not_read_is_a_seek(void)
{
    static const struct range old = {201 * FRAME_US, 300 * FRAME_US, SPN_ONCE};
    static const struct range new = {1 * FRAME_US, 35 * FRAME_US, SPN_ONCE};
    static const spn_vertex_layout layout = {
        .stride = 24,
        .position = {0, SPN_FORMAT_F32X3},
        .previous_position = {12, SPN_FORMAT_F32X3}};
    static uint8_t vertices[300][24];
    spn_fill_result result;
    struct node *n;
    spn_node node;
    uint32_t seeks;

    open_clip(301);
    node = stage_node(&stage, false);
    n = spn__manager_node(&stage.rt->manager, node);
    set_range(node, &old);
    begin(node, 221 * FRAME_US);
    for (uint32_t frame = 222; frame <= 224; frame++) {
        set_time(node, frame * FRAME_US);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK(n->previous.is_valid);
    seeks = stage_state(&stage, node).seeks;
    n->cursor.next_place = 3;
    set_range(node, &new);
    /* Its end is in its fourth group. */
    CHECK_EQ_U(spn__cursor_place_of(&n->cursor, n->cursor.wanted), 3);
    CHECK_EQ_U(stage_state(&stage, node).seeks, seeks + 1);
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, &result),
             SPN_OK);
    CHECK_EQ_U(result.floor_frame, 35);
    for (uint32_t v = 0; v < 300; v++)
        CHECK_MEM(vertices[v], vertices[v] + 12, 12);
    stage_stop(&stage, node);
}

/* No traversal begins: frames that cannot be read are not tried again. */
static void the_same_range_again_reads_nothing(void)
{
    static const struct range r = {20 * FRAME_US, 40 * FRAME_US, SPN_ONCE};
    struct slow_fault error = {.kind = SLOW_ERROR, .path = "a"};
    uint32_t reads = 0;
    spn_node node;

    open_clip(FRAMES);
    error.offset = stage.tiny->frame_offset[25];
    error.bytes = stage.tiny->frame_bytes[25];
    slow_platform_fault(&stage.disc, &error);
    node = stage_node(&stage, false);
    set_range(node, &r);
    begin(node, 22 * FRAME_US);
    for (int i = 0; i < 200; i++) {
        if (i == 100)
            reads = stage.disc.reads;
        set_range(node, &r);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK(stage_state(&stage, node).frames_dropped > 0);
    CHECK_EQ_U(stage.disc.reads, reads);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(bad_arguments_are_refused),
          TEST(a_range_that_fits_is_read_and_decoded_once),
          TEST(long_ranges_are_never_late_at_their_ends),
          TEST(a_range_that_ends_clamps_times),
          TEST(every_rate_plays_in_both_directions),
          TEST(a_rate_is_not_inferred_until_it_is_zero),
          TEST(every_time_shows_its_picture),
          TEST(ranges_may_change_at_any_time),
          TEST(a_range_in_groups_that_are_not_read_is_a_seek),
          TEST(the_same_range_again_reads_nothing),
          TEST(each_range_shows_the_time_that_was_set),
          TEST(a_single_time_is_needed_now),
          TEST(a_range_may_be_set_before_the_cache_is_open))
