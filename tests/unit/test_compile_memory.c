/* test_compile_memory.c
 *
 * Goal: the memory of a compile does not grow with the length of its clip,
 *   not even by the pages of the archive that were read.
 * Method: the same cloth with N and with 10 N frames is written, then
 *   compiled in a process of its own, whose peak resident size the system
 *   reports. Blocks are stored uncompressed, which takes the same memory and
 *   less time; or meshes are lifted, with clips longer than the frames used for
 *   training. With several threads the number of frames in flight varies from
 *   run to run, and is smaller in a short clip. So the test compares the
 *   largest of some runs of the short clip with the smallest of the long clip.
 *   A difference per frame remains for any number of runs. Other differences
 *   vanish with enough runs.
 * Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "compile/compile.h"

#include "base/block_codec.h"
#include "harness.h"
#include "host/host.h"
#include "support/cache_walk.h"
#include "support/cloth_archive.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The archive of ten times the frames exceeds the part that stays in memory. */
struct cloth {
    uint32_t side;
    uint32_t frames;
    bool is_lifted;
};

/* Further runs follow if the first are not enough, which happens with several
 * threads. */
#define RUNS_MAX 10

static struct cloth cloth;

static const char *path(uint32_t frames, const char *ending)
{
    static char text[2][512];
    char *at = text[ending[1] == 'a'];

    snprintf(at, sizeof text[0], "%s/%u%s", test_temp(), frames, ending);
    return at;
}

static int write_archive(uint32_t frames, uint32_t jobs)
{
    (void)jobs;
    cloth_archive_write(path(frames, ".abc"), cloth.side, frames);
    return 0;
}

static int compile_archive(uint32_t frames, uint32_t jobs)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    bool is_done;

    compile_options_default(&options);
    options.input = path(frames, ".abc");
    options.output = path(frames, ".sgc");
    options.codec = cloth.is_lifted ? BLOCK_CODEC_LZ4 : BLOCK_CODEC_STORE;
    options.is_lifted = cloth.is_lifted;
    options.jobs = jobs;
    diag_init(&diag);
    is_done = compile_run(&options, &diag, NULL, NULL, &report) &&
              report.frame_count == frames;
    diag_finish(&diag);
    return is_done ? 0 : 1;
}

/* The peak memory of the process in kilobytes. */
static long run_child(int (*run)(uint32_t, uint32_t), uint32_t frames,
                      uint32_t jobs)
{
    struct rusage usage;
    pid_t child = fork();
    int status = -1;

    CHECK(child >= 0);
    if (child == 0)
        _exit(run(frames, jobs));
    CHECK_EQ(wait4(child, &status, 0, &usage), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    return usage.ru_maxrss;
}

static bool is_lifted(uint32_t frames)
{
    struct diag diag;
    bool has_lifted;
    size_t bytes;
    void *data;

    diag_init(&diag);
    CHECK(host_read_file(path(frames, ".sgc"), &data, &bytes, &diag));
    diag_finish(&diag);
    has_lifted = cache_has_lifted(data, bytes);
    free(data);
    return has_lifted;
}

static void compare_lengths(void)
{
    const uint32_t frames = cloth.frames;

    if (TEST_IS_SANITIZED)
        test_skip("a sanitizer keeps freed memory");
    (void)test_temp(); /* includes child processes */
    run_child(write_archive, frames, 0);
    run_child(write_archive, 10 * frames, 0);
    for (uint32_t jobs = 1; jobs <= 2; jobs++) {
        const int runs = jobs > 1 ? RUNS_MAX : 1;
        long some = 0, ten = LONG_MAX;

        for (int run = 0; run < runs && ten > some + some / 10; run++) {
            long now = run_child(compile_archive, frames, jobs);

            some = now > some ? now : some;
            now = run_child(compile_archive, 10 * frames, jobs);
            ten = now < ten ? now : ten;
        }
        test_context("%u jobs: %u frames %ld kB, %u frames %ld kB", jobs,
                     frames, some, 10 * frames, ten);
        CHECK(ten <= some + some / 10);
        CHECK_EQ(is_lifted(frames), cloth.is_lifted);
        CHECK_EQ(is_lifted(10 * frames), cloth.is_lifted);
    }
}

static void compile_of_a_longer_clip_takes_no_more_memory(void)
{
    cloth = (struct cloth){.side = 100, .frames = 60};
    compare_lengths();
}

static void lifting_a_longer_clip_takes_no_more_memory(void)
{
    cloth = (struct cloth){.side = 60, .frames = 160, .is_lifted = true};
    compare_lengths();
}

TEST_MAIN(TEST(compile_of_a_longer_clip_takes_no_more_memory),
          TEST(lifting_a_longer_clip_takes_no_more_memory))
