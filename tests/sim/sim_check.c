/* sim_check.c - check invariants of the runtime: cheap sums, or all
 * structures. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_check.h"

#include "play/node/admission.h"
#include "play/node/node_order.h"
#include "play/promise.h"
#include "read/engine.h"
#include "read/stage/read_check.h"
#include "sim/sim.h"
#include "sim/sim_debug.h"

static void check_heap_sums(struct sim *sim)
{
    const struct heap_stats *s = &sim->rt->heap.stats;
    uint64_t tags = 0;
    uint64_t used = (uint64_t)(s->page_count - s->free_pages) * s->page_bytes;

    for (uint32_t i = 0; i < HEAP_TAG_COUNT; i++)
        tags += s->tag_bytes[i];
    SIM_MUST(sim, SIM_STRUCTURE, s->free_pages <= s->page_count);
    SIM_MUST(sim, SIM_STRUCTURE, s->live_bytes <= used);
    SIM_MUST(sim, SIM_STRUCTURE,
             used <= s->live_bytes + (uint64_t)s->live_blocks * s->page_bytes);
    SIM_MUST(sim, SIM_STRUCTURE, tags == s->live_bytes);
    SIM_MUST(sim, SIM_STRUCTURE, s->live_blocks <= s->live_extents);
}

static uint32_t pending_of(const struct io *io)
{
    return atomic_load_acquire(&io->pending) & ~IO_IS_SHUT;
}

/* Each read must be in the list of its stage. */
static void check_stages(struct sim *sim)
{
    const char *what = spn__read_check(sim->rt->io);

    if (what)
        sim_fail(sim, SIM_STRUCTURE, "stages of reads: %s", what);
}

static void check_jobs(struct sim *sim)
{
    const struct spn_runtime *rt = sim->rt;

    SIM_MUST(sim, SIM_STRUCTURE, spn__runtime_check(rt));
    SIM_MUST(sim, SIM_STRUCTURE, spn__jobs_check(&rt->jobs));
    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        if (rt->config.reserved_tasks[i] != 0)
            SIM_MUST(sim, SIM_STRUCTURE,
                     spn__jobs_check(&rt->reserved[i].jobs));
}

/* Record the heap that paks and clips may use, which a read into the heap may
 * find missing. */
static void look_at_paks(struct sim *sim)
{
    const uint64_t clips =
        (uint64_t)(sim_anim_reserve_pages(sim) + sim_anim_image_pages(sim))
        << sim->rt->heap.page_shift;
    uint64_t held = sim->rt->io->paks.held_bytes + clips;

    if (held > sim->paks.held_max)
        sim->paks.held_max = held;
}

void sim_check_cheap(struct sim *sim)
{
    look_at_paks(sim);
    const struct manager *m = &sim->rt->manager;

    check_heap_sums(sim);
    check_stages(sim);
    check_jobs(sim);
    SIM_MUST(sim, SIM_STRUCTURE, spn__promise_check(&m->promises));
    SIM_MUST(sim, SIM_STRUCTURE, spn__admission_check(m));
    SIM_MUST(sim, SIM_STRUCTURE, m->order_count <= m->node_pool.capacity);
    SIM_MUST(sim, SIM_STRUCTURE, spn__node_order_check(m));
}

/* Each slot in use is a pending read, or a completed one whose handle is not
 * released; the latter were counted when they completed. */
static void check_reads(struct sim *sim)
{
    const struct io *io = sim->rt->io;
    uint32_t in_use = 0;

    for (uint32_t i = 0; i < io->read_count; i++) {
        uint32_t state = atomic_load_acquire(&io->states[i]);

        in_use += (state & STATE_IN_USE) && !(state & STATE_COMPLETED);
    }
    if (in_use + io->retained_count != pending_of(io))
        sim_fail(sim, SIM_STRUCTURE, "%u reads in use, %u pending", in_use,
                 pending_of(io));
}

void sim_check_full(struct sim *sim)
{
    SIM_MUST(sim, SIM_STRUCTURE, spn_check(sim->rt));
    check_reads(sim);
    sim_reads_check(sim);
    if (sim->is_shut)
        return;
    sim_blocks_check(sim);
    sim_debug_check(sim);
}

void sim_check_empty(struct sim *sim)
{
    const struct spn_runtime *rt = sim->rt;
    uint32_t used_pages = rt->heap.page_count - rt->heap.stats.free_pages;

    sim_check_full(sim);
    /* After a shutdown, memory of loaded paks and of the image belongs to the
     * caller. */
    if (used_pages != (sim->is_shut ? rt->manager.promises.block_pages -
                                          sim_anim_reserve_pages(sim)
                                    : sim_anim_image_pages(sim)))
        sim_fail(sim, SIM_BASELINE, "%u pages of the heap are left",
                 used_pages);
    SIM_MUST(sim, SIM_BASELINE, rt->manager.cache_pool.used == 0);
    SIM_MUST(sim, SIM_BASELINE, rt->manager.node_pool.used == 0);
    SIM_MUST(sim, SIM_BASELINE, sim->buffers.count == 0);
    SIM_MUST(sim, SIM_BASELINE, pending_of(rt->io) == 0);
    SIM_MUST(sim, SIM_BASELINE, spn__budget_bytes(&rt->io->budget) == 0);
    SIM_MUST(sim, SIM_BASELINE, sim->drive.opens == sim->drive.closes);
}
