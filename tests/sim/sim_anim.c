/* sim_anim.c - sizes, headers, recovery and the end. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_anim.h"

#include "anim/anim_clips.h"
#include "anim/anim_loads.h"
#include "anim/anim_plays.h"
#include "anim/anim_system.h"
#include "base/heap_view.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

#define KIB 1024u
#define IMAGE_BYTES 65536u /* heap for the image */

uint32_t sim_anim_below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->anim.random, limit);
}

void sim_anim_init(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;
    const enum sim_canary canary = sim->options.canary;

    a->is_on = sim_is_in_seed(sim, UINT64_C(0x616e696d0000007b),
                              CANARY_ANIM_BYTE, &a->random) ||
               (canary > CANARY_ANIM_BYTE && canary <= CANARY_ANIM_MOTION);
    a->is_loose = sim_anim_below(sim, 4) == 0;
    a->acts.state = sim->options.seed ^ UINT64_C(0x706c617973000031);
    sim_anim_aborts_init(sim);
    sim_anim_pak_init(sim);
}

/* -- sizes -- */

void sim_anim_add_sizes(const struct sim *sim, spn_config *config)
{
    struct test_random random = sim->anim.random;

    if (!sim->anim.is_on)
        return;
    config->anim_count = MADE_ANIM_CLIPS;
    config->anim_loaded_count =
        4 + test_random_below(&random, SIM_ANIM_LOADS - 3);
    config->anim_database_count = MADE_ANIM_DATABASES;
    config->anim_play_count = SIM_ANIM_PLAYS;
    config->anim_timeline_count = SIM_ANIM_TIMELINES;
    config->anim_has_loose_headers = sim->anim.is_loose;
    config->anim_reserve_bytes = 64 * KIB << test_random_below(&random, 4);
    config->heap_bytes += config->anim_reserve_bytes + IMAGE_BYTES;
    if (config->anim_reserve_bytes > config->heap_bytes / 2)
        config->anim_reserve_bytes = config->heap_bytes / 2;
    /* A database and its clips use one file. */
    config->file_count += MADE_ANIM_FILES + MADE_ANIM_DATABASES + 1;
    sim_anim_pak_add_sizes(sim, config);
}

void sim_anim_make_poor(struct sim *sim)
{
    spn_config *c = &sim->config;

    if (!sim->anim.is_on)
        return;
    c->anim_loaded_count = 1 + sim_anim_below(sim, 8);
    c->anim_reserve_bytes = 1 + sim_anim_below(sim, c->heap_bytes / 2);
}

void sim_anim_set(struct sim *sim, const char *name, uint32_t value)
{
    char text[16];

    snprintf(text, sizeof text, "%u", value);
    sim_note(sim, name, value, 0, 0);
    SIM_MUST(sim, SIM_STATUS, spn_tuning_set(sim->rt, name, text) == SPN_OK);
}

void sim_anim_begin(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (!a->is_on)
        return;
    a->grace_ms = 100u << sim_anim_below(sim, 5);
    a->unregister_ms = 200u << sim_anim_below(sim, 4);
    a->remove_ms = 2 * a->unregister_ms;
    a->ahead_ms = 2000;
    a->memory_kib = a->memory_least = 4194304;
    a->may_unload = a->may_unload_clips = true;
    sim_anim_set(sim, "anim_grace_ms", a->grace_ms);
    sim_anim_set(sim, "anim_unregister_ms", a->unregister_ms);
    sim_anim_set(sim, "anim_remove_ms", a->remove_ms);
    sim_anim_set(sim, "anim_reads_max", 1 + sim_anim_below(sim, 16));
    sim_anim_listen(sim);
}

/* -- headers -- */

/* Check what the runtime says about a clip, once its header is known. */
static void learn_clip(struct sim *sim, uint32_t clip)
{
    const struct made_anim *made = &sim->disc->anims[clip];
    struct sim_anim_clip *c = &sim->anim.clips[clip];
    spn_anim_info info;
    spn_status status = spn_anim_find(sim->rt, made->name, &c->anim);

    if (sim->anim.is_loose && status != SPN_OK) {
        SIM_MUST(sim, SIM_ANIM,
                 status == SPN_PENDING || status == SPN_ERR_NOT_FOUND);
        c->anim = 0;
        return;
    }
    SIM_MUST(sim, SIM_ANIM, status == SPN_OK);
    SIM_MUST(sim, SIM_ANIM,
             spn_anim_get_info(sim->rt, c->anim, &info) == SPN_OK);
    SIM_MUST(sim, SIM_ANIM, strcmp(info.name, made->name) == 0);
    SIM_MUST(sim, SIM_ANIM, info.bytes == made->bytes);
    SIM_MUST(sim, SIM_ANIM, (info.database == 0) == (made->database == 0));
    c->taints = sim->drive.taint_count;
}

static void learn(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        learn_clip(sim, i);
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++)
        SIM_MUST(sim, SIM_ANIM,
                 spn_anim_database_find(
                     sim->rt, sim->disc->files[MADE_ANIM + 1 + i].path,
                     &a->databases[i].database) == SPN_OK);
    SIM_MUST(sim, SIM_ANIM, spn_anim_get_count(sim->rt) == MADE_ANIM_CLIPS);
    a->is_open = true;
    sim_note(sim, "image is open", 0, 0, 0);
}

/* Open the image, until that succeeds. */
static void open_image(struct sim *sim)
{
    spn_fault fault = {0};
    spn_status status = spn_anim_get_image_status(sim->rt, &fault);

    if (status == SPN_OK) {
        learn(sim);
        return;
    }
    if (status == SPN_PENDING) {
        SIM_MUST(sim, SIM_ANIM,
                 spn_anim_open_image(sim->rt, "a.sai") == SPN_ERR_STATE);
        return;
    }
    if (status != SPN_EMPTY) {
        sim_note(sim, "image failed", 0, 0, status);
        swarm_hit(&sim->swarm, SWARM_IMAGE_FAILED);
        if (!sim_anim_is_legal(sim, status) || !fault.what)
            sim_fail(sim, SIM_STATUS, "the image: %s", spn_status_name(status));
    }
    status = spn_anim_open_image(sim->rt, "a.sai");
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_FULL);
}

/* Name clip files, and some that are none. */
static void add_files(struct sim *sim)
{
    const uint32_t drawn = sim_anim_below(sim, 12);
    const char *path = "anim/none";
    spn_status status;

    if (sim_anim_below(sim, 8) != 0)
        return;
    if (drawn < 10)
        path = sim->disc->anims[drawn % MADE_ANIM_REAL].name;
    else if (drawn == 10)
        path = "raw0";
    status = spn_anim_add_file(sim->rt, path);
    sim_note(sim, "loose header", drawn, 0, status);
    /* Files that wait to be read may have the same name. */
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_OK ||
                 (status == SPN_ERR_TABLE_FULL &&
                  spn_anim_get_image_status(sim->rt, NULL) == SPN_PENDING));
    SIM_MUST(sim, SIM_ANIM,
             spn_anim_open_image(sim->rt, "a.sai") == SPN_ERR_STATE);
}

static void look_at_files(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;
    const spn_status status = spn_anim_get_image_status(sim->rt, NULL);

    a->is_open = true;
    if (status < SPN_OK)
        SIM_MUST(sim, SIM_STATUS,
                 sim_anim_is_legal(sim, status) ||
                     status == SPN_ERR_NOT_FOUND || status == SPN_ERR_FORMAT);
    for (uint32_t i = 0; i < MADE_ANIM_REAL; i++)
        if (a->clips[i].anim == 0) {
            learn_clip(sim, i);
            if (a->clips[i].anim != 0)
                swarm_hit(&sim->swarm, SWARM_LOOSE_HEADER);
        }
}

void sim_anim_open(struct sim *sim)
{
    if (!sim->anim.is_loose) {
        if (sim_anim_pak_frame(sim) && !sim->anim.is_open)
            open_image(sim);
        return;
    }
    if (!sim->swarm.is_over)
        add_files(sim);
    look_at_files(sim);
}

/* -- the end -- */

/* Want clips in turn, as long as the reserve has room. */
void sim_anim_end_faults(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;
    uint32_t pages = 0;

    if (!a->is_on)
        return;
    sim_anim_stop_all(sim);
    /* A database that serves a clip would use more of the reserve. */
    sim_anim_unload_all(sim);
    a->memory_kib = 4194304;
    sim_anim_set(sim, "anim_memory_kib", a->memory_kib);
    a->may_unload = a->may_unload_clips = true;
    sim_anim_set(sim, "anim_disable_unloading", 0);
    sim_anim_set(sim, "anim_unload_clips", 1);
    sim_anim_set(sim, "anim_retry_ms", 250);
    a->was_changed = true;
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++) {
        struct sim_anim_clip *c = &a->clips[i];

        pages += spn__promise_pages(&sim->rt->manager.promises,
                                    sim->disc->anims[i].bytes);
        if (c->anim == 0 || pages > sim_anim_reserve_pages(sim) ||
            i >= sim->config.anim_loaded_count)
            continue;
        SIM_MUST(sim, SIM_STATUS, spn_anim_add_ref(sim->rt, c->anim) == SPN_OK);
        c->refs++;
        sim_anim_touch(sim, i);
    }
}

bool sim_anim_recover(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (!a->is_on || sim->is_poor)
        return true;
    sim_anim_open(sim);
    if (!a->is_open || (a->pak.is_on && a->pak.pak == 0))
        return false;
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        if (sim_anim_is_wanted(sim, i) &&
            !spn_anim_is_loaded(sim->rt, a->clips[i].anim)) {
            sim_note(sim, "clip is not loaded", i, sim_anim_refs(sim, i),
                     spn_anim_get_status(sim->rt, a->clips[i].anim, NULL));
            return false;
        }
    return true;
}

void sim_anim_close(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    if (!a->is_on)
        return;
    sim_anim_stop_all(sim);
    sim_anim_pak_close(sim);
    a->grace_ms = a->unregister_ms = a->remove_ms = 0;
    sim_anim_set(sim, "anim_grace_ms", 0);
    sim_anim_set(sim, "anim_unregister_ms", 0);
    sim_anim_set(sim, "anim_remove_ms", 0);
}

uint32_t sim_anim_image_pages(const struct sim *sim)
{
    const struct anim *a = sim->rt->anim;

    if (!a || a->image.block == 0)
        return 0;
    return spn__promise_pages(&sim->rt->manager.promises,
                              spn__heap_bytes(&sim->rt->heap, a->image.block));
}

uint32_t sim_anim_reserve_pages(const struct sim *sim)
{
    return sim->rt->anim ? sim->rt->manager.promises.clip_reserve_pages : 0;
}

bool sim_anim_is_empty(const struct sim *sim)
{
    const struct anim *a = sim->rt->anim;

    return !a || (a->used_loads == 0 && a->image.status != SPN_PENDING);
}

/* -- planted bugs -- */

/* A clip that is wanted, and has a load of its own that is in memory. */
static struct range_load *find_load(struct sim *sim)
{
    struct anim *a = sim->rt->anim;

    for (uint32_t i = 0; a && i < a->config.loaded_count; i++) {
        struct range_load *load = &a->loads[i];

        if (load->state == LOAD_READY && !load->is_database &&
            spn__clip_is_wanted(a, load->owner) &&
            (a->clips[load->owner] & CLIP_IS_WANTED))
            return load;
    }
    return NULL;
}

bool sim_anim_change_byte(struct sim *sim)
{
    struct range_load *load = find_load(sim);
    struct heap_walk walk;
    uint32_t bytes;

    if (!load || load->is_unverified)
        return false;
    spn__heap_walk_begin(&sim->rt->heap, load->block, &walk);
    *(uint8_t *)spn__heap_walk_next(&walk, &bytes) ^= 4;
    return true;
}

bool sim_anim_free_wanted(struct sim *sim)
{
    struct range_load *load = find_load(sim);

    if (load)
        spn__anim_load_evict(load);
    return load != NULL;
}

bool sim_anim_add_glitch(struct sim *sim)
{
    struct anim *a = sim->rt->anim;

    for (uint32_t i = 0; a && i < a->play_pool.capacity; i++)
        if (spn__pool_is_used(&a->play_pool, i)) {
            a->plays[i].glitches++;
            return true;
        }
    return false;
}
