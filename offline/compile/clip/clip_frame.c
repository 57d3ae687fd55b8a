/* clip_frame.c - one frame: nodes, vertices, quantized, and its box.
 *
 * Only reads the clip, so any number of threads may produce frames. Numbers
 * on the way to a frame live in an arena of the call; the caller's holds the
 * result alone.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_private.h"

#include "common/phases.h"
#include "compile/clip/frame_box.h"

#include <string.h>

bool clip_node_matrices(const struct clip *clip, double time,
                        struct node_matrices *out)
{
    const struct clip_private *private = clip->private;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct scene_node *node = &private->scene.nodes[i];

        if (!scene_node_matrix(node, &private->locals, time, out[i].local))
            return false;
        if (node->parent < 0) {
            matrix_multiply(out[i].local, private->root, out[i].local);
            memcpy(out[i].world, out[i].local, sizeof out[i].world);
        } else {
            matrix_multiply(out[i].local, out[node->parent].world,
                            out[i].world);
        }
    }
    return true;
}

/* -- channels -- */

/* Of a channel that has a range. */
static void pack_values(const struct clip_mesh *mesh, enum channel channel,
                        const float *values, uint16_t *out)
{
    const struct channel_range *range = &mesh->range[channel];
    const uint32_t components = channel_components(channel);

    for (uint32_t i = 0; i < components; i++)
        quantize_values(values + i, components, mesh->vertex_count,
                        range->min[i], range->size[i], range->bits[i], out + i);
}

static void pack_frame(const struct clip_mesh *mesh, struct vec3 normal,
                       struct vec3 tangent, int16_t *out)
{
    if (mesh->is_stretched)
        tangents_pack_stretched(normal, tangent, mesh->cofactors, out);
    else
        tangents_pack(normal, tangent, out);
}

void *clip_pack_channel(const struct clip *clip, const struct clip_mesh *mesh,
                        enum channel channel, const struct shape_frame *fill,
                        struct arena *arena, struct measure *error)
{
    enum phase before = phases_enter(PHASE_QUANTIZE);
    uint32_t count = mesh->vertex_count;
    void *out = arena_alloc(arena, count, channel_vertex_bytes(channel));
    int16_t *qtangents = out;
    uint8_t *colors = out;

    switch (channel) {
    case CHANNEL_POSITION:
        pack_values(mesh, channel, fill->positions, out);
        break;
    case CHANNEL_QTANGENT:
        for (uint32_t v = 0; v < count; v++)
            pack_frame(mesh, fill->normals[v], fill->tangents[v],
                       qtangents + 4 * (size_t)v);
        break;
    case CHANNEL_UV:
        pack_values(mesh, channel, fill->uvs, out);
        break;
    case CHANNEL_SECOND_UV:
        pack_values(mesh, channel, fill->second_uvs, out);
        break;
    case CHANNEL_VELOCITY:
        pack_values(mesh, channel, fill->velocities, out);
        break;
    case CHANNEL_COLOR:
        for (size_t i = 0; i < 4 * (size_t)count; i++)
            colors[i] = quantize_color(fill->colors[i]);
        break;
    case CHANNEL_COUNT:
        break;
    }
    if (clip->private->options.stats)
        measure_channel(mesh, channel, fill, out, error);
    phases_enter(before);
    return out;
}

void clip_turn_signs(int16_t *qtangents, const int16_t *before,
                     const uint32_t *lead, uint32_t vertex_count)
{
    for (uint32_t v = 0; v < vertex_count; v++) {
        int16_t *q = qtangents + 4 * (size_t)v;
        const int16_t *near =
            before ? before + 4 * (size_t)v : qtangents + 4 * (size_t)lead[v];
        int32_t dot = 0;

        for (int i = 0; i < 4; i++)
            dot += q[i] * near[i];
        for (int i = 0; i < 4 && dot < 0; i++)
            q[i] = (int16_t)-q[i];
    }
}

/* -- a frame -- */

static bool produce_nodes(const struct clip *clip, double time,
                          const struct node_matrices *matrices,
                          struct clip_frame *frame)
{
    const struct clip_private *private = clip->private;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        struct clip_node_frame *out = &frame->nodes[i];

        transform_pack(matrices[i].local, node->is_affine, &out->transform);
        if (!scene_import_is_visible(&private->import,
                                     private->scene.nodes[i].part, time,
                                     &out->is_visible))
            return false;
        if (node->mesh >= 0 && out->is_visible)
            frame->meshes[node->mesh].is_visible = true;
    }
    return true;
}

static bool produce_mesh(const struct clip *clip, uint32_t mesh, double time,
                         struct arena *arena, struct clip_mesh_frame *out)
{
    const struct clip_private *private = clip->private;
    const struct clip_mesh *source = &clip->meshes[mesh];
    struct shape_frame fill;
    struct arena scratch;
    bool is_good;

    if (source->animated_mask == 0)
        return true;
    arena_init(&scratch);
    is_good = shape_fill(private->import.shapes[mesh], time,
                         source->animated_mask, &scratch, &fill);
    for (int c = 0; is_good && c < CHANNEL_COUNT; c++)
        if (source->animated_mask & CHANNEL_BIT(c))
            out->channel[c] = clip_pack_channel(clip, source, (enum channel)c,
                                                &fill, arena, &out->error[c]);
    arena_free(&scratch);
    return is_good;
}

/* -- its box -- */

/* A node that vanishes is still seen on its way from the frame before, which
 * for the first one is the last: a clip may be looped. */
static bool is_vanishing(const struct clip *clip,
                         const struct clip_frame *frame, uint32_t node,
                         bool *answer)
{
    const struct clip_private *private = clip->private;
    uint32_t before = (frame->number > 0 ? frame->number : clip->frame_count);

    *answer = false;
    if (frame->nodes[node].is_visible || !clip->nodes[node].is_animated)
        return true;
    return scene_import_is_visible(&private->import,
                                   private->scene.nodes[node].part,
                                   clip->frame_seconds[before - 1], answer);
}

static bool produce_box(const struct clip *clip, struct arena *scratch,
                        struct clip_frame *frame)
{
    struct frame_place *places =
        ARENA_NEW(scratch, struct frame_place, clip->node_count);
    struct frame_box box;

    frame_box_begin(&box);
    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        const struct clip_mesh *mesh;
        const uint16_t *positions;
        bool is_last;

        frame_place_make(&frame->nodes[i].transform,
                         node->parent < 0 ? NULL : &places[node->parent],
                         &places[i]);
        if (node->mesh < 0)
            continue;
        if (!is_vanishing(clip, frame, i, &is_last))
            return false;
        mesh = &clip->meshes[node->mesh];
        positions = mesh->static_channel[CHANNEL_POSITION];
        if (!positions && frame->nodes[i].is_visible)
            positions = frame->meshes[node->mesh].channel[CHANNEL_POSITION];
        if (frame->nodes[i].is_visible || is_last)
            frame_box_add(&box, &places[i], mesh, positions);
    }
    frame_box_store(&box, frame->box_min, frame->box_max);
    return true;
}

static bool produce(const struct clip *clip, double time, struct arena *arena,
                    struct arena *scratch, struct clip_frame *frame)
{
    struct node_matrices *matrices =
        ARENA_NEW(scratch, struct node_matrices, clip->node_count);
    enum phase before = phases_enter(PHASE_NODES);
    bool is_good;

    is_good = clip_node_matrices(clip, time, matrices) &&
              produce_nodes(clip, time, matrices, frame);
    phases_enter(before);
    for (uint32_t m = 0; is_good && m < clip->mesh_count; m++)
        is_good = produce_mesh(clip, m, time, arena, &frame->meshes[m]);
    return is_good && produce_box(clip, scratch, frame);
}

bool clip_frame_produce(struct clip *clip, uint32_t number, struct arena *arena,
                        struct clip_frame *frame)
{
    struct arena scratch;
    bool is_good;

    *frame = (struct clip_frame){.number = number};
    frame->nodes = ARENA_NEW(arena, struct clip_node_frame, clip->node_count);
    frame->meshes = ARENA_NEW(arena, struct clip_mesh_frame, clip->mesh_count);
    arena_init(&scratch);
    is_good =
        produce(clip, clip->frame_seconds[number], arena, &scratch, frame);
    arena_free(&scratch);
    return is_good;
}

static void follow_rotation(const struct transform *last, struct transform *now)
{
    const float *before = last->tns.rotation;
    float *rotation = now->tns.rotation;
    float dot = 0;

    if (now->is_affine)
        return;
    for (int i = 0; i < 4; i++)
        dot += before[i] * rotation[i];
    for (int i = 0; i < 4 && dot < 0; i++)
        rotation[i] = -rotation[i];
}

void clip_frame_follow(const struct clip *clip, const struct clip_frame *before,
                       struct clip_frame *frame)
{
    for (uint32_t i = 0; before && i < clip->node_count; i++)
        follow_rotation(&before->nodes[i].transform,
                        &frame->nodes[i].transform);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        int16_t *now = frame->meshes[m].channel[CHANNEL_QTANGENT];

        if (now)
            clip_turn_signs(now,
                            before ? before->meshes[m].channel[CHANNEL_QTANGENT]
                                   : NULL,
                            clip->private->import.shapes[m]->lead,
                            clip->meshes[m].vertex_count);
    }
}
