/* rigid.c - see rigid.h. */
/* SPDX-License-Identifier: MIT */
#include "support/rigid.h"

void rigid_turn(const double q[4], const double v[3], double out[3])
{
    const double x = q[1] * v[2] - q[2] * v[1] + q[3] * v[0];
    const double y = q[2] * v[0] - q[0] * v[2] + q[3] * v[1];
    const double z = q[0] * v[1] - q[1] * v[0] + q[3] * v[2];

    out[0] = v[0] + 2 * (q[1] * z - q[2] * y);
    out[1] = v[1] + 2 * (q[2] * x - q[0] * z);
    out[2] = v[2] + 2 * (q[0] * y - q[1] * x);
}

struct rigid rigid_multiply(struct rigid a, struct rigid b)
{
    struct rigid m;

    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t y = (k + 1) % 3;
        const uint32_t z = (k + 2) % 3;

        m.r[k] = a.r[3] * b.r[k] + a.r[k] * b.r[3] + a.r[y] * b.r[z] -
                 a.r[z] * b.r[y];
    }
    m.r[3] =
        a.r[3] * b.r[3] - a.r[0] * b.r[0] - a.r[1] * b.r[1] - a.r[2] * b.r[2];
    rigid_turn(a.r, b.t, m.t);
    for (uint32_t k = 0; k < 3; k++)
        m.t[k] += a.t[k];
    return m;
}

struct rigid rigid_of(const spn_anim_transform *t)
{
    struct rigid m;

    for (uint32_t k = 0; k < 4; k++)
        m.r[k] = t->rotation[k];
    for (uint32_t k = 0; k < 3; k++)
        m.t[k] = t->translation[k];
    return m;
}
