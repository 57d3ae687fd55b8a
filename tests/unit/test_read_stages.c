/* test_read_stages.c
 *
 * Goal: reads change their stages by the table only, and the check of all
 * stages finds a read that is not where its stage says.
 * Method: compare the table with a list of its own; then put reads into many
 * stages, and damage one thing at a time.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/stage/read_check.h"
#include "read/stage/step.h"
#include "support/io_fixture.h"

#include <string.h>

/* A stage, and all stages that may follow. */
struct row {
    enum read_stage from;
    enum read_stage to[12];
    uint32_t count;
};

static const struct row rows[] = {
    {READ_UNUSED, {READ_QUEUED}, 1},
    {READ_QUEUED, {READ_OPENING, READ_DRAINING}, 2},
    {READ_OPENING, {READ_WAITING, READ_PAUSED, READ_DRAINING}, 3},
    {READ_WAITING,
     {READ_AT_DEVICE, READ_OPENING, READ_PAUSED, READ_AWAITS_BUDGET,
      READ_AWAITS_STORAGE, READ_AWAITS_BLOCK, READ_AWAITS_SLOT, READ_DRAINING},
     8},
    {READ_AT_DEVICE, {READ_WAITING, READ_DRAINING}, 2},
    {READ_PAUSED, {READ_OPENING, READ_DRAINING}, 2},
    {READ_AWAITS_BUDGET, {READ_OPENING, READ_PAUSED, READ_DRAINING}, 3},
    {READ_AWAITS_STORAGE, {READ_OPENING, READ_PAUSED, READ_DRAINING}, 3},
    {READ_AWAITS_BLOCK, {READ_OPENING, READ_AWAITS_STORAGE, READ_DRAINING}, 3},
    {READ_AWAITS_SLOT, {READ_OPENING, READ_PAUSED, READ_DRAINING}, 3},
    {READ_DRAINING, {READ_UNVERIFIED, READ_OPENING, READ_AWAITS_ASYNC}, 3},
    {READ_UNVERIFIED, {READ_DRAINING}, 1},
    {READ_AWAITS_ASYNC, {READ_COMPLETING}, 1},
    {READ_COMPLETING, {READ_UNUSED}, 1}};

static void stages_follow_each_other_by_the_table(void)
{
    bool may[READ_STAGE_COUNT][READ_STAGE_COUNT];

    memset(may, 0, sizeof may);
    CHECK_EQ(sizeof rows / sizeof rows[0], READ_STAGE_COUNT);
    for (uint32_t r = 0; r < READ_STAGE_COUNT; r++)
        for (uint32_t i = 0; i < rows[r].count; i++)
            may[rows[r].from][rows[r].to[i]] = true;
    for (uint32_t from = 0; from < READ_STAGE_COUNT; from++)
        for (uint32_t to = 0; to < READ_STAGE_COUNT; to++) {
            test_context("from stage %u to %u", from, to);
            CHECK_EQ(
                spn__read_may_move((enum read_stage)from, (enum read_stage)to),
                may[from][to]);
        }
}

/* Which stages occur, of so many reads. */
static uint32_t stages_of(uint32_t count)
{
    uint32_t stages = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct io_request *request =
            &rig.io->requests[reads[i].handle & READ_INDEX_MASK];

        stages |= 1u << request->stage;
    }
    return stages;
}

static spn_status not_now(const spn_read_want *want, void **buffer)
{
    (void)want;
    (void)buffer;
    return SPN_NO_MEMORY_NOW;
}

static void start_without_memory(uint32_t i, spn_file file, uint64_t bytes,
                                 uint32_t flags)
{
    spn_read_desc desc = rig_desc(&rig, &reads[i], file, 0, bytes, NULL);

    desc.buffer_bytes = 0;
    desc.flags = flags;
    desc.on_storage = flags & SPN_READ_INTO_HEAP ? NULL : not_now;
    rig_start(&rig, &desc, &reads[i]);
}

#define FILLED 8u

static uint32_t index_of(enum read_stage stage)
{
    for (uint32_t i = 0; i < FILLED; i++) {
        uint32_t index = reads[i].handle & READ_INDEX_MASK;

        if (rig.io->requests[index].stage == stage)
            return index;
    }
    test_fail(__FILE__, __LINE__, "no read in stage %u", stage);
    return 0;
}

static void fill(void)
{
    spn_read_desc desc;
    spn_file a;
    spn_file b;

    rig_open(&rig,
             &(struct rig_config){.read_count = READS, .budget_bytes = 8192});
    a = rig_file(&rig, "a");
    b = rig_file(&rig, "b");
    begin_normal(READS - 1, a, 0, 1);
    rig_run(&rig);
    rig.slow.command_us = 100;
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
    desc = rig_desc(&rig, &reads[4], a, 0, 4096, buffers[4]);
    desc.task = SPN_TASK_TEXTURE;
    rig_start(&rig, &desc, &reads[4]);
    start_without_memory(6, a, 4096, 0);
    rig_step_io(&rig);
    start_without_memory(7, a, 8192, SPN_READ_INTO_HEAP);
    rig_step_io(&rig);
    start_without_memory(5, a, 4096, 0);
    rig_step_io(&rig);
    begin_normal(0, a, 0, 4096);
    rig_step_io(&rig);
    begin_normal(1, a, 8192, 4096);
    rig_step_io(&rig);
    desc = rig_desc(&rig, &reads[2], b, 0, 4096, buffers[2]);
    desc.priority = SPN_PRIORITY_IDLE;
    rig_start(&rig, &desc, &reads[2]);
    rig_step_io(&rig);
    begin_normal(3, a, 0, 4096);
}

static void check_finds_a_read_in_a_wrong_list(void)
{
    fill();
    CHECK(spn__read_check(rig.io) == NULL);
    for (uint32_t stage = 1; stage < READ_STAGE_COUNT; stage++) {
        struct io_request *request;
        enum read_stage before;

        if (!(stages_of(FILLED) >> stage & 1))
            continue;
        test_context("a read in stage %u", stage);
        request = &rig.io->requests[index_of((enum read_stage)stage)];
        before = request->stage;
        for (uint32_t to = 0; to < READ_STAGE_COUNT; to++) {
            bool is_loose =
                (before == READ_QUEUED || before == READ_AWAITS_BLOCK) &&
                (to == READ_QUEUED || to == READ_AWAITS_BLOCK);

            request->stage = (enum read_stage)to;
            if (to != before && !is_loose)
                CHECK(spn__read_check(rig.io) != NULL);
        }
        request->stage = before;
        CHECK(spn__read_check(rig.io) == NULL);
    }
    rig_close(&rig);
}

static void fixture_has_reads_in_many_stages(void)
{
    fill();
    CHECK(stages_of(FILLED) >> READ_AT_DEVICE & 1);
    CHECK(stages_of(FILLED) >> READ_WAITING & 1);
    CHECK(stages_of(FILLED) >> READ_PAUSED & 1);
    CHECK(stages_of(FILLED) >> READ_AWAITS_BUDGET & 1);
    CHECK(stages_of(FILLED) >> READ_AWAITS_STORAGE & 1);
    CHECK(stages_of(FILLED) >> READ_AWAITS_BLOCK & 1);
    CHECK(stages_of(FILLED) >> READ_QUEUED & 1);
    rig_close(&rig);
}

static void check_finds_a_read_that_is_in_no_ring(void)
{
    uint32_t index;

    fill();
    CHECK(spn__word_queue_pop(&rig.io->inbox, &index));
    CHECK(spn__read_check(rig.io) != NULL);
    CHECK(spn__word_queue_push(&rig.io->inbox, index));
    CHECK(spn__read_check(rig.io) == NULL);
    CHECK(spn__word_queue_pop(&rig.io->free, &index));
    CHECK(spn__read_check(rig.io) != NULL);
    CHECK(spn__word_queue_push(&rig.io->free, index));
    rig.io->retained_count++;
    CHECK(spn__read_check(rig.io) != NULL);
    rig.io->retained_count--;
    CHECK(spn__read_check(rig.io) == NULL);
    rig_close(&rig);
}

/* The modules that have checks of their own. */
static void check_finds_damage_in_modules(void)
{
    struct io *io;

    fill();
    io = rig.io;
    io->snapshot.draft = io->snapshot.latest;
    CHECK(spn__read_check(io) != NULL);
    io->snapshot.draft = 3 - io->snapshot.latest -
                         (atomic_load_relaxed(&io->snapshot.middle) & 3);
    atomic_store_relaxed(&io->guard.is_locked, 1);
    CHECK(spn__read_check(io) != NULL);
    atomic_store_relaxed(&io->guard.is_locked, 0);
    atomic_store_relaxed(&io->record.phase, RECORD_ON);
    CHECK(spn__read_check(io) != NULL);
    atomic_store_relaxed(&io->record.phase, RECORD_OFF);
    CHECK(spn__read_check(io) == NULL);
    rig_close(&rig);
}

static void check_finds_a_wrong_budget(void)
{
    uint32_t word;

    fill();
    word = atomic_load_relaxed(&rig.io->budget.word);
    CHECK(word > 0);
    atomic_store_relaxed(&rig.io->budget.word, word - 1);
    CHECK(spn__read_check(rig.io) != NULL);
    atomic_store_relaxed(&rig.io->budget.word, word);
    CHECK(spn__read_check(rig.io) == NULL);
    rig_close(&rig);
}

TEST_MAIN(TEST(stages_follow_each_other_by_the_table),
          TEST(fixture_has_reads_in_many_stages),
          TEST(check_finds_a_read_in_a_wrong_list),
          TEST(check_finds_a_read_that_is_in_no_ring),
          TEST(check_finds_damage_in_modules), TEST(check_finds_a_wrong_budget))
