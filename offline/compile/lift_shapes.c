/* lift_shapes.c - the shape of a part: who is welded, layers, weights.
 *
 * Vertices are welded that are at one place in every frame of the training:
 * where another frame parts them, the one is a bad prediction of the other, no
 * more. Short clips have equal weights, which cost nothing on the disc.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/lift_train.h"

#include "compile/lift_parts.h"
#include "compile/lift_weights.h"

#include <stdlib.h>
#include <string.h>

/* Below this, weights cost more than they save: 2.5 bytes a vertex once, a
 * tenth of some 2 bytes a vertex and frame. */
#define FRAMES_WORTH_WEIGHTS 12u

struct path {
    uint64_t hash;
    uint32_t vertex;
};

static int compare_paths(const void *a, const void *b)
{
    const struct path *p = a;
    const struct path *q = b;

    if (p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Positions of the mesh in one frame; NULL: hidden. */
static const uint16_t *positions_of(const struct clip *clip,
                                    const struct lift_frames *frames,
                                    uint32_t index, uint32_t mesh)
{
    const struct clip_mesh *m = &clip->meshes[mesh];

    return m->animated_mask & CHANNEL_BIT(CHANNEL_POSITION)
               ? lift_frames_values(frames, index, mesh, CHANNEL_POSITION)
               : m->static_channel[CHANNEL_POSITION];
}

static uint64_t hash_path(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          uint32_t vertex)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;

    for (uint32_t i = 0; i < frames->count; i++) {
        const uint16_t *p = positions_of(clip, frames, i, mesh);

        for (uint32_t k = 0; p && k < 3; k++) {
            hash = (hash ^ p[3 * (size_t)vertex + k]) * 0x100000001b3u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

uint32_t *lift_find_welds(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          const uint32_t *members, uint32_t count,
                          struct arena *scratch)
{
    struct path *paths = ARENA_NEW(scratch, struct path, count);
    uint32_t *weld = ARENA_NEW(scratch, uint32_t, count);

    for (uint32_t v = 0; v < count; v++)
        paths[v] = (struct path){hash_path(clip, frames, mesh, members[v]), v};
    qsort(paths, count, sizeof *paths, compare_paths);
    for (uint32_t i = 0; i < count; i++)
        weld[paths[i].vertex] = i > 0 && paths[i].hash == paths[i - 1].hash
                                    ? weld[paths[i - 1].vertex]
                                    : paths[i].vertex;
    return weld;
}

uint32_t *lift_find_triangles(const uint32_t *indices, struct ring_range range,
                              uint32_t first, uint32_t count,
                              struct arena *scratch, uint32_t *index_count)
{
    const uint32_t *from = indices + 3 * (size_t)range.first;
    uint32_t *out = ARENA_NEW(scratch, uint32_t, 3 * (size_t)range.count);
    uint32_t n = 0;

    for (size_t i = 0; i < 3 * (size_t)range.count; i += 3) {
        bool is_inside = true;

        for (uint32_t k = 0; k < 3; k++) {
            out[n + k] = from[i + k] - first;
            is_inside = is_inside && out[n + k] < count;
        }
        n += is_inside ? 3 : 0;
    }
    *index_count = n;
    return out;
}

static void train_weights(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          const uint32_t *order, struct arena *scratch,
                          struct lift_training *training)
{
    const uint32_t count = training->graph->vertex_count;
    int16_t *numbers =
        ARENA_NEW(scratch, int16_t, 4 * ((size_t)count + LIFT_PADDING));

    if (frames->count < FRAMES_WORTH_WEIGHTS)
        return;
    for (uint32_t i = 0; i < frames->count; i++) {
        const uint16_t *p = positions_of(clip, frames, i, mesh);

        if (!p)
            continue;
        lift_plan_numbers(CHANNEL_POSITION, p, order, count, numbers);
        lift_training_add(training, numbers);
    }
}

void lift_train_shape(const struct clip *clip, const struct lift_frames *frames,
                      uint32_t mesh, uint32_t number,
                      const struct lift_plan_mesh *lifted, struct arena *arena)
{
    const uint32_t mesh_count = clip->meshes[mesh].vertex_count;
    const uint32_t first_vertex =
        lift_parts_first(mesh_count, lifted->part_count, number);
    const uint32_t vertex_count =
        lift_parts_first(mesh_count, lifted->part_count, number + 1) -
        first_vertex;
    uint32_t *order = lifted->order + first_vertex;
    struct lift_part part = {.vertex_count = vertex_count};
    struct lift_training training;
    struct lift_shape *out = &lifted->parts[number];
    const uint16_t *first = NULL;
    struct lift_graph graph;
    struct lift_layer *layers;
    struct arena scratch;
    uint16_t *positions;
    uint32_t *members;

    arena_init(&scratch);
    members = ARENA_NEW(&scratch, uint32_t, vertex_count);
    memcpy(members, order, vertex_count * sizeof *members);
    positions = ARENA_NEW(&scratch, uint16_t, 3 * (size_t)vertex_count);
    for (uint32_t i = 0; i < frames->count && !first; i++)
        first = positions_of(clip, frames, i, mesh);
    for (uint32_t v = 0; first && v < vertex_count; v++)
        memcpy(positions + 3 * (size_t)v, first + 3 * (size_t)members[v],
               3 * sizeof *first);
    part.positions = positions;
    part.weld =
        lift_find_welds(clip, frames, mesh, members, vertex_count, &scratch);
    part.indices = lift_find_triangles(lifted->indices, lifted->ranges[number],
                                       first_vertex, vertex_count, &scratch,
                                       &part.index_count);
    lift_graph_make(&part, &scratch, &graph);
    for (uint32_t v = 0; v < vertex_count; v++)
        order[v] = members[graph.order[v]];
    for (uint32_t v = 0; v < vertex_count; v++)
        lifted->members[first_vertex + v] = (uint16_t)graph.order[v];
    lift_training_begin(&training, &graph, &scratch);
    train_weights(clip, frames, mesh, order, &scratch, &training);
    lift_training_finish(&training, arena, out);
    layers = ARENA_NEW(arena, struct lift_layer, graph.layer_count + (size_t)1);
    memcpy(layers, graph.layers,
           (graph.layer_count + (size_t)1) * sizeof *layers);
    out->layers = layers;
    arena_free(&scratch);
}
