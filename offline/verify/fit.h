/* fit.h - one triangle of the cache against the faces of the archive. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_FIT_H
#define OFFLINE_VERIFY_FIT_H

#include "verify/check.h"
#include "verify/spans.h"

/* A fit is sound when its three corners are within the tolerance of the
 * triangle's vertices in every frame looked at, and the triangle runs through
 * the face as it should, beside those that the face has already. Any sound fit
 * is better than all others. */
#define FIT_UNSOUND_COST 1e12

struct fit {
    double cost;
    bool is_reversed;
    bool is_overlapping; /* what the face has already */
    uint32_t corner[3];  /* of the face, for the three vertices */
};

struct fit_mesh {
    const struct check_mesh *mesh;
    const struct check_rows *rows;
    const struct match_lists *near; /* corners, of each vertex */
    struct match_lists large;       /* of them those of large faces, rising:
                                     * by fit_prepare */
    uint32_t *left;      /* of each face: triangles that it still lacks */
    struct span *spans;  /* of each corner: of those that its face has */
    struct fit *fits;    /* of each triangle */
    uint32_t *corner_of; /* of each vertex, one that it is known to stand for;
                          * MATCH_NONE */
};

void fit_prepare(struct fit_mesh *fits, uint32_t vertex_count,
                 struct arena *arena);

/* Offered every fit with vertex v[0] at corner `first` whose cost is below
 * `*limit`, which it may lower. With `is_bound`, vertices keep to the points
 * that they are known to stand for. */
typedef void fit_offer(void *user, const struct fit *fit, double *limit);
void fit_each(const struct fit_mesh *fits, uint32_t first, const uint32_t v[3],
              bool is_bound, double *limit, fit_offer *offer, void *user);

#endif
