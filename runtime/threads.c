/* threads.c - the loops of the io thread and of the workers.
 *
 * No thread spins, and no wake-up is lost. An event keeps a signal until one
 * wait consumes it, and work is published before it is signalled. A thread that
 * finds no work and then waits therefore has either seen all work, or finds the
 * signal. Workers share one event. A worker that finds a job signals the event
 * again before it runs the job, so one signal wakes as many workers as there
 * are jobs.
 */
/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include "base/assert.h"
#include "job_gate.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"

/* Acquire: pairs with the release in spn__threads_stop. */
static bool is_stopping(const struct spn_runtime *rt)
{
    return atomic_load_acquire(&rt->is_stopping) != 0;
}

/* Set the identity of the thread. Must be called before the thread runs a
 * callback of the game. */
static void introduce(struct runtime_thread *self)
{
    const spn_platform *p = &self->runtime->platform;

    if (!p->thread_current)
        return;
    self->own = p->thread_current(p->user);
    /* Pairs with the load in spn__threads_is_own. */
    atomic_store_release(&self->is_known, 1);
}

bool spn__threads_is_own(const struct spn_runtime *rt)
{
    const spn_platform *p = &rt->platform;
    uint64_t own = p->thread_current ? p->thread_current(p->user) : 0;

    for (uint32_t i = 0; i < rt->thread_max; i++)
        if (atomic_load_acquire(&rt->threads[i].is_known) &&
            rt->threads[i].own == own)
            return true;
    return false;
}

static void io_main(void *argument)
{
    struct runtime_thread *self = argument;
    struct spn_runtime *rt = self->runtime;
    const spn_platform *p = &rt->platform;

    introduce(self);
    while (!is_stopping(rt)) {
        uint64_t due_us = UINT64_MAX;

        if (!spn__io_step(rt->io, &due_us) && !is_stopping(rt))
            p->event_wait(p->user, rt->io_event, due_us);
    }
}

static void worker_main(void *argument)
{
    struct runtime_thread *self = argument;
    struct spn_runtime *rt = self->runtime;
    const spn_platform *p = &rt->platform;

    introduce(self);
    while (!is_stopping(rt)) {
        p->event_wait(p->user, self->event, UINT64_MAX);
        while (!is_stopping(rt)) {
            /* Wake another worker, because this one is busy now. */
            if (spn__jobs_count(self->jobs) > 1)
                p->event_signal(p->user, self->event);
            if (!spn__jobs_step(self->jobs, self->index))
                break;
        }
    }
    /* Pass the stop signal on to the next worker. */
    p->event_signal(p->user, self->event);
}

static void notify_workers(void *user)
{
    struct spn_runtime *rt = user;

    rt->platform.event_signal(rt->platform.user, rt->job_event);
}

/* Notify the caller's thread of a job. It runs jobs in spn_update and while it
 * waits for a read. */
static void notify_caller(void *user)
{
    const struct spn_runtime *rt = user;

    spn__io_notify_job(rt->io);
}

/* Notify the engine's job system of a job. During shutdown the caller's thread
 * runs the jobs, and spn_job_step does nothing. */
static void notify_engine(void *user)
{
    const struct spn_runtime *rt = user;

    notify_caller(user);
    if (spn__job_gate_is_open(rt->config.job_gate))
        rt->config.job_submit(rt->config.job_user);
}

static void notify_reserved(void *user)
{
    const struct runtime_reserved *reserved = user;
    const spn_platform *p = &reserved->runtime->platform;

    p->event_signal(p->user, reserved->event);
}

static spn_status start_one(struct spn_runtime *rt, spn_thread_desc *desc)
{
    struct runtime_thread *t = &rt->threads[rt->thread_count];
    spn_status status;

    t->runtime = rt;
    desc->argument = t;
    status = rt->platform.thread_start(rt->platform.user, desc, &t->thread);
    if (status != SPN_OK)
        return SPN_ERR_PLATFORM;
    t->is_running = true;
    rt->thread_count++;
    return SPN_OK;
}

/* Create all events: first the io thread's, as platform.h promises; then those
 * of the jobs, of the reserved workers, of the waiters, and of the caller's
 * thread. */
static spn_status create_all(struct spn_runtime *rt)
{
    const spn_platform *p = &rt->platform;

    if (p->event_create(p->user, SPN_EVENT_FOR_IO, &rt->io_event) != SPN_OK ||
        p->event_create(p->user, SPN_EVENT_FOR_WORKER, &rt->job_event) !=
            SPN_OK)
        return SPN_ERR_PLATFORM;
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        if (rt->config.reserved_tasks[i] != 0 &&
            p->event_create(p->user, SPN_EVENT_FOR_WORKER,
                            &rt->reserved[i].event) != SPN_OK)
            return SPN_ERR_PLATFORM;
    for (uint32_t i = 0; i <= rt->config.wait_count; i++)
        if (p->event_create(p->user, SPN_EVENT_FOR_WAITER,
                            &rt->wait_events[i]) != SPN_OK)
            return SPN_ERR_PLATFORM;
    return SPN_OK;
}

spn_status spn__threads_create_events(struct spn_runtime *rt)
{
    spn_status status;

    rt->has_io_thread = rt->platform.thread_start != NULL;
    rt->has_workers = rt->has_io_thread && !rt->config.job_submit &&
                      rt->config.worker_count != SPN_NO_WORKERS;
    if (!rt->has_io_thread)
        return SPN_OK;
    status = create_all(rt);
    if (status != SPN_OK)
        return status;
    /* 0 means that there is no event. */
    SPN_ASSERT(rt->io_event != 0 && rt->job_event != 0);
    spn__io_set_event(rt->io, rt->io_event);
    for (uint32_t i = 0; i < rt->config.wait_count; i++) {
        SPN_ASSERT(rt->wait_events[i] != 0);
        spn__io_set_waiter_event(rt->io, i, rt->wait_events[i]);
    }
    spn__io_set_done_event(rt->io, rt->wait_events[rt->config.wait_count]);
    return SPN_OK;
}

static void destroy(const spn_platform *p, uint64_t event)
{
    if (event != 0)
        p->event_destroy(p->user, event);
}

void spn__threads_destroy_events(struct spn_runtime *rt)
{
    const spn_platform *p = &rt->platform;

    if (!p->event_create)
        return;
    destroy(p, rt->io_event);
    destroy(p, rt->job_event);
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        destroy(p, rt->reserved[i].event);
    for (uint32_t i = 0; i <= rt->config.wait_count; i++)
        destroy(p, rt->wait_events[i]);
}

static spn_status start_worker(struct spn_runtime *rt, struct jobs *jobs,
                               uint64_t event, uint32_t index)
{
    struct runtime_thread *t = &rt->threads[rt->thread_count];

    t->jobs = jobs;
    t->event = event;
    t->index = index;
    return start_one(
        rt, &(spn_thread_desc){.name = "spindle-worker",
                               .run = worker_main,
                               .stack_bytes = rt->config.worker_stack_bytes,
                               .role = SPN_THREAD_WORKER,
                               .priority = rt->config.worker_priority});
}

static spn_status start_workers(struct spn_runtime *rt)
{
    spn_status status = SPN_OK;

    for (uint32_t i = 0; status == SPN_OK && i < rt->config.worker_count; i++)
        status = start_worker(rt, &rt->jobs, rt->job_event, i);
    for (uint32_t i = 0; status == SPN_OK && i < SPN_RESERVED_WORKERS_MAX; i++)
        if (rt->config.reserved_tasks[i] != 0)
            status = start_worker(rt, &rt->reserved[i].jobs,
                                  rt->reserved[i].event, 0);
    return status;
}

static void set_notifiers(struct spn_runtime *rt)
{
    rt->jobs.notify_user = rt;
    if (rt->config.job_submit)
        rt->jobs.notify = notify_engine;
    else if (rt->has_workers)
        rt->jobs.notify = notify_workers;
    else
        rt->jobs.notify = notify_caller;
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++) {
        rt->reserved[i].runtime = rt;
        rt->reserved[i].jobs.notify = notify_reserved;
        rt->reserved[i].jobs.notify_user = &rt->reserved[i];
    }
}

spn_status spn__threads_start(struct spn_runtime *rt)
{
    spn_status status = SPN_OK;

    set_notifiers(rt);
    if (rt->has_io_thread)
        status = start_one(
            rt, &(spn_thread_desc){.name = "spindle-io",
                                   .run = io_main,
                                   .stack_bytes = rt->config.io_stack_bytes,
                                   .role = SPN_THREAD_IO,
                                   .priority = rt->config.io_priority});
    if (status == SPN_OK && rt->has_workers)
        status = start_workers(rt);
    if (status != SPN_OK)
        spn__threads_stop(rt);
    return status;
}

void spn__threads_stop(struct spn_runtime *rt)
{
    const spn_platform *p = &rt->platform;

    /* Release: pairs with the load in is_stopping. */
    atomic_store_release(&rt->is_stopping, 1);
    if (!rt->has_io_thread)
        return;
    p->event_signal(p->user, rt->io_event);
    p->event_signal(p->user, rt->job_event);
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        if (rt->reserved[i].event != 0)
            p->event_signal(p->user, rt->reserved[i].event);
    for (uint32_t i = 0; i < rt->thread_count; i++) {
        p->thread_join(p->user, rt->threads[i].thread);
        /* The system may give the thread's number to a new thread. */
        atomic_store_release(&rt->threads[i].is_known, 0);
    }
    rt->thread_count = 0;
    /* From now on the caller's thread does all steps and jobs. */
    if (rt->has_workers)
        rt->jobs.notify = NULL;
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        rt->reserved[i].jobs.notify = NULL;
}
