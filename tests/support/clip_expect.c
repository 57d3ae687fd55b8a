/* clip_expect.c - expected values, computed one at a time. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_expect.h"

#include "harness.h"
#include "support/abc_world.h"

#include <math.h>
#include <string.h>

void expect_open(struct expect *expect, const struct abc_archive *archive,
                 const struct abc_object *object, struct arena *arena)
{
    struct abc_topology topology;
    const float *positions;
    uint32_t corner = 0;

    expect->archive = archive;
    CHECK(abc_mesh_open(archive, object, arena, &expect->mesh));
    CHECK(abc_mesh_positions(archive, &expect->mesh, 0, arena, &positions,
                             &expect->point_count));
    CHECK(abc_mesh_topology(archive, &expect->mesh, 0, expect->point_count,
                            arena, &topology));
    expect->face_count = topology.face_count;
    expect->corner_count = topology.corner_count;
    expect->counts = topology.counts;
    expect->points = topology.indices;
    expect->faces = ARENA_NEW(arena, uint32_t, topology.corner_count);
    for (uint32_t f = 0; f < topology.face_count; f++)
        for (int32_t i = 0; i < topology.counts[f]; i++)
            expect->faces[corner++] = f;
}

static struct abc_bracket bracket(const struct abc_archive *archive,
                                  const struct abc_property *property,
                                  uint32_t sample_count, double time)
{
    return abc_bracket_at(&archive->samplings[property->time_sampling],
                          sample_count, time);
}

const float *expect_positions(const struct expect *expect, double time,
                              struct arena *arena)
{
    const struct abc_property *property = expect->mesh.positions;
    struct abc_bracket at =
        bracket(expect->archive, property, property->sample_count, time);
    float *out = ARENA_NEW(arena, float, 3 * (size_t)expect->point_count);
    const float *sample[2];
    uint32_t count[2];

    for (int i = 0; i < 2; i++)
        CHECK(abc_mesh_positions(expect->archive, &expect->mesh,
                                 i == 0 ? at.floor : at.ceil, arena, &sample[i],
                                 &count[i]));
    CHECK_EQ(count[0], expect->point_count);
    CHECK_EQ(count[1], expect->point_count);
    for (uint32_t i = 0; i < 3 * expect->point_count; i++)
        out[i] =
            (float)((1 - at.alpha) * sample[0][i] + at.alpha * sample[1][i]);
    return out;
}

/* The index of the value for a corner. The scope stated in the file comes
 * first; without it the number of values decides. */
static bool value_of(const struct expect *expect, enum abc_scope scope,
                     uint64_t count, uint32_t corner, uint64_t *value)
{
    uint64_t candidates[6] = {
        [ABC_SCOPE_CONSTANT] = 1,
        [ABC_SCOPE_UNIFORM] = expect->face_count,
        [ABC_SCOPE_VARYING] = expect->point_count,
        [ABC_SCOPE_VERTEX] = expect->point_count,
        [ABC_SCOPE_FACEVARYING] = expect->corner_count,
        [ABC_SCOPE_UNKNOWN] = UINT64_MAX,
    };

    if (count != candidates[scope]) {
        if (count == expect->corner_count)
            scope = ABC_SCOPE_FACEVARYING;
        else if (count == expect->point_count)
            scope = ABC_SCOPE_VERTEX;
        else if (count == expect->face_count)
            scope = ABC_SCOPE_UNIFORM;
        else if (count == 1)
            scope = ABC_SCOPE_CONSTANT;
        else
            return false;
    }
    *value = 0;
    if (scope == ABC_SCOPE_UNIFORM)
        *value = expect->faces[corner];
    if (scope == ABC_SCOPE_VERTEX || scope == ABC_SCOPE_VARYING)
        *value = (uint32_t)expect->points[corner];
    if (scope == ABC_SCOPE_FACEVARYING)
        *value = corner;
    return true;
}

/* An uncompressed array's count needs no reading. */
static bool has_one_count(const struct expect *expect,
                          const struct abc_param *param, struct arena *arena)
{
    const struct abc_property *counted =
        param->indices ? param->indices : param->values;
    struct abc_sample first;

    if (counted->sample_count < 2)
        return true;
    CHECK(abc_read(expect->archive, counted, 0, arena, &first));
    for (uint32_t i = 1; i < counted->sample_count; i++) {
        struct abc_sample sample;

        CHECK(abc_read(expect->archive, counted, i, arena, &sample));
        if (sample.element_count != first.element_count)
            return false;
    }
    return true;
}

const float *expect_values(const struct expect *expect,
                           const struct abc_param *param, double time,
                           struct arena *arena, uint32_t *extent)
{
    struct abc_param_sample sample[2];
    struct abc_bracket at;
    float *out;

    if (!param->values || param->sample_count == 0 ||
        !has_one_count(expect, param, arena))
        return NULL;
    at = bracket(expect->archive, param->values, param->sample_count, time);
    for (int i = 0; i < 2; i++)
        CHECK(abc_param_read(expect->archive, expect->mesh.object, param,
                             i == 0 ? at.floor : at.ceil, arena, &sample[i]));
    *extent = sample[0].extent;
    out = ARENA_NEW(arena, float, (size_t)expect->corner_count **extent);
    for (uint32_t c = 0; c < expect->corner_count; c++) {
        uint64_t value;

        if (!value_of(expect, param->scope, sample[0].count, c, &value))
            return NULL;
        CHECK(value < sample[1].count);
        for (uint32_t k = 0; k < *extent; k++)
            out[c * *extent + k] =
                (float)((1 - at.alpha) * sample[0].values[value * *extent + k] +
                        at.alpha * sample[1].values[value * *extent + k]);
    }
    return out;
}

static void subtract(const float *a, const float *b, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (double)a[i] - b[i];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double *expect_smooth_normals(const uint32_t *points, uint32_t triangle_count,
                              const float *positions, uint32_t point_count,
                              struct arena *arena)
{
    double *normals = ARENA_NEW(arena, double, 3 * (size_t)point_count);

    for (uint32_t c = 0; c < 3 * triangle_count; c++) {
        const uint32_t *triangle = points + c / 3 * 3;
        const float *at = positions + 3 * (size_t)points[c];
        double a[3];
        double b[3];
        double n[3];
        double length;
        double cosine;

        subtract(positions + 3 * (size_t)triangle[(c + 1) % 3], at, a);
        subtract(positions + 3 * (size_t)triangle[(c + 2) % 3], at, b);
        for (int i = 0; i < 3; i++)
            n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] -
                   a[(i + 2) % 3] * b[(i + 1) % 3];
        length = sqrt(dot(n, n));
        if (!(length > 0))
            continue;
        cosine = dot(a, b) / sqrt(dot(a, a) * dot(b, b));
        for (int i = 0; i < 3; i++)
            normals[3 * (size_t)points[c] + (size_t)i] +=
                n[i] / length * acos(fmax(-1, fmin(1, cosine)));
    }
    return normals;
}

const struct abc_object *expect_find(const struct abc_archive *archive,
                                     const char *path)
{
    const struct abc_object *object = archive->top;

    /* The path of each object starts with its parent's path. */
    while (object && strcmp(object->path, path) != 0) {
        const struct abc_object *next = NULL;

        for (uint32_t i = 0; !next && i < object->child_count; i++) {
            const char *child = object->children[i]->path;
            size_t length = strlen(child);

            if (strncmp(child, path, length) == 0 &&
                (path[length] == '/' || path[length] == 0))
                next = object->children[i];
        }
        object = next;
    }
    return object;
}

bool expect_is_sampled(const struct abc_archive *archive,
                       const struct abc_object *object, double time)
{
    struct arena arena;
    bool is_sampled = true;

    arena_init(&arena);
    for (object = object->parent; object; object = object->parent) {
        struct abc_xform xform;

        if (abc_object_type(object) != ABC_TYPE_XFORM)
            continue;
        CHECK(abc_xform_open(archive, object, &arena, &xform));
        if ((xform.values &&
             bracket(archive, xform.values, xform.value_count, time).alpha >
                 0) ||
            (xform.inherits && bracket(archive, xform.inherits,
                                       xform.inherits->sample_count, time)
                                       .alpha > 0))
            is_sampled = false;
    }
    arena_free(&arena);
    return is_sampled;
}

bool expect_is_drawn(const struct abc_archive *archive,
                     const struct abc_object *object, double time)
{
    struct expect expect;
    struct abc_mesh mesh;
    struct arena arena;
    bool is_visible;
    bool is_drawn = false;

    CHECK(world_is_visible(archive, object, time, &is_visible));
    if (!is_visible)
        return false;
    arena_init(&arena);
    CHECK(abc_mesh_open(archive, object->source, &arena, &mesh));
    if (mesh.positions->sample_count > 0 &&
        mesh.face_counts->sample_count > 0) {
        expect_open(&expect, archive, object->source, &arena);
        for (uint32_t f = 0; f < expect.face_count; f++)
            is_drawn = is_drawn || expect.counts[f] > 2;
    }
    arena_free(&arena);
    return is_drawn;
}
