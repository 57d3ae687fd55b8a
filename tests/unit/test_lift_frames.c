/* test_lift_frames.c
 *
 * Goal: the training data of lifted meshes is bounded in frames and in
 *   memory, for any length of clip and size of meshes. It suffices to train
 *   weights wherever memory permits. Short clips have equal weights, and are
 *   lifted too.
 * Method: the choice of frames for clips of all lengths, distances and sizes,
 *   which need not exist; sizes of generated clips one frame around the limit,
 *   and generated cloths around it, compiled both ways.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "cachefile/cache_reader.h"
#include "compile/compile.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_train.h"
#include "compile/encode/lift/lift_weights.h"
#include "support/cloth_archive.h"
#include "support/synthetic_clip.h"

#include <stdio.h>

/* A position and a QTangent. */
#define VERTEX_BYTES 14u

struct chosen {
    /* one element behind the limit, which must stay unchanged */
    uint32_t numbers[LIFT_TRAINING_FRAMES_MAX + 1];
    uint32_t count;
};

static void choose(uint32_t frame_count, uint32_t distance, size_t frame_bytes,
                   struct chosen *c)
{
    const uint32_t untouched = 0xdecade;

    c->numbers[LIFT_TRAINING_FRAMES_MAX] = untouched;
    c->count =
        lift_frames_choose(frame_count, distance, frame_bytes, c->numbers);
    CHECK(c->count > 0 && c->count <= LIFT_TRAINING_FRAMES_MAX);
    CHECK_EQ_U(c->numbers[LIFT_TRAINING_FRAMES_MAX], untouched);
}

static bool has(struct chosen *c, uint32_t number)
{
    const struct lift_frames frames = {.count = c->count,
                                       .numbers = c->numbers};

    return lift_frames_find(&frames, number) < c->count;
}

static void check_references(struct chosen *c, uint32_t frame_count,
                             uint32_t distance)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t references[LIFT_FRAMES_MAX];
        uint32_t count;

        CHECK(c->numbers[i] < frame_count);
        CHECK(i == 0 || c->numbers[i] > c->numbers[i - 1]);
        count = lift_pyramid_references(c->numbers[i], frame_count, distance,
                                        references);
        for (uint32_t k = 0; distance > 1 && k < count; k++)
            CHECK(has(c, references[k]));
    }
}

/* The memory bound is kept, or the frames are one group. */
static void check_memory(const struct chosen *c, uint32_t distance,
                         size_t frame_bytes)
{
    const uint64_t bytes = (uint64_t)c->count * frame_bytes;

    CHECK(bytes <= LIFT_TRAINING_BYTES_MOST || c->count <= distance + 1);
    /* More than the usual memory is used only for one group, while the frames
     * are too few for weights. */
    CHECK(bytes <= LIFT_TRAINING_BYTES || c->count <= distance + 1 ||
          c->count < LIFT_FRAMES_WORTH_WEIGHTS + distance + 1);
}

/* One group more than needed has at most 27 frames. */
static void check_weights(const struct chosen *c, uint32_t frame_count,
                          size_t frame_bytes)
{
    if (frame_count >= LIFT_FRAMES_WORTH_WEIGHTS &&
        frame_bytes < LIFT_TRAINING_BYTES_MOST / 28)
        CHECK(c->count >= LIFT_FRAMES_WORTH_WEIGHTS);
}

static void frames_are_bounded_and_include_their_references(void)
{
    static const uint32_t lengths[] = {1, 2, 9, 12, 17, 18, 100, 128};
    static const size_t sizes[] = {0,          100,       1u << 20,
                                   2200000,    24u << 20, 38u << 20,
                                   100u << 20, 300u << 20};
    struct chosen c;

    for (uint32_t distance = 1; distance <= 128; distance *= 2)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (uint32_t n = 0; n < 308; n++) {
                const uint32_t frame_count =
                    n < 300 ? n + 1 : 1000 * lengths[n - 300];

                test_context("%u frames of %zu bytes, distance %u", frame_count,
                             sizes[s], distance);
                choose(frame_count, distance, sizes[s], &c);
                check_references(&c, frame_count, distance);
                check_memory(&c, distance, sizes[s]);
                check_weights(&c, frame_count, sizes[s]);
            }
}

/* The longest groups have one frame more than the limit. One frame to which no
 * other refers is left out. Shorter clips are complete. */
static void groups_of_128_train_on_all_frames_but_one(void)
{
    struct chosen c;

    choose(128, 128, 100, &c);
    CHECK_EQ_U(c.count, 128);
    for (uint32_t frame_count = 129; frame_count < 600; frame_count += 47) {
        test_context("%u frames", frame_count);
        choose(frame_count, 128, 100, &c);
        CHECK_EQ_U(c.count, 128);
        CHECK_EQ_U(c.numbers[127], 128);
        for (uint32_t f = 0; f <= 128; f += 2)
            CHECK(has(&c, f));
    }
}

/* Meshes of 1 to 2.5 million vertices in groups of 8 frames. The memory bound
 * permits one group and a part of the next. */
static void large_meshes_have_frames_enough_for_weights(void)
{
    struct chosen c;

    for (uint32_t vertices = 1000000; vertices <= 2500000; vertices += 100000)
        for (uint32_t frame_count = 17; frame_count < 2000; frame_count++) {
            test_context("%u vertices, %u frames", vertices, frame_count);
            choose(frame_count, 8, (size_t)vertices * VERTEX_BYTES, &c);
            CHECK(c.count >= LIFT_FRAMES_WORTH_WEIGHTS);
        }
    /* If two groups exceed the bound, one is chosen. */
    choose(1000, 8, 100u << 20, &c);
    CHECK_EQ_U(c.count, 9);
}

/* The first and the last group are chosen, and the steps between them differ by
 * at most one. */
static void frames_are_spread_evenly(void)
{
    struct chosen c;

    for (uint32_t distance = 1; distance <= 32; distance *= 2) {
        uint32_t least = UINT32_MAX;
        uint32_t most = 0;

        test_context("distance %u", distance);
        choose(10001, distance, 100, &c);
        CHECK_EQ_U(c.numbers[0], 0);
        CHECK_EQ_U(c.numbers[c.count - 1], 10000);
        CHECK(c.count > LIFT_TRAINING_FRAMES_MAX - distance - 32);
        for (uint32_t i = 1; i < c.count; i++) {
            const uint32_t step = c.numbers[i] - c.numbers[i - 1];

            if (step == 1)
                continue;
            least = step < least ? step : least;
            most = step > most ? step : most;
        }
        CHECK(most - least <= distance);
    }
}

/* -- weights -- */

/* Return whether the used weights of a vertex differ by more than rounding. */
static bool has_trained_weights(uint32_t frame_count)
{
    struct workers *workers = workers_create(1);
    struct synthetic_clip clip;
    struct lift_frames frames;
    struct lift_plan plan;
    struct arena arena;
    uint32_t missing;
    bool is_wanted = true;
    bool is_trained = false;
    const struct lift_hierarchy *shape;

    synthetic_make(&clip, &(struct synthetic_options){
                              .frame_count = frame_count, .vertices = 700});
    arena_init(&arena);
    lift_plan_begin(&clip.clip, workers, &arena, &plan);
    CHECK_EQ_U(plan.lifted_count, 1);
    CHECK(lift_frames_make(&clip.source, 8, &is_wanted, workers, &arena,
                           &frames, &missing));
    lift_train_hierarchies(&clip.clip, &frames, 8, workers, &arena, &plan);
    shape = &plan.meshes[0].parts[0];
    CHECK_EQ_U(shape->vertex_count, 700);
    for (uint32_t v = 0; v < shape->vertex_count; v++) {
        int32_t least = INT8_MAX;
        int32_t most = INT8_MIN;

        for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
            const int32_t weight = shape->weights[LIFT_REFERENCES * v + j];

            if (weight == 0)
                continue;
            least = weight < least ? weight : least;
            most = weight > most ? weight : most;
        }
        is_trained = is_trained || most - least > 1;
    }
    lift_plan_free(&plan);
    arena_free(&arena);
    synthetic_free(&clip);
    workers_destroy(workers);
    return is_trained;
}

static void short_clips_have_equal_weights_and_longer_ones_trained(void)
{
    CHECK(!has_trained_weights(2));
    CHECK(!has_trained_weights(LIFT_FRAMES_WORTH_WEIGHTS - 1));
    CHECK(has_trained_weights(LIFT_FRAMES_WORTH_WEIGHTS));
    CHECK(has_trained_weights(200));
}

/* -- the choice to lift -- */

/* Compile a generated cloth, lifted where that is smaller, and return its
 * bytes. `is_lifted` tells whether it was lifted. */
static uint64_t compile(uint32_t side, uint32_t frame_count, uint32_t distance,
                        bool may_lift, bool *is_lifted)
{
    struct compile_options options;
    struct compile_report report;
    struct cache_reader *reader;
    char input[512];
    char output[512];
    struct diag diag;

    snprintf(input, sizeof input, "%s/cloth.abc", test_temp());
    snprintf(output, sizeof output, "%s/cloth.sgc", test_temp());
    cloth_archive_write(input, side, frame_count);
    compile_options_default(&options);
    options.input = input;
    options.output = output;
    options.is_lifted = may_lift;
    options.lifted_distance = distance;
    options.jobs = 1;
    diag_init(&diag);
    CHECK(compile_run(&options, &diag, NULL, NULL, &report));
    reader = cache_reader_open(output, &diag);
    CHECK(reader != NULL);
    *is_lifted = cache_tile_is_lifted(cache_reader_tables(reader)->tiles);
    cache_reader_close(reader);
    diag_finish(&diag);
    return report.output_bytes;
}

static void check_lifted(uint32_t side, uint32_t frame_count, uint32_t distance)
{
    bool is_lifted;
    const uint64_t classic =
        compile(side, frame_count, distance, false, &is_lifted);
    uint64_t lifted;

    CHECK(!is_lifted);
    lifted = compile(side, frame_count, distance, true, &is_lifted);
    test_context("%u frames: %llu bytes, %llu classic", frame_count,
                 (unsigned long long)lifted, (unsigned long long)classic);
    CHECK(is_lifted);
    CHECK(lifted < classic);
}

/* With and without weights, and with a short last group, of which few frames
 * can be evaluated. The smaller indices pay for hierarchies and tables. */
static void short_clips_are_lifted_where_that_is_smaller(void)
{
    static const uint32_t counts[] = {3, 8, 10, LIFT_FRAMES_WORTH_WEIGHTS - 1,
                                      LIFT_FRAMES_WORTH_WEIGHTS};
    bool is_lifted;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        check_lifted(30, counts[i], 8);
    /* A cloth is not lifted if hierarchies and tables need more bytes than so
     * small a cloth saves. */
    (void)compile(8, 2, 8, true, &is_lifted);
    CHECK(!is_lifted);
}

/* A last group of one or two frames does not count. */
static void short_last_groups_do_not_decide(void)
{
    for (uint32_t frame_count = 17; frame_count <= 19; frame_count++)
        check_lifted(30, frame_count, 8);
    check_lifted(30, 34, 16);
}

/* A mesh is evaluated even though one frame is left out. */
static void groups_of_128_are_lifted_where_that_is_smaller(void)
{
    check_lifted(20, 129, 128);
    check_lifted(20, 140, 128);
}

TEST_MAIN(TEST(frames_are_bounded_and_include_their_references),
          TEST(groups_of_128_train_on_all_frames_but_one),
          TEST(large_meshes_have_frames_enough_for_weights),
          TEST(frames_are_spread_evenly),
          TEST(short_clips_have_equal_weights_and_longer_ones_trained),
          TEST(short_clips_are_lifted_where_that_is_smaller),
          TEST(short_last_groups_do_not_decide),
          TEST(groups_of_128_are_lifted_where_that_is_smaller))
