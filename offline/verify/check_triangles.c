/* check_triangles.c - are the cache's triangles the archive's faces?
 *
 * A triangle belongs to a face that has its three vertices among its corners.
 * The archive's faces are clockwise seen from outside: a sound triangle runs
 * through them backwards. A face of n corners has n - 2 triangles.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

#include "verify/match.h"

#include <string.h>

enum fit { FIT_NONE, FIT_REVERSED, FIT_GOOD };

bool check_face_is_folded(const struct check_mesh *m, uint32_t face)
{
    const int32_t *points =
        m->corners.topology.indices + m->corners.first_of[face];
    int32_t count = m->corners.topology.counts[face];

    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            if (points[i] == points[j])
                return true;
    return false;
}

/* Do vertices a, b, c (a at corner `first` of the face) run backwards? A
 * vertex may stand at several corners of a face: any place will do. */
static enum fit fit_face(const struct check_mesh *m, uint32_t face,
                         uint32_t first, const uint32_t v[3])
{
    uint32_t start = m->corners.first_of[face];
    uint32_t count = (uint32_t)m->corners.topology.counts[face];
    enum fit fit = FIT_NONE;

    for (uint32_t j = 1; j < count; j++) {
        uint32_t b = start + (first - start + j) % count;

        if (m->vertex_of[b] != v[1])
            continue;
        for (uint32_t k = 1; k < count; k++) {
            uint32_t c = start + (first - start + k) % count;

            if (k == j || m->vertex_of[c] != v[2])
                continue;
            /* Backwards from a: c comes before b. */
            if (k < j)
                return FIT_GOOD;
            fit = FIT_REVERSED;
        }
    }
    return fit;
}

/* The name of the first face set that holds each face; NULL: none. */
static const char **face_sets(struct check *check, const struct check_mesh *m)
{
    const char **names =
        ARENA_NEW(&check->mesh, const char *, m->corners.topology.face_count);

    for (uint32_t s = 0; s < m->corners.mesh.face_set_count; s++) {
        const struct abc_object *set = m->corners.mesh.face_sets[s];
        const int32_t *faces;
        uint32_t count;

        if (!abc_face_set_read(check->archive, set, &check->mesh, &faces,
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
        const struct cache_material *material =
            &check->tables->materials[mesh->first_material + i];

        if (index - material->first_index < material->index_count)
            return check->tables->names + material->name;
    }
    return "";
}

/* The face that fits best and has triangles left. */
static enum fit find_face(const struct check_mesh *m, const uint32_t v[3],
                          const uint32_t *left, uint32_t *face)
{
    enum fit best = FIT_NONE;

    for (uint32_t i = m->first_corner[v[0]];
         i < m->first_corner[v[0] + 1] && best != FIT_GOOD; i++) {
        uint32_t corner = m->corner_list[i];
        uint32_t candidate = m->corners.face_of[corner];
        enum fit fit;

        if (left[candidate] == 0)
            continue;
        fit = fit_face(m, candidate, corner, v);
        if (fit > best) {
            best = fit;
            *face = candidate;
        }
    }
    return best;
}

void check_triangles(struct check *check, const struct check_mesh *m,
                     const struct surface *surface)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    const struct abc_topology *topology = &m->corners.topology;
    const char **sets = face_sets(check, m);
    uint32_t *left = ARENA_NEW(&check->mesh, uint32_t, topology->face_count);
    struct verify_report *report = check->report;

    for (uint32_t f = 0; f < topology->face_count; f++)
        if (topology->counts[f] >= 3)
            left[f] = (uint32_t)topology->counts[f] - 2;
    for (uint32_t t = 0; t + 2 < surface->index_count; t += 3) {
        uint32_t face = 0;

        switch (find_face(m, surface->indices + t, left, &face)) {
        case FIT_NONE:
            report->foreign_triangles++;
            continue;
        case FIT_REVERSED:
            report->reversed_triangles++;
            break;
        case FIT_GOOD:
            break;
        }
        left[face]--;
        if (strcmp(material_at(check, mesh, t), sets[face] ? sets[face] : "") !=
            0)
            report->wrong_materials++;
    }
    for (uint32_t f = 0; f < topology->face_count; f++)
        if (left[f] > 0 && !check_face_is_folded(m, f))
            report->missing_triangles += left[f];
}
