/* test_load_write.c
 *
 * Goal: the requests of a generated game can be written as a trace. The trace
 *   makes the same requests again, for every layout of its disc, and its
 *   simulation on the same layout has the same result.
 * Method: the requests of the generated game in the simulation are kept. The
 *   trace is compared request by request, and simulated.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/game_sim.h"

#include <stdio.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)

static struct workload_config workload;
static char path[512];
static struct arena arena;
static struct read_trace trace;
static const struct load_source source = {&trace, "made.json", NULL,
                                          0,      false,       false};
static struct diag diag;

static void start(enum workload_layout layout, uint32_t load)
{
    workload =
        (struct workload_config){.drive = spn_drive_profile_find("x360_dvd12x"),
                                 .layout = layout,
                                 .load = load,
                                 .seed = 3};
}

static void simulate(struct load *load, enum game_order order, uint64_t seconds,
                     struct sim_record *record)
{
    const struct game_sim sim = {.drive = workload.drive,
                                 .order = order,
                                 .limit_us = seconds * SECOND_US,
                                 .heap_mib = 64};

    CHECK(load);
    CHECK(game_sim_run(&sim, load, record, &diag));
}

/* Play the game, write its trace, and read the trace as `trace`. */
static void write_game(enum game_order order, uint64_t seconds,
                       struct sim_record *record)
{
    struct load *load = load_generate(&workload);
    struct host_output *output;

    if (TEST_HAS_TSAN)
        test_skip("minutes of one thread, which races with no other");
    diag_init(&diag);
    arena_init(&arena);
    snprintf(path, sizeof path, "%s/made.json", test_temp());
    load_keep_requests(load);
    simulate(load, order, seconds, record);
    output = host_output_open(path, &diag);
    CHECK(output);
    CHECK(load_write_trace(load, output));
    CHECK(host_output_commit(output));
    load_destroy(load);
    CHECK(read_trace_load(path, &arena, &trace, &diag));
    CHECK_EQ_U(trace.read_count, record->requested);
}

static void finish(struct sim_record *record)
{
    CHECK(!diag_has_failed(&diag));
    sim_record_free(record);
    arena_free(&arena);
    diag_finish(&diag);
}

static void every_file_is_found_by_its_name(void)
{
    for (enum workload_layout l = WORKLOAD_SCATTERED; l < WORKLOAD_LAYOUTS;
         l++) {
        struct workload *made;

        start(l, 1000);
        made = workload_create(&workload);
        CHECK(made);
        for (uint32_t i = 0; i < workload_file_count(made); i++) {
            const struct workload_file *file = workload_file_at(made, i);
            char name[WORKLOAD_NAME_BYTES];
            uint32_t found;

            workload_name(made, i, name);
            found = workload_find(made, "scene05", name);
            CHECK(found != WORKLOAD_NO_FILE);
            CHECK_EQ(workload_file_at(made, found)->content, file->content);
            /* A shared file is the copy of the scene. */
            if (l != WORKLOAD_COPIES || strncmp(name, "shared", 6) != 0)
                CHECK_EQ(found, i);
            else
                CHECK(found != workload_find(made, "scene07", name));
        }
        workload_destroy(made);
    }
}

static void unknown_names_have_no_file(void)
{
    static const char *const names[] = {"",
                                        "shared/",
                                        "shared/1",
                                        "shared/100",
                                        "shared/0x",
                                        "shared-17",
                                        "scene00",
                                        "scene00/clip",
                                        "scene00/clip60",
                                        "scene24/clip00",
                                        "scene00/clap00",
                                        "scene00/clip00/",
                                        "scene\xff\xff/clip\xff\xff",
                                        "scene00/stream12",
                                        "a name that is much too long for it"};
    struct workload *made;

    start(WORKLOAD_COPIES, 1000);
    made = workload_create(&workload);
    CHECK(made);
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK_EQ(workload_find(made, "scene00", names[i]), WORKLOAD_NO_FILE);
    CHECK(workload_find(made, "no scene", "shared/99") != WORKLOAD_NO_FILE);
    workload_destroy(made);
}

/* Every request is a read of the trace, if this disc has its file. */
static void compare(struct load *again, const struct read_trace *kept)
{
    struct workload *made = workload_create(&workload);
    struct load_request request;

    load_advance(again, UINT64_MAX / 2);
    for (uint32_t i = 0; i < kept->read_count; i++) {
        const struct traced_read *read = &kept->reads[i];
        const struct workload_file *file = workload_file_at(
            made, workload_find(made, kept->scenes[read->scene],
                                kept->paths[read->file]));

        CHECK(load_take(again, &request));
        CHECK(!request.path);
        CHECK_EQ_U(request.offset, file->offset + read->offset);
        CHECK_EQ_U(request.bytes, read->bytes);
        CHECK_EQ(request.class, file->class);
        CHECK_EQ_U(request.arrival_us, read->at_us);
        CHECK_EQ_U(request.deadline_us, read->at_us + read->deadline_us);
        CHECK_EQ(request.task, read->task);
        CHECK_EQ(request.priority, read->priority);
    }
    CHECK(!load_take(again, &request));
    workload_destroy(made);
}

/* Some minutes, which pass through several scenes. */
static void a_trace_has_the_same_reads_on_every_layout(void)
{
    struct sim_record record;

    start(WORKLOAD_BY_SCENE, 900);
    write_game(GAME_ORDER_DEADLINE, 150, &record);
    CHECK(trace.scene_count > 2);
    for (enum workload_layout l = WORKLOAD_SCATTERED; l < WORKLOAD_LAYOUTS;
         l++) {
        struct load *again;

        workload.layout = l;
        again = load_trace_generated(&source, &workload, &diag);
        CHECK(again);
        CHECK_EQ(load_missing(again).count, 0);
        compare(again, &trace);
        load_destroy(again);
    }
    finish(&record);
}

/* Within the first scene, because a trace does not cancel reads. */
static void a_trace_has_the_same_result_as_the_game(void)
{
    static const enum game_order orders[] = {
        GAME_ORDER_DEADLINE, GAME_ORDER_SORT_KEY, GAME_ORDER_FIFO};

    static const enum workload_layout layouts[] = {WORKLOAD_SCATTERED,
                                                   WORKLOAD_COPIES};

    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < 3; i++) {
            struct sim_record game;
            struct sim_record again;
            struct load *load;

            test_context("%s, %s", workload_layout_names[layouts[k]],
                         game_order_names[orders[i]]);
            start(layouts[k], 800);
            write_game(orders[i], 44, &game);
            CHECK(game.requested > 200);
            load = load_trace_generated(&source, &workload, &diag);
            simulate(load, orders[i], 44, &again);
            load_destroy(load);
            CHECK_EQ_U(again.requested, game.requested);
            CHECK_EQ_U(again.done, game.done);
            CHECK_EQ_U(again.bytes, game.bytes);
            CHECK_EQ_U(tally_sum(&again.tally).late,
                       tally_sum(&game.tally).late);
            CHECK_EQ(again.move_count, game.move_count);
            for (uint32_t m = 0; m < game.move_count; m++) {
                CHECK_EQ_U(again.moves[m].begin_us, game.moves[m].begin_us);
                CHECK_EQ_U(again.moves[m].begin, game.moves[m].begin);
                CHECK_EQ_U(again.moves[m].end, game.moves[m].end);
            }
            sim_record_free(&again);
            finish(&game);
        }
}

static void files_missing_on_the_disc_are_omitted(void)
{
    static const char text[] =
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [{\"name\": "
        "\"scene02\", \"reads\": [{\"path\": \"scene02/clip01\"}, "
        "{\"path\": \"scene02/clap01\"}, {\"path\": \"scene02/clip01\", "
        "\"offset\": 1000000000}, {\"path\": \"shared/17\", \"bytes\": 10}]}]}";
    struct workload *made;
    struct load_request request;
    struct load *load;

    start(WORKLOAD_COPIES, 900);
    made = workload_create(&workload);
    diag_init(&diag);
    arena_init(&arena);
    CHECK(read_trace_parse("trace.json", text, strlen(text), &arena, &trace,
                           &diag));
    load = load_trace_generated(&source, &workload, &diag);
    CHECK(load);
    CHECK_EQ(load_missing(load).count, 2);
    CHECK_STR(load_missing(load).path, "scene02/clap01");
    load_advance(load, 0);
    CHECK(load_take(load, &request));
    CHECK_EQ_U(
        request.bytes,
        workload_file_at(made, workload_find(made, "scene02", "scene02/clip01"))
            ->bytes);
    CHECK(load_take(load, &request));
    /* The scene has its own copy. */
    CHECK_EQ_U(
        request.offset,
        workload_file_at(made, workload_find(made, "scene02", "shared/17"))
            ->offset);
    CHECK(request.offset !=
          workload_file_at(made, workload_find(made, "scene03", "shared/17"))
              ->offset);
    CHECK(!load_take(load, &request));
    load_destroy(load);
    workload_destroy(made);
    arena_free(&arena);
    diag_finish(&diag);
}

TEST_MAIN(TEST(every_file_is_found_by_its_name),
          TEST(unknown_names_have_no_file),
          TEST(a_trace_has_the_same_reads_on_every_layout),
          TEST(a_trace_has_the_same_result_as_the_game),
          TEST(files_missing_on_the_disc_are_omitted))
