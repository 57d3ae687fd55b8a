/* test_game_sim.c
 *
 * Goal: a load that is read through the real runtime ends read by read, exactly
 *   once and with the right bytes, in every order and whatever the drive does;
 *   the same every time; and in the order of the sweep in time.
 * Method: the made up game for some minutes, with faults drawn from seeds; a
 *   recorded one on the pak of the test data; sums that must come out even.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/game_sim.h"

#include <stdio.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)

static struct sim_record record;
static struct diag diag;

/* ---- a made up game ---------------------------------------------------------
 */

static struct load *make_load(enum workload_layout layout, uint32_t load,
                              uint64_t seed)
{
    struct workload_config config = {.drive =
                                         spn_drive_profile_find("x360_dvd12x"),
                                     .layout = layout,
                                     .load = load,
                                     .seed = seed};
    struct load *made;

    if (TEST_HAS_TSAN)
        test_skip("minutes of one thread, which has nobody to race with");
    made = load_generate(&config);
    CHECK(made);
    return made;
}

/* Into `record`. */
static void run(struct load *load, enum policy_kind order, uint64_t seconds,
                uint32_t fault_count, uint64_t seed)
{
    spn_emulator_fault faults[GAME_SIM_FAULTS_MAX];
    struct game_sim sim = {.drive = spn_drive_profile_find("x360_dvd12x"),
                           .order = order,
                           .limit_us = seconds * SECOND_US,
                           .heap_mib = 64,
                           .faults = faults,
                           .fault_count = fault_count};

    game_sim_draw_faults(load, sim.limit_us, seed, faults, fault_count);
    diag_init(&diag);
    CHECK(game_sim_run(&sim, load, &record, &diag));
    CHECK(!diag_has_failed(&diag));
    diag_finish(&diag);
    load_destroy(load);
}

static void judge_sums(void)
{
    const spn_emulator_stats *d = &record.drive;
    uint64_t bytes = 0;

    CHECK(record.asked > 0);
    CHECK_EQ_U(record.done + record.failed + record.dropped + record.waiting,
               record.asked);
    for (uint32_t i = 0; i < SWEEP_CLASSES; i++)
        bytes += record.tally.classes[i].bytes;
    /* Those that were dropped brought some, too. */
    CHECK(record.bytes >= bytes);
    CHECK(record.bytes <= d->bytes);
    CHECK_EQ_U(d->busy_us, d->command_us + d->seek_us + d->rotate_us +
                               d->gap_us + d->transfer_us + d->retry_us +
                               d->spin_us);
    for (uint32_t i = 0; i < record.move_count; i++) {
        CHECK(record.moves[i].begin_us <= record.moves[i].end_us);
        CHECK(record.moves[i].begin <= record.moves[i].end);
        if (i > 0)
            CHECK(record.moves[i - 1].end_us <= record.moves[i].begin_us);
    }
    for (uint32_t i = 1; i < record.depth_count; i++)
        CHECK(record.depths[i - 1].at_us <= record.depths[i].at_us);
    CHECK(record.heap.column_count > 0);
    CHECK(record.heap.used_bytes_peak > 0);
}

static void every_order_ends_every_read(void)
{
    for (uint32_t i = 0; i < POLICY_KINDS; i++) {
        test_context("%s", policy_names[i]);
        run(make_load(WORKLOAD_BY_SCENE, 900, 3), (enum policy_kind)i, 100, 0,
            0);
        judge_sums();
        CHECK_EQ_U(record.failed, 0);
        CHECK(record.dropped > 0); /* another scene began */
        sim_record_free(&record);
    }
}

static void faults_lose_no_read(void)
{
    uint64_t failed = 0;
    uint64_t retries = 0;

    for (uint64_t seed = 1; seed <= 6; seed++)
        for (uint32_t i = 0; i < POLICY_KINDS; i++) {
            test_context("%s, seed %u", policy_names[i], (unsigned)seed);
            run(make_load(WORKLOAD_COPIES, 1100, seed), (enum policy_kind)i, 60,
                30, seed);
            judge_sums();
            failed += record.failed;
            retries += record.drive.retries;
            sim_record_free(&record);
        }
    CHECK(failed > 0);
    CHECK(retries > 0);
}

static void a_run_repeats_itself(void)
{
    for (uint32_t i = 0; i < 2; i++) {
        enum policy_kind order = i ? POLICY_SWEEP : POLICY_KEY;
        struct sim_record first;

        run(make_load(WORKLOAD_SCATTERED, 1300, 9), order, 60, 10, 4);
        first = record;
        run(make_load(WORKLOAD_SCATTERED, 1300, 9), order, 60, 10, 4);
        CHECK_EQ_U(record.move_count, first.move_count);
        CHECK_EQ_U(record.depth_count, first.depth_count);
        for (uint32_t k = 0; k < record.depth_count; k++) {
            CHECK_EQ_U(record.depths[k].at_us, first.depths[k].at_us);
            CHECK_EQ(record.depths[k].depth, first.depths[k].depth);
        }
        for (uint32_t k = 0; k < record.move_count; k++) {
            CHECK_EQ_U(record.moves[k].begin_us, first.moves[k].begin_us);
            CHECK_EQ_U(record.moves[k].begin, first.moves[k].begin);
        }
        CHECK_MEM(&record.drive, &first.drive, sizeof record.drive);
        sim_record_free(&first);
        sim_record_free(&record);
    }
}

static void the_sweep_is_in_time_where_others_are_not(void)
{
    uint64_t ppm[POLICY_KINDS];

    for (uint32_t i = 0; i < POLICY_KINDS; i++) {
        run(make_load(WORKLOAD_SCATTERED, 950, 2), (enum policy_kind)i, 240, 0,
            0);
        ppm[i] = tally_late_ppm(&record.tally);
        CHECK_EQ_U(
            record.late_count + record.waiting >= tally_late(&record.tally), 1);
        sim_record_free(&record);
    }
    test_context("sweep %u, key %u, fifo %u ppm", (unsigned)ppm[POLICY_SWEEP],
                 (unsigned)ppm[POLICY_KEY], (unsigned)ppm[POLICY_FIFO]);
    CHECK(ppm[POLICY_SWEEP] <= 10000);
    for (uint32_t i = 0; i < POLICY_KINDS; i++)
        if (i != POLICY_SWEEP)
            CHECK(ppm[i] > 3 * ppm[POLICY_SWEEP]);
}

/* ---- a recorded one ---------------------------------------------------------
 */

static struct pak_reader pak;
static struct arena arena;

static struct load *load_of(const char *reads)
{
    static char text[4096];
    struct read_trace trace;

    snprintf(text, sizeof text,
             "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [{\"name\": "
             "\"one\", \"reads\": [%s]}]}",
             reads);
    CHECK(read_trace_parse("trace.json", text, strlen(text), &arena, &trace,
                           &diag));
    return load_trace(&trace, "trace.json", &pak,
                      spn_drive_profile_find("x360_dvd12x"), &diag);
}

static void open_pak(void)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/pak-v1.spk", test_data());
    diag_init(&diag);
    diag.is_silent = true;
    arena_init(&arena);
    CHECK(pak_reader_open(&pak, path, &diag));
}

static void close_pak(void)
{
    pak_reader_close(&pak);
    arena_free(&arena);
    diag_finish(&diag);
}

static void a_trace_reads_where_the_pak_has_it(void)
{
    const struct pak_index *index = &pak.index;
    uint32_t checked = 0;

    open_pak();
    for (uint32_t e = 0; e < index->header.entry_count; e++) {
        struct pak_entry entry = spn__pak_entry(index, e);
        struct pak_content content = spn__pak_content(index, entry.content);
        struct load_request request;
        char reads[1024];
        struct load *load;

        if (content.bytes < 2)
            continue;
        snprintf(reads, sizeof reads,
                 "{\"at_us\": 500, \"path\": \"%s\", \"offset\": 1, "
                 "\"task\": \"sound\", \"deadline_us\": 70}",
                 entry.name);
        load = load_of(reads);
        CHECK(load);
        load_advance(load, 499);
        CHECK(!load_take(load, &request));
        CHECK_EQ_U(load_due_us(load), 500);
        load_advance(load, 500);
        CHECK(load_take(load, &request));
        CHECK(!load_take(load, &request));
        CHECK_EQ_U(load_due_us(load), UINT64_MAX);
        CHECK_EQ_U(load_last_us(load), 500);
        CHECK_EQ_U(request.arrival_us, 500);
        CHECK_EQ_U(request.deadline_us, 570);
        CHECK_EQ(request.class, SWEEP_SOUND);
        /* Whole blocks where it is compressed, else just what is asked. */
        if (content.codec) {
            CHECK_EQ_U(request.position,
                       spn__pak_copy(index, content.first_copy, NULL));
            CHECK_EQ_U(request.bytes, content.stored_bytes);
        } else {
            CHECK_EQ_U(request.position,
                       spn__pak_copy(index, content.first_copy, NULL) + 1);
            CHECK_EQ_U(request.bytes, content.bytes - 1);
        }
        load_destroy(load);
        checked++;
    }
    CHECK(checked > 0);
    close_pak();
}

static void a_trace_is_read_to_its_end(void)
{
    struct pak_entry entry;
    char reads[1024];

    open_pak();
    entry = spn__pak_entry(&pak.index, 0);
    for (uint32_t e = 1; spn__pak_content(&pak.index, entry.content).bytes < 9;
         e++)
        entry = spn__pak_entry(&pak.index, e);
    snprintf(reads, sizeof reads,
             "{\"path\": \"%s\", \"bytes\": 4}, {\"at_us\": 9000000, "
             "\"path\": \"%s\", \"offset\": 4, \"bytes\": 5}",
             entry.name, entry.name);
    for (uint32_t i = 0; i < POLICY_KINDS; i++) {
        struct load *load = load_of(reads);

        CHECK(load);
        /* No limit. */
        run(load, (enum policy_kind)i, UINT64_MAX / SECOND_US, 0, 0);
        CHECK_EQ_U(record.done, 2);
        CHECK(record.time_us > 9 * SECOND_US &&
              record.time_us < 10 * SECOND_US);
        judge_sums();
        sim_record_free(&record);
        diag_init(&diag);
        diag.is_silent = true;
    }
    close_pak();
}

static void a_trace_that_does_not_fit_is_refused(void)
{
    char reads[1024];

    open_pak();
    CHECK(!load_of("{\"path\": \"no such file\"}"));
    CHECK(strstr(diag.text, "no such file: not in the pak"));
    close_pak();
    open_pak();
    snprintf(reads, sizeof reads, "{\"path\": \"%s\", \"offset\": 1000000000}",
             spn__pak_entry(&pak.index, 0).name);
    CHECK(!load_of(reads));
    CHECK(strstr(diag.text, "beyond its end"));
    close_pak();
}

TEST_MAIN(TEST(every_order_ends_every_read), TEST(faults_lose_no_read),
          TEST(a_run_repeats_itself),
          TEST(the_sweep_is_in_time_where_others_are_not),
          TEST(a_trace_reads_where_the_pak_has_it),
          TEST(a_trace_is_read_to_its_end),
          TEST(a_trace_that_does_not_fit_is_refused))
