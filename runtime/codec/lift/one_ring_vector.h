/* one_ring_vector.h - derived QTangents, in the primitives of simd_*.h.
 *
 * Each file named for an instruction set includes its simd_*.h, then this. A
 * vector holds one number of VECTOR_LANES vertices.
 *
 * The operations are in the same order as in the scalar code. Each step is done
 * for a batch of vectors before the next step: sums, then axes, then rotations.
 * So the slow square roots and divisions of several vectors overlap.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_VECTOR_H
#define SPN_CODEC_LIFT_ONE_RING_VECTOR_H

#include "base/compiler.h"
#include "codec/lift/one_ring_formulas.h"

#define VECTOR_LANES (VECTOR_BYTES / 4u)

struct vectors {
    vf x;
    vf y;
    vf z;
};

/* Positions, or differences of positions, and the second UV coordinate. */
struct places {
    struct vectors at;
    vf v;
};

/* Positions of the vertices r[0], r[1] ..., plus 2^23. A float from there on
 * has the integer in its low bits; differences cancel the 2^23. */
SPN_INLINE struct places load_places(const int16_t *positions,
                                     const uint16_t *r)
{
    const vi high = vi_set32(0x4b000000);
    const vi a = vi_gather64(positions, r, 1, 4);
    const vi b = vi_gather64(positions, r + 2, 1, 4);
    const vi xy = vi_even32(a, b);
    const vi zw = vi_odd32(a, b);
    const struct places p = {
        {vi_floats(vi_blend16(xy, high, 0xaa)),
         vi_floats(vi_blend16(vi_right32(xy, 16), high, 0xaa)),
         vi_floats(vi_blend16(zw, high, 0xaa))},
        vi_floats(vi_blend16(vi_right32(zw, 16), high, 0xaa))};

    return p;
}

/* Four planes of components, rounded, to the vertices to[0], to[1] ... */
SPN_INLINE void store_quaternions(int16_t *out, const uint8_t *to,
                                  const vf q[4])
{
    const vi xy = vi_pack_i32(vf_round(q[0]), vf_round(q[1]));
    const vi zw = vi_pack_i32(vf_round(q[2]), vf_round(q[3]));
    const vi xz = vi_zip_low16(xy, zw); /* x z x z ... */
    const vi yw = vi_zip_high16(xy, zw);

    vi_scatter64(out, to, 4, vi_zip_low16(xz, yw));
    vi_scatter64(out, to + 2, 4, vi_zip_high16(xz, yw));
}

SPN_INLINE struct vectors cross(struct vectors a, struct vectors b)
{
    const struct vectors c = {vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)),
                              vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
                              vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
    return c;
}

SPN_INLINE struct vectors minus(struct vectors a, struct vectors b)
{
    const struct vectors c = {vf_sub(a.x, b.x), vf_sub(a.y, b.y),
                              vf_sub(a.z, b.z)};
    return c;
}

SPN_INLINE struct vectors scaled(struct vectors a, vf s)
{
    const struct vectors b = {vf_mul(a.x, s), vf_mul(a.y, s), vf_mul(a.z, s)};
    return b;
}

SPN_INLINE struct vectors plus(struct vectors a, struct vectors b)
{
    const struct vectors c = {vf_add(a.x, b.x), vf_add(a.y, b.y),
                              vf_add(a.z, b.z)};
    return c;
}

SPN_INLINE vf length(struct vectors a)
{
    const vf square =
        vf_add(vf_add(vf_mul(a.x, a.x), vf_mul(a.y, a.y)), vf_mul(a.z, a.z));

    return vf_sqrt(vf_max(square, vf_set(ONE_RING_SQUARE_MIN)));
}

SPN_INLINE vf pick(vf w, vf x, vf y, vf z, const vf is[3])
{
    return vf_select(is[0], w, vf_select(is[1], x, vf_select(is[2], y, z)));
}

SPN_INLINE void quaternions(vf s, struct vectors t, struct vectors u,
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
        vf_div(vf_set(ONE_RING_HALF_LENGTH), vf_sqrt(vf_mul(s, largest)));
    const vf q[4] = {vf_mul(pick(xw, xx, xy, xz, is), to_length),
                     vf_mul(pick(yw, xy, yy, yz, is), to_length),
                     vf_mul(pick(zw, xz, yz, zz, is), to_length),
                     vf_mul(pick(ww, xw, yw, zw, is), to_length)};

    store_quaternions(out, to, q);
}

SPN_INLINE struct places difference(const int16_t *positions,
                                    struct places from,
                                    const uint16_t *neighbours)
{
    const struct places p = load_places(positions, neighbours);
    const struct places d = {minus(p.at, from.at), vf_sub(p.v, from.v)};

    return d;
}

/* Of one vector of vertices: first N and T; then N and B, and their lengths. */
struct axes {
    struct vectors normal;
    struct vectors tangent;
    vf normal_length;
    vf tangent_length;
};

struct sums {
    struct vectors normal;
    struct vectors tangent;
};

/* C of the slots before and after a middle one. */
SPN_INLINE struct places between(struct places before, const int8_t *weights,
                                 struct places behind,
                                 const int8_t *weights_behind)
{
    const vf a = vf_load_i8(weights);
    const vf b = vf_load_i8(weights_behind);
    const struct places c = {minus(scaled(behind.at, b), scaled(before.at, a)),
                             vf_sub(vf_mul(behind.v, b), vf_mul(before.v, a))};

    return c;
}

/* The same without a slot after it. */
SPN_INLINE struct places up_to(struct places before, const int8_t *weights)
{
    const vf a = vf_sub(vf_set(0.0f), vf_load_i8(weights));
    const struct places c = {scaled(before.at, a), vf_mul(before.v, a)};

    return c;
}

/* Add two sectors; d is their middle slot. */
SPN_INLINE void add_sectors(struct places d, struct places c, bool by_uvs,
                            struct sums *sums)
{
    sums->normal = plus(sums->normal, cross(d.at, c.at));
    if (by_uvs)
        sums->tangent =
            minus(plus(sums->tangent, scaled(d.at, c.v)), scaled(c.at, d.v));
}

/* Add c_k d_k. */
SPN_INLINE void add_slot(struct places d, const struct one_ring_slot *slot,
                         uint32_t lane, bool by_uvs, struct sums *sums)
{
    if (!by_uvs)
        sums->tangent =
            plus(sums->tangent,
                 scaled(d.at, vf_load_i8(slot->neighbour_weight + lane)));
}

/* Sum VECTOR_LANES rings from number `lane` of a batch on. `window` has the
 * positions from the first vertex of its window on. */
SPN_INLINE void sum_lanes(const struct one_rings *rings, uint32_t batch,
                          uint32_t lane, const int16_t *positions,
                          const int16_t *window, bool by_uvs, struct axes *out)
{
    const vf zero = vf_set(0.0f);
    const struct one_ring_slot *const start =
        rings->slots + rings->first_slot[batch];
    const struct one_ring_slot *const end =
        rings->slots + rings->first_slot[batch + 1];
    const struct one_ring_slot *slot = start + 1;
    const uint8_t *vertex =
        rings->vertex + ONE_RING_LANES * (size_t)batch + lane;
    struct sums sums = {{zero, zero, zero}, {zero, zero, zero}};
    struct places before;
    struct places first;
    struct places self;
    struct places d;
    uint16_t own[VECTOR_LANES];

    if (start < end) {
        for (uint32_t i = 0; i < VECTOR_LANES; i++)
            own[i] = vertex[i];
        self = load_places(window, own);
        first = difference(positions, self, start->neighbour + lane);
        before = first;
        add_slot(first, start, lane, by_uvs, &sums);
        for (; slot + 1 < end; slot += 2) {
            struct places behind;

            d = difference(positions, self, slot[0].neighbour + lane);
            add_slot(d, slot, lane, by_uvs, &sums);
            behind = difference(positions, self, slot[1].neighbour + lane);
            add_sectors(d,
                        between(before, slot[0].sector_weight + lane, behind,
                                slot[1].sector_weight + lane),
                        by_uvs, &sums);
            add_slot(behind, slot + 1, lane, by_uvs, &sums);
            before = behind;
        }
        if (slot < end) {
            d = difference(positions, self, slot->neighbour + lane);
            add_slot(d, slot, lane, by_uvs, &sums);
            add_sectors(d,
                        between(before, slot->sector_weight + lane, first,
                                start->sector_weight + lane),
                        by_uvs, &sums);
        } else {
            add_sectors(first, up_to(before, start->sector_weight + lane),
                        by_uvs, &sums);
        }
        if (by_uvs)
            sums.tangent = scaled(sums.tangent,
                                  vf_load_i8(start->neighbour_weight + lane));
    }
    out->normal = sums.normal;
    out->tangent = sums.tangent;
}

SPN_INLINE struct vectors stretched(struct vectors a, struct vectors s)
{
    const struct vectors b = {vf_mul(a.x, s.x), vf_mul(a.y, s.y),
                              vf_mul(a.z, s.z)};
    return b;
}

SPN_INLINE void find_axes(struct vectors normal_scale,
                          struct vectors tangent_scale, struct axes *axes)
{
    const struct vectors normal = stretched(axes->normal, normal_scale);
    const struct vectors b =
        cross(normal, stretched(axes->tangent, tangent_scale));

    axes->normal = normal;
    axes->tangent = b;
    axes->normal_length = length(normal);
    axes->tangent_length = length(b);
}

SPN_INLINE void rotate(const struct axes *axes, const uint8_t *to, int16_t *out)
{
    quaternions(vf_mul(axes->normal_length, axes->tangent_length),
                cross(axes->tangent, axes->normal),
                scaled(axes->tangent, axes->normal_length),
                scaled(axes->normal, axes->tangent_length), to, out);
}

SPN_INLINE struct vectors set_vectors(const float s[3])
{
    const struct vectors v = {vf_set(s[0]), vf_set(s[1]), vf_set(s[2])};
    return v;
}

/* Vectors of a batch. */
#define BATCH 4u

/* Sum `count` vectors from vertex `v` on, all of one window. */
SPN_INLINE void sum_batch(const struct one_rings *rings, uint32_t v,
                          const int16_t *positions, uint32_t count, bool by_uvs,
                          struct axes *axes)
{
    const int16_t *window =
        positions + 4 * (size_t)(v / ONE_RING_WINDOW * ONE_RING_WINDOW);

    for (uint32_t i = 0; i < count; i++, v += VECTOR_LANES)
        sum_lanes(rings, v / ONE_RING_LANES, v % ONE_RING_LANES, positions,
                  window, by_uvs, &axes[i]);
}

/* Not in line: it needs many registers. */
static SPN_NOINLINE void sum_batch_by_uvs(const struct one_rings *rings,
                                          uint32_t v, const int16_t *positions,
                                          uint32_t count, struct axes *axes)
{
    sum_batch(rings, v, positions, count, true, axes);
}

static void vector_guess(const struct one_rings *rings,
                         const int16_t *positions, uint32_t first,
                         uint32_t limit, int16_t *guesses)
{
    const struct one_ring_scales scales = one_ring_scales_of(rings);
    const struct vectors normal_scale = set_vectors(scales.normal);
    const struct vectors tangent_scale = set_vectors(scales.tangent);
    const uint32_t end = ONE_RING_LANES * limit;

    for (uint32_t v = ONE_RING_LANES * first; v < end;
         v += BATCH * VECTOR_LANES) {
        const uint32_t left = (end - v) / VECTOR_LANES;
        const uint32_t count = left < BATCH ? left : BATCH;
        const size_t window = v / ONE_RING_WINDOW * ONE_RING_WINDOW;
        const uint8_t *to = rings->vertex + v;
        int16_t *out = guesses + 4 * (window - ONE_RING_LANES * first);
        struct axes axes[BATCH];

        if (rings->by_uvs)
            sum_batch_by_uvs(rings, v, positions, count, axes);
        else
            sum_batch(rings, v, positions, count, false, axes);
        for (uint32_t i = 0; i < count; i++)
            find_axes(normal_scale, tangent_scale, &axes[i]);
        for (uint32_t i = 0; i < count; i++)
            rotate(&axes[i], to + i * VECTOR_LANES, out);
    }
}

#endif
