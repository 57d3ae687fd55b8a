/* sim_anim_aborts.c - see sim_anim_aborts.h. */
/* SPDX-License-Identifier: MIT */
#include "sim/anim/sim_anim_aborts.h"

#include "anim/anim_system.h"
#include "sim/sim.h"

#define OK(call) SIM_MUST(sim, SIM_STATUS, (call) == SPN_OK)
#define FRAMES 6u   /* one frame of so many has an abort */
#define THREADS 48u /* the same of steps of threads */

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->anim.aborts.random, limit);
}

void sim_anim_aborts_init(struct sim *sim)
{
    sim->anim.aborts.random.state =
        sim->options.seed ^ UINT64_C(0x61626f727400005a);
}

/* -- what is being read -- */

static bool is_aborted(const struct sim *sim, spn_read read)
{
    for (uint32_t i = 0; i < SIM_ANIM_ABORTED; i++)
        if (sim->anim.aborts.handles[i] == read)
            return true;
    return false;
}

/* Whether an abort has an effect: it has not ended, and was not aborted. */
static bool is_under_way(const struct sim *sim, spn_read read)
{
    return read != 0 && !is_aborted(sim, read) &&
           spn_read_poll(sim->rt, read) == SPN_PENDING;
}

static uint32_t count_reads(const struct sim *sim,
                            const struct range_load *load)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < load->part_count; i++)
        count += load->parts[i].state == PART_READING &&
                 is_under_way(sim, load->parts[i].read);
    return count;
}

uint32_t sim_anim_aborts_count(const struct sim *sim, bool is_database,
                               uint32_t owner)
{
    const struct anim *a = sim->rt->anim;
    uint32_t count = 0;

    for (uint32_t i = 0; i < a->config.loaded_count; i++)
        if (a->loads[i].state == LOAD_ACTIVE &&
            a->loads[i].is_database == is_database &&
            a->loads[i].owner == owner)
            count += count_reads(sim, &a->loads[i]);
    return count;
}

/* A load that is being read. NULL: there is none. */
static const struct range_load *draw_load(struct sim *sim)
{
    const struct anim *a = sim->rt->anim;
    const uint32_t first = below(sim, a->config.loaded_count);

    for (uint32_t i = 0; i < a->config.loaded_count; i++) {
        const struct range_load *load =
            &a->loads[(first + i) % a->config.loaded_count];

        if (load->state == LOAD_ACTIVE && count_reads(sim, load) > 0)
            return load;
    }
    return NULL;
}

/* -- by handle -- */

static bool abort_read(struct sim *sim, spn_read read)
{
    struct sim_anim_aborts *b = &sim->anim.aborts;
    uint32_t i = 0;

    if (!is_under_way(sim, read))
        return false;
    sim_note(sim, "clip: abort of a read", read, 0, 0);
    OK(spn_read_abort(sim->rt, read));
    while (b->handles[i] != 0 &&
           spn_read_poll(sim->rt, b->handles[i]) == SPN_PENDING)
        i++;
    b->handles[i] = read;
    b->has_cut = true;
    return true;
}

static void abort_part(struct sim *sim, const struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].state == PART_READING &&
            abort_read(sim, load->parts[i].read)) {
            sim->anim.aborts.by_handle++;
            swarm_hit(&sim->swarm, SWARM_CLIP_CUT);
            return;
        }
}

/* The image, or a skeleton. */
static void abort_other(struct sim *sim)
{
    struct anim *a = sim->rt->anim;
    const uint32_t pick = below(sim, a->config.skeleton_count + 1);

    if (pick == a->config.skeleton_count) {
        if (a->image.status == SPN_PENDING && abort_read(sim, a->image.read))
            swarm_hit(&sim->swarm, SWARM_HEAD_CUT);
        return;
    }
    if (a->skeletons.records[pick].state == SKELETON_READING &&
        abort_read(sim, a->skeletons.records[pick].read))
        swarm_hit(&sim->swarm, SWARM_HEAD_CUT);
}

/* -- by unloads -- */

static void leave_clip(struct sim *sim, uint32_t clip)
{
    sim_anim_leave(sim, clip);
    if (sim_anim_is_wanted(sim, clip) ||
        sim_anim_aborts_count(sim, false, sim->anim.clips[clip].anim - 1) == 0)
        return;
    swarm_hit(&sim->swarm, SWARM_CLIP_LEFT);
    if (below(sim, 4) == 0)
        return;
    sim_anim_unload(sim, clip);
    if (below(sim, 2) != 0)
        return;
    swarm_hit(&sim->swarm, SWARM_CLIP_AGAIN);
    sim_anim_add_ref(sim, clip);
}

static void leave(struct sim *sim, const struct range_load *load)
{
    struct sim_anim *a = &sim->anim;
    uint32_t i = 0;

    if (load->is_database) {
        while (a->databases[i].database != load->owner + 1)
            i++;
        sim_anim_leave_database(sim, i);
        return;
    }
    while (a->clips[i].anim != load->owner + 1)
        i++;
    leave_clip(sim, i);
}

void sim_anim_aborts_frame(struct sim *sim)
{
    const struct range_load *load;

    if (below(sim, FRAMES) != 0)
        return;
    if (below(sim, 4) == 0) {
        abort_other(sim);
        return;
    }
    load = draw_load(sim);
    if (!load)
        return;
    if (below(sim, 3) == 0)
        abort_part(sim, load);
    else
        leave(sim, load);
}

void sim_anim_aborts_thread(struct sim *sim)
{
    const struct range_load *load;

    if (below(sim, THREADS) != 0)
        return;
    load = draw_load(sim);
    if (load)
        abort_part(sim, load);
}

/* -- checks -- */

void sim_anim_aborts_add(struct sim *sim, uint32_t reads)
{
    sim->anim.aborts.unloaded +=
        reads + (sim->options.canary == CANARY_ANIM_ABORT);
    for (uint32_t i = 0; i < reads; i++)
        swarm_hit(&sim->swarm, SWARM_CLIP_ABORT);
}

bool sim_anim_aborts_are_legal(const struct sim *sim)
{
    return sim->anim.aborts.has_cut;
}

void sim_anim_aborts_check(struct sim *sim)
{
    const struct sim_anim_aborts *b = &sim->anim.aborts;
    spn_anim_stats stats;

    if (!sim->anim.is_on || sim->anim.is_blind)
        return;
    OK(spn_anim_get_stats(sim->rt, &stats));
    SIM_MUST(sim, SIM_ANIM,
             stats.reads_aborted + b->failed >= b->unloaded + b->by_handle);
    SIM_MUST(sim, SIM_ANIM, b->failed <= b->by_handle);
}
