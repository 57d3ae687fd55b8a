/* rings.c - the scalar guess, which is the specification, and the door.
 *
 * The steps are written in the order in which the vectors take them. On
 * machines that keep more digits than a float has, each result goes through
 * memory: a double or extended result of one operation, rounded again, is the
 * correctly rounded one.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/rings.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "base/wire.h"

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
typedef volatile float single;
#else
typedef float single;
#endif

struct vector {
    float x;
    float y;
    float z;
};

static float add(float a, float b)
{
    single sum = a + b;
    return sum;
}

static float sub(float a, float b)
{
    single difference = a - b;
    return difference;
}

static float mul(float a, float b)
{
    single product = a * b;
    return product;
}

static float divide(float a, float b)
{
    single quotient = a / b;
    return quotient;
}

/* m * 2^e with m of 24 bits: the root of m * 2^k is found bit by bit, with k
 * such that it has one bit more than a float holds. Never half way: its square
 * would be odd. */
float spn__rings_sqrt(float x)
{
    uint32_t bits;
    uint64_t square;
    uint64_t root = 0;
    int32_t exponent;

    memcpy(&bits, &x, sizeof bits);
    exponent = (int32_t)(bits >> 23) - 127;
    square = (uint64_t)((bits & 0x7fffffu) | 0x800000u) << 25;
    if (exponent & 1) {
        square <<= 1;
        exponent--;
    }
    for (uint64_t bit = (uint64_t)1 << 24; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square)
            root += bit;
    root = (root + 1) >> 1;
    bits =
        ((uint32_t)(exponent / 2 + 127) << 23) + ((uint32_t)root - 0x800000u);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static struct vector cross(struct vector a, struct vector b)
{
    struct vector c;

    c.x = sub(mul(a.y, b.z), mul(a.z, b.y));
    c.y = sub(mul(a.z, b.x), mul(a.x, b.z));
    c.z = sub(mul(a.x, b.y), mul(a.y, b.x));
    return c;
}

static struct vector scaled(struct vector a, float s)
{
    struct vector b = {mul(a.x, s), mul(a.y, s), mul(a.z, s)};
    return b;
}

static struct vector plus(struct vector a, struct vector b)
{
    struct vector c = {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
    return c;
}

static struct vector unit(struct vector a)
{
    float square = add(add(mul(a.x, a.x), mul(a.y, a.y)), mul(a.z, a.z));

    if (!(square > 1e-20f))
        square = 1e-20f;
    return scaled(a, divide(1.0f, spn__rings_sqrt(square)));
}

/* Nearest integer, a half to even: beyond 2^23 a float has no fraction. */
static int16_t rounded(float x)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23 */

    return (int16_t)sub(add(x, shift), shift);
}

static void put(int16_t *q, float x, float y, float z, float w, float square)
{
    const float to_511 = divide(255.5f, spn__rings_sqrt(square));

    q[0] = rounded(mul(x, to_511));
    q[1] = rounded(mul(y, to_511));
    q[2] = rounded(mul(z, to_511));
    q[3] = rounded(mul(w, to_511));
}

/* Each square is four times that of a component; the sums and differences are
 * four times the products of two. */
static void quaternion(struct vector t, struct vector u, struct vector n,
                       int16_t *q)
{
    const float more = add(1.0f, t.x);
    const float less = sub(1.0f, t.x);
    const float sum = add(u.y, n.z);
    const float difference = sub(u.y, n.z);
    const float ww = add(more, sum);
    const float xx = sub(more, sum);
    const float yy = add(less, difference);
    const float zz = sub(less, difference);
    const float xw = sub(u.z, n.y);
    const float yw = sub(n.x, t.z);
    const float zw = sub(t.y, u.x);
    const float xy = add(t.y, u.x);
    const float xz = add(t.z, n.x);
    const float yz = add(u.z, n.y);
    const float high = ww > xx ? ww : xx;
    const float low = yy > zz ? yy : zz;
    const float largest = high > low ? high : low;

    if (ww == largest)
        put(q, xw, yw, zw, ww, largest);
    else if (xx == largest)
        put(q, xx, xy, xz, xw, largest);
    else if (yy == largest)
        put(q, xy, yy, yz, yw, largest);
    else
        put(q, xz, yz, zz, zw, largest);
}

static struct vector difference(const int16_t *positions, uint32_t from,
                                uint32_t to)
{
    const int16_t *p = positions + 4 * (size_t)from;
    const int16_t *q = positions + 4 * (size_t)to;
    const struct vector d = {(float)((uint16_t)q[0] - (uint16_t)p[0]),
                             (float)((uint16_t)q[1] - (uint16_t)p[1]),
                             (float)((uint16_t)q[2] - (uint16_t)p[2])};
    return d;
}

static void guess_vertex(const struct ring_shape *shape,
                         const int16_t *positions, uint32_t v, int16_t *q)
{
    const uint32_t block = v / RINGS_LANES;
    const float one = 1.0f / RINGS_SCALE_ONE;
    const struct vector scale = {(float)shape->scale[0] * one,
                                 (float)shape->scale[1] * one,
                                 (float)shape->scale[2] * one};
    struct vector normal = {0, 0, 0};
    struct vector tangent = {0, 0, 0};
    struct vector before = {0, 0, 0};
    struct vector n;
    struct vector u;

    for (uint32_t s = shape->first[block]; s < shape->first[block + 1]; s++) {
        const size_t at = RINGS_LANES * (size_t)s + v % RINGS_LANES;
        const struct vector d = difference(positions, v, shape->neighbours[at]);

        if (s > shape->first[block])
            normal = plus(normal,
                          scaled(cross(before, d), (float)shape->sectors[at]));
        tangent = plus(tangent, scaled(d, (float)shape->along[at]));
        before = d;
    }
    normal.x = mul(normal.x, mul(scale.y, scale.z));
    normal.y = mul(normal.y, mul(scale.z, scale.x));
    normal.z = mul(normal.z, mul(scale.x, scale.y));
    tangent.x = mul(tangent.x, scale.x);
    tangent.y = mul(tangent.y, scale.y);
    tangent.z = mul(tangent.z, scale.z);
    n = unit(normal);
    u = unit(cross(n, tangent));
    quaternion(cross(u, n), u, n, q);
}

static void guess(const struct ring_shape *shape, const int16_t *positions,
                  int16_t *guesses)
{
    for (uint32_t v = 0; v < shape->vertex_count; v++)
        guess_vertex(shape, positions, v, guesses + 4 * (size_t)v);
}

void spn__ring_ops_init(struct ring_ops *ops, uint32_t cpu)
{
    ops->guess = guess;
    if (cpu & SPN_CPU_SSE41)
        spn__ring_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__ring_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__ring_ops_neon(ops);
}

/* ---- the door ------------------------------------------------------------ */

spn_status spn__rings_judge(const struct ring_shape *shape,
                            struct spn_fault *fault)
{
    const uint32_t blocks = ring_block_count(shape->vertex_count);

    if (shape->vertex_count < 1 || shape->vertex_count > RINGS_VERTICES_MAX)
        return wire_refuse(fault, "vertices with rings", 0,
                           shape->vertex_count);
    for (uint32_t i = 0; i < 3; i++)
        if (shape->scale[i] > RINGS_SCALE_ONE)
            return wire_refuse(fault, "scale of an axis", i, shape->scale[i]);
    if (shape->first[0] != 0)
        return wire_refuse(fault, "first ring", 0, shape->first[0]);
    for (uint32_t b = 0; b < blocks; b++)
        if (shape->first[b + 1] < shape->first[b] ||
            shape->first[b + 1] - shape->first[b] > RINGS_SLOTS_MAX)
            return wire_refuse(fault, "slots of a ring", b,
                               shape->first[b + 1]);
    for (size_t i = 0; i < RINGS_LANES * (size_t)shape->first[blocks]; i++)
        if (shape->neighbours[i] >= shape->vertex_count)
            return wire_refuse_wide(fault, "neighbour in a ring", i,
                                    shape->neighbours[i]);
    return SPN_OK;
}
