/* lift_plan.c - finds the meshes that can be lifted, divides them into parts
 * and trains their hierarchies.
 *
 * Each part of each mesh is a separate job. The result depends on the clip
 * alone, not on the number of threads.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_plan.h"

#include "cache/cache_header.h"
#include "codec/channel.h"
#include "common/phases.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_train.h"
#include "compile/encode/lift/lift_triangles.h"

#include <string.h>

/* Smaller meshes share tiles, and have too few vertices for layers. */
#define VERTICES_MIN 256u

/* A constant `components` lets the compiler copy a vertex at once. */
static inline void take_words(const int16_t *words, uint32_t components,
                              const uint32_t *order, uint32_t vertex_count,
                              int16_t *out)
{
    for (uint32_t v = 0; v < vertex_count; v++) {
        const int16_t *from =
            words + components * (size_t)(order ? order[v] : v);
        int16_t *to = out + 4 * (size_t)v;

        memcpy(to, from, components * sizeof *to);
        memset(to + components, 0, (4 - components) * sizeof *to);
    }
}

void lift_plan_numbers(enum channel channel, const void *values,
                       const uint32_t *order, uint32_t vertex_count,
                       int16_t *out)
{
    const uint8_t *bytes = values;

    memset(out + 4 * (size_t)vertex_count, 0,
           4 * (size_t)LIFT_PADDING * sizeof *out);
    switch (channel_form(channel)) {
    case FORM_U16X3:
        take_words(values, 3, order, vertex_count, out);
        break;
    case FORM_I16X4:
        take_words(values, 4, order, vertex_count, out);
        break;
    case FORM_U16X2:
        take_words(values, 2, order, vertex_count, out);
        break;
    case FORM_U8X4:
        for (uint32_t v = 0; v < vertex_count; v++)
            for (uint32_t k = 0; k < 4; k++)
                out[4 * (size_t)v + k] =
                    bytes[4 * (size_t)(order ? order[v] : v) + k];
        break;
    }
}

const uint32_t *lift_plan_order(const struct clip *clip,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part)
{
    return plan->meshes[mesh].vertex_at +
           lift_parts_first(clip->meshes[mesh].vertex_count,
                            plan->meshes[mesh].part_count, part);
}

void lift_plan_add_v(const void *uvs, const uint32_t *order,
                     uint32_t vertex_count, int16_t *positions)
{
    const int16_t *words = uvs;

    for (uint32_t v = 0; v < vertex_count; v++)
        positions[4 * (size_t)v + 3] =
            words[2 * (size_t)(order ? order[v] : v) + 1];
}

/* Can the mesh be lifted? */
static bool is_candidate(const struct clip_mesh *mesh)
{
    return mesh->vertex_count >= VERTICES_MIN && mesh->animated_mask != 0;
}

struct part_loop {
    const struct clip *clip;
    const struct lift_frames *frames;
    uint32_t distance;
    struct lift_plan *plan;
    const uint32_t *first_job; /* of each mesh, and the total number of jobs */
};

static void hierarchy_job(void *user, uint32_t number, uint32_t worker)
{
    const struct part_loop *loop = user;
    uint32_t m = 0;

    while (loop->first_job[m + 1] <= number)
        m++;
    phases_enter(PHASE_SEARCH);
    lift_train_hierarchy(loop->clip, loop->frames, m,
                         number - loop->first_job[m], loop->distance,
                         &loop->plan->meshes[m], &loop->plan->arenas[worker]);
    phases_enter(PHASE_OTHER);
}

/* Return the first positions that the mesh shows; NULL: none. */
static const uint16_t *find_positions(const struct clip *clip,
                                      const struct lift_frames *frames,
                                      uint32_t m)
{
    const uint16_t *p = clip->meshes[m].static_channel[CHANNEL_POSITION];

    for (uint32_t i = 0; i < frames->count && !p; i++)
        p = lift_frames_values(frames, i, m, CHANNEL_POSITION);
    return p;
}

/* Divide the mesh into parts and renumber its vertices and triangles. vertex_at
 * is in the order of these numbers; lift_train_hierarchy() sorts it later. */
static void order_mesh(const struct clip_mesh *mesh, const uint16_t *positions,
                       struct arena *arena, struct lift_plan_mesh *out)
{
    const uint32_t count = mesh->vertex_count;

    out->vertex_at = ARENA_NEW(arena, uint32_t, count);
    out->member_at = ARENA_NEW(arena, uint16_t, count);
    out->indices = ARENA_NEW(arena, uint32_t, mesh->index_count);
    out->ranges = ARENA_NEW(arena, struct triangle_range, out->part_count);
    lift_parts_split(positions, count, out->part_count, out->vertex_at);
    lift_triangles_order(mesh, out->part_count, out->vertex_at, out->indices);
    lift_triangles_ranges(out->indices, mesh->index_count, count,
                          out->part_count, out->ranges);
}

void lift_train_hierarchies(const struct clip *clip,
                            const struct lift_frames *frames, uint32_t distance,
                            struct workers *workers, struct arena *arena,
                            struct lift_plan *plan)
{
    uint32_t *first_job =
        ARENA_NEW(arena, uint32_t, (size_t)clip->mesh_count + 1);
    struct part_loop loop = {clip, frames, distance, plan, first_job};

    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        struct lift_plan_mesh *mesh = &plan->meshes[m];
        const uint32_t vertex_count = clip->meshes[m].vertex_count;
        const uint16_t *positions = find_positions(clip, frames, m);

        first_job[m + 1] = first_job[m];
        if (!mesh->is_lifted)
            continue;
        if (!positions) {
            mesh->is_lifted = false;
            plan->lifted_count--;
            continue;
        }
        mesh->part_count =
            lift_parts_count(vertex_count, CACHE_TILE_VERTICES_MAX);
        mesh->parts = ARENA_NEW(arena, struct lift_hierarchy, mesh->part_count);
        mesh->wires =
            ARENA_NEW(arena, struct lift_plan_wires, mesh->part_count);
        mesh->merges_layers = plan->merges_layers;
        order_mesh(&clip->meshes[m], positions, arena, mesh);
        first_job[m + 1] += mesh->part_count;
    }
    workers_run(workers, first_job[clip->mesh_count], hierarchy_job, &loop);
}

static void number_part(uint32_t first, uint32_t count, uint16_t *members,
                        uint32_t *number_of)
{
    for (uint32_t i = 0; i < count; i++) {
        number_of[first + members[i]] = first + i;
        members[i] = (uint16_t)i;
    }
}

void lift_plan_number_by_layers(const struct clip *clip, struct lift_plan *plan)
{
    struct arena scratch;

    arena_init(&scratch);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct lift_plan_mesh *mesh = &plan->meshes[m];
        const uint32_t count = clip->meshes[m].vertex_count;
        uint32_t *number_of;

        if (!mesh->is_lifted)
            continue;
        number_of = ARENA_NEW(&scratch, uint32_t, count);
        for (uint32_t p = 0; p < mesh->part_count; p++) {
            const uint32_t first = lift_parts_first(count, mesh->part_count, p);

            number_part(first, mesh->parts[p].vertex_count,
                        mesh->member_at + first, number_of);
        }
        for (uint32_t i = 0; i < clip->meshes[m].index_count; i++)
            mesh->indices[i] = number_of[mesh->indices[i]];
    }
    arena_free(&scratch);
}

void lift_plan_begin(const struct clip *clip, struct workers *workers,
                     struct arena *arena, struct lift_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->meshes = ARENA_NEW(arena, struct lift_plan_mesh, clip->mesh_count);
    plan->arena_count = workers_count(workers);
    plan->arenas = ARENA_NEW(arena, struct arena, plan->arena_count);
    for (uint32_t i = 0; i < plan->arena_count; i++)
        arena_init(&plan->arenas[i]);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        plan->meshes[m].is_lifted = is_candidate(&clip->meshes[m]);
        plan->lifted_count += plan->meshes[m].is_lifted;
    }
}

struct wire_bytes lift_plan_keep(struct lift_plan *plan, uint32_t worker,
                                 struct wire_bytes wire)
{
    uint8_t *bytes = arena_alloc(&plan->arenas[worker], wire.count, 1);

    memcpy(bytes, wire.bytes, wire.count);
    wire.bytes = bytes;
    return wire;
}

void lift_plan_free(struct lift_plan *plan)
{
    for (uint32_t i = 0; i < plan->arena_count; i++)
        arena_free(&plan->arenas[i]);
    plan->arena_count = 0;
}
