/* ray_cast.c - cast a ray at each mesh that is shown, and describe the nearest
 * hit. */
/* SPDX-License-Identifier: MIT */
#include "scene/ray_cast.h"

#if SPN_WITH_RAY_CASTS

#include "base/mem.h"
#include "cache/mesh_facts.h"
#include "play/node/node_fill.h"
#include "play/node/node_pose.h"
#include "scene/ray_mesh.h"

/* The transform above the scene nodes that are tested: siblings follow each
 * other. */
struct parent {
    uint32_t scene_node; /* CACHE_NONE: none */
    float world[12];
};

static void find_world(const struct node_pose *pose, uint32_t scene_node,
                       struct parent *parent, float world[12])
{
    const uint32_t above = pose->cache->tables.nodes[scene_node].parent;

    if (above != CACHE_NONE && above != parent->scene_node) {
        spn__node_pose_world(pose, above, parent->world);
        parent->scene_node = above;
    }
    spn__node_pose_matrix(pose, scene_node, parent->world, world);
}

static void apply(const float matrix[12], const float p[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[4 * k] * p[0] + matrix[4 * k + 1] * p[1] +
                 matrix[4 * k + 2] * p[2] + matrix[4 * k + 3];
}

/* True if the matrix mirrors: triangles turn round. */
static bool is_mirror(const float m[12])
{
    return m[0] * (m[5] * m[10] - m[6] * m[9]) -
               m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) <
           0;
}

/* Cast the ray at one mesh. True: it is hit, nearer than out->distance if
 * something was hit before. All but scene_node, mesh and material is set. */
static bool cast(const struct ray_mesh *mesh, const struct ray *ray,
                 const float world[12], spn_ray_hit *out)
{
    struct ray_mesh_hit hit;
    struct ray_space space;
    float corners[3][3];
    float facing = 0;

    spn__ray_space(ray, world, &space);
    if (!spn__ray_mesh_hits(mesh, &space,
                            out->is_hit ? out->distance : ray->distance_max,
                            &hit) ||
        (out->is_hit && !(hit.at.distance < out->distance)))
        return false;
    *out = (spn_ray_hit){.is_hit = 1,
                         .scene_node = UINT32_MAX,
                         .mesh = UINT32_MAX,
                         .triangle = hit.triangle,
                         .distance = hit.at.distance};
    memcpy(out->barycentric, hit.at.barycentric, sizeof out->barycentric);
    for (int i = 0; i < 3; i++)
        apply(world, hit.corners[i], corners[i]);
    spn__ray_normal(ray, corners[0], corners[1], corners[2], out->normal);
    for (int k = 0; k < 3; k++) {
        if (is_mirror(world))
            out->normal[k] = -out->normal[k];
        out->position[k] = corners[0][k] * out->barycentric[0] +
                           corners[1][k] * out->barycentric[1] +
                           corners[2][k] * out->barycentric[2];
        facing += out->normal[k] * ray->direction[k];
    }
    out->is_back = facing > 0;
    return true;
}

static uint32_t material_of(const struct cache *c, uint32_t mesh,
                            uint32_t index)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    const spn_material_range *m = &c->tables.materials[info->first_material];
    uint32_t material = 0;

    while (material + 1 < info->material_count &&
           index - m[material].first_index >= m[material].index_count)
        material++;
    return material;
}

spn_status spn__node_ray_cast(const struct node *n, const struct ray *ray,
                              spn_ray_hit *out)
{
    const struct cache *c = n->cache;
    struct parent parent = {.scene_node = CACHE_NONE};
    spn_ray_hit hit = {0};
    struct node_pose pose;

    if (!spn__node_pose_find(n, &pose))
        return SPN_PENDING;
    for (uint32_t i = 0; i < c->header.node_count; i++) {
        const uint32_t mesh = c->tables.nodes[i].mesh;
        struct fill_frames frames;
        struct ray_mesh target;
        float world[12];

        if (mesh == CACHE_NONE || !spn__cursor_wants_mesh(&n->cursor, mesh) ||
            !spn__node_pose_shows(&pose, i) ||
            !spn__node_fill_frames(n, &n->shown, mesh, &frames))
            continue;
        find_world(&pose, i, &parent, world);
        spn__ray_mesh(c, mesh, &frames, &target);
        if (cast(&target, ray, world, &hit)) {
            hit.scene_node = i;
            hit.mesh = mesh;
            hit.material = material_of(c, mesh, hit.triangle * 3);
        }
    }
    *out = hit;
    return SPN_OK;
}

void spn__mesh_ray_cast(const struct static_mesh *mesh, const struct ray *ray,
                        spn_ray_hit *out)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    struct ray_mesh target;
    spn_ray_hit hit = {0};

    spn__ray_mesh_static(mesh, &target);
    if (cast(&target, ray, identity, &hit))
        hit.material = spn__mesh_facts_material(&mesh->facts, mesh->more_facts,
                                                hit.triangle * 3);
    *out = hit;
}

#endif
