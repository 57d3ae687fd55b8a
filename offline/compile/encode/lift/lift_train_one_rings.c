/* lift_train_one_rings.c - trains the one-rings of a part of a lifted mesh, in
 * the order of its hierarchy.
 *
 * About FRAMES_MAX training frames are enough, because the weights are constant
 * over time and a vertex has few of them.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_train.h"

#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/one_ring_train.h"

#include <string.h>

#define FRAMES_MAX 48u

/* Choose evenly spaced frames that show the mesh. Return their number. */
static uint32_t choose_frames(const struct lift_frames *frames, uint32_t mesh,
                              uint32_t chosen[FRAMES_MAX])
{
    const uint32_t stride = (frames->count - 1) / FRAMES_MAX + 1;
    uint32_t count = 0;

    for (uint32_t i = 0; i < frames->count; i += stride)
        if (lift_frames_values(frames, i, mesh, CHANNEL_POSITION) &&
            lift_frames_values(frames, i, mesh, CHANNEL_QTANGENT))
            chosen[count++] = i;
    return count;
}

/* Return the vertex that each welded vertex repeats. It is the only reference
 * with a weight, at any of the four places. */
static uint16_t *find_welds(const struct lift_hierarchy *hierarchy,
                            struct arena *arena)
{
    uint16_t *weld = ARENA_NEW(arena, uint16_t, hierarchy->vertex_count);

    for (uint32_t v = hierarchy->weld_first; v < hierarchy->vertex_count; v++)
        for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
            const size_t at = LIFT_REFERENCES * (size_t)v + j;

            if (hierarchy->weights[at] != 0)
                weld[v] = hierarchy->references[at];
        }
    return weld;
}

struct one_ring_part lift_part_triangles(const struct clip *clip,
                                         const struct lift_plan *plan,
                                         uint32_t mesh, uint32_t part,
                                         struct arena *arena)
{
    const struct lift_plan_mesh *lifted = &plan->meshes[mesh];
    const struct clip_mesh *m = &clip->meshes[mesh];
    const struct lift_hierarchy *hierarchy = &lifted->parts[part];
    const uint32_t first =
        lift_parts_first(m->vertex_count, lifted->part_count, part);
    struct one_ring_indices *indices =
        ARENA_NEW(arena, struct one_ring_indices, 1);
    uint8_t **run = ARENA_NEW(arena, uint8_t *, 1);

    *run = (void *)lifted->indices;
    indices->runs = run;
    indices->bytes = 4;
    indices->per_run = UINT32_MAX;
    indices->count = m->index_count;
    return (struct one_ring_part){.indices = indices,
                                  .range = lifted->ranges[part],
                                  .first = first,
                                  .vertex_count = hierarchy->vertex_count,
                                  .members = lifted->member_at + first,
                                  .weld = find_welds(hierarchy, arena),
                                  .weld_stride = 1,
                                  .weld_first = hierarchy->weld_first};
}

bool lift_train_one_rings(const struct clip *clip,
                          const struct lift_frames *frames,
                          const struct lift_plan *plan, uint32_t mesh,
                          uint32_t part, const struct one_ring_quality *quality,
                          bool by_uvs, struct arena *arena,
                          struct one_rings *out)
{
    const struct clip_mesh *m = &clip->meshes[mesh];
    const struct lift_plan_mesh *lifted = &plan->meshes[mesh];
    const uint32_t count = lifted->parts[part].vertex_count;
    const uint32_t *order = lift_plan_order(clip, plan, mesh, part);
    struct one_ring_training source = {.vertex_count = count,
                                       .quality = *quality,
                                       .by_uvs = by_uvs,
                                       .clip_frames = clip->frame_count};
    uint32_t chosen[FRAMES_MAX];
    const int16_t **positions;
    const int16_t **qtangents;
    struct one_ring_part triangles;
    struct arena scratch;

    arena_init(&scratch);
    source.frame_count = choose_frames(frames, mesh, chosen);
    positions = ARENA_NEW(&scratch, const int16_t *, FRAMES_MAX);
    qtangents = ARENA_NEW(&scratch, const int16_t *, FRAMES_MAX);
    for (uint32_t i = 0; i < source.frame_count; i++)
        for (int k = 0; k < 2; k++) {
            const enum channel channel =
                k ? CHANNEL_QTANGENT : CHANNEL_POSITION;
            int16_t *numbers = ARENA_NEW(&scratch, int16_t,
                                         4 * ((size_t)count + LIFT_PADDING));

            lift_plan_numbers(
                channel, lift_frames_values(frames, chosen[i], mesh, channel),
                order, count, numbers);
            if (k == 0 && by_uvs)
                lift_plan_add_v(
                    lift_frames_values(frames, chosen[i], mesh, CHANNEL_UV),
                    order, count, numbers);
            *(k ? &qtangents[i] : &positions[i]) = numbers;
        }
    source.positions = positions;
    source.qtangents = qtangents;
    for (int i = 0; i < 3; i++)
        source.step[i] = (double)m->range[CHANNEL_POSITION].size[i] /
                         ((1 << m->range[CHANNEL_POSITION].bits[i]) - 1);
    triangles = lift_part_triangles(clip, plan, mesh, part, &scratch);
    source.topology = &triangles;
    if (source.frame_count > 0)
        one_ring_train(&source, arena, out);
    arena_free(&scratch);
    return source.frame_count > 0;
}
