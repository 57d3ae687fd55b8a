/* corner_values.c - reads positions and parameters, and spreads parameters to
 * corners.
 *
 * The archive states the scope of a parameter: corners, points, faces or the
 * mesh. Where the count of values does not fit that scope, the scope whose
 * count fits is taken. A parameter that fits none, or whose count changes, is
 * ignored.
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

/* Set *has to whether all samples have that count. */
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

uint32_t corner_extent(enum corner_param param)
{
    static const uint8_t extents[CORNER_PARAM_COUNT] = {3, 2, 4, 2, 3};

    return extents[param];
}

static void choose_params(struct corner_mesh *m,
                          const struct corner_choice *choice)
{
    const struct abc_mesh *mesh = &m->mesh;
    const struct abc_param none = {0};
    const struct abc_param *colors =
        abc_param_named(mesh->colors, mesh->color_count, choice->color_set);
    const struct abc_param *second_uvs =
        choice->second_uv ? abc_param_named(mesh->uv_sets, mesh->uv_set_count,
                                            choice->second_uv)
                          : NULL;

    m->params[CORNER_NORMAL] = mesh->normals;
    m->params[CORNER_UV] = mesh->uvs;
    m->params[CORNER_COLOR] = colors ? *colors : none;
    m->params[CORNER_SECOND_UV] = second_uvs ? *second_uvs : none;
    m->params[CORNER_VELOCITY] = choice->velocities ? mesh->velocities : none;
}

bool corner_mesh_open(struct corner_mesh *m, const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct corner_choice *choice, struct arena *arena)
{
    const float *positions;
    uint32_t corner = 0;

    if (!abc_mesh_open(archive, object, arena, &m->mesh) ||
        !abc_mesh_positions(archive, &m->mesh, 0, arena, &positions,
                            &m->point_count) ||
        !abc_mesh_topology(archive, &m->mesh, 0, m->point_count, arena,
                           &m->topology))
        return false;
    m->face_of = ARENA_NEW(arena, uint32_t, m->topology.corner_count);
    m->first_of = ARENA_NEW(arena, uint32_t, m->topology.face_count);
    for (uint32_t face = 0; face < m->topology.face_count; face++) {
        m->first_of[face] = corner;
        for (int32_t i = 0; i < m->topology.counts[face]; i++)
            m->face_of[corner++] = face;
    }
    choose_params(m, choice);
    for (int p = 0; p < CORNER_PARAM_COUNT; p++)
        if (!open_param(m, archive, &m->params[p], arena, &m->has[p]))
            return false;
    return true;
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

/* Spread a parameter to corners, `extent` numbers each. *out is NULL when a
 * count does not fit. Numbers that the archive lacks (alpha) are 1. */
static bool read_param(const struct corner_mesh *m,
                       const struct abc_archive *archive,
                       const struct abc_param *param, double time,
                       uint32_t extent, struct arena *arena, const double **out)
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
    if (!read_points(mesh, archive, time, arena, &values->points))
        return false;
    for (int p = 0; p < CORNER_PARAM_COUNT; p++) {
        values->params[p] = NULL;
        if (mesh->has[p] && !read_param(mesh, archive, &mesh->params[p], time,
                                        corner_extent((enum corner_param)p),
                                        arena, &values->params[p]))
            return false;
    }
    return true;
}
