/* anim_loads.c - lists of loads. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_loads.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_databases.h"
#include "anim/anim_memory.h"
#include "anim/anim_system.h"
#include "base/assert.h"
#include "base/minmax.h"

/* Deadline of a load for which none is known: soon. */
#define SOON_US 1000000u
/* A load that has waited for memory for so long goes first. */
#define LONG_WAIT_US 2000000u

uint32_t spn__anim_load_number(const struct range_load *load)
{
    return (uint32_t)(load - load->anim->loads);
}

/* -- lists -- */

static void append(struct range_load *load, enum load_list_kind kind)
{
    struct anim *a = load->anim;
    struct load_list *list = &a->lists[kind];
    const uint32_t number = spn__anim_load_number(load);

    load->links[kind] = (struct load_link){true, ANIM_NONE, list->last};
    if (list->last != ANIM_NONE)
        a->loads[list->last].links[kind].next = number;
    else
        list->first = number;
    list->last = number;
}

static void remove_from(struct range_load *load, enum load_list_kind kind)
{
    struct anim *a = load->anim;
    struct load_list *list = &a->lists[kind];
    struct load_link *link = &load->links[kind];

    if (link->before != ANIM_NONE)
        a->loads[link->before].links[kind].next = link->next;
    else
        list->first = link->next;
    if (link->next != ANIM_NONE)
        a->loads[link->next].links[kind].before = link->before;
    else
        list->last = link->before;
    link->is_in = false;
}

static bool is_active(const struct range_load *load)
{
    return load->links[LOAD_LIST_ACTIVE].is_in;
}

void spn__anim_load_set_idle(struct range_load *load, bool is_idle)
{
    if (load_is_idle(load) == is_idle)
        return;
    if (is_idle) {
        load->idle_since_us = load->anim->now_us;
        append(load, LOAD_LIST_IDLE);
    } else {
        remove_from(load, LOAD_LIST_IDLE);
    }
}

/* -- beginning and end -- */

static void recycle(struct range_load *load)
{
    struct anim *a = load->anim;

    if (is_active(load))
        remove_from(load, LOAD_LIST_ACTIVE);
    *load = (struct range_load){.anim = a, .free_next = a->free_load};
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
    a->free_load = load->free_next;
    a->used_loads++;
    *load = (struct range_load){.anim = a, .file_owner = ANIM_NONE};
    return load;
}

void spn__anim_load_begin(struct range_load *load)
{
    load->state = LOAD_WAITING;
    append(load, LOAD_LIST_ACTIVE);
}

void spn__anim_load_drop(struct range_load *load)
{
    struct anim *a = load->anim;

    if (load->was_ready)
        spn__anim_load_event(load, SPN_ANIM_UNLOADED, SPN_OK);
    spn__anim_trace(a, TRACE_CLIP_FREE, load->owner, load->bytes);
    spn__anim_load_set_idle(load, false);
    if (spn__load_end(load))
        recycle(load);
    else if (!is_active(load))
        append(load, LOAD_LIST_ACTIVE);
}

void spn__anim_load_evict(struct range_load *load)
{
    if (load->is_database)
        spn__database_clear_load(load->anim, load->owner);
    else
        spn__clip_clear_load(load->anim, load->owner);
    spn__anim_load_drop(load);
}

bool spn__anim_evict(struct anim *a)
{
    uint32_t at;

    if (a->config.tuning->value[TUNING_anim_disable_unloading])
        return false;
    spn__clips_keep(a);
    at = a->lists[LOAD_LIST_IDLE].first;
    while (at != ANIM_NONE) {
        struct range_load *load = &a->loads[at];

        at = load->links[LOAD_LIST_IDLE].next;
        if (!load->is_database &&
            !a->config.tuning->value[TUNING_anim_unload_clips])
            continue;
        spn__anim_load_evict(load);
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
            spn__anim_load_event(load, SPN_ANIM_READY, SPN_OK);
    }
    if (load->state != LOAD_READY || load->was_loaded)
        return;
    load->was_loaded = true;
    spn__anim_trace(a, TRACE_CLIP_LOADED, load->owner, load->bytes);
    spn__anim_load_event(load, SPN_ANIM_LOADED, SPN_OK);
    if (load->is_database)
        spn__database_loaded(a, load->owner);
}

void spn__anim_load_collect(struct range_load *load)
{
    spn__load_collect(load);
    report_progress(load);
    /* A job may still look at what this thread has verified itself. */
    if (load->state == LOAD_READY && is_active(load) &&
        !load->parts[0].has_job && !load->parts[1].has_job)
        remove_from(load, LOAD_LIST_ACTIVE);
    /* Nothing of it is in memory, and nobody wants it. */
    if (load->state == LOAD_WAITING && load_is_idle(load))
        spn__anim_load_evict(load);
}

/* Take the results of reads and jobs, and free what is dying. */
static void take_results(struct anim *a)
{
    uint32_t at = a->lists[LOAD_LIST_ACTIVE].first;

    while (at != ANIM_NONE) {
        struct range_load *load = &a->loads[at];

        at = load->links[LOAD_LIST_ACTIVE].next;
        if (load->state != LOAD_DYING)
            spn__anim_load_collect(load);
        else if (spn__load_is_over(load))
            recycle(load);
    }
}

/* Whether it has waited for memory for so long that it goes first. */
static bool goes_first(const struct range_load *load)
{
    return load->priority == SPN_PRIORITY_URGENT ||
           (load->has_waited &&
            load->anim->now_us - load->waits_since_us >= LONG_WAIT_US);
}

/* When the next part that has not begun is needed. */
static uint64_t deadline_of(const struct range_load *load)
{
    const uint64_t now_us = load->anim->now_us;

    if (goes_first(load))
        return 0;
    for (uint32_t i = 0; i < load->part_count; i++) {
        const struct load_part *part = &load->parts[i];

        if (part->state == PART_NONE && part->retry_us <= now_us &&
            part->deadline_us != 0)
            return part->deadline_us;
    }
    return now_us + SOON_US;
}

/* The first load without room in this update, and what later ones may take. */
struct waiting_load {
    const struct range_load *load; /* NULL: none */
    uint32_t pages;                /* that all who pass it may take now */
    bool is_without_files;         /* no more files can be opened */
};

static uint32_t pages_of(const struct range_load *load)
{
    return spn__promise_pages(&load->anim->config.manager->promises,
                              load->bytes);
}

/* A load passes one without room only if there is room for that one beside all
 * that have passed it, as soon as those before it are gone. If it will not fit
 * even then, it waits for geometry, and they do not matter. */
static uint32_t pages_to_pass(struct anim *a, const struct range_load *waiting)
{
    const uint32_t room = spn__anim_memory_room(a);
    const uint32_t needed = pages_of(waiting);
    uint32_t others = a->config.manager->promises.clip_pages;
    uint32_t passed = 0;

    for (uint32_t i = 0; i < a->config.loaded_count; i++) {
        const struct range_load *load = &a->loads[i];

        if (load->block == 0)
            continue;
        others -= pages_of(load);
        if (!load_is_idle(load) &&
            (int32_t)(load->number - waiting->waits_number) > 0)
            passed += pages_of(load);
    }
    /* Skeletons and clips that play stay. */
    if (needed + others > room)
        return UINT32_MAX;
    return room - needed - others > passed ? room - needed - others - passed
                                           : 0;
}

static bool can_go(struct range_load *load, const struct waiting_load *w)
{
    return load != w->load && !load_is_idle(load) &&
           spn__load_is_waiting(load) &&
           (!w->is_without_files || spn__load_has_file(load)) &&
           (!w->load || load->state != LOAD_WAITING ||
            pages_of(load) <= w->pages);
}

/* Whether a sweep over their database, which goes on from the last load that
 * was started, comes to `x` before `y`. */
static bool is_passed_first(const struct range_load *x,
                            const struct range_load *y)
{
    uint64_t from;

    if (x->file_owner == ANIM_NONE || x->file_owner != y->file_owner)
        return false;
    from = x->anim->databases[x->file_owner].sweep_offset;
    return x->offset - from < y->offset - from;
}

/* The next load that waits for memory or reads: urgent ones first, then by
 * deadline. Many have the same one when a scene begins. Of these, the database
 * of the first that arrived is read in sweeps: at most anim_reads_max reads
 * wait for the drive at a time, too few for it to find a good order. Loads of
 * other files go in the order of arrival. */
static struct range_load *next_waiting(struct anim *a,
                                       const struct waiting_load *w)
{
    struct range_load *best = NULL;
    uint64_t best_us = 0;

    for (uint32_t at = a->lists[LOAD_LIST_ACTIVE].first; at != ANIM_NONE;
         at = a->loads[at].links[LOAD_LIST_ACTIVE].next) {
        struct range_load *load = &a->loads[at];
        uint64_t us;

        if (!can_go(load, w))
            continue;
        us = deadline_of(load);
        if (!best || us < best_us ||
            (us == best_us && is_passed_first(load, best))) {
            best = load;
            best_us = us;
        }
    }
    return best;
}

/* Start a load. False: no more can be started in this update. */
static bool start(struct range_load *load, struct waiting_load *w)
{
    const bool takes_memory = load->state == LOAD_WAITING;
    const spn_status status = spn__load_start(load);

    if (status == SPN_NO_MEMORY_NOW && !w->load)
        *w = (struct waiting_load){load, pages_to_pass(load->anim, load),
                                   w->is_without_files};
    else if (status == SPN_NO_MEMORY_NOW)
        w->pages = pages_of(load) - 1;
    else if (takes_memory && load->block != 0 && w->pages != UINT32_MAX)
        w->pages -= min_u32(w->pages, pages_of(load));
    if (status == SPN_OK && load->file_owner != ANIM_NONE)
        load->anim->databases[load->file_owner].sweep_offset = load->offset;
    /* Others may go on, if their files are open. */
    w->is_without_files |= status == SPN_ERR_TABLE_FULL;
    return status != SPN_FULL;
}

void spn__anim_loads_step(struct anim *a)
{
    struct waiting_load waiting = {NULL, UINT32_MAX, false};
    struct range_load *load;

    take_results(a);
    spn__databases_replace_loads(a);
    while ((load = next_waiting(a, &waiting)) != NULL)
        if (!start(load, &waiting))
            break;
}

#endif
