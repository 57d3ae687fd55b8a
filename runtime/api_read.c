/* api_read.c - the functions of spindle/read.h and spindle/io_stats.h, by the
 * stream engine. */
/* SPDX-License-Identifier: MIT */
#include "read/engine.h"
#include "read/stage/io_finish.h"
#include "runtime.h"
#include "threads.h"

spn_status spn_file_open(spn_runtime *rt, const char *path, spn_file *out)
{
    if (!has_runtime(rt) || !path || !out)
        return SPN_ERR_ARG;
    return spn__io_file_open(rt->io, path, out);
}

spn_status spn_file_close(spn_runtime *rt, spn_file file)
{
    return has_runtime(rt) ? spn__io_file_close(rt->io, file) : SPN_ERR_ARG;
}

spn_status spn_read_start(spn_runtime *rt, const spn_read_desc *desc,
                          spn_read *out)
{
    return has_runtime(rt) ? spn__io_read_start_batch(rt->io, desc, 1, out)
                           : SPN_ERR_ARG;
}

spn_status spn_read_start_batch(spn_runtime *rt, const spn_read_desc *descs,
                                uint32_t count, spn_read *out)
{
    return has_runtime(rt) ? spn__io_read_start_batch(rt->io, descs, count, out)
                           : SPN_ERR_ARG;
}

spn_status spn_read_abort(spn_runtime *rt, spn_read read)
{
    return has_runtime(rt) ? spn__io_abort(rt->io, read) : SPN_ERR_ARG;
}

spn_status spn_read_release(spn_runtime *rt, spn_read read)
{
    return has_runtime(rt) ? spn__io_release(rt->io, read) : SPN_ERR_ARG;
}

spn_status spn_read_poll(spn_runtime *rt, spn_read read)
{
    return has_runtime(rt) ? spn__io_poll(rt->io, read) : SPN_ERR_ARG;
}

void spn_read_retry_storage(spn_runtime *rt)
{
    if (has_runtime(rt))
        spn__io_retry_storage(rt->io, true);
}

/* -- task types -- */

static spn_status pause_task(spn_runtime *rt, spn_task task, bool is_paused)
{
    if (!has_runtime(rt) || !spn__tasks_is_good(task))
        return SPN_ERR_ARG;
    spn__io_pause(rt->io, task, is_paused);
    return SPN_OK;
}

spn_status spn_task_pause(spn_runtime *rt, spn_task task)
{
    return pause_task(rt, task, true);
}

spn_status spn_task_resume(spn_runtime *rt, spn_task task)
{
    return pause_task(rt, task, false);
}

spn_status spn_task_set_class(spn_runtime *rt, spn_task task,
                              spn_task_class task_class)
{
    if (!has_runtime(rt) || !spn__tasks_is_good(task) ||
        (uint32_t)task_class >= SPN_CLASS_COUNT)
        return SPN_ERR_ARG;
    spn__tasks_set_class(&rt->io->tasks, task, task_class);
    return SPN_OK;
}

spn_status spn_task_get_class(const spn_runtime *rt, spn_task task,
                              spn_task_class *out)
{
    if (!has_runtime(rt) || !spn__tasks_is_good(task) || !out)
        return SPN_ERR_ARG;
    *out = spn__tasks_class(&rt->io->tasks, task);
    return SPN_OK;
}

/* -- waiting -- */

/* Steps without work and without progress of the clock after which the clock is
 * assumed to be stopped. */
#define IDLE_STEPS_MAX (1u << 20)

/* Do one step of the engine, or let time pass. Returns SPN_PENDING to go on. */
static spn_status step_once(spn_runtime *rt, uint64_t limit_us,
                            uint64_t *now_us, uint32_t *idle_steps)
{
    uint64_t due_us;
    uint64_t before_us = *now_us;
    bool did_something = spn__runtime_step(rt, &due_us) > 0;

    if (!did_something)
        spn__runtime_rest(rt);
    *now_us = rt->platform.now_us(rt->platform.user);
    if (*now_us >= limit_us)
        return SPN_ERR_TIMEOUT;
    if (did_something || *now_us != before_us) {
        *idle_steps = 0;
        return SPN_PENDING;
    }
    if (due_us == UINT64_MAX && limit_us == UINT64_MAX)
        return SPN_ERR_STATE;
    return ++*idle_steps < IDLE_STEPS_MAX ? SPN_PENDING : SPN_ERR_TIMEOUT;
}

static spn_status step_until_ended(spn_runtime *rt, spn_read read,
                                   uint64_t now_us, uint64_t limit_us,
                                   spn_read_result *out)
{
    uint32_t idle_steps = 0;
    spn_status last = SPN_PENDING;

    for (;;) {
        spn_status status = spn__io_result(rt->io, read, out);

        if (status != SPN_PENDING)
            return status;
        if (last != SPN_PENDING)
            return last;
        if (now_us >= limit_us)
            return SPN_ERR_TIMEOUT;
        last = step_once(rt, limit_us, &now_us, &idle_steps);
    }
}

/* Sleep until a read has ended. A thread of the runtime may only check the
 * result, because it could wait for itself. */
static spn_status wait_asleep(spn_runtime *rt, spn_read read, uint64_t now_us,
                              uint64_t limit_us, spn_read_result *out)
{
    spn_status status;

    if (limit_us == now_us || !spn__threads_is_own(rt))
        return spn__io_wait(rt->io, read, limit_us, out);
    status = spn__io_wait(rt->io, read, now_us, out);
    return status == SPN_ERR_TIMEOUT ? SPN_ERR_STATE : status;
}

static spn_status wait_for(spn_runtime *rt, spn_read read, uint64_t timeout_us,
                           spn_read_result *out)
{
    uint64_t now_us = rt->platform.now_us(rt->platform.user);
    uint64_t limit_us =
        timeout_us < UINT64_MAX - now_us ? now_us + timeout_us : UINT64_MAX;

    if (rt->has_io_thread)
        return wait_asleep(rt, read, now_us, limit_us, out);
    if (rt->is_stepping)
        return SPN_ERR_STATE;
    return step_until_ended(rt, read, now_us, limit_us, out);
}

/* -- abort and complete at once -- */

/* Run all jobs, unless workers of the runtime run them. */
static bool run_jobs(spn_runtime *rt)
{
    bool did_something = false;

    if (rt->has_workers)
        return false;
    rt->is_stepping = true;
    while (spn__jobs_step(&rt->jobs, rt->own_worker))
        did_something = true;
    rt->is_stepping = false;
    return did_something;
}

/* Do work towards the end of a read, or wait until another thread has done
 * some. */
static spn_status help(spn_runtime *rt, uint64_t *now_us, uint32_t *idle_steps)
{
    if (run_jobs(rt))
        return SPN_PENDING;
    /* This is also true in a callback during spn_shutdown, after the threads
     * have ended. */
    if (rt->thread_count == 0)
        return step_once(rt, UINT64_MAX - 1, now_us, idle_steps);
    spn__io_await_done(rt->io, !rt->has_workers);
    return SPN_PENDING;
}

spn_status spn__runtime_end_read(struct spn_runtime *rt, spn_read read)
{
    uint64_t now_us = rt->platform.now_us(rt->platform.user);
    uint32_t idle_steps = 0;

    for (;;) {
        spn_status status = spn__io_finish_one(rt->io, read);

        if (status == SPN_PENDING)
            status = help(rt, &now_us, &idle_steps);
        if (status != SPN_PENDING)
            return status;
    }
}

spn_status spn_read_abort_now(spn_runtime *rt, spn_read read)
{
    spn_status status;

    if (!has_runtime(rt))
        return SPN_ERR_ARG;
    if ((rt->has_io_thread && spn__threads_is_own(rt)) || rt->is_stepping)
        return SPN_ERR_STATE;
    status = spn__io_abort(rt->io, read);
    return status == SPN_OK ? spn__runtime_end_read(rt, read) : status;
}

/* Lengthen a wait until `until_us` (io_guard.h). */
static void stall(spn_runtime *rt, spn_read read, uint64_t until_us)
{
    uint64_t now_us = rt->platform.now_us(rt->platform.user);
    uint32_t idle_steps = 0;

    if (now_us >= until_us)
        return;
    if (rt->has_io_thread)
        spn__io_sleep(rt->io, read, until_us);
    else
        while (step_once(rt, until_us, &now_us, &idle_steps) == SPN_PENDING) {
        }
}

spn_status spn_read_wait(spn_runtime *rt, spn_read read, uint64_t timeout_us,
                         spn_read_result *out)
{
    struct io_guarded guarded;
    spn_status status;

    if (!has_runtime(rt))
        return SPN_ERR_ARG;
    if (timeout_us == 0 || !spn__io_guard_begin(rt->io, read, &guarded))
        return wait_for(rt, read, timeout_us, out);
    status = wait_for(rt, read, timeout_us, out);
    stall(rt, read, spn__io_guard_check(rt->io, &guarded, status));
    spn__io_guard_end(rt->io, &guarded);
    return status;
}

/* -- statistics -- */

#if SPN_WITH_OBSERVERS

void spn_io_get_stats(const spn_runtime *rt, spn_io_stats *out)
{
    if (has_runtime(rt) && out)
        spn__io_get_stats(rt->io, out);
}

spn_status spn_io_get_medium_stats(const spn_runtime *rt, spn_medium medium,
                                   spn_medium_stats *out)
{
    if (!has_runtime(rt) || !out || (uint32_t)medium >= SPN_MEDIUM_COUNT)
        return SPN_ERR_ARG;
    spn__io_get_medium_stats(rt->io, medium, out);
    return SPN_OK;
}

spn_status spn_io_get_task_stats(const spn_runtime *rt, spn_task task,
                                 spn_task_stats *out)
{
    if (!has_runtime(rt) || !out || !spn__tasks_is_good(task))
        return SPN_ERR_ARG;
    spn__io_get_task_stats(rt->io, task, out);
    return SPN_OK;
}

void spn_io_reset_stats(spn_runtime *rt)
{
    if (has_runtime(rt))
        spn__io_reset_stats(rt->io);
}

#endif
