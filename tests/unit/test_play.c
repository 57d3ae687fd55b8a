/* test_play.c
 *
 * Goal: the tool plays whatever the compiler writes.
 * Method: small caches at the limits of their frames, in a file, played on the
 *   virtual clock.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "player/play.h"
#include "support/tiny_cache.h"

#include <stdio.h>
#include <stdlib.h>

static char path[512];

static void put(const struct tiny_cache *tiny)
{
    snprintf(path, sizeof path, "%s/a.sgc", test_temp());
    tiny_write(tiny, path);
}

static void frames_far_apart_and_close_together_play(void)
{
    static const uint32_t steps_us[] = {5, 33333, 20000000};
    const char *files[] = {path};

    for (size_t i = 0; i < sizeof steps_us / sizeof steps_us[0]; i++) {
        struct tiny_options tiny = {.frame_us = steps_us[i]};
        struct play_options options = {.files = files,
                                       .file_count = 1,
                                       .rate = 60,
                                       .heap_mib = 64,
                                       .is_virtual = true,
                                       .disc_rate = 20};
        struct play_report report;
        struct tiny_cache *built;
        struct arena arena;
        struct diag diag;

        test_context("%u us a frame", (unsigned)steps_us[i]);
        built = tiny_build(&tiny);
        put(built);
        tiny_free(built);
        arena_init(&arena);
        diag_init(&diag);
        CHECK(play_run(&options, &arena, &diag, &report));
        CHECK_EQ(diag.code, EXIT_DONE);
        CHECK(report.pictures > 0);
        CHECK_EQ_U(report.frames_dropped, 0);
        play_report_free(&report);
        arena_free(&arena);
        diag_finish(&diag);
    }
}

/* Played once, each frame is due once. */
static void first_frame_is_counted(void)
{
    for (uint32_t frames = 1; frames <= 3; frames++) {
        struct tiny_options tiny = {.frame_count = frames, .frame_us = 33333};
        const char *files[] = {path};
        struct play_options options = {.files = files,
                                       .file_count = 1,
                                       .rate = 60,
                                       .heap_mib = 64,
                                       .is_virtual = true,
                                       .disc_rate = 20};
        struct play_report report;
        struct tiny_cache *built;
        struct arena arena;
        struct diag diag;

        test_context("%u frames", (unsigned)frames);
        built = tiny_build(&tiny);
        put(built);
        tiny_free(built);
        arena_init(&arena);
        diag_init(&diag);
        CHECK(play_run(&options, &arena, &diag, &report));
        CHECK_EQ_U(report.frames_shown, frames);
        CHECK_EQ_U(report.frames_late, 0);
        play_report_free(&report);
        arena_free(&arena);
        diag_finish(&diag);
    }
}

TEST_MAIN(TEST(frames_far_apart_and_close_together_play),
          TEST(first_frame_is_counted))
