/* sim_reads.c - a caller that starts, polls, aborts and waits for reads. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_reads.h"

#include "sim/sim.h"
#include "sim/sim_read_ends.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 4u
#define SIM_ALIGN 4096u

static size_t rounded_up(size_t bytes)
{
    return (bytes + SIM_ALIGN - 1) / SIM_ALIGN * SIM_ALIGN;
}

void sim_reads_init(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++) {
        struct sim_read *r = &sim->reads.slots[i];

        r->sim = sim;
        r->room = i < SIM_LARGE_READS ? SIM_LARGE_BYTES : SIM_READ_BYTES;
        /* Aligned, so that it does not depend on malloc whether a device can
         * write directly. */
        r->memory = aligned_alloc(SIM_ALIGN, rounded_up(r->room + SIM_GUARD));
        if (!r->memory)
            abort();
        sim_read_poison(r);
    }
}

void sim_reads_free(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++)
        free(sim->reads.slots[i].memory);
}

void sim_reads_check(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++)
        sim_read_check_memory(&sim->reads.slots[i]);
}

/* -- starting -- */

static struct sim_read *free_slot(struct sim *sim)
{
    uint32_t first = swarm_below(&sim->swarm, SIM_READS);

    for (uint32_t i = 0; i < SIM_READS; i++) {
        struct sim_read *r = &sim->reads.slots[(first + i) % SIM_READS];

        if (!r->is_started)
            return r;
    }
    return NULL;
}

/* Choose a loose file or an entry, by handle or by path. */
static uint64_t choose_subject(struct sim *sim, struct sim_read *r,
                               spn_read_desc *desc)
{
    r->is_entry = swarm_below(&sim->swarm, 3) == 0;
    if (r->is_entry) {
        r->subject = swarm_below(&sim->swarm, MADE_ENTRIES);
        r->path = sim->disc->entries[r->subject].name;
        if (swarm_below(&sim->swarm, 2) &&
            spn_pak_find(sim->rt, 0, r->path, &desc->entry) == SPN_OK)
            r->path = NULL;
        desc->path = r->path;
        return sim->disc->entries[r->subject].bytes;
    }
    r->subject = swarm_below(&sim->swarm, SIM_FILES);
    desc->file = sim->reads.files[r->subject];
    if (desc->file == 0 || swarm_below(&sim->swarm, 4) == 0) {
        desc->file = 0;
        r->path = sim->disc->files[r->subject].path;
        desc->path = r->path;
    }
    return sim->disc->files[r->subject].bytes;
}

static void choose_range(struct sim *sim, struct sim_read *r, uint64_t size)
{
    uint32_t most = swarm_below(&sim->swarm, 8) ? r->room / 8 : r->room;

    if (most > size)
        most = (uint32_t)size;
    r->bytes = swarm_between(&sim->swarm, 1, most);
    r->offset = test_random_u64(&sim->swarm.random) % (size - r->bytes + 1);
    if (swarm_below(&sim->swarm, 3) == 0)
        r->offset -= r->offset % 4096;
    r->buffer_bytes = (uint32_t)r->bytes;
    if (swarm_below(&sim->swarm, 4) == 0)
        r->buffer_bytes = r->room;
    /* Read to the end of the file. */
    if (swarm_below(&sim->swarm, 8) == 0) {
        r->offset = size - r->bytes;
        r->bytes = 0;
    }
    if (swarm_draws(&sim->swarm, SWARM_OUT_OF_RANGE))
        r->offset =
            size - (r->bytes ? r->bytes - 1 : 0) + swarm_below(&sim->swarm, 3);
}

static void choose_manner(struct sim *sim, struct sim_read *r,
                          spn_read_desc *desc)
{
    static const spn_priority priorities[] = {
        SPN_PRIORITY_URGENT, SPN_PRIORITY_ABOVE_NORMAL, SPN_PRIORITY_NORMAL,
        SPN_PRIORITY_BELOW_NORMAL, SPN_PRIORITY_IDLE};

    desc->priority = priorities[swarm_below(&sim->swarm, 5)];
    desc->task = (spn_task)swarm_between(&sim->swarm, 1, 12);
    if (swarm_below(&sim->swarm, 4) == 0)
        desc->deadline_us =
            sim->clock.shown_us + swarm_below(&sim->swarm, 3000000);
    r->task = desc->task;
    r->has_async = swarm_below(&sim->swarm, 2);
    r->has_done = swarm_below(&sim->swarm, 8) != 0;
    r->has_storage = swarm_below(&sim->swarm, 3) == 0;
    r->has_block =
        r->has_done && !r->has_storage && swarm_below(&sim->swarm, 4) == 0;
    desc->on_async = r->has_async ? sim_read_on_async : NULL;
    desc->on_done = r->has_done ? sim_read_on_done : NULL;
    if (r->has_block) {
        desc->flags = SPN_READ_INTO_HEAP;
        r->buffer_bytes = r->room;
    } else if (r->has_storage) {
        desc->on_storage = sim_read_on_storage;
        /* The callback provides memory for everything that can arrive. */
        r->buffer_bytes = r->room;
    } else {
        desc->buffer = r->memory;
        desc->buffer_bytes = r->buffer_bytes;
    }
    desc->user = r;
    if (swarm_below(&sim->swarm, 16) == 0)
        desc->flags |= SPN_READ_OVER_BUDGET;
}

/* Fill the description of the slot's read, without starting it. */
static void describe(struct sim *sim, struct sim_read *r, spn_read_desc *desc)
{
    uint8_t *memory = r->memory;
    uint32_t room = r->room;
    spn_read handle = r->handle;

    *r = (struct sim_read){
        .sim = sim, .memory = memory, .room = room, .handle = handle};
    *desc = (spn_read_desc){0};
    choose_range(sim, r, choose_subject(sim, r, desc));
    choose_manner(sim, r, desc);
    desc->offset = r->offset;
    desc->bytes = r->bytes;
    r->taint_count = sim->drive.taint_count;
    r->unmounted = sim->paks.unmounted;
    memset(r->memory + r->buffer_bytes, SIM_BEHIND,
           r->room + SIM_GUARD - r->buffer_bytes);
}

/* Record that a paused type delayed a read. */
static void note_pause_effect(struct sim *sim, spn_task task)
{
    if (sim->reads.ineffective_pauses >> task & 1)
        swarm_hit(&sim->swarm, SWARM_PAUSE);
    sim->reads.ineffective_pauses &= ~(1u << task);
}

/* Full tables are legal results, and so is a stale handle of a closed file. */
static void note_start(struct sim *sim, struct sim_read *r, spn_status status,
                       spn_read handle)
{
    sim_note(sim, "start", handle, r->offset, status);
    if (status == SPN_OK) {
        r->handle = handle;
        note_pause_effect(sim, r->task);
        return;
    }
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_FULL ||
                 (status == SPN_ERR_SHUTDOWN && sim->is_shut));
    sim->reads.started--;
    r->is_started = false;
    sim_read_poison(r);
}

bool sim_reads_start_one(struct sim *sim)
{
    struct sim_read *r = free_slot(sim);
    spn_read handle = 0;
    spn_read_desc desc;
    spn_status status;

    if (!r)
        return false;
    describe(sim, r, &desc);
    /* The completion may come before the call returns. */
    r->is_started = true;
    sim->reads.started++;
    status = spn_read_start(sim->rt, &desc, &handle);
    note_start(sim, r, status, handle);
    return status == SPN_OK;
}

static void start_batch(struct sim *sim)
{
    struct sim_read *slots[BATCH];
    spn_read_desc descs[BATCH];
    spn_read handles[BATCH] = {0};
    uint32_t count = 0;
    spn_status status;

    while (count < BATCH && (slots[count] = free_slot(sim))) {
        describe(sim, slots[count], &descs[count]);
        slots[count]->is_started = true;
        sim->reads.started++;
        count++;
    }
    if (count == 0)
        return;
    status = spn_read_start_batch(sim->rt, descs, count, handles);
    for (uint32_t i = 0; i < count; i++)
        note_start(sim, slots[i], status, handles[i]);
}

/* -- operations -- */

/* Returns false when the read was over without the caller knowing. */
static bool abort_read(struct sim *sim, struct sim_read *r)
{
    spn_status status;

    r->is_aborted = true;
    status = spn_read_abort(sim->rt, r->handle);
    sim_note(sim, "abort", r->handle, 0, status);
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_OK || (status == SPN_ERR_HANDLE && !r->has_done));
    return status == SPN_OK;
}

bool sim_reads_abort_one(struct sim *sim)
{
    struct sim_read *r = &sim->reads.slots[swarm_below(&sim->swarm, SIM_READS)];

    return r->is_started && r->handle != 0 && abort_read(sim, r);
}

static void use_stale_handles(struct sim *sim)
{
    const struct sim_read *r =
        &sim->reads.slots[swarm_below(&sim->swarm, SIM_READS)];
    spn_file file = sim->reads.old_files[swarm_below(&sim->swarm, SIM_FILES)];
    spn_read_result result;

    if ((!r->is_started && r->handle) || file)
        swarm_hit(&sim->swarm, SWARM_STALE_HANDLE);
    if (!r->is_started && r->handle) {
        SIM_MUST(sim, SIM_STATUS,
                 spn_read_abort(sim->rt, r->handle) == SPN_ERR_HANDLE);
        SIM_MUST(sim, SIM_STATUS,
                 spn_read_poll(sim->rt, r->handle) == SPN_ERR_HANDLE);
        SIM_MUST(sim, SIM_STATUS,
                 spn_read_wait(sim->rt, r->handle, 1000, &result) ==
                     SPN_ERR_HANDLE);
    }
    if (file) {
        spn_read_desc desc = {
            .file = file, .bytes = 1, .buffer = &result, .buffer_bytes = 1};
        spn_read handle;

        SIM_MUST(sim, SIM_STATUS,
                 spn_file_close(sim->rt, file) == SPN_ERR_HANDLE);
        SIM_MUST(sim, SIM_STATUS,
                 spn_read_start(sim->rt, &desc, &handle) == SPN_ERR_HANDLE);
    }
}

/* Abort and wait. Its callbacks have ended when the call returns. */
static void end_one(struct sim *sim, struct sim_read *r)
{
    const spn_read handle = r->handle;
    spn_status status;

    r->is_aborted = true;
    status = spn_read_abort_now(sim->rt, handle);
    sim_note(sim, "abort now", handle, 0, status);
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_OK || (status == SPN_ERR_HANDLE && !r->has_done));
    SIM_MUST(sim, SIM_ONCE,
             !r->is_started || r->handle != handle || !r->has_done);
    SIM_MUST(sim, SIM_STATUS, spn_read_poll(sim->rt, handle) == SPN_ERR_HANDLE);
}

static void wait_for_one(struct sim *sim)
{
    struct sim_read *r = &sim->reads.slots[swarm_below(&sim->swarm, SIM_READS)];
    uint64_t timeout_us = swarm_below(&sim->swarm, 60000);
    spn_read_result result = {0};
    spn_status status;

    /* The clock would not advance during the wait. */
    if (!r->is_started || r->handle == 0 ||
        (sim->machine == SIM_COOPERATIVE && sim_clock_is_stopped(sim)))
        return;
    if (timeout_us % 4 == 0) {
        end_one(sim, r);
        return;
    }
    status = spn_read_wait(sim->rt, r->handle, timeout_us, &result);
    sim_note(sim, "wait", r->handle, timeout_us, status);
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_OK || status == SPN_ERR_TIMEOUT ||
                 (status == SPN_ERR_HANDLE && !r->has_done));
    if (status != SPN_ERR_HANDLE)
        swarm_hit(&sim->swarm, SWARM_WAIT);
    if (status == SPN_OK)
        SIM_MUST(sim, SIM_STATUS,
                 result.read == r->handle && result.user == r &&
                     result.status != SPN_PENDING);
}

static void pause_task(struct sim *sim, spn_task task)
{
    struct sim_reads *reads = &sim->reads;

    SIM_MUST(sim, SIM_STATUS, spn_task_pause(sim->rt, task) == SPN_OK);
    reads->ineffective_pauses |= 1u << task;
    for (uint32_t i = 0; i < SIM_READS; i++)
        if (reads->slots[i].is_started && reads->slots[i].task == task)
            note_pause_effect(sim, task);
}

static void toggle_pause(struct sim *sim)
{
    struct sim_reads *reads = &sim->reads;

    if (!reads->is_paused) {
        pause_task(sim, (spn_task)swarm_between(&sim->swarm, 1, 14));
        reads->is_paused = swarm_below(&sim->swarm, 2);
        return;
    }
    reads->ineffective_pauses = 0;
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        (void)spn_task_resume(sim->rt, (spn_task)task);
    reads->is_paused = false;
}

static void toggle_file(struct sim *sim, bool may_close)
{
    uint32_t i = swarm_below(&sim->swarm, SIM_FILES);
    spn_file *file = &sim->reads.files[i];
    spn_status status;

    if (*file && may_close) {
        status = spn_file_close(sim->rt, *file);
        SIM_MUST(sim, SIM_STATUS, status == SPN_OK);
        sim->reads.old_files[i] = *file;
        *file = 0;
        swarm_hit(&sim->swarm, SWARM_CLOSE);
        sim_note(sim, "file closed", i, 0, 0);
    } else if (!*file) {
        status = spn_file_open(sim->rt, sim->disc->files[i].path, file);
        SIM_MUST(sim, SIM_STATUS,
                 status == SPN_OK || status == SPN_ERR_TABLE_FULL);
        sim_note(sim, "file opened", i, *file, status);
    }
}

static void record(struct sim *sim)
{
    struct sim_reads *reads = &sim->reads;
    uint32_t count;
    uint32_t lost;

    if (reads->is_recording) {
        reads->is_recording =
            spn_record_stop(sim->rt, &count, &lost) == SPN_PENDING;
        return;
    }
    reads->is_recording =
        spn_record_start(sim->rt,
                         &(spn_record_desc){reads->record_events, 64,
                                            reads->record_text, 512}) == SPN_OK;
}

static void do_harm(struct sim *sim)
{
    struct swarm *swarm = &sim->swarm;

    if (swarm_draws(swarm, SWARM_ABORT))
        for (uint32_t i = swarm_below(swarm, 3); i < 3; i++)
            if (sim_reads_abort_one(sim))
                swarm_hit(swarm, SWARM_ABORT);
    if (swarm_draws(swarm, SWARM_STALE_HANDLE))
        use_stale_handles(sim);
    if (swarm_draws(swarm, SWARM_WAIT))
        wait_for_one(sim);
    if (swarm_draws(swarm, SWARM_PAUSE))
        toggle_pause(sim);
    toggle_file(sim, swarm_draws(swarm, SWARM_CLOSE));
}

/* Two statements: compilers evaluate arguments in different orders. */
static void set_class(struct sim *sim)
{
    const uint32_t to = swarm_below(&sim->swarm, SPN_CLASS_COUNT);
    const uint32_t task = swarm_between(&sim->swarm, 1, 12);

    (void)spn_task_set_class(sim->rt, (spn_task)task, (spn_task_class)to);
}

void sim_reads_frame(struct sim *sim)
{
    struct swarm *swarm = &sim->swarm;

    do_harm(sim);
    if (swarm_below(swarm, 3) == 0)
        (void)sim_reads_start_one(sim);
    if (swarm_below(swarm, 16) == 0)
        start_batch(sim);
    if (swarm_below(swarm, 16) == 0)
        spn_read_retry_storage(sim->rt);
    if (swarm_below(swarm, 100) == 0)
        record(sim);
    if (swarm_below(swarm, 200) == 0)
        spn_io_reset_stats(sim->rt);
    if (swarm_below(swarm, 100) == 0)
        set_class(sim);
}

/* -- end -- */

/* A read without callbacks keeps its result until it is taken. */
static void take_result(struct sim *sim, const struct sim_read *r)
{
    spn_read_result result = {0};

    if (spn_read_poll(sim->rt, r->handle) != SPN_OK)
        return;
    SIM_MUST(sim, SIM_STATUS,
             spn_read_wait(sim->rt, r->handle, 0, &result) == SPN_OK &&
                 result.read == r->handle && result.user == r);
}

void sim_reads_take_results(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++) {
        struct sim_read *r = &sim->reads.slots[i];

        if (!r->is_started || r->has_done)
            continue;
        if (!r->has_async)
            take_result(sim, r);
        if (spn_read_poll(sim->rt, r->handle) == SPN_ERR_HANDLE)
            sim_read_forget(r);
    }
}

/* A read that waits for room in the heap keeps its pak mounted, and a loaded
 * pak keeps the room. Only the caller can resolve this. */
static void abort_blocked_reads(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++) {
        struct sim_read *r = &sim->reads.slots[i];

        if (r->is_started && r->has_block && r->is_entry && !r->is_aborted &&
            r->unmounted < sim->paks.unmounted)
            (void)abort_read(sim, r);
    }
}

void sim_reads_end_faults(struct sim *sim)
{
    abort_blocked_reads(sim);
    sim->reads.is_paused = true;
    toggle_pause(sim);
    if (sim->reads.is_recording)
        record(sim);
}

void sim_reads_give_up(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++) {
        struct sim_read *r = &sim->reads.slots[i];
        spn_block block;

        if (!r->is_started || !r->has_block || r->is_aborted)
            continue;
        if (spn_block_alloc(sim->rt, r->room, 0, &block) != SPN_OK)
            (void)abort_read(sim, r);
        else
            (void)spn_block_free(sim->rt, block);
    }
}

void sim_reads_close(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_FILES; i++)
        if (sim->reads.files[i]) {
            SIM_MUST(sim, SIM_STATUS,
                     spn_file_close(sim->rt, sim->reads.files[i]) == SPN_OK);
            sim->reads.files[i] = 0;
        }
}

bool sim_reads_are_over(const struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_READS; i++)
        if (sim->reads.slots[i].is_started)
            return false;
    return true;
}
