/* test_game_figures.c
 *
 * Goal: in the engine, on the drive of the Xbox 360, the deadline scheduler
 *   keeps deadlines up to the promised loads, also without a drive profile. It
 *   wastes little time on a burst, and no read starves. Under faults every read
 *   completes once, with the disc's bytes.
 * Method: the generated game through a runtime and the emulator, in virtual
 *   time.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/game_sim.h"
#include "simulate/load_state.h"
#include "support/loading_screen.h"
#include "support/order_sim.h"
#include "support/tally_add.h"

#include <string.h>

#define SECOND_US UINT64_C(1000000)
static struct game_sim sim;
static struct workload_config workload;
static bool is_bulk_idle;
static struct sim_record record;

static void start(enum game_order order, enum workload_layout layout,
                  uint32_t load)
{
    if (TEST_HAS_TSAN)
        test_skip("minutes of one thread, which races with no other");
    workload =
        (struct workload_config){.drive = spn_drive_profile_find("x360_dvd12x"),
                                 .layout = layout,
                                 .load = load,
                                 .seed = 1};
    sim = (struct game_sim){.drive = workload.drive,
                            .order = order,
                            .limit_us = 300 * SECOND_US,
                            .heap_mib = 64};
    is_bulk_idle = false;
}

/* Free the record. Return whether every read completed once with the disc's
 * bytes. */
static void run_load(struct load *load)
{
    struct diag diag;

    CHECK(load);
    if (is_bulk_idle)
        load->is_bulk_idle = true;
    diag_init(&diag);
    CHECK(game_sim_run(&sim, load, &record, &diag));
    diag_finish(&diag);
    load_destroy(load);
}

static void run(void)
{
    run_load(load_generate(&workload));
    test_context(
        "%s, %s, load %u, seed %u: %u ppm late", game_order_names[sim.order],
        workload_layout_names[workload.layout], workload.load,
        (unsigned)workload.seed, (unsigned)tally_late_ppm(&record.tally));
    CHECK(record.done > 0);
    CHECK_EQ_U(record.done + record.failed + record.dropped + record.waiting,
               record.requested);
    /* The waiting reads ended too, so no read is lost. */
    CHECK_EQ_U(record.drained, record.waiting);
    CHECK_EQ_U(record.unanswered, 0);
    if (sim.fault_count == 0)
        CHECK_EQ_U(record.failed, 0);
}

static uint64_t late_ppm(uint32_t seeds)
{
    struct tally sum;
    uint64_t ppm;

    tally_init(&sum);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        workload.seed = seed;
        run();
        tally_add(&sum, &record.tally);
        sim_record_free(&record);
    }
    ppm = tally_late_ppm(&sum);
    tally_free(&sum);
    test_context("%s, %s, load %u: %u ppm late", game_order_names[sim.order],
                 workload_layout_names[workload.layout], workload.load,
                 (unsigned)ppm);
    return ppm;
}

static void engine_keeps_deadlines_up_to_the_load_that_is_promised(void)
{
    static const struct {
        enum workload_layout layout;
        uint32_t load;
    } cases[] = {{WORKLOAD_SCATTERED, 970},
                 {WORKLOAD_BY_SCENE, 1170},
                 {WORKLOAD_COPIES, 1270}};

    for (uint32_t i = 0; i < 3; i++) {
        start(GAME_ORDER_DEADLINE, cases[i].layout, cases[i].load);
        /* A sanitizer needs only one game to see the same code. */
        CHECK(late_ppm(TEST_IS_SANITIZED ? 1 : 3) <= 10000);
    }
}

static void engine_is_better_with_the_scheduler_than_with_the_key(void)
{
    uint64_t key_ppm;

    start(GAME_ORDER_SORT_KEY, WORKLOAD_SCATTERED, 950);
    key_ppm = late_ppm(1);
    start(GAME_ORDER_DEADLINE, WORKLOAD_SCATTERED, 950);
    CHECK(late_ppm(1) < key_ppm / 5);
}

/* The profile states 100 ms for every seek and the same rate everywhere. */
static void engine_keeps_deadlines_without_a_profile(void)
{
    spn_drive_profile flat;

    start(GAME_ORDER_DEADLINE, WORKLOAD_SCATTERED, 950);
    order_sim_flatten(sim.drive, 100000, &flat);
    sim.believed = &flat;
    CHECK(late_ppm(2) <= 30000);
}

static void engine_reads_a_burst_in_little_more_than_its_transfer(void)
{
    uint64_t read_us = 0;
    uint64_t transfer_us = 0;
    uint32_t scene = 0;
    struct load *load;

    start(GAME_ORDER_DEADLINE, WORKLOAD_COPIES, 1000);
    sim.limit_us = UINT64_MAX;
    for (; (load = loading_screen_load(&workload, scene)) != NULL; scene++) {
        const struct sim_group *burst;

        run_load(load);
        CHECK_EQ(record.burst_count, 1);
        burst = &record.bursts[0];
        CHECK_EQ(burst->reads, LOADING_SCREEN_FILES);
        CHECK(sim_burst_is_over(burst));
        CHECK_EQ_U(burst->stored_bytes, record.bytes - 1);
        CHECK(burst->end_us - burst->at_us >= burst->transfer_us);
        read_us += burst->end_us - burst->at_us;
        transfer_us += burst->transfer_us;
        sim_record_free(&record);
    }
    CHECK_EQ(scene, 24);
    CHECK(read_us * 10 <= transfer_us * 11);
}

/* The longest time of `moves` consecutive moves of the head. */
static uint64_t longest_moves_us(uint32_t moves)
{
    uint64_t longest_us = 0;

    for (uint32_t i = 0; i + moves <= record.move_count; i++) {
        const struct sim_move *last = &record.moves[i + moves - 1];
        uint64_t us = last->end_us - record.moves[i].begin_us;

        if (us > longest_us)
            longest_us = us;
    }
    return longest_us;
}

static uint32_t deepest_until(uint64_t time_us)
{
    uint32_t deepest = 0;

    for (uint32_t i = 0; i < record.depth_count; i++)
        if (record.depths[i].at_us <= time_us &&
            record.depths[i].depth > deepest)
            deepest = record.depths[i].depth;
    return deepest;
}

/* The longest wait that ageing promises to an idle read that waited
 * `longest_us`. After its age limit, one idle read is served after each
 * DEADLINE_IDLE_DISPATCHES dispatches of others, the oldest first, so only idle
 * reads that waited when it arrived are served before it. It arrived at least
 * `longest_us` before the end. A move of the head is a dispatch, or several of
 * one place. */
static uint64_t promised_us(uint64_t longest_us)
{
    uint64_t before = deepest_until(record.time_us - longest_us);

    return spn__deadline_rules.classes[DEADLINE_BULK].age_limit_us +
           (before + 1) * longest_moves_us(DEADLINE_IDLE_DISPATCHES + 1);
}

/* The load exceeds the drive. Idle reads wait long, but are served. By the sort
 * key some of them would wait until the end of the run. */
static void engine_starves_no_idle_read(void)
{
    uint64_t longest_us;

    for (uint32_t is_key = 0; is_key < 2; is_key++) {
        start(is_key ? GAME_ORDER_SORT_KEY : GAME_ORDER_DEADLINE,
              WORKLOAD_SCATTERED, 1200);
        is_bulk_idle = true;
        run();
        longest_us = record.tally.classes[DEADLINE_BULK].longest_us;
        test_context("%u: %u of %u ms", is_key, (unsigned)(longest_us / 1000),
                     (unsigned)(promised_us(longest_us) / 1000));
        if (is_key) {
            CHECK(longest_us > promised_us(longest_us));
            CHECK(longest_us > 200 * SECOND_US);
        } else {
            CHECK(longest_us <= promised_us(longest_us));
            CHECK(longest_us <= 200 * SECOND_US);
            CHECK(record.tally.classes[DEADLINE_BULK].count > 100);
        }
        sim_record_free(&record);
    }
}

static void engine_completes_every_read_once_under_faults(void)
{
    static const spn_emulator_fault faults[] = {
        {.kind = SPN_EMULATOR_BAD_SECTORS,
         .offset = 1000000000,
         .bytes = 300000000,
         .retries = 2},
        {.kind = SPN_EMULATOR_UNREADABLE,
         .offset = 2000000000,
         .bytes = 50000000,
         .retries = 1},
        {.kind = SPN_EMULATOR_UNREADABLE,
         .retries = 1,
         .times = 40,
         .begin_us = 20 * SECOND_US},
        {.kind = SPN_EMULATOR_STALL,
         .begin_us = 50 * SECOND_US,
         .length_us = 4 * SECOND_US},
        {.kind = SPN_EMULATOR_TRAY_OPEN,
         .begin_us = 70 * SECOND_US,
         .length_us = 3 * SECOND_US,
         .is_failing = 1},
        {.kind = SPN_EMULATOR_DISC_SWAPPED,
         .begin_us = 90 * SECOND_US,
         .length_us = 5 * SECOND_US},
    };

    for (uint32_t piece = 0; piece < 3; piece++)
        for (enum workload_layout l = WORKLOAD_SCATTERED; l < WORKLOAD_LAYOUTS;
             l++) {
            start(GAME_ORDER_DEADLINE, l, 900);
            sim.limit_us = 120 * SECOND_US;
            sim.piece_bytes = 16384u << 3 * piece;
            sim.faults = faults;
            sim.fault_count = sizeof faults / sizeof faults[0];
            run();
            CHECK(record.failed > 0);
            CHECK(tally_sum(&record.tally).count > 100);
            sim_record_free(&record);
        }
}

static void game_sim_repeats_itself(void)
{
    uint64_t waits_us[2];

    for (uint32_t i = 0; i < 2; i++) {
        start(GAME_ORDER_DEADLINE, WORKLOAD_BY_SCENE, 1000);
        sim.limit_us = 60 * SECOND_US;
        run();
        waits_us[i] = record.drive.busy_us;
        for (uint32_t c = 0; c < DEADLINE_CLASSES; c++)
            waits_us[i] = waits_us[i] * 31 + record.tally.classes[c].sum_us;
        sim_record_free(&record);
    }
    CHECK_EQ_U(waits_us[0], waits_us[1]);
}

/* Run the game. The result is in `record`. */
static bool is_refused(void)
{
    struct load *load = load_generate(&workload);
    struct diag diag;
    bool is_good;

    CHECK(load);
    diag_init(&diag);
    diag.is_silent = true;
    is_good = game_sim_run(&sim, load, &record, &diag);
    CHECK_EQ(diag.code, is_good ? EXIT_DONE : EXIT_INTERNAL);
    diag_finish(&diag);
    sim_record_free(&record);
    load_destroy(load);
    return !is_good;
}

static void game_sim_refuses_impossible_options(void)
{
    spn_drive_profile broken = *spn_drive_profile_find("x360_dvd12x");

    start(GAME_ORDER_DEADLINE, WORKLOAD_SCATTERED, 0);
    CHECK(!load_generate(&workload));
    CHECK(!loading_screen_load(&workload, 0));
    start(GAME_ORDER_DEADLINE, WORKLOAD_SCATTERED, 900);
    sim.piece_bytes = 1;
    CHECK(is_refused());
    start(GAME_ORDER_DEADLINE, WORKLOAD_SCATTERED, 900);
    broken.rate_in = 0;
    sim.believed = &broken;
    CHECK(is_refused());
}

TEST_MAIN(TEST(engine_keeps_deadlines_up_to_the_load_that_is_promised),
          TEST(engine_is_better_with_the_scheduler_than_with_the_key),
          TEST(engine_keeps_deadlines_without_a_profile),
          TEST(engine_reads_a_burst_in_little_more_than_its_transfer),
          TEST(engine_starves_no_idle_read),
          TEST(engine_completes_every_read_once_under_faults),
          TEST(game_sim_repeats_itself),
          TEST(game_sim_refuses_impossible_options))
