/* clip_frame.c - produce a frame: node transforms, quantized channels, box.
 *
 * A frame needs two arenas: the caller's holds the result, a scratch arena of
 * the call everything else.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_frame.h"

#include "common/phases.h"
#include "compile/clip/frame_box.h"

#include <string.h>

bool clip_node_matrices(const struct clip *clip, double time,
                        struct node_matrices *out)
{
    const struct clip_state *state = clip->state;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct scene_node *node = &state->scene.nodes[i];

        if (!scene_node_matrix(node, &state->source, time, out[i].local))
            return false;
        if (node->parent < 0) {
            matrix_multiply(out[i].local, state->root, out[i].local);
            memcpy(out[i].world, out[i].local, sizeof out[i].world);
        } else {
            matrix_multiply(out[i].local, out[node->parent].world,
                            out[i].world);
        }
    }
    return true;
}

/* -- channels -- */

/* Quantize a channel with a range. */
static void pack_range(const struct clip_mesh *mesh, enum channel channel,
                       const float *values, uint16_t *out)
{
    const struct channel_range *range = &mesh->range[channel];
    const uint32_t components = channel_components(channel);

    for (uint32_t i = 0; i < components; i++)
        quantize_values(values + i, components, mesh->vertex_count,
                        range->min[i], range->size[i], range->bits[i], out + i);
}

static void pack_tangent_frame(const struct clip_mesh *mesh, struct vec3 normal,
                               struct vec3 tangent, int16_t *out)
{
    if (mesh->is_stretched)
        tangents_pack_stretched(normal, tangent, mesh->cofactors, out);
    else
        tangents_pack(normal, tangent, out);
}

void *clip_pack_channel(const struct clip *clip, const struct clip_mesh *mesh,
                        enum channel channel, const struct shape_frame *values,
                        struct arena *arena, struct error_stats *error)
{
    enum phase before = phases_enter(PHASE_QUANTIZE);
    uint32_t count = mesh->vertex_count;
    void *out = arena_alloc(arena, count, channel_vertex_bytes(channel));
    int16_t *qtangents = out;
    uint8_t *colors = out;

    switch (channel) {
    case CHANNEL_POSITION:
        pack_range(mesh, channel, values->positions, out);
        break;
    case CHANNEL_QTANGENT:
        for (uint32_t v = 0; v < count; v++)
            pack_tangent_frame(mesh, values->normals[v], values->tangents[v],
                               qtangents + 4 * (size_t)v);
        break;
    case CHANNEL_UV:
        pack_range(mesh, channel, values->uvs, out);
        break;
    case CHANNEL_SECOND_UV:
        pack_range(mesh, channel, values->second_uvs, out);
        break;
    case CHANNEL_VELOCITY:
        pack_range(mesh, channel, values->velocities, out);
        break;
    case CHANNEL_COLOR:
        for (size_t i = 0; i < 4 * (size_t)count; i++)
            colors[i] = quantize_color(values->colors[i]);
        break;
    case CHANNEL_COUNT:
        break;
    }
    if (clip->state->options.stats)
        error_stats_measure(mesh, channel, values, out, error);
    phases_enter(before);
    return out;
}

void clip_align_signs(int16_t *qtangents, const int16_t *before,
                      const uint32_t *neighbour, uint32_t vertex_count)
{
    for (uint32_t v = 0; v < vertex_count; v++) {
        int16_t *q = qtangents + 4 * (size_t)v;
        const int16_t *near = before ? before + 4 * (size_t)v
                                     : qtangents + 4 * (size_t)neighbour[v];
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
    const struct clip_state *state = clip->state;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        struct clip_node_frame *out = &frame->nodes[i];

        transform_pack(matrices[i].local, node->is_affine, &out->transform);
        if (!scene_import_is_visible(&state->import, state->scene.nodes[i].part,
                                     time, &out->is_visible))
            return false;
        if (node->mesh >= 0 && out->is_visible)
            frame->meshes[node->mesh].is_visible = true;
    }
    return true;
}

static bool produce_mesh(const struct clip *clip, uint32_t mesh, double time,
                         struct arena *arena, struct clip_mesh_frame *out)
{
    const struct clip_state *state = clip->state;
    const struct clip_mesh *source = &clip->meshes[mesh];
    struct shape_frame values;
    struct arena scratch;
    bool is_good;

    if (source->animated_mask == 0)
        return true;
    arena_init(&scratch);
    is_good = shape_fill(state->import.shapes[mesh], time,
                         source->animated_mask, &scratch, &values);
    for (int c = 0; is_good && c < CHANNEL_COUNT; c++)
        if (source->animated_mask & CHANNEL_BIT(c))
            out->channel[c] = clip_pack_channel(clip, source, (enum channel)c,
                                                &values, arena, &out->error[c]);
    arena_free(&scratch);
    return is_good;
}

/* -- its bounding box -- */

/* Is a node hidden in this frame, and was it visible in the frame before?
 * Playback between the two frames still shows it. Clips may loop: the frame
 * before the first one is the last one. */
static bool was_just_visible(const struct clip *clip,
                             const struct clip_frame *frame, uint32_t node,
                             bool *answer)
{
    const struct clip_state *state = clip->state;
    uint32_t before = (frame->number > 0 ? frame->number : clip->frame_count);

    *answer = false;
    if (frame->nodes[node].is_visible || !clip->nodes[node].is_animated)
        return true;
    return scene_import_is_visible(&state->import,
                                   state->scene.nodes[node].part,
                                   clip->frame_seconds[before - 1], answer);
}

static bool produce_box(const struct clip *clip, struct arena *scratch,
                        struct clip_frame *frame)
{
    struct node_world *worlds =
        ARENA_NEW(scratch, struct node_world, clip->node_count);
    struct frame_box box;

    frame_box_init(&box);
    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        const struct clip_mesh *mesh;
        const uint16_t *positions;
        bool was_visible;

        node_world_compute(&frame->nodes[i].transform,
                           node->parent < 0 ? NULL : &worlds[node->parent],
                           &worlds[i]);
        if (node->mesh < 0)
            continue;
        if (!was_just_visible(clip, frame, i, &was_visible))
            return false;
        mesh = &clip->meshes[node->mesh];
        positions = mesh->static_channel[CHANNEL_POSITION];
        if (!positions && frame->nodes[i].is_visible)
            positions = frame->meshes[node->mesh].channel[CHANNEL_POSITION];
        if (frame->nodes[i].is_visible || was_visible)
            frame_box_add_mesh(&box, &worlds[i], mesh, positions);
    }
    frame_box_store(&box, frame->box_min, frame->box_max);
    return true;
}

static bool produce_frame(const struct clip *clip, double time,
                          struct arena *arena, struct arena *scratch,
                          struct clip_frame *frame)
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
    is_good = produce_frame(clip, clip->frame_seconds[number], arena, &scratch,
                            frame);
    arena_free(&scratch);
    return is_good;
}

static void align_rotation(const struct transform *before,
                           struct transform *now)
{
    const float *last = before->tns.rotation;
    float *rotation = now->tns.rotation;
    float dot = 0;

    if (now->is_affine)
        return;
    for (int i = 0; i < 4; i++)
        dot += last[i] * rotation[i];
    for (int i = 0; i < 4 && dot < 0; i++)
        rotation[i] = -rotation[i];
}

void clip_frame_align_signs(const struct clip *clip,
                            const struct clip_frame *before,
                            struct clip_frame *frame)
{
    for (uint32_t i = 0; before && i < clip->node_count; i++)
        align_rotation(&before->nodes[i].transform, &frame->nodes[i].transform);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        int16_t *now = frame->meshes[m].channel[CHANNEL_QTANGENT];

        if (now)
            clip_align_signs(
                now,
                before ? before->meshes[m].channel[CHANNEL_QTANGENT] : NULL,
                clip->state->import.shapes[m]->earlier_neighbour,
                clip->meshes[m].vertex_count);
    }
}
