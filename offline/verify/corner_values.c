/* corners.c - reads positions and parameters, and spreads them to corners.
 *
 * A parameter whose count does not fit the scope that it states has the scope
 * that its count says: corners, points, faces, one; or else, or when its count
 * changes, it is none.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/corner_values.h"

#include "abc/sampling.h"

static uint64_t scope_count(const struct corner_mesh *m, enum abc_scope scope)
{
    switch (scope) {
    case ABC_SCOPE_CONSTANT:
        return 1;
    case ABC_SCOPE_UNIFORM:
        return m->topology.face_count;
    case ABC_SCOPE_VARYING:
    case ABC_SCOPE_VERTEX:
        return m->point_count;
    case ABC_SCOPE_FACEVARYING:
        return m->topology.corner_count;
    case ABC_SCOPE_UNKNOWN:
        break;
    }
    return UINT64_MAX;
}

/* The same count in all samples that may differ? */
static bool has_one_count(const struct corner_mesh *m,
                          const struct abc_archive *archive,
                          const struct abc_param *param, uint64_t count,
                          bool *has)
{
    struct arena arena;
    bool is_good = true;

    arena_init(&arena);
    for (uint32_t i = 1; i < param->sample_count && is_good && *has; i++) {
        struct abc_param_sample sample;

        arena_reset(&arena);
        is_good =
            abc_param_read(archive, m->mesh.object, param, i, &arena, &sample);
        *has = is_good && sample.count == count;
    }
    arena_free(&arena);
    return is_good;
}

static bool open_param(const struct corner_mesh *m,
                       const struct abc_archive *archive,
                       struct abc_param *param, struct arena *arena, bool *has)
{
    static const enum abc_scope others[] = {ABC_SCOPE_FACEVARYING,
                                            ABC_SCOPE_VERTEX, ABC_SCOPE_UNIFORM,
                                            ABC_SCOPE_CONSTANT};
    struct abc_param_sample first;

    *has = param->values && param->sample_count > 0 &&
           param->values->sample_count > 0;
    if (!*has)
        return true;
    if (!abc_param_read(archive, m->mesh.object, param, 0, arena, &first))
        return false;
    for (int i = 0; i < 4 && first.count != scope_count(m, param->scope); i++)
        if (first.count == scope_count(m, others[i]))
            param->scope = others[i];
    *has =
        param->array_extent == 1 && first.count == scope_count(m, param->scope);
    return param->is_constant ||
           has_one_count(m, archive, param, first.count, has);
}

bool corner_mesh_open(struct corner_mesh *m, const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct corner_choice *choice, struct arena *arena)
{
    const struct abc_param *colors;
    const struct abc_param *second_uvs = NULL;
    const float *positions;
    uint32_t corner = 0;

    if (!abc_mesh_open(archive, object, arena, &m->mesh) ||
        !abc_mesh_positions(archive, &m->mesh, 0, arena, &positions,
                            &m->point_count) ||
        !abc_mesh_topology(archive, &m->mesh, 0, m->point_count, arena,
                           &m->topology))
        return false;
    colors =
        abc_param_named(m->mesh.colors, m->mesh.color_count, choice->color_set);
    if (choice->second_uv)
        second_uvs = abc_param_named(m->mesh.uv_sets, m->mesh.uv_set_count,
                                     choice->second_uv);
    m->second_uvs = second_uvs ? *second_uvs : (struct abc_param){0};
    if (!choice->velocities)
        m->mesh.velocities = (struct abc_param){0};
    m->colors = colors ? *colors : (struct abc_param){0};
    m->has_normals = m->has_uvs = m->has_colors = false;
    m->face_of = ARENA_NEW(arena, uint32_t, m->topology.corner_count);
    m->first_of = ARENA_NEW(arena, uint32_t, m->topology.face_count);
    for (uint32_t face = 0; face < m->topology.face_count; face++) {
        m->first_of[face] = corner;
        for (int32_t i = 0; i < m->topology.counts[face]; i++)
            m->face_of[corner++] = face;
    }
    return open_param(m, archive, &m->mesh.normals, arena, &m->has_normals) &&
           open_param(m, archive, &m->mesh.uvs, arena, &m->has_uvs) &&
           open_param(m, archive, &m->colors, arena, &m->has_colors) &&
           open_param(m, archive, &m->second_uvs, arena, &m->has_second_uvs) &&
           open_param(m, archive, &m->mesh.velocities, arena,
                      &m->has_velocities);
}

/* -- positions -- */

static bool refuse_count(const struct abc_archive *archive,
                         const struct corner_mesh *m, uint32_t sample,
                         uint32_t count)
{
    char text[ABC_SAMPLE_TEXT_BYTES];

    return diag_refuse(
        archive->diag, archive->file_name, DIAG_NO_OFFSET, m->mesh.object->path,
        "%s has %u points, sample 0 has %u",
        abc_sample_text(archive, m->mesh.positions, sample, text), count,
        m->point_count);
}

static bool read_points(const struct corner_mesh *m,
                        const struct abc_archive *archive, double time,
                        struct arena *arena, const double (**out)[3])
{
    struct abc_bracket bracket =
        abc_bracket_at(&archive->samplings[m->mesh.positions->time_sampling],
                       m->mesh.position_samples, time);
    double(*points)[3] = arena_alloc(arena, m->point_count, sizeof *points);
    const float *floor;
    const float *ceil;
    uint32_t floor_count;
    uint32_t ceil_count;

    if (!abc_mesh_positions(archive, &m->mesh, bracket.floor, arena, &floor,
                            &floor_count))
        return false;
    ceil = floor;
    ceil_count = floor_count;
    if (bracket.alpha > 0 &&
        !abc_mesh_positions(archive, &m->mesh, bracket.ceil, arena, &ceil,
                            &ceil_count))
        return false;
    if (floor_count != m->point_count)
        return refuse_count(archive, m, bracket.floor, floor_count);
    if (ceil_count != m->point_count)
        return refuse_count(archive, m, bracket.ceil, ceil_count);
    for (uint32_t i = 0; i < m->point_count; i++)
        for (uint32_t c = 0; c < 3; c++) {
            double a = floor[i * 3 + c];
            double b = ceil[i * 3 + c];

            points[i][c] = a + bracket.alpha * (b - a);
        }
    *out = (const double(*)[3])points;
    return true;
}

/* -- parameters -- */

static uint64_t value_of(const struct corner_mesh *m, enum abc_scope scope,
                         uint32_t corner)
{
    switch (scope) {
    case ABC_SCOPE_UNIFORM:
        return m->face_of[corner];
    case ABC_SCOPE_VARYING:
    case ABC_SCOPE_VERTEX:
        return (uint32_t)m->topology.indices[corner];
    case ABC_SCOPE_FACEVARYING:
        return corner;
    case ABC_SCOPE_CONSTANT:
    case ABC_SCOPE_UNKNOWN:
        break;
    }
    return 0;
}

/* `extent` doubles a corner; *out NULL when the counts do not fit. */
static bool read_param(const struct corner_mesh *m,
                       const struct abc_archive *archive,
                       const struct abc_param *param, double time,
                       uint32_t extent, struct arena *arena, double **out)
{
    struct abc_bracket bracket =
        abc_bracket_at(&archive->samplings[param->values->time_sampling],
                       param->sample_count, time);
    struct abc_param_sample floor;
    struct abc_param_sample ceil;
    double *values;

    *out = NULL;
    if (!abc_param_read(archive, m->mesh.object, param, bracket.floor, arena,
                        &floor))
        return false;
    ceil = floor;
    if (bracket.alpha > 0 && !abc_param_read(archive, m->mesh.object, param,
                                             bracket.ceil, arena, &ceil))
        return false;
    values = ARENA_NEW(arena, double, (size_t)m->topology.corner_count *extent);
    for (uint32_t i = 0; i < m->topology.corner_count; i++) {
        uint64_t at = value_of(m, param->scope, i);

        if (at >= floor.count || at >= ceil.count)
            return true;
        for (uint32_t c = 0; c < extent; c++) {
            double a =
                c < floor.extent ? floor.values[at * floor.extent + c] : 1;
            double b = c < ceil.extent ? ceil.values[at * ceil.extent + c] : 1;

            values[(size_t)i * extent + c] = a + bracket.alpha * (b - a);
        }
    }
    *out = values;
    return true;
}

bool corner_values_read(const struct corner_mesh *mesh,
                        const struct abc_archive *archive, double time,
                        struct arena *arena, struct corner_values *values)
{
    double *normals = NULL;
    double *uvs = NULL;
    double *colors = NULL;
    double *second_uvs = NULL;
    double *velocities = NULL;

    if (!read_points(mesh, archive, time, arena, &values->points))
        return false;
    if (mesh->has_normals && !read_param(mesh, archive, &mesh->mesh.normals,
                                         time, 3, arena, &normals))
        return false;
    if (mesh->has_uvs &&
        !read_param(mesh, archive, &mesh->mesh.uvs, time, 2, arena, &uvs))
        return false;
    if (mesh->has_colors &&
        !read_param(mesh, archive, &mesh->colors, time, 4, arena, &colors))
        return false;
    if (mesh->has_second_uvs && !read_param(mesh, archive, &mesh->second_uvs,
                                            time, 2, arena, &second_uvs))
        return false;
    if (mesh->has_velocities &&
        !read_param(mesh, archive, &mesh->mesh.velocities, time, 3, arena,
                    &velocities))
        return false;
    values->second_uvs = (const double(*)[2])second_uvs;
    values->velocities = (const double(*)[3])velocities;
    values->normals = (const double(*)[3])normals;
    values->uvs = (const double(*)[2])uvs;
    values->colors = (const double(*)[4])colors;
    return true;
}
