/* clip_corners.c - find the face corners of a clip's triangles by their points.
 *
 * It reads the compiler's triangles before they are reordered. A sum over the
 * edges of the triangles proves that they cover every face once, with the right
 * orientation: inner edges cancel, and the remaining edges are those of the
 * faces.
 */
/* SPDX-License-Identifier: MIT */
#include "support/clip_corners.h"

#include "compile/clip/clip_state.h"
#include "harness.h"

#include <stdlib.h>

struct triangle {
    uint32_t points[3]; /* smallest first */
    uint32_t first;     /* the corner of the smallest point */
    uint32_t number;
};

static int compare_points(const struct triangle *a, const struct triangle *b)
{
    for (int i = 0; i < 3; i++)
        if (a->points[i] != b->points[i])
            return a->points[i] < b->points[i] ? -1 : 1;
    return 0;
}

static int compare_triangles(const void *a, const void *b)
{
    const struct triangle *s = a;
    const struct triangle *t = b;
    int order = compare_points(s, t);

    return order != 0 ? order : s->number < t->number ? -1 : 1;
}

static struct triangle *sort_triangles(const uint32_t *points, uint32_t count,
                                       struct arena *arena)
{
    struct triangle *out = ARENA_NEW(arena, struct triangle, count);

    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *p = points + 3 * (size_t)t;

        out[t].number = t;
        for (uint32_t i = 1; i < 3; i++)
            if (p[i] < p[out[t].first])
                out[t].first = i;
        for (uint32_t i = 0; i < 3; i++)
            out[t].points[i] = p[(out[t].first + i) % 3];
    }
    qsort(out, count, sizeof *out, compare_triangles);
    return out;
}

/* A hash of an undirected edge. */
static uint64_t edge_number(uint32_t a, uint32_t b)
{
    struct test_random random = {(uint64_t)(a < b ? a : b) << 32 |
                                 (a < b ? b : a)};
    uint64_t number = test_random_u64(&random);

    if (a == b)
        return 0;
    return a < b ? number : (uint64_t)0 - number;
}

static void validate_cover(const struct expect *expect, const uint32_t *points,
                           uint32_t triangle_count, uint32_t collapsed)
{
    uint64_t sum = 0;
    uint32_t wanted = 0;
    uint32_t corner = 0;

    for (uint32_t f = 0; f < expect->face_count; f++) {
        const uint32_t *face = (const uint32_t *)expect->points + corner;
        uint32_t count = (uint32_t)expect->counts[f];

        corner += count;
        if (count < 3)
            continue;
        wanted += count - 2;
        for (uint32_t i = 0; i < count; i++)
            sum += edge_number(face[i], face[(i + 1) % count]);
    }
    CHECK_EQ_U(triangle_count + collapsed, wanted);
    for (uint32_t c = 0; c < 3 * triangle_count; c++)
        sum += edge_number(points[c], points[c % 3 == 2 ? c - 2 : c + 1]);
    CHECK_EQ_U(sum, 0);
}

/* A face has the material of the first face set that contains it. */
static void validate_materials(const struct clip_mesh *mesh,
                               const struct expect *expect,
                               const struct clip_corners *corners,
                               struct arena *arena)
{
    const char **names = ARENA_NEW(arena, const char *, expect->face_count);
    uint32_t next = 0;

    for (uint32_t s = 0; s < expect->mesh.face_set_count; s++) {
        const int32_t *faces;
        uint32_t count;

        CHECK(abc_face_set_read(expect->archive, expect->mesh.face_sets[s],
                                arena, &faces, &count));
        for (uint32_t i = 0; i < count; i++)
            if (faces[i] >= 0 && (uint32_t)faces[i] < expect->face_count &&
                !names[faces[i]])
                names[faces[i]] = expect->mesh.face_sets[s]->name;
    }
    for (uint32_t m = 0; m < mesh->material_count; m++) {
        const struct clip_material *material = &mesh->materials[m];

        CHECK_EQ_U(material->first_index, next);
        next += material->index_count;
        CHECK(m == 0 || material->id >= material[-1].id);
        for (uint32_t i = material->first_index; i < next; i++) {
            uint32_t corner = corners->corners[i];
            const char *name;

            if (corner == CLIP_CORNER_UNSURE)
                continue;
            name = names[expect->faces[corner]];
            CHECK_STR(material->name, name ? name : "");
        }
    }
    CHECK_EQ_U(next, mesh->index_count);
}

void clip_corners_find(struct clip_corners *corners, const struct clip *clip,
                       uint32_t m, const struct expect *expect,
                       struct arena *arena)
{
    const struct clip_mesh *mesh = &clip->meshes[m];
    const struct shape *shape = clip->state->import.shapes[m];
    const struct triangulation *cut = &shape->source.triangles;
    uint32_t count = mesh->index_count / 3;
    uint32_t *cut_points = ARENA_NEW(arena, uint32_t, mesh->index_count);
    struct triangle *mine;
    struct triangle *theirs;

    corners->points = ARENA_NEW(arena, uint32_t, mesh->index_count);
    corners->corners = ARENA_NEW(arena, uint32_t, mesh->index_count);
    corners->unsure_count = 0;
    CHECK_EQ_U(mesh->index_count, 3 * cut->triangle_count);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        CHECK(mesh->indices[i] < mesh->vertex_count);
        corners->points[i] = shape->points[mesh->indices[i]];
        cut_points[i] = (uint32_t)expect->points[cut->corners[i]];
        corners->corners[i] = CLIP_CORNER_UNSURE;
    }
    validate_cover(expect, corners->points, count, cut->collapsed);
    mine = sort_triangles(corners->points, count, arena);
    theirs = sort_triangles(cut_points, count, arena);
    for (uint32_t t = 0; t < count; t++) {
        CHECK_EQ(compare_points(&mine[t], &theirs[t]), 0);
        if ((t > 0 && compare_points(&mine[t], &mine[t - 1]) == 0) ||
            (t + 1 < count && compare_points(&mine[t], &mine[t + 1]) == 0)) {
            corners->unsure_count += 3;
            continue;
        }
        for (uint32_t i = 0; i < 3; i++)
            corners->corners[3 * mine[t].number + (mine[t].first + i) % 3] =
                cut->corners[3 * theirs[t].number + (theirs[t].first + i) % 3];
    }
    validate_materials(mesh, expect, corners, arena);
}
