/* rings_vector.h - the guess of rings.h for vectors of VECTOR_LANES floats.
 *
 * Included once by each file named for an instruction set, after it has made
 * the type vf and vf_set vf_add vf_sub vf_mul vf_div vf_sqrt vf_max,
 * vf_equal (a mask), vf_select(a, b, mask: b where it is set), and
 *   vf_weights(p)                 bytes with a sign
 *   load_positions(p, r)          x, y and z of the vertices r[0], r[1] ...,
 * all larger by the same store_quaternions(out, q)     four planes, rounded, to
 * vertices
 *
 * The operations are those of the scalar code and in its order. Sums of some
 * blocks are made first, then their rotations: roots and divisions take long,
 * and those of several blocks run side by side when nothing else is between.
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

RINGS_INLINE vf length(struct vectors a)
{
    const vf square =
        vf_add(vf_add(vf_mul(a.x, a.x), vf_mul(a.y, a.y)), vf_mul(a.z, a.z));

    return vf_sqrt(vf_max(square, vf_set(RINGS_SQUARE_MIN)));
}

RINGS_INLINE vf pick(vf w, vf x, vf y, vf z, const vf is[3])
{
    return vf_select(vf_select(vf_select(z, y, is[2]), x, is[1]), w, is[0]);
}

RINGS_INLINE void quaternions(vf s, struct vectors t, struct vectors u,
                              struct vectors n, const uint8_t *to, int16_t *out)
{
    const vf more = vf_add(s, t.x);
    const vf less = vf_sub(s, t.x);
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
    const vf to_length =
        vf_div(vf_set(RINGS_HALF_LENGTH), vf_sqrt(vf_mul(s, largest)));
    const vf q[4] = {vf_mul(pick(xw, xx, xy, xz, is), to_length),
                     vf_mul(pick(yw, xy, yy, yz, is), to_length),
                     vf_mul(pick(zw, xz, yz, zz, is), to_length),
                     vf_mul(pick(ww, xw, yw, zw, is), to_length)};

    store_quaternions(out, to, q);
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

/* Sums of one vector of vertices. */
struct sums {
    struct vectors normal;
    struct vectors tangent;
};

/* VECTOR_LANES rings from number `lane` of a block on; `window`: the positions
 * from the first vertex of its window on. */
RINGS_INLINE void sum_lanes(const struct ring_shape *shape, uint32_t block,
                            uint32_t lane, const int16_t *positions,
                            const int16_t *window, struct sums *out)
{
    const vf zero = vf_set(0.0f);
    const struct ring_slot *slot = shape->slots + shape->first[block];
    const struct ring_slot *const end = shape->slots + shape->first[block + 1];
    const uint8_t *vertex = shape->vertex + RINGS_LANES * (size_t)block + lane;
    struct vectors normal = {zero, zero, zero};
    struct vectors tangent = {zero, zero, zero};
    struct vectors before;
    struct vectors first;
    struct vectors self;
    uint16_t own[VECTOR_LANES];

    if (slot < end) {
        const int8_t *sectors = slot->sector + lane;

        for (uint32_t i = 0; i < VECTOR_LANES; i++)
            own[i] = vertex[i];
        self = load_positions(window, own);
        first = difference(positions, self, slot->neighbour + lane);
        before = first;
        tangent = plus(tangent, scaled(first, vf_weights(slot->along + lane)));
        while (++slot < end) {
            const struct vectors d =
                difference(positions, self, slot->neighbour + lane);

            normal = plus(normal, scaled(cross(before, d),
                                         vf_weights(slot->sector + lane)));
            tangent = plus(tangent, scaled(d, vf_weights(slot->along + lane)));
            before = d;
        }
        normal =
            plus(normal, scaled(cross(before, first), vf_weights(sectors)));
    }
    out->normal = normal;
    out->tangent = tangent;
}

RINGS_INLINE void rotate(const struct sums *sums,
                         const struct vectors *normal_scale,
                         const struct vectors *tangent_scale, const uint8_t *to,
                         int16_t *out)
{
    const struct vectors normal = {vf_mul(sums->normal.x, normal_scale->x),
                                   vf_mul(sums->normal.y, normal_scale->y),
                                   vf_mul(sums->normal.z, normal_scale->z)};
    const struct vectors tangent = {vf_mul(sums->tangent.x, tangent_scale->x),
                                    vf_mul(sums->tangent.y, tangent_scale->y),
                                    vf_mul(sums->tangent.z, tangent_scale->z)};
    const struct vectors b = cross(normal, tangent);
    const vf normal_length = length(normal);
    const vf b_length = length(b);

    quaternions(vf_mul(normal_length, b_length), cross(b, normal),
                scaled(b, normal_length), scaled(normal, b_length), to, out);
}

RINGS_INLINE struct vectors set_vectors(const float s[3])
{
    const struct vectors v = {vf_set(s[0]), vf_set(s[1]), vf_set(s[2])};
    return v;
}

#define WINDOW_BLOCKS (RINGS_WINDOW / RINGS_LANES)
#define WINDOW_VECTORS (RINGS_WINDOW / VECTOR_LANES)

static void vector_guess(const struct ring_shape *shape,
                         const int16_t *positions, uint32_t first,
                         uint32_t limit, int16_t *guesses)
{
    const struct ring_scales scales = ring_scales_of(shape);
    const struct vectors normal_scale = set_vectors(scales.normal);
    const struct vectors tangent_scale = set_vectors(scales.tangent);
    struct sums sums[WINDOW_VECTORS];

    for (uint32_t b = first; b < limit; b += WINDOW_BLOCKS) {
        const size_t at = RINGS_LANES * (size_t)b;
        const uint32_t left = (limit - b) * (RINGS_LANES / VECTOR_LANES);
        const uint32_t count = left < WINDOW_VECTORS ? left : WINDOW_VECTORS;

        for (uint32_t i = 0; i < count; i++)
            sum_lanes(shape, b + i * VECTOR_LANES / RINGS_LANES,
                      i * VECTOR_LANES % RINGS_LANES, positions,
                      positions + 4 * at, &sums[i]);
        for (uint32_t i = 0; i < count; i++)
            rotate(&sums[i], &normal_scale, &tangent_scale,
                   shape->vertex + at + i * VECTOR_LANES, guesses);
        guesses += 4 * RINGS_WINDOW;
    }
}

#endif
