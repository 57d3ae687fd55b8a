/* test_api_node.c
 *
 * Goal: every function of a node returns the statuses that geom.h and
 *   the headers that it includes state, in the order stated there, and writes
 *   its outputs only on SPN_OK. Times are interpreted as geom_node.h states.
 * Method: a table of the functions. Each is called in every state of a node,
 *   with a pointer missing, and with a number out of its range.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <string.h>

#define VERTICES 300u
#define TIME_US_MAX (INT64_C(1) << 60)

static struct stage stage;

static const spn_vertex_layout layout = {.stride = 12,
                                         .position = {0, SPN_FORMAT_F32X3}};

/* The outputs of a call. */
static union {
    uint8_t bytes[VERTICES * 12];
    spn_node_state state;
    float numbers[24];
} output;
static spn_fill_result filled;

enum flaw { GOOD, NO_POINTER, OUT_OF_RANGE };

struct call {
    const char *name;
    spn_status (*call)(spn_runtime *rt, spn_node node, enum flaw flaw);
    bool has_pointer; /* must not be NULL */
    bool has_range;
    bool shows; /* needs a decoded frame */
};

static spn_status call_start(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    (void)flaw;
    return spn_node_start_streaming(rt, node, 0);
}

static spn_status call_time(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    (void)flaw;
    return spn_node_set_playback_time(rt, node, 0);
}

static spn_status call_stop(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    (void)flaw;
    return spn_node_stop_streaming(rt, node);
}

static spn_status call_state(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    return spn_node_get_state(rt, node,
                              flaw == NO_POINTER ? NULL : &output.state);
}

static spn_status fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                       const spn_vertex_layout *used, void *vertices,
                       uint64_t bytes)
{
    return spn_node_fill(rt, node, mesh, used, vertices, bytes, &filled);
}

static spn_status call_fill_mesh(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    return fill(rt, node, flaw == OUT_OF_RANGE ? 1 : 0, &layout,
                flaw == NO_POINTER ? NULL : &output, VERTICES * 12);
}

static spn_status call_fill_bytes(spn_runtime *rt, spn_node node,
                                  enum flaw flaw)
{
    return fill(rt, node, 0, flaw == NO_POINTER ? NULL : &layout, &output,
                VERTICES * 12 - (flaw == OUT_OF_RANGE));
}

static spn_status call_fill_layout(spn_runtime *rt, spn_node node,
                                   enum flaw flaw)
{
    spn_vertex_layout used = layout;

    if (flaw == OUT_OF_RANGE)
        used.normal = layout.position; /* the vertex attributes overlap */
    return fill(rt, node, 0, flaw == NO_POINTER ? NULL : &used, &output,
                VERTICES * 12);
}

/* Call spn_node_fill without `out`. */
static spn_status call_fill_alone(spn_runtime *rt, spn_node node,
                                  enum flaw flaw)
{
    spn_vertex_layout used = layout;

    if (flaw == OUT_OF_RANGE)
        used.stride = 0;
    return spn_node_fill(rt, node, 0, &used,
                         flaw == NO_POINTER ? NULL : &output, VERTICES * 12,
                         NULL);
}

static spn_status call_transforms(spn_runtime *rt, spn_node node,
                                  enum flaw flaw)
{
    return spn_node_get_transforms(rt, node, output.numbers, NULL,
                                   flaw == OUT_OF_RANGE ? 1 : 2);
}

static spn_status call_visible(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    return spn_node_get_transforms(rt, node, NULL, output.bytes,
                                   flaw == OUT_OF_RANGE ? 0 : 2);
}

static spn_status call_transform(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    return spn_node_get_transform(rt, node, flaw == OUT_OF_RANGE ? 2 : 1,
                                  flaw == NO_POINTER ? NULL : output.numbers,
                                  NULL);
}

static spn_status call_box(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    return spn_node_get_box(rt, node, output.numbers,
                            flaw == NO_POINTER ? NULL : output.numbers + 3);
}

static spn_status call_box_max(spn_runtime *rt, spn_node node, enum flaw flaw)
{
    return spn_node_get_box(rt, node,
                            flaw == NO_POINTER ? NULL : output.numbers,
                            output.numbers + 3);
}

static const struct call calls[] = {
    {"get_state", call_state, true, false, false},
    {"fill of a mesh", call_fill_mesh, true, true, true},
    {"fill of bytes", call_fill_bytes, true, true, true},
    {"fill of a layout", call_fill_layout, true, true, true},
    {"fill without a result", call_fill_alone, true, true, true},
    {"get_transforms", call_transforms, false, true, true},
    {"get_transforms, visible", call_visible, false, true, true},
    {"get_transform", call_transform, true, true, true},
    {"get_box", call_box, true, false, true},
    {"get_box, max", call_box_max, true, false, true},
    {"start_streaming", call_start, false, false, false},
    {"set_playback_time", call_time, false, false, false},
    {"stop_streaming", call_stop, false, false, false},
};
#define CALLS (sizeof calls / sizeof calls[0])

static void check_call(const struct call *c, spn_runtime *rt, spn_node node,
                       enum flaw flaw, spn_status expected)
{
    static const char *const ways[] = {"", " without a pointer",
                                       " out of range"};
    spn_fill_result before;

    test_context("%s%s", c->name, ways[flaw]);
    memset(&output, 0x5a, sizeof output);
    memset(&filled, 0x5a, sizeof filled);
    before = filled;
    CHECK_EQ(c->call(rt, node, flaw), expected);
    if (expected == SPN_OK)
        return;
    for (size_t i = 0; i < sizeof output; i++)
        CHECK_EQ(output.bytes[i], 0x5a);
    CHECK_MEM(&filled, &before, sizeof filled);
}

/* Each function that needs a frame returns `expected`, or `ranges` for a number
 * out of its range. A missing pointer or runtime is checked first. */
static void check_all(spn_node node, spn_status expected, spn_status ranges)
{
    for (size_t i = 0; i < CALLS; i++) {
        const struct call *c = &calls[i];

        check_call(c, NULL, node, GOOD, SPN_ERR_ARG);
        if (c->has_pointer)
            check_call(c, stage.rt, node, NO_POINTER, SPN_ERR_ARG);
        if (c->has_range)
            check_call(c, stage.rt, node, OUT_OF_RANGE, ranges);
        check_call(c, stage.rt, node, GOOD, c->shows ? expected : SPN_OK);
    }
}

static void node_calls_refuse_invalid_handles(void)
{
    static const spn_node words[] = {0, 1, 0xffff, 0x10001, 0xffffffff};
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_destroy(NULL, node), SPN_ERR_ARG);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_ERR_HANDLE);
    for (int i = 0; i < 2; i++) {
        for (size_t c = 0; c < CALLS; c++) {
            check_call(&calls[c], stage.rt, node, GOOD, SPN_ERR_HANDLE);
            if (calls[c].has_range)
                check_call(&calls[c], stage.rt, node, OUT_OF_RANGE,
                           SPN_ERR_HANDLE);
            if (calls[c].has_pointer)
                check_call(&calls[c], stage.rt, node, NO_POINTER, SPN_ERR_ARG);
            for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
                check_call(&calls[c], stage.rt, words[w], GOOD, SPN_ERR_HANDLE);
        }
        /* The node first ends, then its handle is stale. */
        stage_tick(&stage, STAGE_TICK_US);
    }
    stage_close(&stage);
}

static void node_calls_return_the_status_of_the_cache(void)
{
    spn_node node;
    uint32_t ticks = 0;

    stage_init(&stage, tiny_build(NULL));
    stage.disc.seek_us = 30000;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    node = stage_node(&stage, false);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING) {
        check_all(node, SPN_PENDING, SPN_PENDING);
        CHECK_EQ(stage_state(&stage, node).status, SPN_PENDING);
        stage_tick(&stage, STAGE_TICK_US);
        ticks++;
    }
    CHECK(ticks > 3);
    stage_close(&stage);

    stage_init(&stage, NULL);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "none", &stage.cache), SPN_OK);
    for (int i = 0; i < 3; i++)
        stage_tick(&stage, STAGE_TICK_US);
    node = stage_node(&stage, false);
    check_all(node, SPN_ERR_NOT_FOUND, SPN_ERR_NOT_FOUND);
    /* The closed cache still belongs to the node. */
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    check_all(node, SPN_ERR_NOT_FOUND, SPN_ERR_NOT_FOUND);
    CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_NOT_FOUND);
    stage_close(&stage);
}

static void node_calls_use_decoded_frames(void)
{
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    node = stage_node(&stage, false);
    check_all(node, SPN_PENDING, SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    check_all(node, SPN_OK, SPN_ERR_ARG);
    /* The last row of the table stopped the node. */
    check_all(node, SPN_PENDING, SPN_ERR_ARG);
    stage_close(&stage);
}

static void node_calls_report_a_node_that_can_never_play(void)
{
    static const struct {
        spn_status status;
        uint32_t heap_bytes;
        uint32_t frames;
    } rows[] = {{SPN_ERR_MEMORY, 1 << 20, 0}, {SPN_ERR_TABLE_FULL, 8 << 20, 8}};

    for (size_t i = 0; i < 2; i++) {
        struct tiny_options o = {.frame_count = 21, .vertices = 8192};
        spn_fill_result result;
        static uint8_t vertices[8192 * 12];
        uint8_t visible[2];
        float box[6];
        spn_node node;

        test_context("row %zu", i);
        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = rows[i].heap_bytes;
        stage.config.stream_frame_count = rows[i].frames;
        stage_open(&stage);
        node = stage_node(&stage, true);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                               sizeof vertices, &result),
                 rows[i].status);
        CHECK_EQ(spn_node_get_transforms(stage.rt, node, NULL, visible, 2),
                 rows[i].status);
        CHECK_EQ(spn_node_get_box(stage.rt, node, box, box + 3),
                 rows[i].status);
        CHECK_EQ(stage_state(&stage, node).status, rows[i].status);
        stage_close(&stage);
    }
}

static void node_create_validates_its_priority(void)
{
    static const struct {
        int priority;
        spn_status status;
    } rows[] = {{0, SPN_OK},
                {SPN_PRIORITY_PREEMPTED, SPN_ERR_ARG},
                {SPN_PRIORITY_URGENT, SPN_OK},
                {SPN_PRIORITY_ABOVE_NORMAL, SPN_OK},
                {SPN_PRIORITY_NORMAL, SPN_OK},
                {SPN_PRIORITY_BELOW_NORMAL, SPN_OK},
                {SPN_PRIORITY_IDLE, SPN_OK},
                {7, SPN_ERR_ARG},
                {9, SPN_ERR_ARG},
                {-1, SPN_ERR_ARG}};
    spn_node node = 77;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    CHECK_EQ(spn_node_create(NULL, stage.cache, NULL, &node), SPN_ERR_ARG);
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_node_create(stage.rt, 0, NULL, &node), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_create(stage.rt, 5, NULL, &node), SPN_ERR_HANDLE);
    CHECK_EQ(node, 77);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_node_desc desc = {0};

        memcpy(&desc.priority, &rows[i].priority, sizeof desc.priority);
        test_context("priority %d", rows[i].priority);
        node = 77;
        CHECK_EQ(spn_node_create(stage.rt, stage.cache, &desc, &node),
                 rows[i].status);
        CHECK_EQ(node == 77, rows[i].status != SPN_OK);
        /* Arguments are checked before the handle. */
        CHECK_EQ(spn_node_create(stage.rt, 0, &desc, &node),
                 rows[i].status == SPN_OK ? SPN_ERR_HANDLE : SPN_ERR_ARG);
    }
    for (uint32_t overload = 0; overload < 6; overload++) {
        spn_node_desc desc = {.overload = (spn_overload)overload};
        bool is_good = overload <= SPN_OVERLOAD_IGNORE;

        test_context("overload %u", overload);
        CHECK_EQ(spn_node_create(stage.rt, stage.cache, &desc, &node),
                 is_good ? SPN_OK : SPN_ERR_ARG);
    }
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &node), SPN_OK);
    stage_close(&stage);
}

static void table_of_nodes_can_be_full(void)
{
    spn_node nodes[2];
    spn_node more = 77;

    stage_init(&stage, tiny_build(NULL));
    stage.config.node_count = 2;
    stage_open(&stage);
    nodes[0] = stage_node(&stage, false);
    nodes[1] = stage_node(&stage, false);
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &more),
             SPN_ERR_TABLE_FULL);
    CHECK_EQ(spn_node_destroy(stage.rt, nodes[0]), SPN_OK);
    /* The node is still ending. */
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &more),
             SPN_ERR_TABLE_FULL);
    CHECK_EQ(more, 77);
    stage_tick(&stage, 1);
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &more), SPN_OK);
    CHECK(more != nodes[0]);
    stage_close(&stage);
}

/* -- times -- */

static void shows(spn_node node, int64_t set_us, int64_t state_us,
                  uint32_t frame)
{
    test_context("time %lld", (long long)set_us);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, set_us), SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(stage_state(&stage, node).playback_us, state_us);
    stage_check_frame(&stage, node, 0, frame);
}

static void times_of_a_clip_are_clamped_to_it(void)
{
    const int64_t end_us = 30 * 33333;
    static const struct {
        int64_t set_us;
        uint32_t frame;
    } rows[] = {{0, 0},          {-1, 0},          {INT64_MIN, 0},
                {33333, 1},      {30 * 33333, 30}, {30 * 33333 + 1, 30},
                {INT64_MAX, 30}, {-33333 * 40, 0}, {29 * 33333, 29}};

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    for (int is_early = 0; is_early < 2; is_early++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            int64_t set_us = rows[i].set_us;
            spn_node node = stage_node(&stage, false);

            if (is_early)
                CHECK_EQ(spn_node_start_streaming(stage.rt, node, set_us),
                         SPN_OK);
            shows(node, set_us,
                  set_us < 0        ? 0
                  : set_us > end_us ? end_us
                                    : set_us,
                  rows[i].frame);
            CHECK_EQ(stage_state(&stage, node).seeks, 0);
            CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
        }
    stage_close(&stage);
}

/* The clip's frame at this time, for a loop of 31 frames. */
static uint32_t frame_of(int64_t time_us)
{
    const int64_t loop_us = 31 * 33333;
    int64_t within = time_us % loop_us;

    return (uint32_t)((within < 0 ? within + loop_us : within) / 33333);
}

static void times_of_a_loop_run_both_ways(void)
{
    const int64_t loop_us = 31 * 33333;
    const int64_t times[] = {0,
                             -1,
                             -33333,
                             -33334,
                             -loop_us,
                             -loop_us - 1,
                             -1000 * loop_us + 5,
                             TIME_US_MAX,
                             TIME_US_MAX - 1,
                             -TIME_US_MAX,
                             -TIME_US_MAX + 1};

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        spn_node node = stage_node(&stage, true);

        shows(node, times[i], times[i], frame_of(times[i]));
        CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    }
    for (int i = 0; i < 2; i++) {
        spn_node node = stage_node(&stage, true);
        int64_t limit = i ? TIME_US_MAX : -TIME_US_MAX;

        shows(node, i ? INT64_MAX : INT64_MIN, limit, frame_of(limit));
        CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    }
    stage_close(&stage);
}

/* A node whose time was set below zero plays on through zero without a
 * delay. */
static void passing_zero_is_a_step_like_any_other(void)
{
    spn_node_state state;
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 20000;
    stage_open(&stage);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, -1500000), SPN_OK);
    stage_until_ready(&stage, node);
    for (int64_t t = -1500000; t < 1500000; t += STAGE_TICK_US) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        stage_check_frame(&stage, node, 0, frame_of(t));
    }
    state = stage_state(&stage, node);
    CHECK_EQ(state.seeks, 0);
    CHECK_EQ(state.frames_late, 0);
    stage_close(&stage);
}

/* A time that is set before the cache is open is applied when it opens. */
static void times_wait_for_the_cache(void)
{
    static const struct {
        bool is_looping;
        int64_t set_us;
        int64_t state_us;
        uint32_t frame;
    } rows[] = {{false, -5, 0, 0},
                {false, INT64_MAX, 30 * 33333, 30},
                {true, -5, -5, 30},
                {true, INT64_MIN, -TIME_US_MAX, UINT32_MAX}};

    for (size_t i = 0; i < 4; i++) {
        int64_t set_us = rows[i].set_us;
        spn_node node;

        test_context("row %zu", i);
        stage_init(&stage, tiny_build(NULL));
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        node = stage_node(&stage, rows[i].is_looping);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, set_us), SPN_OK);
        stage_until_ready(&stage, node);
        CHECK_EQ(stage_state(&stage, node).playback_us, rows[i].state_us);
        stage_check_frame(&stage, node, 0,
                          rows[i].frame == UINT32_MAX ? frame_of(-TIME_US_MAX)
                                                      : rows[i].frame);
        stage_close(&stage);
    }
}

TEST_MAIN(TEST(node_calls_refuse_invalid_handles),
          TEST(node_calls_return_the_status_of_the_cache),
          TEST(node_calls_use_decoded_frames),
          TEST(node_calls_report_a_node_that_can_never_play),
          TEST(node_create_validates_its_priority),
          TEST(table_of_nodes_can_be_full),
          TEST(times_of_a_clip_are_clamped_to_it),
          TEST(times_of_a_loop_run_both_ways),
          TEST(passing_zero_is_a_step_like_any_other),
          TEST(times_wait_for_the_cache))
