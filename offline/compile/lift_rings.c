/* lift_rings.c - the rings of a part of a lifted mesh, in the order of its
 * shape.
 *
 * Some frames of the training are enough: weights are constant over time, and
 * a vertex has few.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/lift_train.h"

#include "compile/lift_parts.h"
#include "compile/ring_train.h"

#include <string.h>

#define RING_FRAMES_MAX 48u

/* Frames that show the mesh, evenly; returns how many. */
static uint32_t choose_frames(const struct lift_frames *frames, uint32_t mesh,
                              uint32_t chosen[RING_FRAMES_MAX])
{
    const uint32_t stride = (frames->count - 1) / RING_FRAMES_MAX + 1;
    uint32_t count = 0;

    for (uint32_t i = 0; i < frames->count; i += stride)
        if (lift_frames_values(frames, i, mesh, CHANNEL_POSITION) &&
            lift_frames_values(frames, i, mesh, CHANNEL_QTANGENT))
            chosen[count++] = i;
    return count;
}

bool lift_train_rings(const struct clip *clip, const struct lift_frames *frames,
                      const struct lift_plan *plan, uint32_t mesh,
                      uint32_t part, double weight_max, struct arena *arena,
                      struct ring_shape *out)
{
    const struct clip_mesh *m = &clip->meshes[mesh];
    const struct lift_plan_mesh *lifted = &plan->meshes[mesh];
    const uint32_t count = lifted->parts[part].vertex_count;
    const uint32_t *order =
        lifted->order +
        lift_parts_first(m->vertex_count, lifted->part_count, part);
    struct ring_part source = {.vertex_count = count, .weight_max = weight_max};
    uint32_t chosen[RING_FRAMES_MAX];
    const int16_t **positions;
    const int16_t **qtangents;
    struct arena scratch;

    arena_init(&scratch);
    source.frame_count = choose_frames(frames, mesh, chosen);
    positions = ARENA_NEW(&scratch, const int16_t *, RING_FRAMES_MAX);
    qtangents = ARENA_NEW(&scratch, const int16_t *, RING_FRAMES_MAX);
    for (uint32_t i = 0; i < source.frame_count; i++)
        for (int k = 0; k < 2; k++) {
            const enum channel channel =
                k ? CHANNEL_QTANGENT : CHANNEL_POSITION;
            int16_t *numbers = ARENA_NEW(&scratch, int16_t,
                                         4 * ((size_t)count + LIFT_PADDING));

            lift_plan_numbers(
                channel, lift_frames_values(frames, chosen[i], mesh, channel),
                order, count, numbers);
            *(k ? &qtangents[i] : &positions[i]) = numbers;
        }
    source.positions = positions;
    source.qtangents = qtangents;
    for (int i = 0; i < 3; i++)
        source.step[i] =
            (double)m->position_size[i] / ((1 << m->position_bits[i]) - 1);
    source.weld = lift_find_welds(clip, frames, mesh, order, count, &scratch);
    source.indices =
        lift_find_triangles(m, order, count, &scratch, &source.index_count);
    if (source.frame_count > 0)
        ring_train(&source, arena, out);
    arena_free(&scratch);
    return source.frame_count > 0;
}
