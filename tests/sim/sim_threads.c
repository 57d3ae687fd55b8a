/* sim_threads.c - the loops of threads.c, one step at a time. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_threads.h"

#include "read/stage/step.h"
#include "sim/sim.h"

#define IO_EVENT 1u /* the first event that the runtime creates */
#define MS 1000u
/* A wait for an event longer than this counts as endless. */
#define PATIENCE_US UINT64_C(600000000)

/* -- events -- */

static spn_status event_create(void *user, spn_event_use use, uint64_t *event)
{
    struct sim *sim = user;
    struct sim_threads *t = &sim->threads;

    SIM_MUST(sim, SIM_CONTRACT,
             (use == SPN_EVENT_FOR_IO) == (t->event_count == 0));
    if (t->event_count == SIM_EVENTS)
        return SPN_ERR_PLATFORM;
    t->is_set[t->event_count++] = false;
    *event = t->event_count;
    return SPN_OK;
}

static void event_destroy(void *user, uint64_t event)
{
    struct sim *sim = user;

    SIM_MUST(sim, SIM_CONTRACT, event > 0 && event <= sim->threads.event_count);
}

static void event_signal(void *user, uint64_t event)
{
    struct sim *sim = user;

    SIM_MUST(sim, SIM_CONTRACT, event > 0 && event <= sim->threads.event_count);
    if (sim->options.canary == CANARY_NO_WAKE && event == IO_EVENT &&
        sim->log.step > 100)
        return;
    sim->threads.is_set[event - 1] = true;
}

static bool take_signal(struct sim_threads *t, uint64_t event)
{
    bool was_set = t->is_set[event - 1];

    t->is_set[event - 1] = false;
    return was_set;
}

bool sim_threads_signal_io(struct sim *sim)
{
    if (sim->threads.is_set[IO_EVENT - 1])
        return false;
    event_signal(sim, IO_EVENT);
    return true;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The caller's thread waits: other threads step, or time advances. */
static void event_wait(void *user, uint64_t event, uint64_t due_us)
{
    struct sim *sim = user;
    uint64_t give_up_us = sim->clock.time_us + PATIENCE_US;

    SIM_MUST(sim, SIM_CONTRACT, event > 0 && event <= sim->threads.event_count);
    for (;;) {
        uint64_t next_us;

        if (take_signal(&sim->threads, event) || sim_clock_now(sim) >= due_us ||
            swarm_occurs(&sim->swarm, SWARM_SPURIOUS_WAKE))
            return;
        if (sim_threads_step(sim))
            continue;
        next_us = earlier(sim_drive_due(sim), sim_threads_due(sim));
        next_us = earlier(next_us, sim_clock_when(sim, due_us));
        if (sim->clock.time_us >= give_up_us || next_us == UINT64_MAX)
            sim_fail(sim, SIM_LIVENESS, "a wait never ends");
        sim_clock_go_to(sim, next_us > sim->clock.time_us
                                 ? next_us
                                 : sim->clock.time_us + 1);
        (void)sim_drive_interrupt(sim);
    }
}

/* -- threads -- */

static spn_status thread_start(void *user, const spn_thread_desc *desc,
                               uint64_t *thread)
{
    struct sim_threads *t = &((struct sim *)user)->threads;

    if (t->count == SIM_THREADS_MAX)
        return SPN_ERR_PLATFORM;
    t->threads[t->count] = (struct sim_thread){
        .argument = desc->argument, .is_io = desc->role == SPN_THREAD_IO};
    *thread = ++t->count;
    return SPN_OK;
}

static void thread_join(void *user, uint64_t thread)
{
    struct sim *sim = user;

    SIM_MUST(sim, SIM_CONTRACT, thread > 0);
    sim->threads.count = 0; /* all are joined, or none */
}

static uint64_t thread_current(void *user)
{
    (void)user;
    return 1;
}

/* The runtime announces a job to an engine's job system. */
static void submit_job(void *user)
{
    ((struct sim *)user)->threads.owed++;
}

void sim_threads_init(struct sim *sim)
{
    spn_platform *table = &sim->drive.table;

    if (sim->machine == SIM_COOPERATIVE)
        return;
    table->thread_start = thread_start;
    table->thread_join = thread_join;
    table->thread_current = thread_current;
    table->event_create = event_create;
    table->event_destroy = event_destroy;
    table->event_signal = event_signal;
    table->event_wait = event_wait;
    sim->config.worker_count = swarm_between(&sim->swarm, 1, 3);
    if (swarm_draws(&sim->swarm, SWARM_SLOW_JOBS))
        sim->threads.job_us = swarm_between(&sim->swarm, 1, 60) * MS;
    if (sim->machine == SIM_ENGINE_JOBS) {
        sim->config.job_submit = submit_job;
        sim->config.job_user = sim;
        sim->config.job_gate = &sim->threads.gate;
    } else if (swarm_below(&sim->swarm, 3) == 0) {
        sim->config.reserved_tasks[0] =
            1u << SPN_TASK_SOUND | 1u << SPN_TASK_MUSIC;
    }
}

/* -- steps -- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* When the io thread, or a worker, can go on. */
static uint64_t free_us(const struct sim_threads *t, bool is_io)
{
    return is_io ? t->io_stalled_us
                 : later(t->workers_stalled_us, t->workers_busy_us);
}

static bool is_stalled(const struct sim *sim, const struct sim_thread *t)
{
    return sim->clock.time_us < free_us(&sim->threads, t->is_io);
}

/* A worker has run a job: the next one begins when its time is over. */
static void spend_job(struct sim *sim)
{
    if (sim->threads.job_us == 0)
        return;
    swarm_hit(&sim->swarm, SWARM_SLOW_JOBS);
    sim->threads.workers_busy_us = sim->clock.time_us + sim->threads.job_us;
}

static uint64_t event_of(const struct sim_thread *t)
{
    const struct runtime_thread *r = t->argument;

    return t->is_io ? IO_EVENT : r->event;
}

/* Whether the thread could step if it were chosen. */
static bool can_step(const struct sim *sim, const struct sim_thread *t)
{
    return !t->is_asleep || sim->threads.is_set[event_of(t) - 1] ||
           sim->clock.shown_us >= t->due_us;
}

static void note_stalled(struct sim *sim, bool is_io)
{
    bool *is_felt =
        is_io ? &sim->threads.is_io_felt : &sim->threads.are_workers_felt;

    if (!is_io && sim->clock.time_us >= sim->threads.workers_stalled_us)
        return;
    if (!*is_felt)
        swarm_hit(&sim->swarm,
                  is_io ? SWARM_IO_STALLED : SWARM_WORKERS_STALLED);
    *is_felt = true;
}

static void step_io(struct sim *sim, struct sim_thread *t)
{
    t->due_us = UINT64_MAX;
    t->is_asleep = !spn__io_step(sim->rt->io, &t->due_us);
}

/* As worker_main: a worker that finds more than one job wakes another
 * worker. */
static void step_worker(struct sim *sim, struct sim_thread *t)
{
    const struct runtime_thread *r = t->argument;

    t->due_us = UINT64_MAX;
    if (spn__jobs_count(r->jobs) > 1)
        event_signal(sim, r->event);
    t->is_asleep = !spn__jobs_step(r->jobs, r->index);
    if (!t->is_asleep)
        spend_job(sim);
}

static bool step_thread(struct sim *sim, uint32_t index)
{
    struct sim_thread *t = &sim->threads.threads[index];

    if (t->is_asleep)
        (void)take_signal(&sim->threads, event_of(t));
    sim_anim_thread(sim);
    if (t->is_io)
        step_io(sim, t);
    else
        step_worker(sim, t);
    return true;
}

static bool step_engine(struct sim *sim)
{
    uint32_t worker = swarm_below(&sim->swarm, sim->config.worker_count);

    sim->threads.owed--;
    if (spn_job_step(&sim->threads.gate, worker))
        spend_job(sim);
    return true;
}

/* The threads that may step. Records when a stalled one could have. */
static uint32_t find_able(struct sim *sim, uint32_t able[SIM_THREADS_MAX + 1])
{
    struct sim_threads *t = &sim->threads;
    uint32_t count = 0;

    for (uint32_t i = 0; i < t->count; i++) {
        if (!can_step(sim, &t->threads[i]))
            continue;
        if (is_stalled(sim, &t->threads[i]))
            note_stalled(sim, t->threads[i].is_io);
        else
            able[count++] = i;
    }
    /* Threads of an engine's job system outlive the runtime. */
    if (t->owed == 0)
        return count;
    if (sim->clock.time_us < free_us(t, false))
        note_stalled(sim, false);
    else
        able[count++] = SIM_THREADS_MAX;
    return count;
}

/* Wake a sleeping thread that has no reason to wake. */
static bool wake_for_nothing(struct sim *sim)
{
    struct sim_threads *t = &sim->threads;
    uint32_t pick;

    if (t->count == 0 || !swarm_draws(&sim->swarm, SWARM_SPURIOUS_WAKE))
        return false;
    pick = swarm_below(&sim->swarm, t->count);
    if (can_step(sim, &t->threads[pick]))
        return false;
    swarm_hit(&sim->swarm, SWARM_SPURIOUS_WAKE);
    return step_thread(sim, pick);
}

bool sim_threads_step(struct sim *sim)
{
    uint32_t able[SIM_THREADS_MAX + 1];
    uint32_t count = find_able(sim, able);
    uint32_t pick;

    if (wake_for_nothing(sim))
        return true;
    if (count == 0)
        return false;
    pick = able[swarm_below(&sim->swarm, count)];
    return pick == SIM_THREADS_MAX ? step_engine(sim) : step_thread(sim, pick);
}

uint64_t sim_threads_due(const struct sim *sim)
{
    const struct sim_threads *t = &sim->threads;
    uint64_t due_us = UINT64_MAX;

    for (uint32_t i = 0; i < t->count; i++) {
        const struct sim_thread *thread = &t->threads[i];
        uint64_t stalled_us = free_us(t, thread->is_io);
        uint64_t at_us = sim->clock.time_us;

        if (thread->is_asleep && !t->is_set[event_of(thread) - 1])
            at_us = sim_clock_when(sim, thread->due_us);
        due_us = earlier(due_us, at_us > stalled_us ? at_us : stalled_us);
    }
    if (t->owed > 0)
        due_us = earlier(due_us, free_us(t, false));
    return due_us;
}

void sim_threads_frame(struct sim *sim)
{
    struct sim_threads *t = &sim->threads;
    uint64_t now_us = sim->clock.time_us;

    if (t->count == 0)
        return;
    if (swarm_draws(&sim->swarm, SWARM_IO_STALLED)) {
        t->is_io_felt = false;
        t->io_stalled_us = now_us + swarm_between(&sim->swarm, MS, 300 * MS);
    }
    if (swarm_draws(&sim->swarm, SWARM_WORKERS_STALLED)) {
        t->are_workers_felt = false;
        t->workers_stalled_us =
            now_us + swarm_between(&sim->swarm, MS, 300 * MS);
    }
}

void sim_threads_end(struct sim *sim)
{
    for (; sim->threads.owed > 0; sim->threads.owed--)
        SIM_MUST(sim, SIM_CONTRACT, !spn_job_step(&sim->threads.gate, 0));
}

void sim_threads_end_faults(struct sim *sim)
{
    sim->threads.io_stalled_us = 0;
    sim->threads.workers_stalled_us = 0;
    sim->threads.workers_busy_us = 0;
    sim->threads.job_us = 0;
}
