/* shape_equal.c - compare the samples of two meshes.
 *
 * Samples are compared as they are stored, so 0 and -0 differ. Archives that
 * store equal samples in different ways (one with repetitions, one without) are
 * not recognized: their meshes count as different.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/shape_equal.h"

#include "base/hash64.h"
#include "compile/mesh/source_read.h"

#include <string.h>

static void hash_text(struct hash64 *hash, const char *text)
{
    spn__hash64_add(hash, text, strlen(text) + 1);
}

bool shape_hash(const struct shape *shape, uint64_t *hash)
{
    const struct source *source = &shape->source;
    struct arena arena;
    struct hash64 state;
    const float *positions;
    uint32_t count;
    bool is_good;

    spn__hash64_begin(&state, 0);
    spn__hash64_add(&state, &source->face_count, sizeof source->face_count);
    spn__hash64_add(&state, source->corner_points,
                    source->corner_count * sizeof *source->corner_points);
    for (uint32_t i = 0; i < shape->set_count; i++)
        hash_text(&state, shape->sets[i].name);
    arena_init(&arena);
    is_good = abc_mesh_positions(source->archive, &source->mesh, 0, &arena,
                                 &positions, &count);
    if (is_good)
        spn__hash64_add(&state, positions, 12 * (size_t)count);
    arena_free(&arena);
    *hash = spn__hash64_end(&state);
    return is_good;
}

/* Are the samples of both at the same times? */
static bool same_times(const struct abc_property *a,
                       const struct abc_property *b)
{
    return a->time_sampling == b->time_sampling &&
           a->sample_count == b->sample_count;
}

static bool compare_positions(const struct source *a, const struct source *b,
                              bool *is_equal)
{
    const struct abc_property *property = a->mesh.positions;
    const uint32_t stored = a->is_moving ? abc_stored_count(property) : 1;
    const size_t bytes = 12 * (size_t)a->point_count;
    struct arena arena;
    bool is_good = true;

    if (a->is_moving && (!same_times(property, b->mesh.positions) ||
                         stored != abc_stored_count(b->mesh.positions)))
        *is_equal = false;
    arena_init(&arena);
    for (uint32_t i = 0; is_good && *is_equal && i < stored; i++) {
        const uint32_t sample = abc_stored_index(property, i);
        const float *positions[2];
        uint32_t count;

        arena_reset(&arena);
        is_good = abc_mesh_positions(a->archive, &a->mesh, sample, &arena,
                                     &positions[0], &count) &&
                  abc_mesh_positions(b->archive, &b->mesh, sample, &arena,
                                     &positions[1], &count);
        if (is_good)
            *is_equal = abc_stored_index(b->mesh.positions, i) == sample &&
                        memcmp(positions[0], positions[1], bytes) == 0;
    }
    arena_free(&arena);
    return is_good;
}

/* Do all but the values agree? */
static bool same_param(const struct source *source,
                       const struct source_param *a,
                       const struct source_param *b)
{
    if (a->extent != b->extent || a->count != b->count ||
        a->is_per_point != b->is_per_point ||
        a->is_animated != b->is_animated || a->is_flipped != b->is_flipped ||
        (a->index == NULL) != (b->index == NULL))
        return false;
    if (a->is_animated && !same_times(source_sampled_property(a->param),
                                      source_sampled_property(b->param)))
        return false;
    return !a->index || memcmp(a->index, b->index,
                               source->corner_count * sizeof *a->index) == 0;
}

static bool compare_values(const struct source *source_a,
                           const struct source_param *a,
                           const struct source *source_b,
                           const struct source_param *b, bool *is_equal)
{
    const size_t bytes = (size_t)a->count * a->extent * sizeof(float);
    struct arena arena;
    uint32_t sample = 0;
    bool is_good = true;

    arena_init(&arena);
    while (is_good && *is_equal && sample != UINT32_MAX) {
        const uint32_t next =
            a->is_animated ? source_next_change(a->param, sample) : UINT32_MAX;
        const float *values[2];

        arena_reset(&arena);
        is_good = source_read_values(source_a, a, sample, &arena, &values[0]) &&
                  source_read_values(source_b, b, sample, &arena, &values[1]);
        if (is_good)
            *is_equal = memcmp(values[0], values[1], bytes) == 0 &&
                        (!b->is_animated ||
                         source_next_change(b->param, sample) == next);
        sample = next;
    }
    arena_free(&arena);
    return is_good;
}

static bool compare_params(const struct source *a, const struct source *b,
                           bool *is_equal)
{
    const struct source_param *pairs[][2] = {
        {&a->normals, &b->normals},       {&a->uvs, &b->uvs},
        {&a->colors, &b->colors},         {&a->second_uvs, &b->second_uvs},
        {&a->velocities, &b->velocities},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct source_param *const *pair = pairs[i];

        if (!pair[0]->param && !pair[1]->param)
            continue;
        *is_equal =
            pair[0]->param && pair[1]->param && same_param(a, pair[0], pair[1]);
        if (*is_equal && !compare_values(a, pair[0], b, pair[1], is_equal))
            return false;
        if (!*is_equal)
            return true;
    }
    /* Its name is stored. */
    if (a->second_uvs.param)
        *is_equal =
            strcmp(a->second_uvs.param->name, b->second_uvs.param->name) == 0;
    return true;
}

static bool same_sets(const struct shape *a, const struct shape *b)
{
    if (a->set_count != b->set_count)
        return false;
    for (uint32_t i = 0; i < a->set_count; i++)
        if (strcmp(a->sets[i].name, b->sets[i].name) != 0 ||
            a->sets[i].face_count != b->sets[i].face_count ||
            memcmp(a->sets[i].faces, b->sets[i].faces,
                   a->sets[i].face_count * sizeof *a->sets[i].faces) != 0)
            return false;
    return true;
}

static bool same_faces(const struct source *a, const struct source *b)
{
    return a->point_count == b->point_count && a->face_count == b->face_count &&
           a->corner_count == b->corner_count && a->is_moving == b->is_moving &&
           memcmp(a->corner_points, b->corner_points,
                  a->corner_count * sizeof *a->corner_points) == 0 &&
           memcmp(a->corner_faces, b->corner_faces,
                  a->corner_count * sizeof *a->corner_faces) == 0;
}

bool shape_equal(const struct shape *a, const struct shape *b, bool *is_equal)
{
    *is_equal = same_faces(&a->source, &b->source) && same_sets(a, b);
    if (!*is_equal)
        return true;
    if (!compare_positions(&a->source, &b->source, is_equal))
        return false;
    return !*is_equal || compare_params(&a->source, &b->source, is_equal);
}
