/* api_anim_skeleton.c - the functions of spindle/anim_skeletons.h. */
/* SPDX-License-Identifier: MIT */
#include "api_anim.h"

#include "anim/anim_limits.h"
#include "base/hash64.h"

#include <spindle/anim_skeletons.h>
#include <spindle/features.h>

#if SPN_WITH_ANIM

static spn_status find_record(const spn_runtime *rt, bool has_pointers,
                              spn_anim_skeleton skeleton,
                              struct skeleton_record **out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, has_pointers, &a);

    if (status != SPN_OK)
        return status;
    *out = spn__skeleton_find(a, skeleton);
    return *out ? SPN_OK : SPN_ERR_HANDLE;
}

static spn_status find_open(const spn_runtime *rt, bool has_pointers,
                            spn_anim_skeleton skeleton,
                            const struct anim_skeleton **out)
{
    struct skeleton_record *record;
    spn_status status = find_record(rt, has_pointers, skeleton, &record);

    if (status == SPN_OK)
        status = spn__skeleton_status(record);
    if (status == SPN_OK)
        *out = &record->skeleton;
    return status;
}

/* -- opening -- */

spn_status spn_anim_skeleton_open(spn_runtime *rt, const char *path,
                                  spn_anim_skeleton *out)
{
    struct anim *a;
    spn_status status = anim_find_system(rt, path && out, &a);

    return status == SPN_OK ? spn__skeleton_open(a, path, out) : status;
}

spn_status spn_anim_skeleton_close(spn_runtime *rt, spn_anim_skeleton skeleton)
{
    struct skeleton_record *record;
    spn_status status = find_record(rt, true, skeleton, &record);

    if (status == SPN_OK)
        spn__skeleton_close(rt->anim, record);
    return status;
}

spn_status spn_anim_skeleton_get_status(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        spn_fault *fault)
{
    struct skeleton_record *record;
    spn_status status = find_record(rt, true, skeleton, &record);

    if (status != SPN_OK)
        return status;
    status = spn__skeleton_status(record);
    if (status < SPN_OK && fault)
        *fault = record->fault;
    return status;
}

/* -- joints -- */

spn_status spn_anim_skeleton_get_info(const spn_runtime *rt,
                                      spn_anim_skeleton skeleton,
                                      spn_anim_skeleton_info *out)
{
    const struct anim_skeleton *s;
    spn_status status = find_open(rt, out != NULL, skeleton, &s);
    const struct skeleton_record *record;

    if (status != SPN_OK)
        return status;
    record = spn__skeleton_find(rt->anim, skeleton);
    *out = (spn_anim_skeleton_info){.path = record->path,
                                    .hash = s->hash,
                                    .rest_pose_hash = s->rest_pose_hash,
                                    .joint_count = s->joint_count,
                                    .memory_bytes = record->bytes,
                                    .parents = s->parent,
                                    .rest = record->rest};
    return SPN_OK;
}

static const char *name_of(const struct anim_skeleton *s, uint32_t joint)
{
    return s->names + s->name[joint];
}

spn_status spn_anim_skeleton_get_name(const spn_runtime *rt,
                                      spn_anim_skeleton skeleton,
                                      uint32_t joint, const char **out)
{
    const struct anim_skeleton *s;
    spn_status status = find_open(rt, out != NULL, skeleton, &s);

    if (status != SPN_OK)
        return status;
    if (joint >= s->joint_count)
        return SPN_ERR_ARG;
    *out = name_of(s, joint);
    return SPN_OK;
}

spn_status spn_anim_skeleton_check_clip(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        spn_anim anim)
{
    const struct anim_skeleton *s;
    struct anim *a;
    spn_status status = find_open(rt, true, skeleton, &s);
    struct clip_facts clip;

    if (status == SPN_OK)
        status = anim_find_clip(rt, true, anim, &a);
    if (status != SPN_OK)
        return status;
    clip = spn__clip_index_clip(&a->image.index, anim - 1);
    if (clip.skeleton != s->hash || clip.joint_count != s->joint_count)
        return SPN_ERR_SKELETON;
    return clip.rest_pose_hash == s->rest_pose_hash ? SPN_OK
                                                    : SPN_ERR_REST_POSE;
}

/* -- maps -- */

uint64_t spn_anim_hash_name(const char *name)
{
    uint32_t bytes = 0;

    /* Names of joints have fewer bytes than this. */
    while (name && bytes < ANIM_NAME_BYTES_MAX && name[bytes] != 0)
        bytes++;
    return name ? spn__hash64(name, bytes, 0) : 0;
}

static bool is_same_text(const char *a, const char *b)
{
    while (*a == *b && *a != 0) {
        a++;
        b++;
    }
    return *a == *b;
}

/* The first joint with a name. */
static uint32_t find_name(const struct anim_skeleton *s, const char *name)
{
    for (uint32_t j = 0; j < s->joint_count; j++)
        if (is_same_text(name_of(s, j), name))
            return j;
    return SPN_ANIM_NO_JOINT;
}

spn_status spn_anim_skeleton_find_joint(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        const char *name, uint32_t *out)
{
    const struct anim_skeleton *s;
    spn_status status = find_open(rt, name && out, skeleton, &s);
    uint32_t joint;

    if (status != SPN_OK)
        return status;
    joint = find_name(s, name);
    if (joint == SPN_ANIM_NO_JOINT)
        return SPN_ERR_NOT_FOUND;
    *out = joint;
    return SPN_OK;
}

static uint32_t count_missing(const uint16_t *joints, uint32_t count)
{
    uint32_t missing = 0;

    for (uint32_t i = 0; i < count; i++)
        missing += joints[i] == SPN_ANIM_NO_JOINT;
    return missing;
}

spn_status spn_anim_skeleton_map_hashes(const spn_runtime *rt,
                                        spn_anim_skeleton skeleton,
                                        const uint64_t *hashes, uint32_t count,
                                        uint16_t *joints, uint32_t *missing)
{
    const struct anim_skeleton *s;
    const bool has_pointers = (hashes && joints) || count == 0;
    spn_status status = find_open(rt, has_pointers, skeleton, &s);

    if (status != SPN_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        joints[i] = SPN_ANIM_NO_JOINT;
    /* Backwards, so that the first of equal hashes is written last. */
    for (uint32_t j = s->joint_count; j-- > 0;) {
        const uint64_t hash = spn_anim_hash_name(name_of(s, j));

        for (uint32_t i = 0; i < count; i++)
            if (hashes[i] == hash)
                joints[i] = (uint16_t)j;
    }
    if (missing)
        *missing = count_missing(joints, count);
    return SPN_OK;
}

spn_status spn_anim_skeleton_map_names(const spn_runtime *rt,
                                       spn_anim_skeleton skeleton,
                                       const char *const *names, uint32_t count,
                                       uint16_t *joints, uint32_t *missing)
{
    const struct anim_skeleton *s;
    bool has_pointers = (names && joints) || count == 0;
    spn_status status;

    for (uint32_t i = 0; has_pointers && i < count; i++)
        has_pointers = names[i] != NULL;
    status = find_open(rt, has_pointers, skeleton, &s);
    if (status != SPN_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        joints[i] = (uint16_t)find_name(s, names[i]);
    if (missing)
        *missing = count_missing(joints, count);
    return SPN_OK;
}

#endif
