/* test_recordings_posix.c
 *
 * Goal: for recordings of a real game, which wait for each read, the chosen
 * order is about as good as the best one for each drive. The estimated times of
 * the orders equal those of an independent measurement.
 * Method: the recordings of the assets, with the sizes of all files and without
 * their bytes; skipped when missing. Times come from the model that chooses
 * (order_time.h), and are compared with the runtime's; tests/bench/orders.sh
 * reads the paks through the runtime.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
/* For popen. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "pack/pack_order_trace.h"
#include "trace/strace_import.h"

#include <spindle/drive_profile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "../shared/assets/traces/"
#define FILES_MAX 6000u
#define TEXT_MAX ((size_t)16 << 20)

static const char *const drive_names[] = {"x360_dvd12x", "wii_dvd6x",
                                          "ps2_dvd4x", "hdd_5400"};
#define DRIVES (sizeof drive_names / sizeof drive_names[0])

static struct diag diag;
static struct arena arena;
static struct pack_files files;
static struct pack_contents contents;
static spn_drive_profile drives[DRIVES];

static char *decompress(const char *name, size_t *bytes)
{
    char command[256];
    char *text = arena_alloc(&arena, TEXT_MAX, 1);
    FILE *pipe;

    snprintf(command, sizeof command, "xzcat " FOLDER "%s 2>/dev/null", name);
    /* A name of ours, in the tests' folder. NOLINTNEXTLINE(cert-env33-c) */
    pipe = popen(command, "r");
    *bytes = pipe ? fread(text, 1, TEXT_MAX - 1, pipe) : 0;
    if (pipe)
        pclose(pipe);
    text[*bytes] = '\0';
    return text;
}

static int by_name(const void *a, const void *b)
{
    const struct pack_file *x = a;
    const struct pack_file *y = b;

    return strcmp(x->name, y->name);
}

/* "13301\tdata/CREDITS" a line. */
static void read_sizes(char *text)
{
    files = (struct pack_files){.arena = &arena, .diag = &diag};
    files.files = ARENA_NEW(&arena, struct pack_file, FILES_MAX);
    contents =
        (struct pack_contents){.files = ARENA_NEW(&arena, uint32_t, FILES_MAX)};
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *name = strchr(line, '\t') + 1;

        CHECK(files.count < FILES_MAX);
        files.files[files.count++] = (struct pack_file){
            .name = name, .path = name, .bytes = strtoull(line, NULL, 10)};
    }
    qsort(files.files, files.count, sizeof *files.files, by_name);
    for (uint32_t i = 0; i < files.count; i++) {
        files.files[i].content = i;
        contents.files[contents.count++] = i;
    }
}

static void begin(void)
{
    size_t bytes;
    char *sizes;

    arena_init(&arena);
    diag_init(&diag);
    for (uint32_t i = 0; i < DRIVES; i++)
        drives[i] = *spn_drive_profile_find(drive_names[i]);
    sizes = decompress("files.tsv.xz", &bytes);
    if (bytes == 0) {
        arena_free(&arena);
        test_skip("no recordings, or no xzcat");
    }
    read_sizes(sizes);
}

static void choose(const char *recording, struct pack_layout *layout)
{
    static const struct strace_scene scene = {"all", 0};
    const struct strace_options options = {.root =
                                               "/usr/share/games/supertuxkart",
                                           .scenes = &scene,
                                           .scene_count = 1,
                                           .merge_us = 50000};
    struct strace_report report;
    struct read_trace trace;
    struct pack_traces traces = {.traces = &trace,
                                 .paths = &recording,
                                 .count = 1,
                                 .drives = drives,
                                 .drive_count = DRIVES};
    size_t bytes;
    const char *text = decompress(recording, &bytes);

    CHECK(strace_import(recording, text, bytes, &options, &arena, &trace,
                        &report, &diag));
    CHECK(pack_order_by_traces(&files, &contents, &traces, PACK_BY_TRIAL,
                               layout));
    CHECK_EQ(layout->missing_files, 0);
}

static void check_choice(const char *recording)
{
    struct pack_layout layout;
    const struct pack_choice *choice = &layout.choice;

    choose(recording, &layout);
    for (uint32_t d = 0; d < DRIVES; d++) {
        uint64_t best = UINT64_MAX;

        for (uint32_t i = 0; i < PACK_BY_TRIAL; i++)
            best = choice->estimate_us[i][d] < best ? choice->estimate_us[i][d]
                                                    : best;
        test_context("%s on %s, %s", recording, drive_names[d],
                     pack_order_names[choice->order]);
        CHECK(choice->estimate_us[choice->order][d] * 100 <= best * 103);
    }
}

static void the_chosen_order_is_about_the_best_on_each_drive(void)
{
    begin();
    check_choice("menu.strace.xz");
    check_choice("lighthouse.strace.xz");
    arena_free(&arena);
    diag_finish(&diag);
}

/* The times of `spindle simulate` for these orders, through the runtime. */
static void orders_take_as_long_as_through_the_runtime(void)
{
    static const struct {
        const char *recording;
        const char *drive;
        enum pack_order order;
        uint32_t ready_ms;
    } measured[] = {
        {"menu.strace.xz", "x360_dvd12x", PACK_BY_NAME, 90920},
        {"menu.strace.xz", "x360_dvd12x", PACK_BY_FIRST_USE, 69930},
        {"menu.strace.xz", "wii_dvd6x", PACK_BY_WINDOW, 75080},
        {"menu.strace.xz", "ps2_dvd4x", PACK_BY_SCENE, 75080},
        {"menu.strace.xz", "ps2_dvd4x", PACK_BY_FIRST_USE, 77820},
        {"menu.strace.xz", "ps2_dvd4x", PACK_BY_WINDOW, 74480},
        {"lighthouse.strace.xz", "x360_dvd12x", PACK_BY_NAME, 47760},
        {"lighthouse.strace.xz", "x360_dvd12x", PACK_BY_SCENE, 44210},
        {"lighthouse.strace.xz", "x360_dvd12x", PACK_BY_FIRST_USE, 27400},
        {"lighthouse.strace.xz", "hdd_5400", PACK_BY_FIRST_USE, 11770},
    };
    const size_t count = sizeof measured / sizeof measured[0];
    const char *recording = "";
    struct pack_layout layout;

    begin();
    for (size_t i = 0; i < count; i++) {
        uint32_t drive = 0;
        uint64_t us;

        if (strcmp(recording, measured[i].recording) != 0)
            choose(measured[i].recording, &layout);
        recording = measured[i].recording;
        while (strcmp(drive_names[drive], measured[i].drive) != 0)
            drive++;
        us = layout.choice.estimate_us[measured[i].order][drive];
        test_context("%s on %s, %s: %u ms", recording, measured[i].drive,
                     pack_order_names[measured[i].order],
                     (unsigned)(us / 1000));
        CHECK(us >= (uint64_t)measured[i].ready_ms * 960);
        CHECK(us <= (uint64_t)measured[i].ready_ms * 1040);
    }
    arena_free(&arena);
    diag_finish(&diag);
}

TEST_MAIN(TEST(the_chosen_order_is_about_the_best_on_each_drive),
          TEST(orders_take_as_long_as_through_the_runtime))
