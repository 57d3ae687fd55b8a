/* check_pair.c - pairs nodes and meshes of the cache with objects of the
 * archive by their paths, and counts missing ones.
 *
 * A node without a mesh is a transform. A cache without any mesh must have all
 * transforms that have no other transform below them.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check_pair.h"

#include "verify/check.h"

/* Find the mesh or the transform with a path; NULL if there is none. */
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
    check->nodes = ARENA_NEW(&check->run_arena, struct check_node,
                             check->header->node_count);
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
                             &check->run_arena))
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

/* Return whether a face has at least three corners and no point twice. Other
 * faces may have no triangle at all. */
static bool has_sound_face(const struct abc_topology *topology,
                           uint32_t point_count, struct arena *arena)
{
    uint32_t *seen = ARENA_NEW(arena, uint32_t, point_count);
    const int32_t *points = topology->indices;

    for (uint32_t f = 0; f < topology->face_count; f++) {
        int32_t count = topology->counts[f];
        int32_t i = 0;

        for (; i < count && seen[points[i]] != f + 1; i++)
            seen[points[i]] = f + 1;
        if (i >= 3 && i == count)
            return true;
        points += count;
    }
    return false;
}

static bool is_ever_seen(struct check *check, const struct abc_object *object,
                         bool *is_seen)
{
    *is_seen = false;
    for (uint32_t f = 0; f < check->header->frame_count && !*is_seen; f++)
        if (!eval_visible(check->archive, object, check->seconds[f], is_seen))
            return false;
    return true;
}

/* Count a mesh without a node as missing if it has faces and is ever visible.
 * As in a compile, nothing is read of an invisible mesh, and only positions and
 * faces of a mesh without triangles: damage elsewhere is no failure. */
static bool count_absent_mesh(struct check *check,
                              const struct abc_object *object)
{
    struct abc_topology topology;
    struct abc_mesh mesh;
    const float *positions;
    uint32_t point_count;
    bool is_seen;

    arena_reset(&check->frame_arena);
    if (!is_ever_seen(check, object, &is_seen))
        return false;
    if (!is_seen)
        return true;
    if (!abc_mesh_open(check->archive, object, &check->frame_arena, &mesh))
        return false;
    if (mesh.position_samples == 0 || mesh.face_counts->sample_count == 0 ||
        mesh.face_indices->sample_count == 0)
        return true;
    if (!abc_mesh_positions(check->archive, &mesh, 0, &check->frame_arena,
                            &positions, &point_count) ||
        !abc_mesh_topology(check->archive, &mesh, 0, point_count,
                           &check->frame_arena, &topology))
        return false;
    check->report->missing_meshes +=
        has_sound_face(&topology, point_count, &check->frame_arena);
    return true;
}

/* Count what is missing at or below an object. *has_xform becomes whether there
 * is a transform. */
static bool count_absent(struct check *check, const struct abc_object *object,
                         bool *has_xform)
{
    enum abc_type type = abc_object_type(object);

    *has_xform = false;
    if (abc_is_mesh(object) && !has_node(check, object) &&
        !count_absent_mesh(check, object))
        return false;
    for (uint32_t i = 0; i < object->child_count; i++) {
        bool is_below;

        if (!count_absent(check, object->children[i], &is_below))
            return false;
        *has_xform = *has_xform || is_below;
    }
    if (type == ABC_TYPE_XFORM && !*has_xform &&
        check->header->mesh_count == 0 && !has_node(check, object))
        check->report->missing_nodes++;
    *has_xform = *has_xform || type == ABC_TYPE_XFORM;
    return true;
}

static void count_channels(struct check *check, uint32_t mask,
                           const struct corner_mesh *corners)
{
    static const struct {
        enum channel channel;
        enum corner_param param;
    } channels[] = {{CHANNEL_UV, CORNER_UV},
                    {CHANNEL_COLOR, CORNER_COLOR},
                    {CHANNEL_SECOND_UV, CORNER_SECOND_UV},
                    {CHANNEL_VELOCITY, CORNER_VELOCITY}};

    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
        const bool is_in_cache = mask & CHANNEL_BIT(channels[i].channel);

        check->report->wrong_channels +=
            is_in_cache != corners->has[channels[i].param];
    }
}

/* Compare mesh `mesh` of the cache with an object. */
static bool open_record(struct check *check, uint32_t mesh,
                        const struct abc_object *object, struct check_mesh *m)
{
    const struct cache_mesh *info = &check->tables->meshes[mesh];
    const uint32_t mask = info->static_mask | info->animated_mask;
    const bool has_second_uvs = mask & CHANNEL_BIT(CHANNEL_SECOND_UV);
    const bool has_velocities = mask & CHANNEL_BIT(CHANNEL_VELOCITY);
    const struct corner_choice choice = {
        .color_set = check->options->color_set,
        .second_uv =
            has_second_uvs ? check->tables->names + info->second_uv_name : NULL,
        .velocities = has_velocities};

    m->mesh = mesh;
    m->object = object;
    if (!object) {
        check->report->unknown_nodes++;
        return true;
    }
    if (!corner_mesh_open(&m->corners, check->archive, object, &choice,
                          &check->run_arena))
        return false;
    count_channels(check, mask, &m->corners);
    return true;
}

/* The record of a node's mesh and the content of its object; record_count if
 * there is none yet. */
static uint32_t find_record(const struct check *check,
                            const struct check_node *node,
                            const struct abc_object *source)
{
    uint32_t i = node->mesh;

    while (i < check->record_count &&
           (check->meshes[i].mesh != node->mesh ||
            (check->meshes[i].object &&
             check->meshes[i].object->source != source)))
        i = i < check->header->mesh_count ? check->header->mesh_count : i + 1;
    return i;
}

static bool pair_meshes(struct check *check)
{
    const uint32_t count = check->header->mesh_count;

    check->meshes = ARENA_NEW(&check->run_arena, struct check_mesh,
                              (size_t)count + check->node_count);
    for (uint32_t i = 0; i < count; i++)
        if (!open_record(
                check, i,
                find_object(check, check->tables->meshes[i].name, true),
                &check->meshes[i]))
            return false;
    check->record_count = count;
    for (uint32_t i = 0; i < check->node_count; i++) {
        struct check_node *node = &check->nodes[i];
        const struct abc_object *object = node->chain.links[0].object;

        if (node->mesh == CACHE_NONE)
            continue;
        node->record = find_record(check, node, object->source);
        if (node->record == check->record_count &&
            !open_record(check, node->mesh, object,
                         &check->meshes[check->record_count++]))
            return false;
    }
    return true;
}

bool check_pair(struct check *check)
{
    bool has_xform;

    return pair_nodes(check) && pair_meshes(check) &&
           count_absent(check, check->archive->top, &has_xform);
}
