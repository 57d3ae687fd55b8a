/* fill_job.c - start, run and await fills. */
/* SPDX-License-Identifier: MIT */
#include "play/node/fill_job.h"

#if SPN_WITH_FILL_JOBS

#include "base/assert.h"
#include "observe/listen.h"
#include "play/frame_slot.h"
#include "read/io_wait.h"

#include <stddef.h>

/* A handle is the generation of its entry, and 1 + its index. */
#define GENERATION 0xffff0000u
#define GENERATION_ONE 0x10000u

/* The frames of a fill. */
#define FILL_FRAMES 6u

void spn__fill_jobs_init(struct manager *m, struct carve *carve, uint32_t count)
{
    m->fill_jobs = SPN_CARVE(carve, struct fill_job, count);
    m->fill_job_count = count;
}

static uint32_t frames_of(const struct node_fill *fill,
                          struct decoded_frame *out[FILL_FRAMES])
{
    const struct decoded_frame *const all[FILL_FRAMES] = {
        fill->now.floor,   fill->now.ceil,    fill->before.floor,
        fill->before.ceil, fill->motion.from, fill->motion.to};
    uint32_t count = 0;

    for (uint32_t i = 0; i < FILL_FRAMES; i++)
        if (all[i])
            out[count++] = frame_slot_at(fill->cache, all[i]->number)->frame;
    return count;
}

/* Begin or end to read the frames.
 *
 * change  1 or -1 */
static void count_reader(const struct node_fill *fill, uint32_t change)
{
    struct decoded_frame *frames[FILL_FRAMES];
    const uint32_t count = frames_of(fill, frames);

    for (uint32_t i = 0; i < count; i++)
        /* Release: pairs with kept_is_read. */
        atomic_add_acq_rel(&frames[i]->kept->readers, change);
    atomic_add_acq_rel(&fill->cache->fill_count, change);
}

static spn_fill handle_of(const struct manager *m, const struct fill_job *f)
{
    return (atomic_load_relaxed(&f->state) & GENERATION) |
           (uint32_t)(f - m->fill_jobs + 1);
}

/* -- parts -- */

static void end_fill(struct manager *m, struct fill_job *f)
{
    const spn_fill handle = handle_of(m, f);

    if (f->result.is_visible)
        count_reader(&f->fill, UINT32_MAX);
    /* The last access to the entry, unless somebody waits. */
    if (atomic_or_acq_rel(&f->state, FILL_IS_OVER) & FILL_IS_AWAITED)
        spn__io_wake_waiters(m->config.io, handle);
}

static void write_part(const struct fill_job *f, uint32_t part)
{
    const struct cache *c = f->fill.cache;
    struct fill_constants constants;

    spn__fill_constants(&c->tables.meshes[f->fill.mesh], &constants);
    spn__node_fill_part(&f->fill, &constants, part);
}

static void write_with_events(const struct manager *m, const struct fill_job *f,
                              uint32_t part)
{
    const struct listen *listen = spn__io_listen(m->config.io);
    spn_event event = {.node = f->node,
                       .cache = f->cache,
                       .frame = f->result.floor_frame,
                       .part = f->fill.mesh,
                       .task = SPN_TASK_GEOM_CACHE,
                       .task_class = SPN_CLASS_STREAM,
                       .medium = SPN_MEDIUM_COUNT};

    if (!listen_is_there(listen)) {
        write_part(f, part);
        return;
    }
    spn__listen_notify(listen, SPN_EVENT_FILL_BEGIN, &event);
    write_part(f, part);
    spn__listen_notify(listen, SPN_EVENT_FILL_END, &event);
}

/* Take one part and write it. False: none is left. */
static bool run_part(struct manager *m, struct fill_job *f)
{
    /* Acquire: pairs with the release at the start of the fill. */
    uint32_t left = atomic_load_acquire(&f->unstarted);

    do {
        if (left == 0)
            return false;
        /* If the entry was used again meanwhile, this is a part of that fill,
         * and the exchange has acquired what its start wrote. */
    } while (!atomic_compare_exchange_acq_rel(&f->unstarted, &left, left - 1));
    write_with_events(m, f, left - 1);
    if (atomic_add_acq_rel(&f->unended, UINT32_MAX) == 1)
        end_fill(m, f);
    return true;
}

/* Write the parts of all fills that have started. */
static void run_all(void *context, uint32_t argument, struct job_worker *worker)
{
    struct manager *m = context;

    (void)argument;
    (void)worker;
    for (uint32_t i = 0; i < m->fill_job_count; i++)
        while (run_part(m, &m->fill_jobs[i]))
            ;
}

/* -- start -- */

static struct fill_job *take_entry(struct manager *m)
{
    for (uint32_t i = 0; i < m->fill_job_count; i++) {
        struct fill_job *f = &m->fill_jobs[i];
        uint32_t state = atomic_load_acquire(&f->state);

        if (!(state & FILL_IN_USE) &&
            atomic_compare_exchange_acq_rel(
                &f->state, &state,
                ((state & GENERATION) + GENERATION_ONE) | FILL_IN_USE))
            return f;
    }
    return NULL;
}

static void submit(struct manager *m, uint32_t part_count)
{
    const uint32_t workers = m->config.jobs->worker_count;
    const uint32_t count = part_count < workers ? part_count : workers;

    for (uint32_t i = 0; i < count; i++)
        if (!spn__jobs_submit_urgent(m->config.jobs, run_all, m, 0))
            return;
}

spn_status spn__fill_job_start(const struct node *n, uint32_t mesh,
                               const spn_vertex_layout *layout, void *vertices,
                               spn_fill *out)
{
    struct manager *m = n->manager;
    const uint32_t part_count = spn__node_fill_parts(n->cache, mesh);
    struct fill_job *f = take_entry(m);
    spn_status status;

    if (!f)
        return SPN_ERR_TABLE_FULL;
    status =
        spn__node_fill_find(n, mesh, layout, vertices, &f->fill, &f->result);
    if (status != SPN_OK) {
        atomic_and_acq_rel(&f->state, GENERATION);
        return status;
    }
    f->node = n->handle;
    f->cache = n->cursor.account.cache;
    *out = handle_of(m, f);
    if (!f->result.is_visible) {
        end_fill(m, f);
        return SPN_OK;
    }
    SPN_ASSERT(part_count > 0);
    count_reader(&f->fill, 1);
    atomic_store_relaxed(&f->unended, part_count);
    /* Release: pairs with the acquire in run_part. */
    atomic_store_release(&f->unstarted, part_count);
    submit(m, part_count);
    return SPN_OK;
}

/* -- wait -- */

/* The entry of a handle, with its state. NULL: the handle is stale. */
static struct fill_job *find(const struct manager *m, spn_fill fill,
                             uint32_t *state)
{
    const uint32_t index = (fill & ~GENERATION) - 1;
    struct fill_job *f;

    if (index >= m->fill_job_count)
        return NULL;
    f = &m->fill_jobs[index];
    /* Acquire: pairs with the end of the fill. */
    *state = atomic_load_acquire(&f->state);
    return (*state & FILL_IN_USE) && !((*state ^ fill) & GENERATION) ? f : NULL;
}

/* Sleep until the fill is over. Without events other threads of the engine run
 * its last parts, which takes no longer than one part. */
static spn_status await(struct manager *m, struct fill_job *f, spn_fill fill,
                        uint64_t due_us)
{
    if (m->config.platform->event_wait)
        return spn__io_wait_word(m->config.io, fill, &f->state, FILL_IS_AWAITED,
                                 FILL_IS_OVER, due_us);
    return m->config.platform->now_us(m->config.platform->user) < due_us
               ? SPN_OK
               : SPN_ERR_TIMEOUT;
}

static bool is_due(const struct manager *m, uint64_t due_us)
{
    return due_us != UINT64_MAX &&
           m->config.platform->now_us(m->config.platform->user) >= due_us;
}

spn_status spn__fill_job_wait(struct manager *m, spn_fill fill, uint64_t due_us)
{
    spn_status status = SPN_OK;

    while (status == SPN_OK) {
        uint32_t state;
        struct fill_job *f = find(m, fill, &state);

        if (!f)
            return SPN_ERR_HANDLE;
        if (state & FILL_IS_OVER) {
            if (atomic_compare_exchange_acq_rel(&f->state, &state,
                                                state & GENERATION))
                return SPN_OK;
        } else if (is_due(m, due_us)) {
            status = SPN_ERR_TIMEOUT;
        } else if (!run_part(m, f)) {
            status = await(m, f, fill, due_us);
        }
    }
    return status;
}

spn_status spn__fill_job_result(const struct manager *m, spn_fill fill,
                                spn_fill_result *out)
{
    uint32_t state;
    const struct fill_job *f = find(m, fill, &state);

    if (!f)
        return SPN_ERR_HANDLE;
    *out = f->result;
    return SPN_OK;
}

/* -- an update -- */

static void hold(struct manager *m, const struct fill_job *f)
{
    struct decoded_frame *frames[FILL_FRAMES];
    const uint32_t count = frames_of(&f->fill, frames);

    for (uint32_t i = 0; i < count; i++)
        spn__promise_hold_unpaid(&m->promises, frames[i]->kept);
}

void spn__fill_jobs_hold(struct manager *m)
{
    bool has_unstarted = false;

    for (uint32_t i = 0; i < m->fill_job_count; i++) {
        const struct fill_job *f = &m->fill_jobs[i];
        const uint32_t state = atomic_load_acquire(&f->state);

        /* Without parts left, the fill has ended or is about to: its frames
         * may be free already. Otherwise it counted as their reader until now
         * at least, and only this thread frees them. */
        if (!(state & FILL_IN_USE) || (state & FILL_IS_OVER) ||
            atomic_load_acquire(&f->unended) == 0)
            continue;
        hold(m, f);
        has_unstarted = has_unstarted || atomic_load_relaxed(&f->unstarted) > 0;
    }
    /* The table of jobs may have been full. One job runs all fills. */
    if (has_unstarted)
        submit(m, 1);
}

#endif
