/* sim_run.c - the run of a seed: draw, step, heal, close, repeat. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim.h"

#include "sim/heap_fault.h"
#include "sim/sim_begin.h"
#include "sim/sim_check.h"
#include "sim/sim_cpu.h"

#include "base/cpu.h"
#include "play/decoded_frame.h"
#include "read/engine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)
#define RECOVERY_US (30 * SECOND_US)
#define CLOSING_US (30 * SECOND_US)
#define FULL_CHECK 64u
#define FRAME_US 16667u /* length of a frame after the faults */

static const char *const check_names[SIM_CHECKS] = {
    "fine",   "structure", "bytes",    "picture",  "once",
    "status", "memory",    "contract", "grammar",  "event",
    "scene",  "animation", "liveness", "baseline", "repeat"};

const char *sim_check_name(enum sim_check check)
{
    return check_names[check];
}

void sim_fail(struct sim *sim, enum sim_check check, const char *format, ...)
{
    va_list arguments;

    sim->result->failed = check;
    va_start(arguments, format);
    vsnprintf(sim->result->why, sizeof sim->result->why, format, arguments);
    va_end(arguments);
    longjmp(sim->leave, 1);
}

bool sim_is_in_seed(const struct sim *sim, uint64_t salt,
                    enum sim_canary canary, struct test_random *random)
{
    *random = (struct test_random){sim->options.seed ^ salt};
    return test_random_below(random, 2) == 0 || sim->options.canary == canary;
}

void sim_note(struct sim *sim, const char *what, uint64_t a, uint64_t b,
              int64_t c)
{
    sim_log_add(&sim->log, sim->clock.time_us - sim->clock.begin_us, what, a, b,
                c);
}

/* -- steps -- */

/* False: no running frame refers to another one. */
static bool unpin_reference(struct sim *sim)
{
    struct decoded_frame *f = sim->rt->manager.launches->running;

    while (f && !f->references[0])
        f = f->next_running;
    if (f)
        f->references[0]->pins--;
    return f != NULL;
}

/* Take free memory until some of what is owed is neither free nor can be freed.
 * False: so much is not free. */
static bool take_owed(struct sim *sim)
{
    const struct promises *p = &sim->rt->manager.promises;
    const uint32_t free_pages = spn__heap_free_pages(p->heap);
    const uint32_t available = free_pages + p->keeper.kept_pages -
                               p->keeper.held_pages + p->beyond_pages;
    const uint32_t pages = available - p->owed_pages + 1;
    heap_handle taken;

    return p->owed_pages > 0 && pages <= free_pages &&
           spn__heap_alloc(p->heap, pages << p->heap->page_shift, 0,
                           HEAP_TAG_USER, &taken) == SPN_OK;
}

static bool plant_in_runtime(struct sim *sim)
{
    heap_handle leaked;

    if (sim->options.canary == CANARY_LEAK)
        (void)!spn__heap_alloc(&sim->rt->heap, 100, 0, HEAP_TAG_USER, &leaked);
    if (sim->options.canary == CANARY_SMASH)
        sim->rt->heap.owner[sim->rt->heap.page_count / 2] ^= 1;
    if (sim->options.canary == CANARY_CLOSURE)
        return unpin_reference(sim);
    if (sim->options.canary == CANARY_PROMISE)
        return take_owed(sim);
    if (sim->options.canary == CANARY_MESH)
        return sim_shared_leak(sim);
    if (sim->options.canary == CANARY_ANIM_BYTE)
        return sim_anim_change_byte(sim);
    if (sim->options.canary == CANARY_ANIM_FREED)
        return sim_anim_free_wanted(sim);
    if (sim->options.canary == CANARY_ANIM_GLITCH)
        return sim_anim_add_glitch(sim);
    return true;
}

static void plant(struct sim *sim)
{
    if (sim->is_planted || sim->log.step < sim->options.steps / 2)
        return;
    sim->is_planted = plant_in_runtime(sim);
    /* Before something else fails because of it. */
    if (sim->is_planted && sim->options.canary == CANARY_CLOSURE)
        sim_check_full(sim);
}

static void check(struct sim *sim)
{
    sim_check_cheap(sim);
    if (++sim->log.step % FULL_CHECK == 0)
        sim_check_full(sim);
    if (sim->options.canary >= CANARY_LEAK &&
        sim->options.canary <= CANARY_ANIM_GLITCH)
        plant(sim);
}

static void update(struct sim *sim)
{
    sim_tuning_frame(sim);
    sim_memory_frame(sim);
    sim_scene_note(sim);
    sim_unload_begin_update(sim);
    sim_views_begin_update(sim);
    sim_events_begin_update(sim);
    sim_anim_begin_update(sim);
    sim->is_updating = true;
    spn_update(sim->rt);
    sim->is_updating = false;
    sim_views_end_update(sim);
    sim_unload_end_update(sim);
    sim_events_end_update(sim);
    sim_anim_end_update(sim);
    sim_tuning_check(sim);
    sim_memory_check(sim);
    sim_reads_take_results(sim);
    sim_scene_check_frames(sim);
    sim_shared_check(sim);
    sim_draw_check(sim);
    sim_fills_frame(sim, false);
    sim->next_frame_us = sim->clock.time_us + sim->frame_us;
}

static void caller_frame(struct sim *sim)
{
    if (sim->is_held_up)
        swarm_hit(&sim->swarm, SWARM_STOPS_UPDATING);
    sim_clock_frame(sim);
    sim_threads_frame(sim);
    sim_reads_frame(sim);
    sim_paks_frame(sim);
    sim_blocks_frame(sim);
    sim_scene_frame(sim);
    sim_shared_frame(sim);
    sim_anim_frame(sim);
    update(sim);
    sim->is_held_up = swarm_draws(&sim->swarm, SWARM_STOPS_UPDATING);
    if (sim->is_held_up) {
        sim->next_frame_us += swarm_between(&sim->swarm, 100000, 5 * SECOND_US);
        sim_note(sim, "no updates until", sim->next_frame_us, 0, 0);
    }
}

/* Advance to the next event, or to a time before it. */
static void pass_time(struct sim *sim)
{
    uint64_t now_us = sim->clock.time_us;
    uint64_t next_us = sim->next_frame_us;
    uint64_t due_us = sim_drive_due(sim);

    if (due_us > now_us && due_us < next_us)
        next_us = due_us;
    due_us = sim_threads_due(sim);
    if (due_us > now_us && due_us < next_us)
        next_us = due_us;
    if (next_us <= now_us)
        next_us = now_us + 1;
    if (swarm_below(&sim->swarm, 4) == 0)
        next_us = now_us + 1 + (next_us - now_us) / 2;
    sim_clock_go_to(sim, next_us);
    (void)sim_drive_interrupt(sim);
}

/* One step of the world. `frame` is called for the caller's operations. */
static void step(struct sim *sim, void (*frame)(struct sim *sim))
{
    if (sim->clock.time_us >= sim->next_frame_us &&
        swarm_below(&sim->swarm, 4) != 0)
        frame(sim);
    else if (swarm_below(&sim->swarm, 16) == 0)
        sim_clock_go_to(sim,
                        sim->clock.time_us + swarm_below(&sim->swarm, 400));
    else if (!sim_threads_step(sim))
        pass_time(sim);
    check(sim);
}

/* -- end of a run -- */

static bool has_recovered;

static void recover_frame(struct sim *sim)
{
    bool has_paks = sim_paks_recover(sim);
    bool all_play;

    sim_scene_begin_again(sim);
    all_play = sim_scene_recover(sim);

    all_play = sim_shared_recover(sim) && all_play;
    all_play = sim_anim_recover(sim) && all_play;
    update(sim);
    if (has_paks && all_play)
        sim_reads_give_up(sim);
    has_recovered = has_paks && all_play && sim_reads_are_over(sim);
}

/* End all faults, also slow sizes that were drawn. */
static void heal(struct sim *sim)
{
    sim->swarm.is_over = true;
    (void)spn_tuning_set(sim->rt, "update_steps_max", "4096");
    (void)spn_tuning_set(sim->rt, "request_kib", "1024");
    if (sim->frame_us > FRAME_US)
        sim->frame_us = FRAME_US;
    sim_clock_end_faults(sim);
    sim_tuning_end_faults(sim);
    sim_drive_end_faults(sim);
    sim_threads_end_faults(sim);
    sim_reads_end_faults(sim);
    sim_blocks_end_faults(sim);
    sim_scene_end_faults(sim);
    sim_views_end_faults(sim);
    sim_anim_end_faults(sim);
}

static void play_all(struct sim *sim)
{
    uint64_t until_us;

    has_recovered = false;
    sim_scene_forget_ready(sim);
    sim->next_frame_us = sim->clock.time_us;
    for (until_us = sim->clock.time_us + RECOVERY_US; !has_recovered;) {
        step(sim, recover_frame);
        if (sim->clock.time_us <= until_us)
            continue;
        sim_scene_log(sim);
        sim_fail(sim, SIM_LIVENESS, "30 s after the faults: %s",
                 sim_reads_are_over(sim) ? "not all plays"
                                         : "a read is not over");
    }
}

static void recover(struct sim *sim)
{
    sim_note(sim, "faults are over", 0, 0, 0);
    heal(sim);
    play_all(sim);
    sim_note(sim, "all plays", 0, 0, 0);
}

static void hide_frame(struct sim *sim)
{
    (void)sim_scene_recover(sim);
    (void)sim_shared_recover(sim);
    update(sim);
}

/* Hide all, until all caches are unloaded; then show all, until all plays. Not
 * inlined into the function with setjmp, where its variables could change. */
SPN_NOINLINE static void hide_and_show(struct sim *sim)
{
    const uint64_t until_us = sim->clock.time_us + RECOVERY_US;

    if (!sim->views.is_on || sim->is_poor)
        return;
    sim_note(sim, "all hidden", 0, 0, 0);
    sim_views_set_all(sim, false);
    while (!sim_unload_is_all_unloaded(sim)) {
        step(sim, hide_frame);
        if (sim->clock.time_us > until_us)
            sim_fail(sim, SIM_LIVENESS,
                     "30 s after all was hidden: not all is "
                     "unloaded");
    }
    sim_views_set_all(sim, true);
    play_all(sim);
    sim_note(sim, "all plays again", 0, 0, 0);
}

static void close_frame(struct sim *sim)
{
    sim_reads_end_faults(sim);
    update(sim);
}

static bool is_empty(const struct sim *sim)
{
    spn_io_stats stats;

    spn_io_get_stats(sim->rt, &stats);
    return stats.pending == 0 && sim->rt->io->retained_count == 0 &&
           sim_anim_is_empty(sim) &&
           sim->rt->heap.stats.live_blocks == (sim_anim_image_pages(sim) > 0) &&
           sim->rt->manager.cache_pool.used == 0 &&
           sim->rt->manager.node_pool.used == 0 &&
           sim->drive.opens == sim->drive.closes && !sim->reads.is_recording;
}

static void close_all(struct sim *sim)
{
    uint64_t until_us = sim->clock.time_us + CLOSING_US;

    sim_reads_close(sim);
    sim_scene_close(sim);
    sim_shared_close(sim);
    sim_paks_close(sim);
    sim_anim_close(sim);
    while (!is_empty(sim) && sim->clock.time_us < until_us)
        step(sim, close_frame);
    sim_check_empty(sim);
    sim_anim_aborts_check(sim);
}

static void shut_down(struct sim *sim)
{
    sim_note(sim, "shutdown", 0, 0, 0);
    sim->is_shut = true;
    sim->swarm.is_over = true;
    sim_clock_end_faults(sim);
    if (sim->machine == SIM_COOPERATIVE)
        sim_drive_end_reads(sim);
    spn_shutdown(sim->rt);
    sim_threads_end(sim);
    sim_reads_take_results(sim);
    SIM_MUST(sim, SIM_ONCE, sim_reads_are_over(sim));
    sim_check_empty(sim);
    sim_check_events(sim);
}

static bool is_in_flight(const struct sim *sim)
{
    spn_io_stats stats;

    spn_io_get_stats(sim->rt, &stats);
    return stats.pending > 0;
}

static void live(struct sim *sim)
{
    while (sim->log.step < sim->options.steps)
        step(sim, caller_frame);
    if (!swarm_draws(&sim->swarm, SWARM_SHUT_IN_FLIGHT)) {
        recover(sim);
        hide_and_show(sim);
        close_all(sim);
    } else if (is_in_flight(sim)) {
        swarm_hit(&sim->swarm, SWARM_SHUT_IN_FLIGHT);
    }
    sim_fills_frame(sim, true);
    sim_log_mix(&sim->log, spn_trace_hash(sim->rt));
    if (sim->options.canary == CANARY_NOT_THE_SEED) {
        static uint64_t runs;

        sim_log_mix(&sim->log, runs++);
    }
    shut_down(sim);
}

static void collect(const struct sim *sim, struct sim_result *result)
{
    result->step = sim->log.step;
    result->virtual_us = sim->clock.time_us - sim->clock.begin_us;
    result->hash = sim->log.hash;
    result->reads = sim->reads.completed;
    result->frames = sim->scene.frames + sim->fills.count;
    result->log = sim->log;
    memcpy(result->hits, sim->swarm.hits, sizeof result->hits);
}

void sim_run_once(const struct sim_options *options, struct sim_result *result)
{
    struct sim *sim = calloc(1, sizeof *sim);

    if (!sim)
        abort();
    memset(result, 0, sizeof *result);
    sim->options = *options;
    sim->result = result;
    if (setjmp(sim->leave) == 0) {
        sim_begin(sim);
        live(sim);
    }
    heap_fault = (struct heap_fault){0};
    collect(sim, result);
    sim_buffers_free(sim);
    sim_reads_free(sim);
    free(sim);
}

void sim_run(const struct sim_options *options, struct sim_result *result)
{
    struct sim_result second;
    uint32_t mask;

    sim_run_once(options, result);
    if (result->failed != SIM_FINE)
        return;
    sim_cpu_mask = options->seed % 2 ? 0 : SPN_CPU_SSE41;
    sim_run_once(options, &second);
    mask = sim_cpu_mask;
    sim_cpu_mask = SIM_CPU_ALL;
    if (second.hash == result->hash && second.failed == SIM_FINE)
        return;
    *result = second;
    result->failed = SIM_REPEAT;
    snprintf(result->why, sizeof result->why,
             "the second time, with instruction sets %x: %s: %.180s",
             (unsigned)mask, sim_check_name(second.failed),
             second.failed == SIM_FINE ? "another hash" : second.why);
}
