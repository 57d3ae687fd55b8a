/* anim_clips.c - from the counts of clips to loads. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_databases.h"
#include "anim/anim_loads.h"
#include "anim/anim_system.h"

static struct range_load *own_load(const struct anim *a, uint32_t clip)
{
    const uint32_t number = a->clips[clip] & CLIP_LOAD_MASK;

    return number != 0 ? &a->loads[number - 1] : NULL;
}

void spn__clip_clear_load(struct anim *a, uint32_t clip)
{
    a->clips[clip] &= ~CLIP_LOAD_MASK;
}

static void drop(struct anim *a, uint32_t clip, struct range_load *load)
{
    spn__clip_clear_load(a, clip);
    spn__anim_load_drop(load);
}

/* -- wanted or not -- */

bool spn__clip_is_wanted(const struct anim *a, uint32_t clip)
{
    return spn__anim_counts_get(&a->counts, clip) > 0 ||
           (a->clips[clip] & CLIP_IS_LOCKED);
}

/* Note the change, also for its database. */
static void set_wanted(struct anim *a, uint32_t clip, bool is_wanted)
{
    const bool was_wanted = (a->clips[clip] & CLIP_IS_WANTED) != 0;

    if (is_wanted == was_wanted)
        return;
    a->clips[clip] ^= CLIP_IS_WANTED;
    spn__database_count(a, spn__clip_index_file_of(&a->image.index, clip),
                        is_wanted);
}

/* The rest is needed when playback has passed the first part; segments have
 * about the same number of frames for each byte. */
static void set_deadline(struct range_load *load,
                         const struct clip_facts *facts, uint64_t deadline_us)
{
    const uint64_t first_us =
        spn__clip_duration_us(facts) / facts->bytes * facts->first_bytes;

    spn__load_set_deadline(load, deadline_us,
                           deadline_us != 0 ? deadline_us + first_us : 0);
}

static void begin(struct anim *a, uint32_t clip, struct range_load *load,
                  const struct clip_facts *facts, uint64_t deadline_us)
{
    load->owner = clip;
    load->file_owner = facts->file;
    load->priority = SPN_PRIORITY_ABOVE_NORMAL;
    spn__load_aim(load, &(struct load_range){
                            facts->offset, facts->bytes, facts->first_bytes,
                            facts->first_checksum, facts->rest_checksum,
                            (facts->flags & CLIP_IS_UNVERIFIED) != 0});
    set_deadline(load, facts, deadline_us);
    a->clips[clip] |= spn__anim_load_number(load) + 1;
    spn__anim_load_begin(load);
}

/* Begin, keep or release the load of a clip, as its count and lock demand. */
static void update_wanted(struct anim *a, uint32_t clip, uint64_t deadline_us)
{
    const bool is_wanted = spn__clip_is_wanted(a, clip);
    struct range_load *load = own_load(a, clip);
    struct clip_facts facts;

    set_wanted(a, clip, is_wanted);
    if (load && !is_wanted && load->state == LOAD_WAITING) {
        drop(a, clip, load);
        return;
    }
    /* A clip that was wanted between two updates has its grace again. */
    if (load)
        spn__anim_load_set_idle(load, false);
    if (load && !is_wanted)
        spn__anim_load_set_idle(load, true);
    if (!is_wanted)
        return;
    facts = spn__clip_index_clip(&a->image.index, clip);
    if (load) {
        set_deadline(load, &facts, deadline_us);
        return;
    }
    if (spn__database_use(a, facts.file, deadline_us))
        return;
    load = spn__anim_load_take(a);
    if (load) {
        begin(a, clip, load, &facts, deadline_us);
        return;
    }
    /* Again in the next update. */
    spn__anim_counts_push(&a->counts, clip);
    a->lacks_records = true;
}

void spn__clip_want(struct anim *a, uint32_t clip, uint64_t deadline_us)
{
    spn__anim_counts_add(&a->counts, clip);
    update_wanted(a, clip, deadline_us);
}

void spn__clip_hurry(struct anim *a, uint32_t clip, uint64_t deadline_us)
{
    struct range_load *load = own_load(a, clip);
    const struct clip_facts facts = spn__clip_index_clip(&a->image.index, clip);

    if (load)
        set_deadline(load, &facts, deadline_us);
}

void spn__clip_release(struct anim *a, uint32_t clip)
{
    (void)spn__anim_counts_remove(&a->counts, clip);
}

void spn__clip_lock(struct anim *a, uint32_t clip, bool is_locked)
{
    if (((a->clips[clip] & CLIP_IS_LOCKED) != 0) == is_locked)
        return;
    a->clips[clip] ^= CLIP_IS_LOCKED;
    a->stats.locked += is_locked ? 1u : UINT32_MAX;
    update_wanted(a, clip, 0);
}

/* -- updates -- */

/* Keep the clips of a list. */
static void keep_from(struct anim *a, uint32_t clip)
{
    for (; clip != COUNT_IS_LISTED;
         clip = spn__anim_counts_after(&a->counts, clip)) {
        struct range_load *load = own_load(a, clip);

        if (!spn__clip_is_wanted(a, clip))
            continue;
        set_wanted(a, clip, true);
        if (load)
            spn__anim_load_set_idle(load, false);
    }
}

void spn__clips_keep(struct anim *a)
{
    keep_from(a, spn__anim_counts_first(&a->counts));
}

void spn__clips_take_changes(struct anim *a)
{
    uint32_t clip = spn__anim_counts_take(&a->counts);

    /* The first of them may free memory for itself. */
    keep_from(a, clip);
    while (clip != COUNT_IS_LISTED) {
        const uint32_t next = spn__anim_counts_next(&a->counts, clip);

        update_wanted(a, clip, 0);
        clip = next;
    }
}

/* Idle loads are in the order in which they became idle, so those whose grace
 * is over come first. */
static void end_graces(struct anim *a)
{
    const struct tuning *t = a->config.tuning;
    const uint64_t grace_us = (uint64_t)t->value[TUNING_anim_grace_ms] * 1000;
    uint32_t at = a->lists[LOAD_LIST_IDLE].first;

    if (t->value[TUNING_anim_disable_unloading] ||
        !t->value[TUNING_anim_unload_clips])
        return;
    while (at != ANIM_NONE) {
        struct range_load *load = &a->loads[at];

        at = load->links[LOAD_LIST_IDLE].next;
        if (load->is_database)
            continue;
        if (a->now_us - load->idle_since_us < grace_us)
            break;
        a->stats.unloads_grace += load->was_ready;
        drop(a, load->owner, load);
    }
}

void spn__clips_update(struct anim *a)
{
    spn__clips_take_changes(a);
    end_graces(a);
}

spn_status spn__clip_unload(struct anim *a, uint32_t clip)
{
    struct range_load *load;

    spn__clips_take_changes(a);
    if (spn__clip_is_wanted(a, clip))
        return SPN_ERR_STATE;
    load = own_load(a, clip);
    if (load)
        drop(a, clip, load);
    return SPN_OK;
}

/* -- what is in memory -- */

struct range_load *spn__clip_load(const struct anim *a, uint32_t clip,
                                  uint32_t *start)
{
    struct range_load *load = own_load(a, clip);
    struct clip_facts facts;

    *start = 0;
    if (load)
        return load;
    facts = spn__clip_index_clip(&a->image.index, clip);
    load = spn__database_load(a, facts.file);
    if (load)
        *start = (uint32_t)(facts.offset - load->offset);
    return load;
}

uint32_t spn__clip_ready_bytes(const struct anim *a, uint32_t clip)
{
    uint32_t start;
    const struct range_load *load = spn__clip_load(a, clip, &start);

    if (!load)
        return 0;
    if (!load->is_database)
        return spn__load_ready_bytes(load);
    return load->state == LOAD_READY
               ? spn__clip_index_clip(&a->image.index, clip).bytes
               : 0;
}

bool spn__clip_is_ready(const struct anim *a, uint32_t clip)
{
    return spn__clip_ready_bytes(a, clip) > 0;
}

spn_status spn__clip_status(const struct anim *a, uint32_t clip)
{
    uint32_t start;
    const struct range_load *load = spn__clip_load(a, clip, &start);

    if (load)
        return spn__load_status(load);
    return spn__clip_is_wanted(a, clip) ? SPN_PENDING : SPN_EMPTY;
}

#endif
