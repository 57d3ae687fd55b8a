/* engine_sim.c - feeds a game's requests to a runtime, and moves the clock.
 *
 * The clock goes from event to event: a request of the game, the end of a read
 * at the drive. Requests live from their start to their completion; one that
 * finds no slot in the runtime waits here until there is one.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/engine_sim.h"

#include "common/diag.h"
#include "common/host.h"
#include "simulate/sim_disc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US 1000000u
#define READS 8192u
#define BUDGET_BYTES (UINT32_C(1) << 31)
#define MEMORY_ALIGN 64u
/* How far the head is before a burst begins. */
#define ELSEWHERE_BYTES (UINT64_C(1) << 28)

struct sim_request {
    struct workload_request request;
    struct run *run;
    struct sim_request *next; /* in the list of all that are not completed */
    spn_read read;
    uint64_t position;
    uint8_t *buffer;
    bool is_started;
    bool is_over;
};

struct run {
    const struct engine_sim *sim;
    struct engine_sim_result *out;
    struct workload *workload;
    struct sim_disc disc;
    spn_platform table;
    spn_emulator *emulator;
    void *emulator_memory;
    spn_runtime *rt;
    void *memory;
    spn_file file;
    struct sim_request *requests;
    bool is_full; /* somebody waits for a slot */
};

static void *get_memory(size_t bytes)
{
    bytes = (bytes + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
    if (bytes > 0) {
        void *memory = host_aligned_alloc(MEMORY_ALIGN, bytes);

        if (memory)
            return memory;
    }
    fputs("spindle: out of memory\n", stderr);
    exit(EXIT_INTERNAL);
}

/* ---- one read -------------------------------------------------------------
 */

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct sim_request *r = want->user;

    r->buffer = get_memory((size_t)want->bytes);
    *buffer = r->buffer;
    return SPN_OK;
}

static void on_done(const spn_read_result *result)
{
    struct sim_request *r = result->user;
    struct engine_sim_result *out = r->run->out;
    const struct workload_request *request = &r->request;

    out->completed++;
    r->is_over = true;
    if (result->status == SPN_OK) {
        if (result->bytes != request->bytes ||
            !sim_disc_is_equal(r->position, r->buffer, request->bytes))
            out->bad_reads++;
        tally_end(&out->tally, request->class, request->bytes,
                  request->arrival_us, request->deadline_us,
                  r->run->disc.clock_us);
    } else if (result->status != SPN_ERR_ABORTED &&
               result->status != SPN_ERR_SHUTDOWN) {
        out->failed++;
    }
    /* A stream goes on behind what could not be read. */
    if (result->status != SPN_ERR_SHUTDOWN)
        workload_done(r->run->workload, request);
    host_aligned_free(r->buffer);
    r->buffer = NULL;
}

/* The deadlines of a game that says only what it must. */
static void describe(const struct run *run, struct sim_request *r,
                     spn_read_desc *desc)
{
    static const spn_task tasks[SWEEP_CLASSES] = {
        [SWEEP_SOUND] = SPN_TASK_SOUND,
        [SWEEP_CLIP] = SPN_TASK_ANIMATION,
        [SWEEP_STREAM] = SPN_TASK_VIDEO,
        [SWEEP_BULK] = SPN_TASK_TEXTURE};
    static const spn_priority priorities[SWEEP_CLASSES] = {
        [SWEEP_SOUND] = SPN_PRIORITY_ABOVE_NORMAL,
        [SWEEP_CLIP] = SPN_PRIORITY_NORMAL,
        [SWEEP_STREAM] = SPN_PRIORITY_NORMAL,
        [SWEEP_BULK] = SPN_PRIORITY_BELOW_NORMAL};

    *desc = (spn_read_desc){.file = run->file,
                            .offset = r->position,
                            .bytes = r->request.bytes,
                            .priority = priorities[r->request.class],
                            .task = tasks[r->request.class],
                            .deadline_us = r->request.deadline_us,
                            .on_storage = give,
                            .on_done = on_done,
                            .user = r};
    /* 0 would be none, UINT64_MAX is. */
    if (desc->deadline_us == 0)
        desc->deadline_us = 1;
    if (desc->deadline_us == UINT64_MAX)
        desc->deadline_us = 0;
    if (run->sim->is_idle_bulk && r->request.class == SWEEP_BULK) {
        desc->priority = SPN_PRIORITY_IDLE;
        desc->deadline_us = 0;
    }
}

static void start(struct run *run, struct sim_request *r)
{
    spn_read_desc desc;
    spn_status status;

    describe(run, r, &desc);
    status = spn_read_start(run->rt, &desc, &r->read);
    if (status == SPN_FULL) {
        run->is_full = true;
        return;
    }
    if (status != SPN_OK) {
        fputs("spindle: internal error: a read that cannot be\n", stderr);
        exit(EXIT_INTERNAL);
    }
    r->is_started = true;
    run->out->started++;
}

static void add_at(struct run *run, const struct workload_request *request,
                   uint64_t position)
{
    struct sim_request *r = get_memory(sizeof *r);

    *r = (struct sim_request){.request = *request,
                              .run = run,
                              .next = run->requests,
                              .position = position};
    run->requests = r;
    start(run, r);
}

static void add(struct run *run, const struct workload_request *request)
{
    add_at(run, request,
           workload_file_at(run->workload, request->file)->offset +
               request->offset);
}

/* ---- all of them ----------------------------------------------------------
 */

/* Forget what is over, and start what found no slot. */
static void forget_old(struct run *run)
{
    bool was_full = run->is_full;

    run->is_full = false;
    for (struct sim_request **link = &run->requests; *link;) {
        struct sim_request *r = *link;

        if (r->is_over) {
            *link = r->next;
            host_aligned_free(r);
            continue;
        }
        if (was_full && !r->is_started)
            start(run, r);
        link = &r->next;
    }
}

static void abort_stale(struct run *run)
{
    for (struct sim_request *r = run->requests; r; r = r->next) {
        if (r->is_over || workload_is_wanted(run->workload, &r->request))
            continue;
        if (r->is_started)
            (void)spn_read_abort(run->rt, r->read);
        else
            r->is_over = true;
    }
}

static void take_requests(struct run *run)
{
    struct workload_request request;

    if (workload_advance(run->workload, run->disc.clock_us))
        abort_stale(run);
    while (workload_take(run->workload, &request))
        add(run, &request);
}

/* ---- begin and end --------------------------------------------------------
 */

static bool start_drive(struct run *run, spn_platform *real)
{
    const struct engine_sim *sim = run->sim;
    const spn_emulator_drive drive = {.profile = sim->workload.drive};
    static const spn_emulator_place place = {SIM_DISC_PATH, 0, 0};
    const spn_emulator_config config = {.platform = real,
                                        .drives = &drive,
                                        .drive_count = 1,
                                        .places = &place,
                                        .place_count = 1,
                                        .faults = sim->faults,
                                        .fault_count = sim->fault_count};
    size_t bytes = spn_emulator_bytes(&config);

    if (bytes == 0)
        return false;
    run->emulator_memory = get_memory(bytes);
    return spn_emulator_init(&config, run->emulator_memory, bytes,
                             &run->emulator, &run->table) == SPN_OK;
}

static bool start_runtime(struct run *run)
{
    const struct engine_sim *sim = run->sim;
    spn_config config = {.platform = &run->table,
                         .heap_bytes = 65536,
                         .read_count = READS,
                         .read_budget_bytes = BUDGET_BYTES,
                         .piece_bytes = sim->piece_bytes,
                         .worker_count = SPN_NO_WORKERS};
    size_t bytes;

    config.media[SPN_MEDIUM_OPTICAL].order = sim->order;
    config.media[SPN_MEDIUM_OPTICAL].drive =
        sim->believed ? sim->believed : sim->workload.drive;
    bytes = spn_memory_needed(&config);
    if (bytes == 0)
        return false;
    run->memory = get_memory(bytes);
    return spn_init(&config, run->memory, bytes, &run->rt) == SPN_OK &&
           spn_file_open(run->rt, SIM_DISC_PATH, &run->file) == SPN_OK;
}

static void end(struct run *run)
{
    if (run->rt) {
        spn_shutdown(run->rt);
        for (struct sim_request *r = run->requests; r; r = run->requests) {
            run->requests = r->next;
            host_aligned_free(r);
        }
    }
    workload_destroy(run->workload);
    host_aligned_free(run->memory);
    host_aligned_free(run->emulator_memory);
}

static bool begin(struct run *run, const struct engine_sim *sim,
                  struct engine_sim_result *out)
{
    spn_platform real;

    memset(run, 0, sizeof *run);
    memset(out, 0, sizeof *out);
    run->sim = sim;
    run->out = out;
    run->workload = workload_create(&sim->workload);
    if (!run->workload)
        return false;
    tally_init(&out->tally);
    sim_disc_init(&run->disc, spn__drive_disc_bytes(sim->workload.drive),
                  &real);
    if (start_drive(run, &real) && start_runtime(run))
        return true;
    end(run);
    tally_free(&out->tally);
    return false;
}

/* ---- time -----------------------------------------------------------------
 */

/* Whatever the engine can do at this moment is done. */
static void update(struct run *run)
{
    spn_update(run->rt);
    forget_old(run);
}

static void count_waiting(struct run *run)
{
    uint64_t now_us = run->disc.clock_us;

    for (const struct sim_request *r = run->requests; r; r = r->next) {
        const struct workload_request *request = &r->request;
        uint64_t *longest_us = &run->out->waiting_us[request->class];

        if (r->is_over)
            continue;
        tally_waits(&run->out->tally, request->class, request->arrival_us,
                    request->deadline_us, now_us);
        if (now_us - request->arrival_us > *longest_us)
            *longest_us = now_us - request->arrival_us;
    }
}

static void collect_drive(struct run *run)
{
    struct tally *tally = &run->out->tally;
    spn_emulator_stats drive;
    spn_io_stats io;

    spn_io_get_stats(run->rt, &io);
    run->out->pending_peak = io.pending_peak;
    (void)spn_io_get_medium_stats(run->rt, SPN_MEDIUM_OPTICAL,
                                  &run->out->stats);
    if (spn_emulator_get_stats(run->emulator, 0, &drive) != SPN_OK)
        return;
    tally->time_us = run->disc.clock_us;
    tally->busy_us = drive.busy_us;
    tally->seek_us = drive.seek_us;
    tally->rotate_us = drive.rotate_us;
    tally->gap_us = drive.gap_us;
    tally->transfer_us = drive.transfer_us;
    tally->seek_count = drive.seeks;
    tally->travel_nm = drive.travel_um * 1000;
    tally->joined = run->out->stats.total.joined;
}

/* An emulator that waits for nothing: the end of a fault is nobody's event. */
static uint64_t next_us(const struct run *run)
{
    uint64_t drive_us = spn_emulator_due_us(run->emulator);
    uint64_t game_us = workload_due_us(run->workload);

    return drive_us < game_us ? drive_us : game_us;
}

bool engine_sim_run(const struct engine_sim *sim, struct engine_sim_result *out)
{
    struct run run;
    uint64_t end_us = sim->seconds * SECOND_US;

    if (!begin(&run, sim, out))
        return false;
    while (run.disc.clock_us < end_us) {
        uint64_t due_us;

        take_requests(&run);
        update(&run);
        due_us = next_us(&run);
        /* What an end of a read lets happen at once happens at once. */
        if (due_us > run.disc.clock_us)
            run.disc.clock_us = due_us < end_us ? due_us : end_us;
    }
    count_waiting(&run);
    collect_drive(&run);
    out->still_us = workload_still_us(run.workload);
    out->playing_us = workload_playing_us(run.workload);
    end(&run);
    return true;
}

/* ---- bursts ---------------------------------------------------------------
 */

static void run_until_quiet(struct run *run)
{
    for (;;) {
        uint64_t due_us;

        update(run);
        if (!run->requests)
            return;
        due_us = spn_emulator_due_us(run->emulator);
        if (due_us != UINT64_MAX && due_us > run->disc.clock_us)
            run->disc.clock_us = due_us;
    }
}

/* The head comes from elsewhere. */
static void go_elsewhere(struct run *run, uint32_t file)
{
    uint64_t offset = workload_file_at(run->workload, file)->offset;
    const struct workload_request request = {
        .file = file, .bytes = 1, .class = SWEEP_BULK};

    add_at(run, &request,
           offset > ELSEWHERE_BYTES ? offset - ELSEWHERE_BYTES : 0);
    run_until_quiet(run);
}

static void read_burst(struct run *run, const uint32_t files[WORKLOAD_BURST],
                       struct engine_burst *out)
{
    uint64_t begin_us;

    go_elsewhere(run, files[0]);
    begin_us = run->disc.clock_us;
    out->transfer_us = 0;
    for (uint32_t i = 0; i < WORKLOAD_BURST; i++) {
        const struct workload_file *file =
            workload_file_at(run->workload, files[i]);
        const struct workload_request request = {.file = files[i],
                                                 .bytes = file->bytes,
                                                 .arrival_us = begin_us,
                                                 .deadline_us = UINT64_MAX,
                                                 .class = SWEEP_BULK};

        add(run, &request);
        out->transfer_us += spn__drive_transfer_us(run->sim->workload.drive,
                                                   file->offset, file->bytes);
    }
    run_until_quiet(run);
    out->read_us = run->disc.clock_us - begin_us;
}

bool engine_sim_burst(const struct engine_sim *sim, uint32_t scene,
                      struct engine_burst *out)
{
    struct engine_sim_result result;
    uint32_t files[WORKLOAD_BURST];
    struct run run;
    bool is_there;

    if (!begin(&run, sim, &result))
        return false;
    is_there = workload_burst(run.workload, scene, files);
    if (is_there)
        read_burst(&run, files, out);
    end(&run);
    tally_free(&result.tally);
    return is_there;
}
