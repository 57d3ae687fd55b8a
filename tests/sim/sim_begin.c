/* sim_begin.c - draw the machine, the sizes and the drives, and start the
 * runtime.
 */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_begin.h"

#include "common/codecs.h"
#include "sim/heap_fault.h"
#include "sim/sim.h"
#include "sim/sim_cpu.h"
#include "support/event_log.h"

#include <stdlib.h>
#include <string.h>

#define LISTENED 8u /* one seed of this many has a listener */
#define POOR 6u     /* one seed of this many has too little memory */
#define MEMORY_ALIGN 64u

static bool has_no_memory(void *user)
{
    struct swarm *swarm = &((struct sim *)user)->swarm;

    if (!swarm_draws(swarm, SWARM_NO_MEMORY))
        return false;
    if (heap_fault.has_room)
        swarm_hit(swarm, SWARM_NO_MEMORY);
    return true;
}

static void draw_drives(struct sim *sim)
{
    static const char *const names[] = {"x360_dvd12x", "wii_dvd6x", "hdd_5400"};
    spn_config *c = &sim->config;

    /* The profile of a drive need not be accurate. */
    if (swarm_below(&sim->swarm, 2))
        c->media[SPN_MEDIUM_OPTICAL].drive =
            spn_drive_profile_find(names[swarm_below(&sim->swarm, 2)]);
    if (swarm_below(&sim->swarm, 4) == 0)
        c->media[SPN_MEDIUM_HARD_DISK].drive = spn_drive_profile_find(names[2]);
}

/* Drives that hang need a time-out. */
static void draw_timeouts(struct sim *sim)
{
    struct swarm *swarm = &sim->swarm;

    if (swarm->level[SWARM_HANG] == SWARM_OFF)
        return;
    for (uint32_t i = 0; i < SPN_MEDIUM_MEMORY; i++)
        sim->config.media[i].timeout_us =
            500000 + test_random_below(&swarm->hangs, 5000000);
}

static void draw_sizes(struct sim *sim)
{
    static const uint32_t pieces[] = {4096, 16384, 65536, 262144};
    spn_config *c = &sim->config;
    uint64_t heap = sim_scene_heap_bytes(sim) + sim->disc->pak_heap_bytes;
    uint32_t percent = 100 + 50 * swarm_below(&sim->swarm, 3);

    c->heap_bytes = (uint32_t)(heap * percent / 100);
    c->read_count = swarm_between(&sim->swarm, 12, 40);
    c->file_count = swarm_between(&sim->swarm, 14, 24);
    c->job_count = 64u << swarm_below(&sim->swarm, 4);
    c->cache_count = MADE_CLIPS * 2;
    c->node_count = SIM_NODES * 2;
    c->stream_frame_count = swarm_between(&sim->swarm, 64, 200);
    c->piece_bytes = pieces[swarm_below(&sim->swarm, 4)];
    /* Without threads one piece is read in each update. */
    if (sim->machine == SIM_COOPERATIVE)
        c->piece_bytes = pieces[3];
    c->trace_count = 64;
    c->read_budget_bytes = swarm_between(&sim->swarm, 1, 800) * 1024;
    c->wait_count = swarm_between(&sim->swarm, 1, 4);
    c->pak_count = MADE_PAKS * 2;
    c->unpack_bytes = 1u << swarm_between(&sim->swarm, 12, 20);
    c->codecs = codecs_extra;
    c->codec_count = CODECS_EXTRA_COUNT;
    sim_shared_add_sizes(sim, c);
    sim_anim_add_sizes(sim, c);
}

/* Too little memory for everything that the caller plays. Then playing is not
 * guaranteed; all other guarantees hold. */
static void make_poor(struct sim *sim)
{
    spn_config *c = &sim->config;

    sim->is_poor = swarm_below(&sim->swarm, POOR) == 0;
    if (!sim->is_poor)
        return;
    c->heap_bytes = 65536 + swarm_below(&sim->swarm, c->heap_bytes);
    c->heap_block_count = swarm_between(&sim->swarm, 16, 200);
    c->job_count = swarm_between(&sim->swarm, 2, 16);
    c->stream_frame_count = swarm_between(&sim->swarm, 8, 40);
    c->node_count = swarm_between(&sim->swarm, 1, SIM_NODES);
    c->cache_count = swarm_between(&sim->swarm, 1, MADE_CLIPS);
    c->pak_count = swarm_between(&sim->swarm, 1, MADE_PAKS);
    c->file_count = swarm_between(&sim->swarm, 1, 10);
    c->read_count = swarm_between(&sim->swarm, 4, 12);
    sim_anim_make_poor(sim);
    /* Not without threads, because idle reads would never be dispatched. */
    if (sim->machine != SIM_COOPERATIVE)
        c->piece_bytes = 4096u << swarm_below(&sim->swarm, 4);
}

static void tune(struct sim *sim)
{
    static const char *const steps[] = {"1", "7", "64", "4096"};
    static const char *const kib[] = {"16", "64", "1024"};
    const char *one = steps[swarm_below(&sim->swarm, 4)];

    if (sim->machine == SIM_COOPERATIVE)
        (void)spn_tuning_set(sim->rt, "update_steps_max", one);
    (void)spn_tuning_set(sim->rt, "request_kib",
                         kib[swarm_below(&sim->swarm, 3)]);
}

static enum sim_machine draw_machine(struct sim *sim)
{
    uint32_t drawn = swarm_below(&sim->swarm, 4);

    if (sim->options.canary == CANARY_NO_WAKE || drawn > SIM_ENGINE_JOBS)
        return SIM_THREADS;
    return (enum sim_machine)drawn;
}

/* Memory of the largest run so far, used again by all runs. */
static void *get_memory(size_t bytes)
{
    static void *memory;
    static size_t room;

    if (bytes > room) {
        free(memory);
        room = (bytes + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
        memory = aligned_alloc(MEMORY_ALIGN, room);
        if (!memory)
            abort();
    }
    /* The runtime must not depend on the initial content of its memory. */
    memset(memory, 0xa5, bytes);
    return memory;
}

/* Some seeds record events, whose order is checked. */
static struct event_log event_log;

static void draw_listener(struct sim *sim)
{
    if (swarm_below(&sim->swarm, LISTENED) != 0 &&
        sim->options.canary != CANARY_EVENTS)
        return;
    event_log_init(&event_log);
    sim->config.listener = &event_log.listener;
}

/* A planted bug: exchange an event of a read with its next one. */
static void swap_events(struct sim *sim, uint32_t count)
{
    uint32_t i = swarm_below(&sim->swarm, count);

    while (i < count && event_log.events[i].kind != SPN_EVENT_READ_BEGIN)
        i++;
    for (uint32_t k = i + 1; k < count; k++)
        if (event_log.events[k].read == event_log.events[i].read) {
            spn_event event = event_log.events[i];

            event_log.events[i] = event_log.events[k];
            event_log.events[k] = event;
            return;
        }
}

void sim_check_events(struct sim *sim)
{
    uint32_t count = atomic_load_acquire(&event_log.count);
    const char *fault;
    uint32_t line;

    if (!sim->config.listener)
        return;
    SIM_MUST(sim, SIM_GRAMMAR, count > 0 && count <= EVENT_LOG_MAX);
    if (sim->options.canary == CANARY_EVENTS)
        swap_events(sim, count);
    fault = event_log_fault(&event_log, &line);
    if (fault)
        sim_fail(sim, SIM_GRAMMAR, "event %u of %u: not true: %s", line, count,
                 fault);
}

void sim_begin(struct sim *sim)
{
    size_t bytes;

    sim->disc = made_disc();
    sim_log_init(&sim->log, sim->options.trace);
    swarm_init(&sim->swarm, sim->options.seed);
    sim->machine = draw_machine(sim);
    sim->frame_us = swarm_between(&sim->swarm, 8000, 50000);
    sim_clock_init(sim);
    sim_drive_init(sim);
    sim_threads_init(sim);
    sim_tuning_init(sim);
    sim_memory_init(sim);
    sim_scene_init(sim);
    sim_views_init(sim);
    sim_shared_init(sim);
    sim_events_init(sim);
    sim_draw_init(sim);
    sim_anim_init(sim);
    sim_reads_init(sim);
    draw_sizes(sim);
    make_poor(sim);
    draw_drives(sim);
    draw_timeouts(sim);
    draw_listener(sim);
    sim->config.platform = &sim->drive.table;
    bytes = spn_memory_needed(&sim->config);
    SIM_MUST(sim, SIM_STATUS, bytes > 0);
    sim->memory = get_memory(bytes);
    heap_fault = (struct heap_fault){.fails = has_no_memory, .user = sim};
    SIM_MUST(sim, SIM_STATUS,
             spn_init(&sim->config, sim->memory, bytes, &sim->rt) == SPN_OK);
    /* The linker must have redirected the call. */
    SIM_MUST(sim, SIM_STATUS,
             (sim->rt->manager.config.cpu & ~sim_cpu_mask) == 0);
    tune(sim);
    sim_events_begin(sim);
    sim_anim_begin(sim);
    sim->scene.shown_us = sim_clock_now(sim);
    sim->next_frame_us = sim->clock.time_us;
}
