/* sim_anim_truth.c - which clips are wanted and which databases in use, and
 * what follows from that. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_anim.h"

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "sim/sim.h"
#include "sim/sim_damage.h"
#include "support/clip_bytes.h"

#include <string.h>

#define MUST(x) SIM_MUST(sim, SIM_ANIM, x)
/* All bytes of all clips are compared once in so many updates. */
#define COMPARE_UPDATES 16u

/* -- what is wanted -- */

uint32_t sim_anim_refs(const struct sim *sim, uint32_t clip)
{
    const struct sim_anim *a = &sim->anim;
    uint32_t refs = a->clips[clip].refs;

    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++)
        refs += a->plays[i].play != 0 && a->plays[i].clip == clip;
    for (uint32_t i = 0; i < SIM_ANIM_TIMELINES; i++) {
        const struct sim_anim_timeline *t = &a->timelines[i];

        for (uint32_t k = t->held; t->timeline && k < t->wanted; k++)
            refs += t->clips[t->now][k] == clip;
    }
    return refs;
}

bool sim_anim_is_wanted(const struct sim *sim, uint32_t clip)
{
    return sim_anim_refs(sim, clip) > 0 || sim->anim.clips[clip].is_locked;
}

static uint32_t count_used(const struct sim *sim, uint32_t database)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        count += sim->disc->anims[i].database == database + 1 &&
                 sim_anim_is_wanted(sim, i);
    return count;
}

bool sim_anim_is_in_use(const struct sim *sim, uint32_t database)
{
    const struct sim_anim_database *d = &sim->anim.databases[database];

    return d->is_locked || d->owners > 0 || count_used(sim, database) > 0;
}

void sim_anim_touch_database(struct sim *sim, uint32_t database)
{
    struct sim_anim_item *item = &sim->anim.items[sim_anim_item_of(database)];

    item->quiet = 0;
    item->was_unwanted |= !sim_anim_is_in_use(sim, database);
}

void sim_anim_touch(struct sim *sim, uint32_t clip)
{
    struct sim_anim *a = &sim->anim;
    struct sim_anim_item *item = &a->items[clip];
    const bool is_wanted = sim_anim_is_wanted(sim, clip);

    item->quiet = 0;
    item->is_used = true;
    item->was_unwanted |= !is_wanted;
    a->sums.was_lacking |=
        is_wanted && !spn_anim_is_loaded(sim->rt, a->clips[clip].anim);
    if (sim->disc->anims[clip].database > 0)
        sim_anim_touch_database(sim, sim->disc->anims[clip].database - 1);
}

bool sim_anim_is_legal(const struct sim *sim, spn_status status)
{
    switch (status) {
    case SPN_ERR_MEMORY:
        return sim->is_poor || sim->drive.taint_count > 0 ||
               sim->blocks.has_taken ||
               sim->anim.memory_least < MADE_ANIM_DATABASE_BYTES_MAX / 1024;
    case SPN_ERR_TABLE_FULL:
        return sim->is_poor || sim->drive.taint_count > 0;
    case SPN_ERR_IO:
        return sim_drive_has_failed(sim);
    case SPN_ERR_TIMEOUT:
        return sim_drive_times_out(sim);
    case SPN_ERR_ABORTED:
        return sim_anim_aborts_are_legal(sim);
    case SPN_ERR_NOT_FOUND:
        return sim->swarm.hits[SWARM_OPEN_ERROR] > 0 ||
               sim->anim.pak.unmounts > 0;
    case SPN_ERR_SHORT_READ:
        return sim->swarm.hits[SWARM_SHORT_READ] > 0;
    case SPN_ERR_RANGE:
    case SPN_ERR_FORMAT:
    case SPN_ERR_VERSION:
    case SPN_ERR_CHECKSUM:
        return sim->drive.taint_count > 0;
    default:
        return false;
    }
}

/* -- clips -- */

/* The bytes are those of the disc. Loose headers have no checksums of the
 * clips. */
static void compare(struct sim *sim, uint32_t clip)
{
    static uint8_t bounce[MADE_ANIM_BYTES_MAX];
    const struct made_anim *made = &sim->disc->anims[clip];
    const struct sim_anim_clip *c = &sim->anim.clips[clip];
    const void *data = NULL;
    uint32_t at = 0;

    MUST(clip_bytes(sim->rt, c->anim, 0, made->bytes, bounce, &data) == SPN_OK);
    if (memcmp(data, made->data, made->bytes) == 0)
        return;
    while (((const uint8_t *)data)[at] == made->data[at])
        at++;
    if (sim->anim.is_loose &&
        sim_drive_taint_end(sim, made->file, at, c->taints) > 0)
        return;
    sim_fail(sim, SIM_ANIM, "clip %u is wrong at byte %u of %u", clip, at,
             made->bytes);
}

static const void *first_byte(const struct sim *sim, uint32_t clip)
{
    uint8_t bounce;
    const void *data = NULL;
    const spn_status status =
        clip_bytes(sim->rt, sim->anim.clips[clip].anim, 0, 1, &bounce, &data);

    return status == SPN_OK ? data : NULL;
}

/* Whether its database has its bytes, by events. */
static bool is_in_database(const struct sim *sim, uint32_t clip)
{
    const uint32_t database = sim->disc->anims[clip].database;
    const struct sim_anim_item *item =
        &sim->anim.items[sim_anim_item_of(database - 1)];

    return database > 0 && item->is_loaded && !item->is_hidden;
}

/* The runtime is asked about the database: after a reaction to an event,
 * `items` may be older than that. */
bool sim_anim_has_own_bytes(const struct sim *sim, uint32_t clip)
{
    const uint32_t database = sim->disc->anims[clip].database;
    spn_anim_database_state state = {.status = SPN_EMPTY};

    if (database > 0 && spn_anim_database_get_state(
                            sim->rt, sim->anim.databases[database - 1].database,
                            &state) != SPN_OK)
        return false;
    return sim->anim.clips[clip].was_ok &&
           (state.status != SPN_OK || state.is_hidden) &&
           spn_anim_is_loaded(sim->rt, sim->anim.clips[clip].anim);
}

/* Events and states agree. What the function for events unloads has no event
 * yet. */
static void check_state(struct sim *sim, uint32_t clip, spn_status status)
{
    const struct sim_anim_item *item = &sim->anim.items[clip];
    const bool is_ready =
        spn__clip_is_ready(sim->rt->anim, sim->anim.clips[clip].anim - 1);

    if (sim->anim.is_blind || sim->anim.has_reacted)
        return;
    MUST(status != SPN_OK || item->is_loaded || is_in_database(sim, clip));
    MUST(!item->is_loaded || status == SPN_OK);
    MUST(is_ready == (item->is_ready || is_in_database(sim, clip)));
    /* A clip of its own whose rest has not come is not exchanged. */
    MUST(status == SPN_OK || item->is_ready || !is_in_database(sim, clip));
}

static void check_clip(struct sim *sim, uint32_t clip)
{
    struct sim_anim *a = &sim->anim;
    struct sim_anim_clip *c = &a->clips[clip];
    const struct sim_anim_item *item = &a->items[clip];
    const bool is_wanted = sim_anim_is_wanted(sim, clip);
    spn_fault fault = {0};
    const spn_status status = spn_anim_get_status(sim->rt, c->anim, &fault);
    const bool is_ok = status == SPN_OK;

    MUST(spn_anim_get_ref_count(sim->rt, c->anim) == sim_anim_refs(sim, clip));
    MUST(!is_wanted || status != SPN_EMPTY);
    MUST(is_ok == (spn_anim_is_loaded(sim->rt, c->anim) == 1));
    if (status < SPN_OK && (!sim_anim_is_legal(sim, status) || !fault.what))
        sim_fail(sim, SIM_STATUS, "clip %u: %s, %s", clip,
                 spn_status_name(status),
                 fault.what ? fault.what : "no fault given");
    if (c->was_ok && item->is_wanted && !item->was_unwanted) {
        MUST(is_ok);
        MUST(first_byte(sim, clip) == c->data);
    }
    if (is_ok && (!c->was_ok || sim->log.step % COMPARE_UPDATES == 0))
        compare(sim, clip);
    if (is_ok && !c->was_ok)
        swarm_hit(&sim->swarm,
                  sim->anim.pak.is_on ? SWARM_CLIP_PACKED : SWARM_CLIP_LOADED);
    check_state(sim, clip, status);
    if (status == SPN_EMPTY)
        c->taints = sim->drive.taint_count;
    c->was_ok = is_ok;
    c->data = is_ok ? first_byte(sim, clip) : NULL;
    sim_log_mix(&sim->log, (uint64_t)status);
}

/* -- databases -- */

static void check_database(struct sim *sim, uint32_t i)
{
    struct sim_anim *a = &sim->anim;
    struct sim_anim_database *d = &a->databases[i];
    const struct sim_anim_item *item = &a->items[sim_anim_item_of(i)];
    const bool is_in_use = sim_anim_is_in_use(sim, i);
    spn_anim_database_state s;

    MUST(spn_anim_database_get_state(sim->rt, d->database, &s) == SPN_OK);
    if (s.status < SPN_OK && !sim_anim_is_legal(sim, s.status))
        sim_fail(sim, SIM_STATUS, "database %u: %s", i,
                 spn_status_name(s.status));
    MUST(s.is_locked == d->is_locked && s.owner_count == d->owners);
    MUST(!d->was_ok || !item->is_wanted || item->was_unwanted ||
         s.status == SPN_OK);
    MUST((!d->is_locked && d->owners == 0) || s.status != SPN_EMPTY);
    d->was_ok = s.status == SPN_OK;
    sim_log_mix(&sim->log, (uint64_t)s.status);
    if (a->has_reacted)
        return;
    MUST(s.used_clips == count_used(sim, i));
    MUST(!is_in_use || !s.is_hidden);
    if (a->is_blind)
        return;
    MUST(item->is_loaded == (s.status == SPN_OK));
    MUST(item->is_hidden == s.is_hidden);
}

/* -- plays and timelines -- */

static void check_play(struct sim *sim, struct sim_anim_play *p)
{
    spn_anim_play_state s;

    MUST(spn_anim_play_get_state(sim->rt, p->play, &s) == SPN_OK);
    MUST(s.anim == sim->anim.clips[p->clip].anim);
    MUST(s.is_loaded == (uint32_t)spn_anim_is_loaded(sim->rt, s.anim));
    MUST(s.is_ready || !s.is_loaded);
    p->updates++;
    if (p->updates > 0 && !s.is_ready) {
        p->glitches++;
        swarm_hit(&sim->swarm, SWARM_GLITCH);
    }
    MUST(s.updates == p->updates);
    MUST(s.glitches == p->glitches);
    sim_anim_poses_check(sim, p, &s);
}

static void check_timeline(struct sim *sim, const struct sim_anim_timeline *t)
{
    spn_anim_timeline_state s;

    MUST(spn_anim_timeline_get_state(sim->rt, t->timeline, &s) == SPN_OK);
    MUST(s.time_us == t->time_us && s.wanted == t->wanted - t->held);
    MUST(s.hits == t->hits && s.misses == t->misses);
}

/* -- memory -- */

static bool is_lacking(const struct sim *sim)
{
    const struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        if (a->clips[i].anim != 0 && sim_anim_is_wanted(sim, i) &&
            !spn_anim_is_loaded(sim->rt, a->clips[i].anim))
            return true;
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++) {
        spn_anim_database_state s;

        if (a->databases[i].database != 0 &&
            spn_anim_database_get_state(sim->rt, a->databases[i].database,
                                        &s) == SPN_OK &&
            s.status != SPN_OK && s.status != SPN_EMPTY)
            return true;
    }
    return false;
}

uint64_t sim_anim_budget(const struct sim *sim)
{
    const uint32_t shift = sim->rt->heap.page_shift;

    return (uint64_t)sim->anim.memory_kib * 1024 >> shift << shift;
}

static uint32_t count_skeletons(const struct sim *sim)
{
    const struct anim *a = sim->rt->anim;
    uint32_t count = 0;

    for (uint32_t i = 0; i < a->skeletons.pool.capacity; i++)
        count += a->skeletons.records[i].block != 0;
    return count;
}

/* A load, a clip that plays or a skeleton has taken memory in this update. */
static bool has_grown(const struct sim *sim)
{
    const struct anim *a = sim->rt->anim;

    if (a->playing.blocks != sim->anim.sums.blocks ||
        count_skeletons(sim) > sim->anim.sums.skeletons)
        return true;
    for (uint32_t i = 0; i < a->config.loaded_count; i++)
        if (a->loads[i].block != 0 &&
            a->loads[i].block != sim->anim.sums.load_blocks[i])
            return true;
    return false;
}

/* The rules of spindle/anim.h by which clips share the heap. */
static void check_rules(struct sim *sim, const spn_anim_stats *now)
{
    const struct sim_anim *a = &sim->anim;
    const spn_anim_stats *before = &a->sums.stats;
    const uint64_t budget = sim_anim_budget(sim);
    const uint64_t reserve = (uint64_t)sim_anim_reserve_pages(sim)
                             << sim->rt->heap.page_shift;
    const bool frees_all = a->may_unload && a->may_unload_clips;

    MUST(now->idle_bytes <= now->loaded_bytes);
    MUST(now->loaded_bytes <= now->loaded_bytes_peak);
    if (!frees_all || a->was_changed || a->has_reacted)
        return;
    /* Rule 2. */
    MUST(now->loaded_bytes <= budget || now->idle_bytes == 0);
    MUST(now->loaded_bytes <= budget || !has_grown(sim));
    /* Rule 3. */
    MUST(!a->sums.was_short || now->loaded_bytes <= reserve ||
         now->idle_bytes == 0 || has_grown(sim));
    /* Rule 4. */
    if (now->waits_memory != before->waits_memory) {
        swarm_hit(&sim->swarm, SWARM_CLIP_WAITS);
        MUST(now->idle_bytes == 0);
    }
}

static void check_stats(struct sim *sim, const spn_anim_stats *now)
{
    const struct sim_anim *a = &sim->anim;
    uint32_t plays = 0;
    uint32_t locked = 0;
    uint32_t loaded = 0;

    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++)
        plays += a->plays[i].play != 0;
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        locked += a->clips[i].is_locked;
    for (uint32_t i = 0; i < SIM_ANIM_ITEMS; i++)
        loaded += a->items[i].is_loaded;
    MUST(now->plays == plays && now->locked == locked);
    MUST(now->refs_saturated == 0);
    if (a->is_blind)
        return;
    MUST(now->reads_failed == a->sums.failed);
    MUST(a->has_reacted || now->loaded == loaded);
}

void sim_anim_note_lack(struct sim *sim)
{
    sim->anim.sums.was_lacking |= is_lacking(sim);
}

/* -- updates -- */

static void look_at_memory(struct sim *sim)
{
    struct sim_anim_sums *s = &sim->anim.sums;
    const struct anim *a = sim->rt->anim;

    for (uint32_t i = 0; i < a->config.loaded_count; i++)
        s->load_blocks[i] = a->loads[i].block;
    s->takes = a->playing.takes;
    s->skeletons = count_skeletons(sim);
    s->blocks = a->playing.blocks;
    s->refusals = sim->rt->manager.promises.refusals;
    s->was_short = sim->rt->manager.is_short || s->refusals != a->refusals;
}

void sim_anim_begin_update(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (!a->is_on)
        return;
    a->has_reacted = false;
    sim_anim_hold_cues(sim);
    sim_anim_note_lack(sim);
    look_at_memory(sim);
}

/* A database whose clips were wanted and released between two updates was not
 * used for the runtime. */
uint64_t sim_anim_unused_us(const struct sim *sim,
                            const struct sim_anim_item *item)
{
    const bool was_used = item->is_used || item->is_wanted;

    return item->quiet == 0 && was_used ? sim->anim.before_us : item->unused_us;
}

/* Note for how long an item has surely been unused. */
static void age(struct sim *sim, struct sim_anim_item *item, bool is_wanted)
{
    if (item->quiet == 0) {
        item->unused_us = sim_anim_unused_us(sim, item);
        item->surely_us = UINT64_MAX;
    }
    item->is_used = false;
    item->quiet++;
    if (item->quiet == 2)
        item->surely_us = sim->rt->anim->now_us;
    item->is_wanted = is_wanted;
    item->was_unwanted = !is_wanted;
    item->is_unloaded = false;
}

static void age_all(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        age(sim, &a->items[i], sim_anim_is_wanted(sim, i));
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++)
        age(sim, &a->items[sim_anim_item_of(i)], sim_anim_is_in_use(sim, i));
    a->before_us = sim->rt->anim->now_us;
}

void sim_anim_end_update(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;
    spn_anim_stats stats;

    if (!a->is_on)
        return;
    SIM_MUST(sim, SIM_STRUCTURE, spn__anim_check(sim->rt->anim));
    MUST(spn_anim_get_stats(sim->rt, &stats) == SPN_OK);
    if (!a->has_reacted)
        a->sums.now = stats;
    a->is_blind |= stats.events_lost > 0;
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        if (a->clips[i].anim != 0)
            check_clip(sim, i);
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++)
        if (a->databases[i].database != 0)
            check_database(sim, i);
    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++)
        if (a->plays[i].play != 0)
            check_play(sim, &a->plays[i]);
    for (uint32_t i = 0; i < SIM_ANIM_TIMELINES; i++)
        if (a->timelines[i].timeline != 0)
            check_timeline(sim, &a->timelines[i]);
    sim_anim_note_lack(sim);
    check_stats(sim, &stats);
    check_rules(sim, &stats);
    sim_anim_check_freed(sim);
    age_all(sim);
    a->sums.stats = a->sums.now;
    a->sums.was_lacking = false;
    a->was_changed = false;
}

/* A clip that is in memory is not read. */
void sim_anim_check_submit(struct sim *sim, uint32_t file)
{
    const struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; a->is_on && !a->is_loose && i < MADE_ANIM_FILES; i++)
        if (sim->disc->anims[i].file == file && a->clips[i].anim != 0)
            MUST(!spn_anim_is_loaded(sim->rt, a->clips[i].anim));
}
