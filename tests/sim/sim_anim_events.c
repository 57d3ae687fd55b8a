/* sim_anim_events.c - events of clips and databases, in their order, and why
 * bytes were freed. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_system.h"
#include "sim/sim.h"
#include "sim/sim_anim.h"

#define MUST(x) SIM_MUST(sim, SIM_ANIM, x)

/* The item of an event; SIM_ANIM_ITEMS: none. */
static uint32_t item_of(const struct sim *sim, const spn_anim_event *event)
{
    const struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        if (event->anim != 0 && a->clips[i].anim == event->anim)
            return i;
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++)
        if (event->database != 0 && a->databases[i].database == event->database)
            return sim_anim_item_of(i);
    return SIM_ANIM_ITEMS;
}

static bool is_database(uint32_t item)
{
    return item >= MADE_ANIM_CLIPS;
}

static uint64_t grace_us(const struct sim *sim, uint32_t item)
{
    const struct sim_anim *a = &sim->anim;

    return (is_database(item) ? a->remove_ms : a->grace_ms) * UINT64_C(1000);
}

/* True if it was needed all the time since the last update. */
static bool is_needed(const struct sim_anim_item *item)
{
    return item->is_wanted && !item->was_unwanted;
}

static void end(struct sim *sim, uint32_t number)
{
    struct sim_anim *a = &sim->anim;
    struct sim_anim_item *item = &a->items[number];
    const uint64_t now_us = sim->rt->anim->now_us;

    MUST(item->is_ready);
    if (is_needed(item))
        sim_fail(sim, SIM_ANIM, "item %u is wanted, and was freed", number);
    item->is_ready = item->is_loaded = item->is_hidden = false;
    if (item->is_unloaded)
        return;
    a->sums.freed++;
    /* A reaction may have touched it since it was freed. */
    if (!a->has_reacted)
        a->sums.early +=
            now_us - sim_anim_unused_us(sim, item) < grace_us(sim, number);
}

static void hide(struct sim *sim, uint32_t number)
{
    struct sim_anim_item *item = &sim->anim.items[number];

    MUST(item->is_loaded && !item->is_hidden && !is_needed(item));
    MUST(sim->anim.has_reacted ||
         sim->rt->anim->now_us - sim_anim_unused_us(sim, item) >=
             sim->anim.unregister_ms * UINT64_C(1000));
    item->is_hidden = true;
    swarm_hit(&sim->swarm, SWARM_DATABASE_HIDDEN);
}

static void take_event(struct sim *sim, const spn_anim_event *event,
                       uint32_t number)
{
    struct sim_anim_item *item = &sim->anim.items[number];

    switch (event->kind) {
    case SPN_ANIM_READY:
        MUST(!item->is_ready && !is_database(number));
        item->is_ready = true;
        break;
    case SPN_ANIM_LOADED:
        MUST(!item->is_loaded && item->is_ready == !is_database(number));
        item->is_ready = item->is_loaded = true;
        /* The time-outs of a database begin. */
        if (is_database(number)) {
            item->quiet = 0;
            item->is_used = true;
        }
        break;
    case SPN_ANIM_UNLOADED:
        end(sim, number);
        break;
    case SPN_ANIM_FAILED:
        MUST(!item->is_loaded && sim_anim_is_legal(sim, event->status));
        swarm_hit(&sim->swarm, SWARM_CLIP_FAILED);
        sim->anim.aborts.failed += event->status == SPN_ERR_ABORTED;
        break;
    case SPN_ANIM_DAMAGED:
        MUST(!is_database(number));
        /* Made-up bytes, and clips of databases, whose skeleton is made up. */
        MUST(!sim->disc->anims[number].is_real ||
             sim->disc->anims[number].database > 0 ||
             sim_anim_is_legal(sim, event->status));
        break;
    case SPN_ANIM_HIDDEN:
        hide(sim, number);
        break;
    case SPN_ANIM_SHOWN:
        MUST(item->is_hidden);
        item->is_hidden = false;
        break;
    }
}

static void on_skeleton(struct sim *sim, const spn_anim_event *event)
{
    const struct sim_anim *a = &sim->anim;
    uint32_t i = 0;

    while (i < MADE_ANIM_REAL && a->skeletons[i] != event->skeleton)
        i++;
    sim_note(sim, "skeleton event", event->kind, i, event->status);
    MUST(i < MADE_ANIM_REAL || a->has_reacted);
    MUST(event->anim == 0 && event->database == 0);
    MUST(event->kind == SPN_ANIM_FAILED && event->status < SPN_OK &&
         sim_anim_is_legal(sim, event->status));
}

static void on_event(void *user, const spn_anim_event *event)
{
    struct sim *sim = user;
    const uint32_t number = item_of(sim, event);

    MUST(sim->is_updating);
    if (event->skeleton != 0) {
        on_skeleton(sim, event);
        return;
    }
    MUST((event->anim == 0) != (event->database == 0));
    MUST((event->status == SPN_OK) ==
         (event->kind != SPN_ANIM_FAILED && event->kind != SPN_ANIM_DAMAGED));
    MUST(number < SIM_ANIM_ITEMS);
    sim_note(sim, "anim event", event->kind, number, event->status);
    sim->anim.sums.failed += event->kind == SPN_ANIM_FAILED;
    if (!sim->anim.is_blind)
        take_event(sim, event, number);
    sim_anim_react(sim);
}

void sim_anim_listen(struct sim *sim)
{
    SIM_MUST(sim, SIM_STATUS,
             spn_anim_listen(sim->rt, on_event, sim) == SPN_OK);
}

/* What has been idle for longer than its grace is not in memory. */
static void check_graces(struct sim *sim)
{
    const struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < SIM_ANIM_ITEMS; i++) {
        const struct sim_anim_item *item = &a->items[i];
        const uint64_t idle_us =
            item->quiet > 1 && item->surely_us < sim->rt->anim->now_us
                ? sim->rt->anim->now_us - item->surely_us
                : 0;

        if (!item->is_ready || item->is_wanted || item->was_unwanted == 0 ||
            idle_us == 0 || !a->may_unload ||
            (!is_database(i) && !a->may_unload_clips))
            continue;
        MUST(idle_us < grace_us(sim, i));
        if (is_database(i))
            MUST(item->is_hidden || idle_us < a->unregister_ms * 1000u);
    }
}

/* Only what memory was needed for was freed in its grace. */
void sim_anim_check_freed(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;
    struct sim_anim_sums *s = &a->sums;
    uint32_t early = s->now.unloads_early - s->stats.unloads_early;
    uint32_t late = s->now.unloads_grace - s->stats.unloads_grace;

    if (!a->is_blind) {
        MUST(s->early <= early);
        MUST(late <= s->freed && s->freed <= late + early);
        MUST(early == 0 || s->was_lacking || s->was_short ||
             s->takes != sim->rt->anim->playing.takes ||
             s->refusals != sim->rt->manager.promises.refusals ||
             s->stats.loaded_bytes > sim_anim_budget(sim));
        MUST(a->may_unload || a->was_changed || early + late == 0);
        if (!a->was_changed && !a->has_reacted)
            check_graces(sim);
    }
    for (; early > 0; early--)
        swarm_hit(&sim->swarm, SWARM_CLIP_EARLY);
    for (; late > 0; late--)
        swarm_hit(&sim->swarm, SWARM_CLIP_GRACE);
    s->early = s->freed = 0;
}
