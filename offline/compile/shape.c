/* shape.c - corners to vertices, triangles in order, and samples to frames.
 *
 * Corners are welded twice: first by normal and texture, which is what
 * tangents look at, then by colour. Tangent groups divide what is left. All
 * of it is decided on what never changes, or on the first sample.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/shape.h"

#include "common/phases.h"
#include "compile/normals.h"
#include "compile/reorder.h"
#include "compile/words.h"

#include <string.h>

/* ---- face sets ----------------------------------------------------------- */

/* A vertex's material is one for ever: that of the first sample. */
static bool warn_change(const struct shape *shape, const struct abc_object *set,
                        struct warnings *warnings, struct arena *arena)
{
    const struct abc_archive *archive = shape->source.archive;
    const struct abc_property *compound =
        abc_find(set->properties, ".faceset", ABC_COMPOUND);
    const struct abc_property *faces = abc_find(compound, ".faces", ABC_ARRAY);
    char text[WORDS_SAMPLE_BYTES];
    struct arena scratch;
    uint32_t change;
    bool is_good;

    arena_init(&scratch);
    is_good = abc_first_change(archive, faces, &scratch, &change);
    arena_free(&scratch);
    if (is_good && change != UINT32_MAX)
        warnings_add(warnings, WARNING_FACE_SETS_CHANGE, set->path,
                     arena_format(arena, "%s has other faces than sample 0",
                                  words_sample(archive, faces, change, text)));
    return is_good;
}

bool shape_face_sets(struct shape *shape, struct material_names *names,
                     struct warnings *warnings, struct arena *arena)
{
    const struct abc_mesh *mesh = &shape->source.mesh;

    shape->sets = ARENA_NEW(arena, struct material_set, mesh->face_set_count);
    for (uint32_t i = 0; i < mesh->face_set_count; i++) {
        struct material_set *set = &shape->sets[shape->set_count++];

        if (!abc_face_set_read(shape->source.archive, mesh->face_sets[i], arena,
                               &set->faces, &set->face_count) ||
            !warn_change(shape, mesh->face_sets[i], warnings, arena))
            return false;
        set->name = mesh->face_sets[i]->name;
        material_names_add(names, set->name);
    }
    return true;
}

static void warn_faces(const struct shape *shape,
                       const struct material_faces *faces,
                       struct warnings *warnings, struct arena *arena)
{
    const struct source *source = &shape->source;
    char names[2][WORDS_NAME_BYTES];

    if (faces->twice_count > 0) {
        uint32_t owner = faces->set_of[faces->twice_face];

        diag_name(shape->sets[owner].name, names[0], sizeof names[0]);
        diag_name(shape->sets[faces->twice_set].name, names[1],
                  sizeof names[1]);
        warnings_add(warnings, WARNING_FACE_TWICE, source->path,
                     arena_format(arena,
                                  "%u faces, the first is face %u in %s and %s",
                                  faces->twice_count, faces->twice_face,
                                  names[0], names[1]));
    }
    if (faces->outside_count > 0) {
        diag_name(shape->sets[faces->outside_set].name, names[0],
                  sizeof names[0]);
        warnings_add(warnings, WARNING_FACE_OUTSIDE, source->path,
                     arena_format(arena,
                                  "%u of them, the first is face %d in %s, the "
                                  "mesh has %u",
                                  faces->outside_count, faces->outside_face,
                                  names[0], source->face_count));
    }
}

static void order_triangles(struct shape *shape,
                            const struct material_names *names,
                            struct warnings *warnings, struct arena *arena,
                            struct arena *scratch, uint32_t **order)
{
    const struct source *source = &shape->source;
    struct material_faces faces;
    struct material_order sorted;

    for (uint32_t i = 0; i < shape->set_count; i++)
        shape->sets[i].id = material_names_id(names, shape->sets[i].name);
    materials_assign(shape->sets, shape->set_count, source->face_count, scratch,
                     &faces);
    warn_faces(shape, &faces, warnings, arena);
    materials_order(shape->sets, shape->set_count, faces.set_of,
                    source->triangles.faces, shape->triangle_count, arena,
                    scratch, &sorted);
    shape->ranges = sorted.ranges;
    shape->range_count = sorted.range_count;
    *order = sorted.triangles;
}

/* ---- vertices ------------------------------------------------------------ */

/* One pass of a parameter's samples, to be hashed or compared. */
static bool pass(const struct source *source, const struct source_param *param,
                 struct vertices *vertices,
                 void (*take)(struct vertices *, const struct corner_values *))
{
    uint32_t sample = 0;
    bool is_more = true;
    bool is_good = true;
    struct arena arena;

    if (!param->param || param->is_per_point)
        return true;
    arena_init(&arena);
    while (is_good && is_more) {
        struct corner_values values = {NULL, param->extent, param->index};

        arena_reset(&arena);
        is_good = source_next_values(source, param, &sample, &is_more, &arena,
                                     &values.values);
        if (is_good && is_more)
            take(vertices, &values);
    }
    arena_free(&arena);
    return is_good;
}

static bool weld(const struct source *source,
                 const struct source_param *const params[], int count,
                 struct vertices *vertices, struct arena *scratch)
{
    for (int i = 0; i < count; i++)
        if (!pass(source, params[i], vertices, vertices_hash))
            return false;
    vertices_group(vertices, scratch);
    do {
        for (int i = 0; i < count; i++)
            if (!pass(source, params[i], vertices, vertices_compare))
                return false;
    } while (!vertices_settle(vertices, scratch));
    return true;
}

/* Tangent group of each triangle corner. */
static bool group_tangents(const struct source *source,
                           const struct vertices *welds, struct arena *scratch,
                           struct tangent_groups *groups)
{
    const struct source_param *uvs = &source->uvs;
    const struct triangulation *triangles = &source->triangles;
    uint32_t count = triangles->triangle_count;
    uint32_t *weld_of = ARENA_NEW(scratch, uint32_t, 3 * (size_t)count);
    uint8_t *sides = ARENA_NEW(scratch, uint8_t, count);
    const float *values;
    uint32_t sample = 0;
    bool is_more;

    if (!source_next_values(source, uvs, &sample, &is_more, scratch, &values))
        return false;
    for (uint32_t t = 0; t < count; t++) {
        const float *uv[3];

        for (uint32_t i = 0; i < 3; i++) {
            uint32_t corner = triangles->corners[3 * t + i];
            size_t value = uvs->index ? uvs->index[corner] : corner;

            uv[i] = values + 2 * value;
            weld_of[3 * t + i] = welds->class_of[corner];
        }
        sides[t] = (uint8_t)tangents_side(uv[0], uv[1], uv[2]);
    }
    tangents_group(weld_of, sides, count, scratch, scratch, groups);
    return true;
}

/* Vertices as first made, before they are put in order. */
struct draft {
    uint32_t count;
    uint32_t *vertex_of; /* of each triangle corner */
    uint32_t *corners;   /* a face corner of each vertex */
    uint8_t *reflection;
};

static bool make_vertices(const struct source *source, struct arena *scratch,
                          struct draft *draft)
{
    const struct source_param *shading[] = {&source->normals, &source->uvs};
    const struct source_param *colors[] = {&source->colors};
    uint32_t count = 3 * source->triangles.triangle_count;
    struct tangent_groups groups = {0, NULL, NULL};
    struct vertices welds;
    struct vertices vertices;
    uint32_t *class_of = ARENA_NEW(scratch, uint32_t, count);
    uint32_t *part_of = ARENA_NEW(scratch, uint32_t, count);

    vertices_begin(&welds, source->corner_points, source->corner_count,
                   scratch);
    if (!weld(source, shading, 2, &welds, scratch))
        return false;
    vertices_begin(&vertices, welds.class_of, source->corner_count, scratch);
    if (!weld(source, colors, 1, &vertices, scratch))
        return false;
    if (source->uvs.param && !group_tangents(source, &welds, scratch, &groups))
        return false;
    if (!groups.group_of) {
        groups.group_of = ARENA_NEW(scratch, uint32_t, count);
        memset(groups.group_of, 0xff, count * sizeof *groups.group_of);
    }
    draft->vertex_of = ARENA_NEW(scratch, uint32_t, count);
    draft->count =
        vertices_divide(&vertices, source->triangles.corners, groups.group_of,
                        count, scratch, draft->vertex_of, class_of, part_of);
    draft->corners = ARENA_NEW(scratch, uint32_t, draft->count);
    draft->reflection = ARENA_NEW(scratch, uint8_t, draft->count);
    for (uint32_t v = 0; v < draft->count; v++) {
        draft->corners[v] = vertices.first_of[class_of[v]];
        draft->reflection[v] =
            part_of[v] != TANGENTS_NONE && groups.is_mirrored[part_of[v]];
    }
    return true;
}

/* Triangles by material and for the vertex cache, vertices by first use. */
static void put_in_order(struct shape *shape, const struct draft *draft,
                         const uint32_t *order, struct arena *arena,
                         struct arena *scratch)
{
    uint32_t count = 3 * shape->triangle_count;
    uint32_t *seen = ARENA_NEW(scratch, uint32_t, draft->count);
    uint32_t *old_of = ARENA_NEW(scratch, uint32_t, draft->count);

    shape->indices = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t t = 0; t < shape->triangle_count; t++)
        memcpy(shape->indices + 3 * (size_t)t,
               draft->vertex_of + 3 * (size_t)order[t],
               3 * sizeof *shape->indices);
    for (uint32_t i = 0; i < shape->range_count; i++)
        reorder_range(shape->indices +
                          3 * (size_t)shape->ranges[i].first_triangle,
                      3 * shape->ranges[i].triangle_count, seen, scratch);
    shape->vertex_count =
        reorder_vertices(shape->indices, count, draft->count, old_of, scratch);
    shape->corners = ARENA_NEW(arena, uint32_t, shape->vertex_count);
    shape->points = ARENA_NEW(arena, uint32_t, shape->vertex_count);
    shape->reflection = ARENA_NEW(arena, uint8_t, shape->vertex_count);
    shape->triangle_points = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t v = 0; v < shape->vertex_count; v++) {
        shape->corners[v] = draft->corners[old_of[v]];
        shape->points[v] = shape->source.corner_points[shape->corners[v]];
        shape->reflection[v] = draft->reflection[old_of[v]];
    }
    for (uint32_t i = 0; i < count; i++)
        shape->triangle_points[i] = shape->points[shape->indices[i]];
}

/* ---- what tangents need -------------------------------------------------- */

static void find_leads(struct shape *shape, struct arena *arena)
{
    shape->lead = ARENA_NEW(arena, uint32_t, shape->vertex_count);
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        shape->lead[v] = v;
    for (uint32_t t = 0; t < shape->triangle_count; t++) {
        const uint32_t *index = shape->indices + 3 * (size_t)t;

        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                if (index[k] < index[i] && shape->lead[index[i]] == index[i])
                    shape->lead[index[i]] = index[k];
    }
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
        .is_flat = shape->is_flat,
    };

    return mesh;
}

static bool fill_normals(const struct shape *shape, double time,
                         const float *points, struct arena *arena,
                         struct shape_frame *frame);
static bool fill_vertices(const struct shape *shape, double time,
                          struct arena *arena, const float **points,
                          struct shape_frame *frame);

static bool prepare_tangents(struct shape *shape, struct arena *arena,
                             struct arena *scratch)
{
    struct shape_frame frame = {0};
    struct tangent_mesh mesh;
    const float *points;

    /* Long before everything: the first sample. */
    if (!fill_vertices(shape, -1e300, scratch, &points, &frame) ||
        !fill_normals(shape, -1e300, points, scratch, &frame))
        return false;
    if (frame.uvs) {
        shape->is_flat = ARENA_NEW(arena, uint8_t, shape->triangle_count);
        for (uint32_t t = 0; t < shape->triangle_count; t++) {
            const uint32_t *index = shape->indices + 3 * (size_t)t;

            shape->is_flat[t] =
                tangents_side(frame.uvs + 2 * (size_t)index[0],
                              frame.uvs + 2 * (size_t)index[1],
                              frame.uvs + 2 * (size_t)index[2]) == TANGENT_FLAT;
        }
    }
    shape->anchors =
        ARENA_NEW(arena, struct tangent_anchor, shape->vertex_count);
    mesh = tangent_mesh(shape, &frame);
    tangents_anchor(&mesh, shape->anchors);
    return true;
}

bool shape_build(struct shape *shape, const struct material_names *names,
                 struct warnings *warnings, struct arena *arena)
{
    struct draft draft = {0};
    struct arena scratch;
    enum phase before;
    uint32_t *order;
    bool is_good;

    arena_init(&scratch);
    shape->triangle_count = shape->source.triangles.triangle_count;
    order_triangles(shape, names, warnings, arena, &scratch, &order);
    is_good = make_vertices(&shape->source, &scratch, &draft);
    if (is_good) {
        put_in_order(shape, &draft, order, arena, &scratch);
        find_leads(shape, arena);
        before = phases_enter(PHASE_SHADE);
        is_good = prepare_tangents(shape, arena, &scratch);
        phases_enter(before);
    }
    arena_free(&scratch);
    return is_good;
}

/* ---- frames -------------------------------------------------------------- */

static size_t value_of(const struct source_param *param, uint32_t corner)
{
    return param->index ? param->index[corner] : corner;
}

static bool fill_vertices(const struct shape *shape, double time,
                          struct arena *arena, const float **points,
                          struct shape_frame *frame)
{
    const struct source *source = &shape->source;
    float *positions = ARENA_NEW(arena, float, 3 * (size_t)shape->vertex_count);
    const float *values;
    float *uvs;

    if (!source_positions(source, time, arena, points))
        return false;
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        memcpy(positions + 3 * (size_t)v,
               *points + 3 * (size_t)shape->points[v], 3 * sizeof(float));
    frame->positions = positions;
    frame->uvs = NULL;
    if (!source->uvs.param)
        return true;
    if (!source_values(source, &source->uvs, time, arena, &values))
        return false;
    uvs = ARENA_NEW(arena, float, 2 * (size_t)shape->vertex_count);
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        memcpy(uvs + 2 * (size_t)v,
               values + 2 * value_of(&source->uvs, shape->corners[v]),
               2 * sizeof(float));
    frame->uvs = uvs;
    return true;
}

/* Stated normals, made unit; geometric ones where there are none, or none
 * that points anywhere. */
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

static bool fill_tangents(const struct shape *shape, double time,
                          const float *points, struct arena *arena,
                          struct shape_frame *frame)
{
    struct tangent_mesh mesh;

    if (!fill_normals(shape, time, points, arena, frame))
        return false;
    frame->tangents = ARENA_NEW(arena, struct vec3, shape->vertex_count);
    mesh = tangent_mesh(shape, frame);
    tangents_make(&mesh, shape->anchors, frame->tangents);
    return true;
}

bool shape_fill(const struct shape *shape, double time, bool has_tangents,
                bool has_colors, struct arena *arena, struct shape_frame *frame)
{
    const float *points;
    enum phase before;
    bool is_good;

    *frame = (struct shape_frame){0};
    if (!fill_vertices(shape, time, arena, &points, frame))
        return false;
    if (has_colors && shape->source.colors.param &&
        !fill_colors(shape, time, arena, frame))
        return false;
    if (!has_tangents)
        return true;
    before = phases_enter(PHASE_SHADE);
    is_good = fill_tangents(shape, time, points, arena, frame);
    phases_enter(before);
    return is_good;
}
