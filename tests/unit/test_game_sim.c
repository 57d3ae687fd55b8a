/* test_game_sim.c
 *
 * Goal: each read of a load through the real runtime ends exactly once with
 *   the right bytes, in every order of reads and with every fault of the drive.
 *   Runs repeat exactly. The deadline scheduler is in time. A pak is used as in
 *   a game: it is mounted, copies are chosen late, blocks are decoded.
 * Method: the generated game for some minutes, with faults drawn from seeds;
 *   a recorded game on the pak of the test data, and on a generated pak; sums
 *   that must match.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/game_faults.h"
#include "simulate/game_sim.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)

static struct sim_record record;
static struct diag diag;

/* -- a generated game -- */

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
        test_skip("minutes of one thread, which races with no other");
    made = load_generate(&config);
    CHECK(made);
    return made;
}

/* Run the load. The result is in `record`. */
static void run(struct load *load, enum game_order order, uint64_t seconds,
                uint32_t fault_count, uint64_t seed)
{
    spn_emulator_fault faults[GAME_FAULTS_MAX];
    struct game_sim sim = {.drive = spn_drive_profile_find("x360_dvd12x"),
                           .order = order,
                           .limit_us = seconds * SECOND_US,
                           .heap_mib = 64,
                           .faults = faults,
                           .fault_count = fault_count};

    game_faults_draw(load, sim.limit_us, seed, faults, fault_count);
    diag_init(&diag);
    CHECK(game_sim_run(&sim, load, &record, &diag));
    CHECK(!diag_has_failed(&diag));
    diag_finish(&diag);
    load_destroy(load);
}

/* Each snapshot has every page once; a block is no older than the run. */
static void validate_heap(void)
{
    const struct sim_heap_map *map = &record.heap;
    uint64_t pages_of[SIM_HEAP_OWNERS] = {0};

    CHECK(map->column_count > 0);
    CHECK(map->used_bytes_peak > 0 && map->used_bytes_peak <= map->bytes);
    CHECK(map->snapshot_count > 0);
    for (uint32_t i = 0; i < map->snapshot_count; i++) {
        const struct sim_heap_snapshot *s = &map->snapshots[i];
        uint64_t pages = 0;

        CHECK(i == 0 || s->at_us > s[-1].at_us);
        for (uint32_t k = 0; k < s->extent_count; k++) {
            const struct sim_heap_extent *e = &s->extents[k];

            CHECK(e->owner < SIM_HEAP_OWNERS && e->page_count > 0);
            CHECK(e->age_ms <= s->at_us / 1000);
            CHECK(e->owner != 0 || e->age_ms == 0);
            pages += e->page_count;
            pages_of[e->owner] += e->page_count;
        }
        CHECK_EQ_U(pages * map->page_bytes, map->bytes);
    }
    /* A run that is longer than a few reads. */
    if (map->snapshot_count > 4)
        CHECK(pages_of[1 + DEADLINE_STREAM] + pages_of[1 + DEADLINE_BULK] > 0);
}

static void validate_sums(void)
{
    const spn_emulator_stats *d = &record.drive;
    uint64_t bytes = 0;

    CHECK(record.requested > 0);
    /* Each late read is recorded. */
    CHECK_EQ_U(record.late_count, tally_sum(&record.tally).late);
    for (uint32_t i = 0; i < record.late_count; i++)
        CHECK(record.lates[i].end_us <= record.time_us);
    CHECK_EQ_U(record.done + record.failed + record.dropped + record.waiting,
               record.requested);
    /* The waiting reads ended too, so no read is lost. */
    CHECK_EQ_U(record.drained, record.waiting);
    CHECK_EQ_U(record.unanswered, 0);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        bytes += record.tally.classes[i].bytes;
    /* Dropped reads delivered bytes too. */
    CHECK(record.bytes >= bytes);
    CHECK(record.stored_bytes <= d->bytes);
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
    validate_heap();
}

static void every_order_ends_every_read(void)
{
    for (uint32_t i = 0; i < GAME_ORDERS; i++) {
        test_context("%s", game_order_names[i]);
        run(make_load(WORKLOAD_BY_SCENE, 900, 3), (enum game_order)i, 100, 0,
            0);
        validate_sums();
        CHECK_EQ_U(record.failed, 0);
        CHECK(record.dropped > 0); /* because another scene began */
        sim_record_free(&record);
    }
}

static void faults_lose_no_read(void)
{
    uint64_t failed = 0;
    uint64_t retries = 0;

    for (uint64_t seed = 1; seed <= 6; seed++)
        for (uint32_t i = 0; i < GAME_ORDERS; i++) {
            test_context("%s, seed %u", game_order_names[i], (unsigned)seed);
            run(make_load(WORKLOAD_COPIES, 1100, seed), (enum game_order)i, 60,
                30, seed);
            validate_sums();
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
        enum game_order order = i ? GAME_ORDER_DEADLINE : GAME_ORDER_SORT_KEY;
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

static void deadline_scheduler_has_fewer_late_reads_than_other_orders(void)
{
    uint64_t ppm[GAME_ORDERS];

    for (uint32_t i = 0; i < GAME_ORDERS; i++) {
        run(make_load(WORKLOAD_SCATTERED, 950, 2), (enum game_order)i, 240, 0,
            0);
        ppm[i] = tally_late_ppm(&record.tally);
        validate_sums();
        sim_record_free(&record);
    }
    test_context(
        "deadline %u, key %u, fifo %u ppm", (unsigned)ppm[GAME_ORDER_DEADLINE],
        (unsigned)ppm[GAME_ORDER_SORT_KEY], (unsigned)ppm[GAME_ORDER_FIFO]);
    CHECK(ppm[GAME_ORDER_DEADLINE] <= 10000);
    for (uint32_t i = 0; i < GAME_ORDERS; i++)
        if (i != GAME_ORDER_DEADLINE)
            CHECK(ppm[i] > 3 * ppm[GAME_ORDER_DEADLINE]);
}

/* -- a recorded game -- */

static struct pak_reader pak;
static bool is_open_loop;
static struct arena arena;

static struct load *load_of_scenes(const char *scenes)
{
    static char text[4096];
    static struct read_trace trace;
    static struct load_pak load_pak;
    static struct load_source source = {&trace, "trace.json", &load_pak,
                                        1,      false,        false};

    source.is_open_loop = is_open_loop;
    load_pak.reader = &pak;
    snprintf(text, sizeof text,
             "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [%s]}", scenes);
    CHECK(read_trace_parse("trace.json", text, strlen(text), &arena, &trace,
                           &diag));
    return load_trace(&source, spn_drive_profile_find("x360_dvd12x"), &diag);
}

static struct load *load_of(const char *reads)
{
    static char text[4096];

    snprintf(text, sizeof text, "{\"name\": \"one\", \"reads\": [%s]}", reads);
    return load_of_scenes(text);
}

static void open_pak_at(const char *path)
{
    diag_init(&diag);
    diag.is_silent = true;
    arena_init(&arena);
    CHECK(pak_reader_open(&pak, path, &diag));
}

static void open_pak(void)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/pak-v1.spk", test_data());
    open_pak_at(path);
}

static void close_pak(void)
{
    pak_reader_close(&pak);
    arena_free(&arena);
    diag_finish(&diag);
}

static void a_trace_reads_the_places_of_the_pak(void)
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
        CHECK_EQ(request.class, DEADLINE_SOUND);
        CHECK_STR(request.path, entry.name);
        CHECK_EQ_U(request.offset, 1);
        CHECK_EQ_U(request.bytes, content.bytes - 1);
        CHECK(request.is_to_end);
        /* Compressed entries are read in whole blocks, others in the requested
         * bytes. */
        CHECK_EQ_U(load_position(&request, 0, NULL),
                   spn__pak_copy_offset(index, content.first_copy, NULL) +
                       (content.codec == SPN_CODEC_STORE));
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
    for (uint32_t i = 0; i < GAME_ORDERS; i++) {
        struct load *load = load_of(reads);

        CHECK(load);
        /* Without a time limit. */
        run(load, (enum game_order)i, UINT64_MAX / SECOND_US, 0, 0);
        CHECK_EQ_U(record.done, 2);
        CHECK(record.time_us > 9 * SECOND_US &&
              record.time_us < 10 * SECOND_US);
        validate_sums();
        sim_record_free(&record);
        diag_init(&diag);
        diag.is_silent = true;
    }
    close_pak();
}

/* -- a pak of its own -- */

#define FAR_BYTES (30u << 20)

static char made_path[512];

/* Order in the pak: x | a1 | far | lz | zst | a2 | the second copy of x */
static void make_pak(uint8_t **bytes, size_t *size)
{
    static uint8_t data[FAR_BYTES];
    const struct tiny_pak_file files[] = {
        {.name = "x", .data = data, .bytes = 100000, .copy_count = 2},
        {.name = "a1", .data = data + 7, .bytes = 100000},
        {.name = "far", .data = data, .bytes = FAR_BYTES},
        {.name = "lz", .data = data, .bytes = 900000, .codec = SPN_CODEC_LZ4},
        {.name = "zst",
         .data = data + 9,
         .bytes = 300000,
         .codec = SPN_CODEC_ZSTD},
        {.name = "a2", .data = data + 11, .bytes = 100000}};
    struct tiny_pak tiny;

    for (uint32_t i = 0; i < FAR_BYTES; i++)
        data[i] = (uint8_t)(i >> 9 ^ i % 13);
    tiny_pak_make(&tiny, files, sizeof files / sizeof files[0]);
    *bytes = tiny.bytes;
    *size = tiny.size;
}

static void write_pak(const uint8_t *bytes, size_t size)
{
    struct host_output *output;

    snprintf(made_path, sizeof made_path, "%s/made.spk", test_temp());
    diag_init(&diag);
    output = host_output_open(made_path, &diag);
    CHECK(output);
    CHECK(host_output_append(output, bytes, size));
    CHECK(host_output_commit(output));
    diag_finish(&diag);
}

static void open_made_pak(void)
{
    uint8_t *bytes;
    size_t size;

    make_pak(&bytes, &size);
    write_pak(bytes, size);
    free(bytes);
    open_pak_at(made_path);
}

static struct pak_content content_of(const char *name)
{
    uint32_t entry = spn__pak_find(&pak.index, name, (uint32_t)strlen(name));

    CHECK(entry != PAK_NONE);
    return spn__pak_content(&pak.index,
                            spn__pak_entry(&pak.index, entry).content);
}

static void blocks_are_decoded_as_in_a_game(void)
{
    static const char reads[] =
        "{\"path\": \"lz\"}, {\"path\": \"zst\", \"offset\": 70000}, "
        "{\"path\": \"a1\"}, {\"at_us\": 9000000, \"path\": \"lz\", "
        "\"offset\": 65000, \"bytes\": 1000, \"task\": \"sound\"}";
    struct pak_content lz;

    open_made_pak();
    lz = content_of("lz");
    CHECK(lz.stored_bytes < lz.bytes / 4);
    for (uint32_t i = 0; i < GAME_ORDERS; i++) {
        run(load_of(reads), (enum game_order)i, 60, 0, 0);
        validate_sums();
        CHECK_EQ_U(record.done, 4);
        CHECK_EQ_U(record.bytes, 900000 + 230000 + 1000 + 100000);
        /* The thousand bytes need two blocks. */
        CHECK_EQ_U(record.io.unpacked_bytes,
                   900000 + 300000 - 65536 + 2 * 65536);
        CHECK(record.io.packed_bytes < record.io.unpacked_bytes / 4);
        CHECK(record.stored_bytes >= record.io.packed_bytes + 100000);
        CHECK(record.stored_bytes < 400000);
        CHECK(record.mount_us > 0);
        sim_record_free(&record);
        diag_init(&diag);
        diag.is_silent = true;
    }
    close_pak();
}

static bool reads_from(uint64_t begin, uint64_t bytes)
{
    for (uint32_t i = 0; i < record.move_count; i++)
        if (record.moves[i].begin < begin + bytes &&
            record.moves[i].end > begin)
            return true;
    return false;
}

/* The last request is read first. The requests before it have copies near it,
 * for any position of the head when they were made. */
static void a_copy_is_chosen_at_dispatch(void)
{
    static const char reads[] =
        "{\"path\": \"a2\", \"priority\": \"urgent\"}, "
        "{\"at_us\": 1, \"path\": \"a1\", \"priority\": \"idle\"}, "
        "{\"at_us\": 1, \"path\": \"x\", \"deadline_us\": 9000000}";
    static const enum game_order orders[] = {GAME_ORDER_DEADLINE,
                                             GAME_ORDER_SORT_KEY};
    struct pak_content x;

    open_made_pak();
    x = content_of("x");
    for (uint32_t i = 0; i < 2; i++) {
        test_context("%s", game_order_names[orders[i]]);
        run(load_of(reads), orders[i], 60, 0, 0);
        CHECK_EQ_U(record.done, 3);
        CHECK(!reads_from(spn__pak_copy_offset(&pak.index, x.first_copy, NULL),
                          x.bytes));
        CHECK(reads_from(
            spn__pak_copy_offset(&pak.index, x.first_copy + 1, NULL), x.bytes));
        sim_record_free(&record);
        diag_init(&diag);
        diag.is_silent = true;
    }
    close_pak();
}

static void a_pak_under_faults_loses_no_read(void)
{
    static const char reads[] =
        "{\"path\": \"x\"}, {\"path\": \"lz\"}, {\"at_us\": 2000000, "
        "\"path\": \"far\"}, {\"at_us\": 3000000, \"path\": \"zst\"}, "
        "{\"at_us\": 9000000, \"path\": \"x\"}";
    uint64_t failed = 0;
    uint64_t copies = 0;

    open_made_pak();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        run(load_of(reads), seed % 2 ? GAME_ORDER_DEADLINE : GAME_ORDER_FIFO,
            60, 10, seed);
        validate_sums();
        CHECK_EQ_U(record.requested, 5);
        CHECK_EQ_U(record.waiting, 0);
        failed += record.failed;
        copies += record.io.copies_tried;
        sim_record_free(&record);
        diag_init(&diag);
        diag.is_silent = true;
    }
    CHECK(failed > 0);
    CHECK(copies > 0);
    close_pak();
}

static void a_damaged_block_is_refused_with_its_place(void)
{
    struct game_sim sim = {.drive = spn_drive_profile_find("x360_dvd12x"),
                           .order = GAME_ORDER_DEADLINE,
                           .limit_us = UINT64_MAX,
                           .heap_mib = 64};
    struct load *load;
    char place[32];
    uint64_t at;
    uint8_t *bytes;
    size_t size;

    open_made_pak();
    at = spn__pak_copy_offset(&pak.index, content_of("lz").first_copy, NULL);
    close_pak();
    make_pak(&bytes, &size);
    bytes[at + 100] ^= 1;
    write_pak(bytes, size);
    free(bytes);
    open_pak_at(made_path);
    load = load_of("{\"path\": \"lz\"}");
    CHECK(!game_sim_run(&sim, load, &record, &diag));
    snprintf(place, sizeof place, "offset 0x%llx", (unsigned long long)at);
    CHECK(strstr(diag.text, place));
    CHECK(strstr(diag.text, "checksum of a block"));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    sim_record_free(&record);
    load_destroy(load);
    close_pak();
}

/* Eight reads at once and two later; too few reads at once; the first scene
 * again. */
static void bursts_of_scenes_are_measured(void)
{
    static const char many[] =
        "{\"at_us\": %u, \"path\": \"x\"}, {\"path\": \"a1\"}, "
        "{\"path\": \"a2\"}, {\"path\": \"lz\"}, {\"path\": \"a1\", "
        "\"bytes\": 9}, {\"path\": \"x\", \"bytes\": 10}, {\"at_us\": %u, "
        "\"path\": \"no such file\"}, {\"path\": \"a2\", \"bytes\": 7}, "
        "{\"at_us\": %u, \"path\": \"zst\"}, {\"at_us\": %u, \"path\": "
        "\"a2\"}, {\"path\": \"far\", \"priority\": \"idle\"}";
    static const uint32_t at_us[3] = {500, 20000000, 40000000};
    char reads[3][1024];
    char scenes[4096];
    const struct load_burst *bursts;
    struct load *load;
    uint32_t count;

    for (uint32_t i = 0; i < 3; i++)
        snprintf(reads[i], sizeof reads[i], many, at_us[i], at_us[i] + 100,
                 at_us[i] + READ_TRACE_AT_ONCE_US,
                 at_us[i] + READ_TRACE_AT_ONCE_US + 1);
    snprintf(scenes, sizeof scenes,
             "{\"name\": \"quay\", \"reads\": [%s]}, {\"name\": \"sea\", "
             "\"reads\": [{\"path\": \"x\"}]}, {\"name\": \"quay\", "
             "\"reads\": [%s]}",
             reads[0], reads[1]);
    open_made_pak();
    load = load_of_scenes(scenes);
    bursts = load_bursts(load, &count);
    CHECK_EQ(count, 2);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_STR(bursts[i].scene, "quay");
        CHECK_EQ_U(bursts[i].at_us, at_us[i]);
        CHECK_EQ(bursts[i].reads, 8);
    }
    run(load, GAME_ORDER_DEADLINE, 60, 0, 0);
    CHECK_EQ(record.burst_count, 2);
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_group *burst = &record.bursts[i];
        uint64_t us = burst->end_us - burst->at_us;

        CHECK(sim_burst_is_over(burst));
        CHECK(burst->stored_bytes > 300000 && burst->stored_bytes < 600000);
        CHECK(us > burst->transfer_us);
        /* Later reads do not belong to the burst. */
        CHECK(us < burst->transfer_us + 3 * SECOND_US);
    }
    sim_record_free(&record);
    diag_init(&diag);
    /* The run may end before a burst is over. */
    run(load_of_scenes(scenes), GAME_ORDER_DEADLINE, 20, 0, 0);
    CHECK(sim_burst_is_over(&record.bursts[0]));
    CHECK(!sim_burst_is_over(&record.bursts[1]));
    sim_record_free(&record);
    diag_init(&diag);
    close_pak();
}

/* One of eight reads fails: the burst has no time. */
static void a_burst_that_failed_has_no_time(void)
{
    static const char reads[] =
        "{\"path\": \"x\"}, {\"path\": \"a1\"}, {\"path\": \"a2\"}, "
        "{\"path\": \"a2\", \"bytes\": 9}, {\"path\": \"x\", \"bytes\": 10}, "
        "{\"path\": \"a2\", \"bytes\": 7}, {\"path\": \"zst\"}, "
        "{\"path\": \"x\", \"bytes\": 1}";
    spn_emulator_fault fault = {.kind = SPN_EMULATOR_UNREADABLE, .bytes = 1};
    struct game_sim sim = {.drive = spn_drive_profile_find("x360_dvd12x"),
                           .order = GAME_ORDER_FIFO,
                           .limit_us = UINT64_MAX,
                           .heap_mib = 64,
                           .faults = &fault};
    uint64_t stored_bytes[2];
    struct load *load;

    open_made_pak();
    fault.offset =
        spn__pak_copy_offset(&pak.index, content_of("a1").first_copy, NULL) +
        50000;
    for (uint32_t i = 0; i < 2; i++) {
        const struct sim_group *burst;

        sim.fault_count = i;
        load = load_of(reads);
        CHECK(game_sim_run(&sim, load, &record, &diag));
        validate_sums();
        CHECK_EQ(record.burst_count, 1);
        burst = &record.bursts[0];
        CHECK_EQ(burst->reads, 8);
        CHECK_EQ(burst->ended, 8 - i);
        CHECK_EQ(burst->failed, i);
        CHECK_EQ_U(record.failed, i);
        CHECK_EQ(sim_burst_is_over(burst), i == 0);
        stored_bytes[i] = burst->stored_bytes;
        sim_record_free(&record);
        load_destroy(load);
    }
    /* The failed piece delivered no bytes. */
    CHECK(stored_bytes[0] - stored_bytes[1] >= 50000);
    CHECK(stored_bytes[0] - stored_bytes[1] <= 100000);
    close_pak();
}

/* -- a closed loop -- */

static uint64_t ready_us(uint32_t visit)
{
    uint64_t us;

    CHECK(visit < record.visit_count);
    CHECK(sim_visit_is_ready(&record.visits[visit], &us));
    return us;
}

static void a_chained_read_waits_for_the_one_before(void)
{
    static const char reads[] =
        "{\"path\": \"lz\"}, "
        "{\"path\": \"lz\", \"offset\": 1000, \"think_us\": 700000}, "
        "{\"path\": \"lz\", \"offset\": 2000, \"after\": 0, \"think_us\": 5}, "
        "{\"path\": \"lz\", \"offset\": 3000, \"thread\": 1}, "
        "{\"path\": \"lz\", \"offset\": 4000, \"thread\": 1, "
        "\"think_us\": 1000000, \"deadline_us\": 1}";
    uint64_t open_us;

    for (uint32_t i = 0; i < GAME_ORDERS; i++) {
        test_context("%s", game_order_names[i]);
        open_made_pak();
        run(load_of(reads), (enum game_order)i, 100, 0, 0);
        validate_sums();
        CHECK_EQ_U(record.done, 5);
        /* The deadline of a chained read counts from its start. */
        CHECK_EQ_U(tally_sum(&record.tally).late, 1);
        CHECK(record.lates[0].late_us < 500000);
        CHECK(ready_us(0) > 1000000);
        CHECK(ready_us(0) < 2000000);
        sim_record_free(&record);
        is_open_loop = true;
        run(load_of(reads), (enum game_order)i, 100, 0, 0);
        open_us = ready_us(0);
        is_open_loop = false;
        CHECK_EQ_U(record.done, 5);
        CHECK(open_us < 700000);
        sim_record_free(&record);
        close_pak();
    }
}

static void omitted_reads_delay_no_other(void)
{
    static const char reads[] =
        "{\"path\": \"lz\", \"bytes\": 10}, "
        "{\"path\": \"none\", \"think_us\": 3000000}, "
        "{\"path\": \"none\", \"think_us\": 2000000}, "
        "{\"path\": \"lz\", \"bytes\": 10, \"think_us\": 1000000}";

    open_made_pak();
    run(load_of(reads), GAME_ORDER_FIFO, 100, 0, 0);
    CHECK_EQ_U(record.requested, 2);
    CHECK_EQ_U(record.visits[0].reads, 2);
    CHECK(ready_us(0) >= 6000000);
    CHECK(ready_us(0) < 7000000);
    sim_record_free(&record);
    close_pak();
}

/* Each entry into a scene is a separate visit. */
static void scenes_report_when_they_are_ready(void)
{
    open_made_pak();
    run(load_of_scenes(
            "{\"name\": \"a\", \"reads\": [{\"path\": \"lz\"}, {\"path\": "
            "\"lz\", \"think_us\": 500000}]}, {\"name\": \"b\", \"reads\": "
            "[{\"path\": \"lz\", \"think_us\": 2000000}]}, {\"name\": \"a\", "
            "\"reads\": [{\"path\": \"lz\", \"think_us\": 0}]}"),
        GAME_ORDER_DEADLINE, 100, 0, 0);
    CHECK_EQ(record.visit_count, 3);
    CHECK_STR(record.visits[0].scene, "a");
    CHECK_STR(record.visits[1].scene, "b");
    CHECK_STR(record.visits[2].scene, "a");
    CHECK(ready_us(0) >= 500000);
    CHECK_EQ_U(record.visits[1].at_us, record.visits[0].end_us + 2000000);
    CHECK_EQ_U(record.visits[2].at_us, record.visits[1].end_us);
    CHECK(ready_us(1) < 500000);
    sim_record_free(&record);
    close_pak();
}

static void a_wrong_byte_is_noticed(void)
{
    static const char reads[] =
        "{\"path\": \"lz\", \"offset\": 65000, \"bytes\": 1000}";
    static uint8_t data[1000];
    struct load_request request;
    struct load *load;

    open_made_pak();
    load = load_of(reads);
    load_advance(load, 0);
    CHECK(load_take(load, &request));
    for (uint32_t i = 0; i < 1000; i++)
        data[i] = (uint8_t)((i + 65000) >> 9 ^ (i + 65000) % 13);
    CHECK(load_is_equal(load, &request, data, 1000, &diag));
    CHECK(load_is_equal(load, &request, data, 0, &diag));
    for (uint32_t i = 0; i < 1000; i += 37) {
        data[i] ^= 0x80;
        CHECK(!load_is_equal(load, &request, data, 1000, &diag));
        CHECK(load_is_equal(load, &request, data, i, &diag));
        data[i] ^= 0x80;
    }
    CHECK(!diag_has_failed(&diag));
    load_destroy(load);
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

TEST_MAIN(
    TEST(every_order_ends_every_read), TEST(faults_lose_no_read),
    TEST(a_run_repeats_itself),
    TEST(deadline_scheduler_has_fewer_late_reads_than_other_orders),
    TEST(a_trace_reads_the_places_of_the_pak), TEST(a_trace_is_read_to_its_end),
    TEST(blocks_are_decoded_as_in_a_game), TEST(a_copy_is_chosen_at_dispatch),
    TEST(a_pak_under_faults_loses_no_read),
    TEST(a_damaged_block_is_refused_with_its_place),
    TEST(bursts_of_scenes_are_measured), TEST(a_burst_that_failed_has_no_time),
    TEST(a_chained_read_waits_for_the_one_before),
    TEST(omitted_reads_delay_no_other), TEST(scenes_report_when_they_are_ready),
    TEST(a_wrong_byte_is_noticed), TEST(a_trace_that_does_not_fit_is_refused))
