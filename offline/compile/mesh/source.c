/* source.c - opens and validates a mesh.
 *
 * A parameter states a scope: a value for each corner, point or face, or one
 * for the mesh. If the number of values does not fit the stated scope, the
 * first scope that fits is used (corners, points, faces, mesh, in this order).
 * If none fits, or the number changes in a later sample, the parameter is
 * dropped with a warning.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/source.h"

#include "compile/mesh/source_read.h"
#include "compile/mesh/source_refuse.h"
#include "compile/mesh/source_warn.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- topology -- */

/* Three times the number of triangles must fit 32 bits. */
#define CORNERS_MAX (UINT32_MAX / 6)

static bool read_topology(struct source *source, struct arena *arena,
                          struct arena *scratch)
{
    struct abc_topology topology;
    const float *positions;
    uint32_t *points;
    uint32_t *faces;
    uint32_t corner = 0;

    if (!abc_mesh_positions(source->archive, &source->mesh, 0, scratch,
                            &positions, &source->point_count) ||
        !abc_mesh_topology(source->archive, &source->mesh, 0,
                           source->point_count, scratch, &topology))
        return false;
    if (topology.corner_count > CORNERS_MAX)
        return compile_refuse(source->archive, REFUSAL_TOO_LARGE, source->path,
                              "%u face corners, at most %u",
                              topology.corner_count, CORNERS_MAX);
    for (uint32_t i = 0; i < 3 * source->point_count; i++)
        if (!isfinite(positions[i]))
            return source_refuse_point(source, 0, i / 3,
                                       positions + i / 3 * (size_t)3);
    source->face_count = topology.face_count;
    source->corner_count = topology.corner_count;
    points = ARENA_NEW(arena, uint32_t, topology.corner_count);
    faces = ARENA_NEW(arena, uint32_t, topology.corner_count);
    for (uint32_t f = 0; f < topology.face_count; f++)
        for (int32_t i = 0; i < topology.counts[f]; i++, corner++) {
            points[corner] = (uint32_t)topology.indices[corner];
            faces[corner] = f;
        }
    source->corner_points = points;
    source->corner_faces = faces;
    triangulate(&topology, positions, arena, scratch, &source->triangles);
    return true;
}

/* -- positions -- */

static bool validate_positions(struct source *source, uint32_t sample,
                               const float *positions, uint32_t point_count,
                               const uint8_t *is_used)
{
    struct quantize_range box[3] = {QUANTIZE_NOTHING, QUANTIZE_NOTHING,
                                    QUANTIZE_NOTHING};
    float extent = 0;

    if (point_count != source->point_count)
        return source_refuse_topology(source, sample);
    for (uint32_t i = 0; i < 3 * point_count; i++) {
        if (!isfinite(positions[i]))
            return source_refuse_point(source, sample, i / 3,
                                       positions + i / 3 * (size_t)3);
        if (is_used[i / 3])
            quantize_extend(&box[i % 3], positions[i]);
    }
    for (int k = 0; k < 3; k++) {
        quantize_extend(&source->box[k], box[k].min);
        quantize_extend(&source->box[k], box[k].max);
        extent = fmaxf(extent, box[k].max - box[k].min);
    }
    if (extent < source->extent_min)
        source->extent_min = extent;
    return true;
}

static bool scan_positions(struct source *source, struct arena *scratch)
{
    const struct abc_property *property = source->mesh.positions;
    uint32_t stored = abc_stored_count(property);
    uint32_t triangle_corners = 3 * source->triangles.triangle_count;
    uint8_t *is_used = ARENA_NEW(scratch, uint8_t, source->point_count);
    const float *first;
    uint32_t count;
    struct arena arena;
    bool is_good = true;

    for (uint32_t i = 0; i < triangle_corners; i++)
        is_used[source->corner_points[source->triangles.corners[i]]] = 1;
    if (!abc_mesh_positions(source->archive, &source->mesh, 0, scratch, &first,
                            &count))
        return false;
    arena_init(&arena);
    for (uint32_t entry = 0; is_good && entry < stored; entry++) {
        uint32_t sample = abc_stored_index(property, entry);
        const float *positions;

        arena_reset(&arena);
        is_good = abc_mesh_positions(source->archive, &source->mesh, sample,
                                     &arena, &positions, &count) &&
                  validate_positions(source, sample, positions, count, is_used);
        if (is_good && memcmp(positions, first, 12 * (size_t)count) != 0)
            source->is_moving = true;
    }
    arena_free(&arena);
    return is_good;
}

/* -- parameters -- */

static uint32_t scope_count(const struct source *source, enum abc_scope scope)
{
    switch (scope) {
    case ABC_SCOPE_CONSTANT:
        return 1;
    case ABC_SCOPE_UNIFORM:
        return source->face_count;
    case ABC_SCOPE_VARYING:
    case ABC_SCOPE_VERTEX:
        return source->point_count;
    case ABC_SCOPE_FACEVARYING:
        return source->corner_count;
    case ABC_SCOPE_UNKNOWN:
        break;
    }
    return UINT32_MAX;
}

static bool find_scope(const struct source *source, enum abc_scope stated,
                       uint64_t count, enum abc_scope *scope)
{
    static const enum abc_scope order[] = {ABC_SCOPE_FACEVARYING,
                                           ABC_SCOPE_VERTEX, ABC_SCOPE_UNIFORM,
                                           ABC_SCOPE_CONSTANT};

    *scope = stated;
    if (count == scope_count(source, stated))
        return true;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        *scope = order[i];
        if (count == scope_count(source, order[i]))
            return true;
    }
    return false;
}

static void set_scope(const struct source *source, enum abc_scope scope,
                      struct source_param *param, struct arena *arena)
{
    param->count = scope_count(source, scope);
    param->is_per_point = true;
    switch (scope) {
    case ABC_SCOPE_CONSTANT:
        param->index = ARENA_NEW(arena, uint32_t, source->corner_count);
        break;
    case ABC_SCOPE_UNIFORM:
        param->index = source->corner_faces;
        param->is_per_point = false;
        break;
    case ABC_SCOPE_VARYING:
    case ABC_SCOPE_VERTEX:
        param->index = source->corner_points;
        break;
    case ABC_SCOPE_FACEVARYING:
    case ABC_SCOPE_UNKNOWN:
        param->index = NULL;
        param->is_per_point = false;
        break;
    }
}

static bool validate_values(const struct source *source,
                            struct source_param *param, uint32_t sample,
                            const float *values)
{
    uint32_t extent = param->extent;

    for (size_t i = 0; i < (size_t)param->count * extent; i++)
        if (!isfinite(values[i]))
            return source_refuse_value(source, param, sample,
                                       (uint32_t)(i / extent));
    for (uint32_t i = 0; i < 3 * source->triangles.triangle_count; i++) {
        uint32_t corner = source->triangles.corners[i];
        uint32_t value = param->index ? param->index[corner] : corner;

        for (uint32_t k = 0; k < extent; k++)
            quantize_extend(&param->range[k],
                            values[(size_t)value * extent + k]);
    }
    return true;
}

static bool scan_values(const struct source *source, struct source_param *param,
                        struct arena *scratch)
{
    size_t bytes = (size_t)param->count * param->extent * sizeof(float);
    const float *first;
    struct arena arena;
    bool is_good = true;

    if (!source_read_values(source, param, 0, scratch, &first))
        return false;
    arena_init(&arena);
    for (uint32_t sample = 0; is_good && sample != UINT32_MAX;
         sample = source_next_change(param->param, sample)) {
        const float *values;

        arena_reset(&arena);
        is_good = source_read_values(source, param, sample, &arena, &values) &&
                  validate_values(source, param, sample, values);
        if (is_good && memcmp(values, first, bytes) != 0)
            param->is_animated = true;
    }
    arena_free(&arena);
    return is_good;
}

/* Find the first sample whose number of values is not `count`, and its number
 * of values. *change is UINT32_MAX if there is none. */
static bool find_count_change(const struct source *source,
                              const struct abc_param *param, uint64_t count,
                              uint32_t *change, uint64_t *changed_count)
{
    struct arena arena;
    bool is_good = true;

    *change = UINT32_MAX;
    arena_init(&arena);
    for (uint32_t sample = 0;
         is_good && *change == UINT32_MAX && sample != UINT32_MAX;
         sample = source_next_change(param, sample)) {
        struct abc_param_sample read;

        arena_reset(&arena);
        is_good = abc_param_read(source->archive, source->mesh.object, param,
                                 sample, &arena, &read);
        if (!is_good || read.count == count)
            continue;
        *change = sample;
        *changed_count = read.count;
    }
    arena_free(&arena);
    return is_good;
}

/* Check whether the values of a parameter fit the mesh in all samples. *misfit
 * is a text that says why not; NULL if they fit. */
static bool validate_fit(const struct source *source,
                         const struct abc_param *abc, uint64_t count,
                         bool is_of_points, enum abc_scope *scope,
                         const char **misfit, struct arena *arena)
{
    uint64_t changed_count = 0;
    uint32_t change;

    *misfit = NULL;
    if (!find_count_change(source, abc, count, &change, &changed_count))
        return false;
    if (change != UINT32_MAX)
        *misfit = source_describe_count(source, abc, change, count,
                                        changed_count, arena);
    else if (abc->array_extent != 1 ||
             (is_of_points && count != source->point_count) ||
             !find_scope(source, abc->scope, count, scope))
        *misfit = source_describe_misfit(source, abc, count, arena);
    return true;
}

static bool open_param(struct source *source, const struct abc_param *abc,
                       enum warning warning, bool is_flipped,
                       struct warnings *warnings, struct source_param *param,
                       struct arena *arena, struct arena *scratch)
{
    struct abc_param_sample first;
    enum abc_scope scope = abc->scope;
    const char *misfit;

    if (!abc->values || abc->sample_count == 0)
        return true;
    if (!abc_param_read(source->archive, source->mesh.object, abc, 0, scratch,
                        &first) ||
        !validate_fit(source, abc, first.count,
                      warning == WARNING_VELOCITIES_MISFIT, &scope, &misfit,
                      arena))
        return false;
    if (misfit) {
        warnings_add(warnings, warning, source->path, misfit);
        return true;
    }
    param->param = abc;
    param->extent = first.extent;
    param->is_flipped = is_flipped;
    for (int i = 0; i < 4; i++)
        param->range[i] = (struct quantize_range)QUANTIZE_NOTHING;
    set_scope(source, scope, param, arena);
    return scan_values(source, param, scratch);
}

/* -- open -- */

static bool open_params(struct source *source,
                        const struct compile_options *options,
                        struct warnings *warnings, struct arena *arena,
                        struct arena *scratch)
{
    const struct abc_mesh *mesh = &source->mesh;

    if (!open_param(source, &mesh->normals, WARNING_NORMALS_MISFIT, false,
                    warnings, &source->normals, arena, scratch) ||
        !open_param(source, &mesh->uvs, WARNING_UVS_MISFIT, options->flip_v,
                    warnings, &source->uvs, arena, scratch))
        return false;
    if (source->wanted_colors &&
        !open_param(source, source->wanted_colors, WARNING_COLORS_MISFIT, false,
                    warnings, &source->colors, arena, scratch))
        return false;
    if (source->wanted_second_uvs &&
        !open_param(source, source->wanted_second_uvs, WARNING_UVS_MISFIT,
                    options->flip_v, warnings, &source->second_uvs, arena,
                    scratch))
        return false;
    return !source->wanted_velocities ||
           open_param(source, source->wanted_velocities,
                      WARNING_VELOCITIES_MISFIT, false, warnings,
                      &source->velocities, arena, scratch);
}

static bool open_with(struct source *source,
                      const struct compile_options *options,
                      struct warnings *warnings, struct arena *arena,
                      struct arena *scratch)
{
    const struct abc_mesh *mesh = &source->mesh;

    source->empty_reason = source_lacks_samples(source);
    source->is_empty = true;
    if (source->empty_reason)
        return true;
    if (!mesh->is_topology_constant)
        return source_refuse_topology(source, mesh->topology_change);
    if (!read_topology(source, arena, scratch))
        return false;
    if (source->triangles.triangle_count == 0) {
        source->empty_reason = source_lacks_triangles(source);
        return true;
    }
    source->is_empty = false;
    for (int i = 0; i < 3; i++)
        source->box[i] = (struct quantize_range)QUANTIZE_NOTHING;
    source->extent_min = FLT_MAX;
    if (!scan_positions(source, scratch) ||
        !open_params(source, options, warnings, arena, scratch))
        return false;
    source_warn(source, warnings, arena);
    return true;
}

static void choose_params(struct source *source,
                          const struct compile_options *options)
{
    const struct abc_mesh *mesh = &source->mesh;

    source->wanted_colors =
        abc_param_named(mesh->colors, mesh->color_count, options->color_set);
    if (options->second_uv_set)
        source->wanted_second_uvs = abc_param_named(
            mesh->uv_sets, mesh->uv_set_count,
            options->second_uv_set[0] ? options->second_uv_set : NULL);
    if (options->keeps_velocities && mesh->velocities.values)
        source->wanted_velocities = &mesh->velocities;
}

bool source_open(struct source *source, const struct abc_archive *archive,
                 const struct abc_object *object,
                 const struct compile_options *options,
                 struct warnings *warnings, struct arena *arena)
{
    struct arena scratch;
    bool is_good;

    *source = (struct source){.archive = archive, .path = object->path};
    if (!abc_mesh_open(archive, object, arena, &source->mesh))
        return false;
    choose_params(source, options);
    arena_init(&scratch);
    is_good = open_with(source, options, warnings, arena, &scratch);
    arena_free(&scratch);
    return is_good;
}
