/* source_stored_times.c - sample times of a mesh that was refused.
 *
 * Validation stopped at the first error, so it is unknown which values are
 * animated. Instead the stored bytes are compared: a property whose samples are
 * not all equal adds all of its sample times.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/source.h"

#include <string.h>

static bool is_animated(const struct abc_archive *archive,
                        const struct abc_property *property,
                        struct arena *arena, bool *out)
{
    uint32_t stored = abc_stored_count(property);
    struct abc_sample first;

    *out = false;
    if (stored < 2)
        return true;
    if (!abc_read(archive, property, 0, arena, &first))
        return false;
    for (uint32_t i = 1; i < stored && !*out; i++) {
        struct abc_sample sample;

        if (!abc_read(archive, property, abc_stored_index(property, i), arena,
                      &sample))
            return false;
        *out = sample.bytes != first.bytes ||
               (first.bytes > 0 &&
                memcmp(sample.data, first.data, first.bytes) != 0);
        abc_release(archive, &sample);
    }
    return true;
}

bool source_add_stored_times(struct source *source, struct timeline *timeline)
{
    const struct abc_mesh *mesh = &source->mesh;
    const struct abc_param none = {0};
    const struct abc_param *colors =
        source->wanted_colors ? source->wanted_colors : &none;
    const struct abc_param *second_uvs =
        source->wanted_second_uvs ? source->wanted_second_uvs : &none;
    const struct abc_param *velocities =
        source->wanted_velocities ? source->wanted_velocities : &none;
    const struct abc_property *const properties[] = {
        mesh->positions,      mesh->face_counts,     mesh->face_indices,
        mesh->normals.values, mesh->normals.indices, mesh->uvs.values,
        mesh->uvs.indices,    colors->values,        colors->indices,
        second_uvs->values,   second_uvs->indices,   velocities->values,
    };
    bool is_good = mesh->positions != NULL;
    struct arena arena;

    source->is_empty = false;
    arena_init(&arena);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are counted. */
    for (size_t i = 0; is_good && i < sizeof properties / sizeof *properties;
         i++) {
        const struct abc_property *property = properties[i];
        bool moves;

        if (!property)
            continue;
        arena_reset(&arena);
        is_good = is_animated(source->archive, property, &arena, &moves);
        if (is_good && moves)
            timeline_add(timeline,
                         &source->archive->samplings[property->time_sampling],
                         property->sample_count, property);
    }
    arena_free(&arena);
    return is_good;
}
