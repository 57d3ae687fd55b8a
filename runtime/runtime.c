/* runtime.c - init, update and shutdown of a runtime and its modules.
 *
 * Everything lies in the caller's block: first struct spn_runtime, then the
 * tables that carve_all carves. carve_all also computes the size of the block.
 * Updates run on the caller's thread and never wait. Caches and nodes are in
 * play/, reads in read/.
 */
/* SPDX-License-Identifier: MIT */
#include "runtime.h"

#include "base/assert.h"
#include "base/compiler.h"
#include "base/cpu.h"
#include "base/mem.h"
#include "job_gate.h"
#include "observe/listen.h"
#include "play/scratch.h"
#include "read/pak_mount.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"
#include "threads.h"

#define SHUTDOWN_POLL_US 1000u

/* -- memory -- */

static uint32_t page_shift_of(const spn_config *c)
{
    uint32_t shift = 12;

    while (((uint32_t)1 << shift) < c->heap_page_bytes)
        shift++;
    return shift;
}

static uint32_t page_count_of(const spn_config *c)
{
    return c->heap_bytes / c->heap_page_bytes +
           (c->heap_bytes % c->heap_page_bytes != 0);
}

/* Number of workers that are not spn_update's. The index of spn_update's worker
 * is the next one. */
static uint32_t worker_count_of(const spn_config *c)
{
    return c->worker_count == SPN_NO_WORKERS ? 0 : c->worker_count;
}

/* Number of threads of the runtime, the io thread not counted. */
static uint32_t thread_count_of(const spn_config *c)
{
    uint32_t count = c->job_submit ? 0 : worker_count_of(c);

    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        count += c->reserved_tasks[i] != 0;
    return count;
}

/* No waiters are needed on a platform without events: no thread sleeps. */
static uint32_t waiter_count_of(const spn_config *c)
{
    return c->platform->event_create ? c->wait_count : 0;
}

/* Carve the reserved workers. Each has a table of jobs with room for all reads.
 * The second worker index of a table is used by the caller's thread during
 * shutdown. */
static void carve_reserved(struct spn_runtime *rt, struct carve *carve,
                           struct io_config *io)
{
    rt->reserved =
        SPN_CARVE(carve, struct runtime_reserved, SPN_RESERVED_WORKERS_MAX);
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++) {
        struct jobs jobs;

        if (rt->config.reserved_tasks[i] == 0)
            continue;
        spn__jobs_init(&jobs, carve, rt->config.read_count, 2, 0);
        if (!rt->reserved)
            continue;
        rt->reserved[i].jobs = jobs;
        io->lanes[i].jobs = &rt->reserved[i].jobs;
        io->lanes[i].tasks = rt->config.reserved_tasks[i];
    }
}

/* Rounded up, so that a limit in KiB allows as much as one in bytes. */
static uint64_t kib_of(uint64_t bytes)
{
    return (bytes + 1023) / 1024;
}

static void init_tuning(struct spn_runtime *rt)
{
    spn__tuning_init(rt->tuning);
    spn__tuning_begin(rt->tuning, TUNING_stream_memory_kib,
                      kib_of((uint64_t)page_count_of(&rt->config) *
                             rt->config.heap_page_bytes));
    spn__tuning_begin(rt->tuning, TUNING_use_anim_image,
                      !rt->config.anim_has_loose_headers);
    spn__tuning_begin(rt->tuning, TUNING_read_budget_kib,
                      kib_of(rt->config.read_budget_bytes));
}

/* Cut the heap, the jobs, the trace and the io thread's tables. */
static void carve_base(struct spn_runtime *rt, struct carve *carve)
{
    const spn_config *c = &rt->config;
    struct io_config io = {.platform = &rt->platform,
                           .jobs = &rt->jobs,
                           .heap = &rt->heap,
                           .read_count = c->read_count,
                           .file_count = c->file_count,
                           .piece_bytes = c->piece_bytes,
                           .wait_count = waiter_count_of(c),
                           .budget_bytes = c->read_budget_bytes,
                           .pak_count = c->pak_count,
                           .has_loose_files_only = c->has_loose_files_only != 0,
                           .memory = {&rt->manager.promises,
                                      spn__promise_take_block,
                                      spn__promise_return_block},
                           .unpack = {.bytes = c->unpack_bytes,
                                      .codecs = c->codecs,
                                      .codec_count = c->codec_count,
                                      .workspace_at = SCRATCH_WORKSPACES},
                           .listener = c->listener,
                           .invalid_wait_us = c->invalid_wait_us};

    memcpy(io.media, c->media, sizeof io.media);
    rt->own_worker = worker_count_of(c);
    spn__jobs_init(&rt->jobs, carve, c->job_count, rt->own_worker + 1,
                   scratch_bytes(c->codecs, c->codec_count));
    spn__carve_for(carve, SPN_MEMORY_TRACE);
    if (SPN_WITH_OBSERVERS)
        spn__trace_init(&rt->trace, carve, c->trace_count);
    spn__carve_for(carve, SPN_MEMORY_RUNTIME);
    rt->tuning = SPN_CARVE(carve, struct tuning, 1);
    if (rt->tuning)
        init_tuning(rt);
    rt->thread_max = 1 + thread_count_of(c);
    rt->threads = SPN_CARVE(carve, struct runtime_thread, rt->thread_max);
    carve_reserved(rt, carve, &io);
    spn__carve_for(carve, SPN_MEMORY_RUNTIME);
    rt->wait_events = SPN_CARVE(carve, uint64_t, (size_t)c->wait_count + 1);
    rt->io = spn__io_init(carve, &io);
}

static struct anim *carve_anim(struct spn_runtime *rt, struct carve *carve)
{
    const spn_config *c = &rt->config;
    const struct anim_config anim = {.heap = &rt->heap,
                                     .io = rt->io,
                                     .jobs = &rt->jobs,
                                     .tuning = rt->tuning,
                                     .trace = &rt->trace,
                                     .manager = &rt->manager,
                                     .clip_count = c->anim_count,
                                     .loaded_count = c->anim_loaded_count,
                                     .database_count = c->anim_database_count,
                                     .play_count = c->anim_play_count,
                                     .timeline_count = c->anim_timeline_count,
                                     .skeleton_count = c->anim_skeleton_count,
                                     .reserve_bytes = c->anim_reserve_bytes,
                                     .cpu = carve->base ? spn__cpu_detect() : 0,
                                     .has_loose_headers =
                                         c->anim_has_loose_headers != 0};

    return spn__anim_init(carve, &anim);
}

/* Carve all tables, or count their bytes. `rt` must have its config in both
 * cases. */
static void carve_all(struct spn_runtime *rt, struct carve *carve)
{
    const spn_config *c = &rt->config;
    struct manager_config geom = {.platform = &rt->platform,
                                  .heap = &rt->heap,
                                  .jobs = &rt->jobs,
                                  .trace = &rt->trace,
                                  .codecs = c->codecs,
                                  .codec_count = c->codec_count,
                                  .cache_count = c->cache_count,
                                  .node_count = c->node_count,
                                  .fill_count = c->fill_count,
                                  .stream_frame_count = c->stream_frame_count};

    spn__carve_for(carve, SPN_MEMORY_RUNTIME);
    /* Not set to zero, because *rt lies there already. */
    (void)spn__carve_raw(carve, 1, sizeof *rt, SPN_MEMORY_ALIGN);
    carve_base(rt, carve);
    geom.io = rt->io;
    geom.tuning = rt->tuning;
    geom.cpu = carve->base ? spn__cpu_detect() : 0;
    spn__manager_init(&rt->manager, carve, &geom);
    rt->views = spn__views_init(&rt->manager, carve);
    rt->events = spn__geom_events_init(&rt->manager, carve);
    rt->anim = carve_anim(rt, carve);
    /* Last, because it is the largest. */
    spn__heap_init(&rt->heap, carve, page_count_of(c), page_shift_of(c),
                   c->heap_block_count);
    spn__anim_begin(rt->anim);
}

/* Set up *rt for carve_all: zeros, and the resolved config. */
static spn_status prepare(struct spn_runtime *rt, const spn_config *config)
{
    spn_status status;

    memset(rt, 0, sizeof *rt);
    status = spn_config_resolve(config, &rt->config);
    if (status != SPN_OK)
        return status;
    rt->platform = *rt->config.platform;
    rt->config.platform = &rt->platform;
    return SPN_OK;
}

/* Not inlined: its stack frame contains a struct spn_runtime. */
SPN_NOINLINE spn_status spn__runtime_count_memory(const spn_config *config,
                                                  uint64_t *tally,
                                                  size_t *needed)
{
    struct carve carve = {.limit = SIZE_MAX, .tally = tally};
    struct spn_runtime counted;
    spn_status status = prepare(&counted, config);

    *needed = 0;
    if (status != SPN_OK)
        return status;
    carve_all(&counted, &carve);
    if (carve.is_over)
        return SPN_ERR_MEMORY;
    *needed = carve.used;
    return SPN_OK;
}

size_t spn_memory_needed(const spn_config *config)
{
    size_t needed;

    (void)spn__runtime_count_memory(config, NULL, &needed);
    return needed;
}

/* Whether the job gate lies in the block. This is an error, because a step
 * after the shutdown reads the gate, and the block may have been freed. */
static bool is_gate_inside(const spn_config *config, const void *memory,
                           size_t bytes)
{
    uintptr_t gate = (uintptr_t)config->job_gate;
    uintptr_t first = (uintptr_t)memory;

    return config->job_submit && gate + sizeof *config->job_gate > first &&
           gate < first + bytes;
}

/* The gate is opened last, when the start cannot fail any more. Steps for jobs
 * of an earlier runtime may be called at any time; there are no jobs before the
 * gate is open. */
static spn_status start(struct spn_runtime *rt)
{
    spn_status status = spn__threads_create_events(rt);

    if (status == SPN_OK)
        status = spn__threads_start(rt);
    if (status == SPN_OK && rt->config.job_submit &&
        !spn__job_gate_open(rt->config.job_gate, rt)) {
        spn__threads_stop(rt);
        status = SPN_ERR_STATE;
    }
    if (status != SPN_OK)
        spn__threads_destroy_events(rt);
    return status;
}

spn_status spn_init(const spn_config *config, void *memory, size_t bytes,
                    spn_runtime **out)
{
    struct carve carve = {.base = memory, .limit = bytes};
    struct spn_runtime *rt = memory;
    size_t needed;
    spn_status status = spn__runtime_count_memory(config, NULL, &needed);

    if (!memory || !out || (uintptr_t)memory % SPN_MEMORY_ALIGN != 0)
        return SPN_ERR_ARG;
    if (status == SPN_OK && bytes < needed)
        status = SPN_ERR_MEMORY;
    if (status == SPN_OK && is_gate_inside(config, memory, bytes))
        status = SPN_ERR_ARG;
    if (status == SPN_OK)
        status = prepare(rt, config);
    if (status != SPN_OK)
        return status;
    carve_all(rt, &carve);
    SPN_ASSERT(!carve.is_over && carve.used == needed);
    status = start(rt);
    if (status == SPN_OK)
        *out = rt;
    return status;
}

/* -- update -- */

static uint64_t now_us(const struct spn_runtime *rt)
{
    return rt->platform.now_us(rt->platform.user);
}

/* Run jobs of reserved workers whose threads have ended, on the caller's
 * thread. */
static uint32_t step_reserved(struct spn_runtime *rt)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        if (rt->config.reserved_tasks[i] != 0)
            count += spn__jobs_step(&rt->reserved[i].jobs, 1);
    return count;
}

uint32_t spn__runtime_step(struct spn_runtime *rt, uint64_t *due_us)
{
    bool is_alone = rt->thread_count == 0;
    /* Relaxed: this thread has written it. */
    bool is_ending = is_alone && atomic_load_relaxed(&rt->is_stopping);
    bool has_jobs = !rt->has_workers && !rt->config.job_submit;
    uint32_t count = 0;

    *due_us = UINT64_MAX;
    rt->is_stepping = true;
    if (is_alone)
        count += spn__io_step(rt->io, due_us);
    if (has_jobs || is_ending)
        count += spn__jobs_step(&rt->jobs, rt->own_worker);
    if (is_ending)
        count += step_reserved(rt);
    rt->is_stepping = false;
    return count;
}

void spn__runtime_rest(struct spn_runtime *rt)
{
    const spn_platform *p = &rt->platform;

    if (rt->has_io_thread)
        p->event_wait(p->user, rt->io_event, now_us(rt) + SHUTDOWN_POLL_US);
}

/* Step until there is nothing to do now, at most `steps` times. Returns the
 * number of steps that are left. */
static uint32_t run_steps(struct spn_runtime *rt, uint32_t steps)
{
    while (steps > 0) {
        uint64_t due_us;
        uint32_t count = spn__runtime_step(rt, &due_us);

        if (count == 0)
            break;
        steps = steps > count ? steps - count : 0;
    }
    return steps;
}

/* The order is that of play/node/update.h. */
static void update_geometry(struct spn_runtime *rt, uint64_t now_us)
{
    spn__views_update(rt->views, now_us);
    spn__manager_update(&rt->manager, now_us);
    spn__geom_events_update(rt->events);
}

static void update(struct spn_runtime *rt)
{
    uint32_t steps;

    /* Steps before the update complete the reads that have ended by now. Steps
     * after it submit the reads that it has started. */
    spn__io_retry_storage(rt->io, false);
    steps = run_steps(rt, rt->tuning->value[TUNING_update_steps_max]);
    (void)spn__io_finish(rt->io, rt->config.read_count);
    if (SPN_WITH_PAKS)
        spn__paks_update(rt->io);
    spn__anim_update(rt->anim, now_us(rt));
    update_geometry(rt, now_us(rt));
    spn__anim_report(rt->anim);
    (void)run_steps(rt, steps);
}

void spn_update(spn_runtime *rt)
{
    const struct listen *listen;
    spn_event event = {.medium = SPN_MEDIUM_COUNT};

    if (!has_runtime(rt) || rt->is_updating)
        return;
    listen = spn__io_listen(rt->io);
    if (listen_is_there(listen))
        spn__listen_notify(listen, SPN_EVENT_UPDATE_BEGIN, &event);
    rt->is_updating = true;
    update(rt);
    rt->is_updating = false;
    if (listen_is_there(listen))
        spn__listen_notify(listen, SPN_EVENT_UPDATE_END, &event);
}

/* An engine calls spn_job_step once for each job. The next job in the queue may
 * be reserved by a thread that has not written it yet, while later jobs are
 * complete. A call that finds this runs no job. It must not be lost, so it is
 * counted in `missed_steps`, and the call that runs the unwritten job also runs
 * one job for each missed call. Both sides change the word by one atomic
 * operation, so that the second one sees the first one's change and its access
 * of the queue. */
static bool take_missed(struct spn_runtime *rt)
{
    uint32_t missed = atomic_add_acq_rel(&rt->missed_steps, 0);

    while (missed > 0)
        if (atomic_compare_exchange_acq_rel(&rt->missed_steps, &missed,
                                            missed - 1))
            return true;
    return false;
}

static bool spend_step(struct spn_runtime *rt, uint32_t index)
{
    if (spn__jobs_step(&rt->jobs, index))
        return true;
    /* The queue is empty: another call has run the job of this one. */
    if (spn__jobs_count(&rt->jobs) == 0)
        return false;
    atomic_add_acq_rel(&rt->missed_steps, 1);
    if (!spn__jobs_step(&rt->jobs, index))
        return false;
    (void)take_missed(rt);
    return true;
}

static bool step_as(struct spn_runtime *rt, uint32_t index)
{
    if (index >= rt->own_worker || !spend_step(rt, index))
        return false;
    while (take_missed(rt) && spend_step(rt, index))
        ;
    return true;
}

int spn_job_step(spn_job_gate *gate, uint32_t index)
{
    struct spn_runtime *rt = gate ? spn__job_gate_enter(gate) : NULL;
    bool did_step;

    if (!rt)
        return 0;
    did_step = step_as(rt, index);
    spn__job_gate_leave(gate);
    return did_step;
}

/* Whether no call of spn_job_step is inside the runtime. */
static bool has_no_step(const struct spn_runtime *rt)
{
    return !rt->config.job_submit ||
           spn__job_gate_is_empty(rt->config.job_gate);
}

void spn_shutdown(spn_runtime *rt)
{
    if (!has_runtime(rt) || rt->is_updating)
        return;
    if (rt->config.job_submit)
        spn__job_gate_close(rt->config.job_gate);
    spn__io_shutdown(rt->io);
    spn__threads_stop(rt);
    /* All threads have ended. This thread does their steps now. */
    for (;;) {
        uint64_t due_us;
        bool did_something = spn__runtime_step(rt, &due_us) > 0;
        bool is_empty;

        did_something |= spn__io_finish(rt->io, rt->config.read_count) > 0;
        is_empty = spn__manager_shutdown(&rt->manager);
        is_empty &= spn__anim_shutdown(rt->anim);
        if (is_empty && !did_something && spn__io_is_idle(rt->io) &&
            spn__jobs_are_idle(&rt->jobs) && has_no_step(rt))
            break;
        if (!did_something)
            spn__runtime_rest(rt);
    }
    spn__threads_destroy_events(rt);
}

/* -- checks -- */

bool spn__runtime_check(const struct spn_runtime *rt)
{
    return rt->io && rt->config.platform == &rt->platform &&
           rt->own_worker < rt->jobs.worker_count &&
           rt->thread_count <= rt->thread_max;
}

int spn_check(const spn_runtime *rt)
{
    return has_runtime(rt) && spn__manager_check(&rt->manager) &&
           spn__anim_check(rt->anim);
}

#if SPN_WITH_OBSERVERS
uint32_t spn_trace_hash(const spn_runtime *rt)
{
    return has_runtime(rt) ? rt->trace.hash : 0;
}
#endif
