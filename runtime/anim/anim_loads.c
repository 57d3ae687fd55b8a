/* anim_loads.c - lists of loads. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_loads.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_databases.h"
#include "anim/anim_system.h"
#include "base/assert.h"

/* Deadline of a load for which none is known: soon. */
#define SOON_US 1000000u

uint32_t spn__anim_load_number(const struct range_load *load)
{
    return (uint32_t)(load - load->anim->loads);
}

/* -- lists -- */

static void append_idle(struct anim *a, struct range_load *load)
{
    const uint32_t number = spn__anim_load_number(load);

    load->is_idle = true;
    load->idle_next = ANIM_NONE;
    load->idle_before = a->idle.last;
    if (a->idle.last != ANIM_NONE)
        a->loads[a->idle.last].idle_next = number;
    else
        a->idle.first = number;
    a->idle.last = number;
}

static void remove_idle(struct anim *a, struct range_load *load)
{
    load->is_idle = false;
    if (load->idle_before != ANIM_NONE)
        a->loads[load->idle_before].idle_next = load->idle_next;
    else
        a->idle.first = load->idle_next;
    if (load->idle_next != ANIM_NONE)
        a->loads[load->idle_next].idle_before = load->idle_before;
    else
        a->idle.last = load->idle_before;
}

static void append_active(struct anim *a, struct range_load *load)
{
    const uint32_t number = spn__anim_load_number(load);

    load->is_active = true;
    load->active_next = ANIM_NONE;
    load->active_before = a->active.last;
    if (a->active.last != ANIM_NONE)
        a->loads[a->active.last].active_next = number;
    else
        a->active.first = number;
    a->active.last = number;
}

static void remove_active(struct anim *a, struct range_load *load)
{
    load->is_active = false;
    if (load->active_before != ANIM_NONE)
        a->loads[load->active_before].active_next = load->active_next;
    else
        a->active.first = load->active_next;
    if (load->active_next != ANIM_NONE)
        a->loads[load->active_next].active_before = load->active_before;
    else
        a->active.last = load->active_before;
}

void spn__anim_load_set_idle(struct range_load *load, bool is_idle)
{
    struct anim *a = load->anim;

    if (load->is_idle == is_idle)
        return;
    if (is_idle) {
        load->idle_since_us = a->now_us;
        append_idle(a, load);
    } else {
        remove_idle(a, load);
    }
}

/* -- beginning and end -- */

static void recycle(struct range_load *load)
{
    struct anim *a = load->anim;

    if (load->is_active)
        remove_active(a, load);
    *load = (struct range_load){.anim = a, .active_next = a->free_load};
    a->free_load = spn__anim_load_number(load);
    a->used_loads--;
}

struct range_load *spn__anim_load_take(struct anim *a)
{
    struct range_load *load;

    /* A load that is dying after an eviction may not be free at once. */
    while (a->free_load == ANIM_NONE)
        if (!spn__anim_evict(a))
            return NULL;
        else
            a->stats.unloads_early++;
    load = &a->loads[a->free_load];
    a->free_load = load->active_next;
    a->used_loads++;
    *load = (struct range_load){.anim = a,
                                .file_owner = ANIM_NONE,
                                .idle_next = ANIM_NONE,
                                .idle_before = ANIM_NONE,
                                .active_next = ANIM_NONE,
                                .active_before = ANIM_NONE};
    return load;
}

void spn__anim_load_begin(struct range_load *load)
{
    load->state = LOAD_WAITING;
    append_active(load->anim, load);
}

void spn__anim_load_drop(struct range_load *load)
{
    struct anim *a = load->anim;

    if (load->was_ready)
        spn__anim_load_event(load, SPN_ANIM_UNLOADED);
    spn__anim_trace(a, TRACE_CLIP_FREE, load->owner, load->bytes);
    spn__anim_load_set_idle(load, false);
    if (spn__load_end(load))
        recycle(load);
    else if (!load->is_active)
        append_active(a, load);
}

bool spn__anim_evict(struct anim *a)
{
    uint32_t at = a->idle.first;

    if (a->config.tuning->value[TUNING_anim_disable_unloading])
        return false;
    while (at != ANIM_NONE) {
        struct range_load *load = &a->loads[at];

        at = load->idle_next;
        if (!load->is_database &&
            !a->config.tuning->value[TUNING_anim_unload_clips])
            continue;
        if (load->is_database)
            spn__database_forget(a, load->owner);
        else
            spn__clip_forget(a, load->owner);
        spn__anim_load_drop(load);
        return true;
    }
    return false;
}

/* -- steps -- */

/* Report what has come. */
static void report_progress(struct range_load *load)
{
    struct anim *a = load->anim;

    if (!load->was_ready && spn__load_ready_bytes(load) > 0) {
        load->was_ready = true;
        if (!load->is_database)
            spn__anim_load_event(load, SPN_ANIM_READY);
    }
    if (load->state != LOAD_READY || load->was_loaded)
        return;
    load->was_loaded = true;
    spn__anim_trace(a, TRACE_CLIP_LOADED, load->owner, load->bytes);
    spn__anim_load_event(load, SPN_ANIM_LOADED);
    if (load->is_database)
        spn__database_loaded(a, load->owner);
}

void spn__anim_load_collect(struct range_load *load)
{
    spn__load_collect(load);
    report_progress(load);
    /* A job may still look at what this thread has verified itself. */
    if (load->state == LOAD_READY && load->is_active &&
        !load->parts[0].has_job && !load->parts[1].has_job)
        remove_active(load->anim, load);
}

/* Take the results of reads and jobs, and free what is dying. */
static void take_results(struct anim *a)
{
    uint32_t at = a->active.first;

    while (at != ANIM_NONE) {
        struct range_load *load = &a->loads[at];

        at = load->active_next;
        if (load->state != LOAD_DYING)
            spn__anim_load_collect(load);
        else if (spn__load_is_over(load))
            recycle(load);
    }
}

/* When the next part that has not begun is needed. */
static uint64_t deadline_of(const struct range_load *load)
{
    for (uint32_t i = 0; i < load->part_count; i++)
        if (load->parts[i].state == PART_NONE && load->parts[i].deadline_us)
            return load->parts[i].deadline_us;
    return load->anim->now_us + SOON_US;
}

/* The next load that waits for memory or reads: urgent ones first, then by
 * deadline, then in the order of arrival. */
static struct range_load *next_waiting(struct anim *a)
{
    struct range_load *best = NULL;
    uint64_t best_us = 0;

    for (uint32_t at = a->active.first; at != ANIM_NONE;
         at = a->loads[at].active_next) {
        struct range_load *load = &a->loads[at];
        uint64_t us;

        if (load->is_idle || !spn__load_is_waiting(load))
            continue;
        us = load->priority == SPN_PRIORITY_URGENT ? 0 : deadline_of(load);
        if (!best || us < best_us) {
            best = load;
            best_us = us;
        }
    }
    return best;
}

void spn__anim_loads_step(struct anim *a)
{
    struct range_load *load;

    take_results(a);
    /* A load without room is not passed by later ones, which would take the
     * room that it needs. */
    while ((load = next_waiting(a)) != NULL)
        if (spn__load_start(load) != SPN_OK)
            break;
}

#endif
