/* check_coverage.c - checks that the triangles of a mesh cover its faces.
 *
 * correspondence.c assigns each triangle to a face. A face of n corners must
 * get n - 2 triangles that do not overlap, and all of them must have its
 * material. Faces of archives are clockwise seen from outside, triangles of
 * caches are counter-clockwise.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check_coverage.h"

#include "verify/check.h"
#include "verify/correspondence.h"

#include <string.h>

/* The name of the first face set that holds each face; NULL: none. */
static const char **face_sets(struct check *check, const struct check_mesh *m)
{
    const char **names = ARENA_NEW(&check->mesh_arena, const char *,
                                   m->corners.topology.face_count);

    for (uint32_t s = 0; s < m->corners.mesh.face_set_count; s++) {
        const struct abc_object *set = m->corners.mesh.face_sets[s];
        const int32_t *faces;
        uint32_t count;

        if (!abc_face_set_read(check->archive, set, &check->mesh_arena, &faces,
                               &count))
            continue;
        for (uint32_t i = 0; i < count; i++)
            if (faces[i] >= 0 &&
                (uint32_t)faces[i] < m->corners.topology.face_count &&
                !names[faces[i]])
                names[faces[i]] = set->name;
    }
    return names;
}

static const char *material_at(const struct check *check,
                               const struct cache_mesh *mesh, uint32_t index)
{
    for (uint32_t i = 0; i < mesh->material_count; i++) {
        const spn_material_range *material =
            &check->tables->materials[mesh->first_material + i];

        if (index - material->first_index < material->index_count)
            return material->name;
    }
    return "";
}

/* List the pairs of corners and vertices that the triangles have. */
static void list_pairs(struct check *check, struct check_mesh *m,
                       const uint32_t *indices, uint32_t index_count)
{
    uint32_t corner_count = m->corners.topology.corner_count;

    m->pairs.list = ARENA_NEW(&check->run_arena, struct corner_vertex,
                              (size_t)corner_count + index_count);
    for (uint32_t i = 0; i < corner_count; i++)
        if (m->pairs.vertex_of[i] != MATCH_NONE)
            m->pairs.list[m->pairs.count++] =
                (struct corner_vertex){i, m->pairs.vertex_of[i]};
    /* A corner may have several vertices. */
    for (uint32_t i = 0; i < index_count; i++)
        if (m->pairs.corner_of_index[i / 3 * 3] != MATCH_NONE &&
            m->pairs.vertex_of[m->pairs.corner_of_index[i]] != indices[i])
            m->pairs.list[m->pairs.count++] =
                (struct corner_vertex){m->pairs.corner_of_index[i], indices[i]};
}

void check_coverage(struct check *check, struct check_mesh *m,
                    const struct check_rows *rows,
                    const struct match_lists *lists)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    const uint32_t *indices = cache_reader_indices(check->reader, m->mesh);
    const struct abc_topology *topology = &m->corners.topology;
    const char **sets = face_sets(check, m);
    struct verify_report *report = check->report;
    struct correspondence found;

    m->pairs.corner_of_index =
        ARENA_NEW(&check->run_arena, uint32_t, mesh->index_count);
    correspondence_find(m, indices, mesh->index_count, mesh->vertex_count, rows,
                        lists, &check->mesh_arena, &found);
    for (uint32_t t = 0; t < mesh->index_count / 3; t++) {
        const struct fit *fit = &found.fits[t];
        const char *set;
        uint32_t face;

        memcpy(m->pairs.corner_of_index + 3 * (size_t)t, fit->corner,
               sizeof fit->corner);
        if (fit->corner[0] == MATCH_NONE) {
            report->foreign_triangles++;
            continue;
        }
        face = m->corners.face_of[fit->corner[0]];
        set = sets[face];
        /* Corners with the same point cannot be distinguished reliably. */
        if (fit->is_overlapping && !m->pairs.repeats_point[face])
            report->foreign_triangles++;
        report->reversed_triangles += fit->is_reversed;
        if (strcmp(material_at(check, mesh, 3 * t), set ? set : "") != 0)
            report->wrong_materials++;
    }
    list_pairs(check, m, indices, mesh->index_count);
    for (uint32_t f = 0; f < topology->face_count; f++)
        if (found.missing[f] > 0 && !m->pairs.repeats_point[f])
            report->missing_triangles += found.missing[f];
}
