/* clip_picture.c - decode a pose, and make a surface of its bones. */
/* SPDX-License-Identifier: MIT */
#include "cli/clip_picture.h"

#include "view/bones.h"

#include <math.h>
#include <string.h>

/* Of a root's octahedron: share of the largest side of the pose's box. */
#define ROOT_SHARE 0.03f
/* Metres. */
#define RADIUS_MIN 1e-4f

bool clip_picture_open(struct clip_picture *p, const char *path,
                       struct arena *arena, struct diag *diag)
{
    uint32_t joints;

    if (!clip_file_open(&p->clip, path, arena, diag) ||
        !clip_file_skeleton(&p->clip, NULL, &p->skeleton, arena, diag))
        return false;
    joints = p->skeleton.skeleton.joint_count;
    p->locals = ARENA_NEW(arena, spn_anim_transform, joints);
    p->matrices = ARENA_NEW(arena, float, 12 * (uint64_t)joints);
    p->pose = (spn_anim_pose){
        .values = arena_alloc(arena, SPN_ANIM_POSE_BYTES(joints), 1),
        .joint_count = joints,
        .stride = SPN_ANIM_POSE_STRIDE(joints)};
    memset(p->pose.values, 0, SPN_ANIM_POSE_BYTES(joints));
    return true;
}

static struct bone_pose pose_of(struct clip_picture *p, uint32_t frame)
{
    const struct anim_skeleton *skeleton = &p->skeleton.skeleton;

    clip_file_pose(&p->clip, &p->skeleton, frame, 0, p->locals, NULL);
    (void)spn_anim_pose_from_transforms(p->locals, &p->pose);
    (void)spn_anim_pose_to_matrices(&p->pose, skeleton->parent, p->matrices);
    return (struct bone_pose){p->matrices, skeleton->parent,
                              skeleton->joint_count};
}

void clip_picture_box(struct clip_picture *p, float box_min[3],
                      float box_max[3])
{
    for (int i = 0; i < 3; i++) {
        box_min[i] = INFINITY;
        box_max[i] = -INFINITY;
    }
    for (uint32_t f = 0; f < p->clip.clip.header.frame_count; f++) {
        const struct bone_pose pose = pose_of(p, f);

        bones_enlarge(&pose, box_min, box_max);
    }
}

static float radius_of(const struct bone_pose *pose)
{
    float box_min[3] = {INFINITY, INFINITY, INFINITY};
    float box_max[3] = {-INFINITY, -INFINITY, -INFINITY};
    float side = 0;

    bones_enlarge(pose, box_min, box_max);
    for (int i = 0; i < 3; i++)
        side = fmaxf(side, box_max[i] - box_min[i]);
    return fmaxf(side * ROOT_SHARE, RADIUS_MIN);
}

void clip_picture_list(struct clip_picture *p, uint32_t frame,
                       struct arena *arena, struct surface_list *list)
{
    static const float here[3] = {0, 0, 0};
    static const float grey[3] = {0.5f, 0.5f, 0.5f};
    const struct bone_pose pose = pose_of(p, frame);
    struct surface *surface = ARENA_NEW(arena, struct surface, 1);
    struct bones bones = {.arena = arena};
    uint32_t *indices;

    bones_add(&bones, &pose, here, radius_of(&pose), grey);
    *surface = (struct surface){.path = p->clip.path,
                                .vertex_count = (uint32_t)bones.count,
                                .index_count = (uint32_t)bones.count};
    surface->positions = arena_alloc(arena, bones.count, 3 * sizeof(float));
    surface->normals = arena_alloc(arena, bones.count, 3 * sizeof(float));
    indices = ARENA_NEW(arena, uint32_t, bones.count);
    for (uint32_t i = 0; i < surface->vertex_count; i++) {
        memcpy(surface->positions[i], bones.vertices[i].position,
               sizeof surface->positions[i]);
        memcpy(surface->normals[i], bones.vertices[i].normal,
               sizeof surface->normals[i]);
        indices[i] = i;
    }
    surface->indices = indices;
    *list = (struct surface_list){surface, 1};
}
