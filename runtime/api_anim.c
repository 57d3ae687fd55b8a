/* api_anim.c - the functions of the headers that spindle/anim.h includes:
 * validate handles and arguments, then call anim/. */
/* SPDX-License-Identifier: MIT */
#include "api_anim.h"

#include "anim/anim_clips.h"
#include "anim/anim_loads.h"
#include "anim/anim_plays.h"
#include "anim/play_needs.h"

#include <spindle/anim.h>
#include <spindle/features.h>

#if SPN_WITH_ANIM

/* -- headers -- */

spn_status spn_anim_open_image(spn_runtime *rt, const char *path)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, path != NULL, &a);

    return status == SPN_OK ? spn__anim_image_open(a, path) : status;
}

spn_status spn_anim_add_file(spn_runtime *rt, const char *path)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, path != NULL, &a);

    if (status != SPN_OK)
        return status;
    return a->loose ? spn__anim_loose_add(a, path) : SPN_ERR_STATE;
}

spn_status spn_anim_get_image_status(const spn_runtime *rt, spn_fault *fault)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, true, &a);

    if (status != SPN_OK)
        return status;
    if (a->image.status < SPN_OK && fault)
        *fault = a->image.fault;
    return a->image.status;
}

uint32_t spn_anim_get_count(const spn_runtime *rt)
{
    struct anim *a;

    return anim_find_system(rt, true, &a) == SPN_OK
               ? a->image.index.header.clip_count
               : 0;
}

spn_status spn_anim_find(const spn_runtime *rt, const char *name, spn_anim *out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, name && out, &a);
    uint32_t clip;

    if (status != SPN_OK)
        return status;
    if (a->image.status != SPN_OK && !a->loose)
        return SPN_PENDING;
    clip = a->loose ? spn__anim_loose_find(a, name, anim_text_bytes(name))
                    : spn__clip_index_find(&a->image.index, name,
                                           anim_text_bytes(name));
    if (clip == CLIP_INDEX_NONE)
        return a->image.status == SPN_PENDING ? SPN_PENDING : SPN_ERR_NOT_FOUND;
    *out = anim_of_clip(clip);
    return SPN_OK;
}

spn_status spn_anim_get_info(const spn_runtime *rt, spn_anim anim,
                             spn_anim_info *out)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, out != NULL, anim, &a);
    struct clip_facts c;

    if (status != SPN_OK)
        return status;
    c = spn__clip_index_clip(&a->image.index, anim - 1);
    *out = (spn_anim_info){.name = c.name,
                           .duration_us = spn__clip_duration_us(&c),
                           .skeleton = c.skeleton,
                           .offset = c.offset,
                           .bytes = c.bytes,
                           .first_bytes = c.first_bytes,
                           .flags = c.flags & CLIP_FLAGS,
                           .frame_count = c.frame_count,
                           .rate_numerator = c.rate_numerator,
                           .rate_denominator = c.rate_denominator,
                           .joint_count = c.joint_count,
                           .rest_pose_hash = c.rest_pose_hash,
                           .database = c.file + 1};
    return SPN_OK;
}

/* -- references -- */

spn_status spn_anim_add_ref(spn_runtime *rt, spn_anim anim)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, true, anim, &a);

    if (status == SPN_OK)
        spn__anim_counts_add(&a->counts, anim - 1);
    return status;
}

spn_status spn_anim_release(spn_runtime *rt, spn_anim anim)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, true, anim, &a);

    if (status == SPN_OK && !spn__anim_counts_remove(&a->counts, anim - 1))
        status = SPN_ERR_STATE;
    return status;
}

uint32_t spn_anim_get_ref_count(const spn_runtime *rt, spn_anim anim)
{
    struct anim *a;

    return anim_find_clip(rt, true, anim, &a) == SPN_OK
               ? spn__anim_counts_get(&a->counts, anim - 1)
               : 0;
}

spn_status spn_anim_lock(spn_runtime *rt, spn_anim anim, uint32_t is_locked)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, is_locked <= 1, anim, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    spn__clip_lock(a, anim - 1, is_locked != 0);
    return SPN_OK;
}

spn_status spn_anim_get_status(const spn_runtime *rt, spn_anim anim,
                               spn_fault *fault)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, true, anim, &a);
    uint32_t start;

    if (status != SPN_OK)
        return status;
    status = spn__clip_status(a, anim - 1);
    if (status < SPN_OK && fault)
        spn__load_fault(spn__clip_load(a, anim - 1, &start), fault);
    return status;
}

int spn_anim_is_loaded(const spn_runtime *rt, spn_anim anim)
{
    return spn_anim_get_status(rt, anim, NULL) == SPN_OK;
}

spn_status spn_anim_unload(spn_runtime *rt, spn_anim anim)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, true, anim, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    return spn__clip_unload(a, anim - 1);
}

/* -- synchronous loads -- */

/* Start what a load still needs, and wait for one of its reads. Returns
 * SPN_PENDING: it has come further; SPN_OK: it is ready. */
static spn_status advance(spn_runtime *rt, struct range_load *load,
                          uint64_t timeout_us)
{
    spn_status status;

    spn__load_verify_now(load);
    spn__anim_load_collect(load);
    if (load->state == LOAD_READY)
        return SPN_OK;
    if (spn__load_error(load) != SPN_OK)
        return spn__load_error(load);
    status = spn__load_start(load);
    for (uint32_t i = 0; i < load->part_count; i++) {
        const spn_read read = load->parts[i].read;

        if (read == 0)
            continue;
        status = spn_read_wait(rt, read, timeout_us, NULL);
        if (status == SPN_OK)
            status = spn__runtime_end_read(rt, read);
        return status == SPN_OK ? SPN_PENDING : status;
    }
    if (status != SPN_OK)
        return status == SPN_ERR_TABLE_FULL ? SPN_FULL : status;
    return spn__load_error(load) != SPN_OK ? spn__load_error(load) : SPN_FULL;
}

static spn_status load_now(spn_runtime *rt, struct anim *a, uint32_t clip,
                           uint64_t timeout_us)
{
    const uint64_t begin_us = a->now_us;
    spn_status status = SPN_PENDING;
    bool is_first = true;

    while (status == SPN_PENDING) {
        uint32_t start;
        struct range_load *load = spn__clip_load(a, clip, &start);

        anim_set_now(rt, a);
        if (!load)
            return SPN_FULL;
        if (a->now_us - begin_us > timeout_us)
            return SPN_ERR_TIMEOUT;
        /* An error of before is no reason not to try. */
        if (is_first)
            spn__load_retry_now(load);
        is_first = false;
        status = advance(rt, load, timeout_us - (a->now_us - begin_us));
    }
    return status;
}

spn_status spn_anim_load_synchronously(spn_runtime *rt, spn_anim anim,
                                       uint64_t timeout_us)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, true, anim, &a);

    if (status != SPN_OK)
        return status;
    if (rt->is_updating || rt->is_stepping)
        return SPN_ERR_STATE;
    anim_set_now(rt, a);
    spn__clips_take_changes(a);
    spn__clip_want(a, anim - 1, a->now_us + 1);
    status = load_now(rt, a, anim - 1, timeout_us);
    spn__clip_release(a, anim - 1);
    return status;
}

/* -- plays -- */

spn_status spn_anim_play_start(spn_runtime *rt, spn_anim anim,
                               spn_anim_play *out)
{
    struct anim *a;
    spn_status status = anim_find_clip(rt, out != NULL, anim, &a);

    if (status != SPN_OK)
        return status;
    anim_set_now(rt, a);
    return spn__play_start(a, anim - 1, out);
}

spn_status spn_anim_play_stop(spn_runtime *rt, spn_anim_play play)
{
    struct anim *a;
    struct anim_play *p;
    spn_status status = anim_find_play(rt, true, play, &a, &p);

    if (status == SPN_OK)
        spn__play_stop(a, play);
    return status;
}

spn_status spn_anim_play_get_state(const spn_runtime *rt, spn_anim_play play,
                                   spn_anim_play_state *out)
{
    struct anim *a;
    struct anim_play *p;
    struct play_frames frames;
    spn_status status = anim_find_play(rt, out != NULL, play, &a, &p);

    if (status != SPN_OK)
        return status;
    status = spn__play_find_frames(a, p, p->time_us, &frames);
    *out = (spn_anim_play_state){
        .anim = anim_of_clip(p->clip),
        .is_ready = spn__clip_is_ready(a, p->clip),
        .is_loaded = spn__clip_status(a, p->clip) == SPN_OK,
        .updates = p->updates,
        .glitches = p->glitches,
        .held_updates = p->held_updates,
        .pose = status,
        .time_us = p->time_us,
        .float_count = spn__play_float_count(a, p),
    };
    if (status < SPN_OK)
        out->fault = spn__play_fault(a, p, &frames, status);
    return SPN_OK;
}

/* -- events, statistics -- */

spn_status spn_anim_listen(spn_runtime *rt, spn_anim_event_fn function,
                           void *user)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, true, &a);

    if (status != SPN_OK)
        return status;
    a->function = function;
    a->user = user;
    return SPN_OK;
}

spn_status spn_anim_get_stats(const spn_runtime *rt, spn_anim_stats *out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, out != NULL, &a);

    if (status == SPN_OK)
        spn__anim_get_stats(a, out);
    return status;
}

#endif
