/* polymesh.c - polygon meshes, and the control cages of subdivision surfaces.
 *
 * Positions, face counts and face indices are sampled separately. Sample i of a
 * mesh uses sample i of each, or the last one if there are fewer. Whether the
 * topology changes is decided by content, since some writers store it in every
 * frame.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/schema.h"

#include "abc/schema_read.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* The largest number of bytes that is compared for one mesh, see is_same. */
#define COMPARED_BYTES ((uint64_t)64 << 20)

/* -- does the topology change? -- */

static bool is_key(const uint8_t key[16])
{
    static const uint8_t none[16];

    return memcmp(key, none, sizeof none) != 0;
}

/* Do two samples have the same content? Equal keys mean equal content. If the
 * keys differ, the bytes are compared, up to *bytes_left. The keys of real
 * writers are hashes of the content, so their bytes are rarely compared. */
static bool is_same(const struct abc_sample *a, const struct abc_sample *b,
                    uint64_t *bytes_left)
{
    if (a->element_count != b->element_count || a->bytes != b->bytes)
        return false;
    if (a->bytes == 0 || a->data == b->data)
        return true;
    if (is_key(a->key) && memcmp(a->key, b->key, sizeof a->key) == 0)
        return true;
    if (a->bytes > *bytes_left)
        return false;
    *bytes_left -= a->bytes;
    return memcmp(a->data, b->data, a->bytes) == 0;
}

static bool find_change(const struct abc_archive *archive,
                        const struct abc_property *property,
                        struct arena *arena, uint64_t *bytes_left,
                        uint32_t *change)
{
    uint32_t stored = abc_stored_count(property);
    struct abc_sample first;

    *change = UINT32_MAX;
    if (stored <= 1)
        return true;
    if (!abc_read(archive, property, 0, arena, &first))
        return false;
    for (uint32_t i = 1; i < stored; i++) {
        uint32_t sample = abc_stored_index(property, i);
        struct abc_sample other;

        if (!abc_read(archive, property, sample, arena, &other))
            return false;
        if (!is_same(&first, &other, bytes_left)) {
            *change = sample;
            return true;
        }
    }
    return true;
}

bool abc_first_change(const struct abc_archive *archive,
                      const struct abc_property *property, struct arena *arena,
                      uint32_t *change)
{
    uint64_t bytes_left = COMPARED_BYTES;

    return find_change(archive, property, arena, &bytes_left, change);
}

/* -- open -- */

static bool open_array(const struct abc_archive *archive,
                       const struct abc_object *object,
                       const struct abc_property *geometry, const char *name,
                       enum abc_pod pod, uint32_t extent, struct arena *arena,
                       const struct abc_property **property)
{
    *property = abc_find_any(geometry, name);
    if (!*property)
        return diag_refuse(archive->diag, archive->file_name, geometry->offset,
                           object->path, "a mesh without %s", name);
    return abc_expect(archive, *property, ABC_ARRAY, pod, extent, arena);
}

static bool open_param(const struct abc_archive *archive,
                       const struct abc_property *geometry, const char *name,
                       uint32_t extent, struct arena *arena,
                       struct abc_param *param)
{
    return abc_param_open(archive, geometry, name, arena, param) &&
           (!param->values || abc_expect(archive, param->values, ABC_ARRAY,
                                         ABC_F32, extent, arena));
}

static bool is_param_constant(const struct abc_param *param)
{
    return !param->values || param->is_constant;
}

static void sum_up(struct abc_mesh *mesh)
{
    const struct abc_property *parts[] = {mesh->positions, mesh->face_counts,
                                          mesh->face_indices};

    mesh->position_samples = mesh->positions->sample_count;
    mesh->is_constant =
        is_param_constant(&mesh->normals) && is_param_constant(&mesh->uvs);
    for (uint32_t i = 0; i < mesh->color_count; i++)
        if (!mesh->colors[i].is_constant)
            mesh->is_constant = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i]->is_constant)
            mesh->is_constant = false;
        if (parts[i]->sample_count > mesh->sample_count)
            mesh->sample_count = parts[i]->sample_count;
    }
}

/* Properties of other types belong to other programs and are ignored. */
static void find_velocities(const struct abc_property *geometry,
                            struct abc_mesh *mesh)
{
    const struct abc_property *property = abc_find_any(geometry, ".velocities");

    if (!property || !abc_is_velocities(property))
        return;
    mesh->velocities =
        (struct abc_param){.name = property->name,
                           .scope = ABC_SCOPE_VERTEX,
                           .values = property,
                           .sample_count = property->sample_count,
                           .is_constant = property->is_constant,
                           .array_extent = 1};
}

static void find_face_sets(const struct abc_object *object, struct arena *arena,
                           struct abc_mesh *mesh)
{
    const struct abc_object **sets =
        ARENA_NEW(arena, const struct abc_object *, object->child_count);

    for (uint32_t i = 0; i < object->child_count; i++)
        if (abc_object_type(object->children[i]) == ABC_TYPE_FACESET)
            sets[mesh->face_set_count++] = object->children[i];
    mesh->face_sets = sets;
}

bool abc_mesh_open_within(const struct abc_archive *archive,
                          const struct abc_object *object, struct arena *arena,
                          uint64_t *bytes_left, struct abc_mesh *mesh)
{
    const struct abc_property *geometry =
        abc_schema_compound(archive, object, ".geom");
    uint32_t counts_change;
    uint32_t indices_change;

    if (!geometry)
        return false;
    memset(mesh, 0, sizeof *mesh);
    mesh->object = object;
    if (!open_array(archive, object, geometry, "P", ABC_F32, 3, arena,
                    &mesh->positions) ||
        !open_array(archive, object, geometry, ".faceCounts", ABC_I32, 1, arena,
                    &mesh->face_counts) ||
        !open_array(archive, object, geometry, ".faceIndices", ABC_I32, 1,
                    arena, &mesh->face_indices) ||
        !open_param(archive, geometry, "N", 3, arena, &mesh->normals) ||
        !open_param(archive, geometry, "uv", 2, arena, &mesh->uvs) ||
        !abc_sets_open(archive, geometry, arena, mesh) ||
        !find_change(archive, mesh->face_counts, arena, bytes_left,
                     &counts_change) ||
        !find_change(archive, mesh->face_indices, arena, bytes_left,
                     &indices_change))
        return false;
    mesh->topology_change =
        counts_change < indices_change ? counts_change : indices_change;
    mesh->is_topology_constant = mesh->topology_change == UINT32_MAX;
    find_velocities(geometry, mesh);
    sum_up(mesh);
    find_face_sets(object, arena, mesh);
    return true;
}

bool abc_mesh_open(const struct abc_archive *archive,
                   const struct abc_object *object, struct arena *arena,
                   struct abc_mesh *mesh)
{
    uint64_t bytes_left = COMPARED_BYTES;

    return abc_mesh_open_within(archive, object, arena, &bytes_left, mesh);
}

/* -- samples -- */

bool abc_mesh_positions(const struct abc_archive *archive,
                        const struct abc_mesh *mesh, uint32_t index,
                        struct arena *arena, const float **positions,
                        uint32_t *point_count)
{
    const uint32_t *values;
    uint32_t count;

    if (!abc_read_u32(archive, mesh->positions, index, arena, &values, &count))
        return false;
    /* The bits are those of floats, and memory of an arena has no type. */
    *positions = (const float *)(const void *)values;
    *point_count = count / 3;
    return true;
}

static bool validate_counts(const struct abc_archive *archive,
                            const struct abc_mesh *mesh, uint32_t index,
                            struct arena *arena,
                            const struct abc_topology *topology)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < topology->face_count; i++) {
        if (topology->counts[i] < 0)
            return ABC_REFUSE_SAMPLE(archive, mesh->face_counts, index, arena,
                                     "face %u has %d corners", i,
                                     topology->counts[i]);
        sum += (uint32_t)topology->counts[i];
    }
    if (sum != topology->corner_count)
        return ABC_REFUSE_SAMPLE(
            archive, mesh->face_counts, index, arena,
            "its %u faces have %" PRIu64 " corners in all, .faceIndices has %u",
            topology->face_count, sum, topology->corner_count);
    return true;
}

bool abc_mesh_topology(const struct abc_archive *archive,
                       const struct abc_mesh *mesh, uint32_t index,
                       uint32_t point_count, struct arena *arena,
                       struct abc_topology *topology)
{
    struct abc_topology read;
    const uint32_t *indices;
    const uint32_t *counts;

    if (!abc_read_u32(archive, mesh->face_counts, index, arena, &counts,
                      &read.face_count) ||
        !abc_read_u32(archive, mesh->face_indices, index, arena, &indices,
                      &read.corner_count))
        return false;
    read.counts = (const int32_t *)counts;
    read.indices = (const int32_t *)indices;
    if (!validate_counts(archive, mesh, index, arena, &read))
        return false;
    for (uint32_t i = 0; i < read.corner_count; i++)
        if (indices[i] >= point_count)
            return ABC_REFUSE_SAMPLE(archive, mesh->face_indices, index, arena,
                                     "corner %u is point %d, P has %u points, "
                                     "counted from 0",
                                     i, read.indices[i], point_count);
    *topology = read;
    return true;
}
