/* source_warn.c - texts of warnings about a mesh. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/source_warn.h"

#include "abc/sampling.h"
#include "compile/report/format_value.h"

#include <inttypes.h>

const char *source_describe_misfit(const struct source *source,
                                   const struct abc_param *param,
                                   uint64_t count, struct arena *arena)
{
    static const char *const scopes[] = {
        [ABC_SCOPE_CONSTANT] = "one",
        [ABC_SCOPE_UNIFORM] = "one a face",
        [ABC_SCOPE_VARYING] = "one a point",
        [ABC_SCOPE_VERTEX] = "one a point",
        [ABC_SCOPE_FACEVARYING] = "one a corner",
        [ABC_SCOPE_UNKNOWN] = "of an unknown scope",
    };
    char name[FORMAT_NAME_BYTES];

    diag_name(param->name, name, sizeof name);
    if (param->array_extent != 1)
        return arena_format(arena, "%s has %u elements a value", name,
                            param->array_extent);
    return arena_format(arena,
                        "%s has %" PRIu64 " values, said to be %s, for %u "
                        "faces, %u points, %u corners",
                        name, count, scopes[param->scope], source->face_count,
                        source->point_count, source->corner_count);
}

const char *source_describe_count(const struct source *source,
                                  const struct abc_param *param,
                                  uint32_t change, uint64_t before,
                                  uint64_t changed_count, struct arena *arena)
{
    const struct abc_property *property = source_sampled_property(param);
    char sample[ABC_SAMPLE_TEXT_BYTES];
    char name[FORMAT_NAME_BYTES];

    diag_name(param->name, name, sizeof name);
    return arena_format(
        arena, "%s has %" PRIu64 " values in %s, %" PRIu64 " in sample %u",
        name, changed_count,
        abc_sample_text(source->archive, property, change, sample), before,
        change - 1);
}

const char *source_lacks_samples(const struct source *source)
{
    const struct abc_mesh *mesh = &source->mesh;

    if (mesh->positions->sample_count == 0)
        return "P has no samples";
    if (mesh->face_counts->sample_count == 0)
        return ".faceCounts has no samples";
    return mesh->face_indices->sample_count == 0 ? ".faceIndices has no samples"
                                                 : NULL;
}

const char *source_lacks_triangles(const struct source *source)
{
    if (source->point_count == 0)
        return "there are no points";
    return source->face_count == 0 ? "there are no faces"
                                   : "no face has three different points";
}

static void warn_colors(const struct source *source, struct warnings *warnings,
                        struct arena *arena)
{
    const struct source_param *colors = &source->colors;
    char number[2][FORMAT_NUMBER_BYTES];
    char name[FORMAT_NAME_BYTES];
    float min = 0;
    float max = 1;

    for (uint32_t i = 0; i < source->mesh.color_count; i++)
        if (&source->mesh.colors[i] != source->wanted_colors)
            warnings_add(warnings, WARNING_COLOR_SETS, source->path,
                         source->mesh.colors[i].name);
    for (uint32_t i = 0; colors->param && i < colors->extent; i++) {
        min = colors->range[i].min < min ? colors->range[i].min : min;
        max = colors->range[i].max > max ? colors->range[i].max : max;
    }
    if (min >= 0 && max <= 1)
        return;
    /* Without colours, min and max are still 0 and 1: not reached.
     * -fanalyzer: NOLINTNEXTLINE(clang-analyzer-*) */
    diag_name(colors->param->name, name, sizeof name);
    warnings_add(warnings, WARNING_COLOR_RANGE, source->path,
                 arena_format(arena, "%s goes from %s to %s", name,
                              format_number(min, number[0]),
                              format_number(max, number[1])));
}

void source_warn(const struct source *source, struct warnings *warnings,
                 struct arena *arena)
{
    warn_colors(source, warnings, arena);
}
