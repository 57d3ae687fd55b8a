/* anim_system.c - tables, updates, events, shutdown. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_system.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_databases.h"
#include "anim/anim_loads.h"
#include "anim/anim_memory.h"
#include "anim/anim_plays.h"
#include "anim/anim_timelines.h"
#include "anim/play_needs.h"
#include "base/assert.h"
#include "base/compiler.h"
#include "base/heap_view.h"

#include <spindle/memory.h>

/* Everything begins empty; the lists are links by number. */
static void init_tables(struct anim *a)
{
    const struct anim_config *c = &a->config;

    for (uint32_t i = 0; i < c->loaded_count; i++) {
        a->loads[i].anim = a;
        a->loads[i].free_next = i + 1 < c->loaded_count ? i + 1 : ANIM_NONE;
    }
    for (uint32_t i = 0; i < c->database_count; i++)
        a->databases[i].load = ANIM_NONE;
    for (uint32_t i = 0; i < LOAD_LISTS; i++)
        a->lists[i] = (struct load_list){ANIM_NONE, ANIM_NONE};
    a->image.status = SPN_EMPTY;
    spn__playing_begin(a);
    spn__promise_reserve_clips(&c->manager->promises, c->reserve_bytes);
}

/* Not inlined: its stack frame contains a struct anim. */
SPN_NOINLINE struct anim *spn__anim_init(struct carve *carve,
                                         const struct anim_config *config)
{
    struct anim counted = {.config = *config};
    struct anim *a;

    if (config->clip_count == 0)
        return NULL;
    spn__carve_for(carve, SPN_MEMORY_ANIM);
    a = SPN_CARVE(carve, struct anim, 1);
    counted.loads = SPN_CARVE(carve, struct range_load, config->loaded_count);
    counted.databases =
        SPN_CARVE(carve, struct anim_database, config->database_count);
    counted.clips = SPN_CARVE(carve, uint32_t, config->clip_count);
    counted.plays = SPN_CARVE(carve, struct anim_play, config->play_count);
    counted.timelines =
        SPN_CARVE(carve, struct anim_timeline, config->timeline_count);
    counted.event_capacity =
        2 * config->loaded_count + config->play_count + config->skeleton_count;
    counted.events = SPN_CARVE(carve, spn_anim_event, counted.event_capacity);
    if (config->has_loose_headers)
        counted.loose = spn__anim_loose_init(carve, config->clip_count);
    spn__anim_counts_init(&counted.counts, carve, config->clip_count);
    spn__pool_init(&counted.play_pool, carve, config->play_count);
    spn__pool_init(&counted.timeline_pool, carve, config->timeline_count);
    spn__skeletons_init(&counted.skeletons, carve, config->skeleton_count);
    spn__playing_init(&counted.playing, carve, config->play_count,
                      TIMELINE_OPEN_MAX * config->timeline_count);
    if (!a || carve->is_over)
        return NULL;
    *a = counted;
    return a;
}

void spn__anim_begin(struct anim *a)
{
    if (a)
        init_tables(a);
}

/* -- updates -- */

/* Clips that waited for a record may have one now. */
static void update_clips(struct anim *a)
{
    const bool lacked_records = a->lacks_records;

    a->lacks_records = false;
    spn__clips_update(a);
    if (!lacked_records)
        return;
    spn__plays_hurry(a);
    spn__timelines_hurry(a);
}

void spn__anim_update(struct anim *a, uint64_t now_us)
{
    if (!a)
        return;
    a->now_us = now_us;
    spn__anim_loose_update(a);
    spn__timelines_update(a);
    update_clips(a);
    spn__databases_update(a);
    spn__anim_memory_yield(a);
    spn__anim_loads_step(a);
    spn__skeletons_update(a);
    spn__plays_update(a);
    spn__play_needs_update(a);
}

/* -- events -- */

const char *spn__anim_load_path(const struct range_load *load)
{
    const struct clip_index *index = &load->anim->image.index;

    return load->file_owner != ANIM_NONE
               ? spn__clip_index_file(index, load->file_owner).path
               : spn__clip_index_clip(index, load->owner).name;
}

static void keep_event(struct anim *a, const spn_anim_event *event)
{
    if (!a->function)
        return;
    if (a->event_count == a->event_capacity)
        a->stats.events_lost++;
    else
        a->events[a->event_count++] = *event;
}

void spn__anim_load_event(const struct range_load *load,
                          spn_anim_event_kind kind, spn_status status)
{
    keep_event(load->anim,
               &(spn_anim_event){
                   .kind = kind,
                   .anim = load->is_database ? 0 : anim_of_clip(load->owner),
                   .database = load->is_database ? load->owner + 1 : 0,
                   .status = status});
}

void spn__anim_database_event(struct anim *a, uint32_t database,
                              spn_anim_event_kind kind)
{
    keep_event(a, &(spn_anim_event){.kind = kind, .database = database + 1});
}

void spn__anim_skeleton_event(struct anim *a, spn_anim_skeleton skeleton,
                              spn_status status)
{
    keep_event(a, &(spn_anim_event){.kind = SPN_ANIM_FAILED,
                                    .skeleton = skeleton,
                                    .status = status});
}

void spn__anim_clip_event(struct anim *a, uint32_t clip,
                          spn_anim_event_kind kind, spn_status status,
                          uint32_t frame)
{
    keep_event(a, &(spn_anim_event){.kind = kind,
                                    .anim = anim_of_clip(clip),
                                    .status = status,
                                    .frame = frame});
}

/* Events that the function causes are reported in the next update. */
void spn__anim_report(struct anim *a)
{
    uint32_t count;

    if (!a)
        return;
    spn__play_needs_finish(a);
    count = a->event_count;
    for (uint32_t i = 0; i < count && a->function; i++)
        a->function(a->user, &a->events[i]);
    a->event_count -= count;
    for (uint32_t i = 0; i < a->event_count; i++)
        a->events[i] = a->events[count + i];
}

/* -- statistics -- */

void spn__anim_get_stats(const struct anim *a, spn_anim_stats *out)
{
    *out = a->stats;
    out->plays = a->play_pool.used;
    for (uint32_t i = 0; i < a->config.loaded_count; i++) {
        const struct range_load *load = &a->loads[i];

        out->loaded += load->state == LOAD_READY;
        out->loading +=
            load->state == LOAD_WAITING || load->state == LOAD_ACTIVE;
        if (load_is_idle(load) && load->block != 0)
            out->idle_bytes += (uint64_t)spn__promise_pages(
                                   &a->config.manager->promises, load->bytes)
                               << a->config.heap->page_shift;
    }
    for (uint32_t i = 0; i < a->config.clip_count; i++)
        out->refs_saturated +=
            spn__anim_counts_get(&a->counts, i) == SPN_ANIM_REFS_MAX;
}

/* -- the end -- */

static void drop_all(struct anim *a)
{
    for (uint32_t i = 0; i < a->config.loaded_count; i++) {
        struct range_load *load = &a->loads[i];

        if (load->state == LOAD_FREE || load->state == LOAD_DYING)
            continue;
        spn__anim_load_evict(load);
    }
}

bool spn__anim_shutdown(struct anim *a)
{
    bool is_empty = true;

    if (!a)
        return true;
    a->function = NULL;
    /* Their jobs use the memory of loads. */
    if (!spn__playing_shutdown(a))
        return false;
    drop_all(a);
    spn__anim_loads_step(a);
    for (uint32_t i = 0; i < a->config.database_count; i++) {
        if (a->databases[i].file != 0)
            (void)spn__io_file_close(a->config.io, a->databases[i].file);
        a->databases[i].file = 0;
    }
    for (uint32_t i = 0; i < a->config.loaded_count; i++)
        is_empty &= a->loads[i].state == LOAD_FREE;
    is_empty &= spn__skeletons_shutdown(a);
    /* Headers of files that were named and not read yet are never read. */
    return is_empty && a->image.read == 0;
}

/* -- checks -- */

static bool check_list(const struct anim *a, enum load_list_kind kind,
                       uint32_t *count)
{
    const struct load_list *list = &a->lists[kind];
    uint32_t before = ANIM_NONE;
    uint32_t at = list->first;

    *count = 0;
    while (at != ANIM_NONE) {
        const struct load_link *link;

        if (at >= a->config.loaded_count || *count >= a->config.loaded_count)
            return false;
        link = &a->loads[at].links[kind];
        if (!link->is_in || link->before != before)
            return false;
        before = at;
        at = link->next;
        ++*count;
    }
    return list->last == before;
}

/* Whether the owner of a load refers to it, as long as it is not dying. */
static bool has_owner(const struct anim *a, uint32_t number)
{
    const struct range_load *load = &a->loads[number];

    if (load->state == LOAD_DYING)
        return !load_is_idle(load);
    if (load->is_database)
        return a->databases[load->owner].load == number;
    return (a->clips[load->owner] & CLIP_LOAD_MASK) == number + 1;
}

static bool check_loads(const struct anim *a, uint64_t *pages)
{
    uint32_t used = 0;
    uint32_t counts[LOAD_LISTS] = {0};
    uint32_t listed;

    for (uint32_t i = 0; i < a->config.loaded_count; i++) {
        const struct range_load *load = &a->loads[i];

        if (load->state == LOAD_FREE)
            continue;
        used++;
        for (uint32_t kind = 0; kind < LOAD_LISTS; kind++)
            counts[kind] += load->links[kind].is_in;
        if (!has_owner(a, i) ||
            (load->block == 0) !=
                (load->state == LOAD_WAITING || load->state == LOAD_FREE))
            return false;
        if (load->block != 0)
            *pages +=
                spn__promise_pages(&a->config.manager->promises, load->bytes);
    }
    for (uint32_t kind = 0; kind < LOAD_LISTS; kind++)
        if (!check_list(a, (enum load_list_kind)kind, &listed) ||
            counts[kind] != listed)
            return false;
    return used == a->used_loads;
}

/* Each wanted clip of a database is counted there. */
static bool check_clips(const struct anim *a)
{
    const struct clip_index *index = &a->image.index;
    uint32_t used = 0;

    for (uint32_t i = 0; i < index->header.clip_count; i++) {
        const uint32_t load = a->clips[i] & CLIP_LOAD_MASK;

        used += (a->clips[i] & CLIP_IS_WANTED) &&
                spn__clip_index_file_of(index, i) != CLIP_INDEX_NONE;
        if (load > a->config.loaded_count ||
            (load > 0 && a->loads[load - 1].owner != i))
            return false;
    }
    for (uint32_t i = 0; i < index->header.file_count; i++)
        used -= a->databases[i].used_clips;
    return used == 0;
}

bool spn__anim_check(const struct anim *a)
{
    uint64_t pages = 0;

    return !a ||
           (check_loads(a, &pages) && check_clips(a) &&
            spn__skeletons_check(a, &pages) && spn__playing_check(a, &pages) &&
            pages == a->config.manager->promises.clip_pages);
}

#endif
