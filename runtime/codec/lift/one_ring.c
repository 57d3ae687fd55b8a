/* one_ring.c - the scalar guess, which is the reference (ONE_RINGS.md).
 *
 * Some machines keep more digits than a float has. There, each result goes
 * through memory, which rounds it a second time. The result is still the
 * correctly rounded one, because a double has more than twice the digits.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "codec/lift/one_ring_formulas.h"
#include "codec/lift/root.h"

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
typedef volatile float single;
#else
typedef float single;
#endif

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

static void cross(const float a[3], const float b[3], float c[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3;
        const uint32_t k = (i + 2) % 3;

        c[i] = sub(mul(a[j], b[k]), mul(a[k], b[j]));
    }
}

static void add_scaled(float sum[3], const float a[3], float s)
{
    for (uint32_t i = 0; i < 3; i++)
        sum[i] = add(sum[i], mul(a[i], s));
}

static float length(const float a[3])
{
    const float square =
        add(add(mul(a[0], a[0]), mul(a[1], a[1])), mul(a[2], a[2]));

    return spn__float_root(square > ONE_RING_SQUARE_MIN ? square
                                                        : ONE_RING_SQUARE_MIN);
}

/* Nearest integer, a half to even: beyond 2^23 a float has no fraction. */
static int16_t rounded(float x)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23 */

    return (int16_t)sub(add(x, shift), shift);
}

/* Let q be the unit quaternion x, y, z, w. The number in row i and column j of
 * `rows` is 4 s q_i q_j. So each row is q, times 4 s q_i. The row with the
 * largest number on the diagonal is used. */
static void quaternion(float s, const float t[3], const float u[3],
                       const float n[3], int16_t *q)
{
    const float more = add(s, t[0]);
    const float less = sub(s, t[0]);
    const float sum = add(u[1], n[2]);
    const float difference = sub(u[1], n[2]);
    const float xw = sub(u[2], n[1]);
    const float yw = sub(n[0], t[2]);
    const float zw = sub(t[1], u[0]);
    const float xy = add(t[1], u[0]);
    const float xz = add(t[2], n[0]);
    const float yz = add(u[2], n[1]);
    const float rows[4][4] = {{sub(more, sum), xy, xz, xw},
                              {xy, add(less, difference), yz, yw},
                              {xz, yz, sub(less, difference), zw},
                              {xw, yw, zw, add(more, sum)}};
    uint32_t row = 3;
    float to_length;

    for (uint32_t i = 0; i < 3; i++)
        if (rows[i][i] > rows[row][row])
            row = i;
    to_length =
        divide(ONE_RING_HALF_LENGTH, spn__float_root(mul(s, rows[row][row])));
    for (uint32_t i = 0; i < 4; i++)
        q[i] = rounded(mul(rows[row][i], to_length));
}

static void guess_vertex(const struct one_rings *rings,
                         const struct one_ring_scales *scales,
                         const int16_t *positions, uint32_t batch,
                         uint32_t lane, uint32_t v, int16_t *q)
{
    const uint32_t first = rings->first_slot[batch];
    const uint32_t count = rings->first_slot[batch + 1] - first;
    const int16_t *p = positions + 4 * (size_t)v;
    float normal[3] = {0};
    float tangent[3] = {0};
    /* The slots, the first one again, and one with a weight of 0. */
    struct {
        float d[4];
        float a;
    } s[ONE_RING_SLOTS_MAX + 2];
    float sign = 1;
    float c[4];
    float u[3];
    float t[3];
    float normal_length;
    float u_length;

    for (uint32_t k = 0; count > 0 && k < count + 2; k++) {
        const struct one_ring_slot *slot =
            rings->slots + first + (k < count ? k : 0);
        const int16_t *neighbour =
            positions + 4 * (size_t)slot->neighbour[lane];

        for (uint32_t i = 0; i < 4; i++)
            s[k].d[i] = (float)((uint16_t)neighbour[i] - (uint16_t)p[i]);
        s[k].a = k <= count ? (float)slot->sector_weight[lane] : 0;
        if (!rings->by_uvs && k < count)
            add_scaled(tangent, s[k].d, (float)slot->neighbour_weight[lane]);
        else if (k == 0)
            sign = (float)slot->neighbour_weight[lane];
    }
    for (uint32_t k = 1; k <= count; k += 2) {
        for (uint32_t i = 0; i < 4; i++)
            c[i] =
                sub(mul(s[k + 1].d[i], s[k + 1].a), mul(s[k - 1].d[i], s[k].a));
        cross(s[k].d, c, u);
        add_scaled(normal, u, 1);
        if (rings->by_uvs) {
            add_scaled(tangent, s[k].d, c[3]);
            add_scaled(tangent, c, -s[k].d[3]);
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        normal[i] = mul(normal[i], scales->normal[i]);
        tangent[i] = mul(mul(tangent[i], sign), scales->tangent[i]);
    }
    cross(normal, tangent, u);
    cross(u, normal, t);
    normal_length = length(normal);
    u_length = length(u);
    for (uint32_t i = 0; i < 3; i++) {
        u[i] = mul(u[i], normal_length);
        normal[i] = mul(normal[i], u_length);
    }
    quaternion(mul(normal_length, u_length), t, u, normal, q);
}

static void guess(const struct one_rings *rings, const int16_t *positions,
                  uint32_t first, uint32_t limit, int16_t *guesses)
{
    const struct one_ring_scales scales = one_ring_scales_of(rings);

    for (uint32_t i = ONE_RING_LANES * first; i < ONE_RING_LANES * limit; i++) {
        const uint32_t v =
            i / ONE_RING_WINDOW * ONE_RING_WINDOW + rings->vertex[i];

        if (v < rings->vertex_count)
            guess_vertex(rings, &scales, positions, i / ONE_RING_LANES,
                         i % ONE_RING_LANES, v,
                         guesses + 4 * (size_t)(v - ONE_RING_LANES * first));
    }
}

void spn__one_ring_ops_init(struct one_ring_ops *ops, uint32_t cpu)
{
    ops->guess = guess;
    if (cpu & SPN_CPU_SSE41)
        spn__one_ring_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__one_ring_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__one_ring_ops_neon(ops);
}
