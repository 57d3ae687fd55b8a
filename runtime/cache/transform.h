/* transform.h - where nodes are; slerp without a maths library.
 *
 * Column vectors in these comments: world = T * R * S * point. The quaternion
 * is x, y, z, w. What rotation, translation and scale cannot say, shear, is
 * said by a matrix. Arithmetic is add, multiply, divide and a square root of
 * our own, so results are the same on every IEEE machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_TRANSFORM_H
#define SPN_CACHE_TRANSFORM_H

#include <stdbool.h>

struct quat_tns {
    float rotation[4]; /* x y z w, unit length */
    float translation[3];
    float scale[3]; /* may be negative: mirroring */
};

/* A node under its parent. A node is one or the other in all frames. */
struct transform {
    bool is_affine;
    union {
        struct quat_tns tns;
        float affine[12]; /* 3 x 4 row-major, for column vectors */
    };
};

/* Correctly rounded square root of x >= 0 (0 for x < 0 and NaN). */
float spn__sqrt(float x);

/* Between a and b, alpha in [0, 1]; the shorter way round; translation and
 * scale linear. alpha 0 gives a exactly, alpha 1 gives b exactly. */
void spn__transform_slerp(const struct quat_tns *a, const struct quat_tns *b,
                          float alpha, struct quat_tns *out);

/* 3 x 4 row-major matrix for column vectors: out[r * 4 + c]. */
void spn__transform_matrix(const struct quat_tns *transform, float out[12]);

/* Between a and b, which are of one kind: spn__transform_slerp, or number by
 * number for matrices, whose rotation is then not kept on the way. alpha 0
 * gives a exactly, alpha 1 gives b exactly; out may be one of them. */
void spn__transform_between(const struct transform *a,
                            const struct transform *b, float alpha,
                            struct transform *out);

/* As a matrix. */
void spn__transform_resolve(const struct transform *transform, float out[12]);

/* out = parent * local, matrices as above; out may be one of them. */
void spn__transform_multiply(const float parent[12], const float local[12],
                             float out[12]);

#endif
