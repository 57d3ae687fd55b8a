/* check_triangles.c - are the cache's triangles the archive's faces?
 *
 * A triangle belongs to a face that has a near corner for each of its three
 * vertices; of several, the one whose corners are nearest. That also says
 * which vertex stands for which corner. The archive's faces are clockwise seen
 * from outside: a sound triangle runs through them backwards. A face of n
 * corners has n - 2 triangles.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

#include <math.h>
#include <string.h>

/* Rather a face that is a little further away than one that is turned round,
 * or one whose corner stands for another vertex already. */
#define REVERSED_COST 30.0
#define TAKEN_COST 3.0

struct fit {
    double cost;
    bool is_reversed;
    uint32_t corner[3];
};

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

static double corner_cost(const struct check_mesh *m,
                          const struct check_rows *rows, uint32_t corner,
                          uint32_t vertex)
{
    double cost = match_cost(rows->corners + (size_t)corner * rows->dimension,
                             rows->vertices + (size_t)vertex * rows->dimension,
                             rows->dimension);

    if (m->vertex_of[corner] != MATCH_NONE && m->vertex_of[corner] != vertex)
        cost += TAKEN_COST;
    return cost;
}

/* Vertex v[0] at corner `first` of a face: where could the others be? Any
 * place will do, the nearest is best. */
static void fit_face(const struct check_mesh *m, const struct check_rows *rows,
                     uint32_t first, const uint32_t v[3], struct fit *best)
{
    uint32_t face = m->corners.face_of[first];
    uint32_t start = m->corners.first_of[face];
    uint32_t count = (uint32_t)m->corners.topology.counts[face];
    double cost_a = corner_cost(m, rows, first, v[0]);

    for (uint32_t j = 1; j < count && cost_a < best->cost; j++) {
        uint32_t b = start + (first - start + j) % count;
        double cost_b = cost_a + corner_cost(m, rows, b, v[1]);

        for (uint32_t k = 1; k < count && cost_b < best->cost; k++) {
            uint32_t c = start + (first - start + k) % count;
            double cost;

            if (k == j)
                continue;
            cost = cost_b + corner_cost(m, rows, c, v[2]);
            /* Backwards from a: c comes before b. */
            if (k > j)
                cost += REVERSED_COST;
            if (cost < best->cost)
                *best = (struct fit){cost, k > j, {first, b, c}};
        }
    }
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

static struct fit find_face(const struct check_mesh *m,
                            const struct check_rows *rows,
                            const struct match_lists *lists,
                            const uint32_t v[3], const uint32_t *left)
{
    struct fit best = {INFINITY, false, {MATCH_NONE, 0, 0}};

    for (uint32_t i = lists->first[v[0]]; i < lists->first[v[0] + 1]; i++)
        if (left[m->corners.face_of[lists->list[i]]] > 0)
            fit_face(m, rows, lists->list[i], v, &best);
    return best;
}

void check_triangles(struct check *check, struct check_mesh *m,
                     const struct check_rows *rows,
                     const struct match_lists *lists)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    const uint32_t *indices = cache_reader_indices(check->reader, m->mesh);
    const struct abc_topology *topology = &m->corners.topology;
    const char **sets = face_sets(check, m);
    uint32_t *left = ARENA_NEW(&check->mesh, uint32_t, topology->face_count);
    struct verify_report *report = check->report;

    for (uint32_t f = 0; f < topology->face_count; f++)
        if (topology->counts[f] >= 3)
            left[f] = (uint32_t)topology->counts[f] - 2;
    for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3) {
        struct fit fit = find_face(m, rows, lists, indices + t, left);
        uint32_t face;

        if (fit.corner[0] == MATCH_NONE) {
            report->foreign_triangles++;
            continue;
        }
        face = m->corners.face_of[fit.corner[0]];
        left[face]--;
        report->reversed_triangles += fit.is_reversed;
        for (int k = 0; k < 3; k++) {
            m->vertex_of[fit.corner[k]] = indices[t + (uint32_t)k];
            m->corner_of[indices[t + (uint32_t)k]] = fit.corner[k];
        }
        if (strcmp(material_at(check, mesh, t), sets[face] ? sets[face] : "") !=
            0)
            report->wrong_materials++;
    }
    for (uint32_t f = 0; f < topology->face_count; f++)
        if (left[f] > 0 && !check_face_is_folded(m, f))
            report->missing_triangles += left[f];
}
