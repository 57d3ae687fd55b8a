/* source_read.c - values of a mesh in one sample, and between two samples.
 *
 * Only reads the source, so that several threads may call it at once.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/source_read.h"

#include "common/phases.h"

#include <inttypes.h>

/* -- one sample -- */

const struct abc_property *source_sampled_property(
    const struct abc_param *param)
{
    if (param->indices &&
        param->indices->sample_count > param->values->sample_count)
        return param->indices;
    return param->values;
}

bool source_read_values(const struct source *source,
                        const struct source_param *param, uint32_t sample,
                        struct arena *arena, const float **values)
{
    struct abc_param_sample read;
    char text[ABC_SAMPLE_TEXT_BYTES];
    float *flipped;

    if (!abc_param_read(source->archive, source->mesh.object, param->param,
                        sample, arena, &read))
        return false;
    /* source_open has checked the counts. They are checked again, so that no
     * caller can read beyond the end. */
    if (read.count != param->count)
        return compile_refuse(
            source->archive, REFUSAL_TOPOLOGY, source->path,
            "%.80s: %s has %" PRIu64 " values, not %u", param->param->name,
            abc_sample_text(source->archive,
                            source_sampled_property(param->param), sample,
                            text),
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

uint32_t source_next_change(const struct abc_param *param, uint32_t sample)
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
    uint32_t current = *sample;
    enum phase before;
    bool is_good;

    *is_more = current != UINT32_MAX;
    if (!*is_more)
        return true;
    *sample = param->is_animated ? source_next_change(param->param, current)
                                 : UINT32_MAX;
    before = phases_enter(PHASE_READ);
    is_good = source_read_values(source, param, current, arena, values);
    phases_enter(before);
    return is_good;
}

/* -- times -- */

static const struct abc_time_sampling *param_sampling(
    const struct source *source, const struct abc_param *param)
{
    const struct abc_property *property = source_sampled_property(param);

    return &source->archive->samplings[property->time_sampling];
}

static const struct abc_time_sampling *position_sampling(
    const struct source *source)
{
    const struct abc_property *positions = source->mesh.positions;

    return &source->archive->samplings[positions->time_sampling];
}

void source_add_times(const struct source *source, struct timeline *timeline)
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
                         source_sampled_property(params[i]->param));
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
    if (!source_read_values(source, param, at.floor, arena, values))
        return false;
    if (at.alpha <= 0)
        return true;
    if (!source_read_values(source, param, at.ceil, arena, &next))
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
