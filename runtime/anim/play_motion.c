/* play_motion.c - the joint at both times and at the ends of the clip. */
/* SPDX-License-Identifier: MIT */
#include "anim/play_motion.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_system.h"
#include "anim/play_time.h"
#include "anim/pose/pose_sample.h"

#include <spindle/anim_motion.h>

static const spn_anim_transform identity = {.rotation = {0, 0, 0, 1},
                                            .scale = {1, 1, 1}};

struct tracker {
    const struct anim *a;
    const struct playing_clip *clip;
    const struct skeleton_record *skeleton;
    const spn_anim_pose *scratch;
    uint32_t joint;
    spn_status status; /* of the first place that is not there */
};

/* The joint in model space. */
static spn_anim_transform joint_at(struct tracker *t, uint32_t frame,
                                   uint32_t next, float between)
{
    spn_anim_transform joint = identity;
    struct play_frames f;
    spn_status status =
        spn__playing_frames(t->a, t->clip, frame, next, between, &f);

    if (status == SPN_OK) {
        spn__pose_sample(&t->clip->open.tracks, &t->skeleton->rest, f.from,
                         f.to, f.between, t->scratch, NULL);
        status = spn_anim_pose_get_joint(
            t->scratch, t->skeleton->skeleton.parent, t->joint, &joint);
    }
    if (t->status == SPN_OK)
        t->status = status;
    return joint;
}

/* The motion after the last frame of a loop that does not close: as between the
 * first two frames. They are in memory when the end of a loop is passed. */
static spn_anim_transform closing_motion(struct tracker *t, float part)
{
    const uint32_t second = t->clip->open.header.frame_count > 1 ? 1 : 0;
    const spn_anim_transform first = joint_at(t, 0, 0, 0);
    const spn_anim_transform then =
        part < 1 ? joint_at(t, 0, second, part) : joint_at(t, second, 0, 0);
    spn_anim_transform motion = identity;

    (void)spn_anim_motion_between(&first, &then, &motion);
    return motion;
}

static spn_anim_transform joint_at_time(struct tracker *t,
                                        const struct play_time *at)
{
    const uint32_t last = t->clip->open.header.frame_count - 1;
    spn_anim_transform joint;
    spn_anim_transform closing;

    if (at->frame < last || at->between <= 0)
        return joint_at(t, at->frame, at->next, at->between);
    joint = joint_at(t, last, last, 0);
    closing = closing_motion(t, at->between);
    (void)spn_anim_transform_multiply(&joint, &closing, &joint);
    return joint;
}

/* From an earlier time to a later one. */
static spn_status motion_of(struct tracker *t, const struct play_time *from,
                            const struct play_time *to, spn_anim_transform *out)
{
    const struct anim_clip_header *h = &t->clip->open.header;
    const uint64_t passes = (uint64_t)(to->pass - from->pass);
    const spn_anim_transform start = joint_at_time(t, from);
    const spn_anim_transform end = joint_at_time(t, to);
    spn_anim_loop_ends ends = {identity, identity, identity};

    if (passes > UINT32_MAX)
        return SPN_ERR_ARG;
    if (passes > 0) {
        ends.first = joint_at(t, 0, 0, 0);
        ends.last = joint_at(t, h->frame_count - 1, 0, 0);
        if (!h->loop_closes)
            ends.closing = closing_motion(t, 1);
    }
    if (t->status != SPN_OK)
        return t->status;
    return spn_anim_motion_over_loops(&start, &end, &ends, (uint32_t)passes,
                                      out);
}

spn_status spn__play_motion(const struct anim *a, const struct anim_play *play,
                            const struct skeleton_record *skeleton,
                            uint32_t joint, int64_t from_us, int64_t to_us,
                            const spn_anim_pose *scratch,
                            spn_anim_transform *out)
{
    const bool is_back = to_us < from_us;
    const bool loops = spn__play_loops(a, play);
    struct tracker t = {
        .a = a, .skeleton = skeleton, .scratch = scratch, .joint = joint};
    spn_anim_transform motion = identity;
    spn_status status = spn__play_find_clip(a, play, &t.clip);
    struct play_time from;
    struct play_time to;

    if (status != SPN_OK)
        return status;
    from =
        spn__play_time(&t.clip->open.header, loops, is_back ? to_us : from_us);
    to = spn__play_time(&t.clip->open.header, loops, is_back ? from_us : to_us);
    status = motion_of(&t, &from, &to, &motion);
    if (status == SPN_OK && is_back)
        status = spn_anim_motion_between(&motion, &identity, &motion);
    if (status == SPN_OK)
        *out = motion;
    return status;
}

#endif
