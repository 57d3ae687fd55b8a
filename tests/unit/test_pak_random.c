/* test_pak_random.c
 *
 * Goal: in any order of mounts, loads, reads, aborts, pauses and faults, every
 * read of a pak ends exactly once, with a status that has a cause and with the
 * bytes of its entry. Nothing is written after its end. Nothing is left at the
 * end.
 * Method: random scripts, one step of a thread at a time, compared with a model
 * of the entries' bytes. Buffers are filled with a pattern when their read has
 * ended.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "pak/pak_validate.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"
#include "read/unpack_reads.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <string.h>

#define SEEDS 300u
#define STEPS 700u
#define SLOTS 16u
#define DATA_BYTES 300000u
#define READ_BYTES_MAX 200000u
#define PAKS 3u
#define ENTRIES 5u
#define POISON 0x5e

struct entry {
    bool is_started;
    bool is_aborted;
    bool has_async;
    uint32_t async_count;
    uint32_t done_count;
    uint32_t file; /* bytes of the pak file */
    uint64_t offset;
    uint64_t bytes;
    spn_read read;
};

static struct rig rig;
static struct entry entries[SLOTS];
static uint8_t buffers[SLOTS][READ_BYTES_MAX];
static uint8_t data[DATA_BYTES];
static struct tiny_pak tiny;
static struct pak_index index_;
static struct tiny_pak_file contents[ENTRIES];
static spn_pak paks[PAKS];
static struct test_random random;
static bool is_shut;
static bool is_broken; /* a fault was added */
static uint32_t ended_well;

static uint32_t below(uint32_t limit)
{
    return test_random_below(&random, limit);
}

static void make_pak(void)
{
    static const char *const names[ENTRIES] = {"lz", "zst", "raw", "mix",
                                               "tiny"};
    static const uint32_t codecs[ENTRIES] = {SPN_CODEC_LZ4, SPN_CODEC_ZSTD,
                                             SPN_CODEC_STORE, SPN_CODEC_DEFLATE,
                                             SPN_CODEC_LZ4};

    struct spn_fault fault;
    struct pak_header header;

    if (tiny.bytes)
        return;
    random.state = 1;
    for (uint32_t i = 0; i < DATA_BYTES; i++)
        data[i] = i / 1000 % 3 ? (uint8_t)below(256) : (uint8_t)(i >> 7);
    for (uint32_t i = 0; i < ENTRIES; i++)
        contents[i] =
            (struct tiny_pak_file){.name = names[i],
                                   .data = data + i * 7,
                                   .bytes = i < 4 ? 200000 + i * 20000 : 3000,
                                   .codec = codecs[i],
                                   .copy_count = 1 + i % 3};
    tiny_pak_make(&tiny, contents, ENTRIES);
    CHECK_EQ(spn__pak_validate_header(tiny.bytes, tiny.size, &header, &fault),
             SPN_OK);
    CHECK_EQ(spn__pak_validate_index(&header, tiny.bytes + PAK_HEADER_BYTES,
                                     &index_, &fault),
             SPN_OK);
}

static bool is_explained(const struct entry *e, spn_status status)
{
    switch (status) {
    case SPN_OK:
        return true;
    case SPN_ERR_ABORTED:
        return e->is_aborted;
    case SPN_ERR_SHUTDOWN:
        return is_shut;
    case SPN_ERR_RANGE:
        return e->offset > contents[e->file].bytes ||
               e->bytes > contents[e->file].bytes - e->offset;
    case SPN_ERR_IO:
    case SPN_ERR_CHECKSUM:
    case SPN_ERR_SHORT_READ:
        return is_broken;
    default:
        return false;
    }
}

static void note_async(const spn_read_result *result)
{
    struct entry *e = result->user;

    CHECK_EQ(++e->async_count, 1);
    CHECK_EQ(e->done_count, 0);
}

static void note_done(const spn_read_result *result)
{
    struct entry *e = result->user;
    const uint8_t *expected =
        (const uint8_t *)contents[e->file].data + e->offset;
    uint8_t *buffer = buffers[e - entries];

    CHECK_EQ(++e->done_count, 1);
    CHECK_EQ(e->async_count, e->has_async ? 1 : 0);
    CHECK(is_explained(e, result->status));
    CHECK(result->bytes <= e->bytes);
    CHECK(result->status != SPN_OK || result->bytes == e->bytes);
    CHECK_EQ(result->fault.what != NULL, result->status == SPN_ERR_CHECKSUM);
    if (result->status != SPN_ERR_RANGE && result->bytes > 0)
        CHECK_MEM(buffer, expected, result->bytes);
    ended_well += result->status == SPN_OK;
    memset(buffer, POISON, READ_BYTES_MAX);
}

static void check_poison(uint32_t i)
{
    for (uint32_t k = 0; k < READ_BYTES_MAX; k += 61)
        CHECK_EQ(buffers[i][k], POISON);
}

static void start_one(void)
{
    uint32_t i = below(SLOTS);
    struct entry *e = &entries[i];
    spn_read_desc desc;
    spn_status status;

    if (e->is_started && !e->done_count)
        return;
    check_poison(i);
    memset(e, 0, sizeof *e);
    memset(&desc, 0, sizeof desc);
    e->file = below(ENTRIES);
    e->offset = below(4) ? below((uint32_t)contents[e->file].bytes + 50)
                         : below(5) * PAK_BLOCK_BYTES;
    e->bytes = 1 + below(below(2) ? READ_BYTES_MAX - 64 : 3000);
    e->has_async = below(2);
    if (below(2)) {
        desc.path = contents[e->file].name;
        status = spn__io_find_entry(rig.io, 0, desc.path, &desc.entry);
        desc.entry = (spn_pak_entry){0, 0};
    } else {
        status = spn__io_find_entry(rig.io, paks[below(PAKS)],
                                    contents[e->file].name, &desc.entry);
    }
    /* Not mounted now. */
    if (status != SPN_OK)
        return;
    desc.offset = e->offset;
    desc.bytes = e->bytes;
    desc.buffer = buffers[i];
    desc.buffer_bytes = e->bytes;
    desc.priority = below(6) ? SPN_PRIORITY_NORMAL : SPN_PRIORITY_URGENT;
    desc.task = (spn_task)(1 + below(3));
    desc.on_async = e->has_async ? note_async : NULL;
    desc.on_done = note_done;
    desc.user = e;
    status = spn__io_read_start(rig.io, &desc, &e->read);
    CHECK(status == SPN_OK || status == SPN_FULL ||
          (is_shut && status == SPN_ERR_SHUTDOWN));
    e->is_started = status == SPN_OK;
}

static void abort_one(void)
{
    struct entry *e = &entries[below(SLOTS)];

    if (!e->is_started)
        return;
    CHECK_EQ(spn__io_abort(rig.io, e->read),
             e->done_count ? SPN_ERR_HANDLE : SPN_OK);
    e->is_aborted = true;
}

static void change_a_mount(void)
{
    spn_pak *pak = &paks[below(PAKS)];

    switch (below(8)) {
    case 0:
        (void)spn__pak_unmount(rig.io, *pak);
        break;
    case 1:
    case 2:
        if (spn__pak_status(rig.io, *pak, NULL) == SPN_ERR_HANDLE)
            (void)(spn__pak_mount(rig.io, "p", pak) == SPN_OK);
        break;
    case 3:
    case 4:
        (void)spn__pak_load(rig.io, *pak, SPN_PRIORITY_NORMAL);
        break;
    case 5:
        (void)spn__pak_unload(rig.io, *pak);
        break;
    default:
        spn__io_pause(rig.io, (spn_task)(1 + below(3)), below(3) == 0);
    }
}

/* A byte of the index or of a compressed entry, because a partly read block of
 * a stored entry is not verified. */
static uint64_t flipped_byte(void)
{
    uint32_t copy = below(index_.header.copy_count);
    uint32_t number;
    uint64_t at = spn__pak_copy_offset(&index_, copy, &number);
    struct pak_content content = spn__pak_content(&index_, number);

    if (content.codec == SPN_CODEC_STORE)
        return below((uint32_t)index_.header.data_offset);
    return at + below((uint32_t)content.stored_bytes);
}

static void break_disc(void)
{
    static const enum slow_kind kinds[] = {SLOW_ERROR, SLOW_SHORT, SLOW_FLIP,
                                           SLOW_REFUSE};
    struct slow_fault fault = {.kind = kinds[below(4)],
                               .times = 1 + below(3),
                               .value = 1 + below(90000)};

    if (fault.kind == SLOW_FLIP)
        fault.value = 8 * flipped_byte() + below(8);
    if (rig.slow.fault_count == SLOW_FAULTS_MAX)
        slow_platform_clear_faults(&rig.slow);
    is_broken = true;
    slow_platform_fault(&rig.slow, &fault);
}

static void do_something(bool is_faulty)
{
    uint64_t due_us;

    switch (below(13)) {
    case 0:
    case 1:
    case 2:
        start_one();
        break;
    case 3:
    case 4:
    case 5:
        spn__io_step(rig.io, &due_us);
        break;
    case 6:
    case 7:
        spn__jobs_step(&rig.jobs, 0);
        break;
    case 8:
        spn__io_finish(rig.io, below(3));
        spn__paks_update(rig.io);
        break;
    case 9:
        rig.slow.clock_us += below(600);
        break;
    case 10:
        change_a_mount();
        break;
    case 11:
        if (below(4) == 0)
            abort_one();
        break;
    case 12:
        if (is_faulty && below(8) == 0)
            break_disc();
        else
            rig_step(&rig);
        break;
    }
}

static void let_all_end(void)
{
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        spn__io_pause(rig.io, (spn_task)task, false);
    rig_run(&rig);
    for (uint32_t i = 0; i < SLOTS; i++) {
        CHECK(!entries[i].is_started || entries[i].done_count == 1);
        check_poison(i);
    }
    CHECK(spn__unpack_is_idle(&rig.io->unpack));
    CHECK_EQ(rig.io->slot_waiters.count, 0);
    CHECK_EQ(rig.io->unverified.count, 0);
}

static void unmount_all(void)
{
    for (uint32_t i = 0; i < PAKS; i++)
        (void)spn__pak_unmount(rig.io, paks[i]);
    rig_run(&rig);
    CHECK_EQ(spn__heap_free_pages(&rig.heap), rig.heap.page_count);
    for (uint32_t i = 0; i < rig.io->paks.count; i++)
        CHECK_EQ(rig.io->paks.mounts[i].phase, PAK_FREE);
}

static uint64_t run_script(uint32_t seed, bool is_faulty)
{
    static const uint32_t aligns[] = {1, 512, 4096};
    struct rig_config config;

    make_pak();
    random.state = seed;
    memset(&config, 0, sizeof config);
    memset(entries, 0, sizeof entries);
    memset(buffers, POISON, sizeof buffers);
    memset(paks, 0, sizeof paks);
    is_shut = false;
    is_broken = false;
    config.read_count = 4 + below(SLOTS);
    config.piece_bytes = 4096u << (2 * below(4));
    config.job_capacity = 2 + below(10);
    config.pak_count = PAKS;
    config.heap_pages = 1200;
    config.unpack_bytes = below(2) ? 0 : 400000;
    for (uint32_t i = 0; i < SPN_MEDIUM_MEMORY && seed % 2 == 0; i++) {
        config.media[i].drive = spn_drive_profile_find("x360_dvd12x");
        config.media[i].order = SPN_ORDER_DEADLINE;
    }
    rig_open(&rig, &config);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    slow_platform_place(&rig.slow, "p", (spn_medium)below(3));
    rig.slow.align_bytes = aligns[below(3)];
    rig.slow.command_us = below(300);
    rig.slow.seek_us = below(2) * 500;
    rig.slow.bytes_per_second = below(2) ? 50000000 : 0;
    for (uint32_t i = 0; i < PAKS; i++)
        CHECK_EQ(spn__pak_mount(rig.io, "p", &paks[i]), SPN_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        test_context("seed %u, step %u", seed, step);
        do_something(is_faulty);
    }
    if (below(3)) {
        let_all_end();
        unmount_all();
    } else {
        is_shut = true;
        spn__io_shutdown(rig.io);
        for (uint32_t step = 0; step < 30; step++)
            do_something(is_faulty);
        let_all_end();
    }
    is_shut = true;
    rig_close(&rig);
    return rig.slow.clock_us * 31 + rig.slow.bytes_read * 7 + rig.slow.reads;
}

static void pak_scripts_end_every_read_exactly_once(void)
{
    ended_well = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        run_script(seed, false);
    /* Most reads must succeed; the scripts are not about refusals. */
    CHECK(ended_well > SEEDS * 4);
}

/* A seed where an urgent read overtook a paused one: the order of the queue
 * changed, and its first read was submitted instead of the prepared one. */
static void pak_scripts_submit_the_prepared_read(void)
{
    (void)run_script(717, false);
}

static void pak_scripts_with_faults_end_every_read_exactly_once(void)
{
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        run_script(seed + 1000, true);
}

static void pak_scripts_run_the_same_way_twice(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++)
        CHECK_EQ_U(run_script(seed, true), run_script(seed, true));
}

TEST_MAIN(TEST(pak_scripts_end_every_read_exactly_once),
          TEST(pak_scripts_submit_the_prepared_read),
          TEST(pak_scripts_with_faults_end_every_read_exactly_once),
          TEST(pak_scripts_run_the_same_way_twice))
