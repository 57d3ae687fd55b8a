/* test_lift_fit.c
 *
 * Goal: weights are those of least squares with the stated regularization,
 *   for any noise of the frame.
 * Method: one run of vertices that moved by one step, and a frame that moved
 *   as much on average. The weight is computed by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_fit.h"
#include "harness.h"

enum { VERTICES = LIFT_RUN, NUMBERS = 4 * (VERTICES + LIFT_PADDING) };

static void noise_does_not_change_weights(void)
{
    static int16_t before[NUMBERS];
    static int16_t after[NUMBERS];
    static int16_t values[NUMBERS];
    const struct lift_hierarchy hierarchy = {.vertex_count = VERTICES};
    const struct lift_target target = {.channel = CHANNEL_POSITION,
                                       .hierarchy = &hierarchy,
                                       .values = values,
                                       .from = {before, after},
                                       .from_count = 2};
    const double count = 3 * VERTICES;
    const double pull = 0.01 * VERTICES + 1e-3;
    const double expected = 32768 * (count + pull / 2) / (count + pull);
    int16_t weight[LIFT_FRAMES_MAX] = {0};
    struct lift_scratch scratch;
    struct arena arena;

    arena_init(&arena);
    lift_scratch_make(&scratch, VERTICES, &arena);
    for (int noise = 0; noise <= 100; noise += 10) {
        for (uint32_t i = 0; i < 4 * VERTICES; i++) {
            bool is_odd = i / 4 % 2 == 1;

            after[i] = i % 4 < 3;
            values[i] =
                (int16_t)(i % 4 < 3 ? 1 + (is_odd ? noise : -noise) : 0);
        }
        lift_fit_weights(&target, false, &scratch, weight);
        test_context("noise %d", noise);
        CHECK_NEAR(weight[1], expected, 1);
    }
    arena_free(&arena);
}

TEST_MAIN(TEST(noise_does_not_change_weights))
