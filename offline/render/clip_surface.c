/* clip_surface.c - dequantize the frames of a clip. */
/* SPDX-License-Identifier: MIT */
#include "render/clip_surface.h"

#include <math.h>
#include <string.h>

static const void *channel_of(const struct clip_mesh *mesh,
                              const struct clip_mesh_frame *frame,
                              enum channel channel)
{
    return mesh->animated_mask & CHANNEL_BIT(channel)
               ? frame->channel[channel]
               : mesh->static_channel[channel];
}

static void unpack_positions(const struct clip_mesh *mesh, const uint16_t *q,
                             float (*out)[3])
{
    float step[3];

    for (int c = 0; c < 3; c++)
        step[c] = mesh->range[CHANNEL_POSITION].size[c] /
                  (float)((1u << mesh->range[CHANNEL_POSITION].bits[c]) - 1);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            out[i][c] = mesh->range[CHANNEL_POSITION].min[c] +
                        (float)q[i * 3 + (uint32_t)c] * step[c];
}

/* A normal is the z axis rotated by the quaternion of the tangent frame. */
static void unpack_normals(uint32_t count, const int16_t *q, float (*out)[3])
{
    for (uint32_t i = 0; i < count; i++) {
        float x = q[i * 4];
        float y = q[i * 4 + 1];
        float z = q[i * 4 + 2];
        float w = q[i * 4 + 3];
        float square = x * x + y * y + z * z + w * w;

        square = square > 0 ? square : 1;
        out[i][0] = 2 * (x * z + y * w) / square;
        out[i][1] = 2 * (y * z - x * w) / square;
        out[i][2] = 1 - 2 * (x * x + y * y) / square;
    }
}

static void unpack_mesh(const struct clip *clip, uint32_t number,
                        const struct clip_frame *frame, struct arena *arena,
                        struct surface *s)
{
    const struct clip_mesh *mesh = &clip->meshes[number];
    const struct clip_mesh_frame *data = &frame->meshes[number];
    const void *colors = channel_of(mesh, data, CHANNEL_COLOR);

    s->mesh = number;
    s->vertex_count = mesh->vertex_count;
    s->index_count = mesh->index_count;
    s->indices = mesh->indices;
    s->positions = arena_alloc(arena, mesh->vertex_count, sizeof *s->positions);
    s->normals = arena_alloc(arena, mesh->vertex_count, sizeof *s->normals);
    unpack_positions(mesh, channel_of(mesh, data, CHANNEL_POSITION),
                     s->positions);
    unpack_normals(mesh->vertex_count, channel_of(mesh, data, CHANNEL_QTANGENT),
                   s->normals);
    if (colors) {
        s->colors = arena_alloc(arena, mesh->vertex_count, sizeof *s->colors);
        memcpy(s->colors, colors,
               (size_t)mesh->vertex_count * sizeof *s->colors);
    }
}

static void world_of(const struct clip *clip, const struct clip_frame *frame,
                     uint32_t node, float out[12])
{
    spn__transform_resolve(&frame->nodes[node].transform, out);
    for (int32_t p = clip->nodes[node].parent; p >= 0;
         p = clip->nodes[p].parent) {
        float parent[12];

        spn__transform_resolve(&frame->nodes[p].transform, parent);
        spn__transform_multiply(parent, out, out);
    }
}

bool clip_surface_list(struct clip *clip, uint32_t number, struct arena *arena,
                       struct surface_list *list)
{
    struct clip_frame frame;

    if (!clip_frame_produce(clip, number, arena, &frame))
        return false;
    list->items = ARENA_NEW(arena, struct surface, clip->node_count);
    list->count = 0;
    for (uint32_t i = 0; i < clip->node_count; i++) {
        struct surface *s = &list->items[list->count];
        float world[12];

        if (clip->nodes[i].mesh < 0 || !frame.nodes[i].is_visible)
            continue;
        unpack_mesh(clip, (uint32_t)clip->nodes[i].mesh, &frame, arena, s);
        s->path = clip->nodes[i].path;
        world_of(clip, &frame, i, world);
        surface_transform(s, world, arena);
        list->count++;
    }
    return true;
}

bool clip_surface_box(struct clip *clip, float box_min[3], float box_max[3])
{
    struct arena arena;
    bool is_good = true;

    for (int c = 0; c < 3; c++) {
        box_min[c] = INFINITY;
        box_max[c] = -INFINITY;
    }
    arena_init(&arena);
    for (uint32_t f = 0; f < clip->frame_count && is_good; f++) {
        struct clip_frame frame;

        arena_reset(&arena);
        is_good = clip_frame_produce(clip, f, &arena, &frame);
        for (int c = 0; c < 3 && is_good; c++) {
            box_min[c] = fminf(box_min[c], frame.box_min[c]);
            box_max[c] = fmaxf(box_max[c], frame.box_max[c]);
        }
    }
    arena_free(&arena);
    return is_good;
}
