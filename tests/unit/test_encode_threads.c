/* test_encode_threads.c
 *
 * Goal: the bytes of a cache do not depend on the number of threads. When a
 *   frame or a write fails, all threads end.
 * Method: generated clips are encoded to memory by one thread and by several.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode.h"
#include "harness.h"
#include "support/encode_round.h"

#include <stdatomic.h>
#include <string.h>

/* The thread sanitizer slows the encoder down tenfold. */
#define DISTANCES (TEST_HAS_TSAN ? 1u : 4u)
#define FRAMES (TEST_HAS_TSAN ? 40u : 150u)

static void check_alike(const struct synthetic_options *o, enum lifting lifting,
                        uint32_t distance)
{
    static const uint32_t jobs[] = {2, 3, 7};
    struct round one;

    round_encode(&one, o, lifting, distance, false, 1);
    for (size_t j = 0; j < sizeof jobs / sizeof jobs[0]; j++) {
        struct round more;

        round_encode(&more, o, lifting, distance, false, jobs[j]);
        test_context("%u jobs, distance %u", jobs[j], distance);
        CHECK_EQ_U(more.memory.size, one.memory.size);
        CHECK_MEM(more.memory.bytes, one.memory.bytes, one.memory.size);
        round_end(&more);
    }
    round_end(&one);
}

static void encode_does_not_depend_on_threads(void)
{
    static const uint32_t distances[4] = {4, 1, 10, 60};
    const struct synthetic_options o = {.frame_count = 48,
                                        .mesh_count = 3,
                                        .vertices = 60,
                                        .step = 100,
                                        .has_uvs = true,
                                        .has_colors = true,
                                        .has_second_uvs = true,
                                        .has_velocities = true,
                                        .is_mirrored = true,
                                        .hidden_first = 7,
                                        .hidden_limit = 31};

    for (size_t d = 0; d < DISTANCES; d++)
        check_alike(&o, CLASSIC, distances[d]);
}

static void encode_of_lifted_clips_does_not_depend_on_threads(void)
{
    const struct synthetic_options o = {.frame_count = FRAMES,
                                        .mesh_count = 3,
                                        .vertices = 200,
                                        .step = 100,
                                        .has_uvs = true,
                                        .has_colors = true,
                                        .has_second_uvs = true,
                                        .has_velocities = true,
                                        .hidden_first = 7,
                                        .hidden_limit = 31};

    check_alike(&o, LIFTED, 8);
    check_alike(&o, LIFTED_BY_RINGS, 8);
}

/* -- a frame that fails -- */

#define BAD_FRAME 23u

struct bad_source {
    struct clip_source source;
    struct diag *diag;
    atomic_uint produced;
};

static bool produce_until_bad(void *user, uint32_t number, struct arena *arena,
                              struct clip_frame *frame)
{
    struct bad_source *bad = user;

    atomic_fetch_add(&bad->produced, 1);
    if (number == BAD_FRAME)
        return diag_refuse(bad->diag, "bad.abc", DIAG_NO_OFFSET, "/mesh",
                           "sample 23 is bad");
    return bad->source.produce(bad->source.user, number, arena, frame);
}

static void align_anyway(void *user, const struct clip_frame *before,
                         struct clip_frame *frame)
{
    struct bad_source *bad = user;

    bad->source.align_signs(bad->source.user, before, frame);
}

/* Frames wait for the bad one, so the encoder requests only a part of all
 * frames. */
static void encode_ends_at_a_bad_frame_with_its_name(void)
{
    for (uint32_t jobs = 1; jobs <= 7; jobs++) {
        struct round r = {0};
        struct bad_source bad = {.diag = &r.diag};
        struct clip_source source;
        struct encode_job job = {.options = &r.options, .diag = &r.diag};
        struct compile_report report;

        test_context("%u jobs", jobs);
        synthetic_make(&r.clip,
                       &(struct synthetic_options){.frame_count = 500});
        compile_options_default(&r.options);
        r.options.jobs = jobs;
        diag_init(&r.diag);
        r.diag.is_silent = true;
        bad.source = r.clip.source;
        atomic_init(&bad.produced, 0);
        source = (struct clip_source){.clip = &r.clip.clip,
                                      .user = &bad,
                                      .produce = produce_until_bad,
                                      .align_signs = align_anyway};
        job.source = &source;
        memory_sink_make(&r.memory, &job.sink);
        CHECK(!encode_run(&job, &report));
        CHECK_STR(r.diag.text, "bad.abc: /mesh: sample 23 is bad");
        CHECK(atomic_load(&bad.produced) < 100);
        round_end(&r);
    }
}

static void encode_ends_when_nothing_more_can_be_written(void)
{
    for (uint32_t jobs = 1; jobs <= 3; jobs++)
        for (uint32_t call = 1; call < 40; call += 6) {
            struct round r = {0};

            test_context("%u jobs, write %u", jobs, call);
            synthetic_make(&r.clip,
                           &(struct synthetic_options){.frame_count = 60});
            compile_options_default(&r.options);
            r.options.jobs = jobs;
            diag_init(&r.diag);
            r.memory.fail_at = call;
            CHECK(!synthetic_encode(&r.clip, &r.options, &r.diag, &r.memory));
            CHECK(r.memory.calls <= call);
            round_end(&r);
        }
}

TEST_MAIN(TEST(encode_does_not_depend_on_threads),
          TEST(encode_of_lifted_clips_does_not_depend_on_threads),
          TEST(encode_ends_at_a_bad_frame_with_its_name),
          TEST(encode_ends_when_nothing_more_can_be_written))
