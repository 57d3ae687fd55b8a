/* io_rig.c - start, step and stop an io engine for tests. */
/* SPDX-License-Identifier: MIT */
#include "support/io_rig.h"
#include "read/pak_mount.h"
#include "read/stage/read_check.h"

#include "common/codecs.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define HEAP_PAGES 64u
#define SCRATCH_BYTES (1u << 20) /* includes the workspaces of all codecs */

static uint8_t disc[RIG_FILES][RIG_FILE_BYTES];

uint8_t rig_byte(uint32_t file, uint64_t offset)
{
    return (uint8_t)((offset * 2654435761u >> 13) + file * 85);
}

static void write_disc(void)
{
    static bool is_written;

    if (is_written)
        return;
    for (uint32_t f = 0; f < RIG_FILES; f++)
        for (uint32_t i = 0; i < RIG_FILE_BYTES; i++)
            disc[f][i] = rig_byte(f, i);
    is_written = true;
}

static uint32_t value_or(uint32_t value, uint32_t otherwise)
{
    return value ? value : otherwise;
}

static spn_status take_memory(void *heap, uint64_t bytes, uint32_t unit_bytes,
                              enum heap_tag tag, heap_handle *out)
{
    const struct heap *h = heap;

    if (bytes > (uint64_t)h->page_count << h->page_shift)
        return SPN_ERR_MEMORY;
    return spn__heap_alloc(heap, (uint32_t)bytes, unit_bytes, tag, out);
}

static void give_memory(void *heap, heap_handle block)
{
    CHECK(spn__heap_free(heap, block));
}

static void build(struct rig *rig, const struct rig_config *config,
                  struct carve *carve)
{
    struct io_config io_config;

    memset(&io_config, 0, sizeof io_config);
    io_config.platform = &rig->slow.table;
    io_config.jobs = &rig->jobs;
    io_config.heap = &rig->heap;
    io_config.read_count = value_or(config->read_count, 16);
    io_config.file_count = value_or(config->file_count, 8);
    io_config.piece_bytes = value_or(config->piece_bytes, 4096);
    io_config.wait_count = config->wait_count;
    memcpy(io_config.media, config->media, sizeof io_config.media);
    io_config.budget_bytes =
        config->budget_bytes ? config->budget_bytes : 1u << 20;
    io_config.pak_count = config->pak_count;
    io_config.has_loose_files_only = config->has_loose_files_only;
    io_config.unpack.bytes = config->unpack_bytes;
    io_config.unpack.codecs = codecs_extra;
    io_config.unpack.codec_count = CODECS_EXTRA_COUNT;
    io_config.unpack.workspace_at = UNPACK_SCRATCH_BYTES;
    io_config.memory = (struct io_memory){&rig->heap, take_memory, give_memory};
    spn__heap_init(&rig->heap, carve, value_or(config->heap_pages, HEAP_PAGES),
                   12, 64);
    spn__jobs_init(&rig->jobs, carve, value_or(config->job_capacity, 16), 1,
                   config->pak_count > 0 ? SCRATCH_BYTES : 0);
    io_config.listener = config->listener;
    for (uint32_t i = 0; i < IO_LANES_MAX; i++) {
        spn__jobs_init(&rig->reserved[i], carve, io_config.read_count, 1, 0);
        io_config.lanes[i].jobs = &rig->reserved[i];
        io_config.lanes[i].tasks = config->reserved_tasks[i];
    }
    rig->io = spn__io_init(carve, &io_config);
}

void rig_open(struct rig *rig, const struct rig_config *config)
{
    static const char *const names[RIG_FILES] = {"a", "b", "c"};
    static const struct rig_config plain;
    struct carve carve = {.limit = SIZE_MAX};

    write_disc();
    free(rig->block);
    memset(rig, 0, sizeof *rig);
    slow_platform_init(&rig->slow);
    for (uint32_t f = 0; f < RIG_FILES; f++)
        slow_platform_add(&rig->slow, names[f], disc[f], RIG_FILE_BYTES);
    build(rig, config ? config : &plain, &carve);
    CHECK(!rig->io);
    rig->block = aligned_alloc(4096, (carve.used + 4095) & ~(size_t)4095);
    CHECK(rig->block);
    carve = (struct carve){.base = rig->block, .limit = carve.used};
    build(rig, config ? config : &plain, &carve);
    CHECK(rig->io);
}

void rig_close(struct rig *rig)
{
    spn__io_shutdown(rig->io);
    rig_run(rig);
    CHECK(spn__io_is_idle(rig->io));
    CHECK_EQ(rig->slow.opens, rig->slow.closes);
    free(rig->block);
    rig->block = NULL;
}

/* After every step, each read must be in the list of its stage. */
static void check_stages(const struct rig *rig)
{
    const char *what = spn__read_check(rig->io);

    if (what)
        test_fail(__FILE__, __LINE__, "stages of reads: %s", what);
}

bool rig_step(struct rig *rig)
{
    uint64_t due_us;
    bool worked = spn__io_step(rig->io, &due_us);

    worked = spn__jobs_step(&rig->jobs, 0) || worked;
    for (uint32_t i = 0; i < IO_LANES_MAX; i++)
        worked = spn__jobs_step(&rig->reserved[i], 0) || worked;
    worked = spn__io_finish(rig->io, 1) > 0 || worked;
    spn__paks_update(rig->io);
    check_stages(rig);
    return worked;
}

void rig_step_io(struct rig *rig)
{
    uint64_t due_us;

    while (spn__io_step(rig->io, &due_us))
        check_stages(rig);
}

void rig_run_io(struct rig *rig)
{
    do
        rig_step_io(rig);
    while (slow_platform_advance(&rig->slow));
}

void rig_run(struct rig *rig)
{
    uint64_t due_us = 0;

    for (;;) {
        while (rig_step(rig)) {
        }
        if (spn__io_step(rig->io, &due_us))
            continue;
        /* The io thread and the disc must agree on the next time. */
        CHECK_EQ_U(due_us, slow_platform_due_us(&rig->slow));
        if (!slow_platform_advance(&rig->slow))
            return;
    }
}

spn_file rig_file(struct rig *rig, const char *path)
{
    spn_file file = 0;

    CHECK_EQ(spn__io_file_open(rig->io, path, &file), SPN_OK);
    CHECK(file != 0);
    return file;
}

static void on_async(const spn_read_result *result)
{
    struct rig_read *read = result->user;

    CHECK_EQ(read->done_count, 0);
    CHECK_EQ(spn__io_poll(read->rig->io, result->read), SPN_OK);
    read->async_count++;
    read->status = result->status;
}

static void on_done(const spn_read_result *result)
{
    struct rig_read *read = result->user;

    CHECK_EQ(read->async_count, 1);
    CHECK_EQ(read->status, result->status);
    CHECK_EQ_U(read->handle, result->read);
    CHECK(result->buffer == read->buffer);
    CHECK_EQ(spn__io_poll(read->rig->io, result->read), SPN_OK);
    read->done_count++;
    read->bytes = result->bytes;
    read->place = ++read->rig->ended;
}

spn_read_desc rig_desc(struct rig *rig, struct rig_read *read, spn_file file,
                       uint64_t offset, uint64_t bytes, uint8_t *buffer)
{
    spn_read_desc desc;

    memset(read, 0, sizeof *read);
    read->rig = rig;
    read->status = SPN_PENDING;
    read->buffer = buffer;
    memset(&desc, 0, sizeof desc);
    desc.file = file;
    desc.offset = offset;
    desc.bytes = bytes;
    desc.buffer = buffer;
    desc.buffer_bytes = bytes;
    desc.priority = SPN_PRIORITY_NORMAL;
    desc.on_async = on_async;
    desc.on_done = on_done;
    desc.user = read;
    return desc;
}

void rig_start(struct rig *rig, const spn_read_desc *desc,
               struct rig_read *read)
{
    CHECK_EQ(spn__io_read_start_batch(rig->io, desc, 1, &read->handle), SPN_OK);
    CHECK_EQ(spn__io_poll(rig->io, read->handle), SPN_PENDING);
}

void rig_end(const spn_read_result *result)
{
    struct rig_read *read = result->user;

    read->done_count++;
    read->async_count++;
    read->status = result->status;
    read->bytes = result->bytes;
    read->place = ++read->rig->ended;
    read->fault = result->fault;
}

void rig_check(const struct rig_read *read, spn_status status)
{
    CHECK_EQ(read->async_count, 1);
    CHECK_EQ(read->done_count, 1);
    CHECK_EQ(read->status, status);
    CHECK_EQ(spn__io_poll(read->rig->io, read->handle), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_abort(read->rig->io, read->handle), SPN_ERR_HANDLE);
}

void rig_check_bytes(const struct rig_read *read, uint32_t file,
                     uint64_t offset, uint64_t bytes)
{
    rig_check(read, SPN_OK);
    CHECK_EQ_U(read->bytes, bytes);
    for (uint64_t i = 0; i < bytes; i++)
        if (read->buffer[i] != rig_byte(file, offset + i))
            test_fail(__FILE__, __LINE__, "byte %llu differs",
                      (unsigned long long)i);
}

void rig_keep(void *context, uint32_t argument, const struct io_result *result)
{
    struct io_result *out = context;

    CHECK_EQ(argument, RIG_ARGUMENT);
    *out = *result;
}
