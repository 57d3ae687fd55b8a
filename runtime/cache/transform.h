/* transform.h - the transform of a scene node, and its interpolation.
 *
 * A transform takes points of a node to points of its parent. Most are a
 * rotation, a translation and a scale: parent = T * R * S * point, for column
 * vectors. A transform with shear is a matrix instead. The arithmetic uses
 * addition, multiplication, division and a square root of this project, so
 * results are the same on every IEEE machine, without a maths library.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_TRANSFORM_H
#define SPN_CACHE_TRANSFORM_H

#include <stdbool.h>

struct quat_tns {
    float rotation[4];    /* unit quaternion x y z w */
    float translation[3]; /* units of length */
    float scale[3];       /* negative: the axis is mirrored */
};

/* A node is of one kind in all frames. */
struct transform {
    bool is_affine; /* which of the two */
    union {
        struct quat_tns tns;
        float affine[12]; /* 3 x 4 row-major, for column vectors */
    };
};

/* The correctly rounded square root; 0 if x is negative or NaN. */
float spn__sqrt(float x);

/* Convert to a 3 x 4 matrix for column vectors, out[row * 4 + column]. */
void spn__transform_matrix(const struct quat_tns *transform, float out[12]);

/* Interpolate two transforms of one kind, from a (alpha 0) to b (alpha 1): a
 * rotation spherically, the shorter way round; translation, scale and the
 * numbers of matrices linearly, which distorts rotations by matrices. Results
 * at 0 and 1 are exact; an alpha outside [0, 1] counts as the nearer end. `out`
 * may be a or b. */
void spn__transform_between(const struct transform *a,
                            const struct transform *b, float alpha,
                            struct transform *out);

/* Convert either kind to a matrix. */
void spn__transform_resolve(const struct transform *transform, float out[12]);

/* out = parent * local, all matrices. `out` may be one of the two. */
void spn__transform_multiply(const float parent[12], const float local[12],
                             float out[12]);

#endif
