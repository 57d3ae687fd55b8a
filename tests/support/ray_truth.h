/* ray_truth.h - what a ray hits, by testing every triangle in doubles.
 *
 * The triangles come from the public functions: filled vertices, indices and
 * transforms. Rays that pass an edge within the rounding of single precision
 * may hit or miss; ray_truth_check allows both. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_RAY_TRUTH_H
#define TESTS_SUPPORT_RAY_TRUTH_H

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct truth_triangle {
    uint32_t scene_node;
    uint32_t mesh;
    uint32_t triangle;
    bool is_flat;        /* the transform has no volume: either side is right */
    bool is_mirrored;    /* the transform mirrors */
    double corner[3][3]; /* in world space */
};

struct ray_truth {
    struct truth_triangle *triangles;
    uint32_t count;
    double size; /* largest coordinate */
};

/* Take what a node shows now. Masked meshes are left out by `mask`, a bit for
 * each of at most 32 meshes. */
void ray_truth_take(struct ray_truth *t, spn_runtime *rt, spn_cache cache,
                    spn_node node, uint32_t mask);
/* Take a static mesh. */
void ray_truth_take_mesh(struct ray_truth *t, spn_runtime *rt,
                         spn_mesh_id mesh);
void ray_truth_free(struct ray_truth *t);
/* Check a hit, or a miss. */
void ray_truth_check(const struct ray_truth *t, const spn_ray *ray,
                     const spn_ray_hit *hit);

#endif
