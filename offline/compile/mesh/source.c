/* source.c - one look at all samples, then values at any time.
 *
 * A parameter whose number of values does not fit the scope that it states
 * is taken for what the number fits (corners, points, faces, in that order);
 * where it fits nothing, or no longer in a later sample, the parameter is left
 * out with a warning: decided once, over all samples.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/source.h"

#include "common/phases.h"
#include "compile/mesh/source_refuse.h"
#include "compile/mesh/source_warn.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- topology -- */

/* Three times the triangles must fit 32 bits. */
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
    if (point_count != source->point_count)
        return source_refuse_topology(source, sample);
    for (uint32_t i = 0; i < 3 * point_count; i++) {
        if (!isfinite(positions[i]))
            return source_refuse_point(source, sample, i / 3,
                                       positions + i / 3 * (size_t)3);
        if (is_used[i / 3])
            quantize_extend(&source->box[i % 3], positions[i]);
    }
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

static bool read_values(const struct source *source,
                        const struct source_param *param, uint32_t sample,
                        struct arena *arena, const float **values)
{
    struct abc_param_sample read;
    char text[ABC_SAMPLE_TEXT_BYTES];
    float *flipped;

    if (!abc_param_read(source->archive, source->mesh.object, param->param,
                        sample, arena, &read))
        return false;
    /* Looked at when the parameter was opened; said again where a reader
     * would pass the end. */
    if (read.count != param->count)
        return compile_refuse(
            source->archive, REFUSAL_TOPOLOGY, source->path,
            "%.80s: %s has %" PRIu64 " values, not %u", param->param->name,
            abc_sample_text(source->archive, source_sampled_by(param->param),
                            sample, text),
            read.count, param->count);
    *values = read.values;
    if (!param->is_flipped)
        return true;
    flipped = ARENA_NEW(arena, float, 2 * (size_t)param->count);
    for (uint32_t i = 0; i < param->count; i++) {
        flipped[2 * i] = read.values[2 * i];
        flipped[2 * i + 1] = 1 - read.values[2 * i + 1];
    }
    *values = flipped;
    return true;
}

/* The next sample after `sample` in which values or indices are new. */
static uint32_t next_change(const struct abc_param *param, uint32_t sample)
{
    uint32_t next = abc_next_change(param->values, sample);

    if (param->indices && abc_next_change(param->indices, sample) < next)
        next = abc_next_change(param->indices, sample);
    return next;
}

bool source_next_values(const struct source *source,
                        const struct source_param *param, uint32_t *sample,
                        bool *is_more, struct arena *arena,
                        const float **values)
{
    uint32_t now = *sample;
    enum phase before;
    bool is_good;

    *is_more = now != UINT32_MAX;
    if (!*is_more)
        return true;
    *sample = param->is_animated ? next_change(param->param, now) : UINT32_MAX;
    before = phases_enter(PHASE_READ);
    is_good = read_values(source, param, now, arena, values);
    phases_enter(before);
    return is_good;
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

    if (!read_values(source, param, 0, scratch, &first))
        return false;
    arena_init(&arena);
    for (uint32_t sample = 0; is_good && sample != UINT32_MAX;
         sample = next_change(param->param, sample)) {
        const float *values;

        arena_reset(&arena);
        is_good = read_values(source, param, sample, &arena, &values) &&
                  validate_values(source, param, sample, values);
        if (is_good && memcmp(values, first, bytes) != 0)
            param->is_animated = true;
    }
    arena_free(&arena);
    return is_good;
}

const struct abc_property *source_sampled_by(const struct abc_param *param)
{
    if (param->indices &&
        param->indices->sample_count > param->values->sample_count)
        return param->indices;
    return param->values;
}

/* The first sample whose number of values is not `count`, and its own;
 * UINT32_MAX: none. */
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
         sample = next_change(param, sample)) {
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

/* Why the parameter cannot be used, in words; NULL: it can. */
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

    source->why_empty = source_lacks_samples(source);
    source->is_empty = true;
    if (source->why_empty)
        return true;
    if (!mesh->is_topology_constant)
        return source_refuse_topology(source, mesh->topology_change);
    if (!read_topology(source, arena, scratch))
        return false;
    if (source->triangles.triangle_count == 0) {
        source->why_empty = source_lacks_triangles(source);
        return true;
    }
    source->is_empty = false;
    for (int i = 0; i < 3; i++)
        source->box[i] = (struct quantize_range)QUANTIZE_NOTHING;
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

/* -- times -- */

static const struct abc_time_sampling *param_sampling(
    const struct source *source, const struct abc_param *param)
{
    const struct abc_property *property = source_sampled_by(param);

    return &source->archive->samplings[property->time_sampling];
}

static const struct abc_time_sampling *position_sampling(
    const struct source *source)
{
    const struct abc_property *positions = source->mesh.positions;

    return &source->archive->samplings[positions->time_sampling];
}

void source_times(const struct source *source, struct timeline *timeline)
{
    const struct source_param *params[] = {&source->normals, &source->uvs,
                                           &source->colors, &source->second_uvs,
                                           &source->velocities};

    if (source->is_moving)
        timeline_add(timeline, position_sampling(source),
                     source->mesh.positions->sample_count,
                     source->mesh.positions);
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
        if (params[i]->param && params[i]->is_animated)
            timeline_add(timeline, param_sampling(source, params[i]->param),
                         params[i]->param->sample_count,
                         source_sampled_by(params[i]->param));
}

static const float *blend(const float *a, const float *b, double alpha,
                          size_t count, struct arena *arena)
{
    float *out = ARENA_NEW(arena, float, count);

    for (size_t i = 0; i < count; i++)
        out[i] = (float)(a[i] + ((double)b[i] - a[i]) * alpha);
    return out;
}

static bool positions_at(const struct source *source, double time,
                         struct arena *arena, const float **positions)
{
    const struct abc_mesh *mesh = &source->mesh;
    struct abc_bracket at = {0, 0, 0};
    const float *next;
    uint32_t count;

    if (source->is_moving)
        at = abc_bracket_at(position_sampling(source),
                            mesh->positions->sample_count, time);
    if (!abc_mesh_positions(source->archive, mesh, at.floor, arena, positions,
                            &count))
        return false;
    if (at.alpha <= 0)
        return true;
    if (!abc_mesh_positions(source->archive, mesh, at.ceil, arena, &next,
                            &count))
        return false;
    *positions = blend(*positions, next, at.alpha, 3 * (size_t)count, arena);
    return true;
}

bool source_positions(const struct source *source, double time,
                      struct arena *arena, const float **positions)
{
    enum phase before = phases_enter(PHASE_READ);
    bool is_good = positions_at(source, time, arena, positions);

    phases_enter(before);
    return is_good;
}

static bool values_at(const struct source *source,
                      const struct source_param *param, double time,
                      struct arena *arena, const float **values)
{
    struct abc_bracket at = {0, 0, 0};
    const float *next;

    if (param->is_animated)
        at = abc_bracket_at(param_sampling(source, param->param),
                            param->param->sample_count, time);
    if (!read_values(source, param, at.floor, arena, values))
        return false;
    if (at.alpha <= 0)
        return true;
    if (!read_values(source, param, at.ceil, arena, &next))
        return false;
    *values = blend(*values, next, at.alpha,
                    (size_t)param->count * param->extent, arena);
    return true;
}

bool source_values(const struct source *source,
                   const struct source_param *param, double time,
                   struct arena *arena, const float **values)
{
    enum phase before = phases_enter(PHASE_READ);
    bool is_good = values_at(source, param, time, arena, values);

    phases_enter(before);
    return is_good;
}
