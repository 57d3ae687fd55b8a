/* shape.c - vertices from face corners, and triangles in their final order.
 *
 * Classes of corners are formed twice. The first classes ("welds") have equal
 * positions, normals and texture coordinates: tangents depend on these alone.
 * The second ones also have equal colours and second texture coordinates.
 * Velocities belong to points and divide nothing. Tangent groups then split the
 * second classes into vertices.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/shape.h"

#include "abc/sampling.h"
#include "common/phases.h"
#include "compile/mesh/reorder.h"
#include "compile/mesh/retriangulate.h"
#include "compile/mesh/seams.h"
#include "compile/report/format_value.h"

#include <string.h>

/* -- face sets -- */

/* The material of a triangle is that of the first sample, in all frames. */
static bool warn_change(const struct shape *shape, const struct abc_object *set,
                        struct warnings *warnings, struct arena *arena)
{
    const struct abc_archive *archive = shape->source.archive;
    const struct abc_property *compound =
        abc_find(set->properties, ".faceset", ABC_COMPOUND);
    const struct abc_property *faces = abc_find(compound, ".faces", ABC_ARRAY);
    char text[ABC_SAMPLE_TEXT_BYTES];
    struct arena scratch;
    uint32_t change;
    bool is_good;

    arena_init(&scratch);
    is_good = abc_first_change(archive, faces, &scratch, &change);
    arena_free(&scratch);
    if (is_good && change != UINT32_MAX)
        warnings_add(
            warnings, WARNING_FACE_SETS_CHANGE, set->path,
            arena_format(arena, "%s has other faces than sample 0",
                         abc_sample_text(archive, faces, change, text)));
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
    char names[2][FORMAT_NAME_BYTES];

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

/* -- vertices -- */

/* Refine by all samples of a parameter. */
static bool refine(const struct source *source,
                   const struct source_param *param, struct vertices *vertices)
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
            vertices_refine(vertices, &values, &arena);
    }
    arena_free(&arena);
    return is_good;
}

/* Vertices before they are put in order. */
struct draft {
    uint32_t count;
    uint32_t *vertex_of; /* of each triangle corner */
    uint32_t *corners;   /* a face corner of each vertex */
    uint8_t *reflection;
    struct tangent_topology topology;
    struct seams seams; /* only if the mesh has texture coordinates */
};

static bool find_seams(const struct source *source,
                       const struct vertices *welds, const double *times,
                       uint32_t frame_count, struct arena *scratch,
                       struct draft *draft)
{
    const struct triangulation *triangles = &source->triangles;
    uint32_t count = 3 * triangles->triangle_count;
    uint32_t *weld_of = ARENA_NEW(scratch, uint32_t, count);

    for (uint32_t i = 0; i < count; i++)
        weld_of[i] = welds->class_of[triangles->corners[i]];
    tangent_topology_make(weld_of, triangles->triangle_count, scratch, scratch,
                          &draft->topology);
    return seams_find(source, &draft->topology, times, frame_count, scratch,
                      &draft->seams);
}

static void divide_vertices(const struct source *source,
                            const struct vertices *vertices,
                            struct arena *scratch, struct draft *draft)
{
    uint32_t count = 3 * source->triangles.triangle_count;
    const struct tangent_groups *groups = &draft->seams.groups;
    const uint32_t *group_of_corner = groups->group_of;
    uint32_t *class_of = ARENA_NEW(scratch, uint32_t, count);
    uint32_t *group_of = ARENA_NEW(scratch, uint32_t, count);

    if (!group_of_corner) {
        uint32_t *none = ARENA_NEW(scratch, uint32_t, count);

        memset(none, 0xff, count * sizeof *none);
        group_of_corner = none;
    }
    draft->vertex_of = ARENA_NEW(scratch, uint32_t, count);
    draft->count =
        vertices_split(vertices, source->triangles.corners, group_of_corner,
                       count, scratch, draft->vertex_of, class_of, group_of);
    draft->corners = ARENA_NEW(scratch, uint32_t, draft->count);
    draft->reflection = ARENA_NEW(scratch, uint8_t, draft->count);
    for (uint32_t v = 0; v < draft->count; v++) {
        draft->corners[v] = vertices->first_of[class_of[v]];
        draft->reflection[v] =
            /* NOLINTNEXTLINE(clang-analyzer-*): there are groups then. */
            group_of[v] != TANGENTS_NONE && groups->is_mirrored[group_of[v]];
    }
}

static bool make_vertices(const struct source *source, const double *times,
                          uint32_t frame_count, struct arena *scratch,
                          struct draft *draft)
{
    struct vertices welds;
    struct vertices vertices;

    vertices_begin(&welds, source->corner_points, source->corner_count, scratch,
                   scratch);
    if (!refine(source, &source->normals, &welds) ||
        !refine(source, &source->uvs, &welds))
        return false;
    vertices_begin(&vertices, welds.class_of, source->corner_count, scratch,
                   scratch);
    if (!refine(source, &source->colors, &vertices) ||
        !refine(source, &source->second_uvs, &vertices))
        return false;
    if (source->uvs.param &&
        !find_seams(source, &welds, times, frame_count, scratch, draft))
        return false;
    divide_vertices(source, &vertices, scratch, draft);
    return true;
}

/* Order triangles by material and for the vertex cache, and vertices by first
 * use. draft->vertex_of gets the new numbers, too. */
static void put_in_order(struct shape *shape, struct draft *draft,
                         const uint32_t *order, struct arena *arena,
                         struct arena *scratch)
{
    uint32_t count = 3 * shape->triangle_count;
    uint32_t *seen = ARENA_NEW(scratch, uint32_t, draft->count);
    uint32_t *old_of = ARENA_NEW(scratch, uint32_t, draft->count);
    uint32_t *new_of = ARENA_NEW(scratch, uint32_t, draft->count);

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
        new_of[old_of[v]] = v;
        shape->corners[v] = draft->corners[old_of[v]];
        shape->points[v] = shape->source.corner_points[shape->corners[v]];
        shape->reflection[v] = draft->reflection[old_of[v]];
    }
    for (uint32_t i = 0; i < count; i++) {
        shape->triangle_points[i] = shape->points[shape->indices[i]];
        draft->vertex_of[i] = new_of[draft->vertex_of[i]];
    }
}

/* -- tangents -- */

static void find_earlier_neighbours(struct shape *shape, struct arena *arena)
{
    shape->earlier_neighbour = ARENA_NEW(arena, uint32_t, shape->vertex_count);
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        shape->earlier_neighbour[v] = v;
    for (uint32_t t = 0; t < shape->triangle_count; t++) {
        const uint32_t *index = shape->indices + 3 * (size_t)t;

        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                if (index[k] < index[i] &&
                    shape->earlier_neighbour[index[i]] == index[i])
                    shape->earlier_neighbour[index[i]] = index[k];
    }
}

/* Keep the data of tangent groups that shape_fill needs. */
static void keep_groups(struct shape *shape, const struct draft *draft,
                        struct arena *arena, struct arena *scratch)
{
    uint32_t count = 3 * shape->triangle_count;
    const uint32_t *tangent_source;

    if (!shape->source.uvs.param)
        return;
    if (draft->seams.is_changing) {
        uint32_t *welds = ARENA_NEW(arena, uint32_t, count);

        shape->topology = draft->topology;
        shape->topology.neighbours = ARENA_NEW(arena, uint32_t, count);
        shape->vertex_of = ARENA_NEW(arena, uint32_t, count);
        memcpy(welds, draft->topology.welds, count * sizeof *welds);
        memcpy(shape->topology.neighbours, draft->topology.neighbours,
               count * sizeof *welds);
        memcpy(shape->vertex_of, draft->vertex_of, count * sizeof *welds);
        shape->topology.welds = welds;
        return;
    }
    tangent_source = tangents_share(&draft->seams.groups, draft->vertex_of,
                                    count, shape->vertex_count, scratch);
    if (!tangent_source)
        return;
    shape->tangent_source = ARENA_NEW(arena, uint32_t, shape->vertex_count);
    memcpy(shape->tangent_source, tangent_source,
           shape->vertex_count * sizeof *tangent_source);
}

/* -- all of it -- */

static bool retriangulate_faces(struct source *source, const double *times,
                                uint32_t frame_count, struct warnings *warnings,
                                struct arena *arena)
{
    struct retriangulate_report report;
    const char *large = "";

    if (!retriangulate(source, times, frame_count, &report))
        return false;
    if (report.large_count > 0)
        large = arena_format(arena, "; %u have more than %u corners",
                             report.large_count, RETRIANGULATE_CORNERS_MAX);
    if (report.wrong_count > 0)
        warnings_add(
            warnings, WARNING_FLIPPED, source->path,
            arena_format(arena, "%u faces, the first is face %u, in frame %u%s",
                         report.wrong_count, report.face, report.frame, large));
    return true;
}

bool shape_build(struct shape *shape, const struct material_names *names,
                 const double *times, uint32_t frame_count,
                 struct warnings *warnings, struct arena *arena)
{
    struct draft draft = {0};
    struct arena scratch;
    enum phase before;
    uint32_t *order;
    bool is_good;

    if (!retriangulate_faces(&shape->source, times, frame_count, warnings,
                             arena))
        return false;
    arena_init(&scratch);
    shape->triangle_count = shape->source.triangles.triangle_count;
    order_triangles(shape, names, warnings, arena, &scratch, &order);
    is_good =
        make_vertices(&shape->source, times, frame_count, &scratch, &draft);
    if (is_good) {
        put_in_order(shape, &draft, order, arena, &scratch);
        find_earlier_neighbours(shape, arena);
        keep_groups(shape, &draft, arena, &scratch);
        if (draft.seams.reversed_count > 0)
            warnings_add(warnings, WARNING_HANDEDNESS, shape->source.path,
                         arena_format(arena,
                                      "%u corners, the first in frame %u",
                                      draft.seams.reversed_count,
                                      draft.seams.reversed_frame));
        before = phases_enter(PHASE_SHADE);
        is_good = shape_keep_uvs(shape, arena, &scratch) &&
                  shape_anchor(shape, arena, &scratch);
        phases_enter(before);
    }
    arena_free(&scratch);
    return is_good;
}
