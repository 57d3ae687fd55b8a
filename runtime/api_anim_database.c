/* api_anim_database.c - the functions of spindle/anim_database.h and
 * spindle/anim_timeline.h: validate handles and arguments, then call anim/. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"
#include "anim/anim_databases.h"
#include "anim/anim_timelines.h"
#include "api_anim.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

static spn_status find_database(const spn_runtime *rt, bool has_pointers,
                                spn_anim_database database, struct anim **out)
{
    spn_status status = anim_find_system(rt, has_pointers, out);

    if (status == SPN_OK &&
        (database == 0 || database > (*out)->image.index.header.file_count))
        status = SPN_ERR_HANDLE;
    return status;
}

static bool is_priority(spn_priority priority)
{
    return (uint32_t)priority <= SPN_PRIORITY_IDLE &&
           priority != SPN_PRIORITY_PREEMPTED;
}

/* -- databases -- */

spn_status spn_anim_database_find(const spn_runtime *rt, const char *path,
                                  spn_anim_database *out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, path && out, &a);
    uint32_t file;

    if (status != SPN_OK)
        return status;
    if (a->image.status != SPN_OK)
        return SPN_PENDING;
    file =
        spn__clip_index_find_file(&a->image.index, path, anim_text_bytes(path));
    if (file == CLIP_INDEX_NONE)
        return SPN_ERR_NOT_FOUND;
    *out = file + 1;
    return SPN_OK;
}

spn_status spn_anim_database_preload(spn_runtime *rt,
                                     spn_anim_database database,
                                     spn_priority priority)
{
    struct anim *a;
    spn_status status = find_database(rt, is_priority(priority), database, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    spn__database_preload(a, database - 1, priority);
    return SPN_OK;
}

spn_status spn_anim_database_lock(spn_runtime *rt, spn_anim_database database,
                                  uint32_t is_locked, spn_priority priority)
{
    struct anim *a;
    spn_status status = find_database(
        rt, is_locked <= 1 && is_priority(priority), database, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    a->databases[database - 1].is_locked = is_locked != 0;
    if (is_locked)
        spn__database_preload(a, database - 1, priority);
    return SPN_OK;
}

spn_status spn_anim_database_add_owner(spn_runtime *rt,
                                       spn_anim_database database)
{
    struct anim *a;
    spn_status status = find_database(rt, true, database, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    if (a->databases[database - 1].owner_count < SPN_ANIM_REFS_MAX)
        a->databases[database - 1].owner_count++;
    spn__database_preload(a, database - 1, SPN_PRIORITY_DEFAULT);
    return SPN_OK;
}

spn_status spn_anim_database_remove_owner(spn_runtime *rt,
                                          spn_anim_database database)
{
    struct anim *a;
    spn_status status = find_database(rt, true, database, &a);

    if (status != SPN_OK)
        return status;
    if (a->databases[database - 1].owner_count == 0)
        return SPN_ERR_STATE;
    if (a->databases[database - 1].owner_count < SPN_ANIM_REFS_MAX)
        a->databases[database - 1].owner_count--;
    return SPN_OK;
}

spn_status spn_anim_database_unload(spn_runtime *rt, spn_anim_database database)
{
    struct anim *a;
    spn_status status = find_database(rt, true, database, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    spn__clips_take_changes(a);
    return spn__database_unload(a, database - 1);
}

spn_status spn_anim_database_unload_all(spn_runtime *rt, uint32_t *left)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, true, &a);
    uint32_t count = 0;

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    spn__clips_take_changes(a);
    for (uint32_t i = 0; i < a->image.index.header.file_count; i++)
        if (spn__database_unload(a, i) != SPN_OK)
            count += a->databases[i].load != ANIM_NONE;
    if (left)
        *left = count;
    return SPN_OK;
}

spn_status spn_anim_database_get_state(const spn_runtime *rt,
                                       spn_anim_database database,
                                       spn_anim_database_state *out)
{
    struct anim *a;
    spn_status status = find_database(rt, out != NULL, database, &a);
    const struct anim_database *d;
    struct clip_data_file facts;

    if (status != SPN_OK)
        return status;
    d = &a->databases[database - 1];
    facts = spn__clip_index_file(&a->image.index, database - 1);
    *out = (spn_anim_database_state){
        .path = facts.path,
        .bytes = facts.file_bytes - facts.data_offset,
        .status = spn__database_status(a, database - 1),
        .is_hidden = d->is_hidden,
        .is_locked = d->is_locked,
        .owner_count = d->owner_count,
        .used_clips = d->used_clips};
    if (out->status < SPN_OK)
        spn__load_fault(spn__database_load(a, database - 1), &out->fault);
    return SPN_OK;
}

/* -- timelines -- */

static spn_status find_timeline(const spn_runtime *rt, bool has_pointers,
                                spn_anim_timeline timeline, struct anim **a,
                                struct anim_timeline **out)
{
    spn_status status = anim_find_system(rt, has_pointers, a);
    uint32_t index;

    if (status != SPN_OK)
        return status;
    index = spn__pool_index(&(*a)->timeline_pool, timeline);
    if (index == POOL_NONE)
        return SPN_ERR_HANDLE;
    *out = &(*a)->timelines[index];
    return SPN_OK;
}

spn_status spn_anim_timeline_create(spn_runtime *rt, spn_anim_timeline *out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, out != NULL, &a);

    if (status == SPN_OK)
        status = spn__pool_take(&a->timeline_pool, out);
    if (status == SPN_OK)
        a->timelines[spn__pool_index(&a->timeline_pool, *out)] =
            (struct anim_timeline){.cues = NULL};
    return status;
}

spn_status spn_anim_timeline_destroy(spn_runtime *rt,
                                     spn_anim_timeline timeline)
{
    struct anim *a;
    struct anim_timeline *t;
    spn_status status = find_timeline(rt, true, timeline, &a, &t);

    if (status != SPN_OK)
        return status;
    spn__timeline_clear(a, t);
    (void)spn__pool_give(&a->timeline_pool, timeline);
    return SPN_OK;
}

spn_status spn_anim_timeline_set_cues(spn_runtime *rt,
                                      spn_anim_timeline timeline,
                                      const spn_anim_cue *cues, uint32_t count)
{
    struct anim *a;
    struct anim_timeline *t;
    spn_status status = find_timeline(rt, cues || count == 0, timeline, &a, &t);

    for (uint32_t i = 0; status == SPN_OK && i < count; i++)
        if (i > 0 && cues[i].time_us < cues[i - 1].time_us)
            status = SPN_ERR_ARG;
        else
            status = anim_find_clip(rt, true, cues[i].anim, &a);
    if (status != SPN_OK)
        return status;
    spn__timeline_set_cues(a, t, cues, count);
    return SPN_OK;
}

spn_status spn_anim_timeline_set_time(spn_runtime *rt,
                                      spn_anim_timeline timeline,
                                      int64_t time_us)
{
    struct anim *a;
    struct anim_timeline *t;
    spn_status status = find_timeline(rt, true, timeline, &a, &t);

    if (status == SPN_OK)
        spn__timeline_set_time(a, t, time_us);
    return status;
}

spn_status spn_anim_timeline_jump(spn_runtime *rt, spn_anim_timeline timeline,
                                  int64_t time_us)
{
    struct anim *a;
    struct anim_timeline *t;
    spn_status status = find_timeline(rt, true, timeline, &a, &t);

    if (status == SPN_OK)
        spn__timeline_jump(a, t, time_us);
    return status;
}

spn_status spn_anim_timeline_get_state(const spn_runtime *rt,
                                       spn_anim_timeline timeline,
                                       spn_anim_timeline_state *out)
{
    struct anim *a;
    struct anim_timeline *t;
    spn_status status = find_timeline(rt, out != NULL, timeline, &a, &t);

    if (status == SPN_OK)
        *out = (spn_anim_timeline_state){.time_us = t->time_us,
                                         .wanted = t->wanted - t->held,
                                         .hits = t->hits,
                                         .misses = t->misses};
    return status;
}

#endif
