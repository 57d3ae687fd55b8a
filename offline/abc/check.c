/* check.c - validates a whole archive against its schemas.
 *
 * The work is counted in bytes read and bounded by a multiple of the file's
 * size: an ordinary archive is read several times, but samples that a hostile
 * archive shares a million times are not read a million times. Instances are
 * validated once, at their source.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/schema.h"

#include "abc/backend.h"
#include "abc/schema_read.h"

#define WORK_PER_BYTE 8u
#define WORK_AT_LEAST ((uint64_t)64 << 20)
/* The cost of a sample in addition to its bytes. */
#define SAMPLE_WORK 64u

struct check {
    const struct abc_archive *archive;
    struct arena arena; /* of one object */
    struct arena frame; /* of one sample */
    uint64_t work_left;
};

/* Subtract work before it is done. Returns false if the bound is reached. */
static bool may_work(struct check *check, uint64_t bytes)
{
    if (bytes > check->work_left)
        check->work_left = 0;
    else
        check->work_left -= bytes;
    return check->work_left > 0;
}

/* -- properties -- */

static bool check_property(struct check *check,
                           const struct abc_property *property)
{
    uint32_t stored = abc_stored_count(property);

    for (uint32_t i = 0; i < property->child_count; i++)
        if (!check_property(check, &property->children[i]))
            return false;
    for (uint32_t i = 0; i < stored; i++) {
        bool is_text = abc_pod_bytes(property->pod) == 0;
        struct abc_sample sample;

        if (!may_work(check, SAMPLE_WORK))
            return true;
        arena_reset(&check->frame);
        if (!abc_read(check->archive, property, abc_stored_index(property, i),
                      &check->frame, &sample))
            return false;
        /* Reading strings takes a pass over all bytes. */
        if (is_text && !may_work(check, sample.bytes))
            return true;
    }
    return true;
}

/* -- schemas -- */

static bool check_xform(struct check *check, const struct abc_object *object)
{
    struct abc_xform xform;

    if (!abc_xform_open(check->archive, object, &check->arena, &xform))
        return false;
    if (xform.op_count == 0 || !xform.values)
        return true;
    for (uint32_t i = 0; i < abc_stored_count(xform.values); i++) {
        double matrix[16];

        if (!may_work(check, SAMPLE_WORK + 8 * xform.channel_count))
            return true;
        arena_reset(&check->frame);
        if (!abc_xform_local(check->archive, &xform,
                             abc_stored_index(xform.values, i), &check->frame,
                             matrix))
            return false;
    }
    return true;
}

static bool check_visibility(struct check *check,
                             const struct abc_object *object)
{
    const struct abc_property *visible = abc_visibility(object);
    uint32_t stored = visible ? abc_stored_count(visible) : 0;

    for (uint32_t i = 0; i < stored; i++) {
        enum abc_visibility value;

        if (!may_work(check, SAMPLE_WORK))
            return true;
        if (!abc_visibility_read(check->archive, visible,
                                 abc_stored_index(visible, i), &value))
            return false;
    }
    return true;
}

static bool check_param(struct check *check, const struct abc_object *object,
                        const struct abc_param *param)
{
    const struct abc_archive *archive = check->archive;
    uint32_t index = 0;

    if (!param->values || param->values->sample_count == 0 ||
        (param->indices && param->indices->sample_count == 0))
        return true;
    while (index != UINT32_MAX) {
        uint32_t next = abc_next_change(param->values, index);
        struct abc_param_sample expanded;
        struct abc_sample stored;

        arena_reset(&check->frame);
        if (!abc_read(archive, param->indices ? param->indices : param->values,
                      index, &check->frame, &stored))
            return false;
        /* Empty indices: as many elements as values. */
        if (param->indices && stored.element_count == 0 &&
            !abc_read(archive, param->values, index, &check->frame, &stored))
            return false;
        if (!may_work(check, SAMPLE_WORK + 8 * stored.element_count *
                                               param->values->extent))
            return true;
        if (!abc_param_read(archive, object, param, index, &check->frame,
                            &expanded))
            return false;
        if (param->indices) {
            uint32_t other = abc_next_change(param->indices, index);

            next = other < next ? other : next;
        }
        index = next;
    }
    return true;
}

static uint32_t next_change(const struct abc_mesh *mesh, uint32_t index)
{
    const struct abc_property *parts[] = {mesh->positions, mesh->face_counts,
                                          mesh->face_indices};
    uint32_t next = UINT32_MAX;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint32_t change = abc_next_change(parts[i], index);

        next = change < next ? change : next;
    }
    return next;
}

/* The address of a sample's bytes, if it identifies them; NULL for a sample in
 * an arena, whose memory is reused. */
static const uint8_t *mapped_at(const struct check *check,
                                const struct abc_sample *sample)
{
    const struct host_map *map =
        &((const struct abc_store *)check->archive)->map;
    uintptr_t at = (uintptr_t)sample->data - (uintptr_t)map->data;

    return at < map->bytes ? sample->data : NULL;
}

/* Check every combination of positions and topology of all samples. */
static bool check_topologies(struct check *check, const struct abc_mesh *mesh)
{
    const struct abc_archive *archive = check->archive;
    const uint8_t *seen[2] = {NULL, NULL};
    uint64_t seen_points = UINT64_MAX;

    for (uint32_t i = 0; i != UINT32_MAX; i = next_change(mesh, i)) {
        struct abc_topology topology;
        struct abc_sample p;
        struct abc_sample counts;
        struct abc_sample indices;

        arena_reset(&check->frame);
        if (!abc_read(archive, mesh->positions, i, &check->frame, &p) ||
            !abc_read(archive, mesh->face_counts, i, &check->frame, &counts) ||
            !abc_read(archive, mesh->face_indices, i, &check->frame, &indices))
            return false;
        if (!may_work(check, SAMPLE_WORK))
            return true;
        if (p.element_count == seen_points && seen[0] && seen[1] &&
            counts.data == seen[0] && indices.data == seen[1])
            continue;
        if (!may_work(check, counts.bytes + indices.bytes))
            return true;
        seen_points = p.element_count;
        seen[0] = mapped_at(check, &counts);
        seen[1] = mapped_at(check, &indices);
        if (!abc_mesh_topology(archive, mesh, i,
                               seen_points > INT32_MAX ? INT32_MAX
                                                       : (uint32_t)seen_points,
                               &check->frame, &topology))
            return false;
    }
    return true;
}

static bool check_mesh(struct check *check, const struct abc_object *object)
{
    struct abc_mesh mesh;

    if (!abc_mesh_open_within(check->archive, object, &check->arena,
                              &check->work_left, &mesh))
        return false;
    if (mesh.positions->sample_count > 0 &&
        mesh.face_counts->sample_count > 0 &&
        mesh.face_indices->sample_count > 0 && !check_topologies(check, &mesh))
        return false;
    if (!check_param(check, object, &mesh.normals) ||
        !check_param(check, object, &mesh.uvs))
        return false;
    for (uint32_t i = 0; i < mesh.color_count; i++)
        if (!check_param(check, object, &mesh.colors[i]))
            return false;
    for (uint32_t i = 0; i < mesh.uv_set_count; i++)
        if (!check_param(check, object, &mesh.uv_sets[i]))
            return false;
    return check_param(check, object, &mesh.velocities);
}

/* Reading its only sample validates it. */
static bool check_face_set(struct check *check, const struct abc_object *object)
{
    const struct abc_property *compound =
        abc_find(object->properties, ".faceset", ABC_COMPOUND);
    const struct abc_property *property =
        compound ? abc_find(compound, ".faces", ABC_ARRAY) : NULL;
    const int32_t *faces;
    struct abc_sample sample;
    uint32_t count;

    if (property && property->sample_count > 0) {
        if (!abc_read(check->archive, property, 0, &check->arena, &sample))
            return false;
        if (!may_work(check, sample.bytes))
            return true;
    }
    return abc_face_set_read(check->archive, object, &check->arena, &faces,
                             &count);
}

static bool check_schema(struct check *check, const struct abc_object *object)
{
    switch (abc_object_type(object)) {
    case ABC_TYPE_XFORM:
        return check_xform(check, object);
    case ABC_TYPE_POLYMESH:
    case ABC_TYPE_SUBD:
        return check_mesh(check, object);
    case ABC_TYPE_FACESET:
        return check_face_set(check, object);
    case ABC_TYPE_CAMERA:
    case ABC_TYPE_LIGHT:
    case ABC_TYPE_CURVES:
    case ABC_TYPE_POINTS:
    case ABC_TYPE_NUPATCH:
    case ABC_TYPE_MATERIAL:
    case ABC_TYPE_COLLECTIONS:
    case ABC_TYPE_OTHER:
        break;
    }
    return true;
}

static bool check_object(struct check *check, const struct abc_object *object)
{
    if (object->source == object) {
        arena_reset(&check->arena);
        if (!check_property(check, object->properties) ||
            !check_visibility(check, object))
            return false;
        if (may_work(check, SAMPLE_WORK) && !check_schema(check, object))
            return false;
    }
    for (uint32_t i = 0; i < object->child_count; i++)
        if (!check_object(check, object->children[i]))
            return false;
    return true;
}

bool abc_check_scene(const struct abc_archive *archive)
{
    const struct abc_store *store = (const struct abc_store *)archive;
    struct check check = {.archive = archive};
    bool is_right;

    arena_init(&check.arena);
    arena_init(&check.frame);
    check.work_left = WORK_AT_LEAST + WORK_PER_BYTE * store->map.bytes;
    is_right = check_object(&check, archive->top);
    arena_free(&check.arena);
    arena_free(&check.frame);
    return is_right;
}
