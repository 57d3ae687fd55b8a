/* shape_frame.c - computes the values of all vertices at one time.
 *
 * Only reads the shape: several threads may fill frames at once.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/shape.h"

#include "common/phases.h"
#include "compile/mesh/normals.h"

#include <string.h>

/* -- vertices -- */

static size_t value_of(const struct source_param *param, uint32_t corner)
{
    return param->index ? param->index[corner] : corner;
}

/* Copy the values of a parameter to the vertices, without conversion. */
static bool fill_values(const struct shape *shape,
                        const struct source_param *param, double time,
                        struct arena *arena, struct arena *scratch,
                        const float **out)
{
    const size_t extent = param->extent;
    float *spread = ARENA_NEW(arena, float, extent * shape->vertex_count);
    const float *values;

    if (!source_values(&shape->source, param, time, scratch, &values))
        return false;
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        memcpy(spread + extent * v,
               values + extent * value_of(param, shape->corners[v]),
               extent * sizeof(float));
    *out = spread;
    return true;
}

bool shape_keep_uvs(struct shape *shape, struct arena *arena,
                    struct arena *scratch)
{
    if (!shape->source.uvs.param || shape->source.uvs.is_animated)
        return true;
    return fill_values(shape, &shape->source.uvs, 0, arena, scratch,
                       &shape->uvs);
}

static bool fill_vertices(const struct shape *shape, double time,
                          struct arena *arena, const float **points,
                          struct shape_frame *frame)
{
    const struct source *source = &shape->source;
    float *positions = ARENA_NEW(arena, float, 3 * (size_t)shape->vertex_count);

    if (!source_positions(source, time, arena, points))
        return false;
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        memcpy(positions + 3 * (size_t)v,
               *points + 3 * (size_t)shape->points[v], 3 * sizeof(float));
    frame->positions = positions;
    frame->uvs = shape->uvs;
    return shape->uvs || !source->uvs.param ||
           fill_values(shape, &source->uvs, time, arena, arena, &frame->uvs);
}

/* Normalize the normals of the archive. Where the archive has none, or one of
 * length 0, compute a smooth normal. */
static bool fill_normals(const struct shape *shape, double time,
                         const float *points, struct arena *arena,
                         struct shape_frame *frame)
{
    const struct source *source = &shape->source;
    struct vec3 *smooth = NULL;
    const float *values = NULL;

    if (source->normals.param &&
        !source_values(source, &source->normals, time, arena, &values))
        return false;
    frame->normals = ARENA_NEW(arena, struct vec3, shape->vertex_count);
    for (uint32_t v = 0; v < shape->vertex_count; v++) {
        struct vec3 *normal = &frame->normals[v];

        if (values) {
            *normal = vec3_load(
                values + 3 * value_of(&source->normals, shape->corners[v]));
            if (vec3_normalize(normal))
                continue;
        }
        if (!smooth) {
            smooth = ARENA_NEW(arena, struct vec3, source->point_count);
            normals_smooth(shape->triangle_points, shape->triangle_count,
                           points, source->point_count, smooth);
        }
        *normal = smooth[shape->points[v]];
    }
    return true;
}

static bool fill_colors(const struct shape *shape, double time,
                        struct arena *arena, struct shape_frame *frame)
{
    const struct source *source = &shape->source;
    uint32_t extent = source->colors.extent;
    const float *values;
    float *colors;

    if (!source_values(source, &source->colors, time, arena, &values))
        return false;
    colors = ARENA_NEW(arena, float, 4 * (size_t)shape->vertex_count);
    for (uint32_t v = 0; v < shape->vertex_count; v++) {
        size_t value = value_of(&source->colors, shape->corners[v]);

        colors[4 * (size_t)v + 3] = 1;
        memcpy(colors + 4 * (size_t)v, values + extent * value,
               extent * sizeof(float));
    }
    frame->colors = colors;
    return true;
}

/* -- tangents -- */

/* Find the tangent groups of this frame. */
static const uint32_t *share_now(const struct shape *shape,
                                 const struct shape_frame *frame,
                                 struct arena *arena)
{
    uint32_t count = shape->triangle_count;
    uint8_t *windings = ARENA_NEW(arena, uint8_t, count);
    struct tangent_groups groups;

    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *vertices = shape->vertex_of + 3 * (size_t)t;

        windings[t] =
            (uint8_t)uv_winding_of(frame->uvs + 2 * (size_t)vertices[0],
                                   frame->uvs + 2 * (size_t)vertices[1],
                                   frame->uvs + 2 * (size_t)vertices[2]);
    }
    tangents_group(&shape->topology, windings, arena, &groups);
    return tangents_share(&groups, shape->vertex_of, 3 * count,
                          shape->vertex_count, arena);
}

static struct tangent_mesh tangent_mesh(const struct shape *shape,
                                        const struct shape_frame *frame)
{
    struct tangent_mesh mesh = {
        .vertex_count = shape->vertex_count,
        .triangle_count = shape->triangle_count,
        .indices = shape->indices,
        .positions = frame->positions,
        .normals = frame->normals,
        .uvs = frame->uvs,
        .tangent_source = shape->tangent_source,
    };

    return mesh;
}

bool shape_anchor(struct shape *shape, struct arena *arena,
                  struct arena *scratch)
{
    struct shape_frame frame = {0};
    struct tangent_mesh mesh;
    const float *points;

    /* A time before all samples gives the first sample. */
    if (!fill_vertices(shape, -1e300, scratch, &points, &frame) ||
        !fill_normals(shape, -1e300, points, scratch, &frame))
        return false;
    shape->anchors =
        ARENA_NEW(arena, struct tangent_anchor, shape->vertex_count);
    mesh = tangent_mesh(shape, &frame);
    tangents_anchor(&mesh, shape->anchors);
    return true;
}

static bool fill_tangents(const struct shape *shape, double time,
                          const float *points, struct arena *arena,
                          struct shape_frame *frame)
{
    struct tangent_mesh mesh;

    if (!fill_normals(shape, time, points, arena, frame))
        return false;
    frame->tangents = ARENA_NEW(arena, struct vec3, shape->vertex_count);
    mesh = tangent_mesh(shape, frame);
    if (shape->vertex_of)
        mesh.tangent_source = share_now(shape, frame, arena);
    tangents_make(&mesh, shape->anchors, frame->tangents);
    return true;
}

/* -- all of it -- */

bool shape_fill(const struct shape *shape, double time, uint32_t channels,
                struct arena *arena, struct shape_frame *frame)
{
    const struct source *source = &shape->source;
    const float *points;
    enum phase before;
    bool is_good;

    *frame = (struct shape_frame){0};
    if (!fill_vertices(shape, time, arena, &points, frame))
        return false;
    if ((channels & CHANNEL_BIT(CHANNEL_COLOR)) && source->colors.param &&
        !fill_colors(shape, time, arena, frame))
        return false;
    if ((channels & CHANNEL_BIT(CHANNEL_SECOND_UV)) &&
        source->second_uvs.param &&
        !fill_values(shape, &source->second_uvs, time, arena, arena,
                     &frame->second_uvs))
        return false;
    if ((channels & CHANNEL_BIT(CHANNEL_VELOCITY)) &&
        source->velocities.param &&
        !fill_values(shape, &source->velocities, time, arena, arena,
                     &frame->velocities))
        return false;
    if (!(channels & CHANNEL_BIT(CHANNEL_QTANGENT)))
        return true;
    before = phases_enter(PHASE_SHADE);
    is_good = fill_tangents(shape, time, points, arena, frame);
    phases_enter(before);
    return is_good;
}
