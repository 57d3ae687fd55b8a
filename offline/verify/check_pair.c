/* check_pair.c - which node and mesh of the cache is which object of the
 * archive, and what is missing.
 *
 * Nodes without a mesh are transforms. Where nothing has a mesh, all
 * transforms below which there is no other one have to be there.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

/* The mesh or the transform of that path; NULL: there is none. */
static const struct abc_object *find_object(const struct check *check,
                                            uint32_t name, bool is_mesh)
{
    const struct abc_object *object =
        eval_find(check->archive, check->tables->names + name);

    if (!object || (is_mesh ? !abc_is_mesh(object)
                            : abc_object_type(object) != ABC_TYPE_XFORM))
        return NULL;
    return object;
}

static bool pair_nodes(struct check *check)
{
    check->nodes =
        ARENA_NEW(&check->arena, struct check_node, check->header->node_count);
    for (uint32_t i = 0; i < check->header->node_count; i++) {
        const struct cache_node *node = &check->tables->nodes[i];
        struct check_node *pair = &check->nodes[check->node_count];
        const struct abc_object *object;

        object = find_object(check, node->name, node->mesh != CACHE_NONE);
        if (!object) {
            check->report->unknown_nodes++;
            continue;
        }
        pair->node = i;
        pair->mesh = node->mesh;
        if (!eval_chain_open(&pair->chain, check->archive, object,
                             &check->arena))
            return false;
        check->node_count++;
    }
    return true;
}

static bool has_node(const struct check *check, const struct abc_object *object)
{
    for (uint32_t i = 0; i < check->node_count; i++)
        if (check->nodes[i].chain.links[0].object == object)
            return true;
    return false;
}

/* Of three different points at least. One that uses a point twice may have no
 * triangle at all. */
static bool has_sound_face(const struct corner_mesh *mesh, struct arena *arena)
{
    const struct abc_topology *topology = &mesh->topology;
    uint32_t *seen = ARENA_NEW(arena, uint32_t, mesh->point_count);

    for (uint32_t f = 0; f < topology->face_count; f++) {
        const int32_t *points = topology->indices + mesh->first_of[f];
        int32_t i = 0;

        for (; i < topology->counts[f] && seen[points[i]] != f + 1; i++)
            seen[points[i]] = f + 1;
        if (i >= 3 && i == topology->counts[f])
            return true;
    }
    return false;
}

/* Does the object have faces, and is it ever seen? Then it has to be in the
 * cache. */
static bool judge_absent(struct check *check, const struct abc_object *object)
{
    struct corner_mesh mesh;
    struct eval_chain chain;
    struct abc_mesh shape;
    bool is_seen = false;

    arena_reset(&check->frame);
    if (!abc_mesh_open(check->archive, object, &check->frame, &shape))
        return false;
    if (shape.position_samples == 0)
        return true;
    if (!corner_mesh_open(&mesh, check->archive, object, &check->frame) ||
        !eval_chain_open(&chain, check->archive, object, &check->frame))
        return false;
    for (uint32_t f = 0; f < check->header->frame_count && !is_seen; f++)
        if (!eval_visible(&chain, check->archive, check->seconds[f], &is_seen))
            return false;
    check->report->missing_meshes +=
        is_seen && has_sound_face(&mesh, &check->frame);
    return true;
}

/* `*has_xform`: is there a transform at or below the object? */
static bool find_absent(struct check *check, const struct abc_object *object,
                        bool *has_xform)
{
    enum abc_type type = abc_object_type(object);

    *has_xform = false;
    if (abc_is_mesh(object) && !has_node(check, object) &&
        !judge_absent(check, object))
        return false;
    for (uint32_t i = 0; i < object->child_count; i++) {
        bool is_below;

        if (!find_absent(check, object->children[i], &is_below))
            return false;
        *has_xform = *has_xform || is_below;
    }
    if (type == ABC_TYPE_XFORM && !*has_xform &&
        check->header->mesh_count == 0 && !has_node(check, object))
        check->report->missing_nodes++;
    *has_xform = *has_xform || type == ABC_TYPE_XFORM;
    return true;
}

static bool pair_meshes(struct check *check)
{
    check->meshes =
        ARENA_NEW(&check->arena, struct check_mesh, check->header->mesh_count);
    for (uint32_t i = 0; i < check->header->mesh_count; i++) {
        struct check_mesh *m = &check->meshes[i];
        const struct cache_mesh *mesh = &check->tables->meshes[i];
        bool has_uvs =
            (mesh->static_mask | mesh->animated_mask) & CHANNEL_BIT(CHANNEL_UV);
        bool has_colors = (mesh->static_mask | mesh->animated_mask) &
                          CHANNEL_BIT(CHANNEL_COLOR);

        m->mesh = i;
        m->object = find_object(check, mesh->name, true);
        if (!m->object) {
            check->report->unknown_nodes++;
            continue;
        }
        if (!corner_mesh_open(&m->corners, check->archive, m->object,
                              &check->arena))
            return false;
        check->report->wrong_channels += has_uvs != m->corners.has_uvs;
        check->report->wrong_channels += has_colors != m->corners.has_colors;
    }
    return true;
}

bool check_pair(struct check *check)
{
    bool has_xform;

    return pair_nodes(check) && pair_meshes(check) &&
           find_absent(check, check->archive->top, &has_xform);
}
