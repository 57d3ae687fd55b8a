/* one_ring_train.c - trains the weights of one-rings by least squares, and
 * rounds them to values that take few bits.
 *
 * one_ring.h defines N = sum_k a_k C_k and T = sum_k c_k d_k, where C_k is the
 * cross product of sector k and d_k the direction to neighbour k. Let t, u and
 * n be the axes of the true QTangent. The error of N is its part along t and u,
 * so the sum of the squared errors over the frames is a' G a, with G_ij = sum
 * (t C_i)(t C_j) + (u C_i)(u C_j). The length of N along n is m a, with m_i =
 * sum (n C_i). The weights with the least error for a given length are G^-1 m
 * times any factor. For T the error is the part along u alone, because the
 * decoder removes the part along n, and the length is along t. For one-rings
 * with UVs, T has the same weights as N up to a sign, so both errors are added,
 * scaled to the same length.
 *
 * The exact weights are then rounded one after another. The model that codes
 * them (one_ring_model.h) predicts each weight from those before it, and
 * weights near the prediction take few bits. For each weight, the value is
 * chosen that has the least sum of two costs: its bits, and the bits of the
 * error that it adds in all frames. The weights after it are corrected to
 * compensate its error.
 *
 * Doubles are added in a fixed order, and sqrt is the only function called from
 * the C library, so the result is the same on every machine.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/one_ring_train.h"

#include "codec/channel.h"
#include "codec/lift/lift_wire.h"
#include "compile/math/arith.h"

#include <string.h>

/* The coder that one_ring_model.h is compiled with here. It writes nothing and
 * sets each weight when the model codes it (code_choice). */
struct coder;
static void code_choice(struct coder *c, int32_t guess, int8_t *weight);

static inline uint32_t code_bit(struct coder *c, struct chance *chance,
                                uint32_t bit)
{
    (void)c;
    (void)chance;
    return bit != 0;
}

static inline uint32_t code_even(struct coder *c, uint32_t count, uint32_t bits)
{
    (void)c;
    (void)count;
    return bits;
}

#include "codec/lift/one_ring_model.h"

#define SLOTS ONE_RING_SLOTS_MAX
/* Ridge, as a part of the mean diagonal of G. It does not make frames larger.
 * Without it, weights fit noise and take more bytes. */
#define RIDGE 1e-3

/* -- least squares -- */

/* Index 0: the sectors of N; index 1: the neighbours of T. Both systems are
 * solved side by side, in loops that compilers vectorize. */
#define KINDS 2

typedef double row[SLOTS][KINDS];

struct squares {
    row g[SLOTS];
    row m;
};

static void add_square(struct squares *s, uint32_t count, row error)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i; j < count; j++)
            for (int x = 0; x < KINDS; x++)
                s->g[i][j][x] += error[i][x] * error[j][x];
}

/* Fill in the lower triangle and add the ridge, so that the system has one
 * solution even if all frames are alike. */
static void complete(struct squares *s, uint32_t n)
{
    double trace[KINDS] = {0};
    double m[KINDS] = {0};

    for (uint32_t i = 0; i < n; i++) {
        for (int x = 0; x < KINDS; x++) {
            trace[x] += s->g[i][i][x];
            m[x] += s->m[i][x] * s->m[i][x];
        }
        for (uint32_t j = 0; j < i; j++)
            for (int x = 0; x < KINDS; x++)
                s->g[i][j][x] = s->g[j][i][x];
    }
    for (uint32_t i = 0; i < n; i++)
        for (int x = 0; x < KINDS; x++)
            s->g[i][i][x] += RIDGE * trace[x] / n + 1e-9 * m[x] + 1e-30;
}

/* LU decomposition of the rows and columns from `first` on, in place: L below
 * the diagonal, U on and above it. */
static void eliminate(const struct squares *s, uint32_t first, uint32_t n,
                      row *a)
{
    for (uint32_t i = first; i < n; i++)
        memcpy(a[i][first], s->g[i][first], (n - first) * sizeof a[i][first]);
    for (uint32_t i = first; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            double f[KINDS];

            for (int x = 0; x < KINDS; x++)
                f[x] = a[k][i][x] /= a[i][i][x];
            for (uint32_t j = i + 1; j < n; j++)
                for (int x = 0; x < KINDS; x++)
                    a[k][j][x] -= f[x] * a[i][j][x];
        }
}

/* Solve with the decomposition of eliminate(). `right` becomes the solution. */
static void solve(row *a, uint32_t first, uint32_t n, row right)
{
    for (uint32_t i = first; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++)
            for (int x = 0; x < KINDS; x++)
                right[k][x] -= a[k][i][x] * right[i][x];
    for (uint32_t i = n; i-- > first;) {
        for (uint32_t j = i + 1; j < n; j++)
            for (int x = 0; x < KINDS; x++)
                right[i][x] -= a[i][j][x] * right[j][x];
        for (int x = 0; x < KINDS; x++)
            right[i][x] /= a[i][i][x];
    }
}

/* Solve one of the two systems with the decomposition of eliminate(). */
static void solve_one(row *a, uint32_t first, uint32_t n, int kind,
                      double *right)
{
    for (uint32_t i = first; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++)
            right[k] -= a[k][i][kind] * right[i];
    for (uint32_t i = n; i-- > first;) {
        for (uint32_t j = i + 1; j < n; j++)
            right[i] -= a[i][j][kind] * right[j];
        right[i] /= a[i][i][kind];
    }
}

static double size_of(double x)
{
    return x < 0 ? -x : x;
}

/* -- rounding -- */

/* The rounding of the weights of one vertex. */
struct coder {
    int32_t weight_max;
    uint32_t count;
    int8_t *weights[KINDS];
    struct squares squares; /* the squared error is d' g d for a change d */
    row w;                  /* best weights, given those that are rounded */
    double bits[KINDS];     /* cost of a squared error of 1, in all frames */
    /* Of each weight: the squared error of a change by 1 if the weights after
     * it compensate, and the decomposition for these. */
    row stiff;
    row left[SLOTS][SLOTS];
};

/* Return about the bits of a weight whose prediction is wrong by x. */
static double number_bits(int32_t x)
{
    const uint32_t magnitude = (uint32_t)(x < 0 ? -x : x);

    return magnitude > 0 ? 0.5 + 2 * (32 - __builtin_clz(magnitude)) : 0.5;
}

static void find_stiffness(struct coder *c)
{
    for (uint32_t k = 0; k < c->count; k++) {
        row follow = {{0}};
        double *stiff = c->stiff[k];

        for (uint32_t i = k + 1; i < c->count; i++)
            memcpy(follow[i], c->squares.g[i][k], sizeof follow[i]);
        eliminate(&c->squares, k + 1, c->count, c->left[k]);
        solve(c->left[k], k + 1, c->count, follow);
        memcpy(stiff, c->squares.g[k][k], sizeof c->stiff[k]);
        for (uint32_t i = k + 1; i < c->count; i++)
            for (int x = 0; x < KINDS; x++)
                stiff[x] -= c->squares.g[i][k][x] * follow[i][x];
        for (int x = 0; x < KINDS; x++)
            stiff[x] = stiff[x] > 0 ? stiff[x] : 0;
    }
}

static void make_up(struct coder *c, int kind, uint32_t k)
{
    double change[SLOTS] = {0};

    for (uint32_t i = k + 1; i < c->count; i++)
        change[i] =
            c->squares.g[i][k][kind] * (c->weights[kind][k] - c->w[k][kind]);
    solve_one(c->left[k], k + 1, c->count, kind, change);
    for (uint32_t i = k + 1; i < c->count; i++)
        c->w[i][kind] -= change[i];
}

static int32_t nearest(double x, int32_t weight_max)
{
    return x > weight_max    ? weight_max
           : x < -weight_max ? -weight_max
                             : (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
}

/* Try all values from the best weight to the prediction `guess`, and take the
 * cheapest. The search ends where the error alone costs more than the best. */
static void code_choice(struct coder *c, int32_t guess, int8_t *weight)
{
    const int kind = weight < c->weights[0] || weight >= c->weights[0] + SLOTS;
    const uint32_t k = (uint32_t)(weight - c->weights[kind]);
    const double w = c->w[k][kind];
    const double stiff = c->bits[kind] * c->stiff[k][kind];
    double least = -1;

    for (int32_t x = nearest(w, c->weight_max);; x += guess > x ? 1 : -1) {
        const double off = x - w;
        const double bits = stiff * off * off + number_bits(x - guess);

        if (least < 0 || bits < least) {
            least = bits;
            *weight = (int8_t)x;
        }
        if (x == guess || stiff * off * off + number_bits(0) > least)
            break;
    }
    make_up(c, kind, k);
}

/* Cost of doubling the length of the weights. The length is free in itself, but
 * weights must fit in a byte. */
#define LENGTH_BITS 400.0

static double largest_of(row w, uint32_t n, int kind)
{
    double largest = 0;

    for (uint32_t i = 0; i < n; i++)
        largest = size_of(w[i][kind]) > largest ? size_of(w[i][kind]) : largest;
    return largest;
}

/* Scale the best weights `w` = G^-1 m by c so that the largest is `weight_max`,
 * and compute the cost of changing them. With q = m w, a change d adds
 * (d' G d - c (m d)^2 / q) / q^2 to the squared angle. A change along w only
 * changes the length, and costs LENGTH_BITS instead. `payers`: bits that all
 * frames of the clip pay for a squared error of 1 in a QTangent's component. */
static void prepare(const struct squares *squares, row w, uint32_t n,
                    double weight_max, double payers, uint32_t frame_count,
                    struct coder *out)
{
    /* An angle moves a QTangent by half its length. */
    const double length = QTANGENT_ONE / 2.0;
    struct squares *s = &out->squares;
    double along_w[KINDS] = {0};

    out->count = n;
    for (int x = 0; x < KINDS; x++) {
        const double largest = largest_of(w, n, x);
        double q = 0;

        for (uint32_t i = 0; i < n; i++) {
            out->w[i][x] = w[i][x] * (largest > 0 ? weight_max / largest : 0);
            q += squares->m[i][x] * out->w[i][x];
        }
        out->bits[x] = 0;
        if (!(q > 0))
            continue;
        out->bits[x] = payers * frame_count * length * length / (q * q);
        along_w[x] =
            LENGTH_BITS / (out->bits[x] * q * q) - weight_max / largest / q;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            for (int x = 0; x < KINDS; x++)
                s->g[i][k][x] = squares->g[i][k][x] + squares->m[i][x] *
                                                          squares->m[k][x] *
                                                          along_w[x];
    find_stiffness(out);
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

/* Difference of a neighbour to the vertex: in position, and in v of UVs. */
struct place {
    struct vec3 d;
    double v;
};

static struct place difference(const struct one_ring_training *training,
                               const int16_t *positions, uint32_t from,
                               uint32_t to)
{
    const int16_t *p = positions + 4 * (size_t)from;
    const int16_t *q = positions + 4 * (size_t)to;

    return (struct place){
        vec3_make(((uint16_t)q[0] - (uint16_t)p[0]) * training->step[0],
                  ((uint16_t)q[1] - (uint16_t)p[1]) * training->step[1],
                  ((uint16_t)q[2] - (uint16_t)p[2]) * training->step[2]),
        (uint16_t)q[3] - (uint16_t)p[3]};
}

static struct vec3 gradient(struct place a, struct place b)
{
    return vec3_sub(vec3_scale(a.d, b.v), vec3_scale(b.d, a.v));
}

/* Add the products of one frame for one vertex: of its sectors (N), and of its
 * neighbours or, with UVs, of its sectors' gradients (T). */
static void learn(const struct one_ring_training *training,
                  const struct one_ring *ring, uint32_t v, uint32_t frame,
                  struct squares *squares)
{
    const struct axes a = axes_of(training->qtangents[frame] + 4 * (size_t)v);
    row errors;
    row by_u;
    struct place before = {vec3_make(0, 0, 0), 0};

    if (ring->count > 0)
        before = difference(training, training->positions[frame], v,
                            ring->vertex[ring->count - 1]);
    for (uint32_t k = 0; k < ring->count; k++) {
        const struct place d = difference(training, training->positions[frame],
                                          v, ring->vertex[k]);
        const struct vec3 c =
            ring->is_gap[k] ? vec3_make(0, 0, 0) : vec3_cross(before.d, d.d);
        struct vec3 along = ring->is_again[k] ? vec3_make(0, 0, 0) : d.d;

        if (training->by_uvs)
            along = ring->is_gap[k] ? vec3_make(0, 0, 0) : gradient(before, d);
        errors[k][0] = vec3_dot(a.t, c);
        errors[k][1] = vec3_dot(a.u, along);
        by_u[k][0] = vec3_dot(a.u, c);
        by_u[k][1] = 0;
        squares->m[k][0] += vec3_dot(a.n, c);
        squares->m[k][1] += vec3_dot(a.t, along);
        before = d;
    }
    add_square(squares, ring->count, errors);
    add_square(squares, ring->count, by_u);
}

/* -- a part -- */

/* For one-rings with UVs: add the errors of T to those of N, scaled to the same
 * length. The lengths are those with all weights 1. */
static void join_kinds(struct squares *s, uint32_t n)
{
    double length[KINDS] = {0};
    double ratio;

    for (uint32_t i = 0; i < n; i++)
        for (int x = 0; x < KINDS; x++)
            length[x] += s->m[i][x];
    ratio = length[1] != 0 ? length[0] / length[1] : 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++)
            s->g[i][j][0] += ratio * ratio * s->g[i][j][1];
}

/* Return -1 if the gradients point against the tangents, else 1. */
static int8_t sign_of(const struct squares *squares, row w, uint32_t count)
{
    double along = 0;

    for (uint32_t k = 0; k < count; k++)
        along += w[k][0] * squares->m[k][1];
    return along < 0 ? -1 : 1;
}

static void train_vertex(const struct one_ring_training *training,
                         const struct one_ring *ring, uint32_t v,
                         struct wire_one_rings *wire, struct coder *coder)
{
    const uint32_t i = v % ONE_RING_WINDOW;
    struct one_ring_window *window = &wire->window;
    struct squares squares;
    row w;

    memset(&squares, 0, sizeof squares);
    for (uint32_t f = 0; f < training->frame_count; f++)
        learn(training, ring, v, f, &squares);
    if (training->by_uvs)
        join_kinds(&squares, ring->count);
    complete(&squares, ring->count);
    memcpy(w, squares.m, sizeof w);
    eliminate(&squares, 0, ring->count, coder->left[0]);
    solve(coder->left[0], 0, ring->count, w);
    prepare(&squares, w, ring->count, training->quality.weight_max,
            training->quality.bits_per_squared_error * training->clip_frames,
            training->frame_count, coder);
    coder->weights[0] = window->sector_weights[i];
    coder->weights[1] = window->neighbour_weights[i];
    coder->weight_max = (int32_t)training->quality.weight_max;
    if (training->by_uvs)
        window->neighbour_weights[i][0] = sign_of(&squares, w, ring->count);
    window->ring[i] = *ring;
    (void)code_one_ring(coder, wire, ring, window->sector_weights[i],
                        window->neighbour_weights[i]);
}

static void find_scale(const struct one_ring_training *training,
                       uint16_t scale[3])
{
    double longest = 0;

    for (int i = 0; i < 3; i++)
        longest = training->step[i] > longest ? training->step[i] : longest;
    for (int i = 0; i < 3; i++)
        scale[i] =
            longest > 0
                /* NOLINTNEXTLINE(bugprone-incorrect-roundings): above 0. */
                ? (uint16_t)(ONE_RING_SCALE_ONE *
                                 (training->step[i] / longest) +
                             0.5)
                : 0;
}

void one_ring_train(const struct one_ring_training *training,
                    struct arena *arena, struct one_rings *out)
{
    const uint32_t batches = one_ring_batch_count(training->vertex_count);
    struct one_ring_arrays arrays = {
        .slot_count = batches * SLOTS,
        .first = ARENA_NEW(arena, uint32_t, batches + 1),
        .slots =
            ARENA_NEW(arena, struct one_ring_slot, (size_t)batches * SLOTS),
        .vertex = ARENA_NEW(arena, uint8_t, (size_t)batches * ONE_RING_LANES)};
    struct one_ring_corners *corners;
    struct wire_one_rings *wire;
    struct coder *coder;
    struct arena scratch;

    arena_init(&scratch);
    corners = ARENA_NEW(&scratch, struct one_ring_corners, 1);
    coder = ARENA_NEW(&scratch, struct coder, 1);
    wire = ARENA_NEW(&scratch, struct wire_one_rings, 1);
    spn__wire_one_rings_begin(wire, training->by_uvs);
    wire->weight_max = (int32_t)training->quality.weight_max;
    spn__one_ring_corners_find(training->topology, corners);
    for (uint32_t v = 0; v < training->vertex_count; v++) {
        const uint32_t i = v % ONE_RING_WINDOW;
        struct one_ring ring;

        spn__one_ring_walk(corners, one_ring_welded(training->topology, v),
                           &ring);
        train_vertex(training, &ring, v, wire, coder);
        if (i == ONE_RING_WINDOW - 1 || v == training->vertex_count - 1)
            (void)spn__one_rings_pack(&wire->window, v - i, i + 1, &arrays);
    }
    *out = (struct one_rings){.vertex_count = training->vertex_count,
                              .first_slot = arrays.first,
                              .slots = arrays.slots,
                              .vertex = arrays.vertex,
                              .by_uvs = training->by_uvs};
    find_scale(training, out->scale);
    arena_free(&scratch);
}

#undef SLOTS
#undef KINDS
