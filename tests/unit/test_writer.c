/* test_writer.c
 *
 * Goal: an unfinished cache is never mistaken for a finished one, and never
 *   replaces an older file.
 * Method: sinks that fail at each call; outputs that cannot grow; inputs that
 *   are refused.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "compile/write/writer.h"

#include "compile/compile.h"
#include "harness.h"
#include "support/synthetic_clip.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static void writer_does_not_sign_a_failed_cache(void)
{
    struct synthetic_clip clip;
    struct compile_options options;
    uint32_t fail_at = 1;
    bool is_good = false;

    synthetic_make(&clip, &(struct synthetic_options){.frame_count = 12});
    compile_options_default(&options);
    options.jobs = 1;
    for (; !is_good; fail_at++) {
        struct memory_sink memory = {.fail_at = fail_at};
        struct spn_fault fault = {0};
        struct cache_header header;
        struct diag diag;

        test_context("call %u", fail_at);
        diag_init(&diag);
        diag.is_silent = true;
        is_good = synthetic_encode(&clip, &options, &diag, &memory);
        CHECK_EQ(is_good, memory.calls < fail_at);
        /* After a failure nothing more is written. */
        CHECK(is_good || memory.calls == fail_at);
        CHECK(!diag_has_failed(&diag));
        CHECK_EQ(memory.size >= CACHE_HEADER_BYTES &&
                     spn__cache_header_read(memory.bytes, memory.size, &header,
                                            &fault) == SPN_OK,
                 is_good);
        memory_sink_free(&memory);
        diag_finish(&diag);
    }
    /* Head, tables, blobs, 12 frames, frame table, header, signature. */
    CHECK_EQ_U(fail_at - 2, 3 + 12 + 3);
    synthetic_free(&clip);
}

/* -- files -- */

static const char old_text[] = "what was here before";

static const char *old_file(void)
{
    static char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/old.sgc", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(old_text, 1, sizeof old_text, file), sizeof old_text);
    CHECK_EQ(fclose(file), 0);
    return path;
}

static void check_old_file(const char *path)
{
    char text[sizeof old_text + 1];
    struct dirent *entry;
    int count = 0;
    FILE *file = fopen(path, "rb");
    DIR *folder;

    CHECK(file != NULL);
    CHECK_EQ_U(fread(text, 1, sizeof text, file), sizeof old_text);
    CHECK_EQ(fclose(file), 0);
    CHECK_MEM(text, old_text, sizeof old_text);
    folder = opendir(test_temp());
    CHECK(folder != NULL);
    while ((entry = readdir(folder)) != NULL)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(folder);
    CHECK_EQ(count, 1);
}

static bool compile(const char *name, const char *output, struct diag *diag)
{
    struct compile_options options;
    struct compile_report report;
    char input[512];

    snprintf(input, sizeof input, "%s/%s", test_data(), name);
    compile_options_default(&options);
    options.input = input;
    options.output = output;
    options.jobs = 1;
    diag_init(diag);
    diag->is_silent = true;
    return compile_run(&options, diag, NULL, NULL, &report);
}

static void writer_leaves_the_old_file_when_the_input_is_bad(void)
{
    const char *path = old_file();
    struct diag diag;

    CHECK(!compile("damaged.abc", path, &diag));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    diag_finish(&diag);
    check_old_file(path);
    CHECK(!compile("no-such-file.abc", path, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    diag_finish(&diag);
    check_old_file(path);
}

/* A file size limit, at several places of the cache. */
static void writer_leaves_the_old_file_when_the_disc_is_full(void)
{
    static const rlim_t limits[] = {0, 100, 600, 2000};
    const char *path = old_file();
    struct rlimit before;

    signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit limit = {limits[i], before.rlim_max};
        struct diag diag;
        bool is_good;

        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
        is_good = compile("colors.abc", path, &diag);
        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
        test_context("limit %u", (unsigned)limits[i]);
        CHECK(!is_good);
        CHECK_EQ(diag.code, EXIT_IO_FAILED);
        diag_finish(&diag);
        check_old_file(path);
    }
}

static void writer_replaces_the_old_file_at_the_end(void)
{
    const char *path = old_file();
    char text[8];
    struct diag diag;
    FILE *file;

    CHECK(compile("colors.abc", path, &diag));
    diag_finish(&diag);
    file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK_EQ_U(fread(text, 1, sizeof text, file), sizeof text);
    CHECK_EQ(fclose(file), 0);
    CHECK_MEM(text, CACHE_SIGNATURE, sizeof text);
}

TEST_MAIN(TEST(writer_does_not_sign_a_failed_cache),
          TEST(writer_leaves_the_old_file_when_the_input_is_bad),
          TEST(writer_leaves_the_old_file_when_the_disc_is_full),
          TEST(writer_replaces_the_old_file_at_the_end))
