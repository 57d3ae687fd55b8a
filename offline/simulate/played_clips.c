/* played_clips.c - count plays, pictures and failures of clips. */
/* SPDX-License-Identifier: MIT */
#include "simulate/played_clips.h"

#include "common/fault_text.h"

#include <stdio.h>
#include <string.h>

bool played_clips_list(struct clips_report *report, const spn_runtime *rt,
                       struct arena *arena, struct diag *diag)
{
    report->clip_count = spn_anim_get_count(rt);
    report->clips = ARENA_NEW(arena, struct played_clip, report->clip_count);
    for (uint32_t i = 0; i < report->clip_count; i++) {
        struct played_clip *clip = &report->clips[i];
        spn_status status = spn_anim_get_info(rt, i + 1, &clip->info);

        if (status != SPN_OK)
            return fault_refuse_status(diag, "clips", status, NULL);
        /* The report outlives the runtime, which has the name. */
        clip->info.name =
            arena_string(arena, clip->info.name, strlen(clip->info.name));
        clip->label = clip->info.name;
    }
    return true;
}

void played_clips_count(struct clips_report *report, const spn_runtime *rt,
                        const spn_anim_event *event)
{
    struct played_clip *clip;

    if (event->anim == 0 || event->anim > report->clip_count)
        return;
    clip = &report->clips[event->anim - 1];
    clip->loads += event->kind == SPN_ANIM_LOADED;
    if (event->kind != SPN_ANIM_FAILED && event->kind != SPN_ANIM_DAMAGED)
        return;
    clip->failures++;
    clip->status = event->status;
    clip->is_damaged = event->kind == SPN_ANIM_DAMAGED;
    clip->frame = event->frame;
    memset(&clip->fault, 0, sizeof clip->fault);
    /* Of damage, the play that cannot be sampled says where it is. */
    if (spn_anim_get_status(rt, event->anim, &clip->fault) >= SPN_OK)
        clip->fault.what = NULL;
}

void played_clip_waited(struct played_clip *clip, uint64_t started_us,
                        uint64_t now_us)
{
    if (now_us - started_us > clip->first_pose_us)
        clip->first_pose_us = now_us - started_us;
}

void played_clip_show(struct played_clip *clip, bool is_ready,
                      const spn_anim_play_state *state)
{
    clip->pictures++;
    clip->glitches += !is_ready;
    clip->held += is_ready && state->pose != SPN_OK;
    if (state->pose < SPN_OK && clip->is_damaged && !clip->fault.what)
        clip->fault = state->fault;
}

/* -- failures -- */

static void refuse(const struct played_clip *clip, bool is_first,
                   struct diag *diag)
{
    const spn_fault *fault = &clip->fault;
    const char *text = spn_status_text(clip->status);
    const char *name = spn_status_name(clip->status);
    char more[64];
    char frame[32];
    const char *place = NULL;

    snprintf(more, sizeof more, "; not there in %u pictures",
             clip->glitches + clip->held);
    if (clip->is_damaged && clip->frame != SPN_ANIM_NO_FRAME) {
        snprintf(frame, sizeof frame, "frame %u", clip->frame);
        place = frame;
    }
    if (fault->what && is_first)
        fault_refuse_with(diag, clip->label, FAULT_NO_FRAME, fault, more);
    else if (fault->what)
        fault_warn(diag, clip->label, FAULT_NO_FRAME, fault, "%s", more);
    else if (!is_first)
        diag_warn(diag, clip->label, place, "%s (%s)%s", text, name, more);
    else if (clip->is_damaged)
        diag_refuse(diag, clip->label, DIAG_NO_OFFSET, place, "%s (%s)%s", text,
                    name, more);
    else
        diag_io(diag, clip->label, 0, "%s (%s)%s", text, name, more);
}

void played_clips_refuse(const struct clips_report *report, bool with_io,
                         struct diag *diag)
{
    bool is_first = !diag_has_failed(diag);

    for (uint32_t i = 0; i < report->clip_count; i++) {
        const struct played_clip *clip = &report->clips[i];

        if (clip->failures == 0 || clip->glitches + clip->held == 0 ||
            (clip->status == SPN_ERR_IO && !with_io))
            continue;
        refuse(clip, is_first, diag);
        is_first = false;
    }
}
