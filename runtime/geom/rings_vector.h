/* rings_vector.h - the guess of rings.h for vectors of VECTOR_LANES floats.
 *
 * Included once by each file named for an instruction set, after it has made
 * the type vf and vf_set vf_add vf_sub vf_mul vf_div vf_sqrt vf_max,
 * vf_equal (a mask), vf_select(a, b, mask: b where it is set), and
 *   vf_weights(p)                 bytes with a sign
 *   load_positions(p, r, out)     x, y and z of the vertices r[0], r[1] ...
 *   store_quaternions(out, q)     four planes, rounded, to vertices
 *
 * The operations are those of the scalar code and in its order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_RINGS_VECTOR_H
#define SPN_GEOM_RINGS_VECTOR_H

#include "geom/rings.h"

struct vectors {
    vf x;
    vf y;
    vf z;
};

RINGS_INLINE struct vectors cross(struct vectors a, struct vectors b)
{
    const struct vectors c = {vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)),
                              vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
                              vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
    return c;
}

RINGS_INLINE struct vectors scaled(struct vectors a, vf s)
{
    const struct vectors b = {vf_mul(a.x, s), vf_mul(a.y, s), vf_mul(a.z, s)};
    return b;
}

RINGS_INLINE struct vectors plus(struct vectors a, struct vectors b)
{
    const struct vectors c = {vf_add(a.x, b.x), vf_add(a.y, b.y),
                              vf_add(a.z, b.z)};
    return c;
}

RINGS_INLINE struct vectors unit(struct vectors a)
{
    const vf square =
        vf_add(vf_add(vf_mul(a.x, a.x), vf_mul(a.y, a.y)), vf_mul(a.z, a.z));
    const vf length = vf_sqrt(vf_max(square, vf_set(1e-20f)));

    return scaled(a, vf_div(vf_set(1.0f), length));
}

RINGS_INLINE vf pick(vf w, vf x, vf y, vf z, const vf is[3])
{
    return vf_select(vf_select(vf_select(z, y, is[2]), x, is[1]), w, is[0]);
}

RINGS_INLINE void quaternions(struct vectors t, struct vectors u,
                              struct vectors n, int16_t *out)
{
    const vf more = vf_add(vf_set(1.0f), t.x);
    const vf less = vf_sub(vf_set(1.0f), t.x);
    const vf sum = vf_add(u.y, n.z);
    const vf difference = vf_sub(u.y, n.z);
    const vf ww = vf_add(more, sum);
    const vf xx = vf_sub(more, sum);
    const vf yy = vf_add(less, difference);
    const vf zz = vf_sub(less, difference);
    const vf xw = vf_sub(u.z, n.y);
    const vf yw = vf_sub(n.x, t.z);
    const vf zw = vf_sub(t.y, u.x);
    const vf xy = vf_add(t.y, u.x);
    const vf xz = vf_add(t.z, n.x);
    const vf yz = vf_add(u.z, n.y);
    const vf largest = vf_max(vf_max(ww, xx), vf_max(yy, zz));
    const vf is[3] = {vf_equal(ww, largest), vf_equal(xx, largest),
                      vf_equal(yy, largest)};
    const vf to_511 = vf_div(vf_set(255.5f), vf_sqrt(largest));
    const vf q[4] = {vf_mul(pick(xw, xx, xy, xz, is), to_511),
                     vf_mul(pick(yw, xy, yy, yz, is), to_511),
                     vf_mul(pick(zw, xz, yz, zz, is), to_511),
                     vf_mul(pick(ww, xw, yw, zw, is), to_511)};

    store_quaternions(out, q);
}

RINGS_INLINE struct vectors difference(const int16_t *positions,
                                       struct vectors from,
                                       const uint16_t *neighbours)
{
    struct vectors d = load_positions(positions, neighbours);

    d.x = vf_sub(d.x, from.x);
    d.y = vf_sub(d.y, from.y);
    d.z = vf_sub(d.z, from.z);
    return d;
}

/* VECTOR_LANES vertices of a block from number `lane` on. */
RINGS_INLINE void guess_lanes(const struct ring_shape *shape, uint32_t block,
                              uint32_t lane, struct vectors scale,
                              const int16_t *positions, int16_t *guesses)
{
    const vf zero = vf_set(0.0f);
    struct vectors normal = {zero, zero, zero};
    struct vectors tangent = {zero, zero, zero};
    struct vectors before = {zero, zero, zero};
    struct vectors self;
    struct vectors n;
    struct vectors u;
    uint16_t own[VECTOR_LANES];

    for (uint32_t i = 0; i < VECTOR_LANES; i++)
        own[i] = (uint16_t)(RINGS_LANES * block + lane + i);
    self = load_positions(positions, own);
    for (uint32_t s = shape->first[block]; s < shape->first[block + 1]; s++) {
        const size_t at = RINGS_LANES * (size_t)s + lane;
        const struct vectors d =
            difference(positions, self, shape->neighbours + at);

        if (s > shape->first[block])
            normal = plus(normal, scaled(cross(before, d),
                                         vf_weights(shape->sectors + at)));
        tangent = plus(tangent, scaled(d, vf_weights(shape->along + at)));
        before = d;
    }
    normal.x = vf_mul(normal.x, vf_mul(scale.y, scale.z));
    normal.y = vf_mul(normal.y, vf_mul(scale.z, scale.x));
    normal.z = vf_mul(normal.z, vf_mul(scale.x, scale.y));
    tangent.x = vf_mul(tangent.x, scale.x);
    tangent.y = vf_mul(tangent.y, scale.y);
    tangent.z = vf_mul(tangent.z, scale.z);
    n = unit(normal);
    u = unit(cross(n, tangent));
    quaternions(cross(u, n), u, n,
                guesses + 4 * (size_t)(RINGS_LANES * block + lane));
}

static void vector_guess(const struct ring_shape *shape,
                         const int16_t *positions, int16_t *guesses)
{
    const float one = 1.0f / RINGS_SCALE_ONE;
    const struct vectors scale = {vf_set((float)shape->scale[0] * one),
                                  vf_set((float)shape->scale[1] * one),
                                  vf_set((float)shape->scale[2] * one)};
    const uint32_t blocks = ring_block_count(shape->vertex_count);

    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t lane = 0; lane < RINGS_LANES; lane += VECTOR_LANES)
            guess_lanes(shape, b, lane, scale, positions, guesses);
}

#endif
