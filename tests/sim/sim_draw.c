/* sim_draw.c - check draw lists, instances and ray casts. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_draw.h"

#include "sim/sim.h"

#include <math.h>
#include <string.h>

#define VERTICES_MAX 9000u
#define INDICES_MAX 65536u
/* Rays begin so far from a triangle, and may hit it with this error. */
#define RAY_LENGTH 1.0f
#define RAY_ERROR 0.001f
/* Lower triangles are as low as rounding. */
#define HEIGHT_MIN 5e-5f

void sim_draw_init(struct sim *sim)
{
    struct sim_draw *d = &sim->draw;

    d->is_on = sim_is_in_seed(sim, UINT64_C(0x6472617700000021), CANARY_BOX,
                              &d->random);
    d->instance_min = 10;
}

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->draw.random, limit);
}

/* -- one node -- */

/* The vertices that a fill writes. Returns how many; 0: it shows none. */
static uint32_t fill(struct sim *sim, spn_node node, uint32_t mesh,
                     uint32_t vertex_count, float (*out)[3])
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    spn_fill_result result;

    SIM_MUST(sim, SIM_STATUS, vertex_count <= VERTICES_MAX);
    return spn_node_fill(sim->rt, node, mesh, &layout, out,
                         (uint64_t)VERTICES_MAX * 12, &result) == SPN_OK &&
                   result.is_visible
               ? vertex_count
               : 0;
}

static void transform(const float *m, const float v[3], float out[3])
{
    for (uint32_t r = 0; r < 3; r++)
        out[r] = m[r * 4] * v[0] + m[r * 4 + 1] * v[1] + m[r * 4 + 2] * v[2] +
                 m[r * 4 + 3];
}

static void check_box(struct sim *sim, const spn_draw_item *item,
                      float (*vertices)[3], uint32_t count)
{
    for (uint32_t v = 0; v < count; v++) {
        float p[3];

        transform(item->matrix, vertices[v], p);
        for (uint32_t k = 0; k < 3; k++)
            if (p[k] < item->box_min[k] || p[k] > item->box_max[k])
                sim_fail(sim, SIM_SCENE,
                         "mesh %u: vertex %u is outside of its box", item->mesh,
                         v);
    }
}

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A ray at the middle of a triangle that is not a line hits it, or
 * something before it. */
static void check_ray(struct sim *sim, spn_cache cache,
                      const spn_draw_item *item, float (*vertices)[3],
                      uint32_t index_count)
{
    static uint32_t indices[INDICES_MAX];
    spn_ray ray = {.distance_max = 2 * RAY_LENGTH};
    float corner[3][3];
    float a[3];
    float b[3];
    float cross[3];
    spn_ray_hit hit;
    uint32_t first;

    if (index_count < 3 ||
        spn_cache_copy_indices(sim->rt, cache, item->mesh, 4, indices,
                               INDICES_MAX) != SPN_OK)
        return;
    first = below(sim, index_count / 3) * 3;
    for (uint32_t i = 0; i < 3; i++)
        transform(item->matrix, vertices[indices[first + i]], corner[i]);
    for (uint32_t k = 0; k < 3; k++) {
        a[k] = corner[1][k] - corner[0][k];
        b[k] = corner[2][k] - corner[0][k];
    }
    for (uint32_t k = 0; k < 3; k++)
        cross[k] =
            a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    if (length_of(cross) < HEIGHT_MIN * (length_of(a) + length_of(b)))
        return;
    for (uint32_t k = 0; k < 3; k++) {
        const float middle =
            (corner[0][k] + corner[1][k] + corner[2][k]) / 3.0f;

        ray.direction[k] = cross[k] / length_of(cross);
        ray.origin[k] = middle - RAY_LENGTH * ray.direction[k];
    }
    SIM_MUST(sim, SIM_SCENE,
             spn_node_ray_cast(sim->rt, item->node, &ray, &hit) == SPN_OK);
    SIM_MUST(sim, SIM_SCENE,
             hit.is_hit && hit.distance <= RAY_LENGTH + RAY_ERROR);
    swarm_hit(&sim->swarm, SWARM_RAY);
}

/* The items of a mesh: one for each of its scene nodes, if a fill shows it. */
static void check_mesh(struct sim *sim, uint32_t slot, spn_cache cache,
                       uint32_t mesh, const spn_draw_item *items,
                       uint32_t count)
{
    static float vertices[VERTICES_MAX][3];
    const spn_node node = sim_views_node(sim, slot);
    const bool is_wanted = slot >= SIM_NODES ||
                           sim_masks_wants(sim, &sim->scene.nodes[slot], mesh);
    const spn_draw_item *found = NULL;
    spn_mesh_info info;
    uint32_t shown;

    SIM_MUST(sim, SIM_STATUS,
             spn_cache_get_mesh(sim->rt, cache, mesh, &info) == SPN_OK);
    shown = fill(sim, node, mesh, info.vertex_count, vertices);
    for (uint32_t i = 0; i < count; i++)
        if (items[i].mesh == mesh) {
            SIM_MUST(sim, SIM_SCENE, !found);
            found = &items[i];
        }
    if ((shown > 0 && is_wanted) != (found != NULL))
        sim_fail(sim, SIM_SCENE, "mesh %u: %u vertices, wanted %d, item %d",
                 mesh, shown, is_wanted, found != NULL);
    if (!found)
        return;
    SIM_MUST(sim, SIM_SCENE, found->mesh_id == info.content_hash);
    check_box(sim, found, vertices, shown);
    check_ray(sim, cache, found, vertices, info.index_count);
    swarm_hit(&sim->swarm, SWARM_DRAW_ITEM);
}

static void check_list(struct sim *sim, uint32_t slot, spn_cache cache)
{
    struct sim_draw *d = &sim->draw;
    const spn_node node = sim_views_node(sim, slot);
    spn_draw_item *items = d->items + d->count;
    spn_drawing drawing;
    spn_cache_info info;
    spn_status status;
    uint32_t count = 0;

    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_drawing(sim->rt, node, &drawing) == SPN_OK);
    status = spn_node_get_draw_list(sim->rt, node, items, SIM_DRAW_NODE_ITEMS,
                                    &count);
    if (drawing.what != SPN_DRAW_CACHE) {
        SIM_MUST(sim, SIM_SCENE, status != SPN_OK || count == 0);
        return;
    }
    SIM_MUST(sim, SIM_SCENE, status == SPN_OK);
    if (sim->options.canary == CANARY_BOX && count > 0)
        items[0].box_max[0] = items[0].box_min[0];
    for (uint32_t i = 0; i < count; i++) {
        SIM_MUST(sim, SIM_SCENE, items[i].node == node);
        SIM_MUST(sim, SIM_SCENE,
                 i == 0 || items[i].scene_node > items[i - 1].scene_node);
    }
    d->count += count;
    /* The handle may belong to another cache than the node plays. */
    if (cache == 0 || spn_cache_get_info(sim->rt, cache, &info) != SPN_OK)
        return;
    for (uint32_t m = 0; m < info.mesh_count; m++)
        check_mesh(sim, slot, cache, m, items, count);
}

/* -- instances -- */

static uint32_t count_of(const struct sim_draw *d, spn_mesh_id id)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < d->count; i++)
        count += d->items[i].mesh_id == id;
    return count;
}

/* An item is in a group if its mesh is static and there often enough; the group
 * has its matrix, in the order of the items. */
static void check_instances(struct sim *sim)
{
    static spn_draw_group groups[SIM_DRAW_ITEMS];
    static float matrices[SIM_DRAW_ITEMS][12];
    struct sim_draw *d = &sim->draw;
    uint32_t used[SIM_DRAW_ITEMS] = {0};
    uint32_t group_count;

    SIM_MUST(sim, SIM_STATUS,
             spn_draw_instances(sim->rt, d->items, d->count, groups,
                                SIM_DRAW_ITEMS, matrices[0], SIM_DRAW_ITEMS,
                                &group_count) == SPN_OK);
    for (uint32_t i = 0; i < d->count; i++) {
        const spn_draw_item *item = &d->items[i];
        const uint32_t same = count_of(d, item->mesh_id);
        const spn_draw_group *g;

        if (item->mesh_id == 0 || same < d->instance_min) {
            SIM_MUST(sim, SIM_SCENE, item->group == SPN_DRAW_SINGLE);
            continue;
        }
        SIM_MUST(sim, SIM_SCENE, item->group < group_count);
        g = &groups[item->group];
        SIM_MUST(sim, SIM_SCENE, g->mesh_id == item->mesh_id);
        SIM_MUST(sim, SIM_SCENE, g->matrix_count == same);
        SIM_MUST(sim, SIM_SCENE, used[item->group] > 0 || g->first_item == i);
        SIM_MUST(sim, SIM_SCENE,
                 memcmp(matrices[g->first_matrix + used[item->group]],
                        item->matrix, sizeof item->matrix) == 0);
        if (used[item->group]++ == 0)
            swarm_hit(&sim->swarm, SWARM_INSTANCES);
    }
}

static void tune(struct sim *sim)
{
    char text[16];

    sim->draw.instance_min = 1 + below(sim, 4);
    snprintf(text, sizeof text, "%u", sim->draw.instance_min);
    SIM_MUST(sim, SIM_STATUS,
             spn_tuning_set(sim->rt, "instance_min", text) == SPN_OK);
}

void sim_draw_check(struct sim *sim)
{
    struct sim_draw *d = &sim->draw;

    if (!d->is_on || below(sim, 4) != 0)
        return;
    if (below(sim, 16) == 0)
        tune(sim);
    d->count = 0;
    for (uint32_t slot = 0; slot < SIM_VIEWS; slot++) {
        const bool is_scene = slot < SIM_NODES;

        if (sim_views_node(sim, slot) == 0 ||
            (is_scene && sim->scene.nodes[slot].is_orphan))
            continue;
        check_list(sim, slot,
                   is_scene ? sim->scene.caches[sim->scene.nodes[slot].clip]
                            : sim->shared.caches[slot - SIM_NODES].cache);
    }
    check_instances(sim);
}
