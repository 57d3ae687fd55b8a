/* api_anim_play.c - the functions of spindle/anim_sample.h. */
/* SPDX-License-Identifier: MIT */
#include "api_anim.h"

#include "anim/anim_plays.h"
#include "anim/play_motion.h"
#include "anim/play_needs.h"
#include "anim/pose/pose_check.h"
#include "anim/pose/pose_sample.h"
#include "base/mem.h"

#include <spindle/anim_sample.h>
#include <spindle/features.h>

#if SPN_WITH_ANIM

static bool is_good_time(int64_t time_us)
{
    return time_us <= SPN_ANIM_TIME_MAX && time_us >= -SPN_ANIM_TIME_MAX;
}

/* -- time -- */

spn_status spn_anim_play_set_time(spn_runtime *rt, spn_anim_play play,
                                  int64_t time_us)
{
    struct anim *a;
    struct anim_play *p;
    spn_status status = anim_find_play(rt, is_good_time(time_us), play, &a, &p);

    if (status == SPN_OK)
        spn__play_set_time(p, time_us);
    return status;
}

spn_status spn_anim_play_set_mode(spn_runtime *rt, spn_anim_play play,
                                  spn_anim_loop loop, int32_t direction)
{
    const bool is_good = (uint32_t)loop <= SPN_ANIM_LOOP_NEVER;
    struct anim *a;
    struct anim_play *p;
    spn_status status = anim_find_play(rt, is_good, play, &a, &p);

    if (status != SPN_OK)
        return status;
    p->loop = loop;
    p->direction = direction;
    return SPN_OK;
}

/* -- poses -- */

static spn_status find_skeleton(const spn_runtime *rt, bool has_pointers,
                                spn_anim_skeleton skeleton,
                                const struct skeleton_record **out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, has_pointers, &a);

    if (status != SPN_OK)
        return status;
    *out = spn__skeleton_find(a, skeleton);
    return *out ? spn__skeleton_status(*out) : SPN_ERR_HANDLE;
}

spn_status spn_anim_skeleton_make_pose(const spn_runtime *rt,
                                       spn_anim_skeleton skeleton,
                                       float *memory, size_t bytes,
                                       spn_anim_pose *out)
{
    const bool is_aligned =
        memory && (uintptr_t)memory % SPN_ANIM_POSE_ALIGN == 0;
    const struct skeleton_record *s;
    spn_status status = find_skeleton(rt, is_aligned && out, skeleton, &s);

    if (status != SPN_OK)
        return status;
    if (bytes < SPN_ANIM_POSE_BYTES(s->rest.joint_count))
        return SPN_ERR_ARG;
    *out = s->rest;
    out->values = memory;
    memcpy(memory, s->rest.values, SPN_ANIM_POSE_BYTES(s->rest.joint_count));
    return SPN_OK;
}

/* The header of the clip is that of the image (playing_work.c), so nothing is
 * written behind the joints of the skeleton. */
static bool is_skeleton_of(const struct anim_play *play,
                           const struct anim_skeleton *skeleton)
{
    return play->skeleton == skeleton->hash &&
           play->joint_count == skeleton->joint_count;
}

/* What a play is sampled from. */
struct sample_source {
    const struct skeleton_record *skeleton;
    struct play_frames frames;
};

/* Checks in the order of the manual.
 *
 * joint_count  of the output; 0: it is checked by the caller */
static spn_status find_source(const spn_runtime *rt, bool has_pointers,
                              spn_anim_play play, int64_t time_us,
                              spn_anim_skeleton skeleton, uint32_t joint_count,
                              struct sample_source *out)
{
    struct anim *a;
    struct anim_play *p;
    spn_status status =
        anim_find_play(rt, has_pointers && is_good_time(time_us), play, &a, &p);

    if (status == SPN_OK)
        status = find_skeleton(rt, true, skeleton, &out->skeleton);
    if (status != SPN_OK)
        return status;
    if (joint_count < out->skeleton->rest.joint_count)
        return SPN_ERR_ARG;
    if (!is_skeleton_of(p, &out->skeleton->skeleton))
        return SPN_ERR_SKELETON;
    return spn__play_find_frames(a, p, time_us, &out->frames);
}

spn_status spn_anim_play_sample(const spn_runtime *rt, spn_anim_play play,
                                int64_t time_us, spn_anim_skeleton skeleton,
                                const spn_anim_pose *pose, float *floats,
                                uint32_t float_count)
{
    const bool is_good = is_pose(pose) && (floats || float_count == 0);
    struct sample_source s;
    const struct anim_tracks *tracks;
    spn_status status = find_source(rt, is_good, play, time_us, skeleton,
                                    is_good ? pose->joint_count : 0, &s);

    if (status != SPN_OK)
        return status;
    tracks = &s.frames.clip->open.tracks;
    if (pose->joint_count != tracks->joint_count ||
        (floats && float_count < tracks->float_track_count))
        return SPN_ERR_ARG;
    spn__pose_sample(tracks, &s.skeleton->rest, s.frames.from, s.frames.to,
                     s.frames.between, pose, floats);
    return SPN_OK;
}

spn_status spn_anim_play_sample_transforms(const spn_runtime *rt,
                                           spn_anim_play play, int64_t time_us,
                                           spn_anim_skeleton skeleton,
                                           spn_anim_transform *transforms,
                                           uint32_t count)
{
    struct sample_source s;
    spn_status status =
        find_source(rt, transforms != NULL, play, time_us, skeleton, count, &s);

    if (status != SPN_OK)
        return status;
    memcpy(transforms, s.skeleton->skeleton.rest,
           s.skeleton->rest.joint_count * sizeof *transforms);
    spn__anim_pose(&s.frames.clip->open.tracks, s.frames.from, s.frames.to,
                   s.frames.between, transforms, NULL);
    return SPN_OK;
}

/* -- float tracks -- */

/* The names of a play's clip, one after the other. */
static spn_status find_names(const spn_runtime *rt, bool has_pointers,
                             spn_anim_play play,
                             const struct anim_tracks **tracks)
{
    const struct playing_clip *clip;
    struct anim *a;
    struct anim_play *p;
    spn_status status = anim_find_play(rt, has_pointers, play, &a, &p);

    if (status == SPN_OK)
        status = spn__play_find_clip(a, p, &clip);
    if (status == SPN_OK)
        *tracks = &clip->open.tracks;
    return status;
}

spn_status spn_anim_play_find_float(const spn_runtime *rt, spn_anim_play play,
                                    uint64_t name_hash, uint32_t *out)
{
    const struct anim_tracks *tracks;
    const char *name;
    spn_status status = find_names(rt, out != NULL, play, &tracks);

    if (status != SPN_OK)
        return status;
    name = tracks->float_names;
    for (uint32_t i = 0; i < tracks->float_track_count; i++) {
        if (spn_anim_hash_name(name) == name_hash) {
            *out = i;
            return SPN_OK;
        }
        name = anim_next_name(name);
    }
    return SPN_ERR_NOT_FOUND;
}

spn_status spn_anim_play_get_float_name(const spn_runtime *rt,
                                        spn_anim_play play, uint32_t number,
                                        const char **out)
{
    const struct anim_tracks *tracks;
    const char *name;
    spn_status status = find_names(rt, out != NULL, play, &tracks);

    if (status != SPN_OK)
        return status;
    if (number >= tracks->float_track_count)
        return SPN_ERR_ARG;
    name = tracks->float_names;
    while (number-- > 0)
        name = anim_next_name(name);
    *out = name;
    return SPN_OK;
}

/* -- motion -- */

spn_status spn_anim_play_get_motion(const spn_runtime *rt, spn_anim_play play,
                                    int64_t from_us, int64_t to_us,
                                    spn_anim_skeleton skeleton, uint32_t joint,
                                    const spn_anim_pose *scratch,
                                    spn_anim_transform *out)
{
    const bool is_good =
        is_pose(scratch) && out && is_good_time(from_us) && is_good_time(to_us);
    const struct skeleton_record *s;
    struct anim *a;
    struct anim_play *p;
    spn_status status = anim_find_play(rt, is_good, play, &a, &p);

    if (status == SPN_OK)
        status = find_skeleton(rt, true, skeleton, &s);
    if (status != SPN_OK)
        return status;
    if (joint >= s->rest.joint_count ||
        scratch->joint_count != s->rest.joint_count)
        return SPN_ERR_ARG;
    if (!is_skeleton_of(p, &s->skeleton))
        return SPN_ERR_SKELETON;
    return spn__play_motion(a, p, s, joint, from_us, to_us, scratch, out);
}

#endif
