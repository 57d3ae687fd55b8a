/* ring_train.c - weights by least squares.
 *
 * With C_k the sectors' normals and t, u, n the axes of the QTangent, the part
 * of N = sum a_k C_k that is not along n is sum a_k (t C_k) and sum a_k (u
 * C_k); the sum of its squares over all frames is a' G a, and m_k the sum of (n
 * C_k). The `a` that makes the first least for a given m a is G^-1 m, of any
 * length. So it is for T = sum c_k d_k, of which only what lies along u is
 * wrong: what lies along n is taken out. Doubles in a fixed order, nothing of
 * the C library but sqrt.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/ring_train.h"

#include "compile/arith.h"
#include "geom/lift_wire.h"

#include <string.h>

#define SLOTS RINGS_SLOTS_MAX
/* Of the mean of the squares. It costs frames nothing, and without it weights
 * follow noise, which costs what is stored. */
#define RIDGE 1e-3

/* ---- least squares ------------------------------------------------------- */

struct squares {
    double g[SLOTS][SLOTS];
    double m[SLOTS];
};

static void add_square(struct squares *s, uint32_t count, const double *error)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i; j < count; j++)
            s->g[i][j] += error[i] * error[j];
}

/* Fill in the other half; the ridge keeps apart what the frames do not tell
 * apart. */
static void complete(struct squares *s, uint32_t n)
{
    double trace = 0;
    double m = 0;

    for (uint32_t i = 0; i < n; i++) {
        trace += s->g[i][i];
        m += s->m[i] * s->m[i];
        for (uint32_t j = 0; j < i; j++)
            s->g[i][j] = s->g[j][i];
    }
    for (uint32_t i = 0; i < n; i++)
        s->g[i][i] += RIDGE * trace / n + 1e-9 * m + 1e-30;
}

/* Gauss, of the rows and columns from `first` on; the right side becomes the
 * solution. */
static void solve(const struct squares *s, uint32_t first, uint32_t n,
                  double *right)
{
    struct squares a = *s;

    for (uint32_t i = first; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            const double f = a.g[k][i] / a.g[i][i];

            for (uint32_t j = i; j < n; j++)
                a.g[k][j] -= f * a.g[i][j];
            right[k] -= f * right[i];
        }
    for (uint32_t i = n; i-- > first;) {
        for (uint32_t j = i + 1; j < n; j++)
            right[i] -= a.g[i][j] * right[j];
        right[i] /= a.g[i][i];
    }
}

static double size_of(double x)
{
    return x < 0 ? -x : x;
}

/* To bytes, one weight after the other; those to come make up for what the
 * rounding of each does to the sum of squares. */
static void quantize(const struct squares *s, double weight_max, double *w,
                     uint32_t n, int8_t *out)
{
    double largest = 0;

    for (uint32_t i = 0; i < n; i++)
        largest = size_of(w[i]) > largest ? size_of(w[i]) : largest;
    for (uint32_t i = 0; i < n; i++)
        w[i] = largest > 0 ? weight_max * w[i] / largest : 0;
    for (uint32_t i = 0; i < n; i++) {
        const double x = w[i] > 127 ? 127 : w[i] < -127 ? -127 : w[i];
        double change[SLOTS];

        out[i] = (int8_t)(x < 0 ? x - 0.5 : x + 0.5);
        for (uint32_t k = i + 1; k < n; k++)
            change[k] = s->g[k][i] * (out[i] - w[i]);
        solve(s, i + 1, n, change);
        for (uint32_t k = i + 1; k < n; k++)
            w[k] -= change[k];
    }
}

struct axes {
    struct vec3 t;
    struct vec3 u;
    struct vec3 n;
};

static struct axes axes_of(const int16_t *q)
{
    const double square = (double)q[0] * q[0] + (double)q[1] * q[1] +
                          (double)q[2] * q[2] + (double)q[3] * q[3];
    const double s = square > 0 ? 2 / square : 0;
    const double x = q[0];
    const double y = q[1];
    const double z = q[2];
    const double w = q[3];
    const struct axes a = {
        {1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)},
        {s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)},
        {s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)}};
    return a;
}

static struct vec3 difference(const struct ring_part *part,
                              const int16_t *positions, uint32_t from,
                              uint32_t to)
{
    const int16_t *p = positions + 4 * (size_t)from;
    const int16_t *q = positions + 4 * (size_t)to;

    return vec3_make(((uint16_t)q[0] - (uint16_t)p[0]) * part->step[0],
                     ((uint16_t)q[1] - (uint16_t)p[1]) * part->step[1],
                     ((uint16_t)q[2] - (uint16_t)p[2]) * part->step[2]);
}

/* What one frame says about a vertex's sectors and neighbours. */
static void learn(const struct ring_part *part, const struct ring_around *ring,
                  uint32_t v, uint32_t frame, struct squares *sectors,
                  struct squares *along)
{
    const struct axes a = axes_of(part->qtangents[frame] + 4 * (size_t)v);
    double by_t[SLOTS];
    double by_u[SLOTS];
    double by_d[SLOTS];
    struct vec3 before = vec3_make(0, 0, 0);

    if (ring->count > 0)
        before = difference(part, part->positions[frame], v,
                            ring->vertex[ring->count - 1]);
    for (uint32_t k = 0; k < ring->count; k++) {
        const struct vec3 d =
            difference(part, part->positions[frame], v, ring->vertex[k]);
        const struct vec3 c =
            ring->is_gap[k] ? vec3_make(0, 0, 0) : vec3_cross(before, d);

        by_t[k] = vec3_dot(a.t, c);
        by_u[k] = vec3_dot(a.u, c);
        sectors->m[k] += vec3_dot(a.n, c);
        by_d[k] = ring->is_again[k] ? 0 : vec3_dot(a.u, d);
        along->m[k] += ring->is_again[k] ? 0 : vec3_dot(a.t, d);
        before = d;
    }
    add_square(sectors, ring->count, by_t);
    add_square(sectors, ring->count, by_u);
    add_square(along, ring->count, by_d);
}

/* ---- a part -------------------------------------------------------------- */

static void learned(struct squares *s, double weight_max, uint32_t n,
                    int8_t *weights)
{
    double w[SLOTS];

    complete(s, n);
    memcpy(w, s->m, sizeof w);
    solve(s, 0, n, w);
    quantize(s, weight_max, w, n, weights);
}

static void train_vertex(const struct ring_part *part,
                         const struct ring_around *ring, uint32_t v,
                         int8_t *sectors, int8_t *along)
{
    struct squares for_normal;
    struct squares for_tangent;

    memset(&for_normal, 0, sizeof for_normal);
    memset(&for_tangent, 0, sizeof for_tangent);
    for (uint32_t f = 0; f < part->frame_count; f++)
        learn(part, ring, v, f, &for_normal, &for_tangent);
    learned(&for_normal, part->weight_max, ring->count, sectors);
    learned(&for_tangent, part->weight_max, ring->count, along);
}

static void find_scale(const struct ring_part *part, uint16_t scale[3])
{
    double longest = 0;

    for (int i = 0; i < 3; i++)
        longest = part->step[i] > longest ? part->step[i] : longest;
    for (int i = 0; i < 3; i++)
        scale[i] =
            longest > 0
                /* NOLINTNEXTLINE(bugprone-incorrect-roundings): above 0. */
                ? (uint16_t)(RINGS_SCALE_ONE * (part->step[i] / longest) + 0.5)
                : 0;
}

void ring_train(const struct ring_part *part, struct arena *arena,
                struct ring_shape *out)
{
    const uint32_t blocks = ring_block_count(part->vertex_count);
    const struct ring_arrays to = {
        .slot_count = blocks * SLOTS,
        .first = ARENA_NEW(arena, uint32_t, blocks + 1),
        .slots = ARENA_NEW(arena, struct ring_slot, (size_t)blocks * SLOTS),
        .vertex = ARENA_NEW(arena, uint8_t, (size_t)blocks * RINGS_LANES)};
    struct ring_corners *corners;
    struct ring_window *window;
    struct arena scratch;

    arena_init(&scratch);
    corners = ARENA_NEW(&scratch, struct ring_corners, 1);
    window = ARENA_NEW(&scratch, struct ring_window, 1);
    spn__ring_corners_find(part->triangles, corners);
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        const uint32_t i = v % RINGS_WINDOW;

        spn__ring_walk(corners, ring_welded(part->triangles, v),
                       &window->ring[i]);
        train_vertex(part, &window->ring[i], v, window->sectors[i],
                     window->along[i]);
        if (i == RINGS_WINDOW - 1 || v == part->vertex_count - 1)
            (void)spn__rings_deal(window, v - i, i + 1, &to);
    }
    arena_free(&scratch);
    out->vertex_count = part->vertex_count;
    out->first = to.first;
    out->slots = to.slots;
    out->vertex = to.vertex;
    find_scale(part, out->scale);
}

#undef SLOTS
