/* test_compile.c
 *
 * Goal: real archives compile to caches that decode and are small enough to
 *   stream.
 * Method: every archive of the test data is compiled and read back. One large
 *   asset, where available, is compared with the allowed bytes per frame.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/compile.h"

#include "cachefile/cache_reader.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

/* Layouts of residuals chosen by size. */
#define SAIL_BYTES_MAX 93000.0

static const char *output(void)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/compiled.sgc", test_temp());
    return path;
}

static bool compile(const char *folder, const char *name, uint32_t distance,
                    struct diag *diag, struct compile_report *report)
{
    struct compile_options options;
    char input[512];

    snprintf(input, sizeof input, "%s/%s", folder, name);
    compile_options_default(&options);
    options.input = input;
    options.output = output();
    options.jobs = 2;
    options.index_distance = distance;
    diag_init(diag);
    diag->is_silent = true;
    test_context("%s", name);
    return compile_run(&options, diag, NULL, NULL, report);
}

static void check_cache(const struct compile_report *report, struct diag *diag)
{
    struct cache_reader *reader = cache_reader_open(output(), diag);

    if (!reader)
        test_fail(__FILE__, __LINE__, "refused: %s", diag->text);
    CHECK_EQ_U(cache_reader_header(reader)->frame_count, report->frame_count);
    CHECK_EQ_U(cache_reader_header(reader)->mesh_count, report->mesh_count);
    CHECK_EQ_U(cache_reader_header(reader)->node_count, report->node_count);
    CHECK_EQ_U(cache_reader_header(reader)->file_bytes, report->output_bytes);
    CHECK_EQ_U(report->static_bytes + report->frames_bytes,
               report->output_bytes);
    CHECK_NEAR((double)cache_reader_header(reader)->duration_us * 1e-6,
               report->duration_s, 1e-6);
    for (uint32_t i = 0; i < report->frame_count; i++)
        if (!cache_reader_frame(reader, i))
            test_fail(__FILE__, __LINE__, "frame %u: %s", i, diag->text);
    cache_reader_close(reader);
}

static void compile_makes_caches_of_the_test_data(void)
{
    static const char *const names[] = {
        "colors.abc",    "demo.abc",  "fps-2997.abc", "inherits.abc",
        "instances.abc", "names.abc", "ngons.abc",    "visibility.abc"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct compile_report report;
        struct diag diag;

        if (!compile(test_data(), names[i], i % 2 == 0 ? 10 : 3, &diag,
                     &report))
            test_fail(__FILE__, __LINE__, "%s: %s", names[i], diag.text);
        check_cache(&report, &diag);
        diag_finish(&diag);
    }
}

static void compile_refuses_clips_that_cannot_be_streamed(void)
{
    static const char *const names[] = {"damaged.abc", "topology.abc"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct compile_report report;
        struct diag diag;

        CHECK(!compile(test_data(), names[i], 10, &diag, &report));
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        CHECK(strstr(diag.text, names[i]) != NULL);
        diag_finish(&diag);
    }
}

static void compile_makes_a_cloth_small_enough(void)
{
    struct compile_report report;
    struct diag diag;
    char folder[512];

    if (TEST_IS_SANITIZED)
        test_skip(
            "50 s of processor time under a sanitizer; smaller clips cover it");
    if (!test_assets())
        test_skip("no large assets");
    snprintf(folder, sizeof folder, "%s/large", test_assets());
    if (!compile(folder, "sail_irr.abc", 10, &diag, &report))
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    check_cache(&report, &diag);
    test_context("%.0f bytes a frame",
                 (double)report.frames_bytes / report.frame_count);
    CHECK((double)report.frames_bytes / report.frame_count <= SAIL_BYTES_MAX);
    diag_finish(&diag);
}

TEST_MAIN(TEST(compile_makes_caches_of_the_test_data),
          TEST(compile_refuses_clips_that_cannot_be_streamed),
          TEST(compile_makes_a_cloth_small_enough))
