/* sim_anim_calls.c - a caller's calls for clips, plays and databases. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_anim.h"

#include "sim/sim.h"

#define OK(call) SIM_MUST(sim, SIM_STATUS, (call) == SPN_OK)

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return sim_anim_below(sim, limit);
}

bool sim_anim_draw_clip(struct sim *sim, uint32_t *clip)
{
    *clip = below(sim, MADE_ANIM_CLIPS);
    if (sim->anim.is_loose)
        *clip %= MADE_ANIM_REAL;
    return sim->anim.clips[*clip].anim != 0;
}

/* -- references -- */

void sim_anim_add_ref(struct sim *sim, uint32_t clip)
{
    struct sim_anim_clip *c = &sim->anim.clips[clip];

    if (c->refs == SIM_ANIM_REFS)
        return;
    sim_note(sim, "clip: add ref", clip, c->refs, 0);
    OK(spn_anim_add_ref(sim->rt, c->anim));
    c->refs++;
    sim_anim_touch(sim, clip);
}

static void release(struct sim *sim, uint32_t clip)
{
    struct sim_anim_clip *c = &sim->anim.clips[clip];

    if (c->refs == 0) {
        /* A synchronous load has a reference of its own. */
        if (sim_anim_refs(sim, clip) == 0 && !sim->anim.is_waiting)
            SIM_MUST(sim, SIM_STATUS,
                     spn_anim_release(sim->rt, c->anim) == SPN_ERR_STATE);
        return;
    }
    sim_note(sim, "clip: release", clip, c->refs, 0);
    OK(spn_anim_release(sim->rt, c->anim));
    c->refs--;
    sim_anim_touch(sim, clip);
}

static void lock(struct sim *sim, uint32_t clip)
{
    struct sim_anim_clip *c = &sim->anim.clips[clip];

    c->is_locked = !c->is_locked;
    sim_note(sim, "clip: lock", clip, c->is_locked, 0);
    OK(spn_anim_lock(sim->rt, c->anim, c->is_locked));
    sim_anim_touch(sim, clip);
}

void sim_anim_unload(struct sim *sim, uint32_t clip)
{
    const struct sim_anim_clip *c = &sim->anim.clips[clip];
    const bool is_wanted = sim_anim_is_wanted(sim, clip);
    const uint32_t reads = sim_anim_aborts_count(sim, false, c->anim - 1);
    spn_status status;

    sim_anim_note_lack(sim);
    status = spn_anim_unload(sim->rt, c->anim);
    sim_note(sim, "clip: unload", clip, reads, status);
    SIM_MUST(sim, SIM_ANIM, status == (is_wanted ? SPN_ERR_STATE : SPN_OK));
    if (is_wanted)
        return;
    sim_anim_aborts_add(sim, reads);
    sim->anim.items[clip].is_unloaded = true;
}

/* -- plays -- */

static void start(struct sim *sim, uint32_t clip)
{
    struct sim_anim *a = &sim->anim;
    struct sim_anim_play *p = &a->plays[below(sim, SIM_ANIM_PLAYS)];

    if (p->play)
        return;
    OK(spn_anim_play_start(sim->rt, a->clips[clip].anim, &p->play));
    sim_note(sim, "play: start", clip, p->play, 0);
    p->clip = clip;
    p->glitches = p->held = 0;
    p->time_us = p->before_us = 0;
    p->had_pose = false;
    sim_anim_mode_begin(&p->mode);
    /* The first update is the next one. */
    p->updates = a->is_inside ? UINT32_MAX : 0;
    sim_anim_touch(sim, clip);
}

static void stop(struct sim *sim, struct sim_anim_play *p)
{
    if (p->old_play)
        SIM_MUST(sim, SIM_STATUS,
                 spn_anim_play_stop(sim->rt, p->old_play) == SPN_ERR_HANDLE);
    if (!p->play)
        return;
    sim_note(sim, "play: stop", p->clip, p->play, 0);
    OK(spn_anim_play_stop(sim->rt, p->play));
    p->old_play = p->play;
    p->play = 0;
    sim_anim_touch(sim, p->clip);
}

/* Begin again, as a seek to the start does. */
static void restart(struct sim *sim)
{
    struct sim_anim_play *p = &sim->anim.plays[below(sim, SIM_ANIM_PLAYS)];

    if (!p->play)
        return;
    stop(sim, p);
    start(sim, p->clip);
}

/* -- databases -- */

static void preload(struct sim *sim, uint32_t i)
{
    static const spn_priority priorities[] = {
        SPN_PRIORITY_DEFAULT, SPN_PRIORITY_URGENT, SPN_PRIORITY_IDLE};

    sim_note(sim, "database: preload", i, 0, 0);
    OK(spn_anim_database_preload(sim->rt, sim->anim.databases[i].database,
                                 priorities[below(sim, 3)]));
    sim->anim.sums.was_lacking = true;
    sim->anim.items[sim_anim_item_of(i)].is_used = true;
    sim_anim_touch_database(sim, i);
}

static void lock_database(struct sim *sim, uint32_t i)
{
    struct sim_anim_database *d = &sim->anim.databases[i];

    d->is_locked = !d->is_locked;
    sim_note(sim, "database: lock", i, d->is_locked, 0);
    OK(spn_anim_database_lock(sim->rt, d->database, d->is_locked,
                              SPN_PRIORITY_DEFAULT));
    sim->anim.sums.was_lacking = true;
    sim->anim.items[sim_anim_item_of(i)].is_used = true;
    sim_anim_touch_database(sim, i);
}

static void change_owners(struct sim *sim, uint32_t i)
{
    struct sim_anim_database *d = &sim->anim.databases[i];
    const bool is_new = d->owners == 0 || (d->owners < 3 && below(sim, 2));

    if (d->owners == 0)
        SIM_MUST(sim, SIM_STATUS,
                 spn_anim_database_remove_owner(sim->rt, d->database) ==
                     SPN_ERR_STATE);
    sim_note(sim, "database: owner", i, is_new, 0);
    OK(is_new ? spn_anim_database_add_owner(sim->rt, d->database)
              : spn_anim_database_remove_owner(sim->rt, d->database));
    d->owners += is_new ? 1u : UINT32_MAX;
    sim->anim.sums.was_lacking = true;
    sim->anim.items[sim_anim_item_of(i)].is_used = true;
    sim_anim_touch_database(sim, i);
}

static void unload_database(struct sim *sim, uint32_t i)
{
    const spn_anim_database database = sim->anim.databases[i].database;
    const bool is_in_use = sim_anim_is_in_use(sim, i);
    const uint32_t reads = sim_anim_aborts_count(sim, true, database - 1);
    spn_status status;

    sim_anim_note_lack(sim);
    status = spn_anim_database_unload(sim->rt, database);
    sim_note(sim, "database: unload", i, reads, status);
    SIM_MUST(sim, SIM_ANIM, status == (is_in_use ? SPN_ERR_STATE : SPN_OK));
    if (is_in_use)
        return;
    sim_anim_aborts_add(sim, reads);
    sim->anim.items[sim_anim_item_of(i)].is_unloaded = true;
}

void sim_anim_unload_all(struct sim *sim)
{
    uint32_t left = 0;
    uint32_t in_use = 0;

    sim_anim_note_lack(sim);
    OK(spn_anim_database_unload_all(sim->rt, &left));
    sim_note(sim, "database: unload all", left, 0, 0);
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++) {
        in_use += sim_anim_is_in_use(sim, i);
        if (sim_anim_is_in_use(sim, i))
            continue;
        sim->anim.items[sim_anim_item_of(i)].is_unloaded = true;
    }
    SIM_MUST(sim, SIM_ANIM, left <= in_use);
}

static void change_database(struct sim *sim)
{
    const uint32_t i = below(sim, MADE_ANIM_DATABASES);

    if (sim->anim.databases[i].database == 0)
        return;
    switch (below(sim, 8)) {
    case 0:
        lock_database(sim, i);
        break;
    case 1:
    case 2:
        change_owners(sim, i);
        break;
    case 3:
        unload_database(sim, i);
        break;
    case 4:
        sim_anim_unload_all(sim);
        break;
    default:
        preload(sim, i);
    }
}

/* -- other calls -- */

static void load_now(struct sim *sim, uint32_t clip)
{
    const spn_anim anim = sim->anim.clips[clip].anim;
    const bool was_loaded = spn_anim_is_loaded(sim->rt, anim) != 0;
    spn_status status;

    sim->anim.is_waiting = true;
    status = spn_anim_load_synchronously(sim->rt, anim, below(sim, 2000000));
    sim->anim.is_waiting = false;
    /* It may have waited for memory, outside of the update. */
    sim->anim.was_changed = true;
    sim_note(sim, "clip: load now", clip, was_loaded, status);
    SIM_MUST(sim, SIM_STATUS,
             status >= SPN_OK || status == SPN_ERR_TIMEOUT ||
                 sim_anim_is_legal(sim, status));
    if (status == SPN_OK && !was_loaded)
        swarm_hit(&sim->swarm, SWARM_LOAD_NOW);
    SIM_MUST(sim, SIM_ANIM,
             status != SPN_OK || spn_anim_is_loaded(sim->rt, anim));
    sim->anim.sums.was_lacking = true;
    sim->anim.items[clip].was_unwanted |= !sim_anim_is_wanted(sim, clip);
    sim_anim_touch(sim, clip);
}

static void change_memory(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    a->memory_kib = below(sim, 2) ? 4194304 : 64 + below(sim, 500);
    if (a->memory_kib < a->memory_least)
        a->memory_least = a->memory_kib;
    sim_anim_set(sim, "anim_memory_kib", a->memory_kib);
}

static void change_tuning(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    a->was_changed = true;
    switch (below(sim, 6)) {
    case 0:
        a->may_unload = below(sim, 3) != 0;
        sim_anim_set(sim, "anim_disable_unloading", !a->may_unload);
        break;
    case 1:
        a->may_unload_clips = below(sim, 3) != 0;
        sim_anim_set(sim, "anim_unload_clips", a->may_unload_clips);
        break;
    case 2:
        a->grace_ms = below(sim, 2000);
        sim_anim_set(sim, "anim_grace_ms", a->grace_ms);
        break;
    case 3:
        a->ahead_ms = below(sim, 4000);
        sim_anim_set(sim, "anim_ahead_ms", a->ahead_ms);
        break;
    case 4:
        sim_anim_set(sim, "anim_retry_ms", 1 + below(sim, 400));
        break;
    default:
        change_memory(sim);
    }
}

static void try_stale_handles(struct sim *sim)
{
    const spn_anim behind = spn_anim_get_count(sim->rt) + 1;

    SIM_MUST(sim, SIM_STATUS,
             spn_anim_add_ref(sim->rt, 0) == SPN_ERR_HANDLE &&
                 spn_anim_release(sim->rt, behind) == SPN_ERR_HANDLE &&
                 spn_anim_get_status(sim->rt, behind, NULL) == SPN_ERR_HANDLE &&
                 spn_anim_database_preload(sim->rt, 0, 0) == SPN_ERR_HANDLE);
}

/* A call that a function that gets events, or another thread, may make. */
static void call_anywhere(struct sim *sim, bool is_caller)
{
    uint32_t clip;

    if (!sim_anim_draw_clip(sim, &clip))
        return;
    switch (below(sim, is_caller ? 5 : 2)) {
    case 0:
        sim_anim_add_ref(sim, clip);
        break;
    case 1:
        release(sim, clip);
        break;
    case 2:
        start(sim, clip);
        break;
    default:
        stop(sim, &sim->anim.plays[below(sim, SIM_ANIM_PLAYS)]);
    }
}

static void call(struct sim *sim)
{
    uint32_t clip;

    if (!sim_anim_draw_clip(sim, &clip))
        return;
    switch (below(sim, 24)) {
    case 0:
        lock(sim, clip);
        break;
    case 1:
    case 2:
        sim_anim_unload(sim, clip);
        break;
    case 3:
    case 4:
    case 5:
        change_database(sim);
        break;
    case 6:
        sim_anim_change_timeline(sim);
        break;
    case 7:
        change_tuning(sim);
        break;
    case 8:
        try_stale_handles(sim);
        break;
    case 9:
        restart(sim);
        break;
    case 10:
        if (below(sim, 4) == 0)
            load_now(sim, clip);
        break;
    default:
        call_anywhere(sim, true);
    }
}

/* Now and then the caller wants nothing for some frames, so that graces and
 * time-outs end. */
static bool rests(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (a->rest_frames > 0) {
        a->rest_frames--;
        return true;
    }
    if (below(sim, 64) != 0)
        return false;
    sim_anim_stop_all(sim);
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++)
        if (a->databases[i].database != 0 && below(sim, 2))
            preload(sim, i);
    a->rest_frames = 16 + below(sim, 64);
    return true;
}

void sim_anim_frame(struct sim *sim)
{
    if (!sim->anim.is_on)
        return;
    sim_anim_open(sim);
    if (!sim->anim.is_open || rests(sim))
        return;
    sim_anim_advance_timelines(sim);
    sim_anim_poses_frame(sim);
    sim_anim_aborts_frame(sim);
    for (uint32_t i = below(sim, 4); i > 0; i--)
        call(sim);
}

void sim_anim_thread(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (!a->is_on || !a->is_open || sim->swarm.is_over)
        return;
    sim_anim_aborts_thread(sim);
    if (below(sim, 64) != 0)
        return;
    swarm_hit(&sim->swarm, SWARM_REF_THREAD);
    call_anywhere(sim, false);
}

void sim_anim_react(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (sim->swarm.is_over || a->rest_frames > 0 || below(sim, 16) != 0)
        return;
    /* What it frees counts in the next update, as its events do. */
    if (!a->has_reacted)
        OK(spn_anim_get_stats(sim->rt, &a->sums.now));
    a->is_inside = true;
    a->has_reacted = true;
    call_anywhere(sim, true);
    a->is_inside = false;
}

/* -- ends -- */

void sim_anim_leave(struct sim *sim, uint32_t clip)
{
    struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++)
        if (a->plays[i].play != 0 && a->plays[i].clip == clip)
            stop(sim, &a->plays[i]);
    while (a->clips[clip].refs > 0)
        release(sim, clip);
    if (a->clips[clip].is_locked)
        lock(sim, clip);
}

static void end_use(struct sim *sim, uint32_t i)
{
    struct sim_anim_database *d = &sim->anim.databases[i];

    while (d->owners > 0) {
        OK(spn_anim_database_remove_owner(sim->rt, d->database));
        d->owners--;
        sim_anim_touch_database(sim, i);
    }
    if (d->is_locked)
        lock_database(sim, i);
}

void sim_anim_leave_database(struct sim *sim, uint32_t i)
{
    end_use(sim, i);
    unload_database(sim, i);
}

void sim_anim_stop_all(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++)
        stop(sim, &a->plays[i]);
    sim_anim_destroy_timelines(sim);
    sim_anim_poses_close(sim);
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        sim_anim_leave(sim, i);
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++)
        end_use(sim, i);
}
