/* ring_train.c - weights by least squares, as far as they pay.
 *
 * With C_k the sectors' normals and t, u, n the axes of the QTangent, the part
 * of N = sum a_k C_k that is not along n is sum a_k (t C_k) and sum a_k (u
 * C_k); the sum of its squares over all frames is a' G a, and m_k the sum of (n
 * C_k). The `a` that makes the first least for a given m a is G^-1 m, of any
 * length. So it is for T = sum c_k d_k, of which only what lies along u is
 * wrong: what lies along n is taken out.
 *
 * Weights are chosen one after the other by the model that they are coded with,
 * which tells its guess of each: whichever is cheapest, counting what it adds
 * to the squares when those to come make up for it. Doubles in a fixed order,
 * nothing of the C library but sqrt.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/ring_train.h"

#include "compile/arith.h"
#include "geom/channel.h"
#include "geom/lift_wire.h"

#include <string.h>

/* The coder that chooses. Bits go nowhere: a guess depends on weights alone. */
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

#include "geom/ring_model.h"

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

/* ---- weights that cost little -------------------------------------------- */

/* Weights of one kind around a vertex, one chosen after the other. */
struct choice {
    struct squares squares; /* what a change of weights adds to the squares */
    double w[SLOTS];        /* best, with those that are chosen as they are */
    double bits;            /* that one such square takes in all frames */
    uint32_t count;
    int8_t *weights;
};

struct coder {
    struct choice choice[2]; /* sectors, along */
    int32_t weight_max;
};

/* About what a number costs that the guess is wrong by. */
static double number_bits(int32_t x)
{
    uint32_t magnitude = (uint32_t)(x < 0 ? -x : x);
    double bits = 0.5;

    for (; magnitude > 0; magnitude /= 2)
        bits += 2;
    return bits;
}

/* What one unit, squared, adds when those behind make up for it. */
static double stiffness(const struct choice *c, uint32_t k)
{
    double follow[SLOTS] = {0};
    double sum = c->squares.g[k][k];

    for (uint32_t i = k + 1; i < c->count; i++)
        follow[i] = c->squares.g[i][k];
    solve(&c->squares, k + 1, c->count, follow);
    for (uint32_t i = k + 1; i < c->count; i++)
        sum -= c->squares.g[i][k] * follow[i];
    return sum > 0 ? sum : 0;
}

static void make_up(struct choice *c, uint32_t k)
{
    double change[SLOTS] = {0};

    for (uint32_t i = k + 1; i < c->count; i++)
        change[i] = c->squares.g[i][k] * (c->weights[k] - c->w[k]);
    solve(&c->squares, k + 1, c->count, change);
    for (uint32_t i = k + 1; i < c->count; i++)
        c->w[i] -= change[i];
}

static int32_t nearest(double x, int32_t weight_max)
{
    return x > weight_max    ? weight_max
           : x < -weight_max ? -weight_max
                             : (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
}

/* From the best weight towards the guess, whichever is cheapest in all. */
static void code_choice(struct coder *c, int32_t guess, int8_t *weight)
{
    struct choice *at = &c->choice[0];
    double least = -1;
    double stiff;
    uint32_t k;
    int32_t best;

    if (weight < at->weights || weight >= at->weights + SLOTS)
        at = &c->choice[1];
    k = (uint32_t)(weight - at->weights);
    best = nearest(at->w[k], c->weight_max);
    stiff = at->bits * stiffness(at, k);
    for (int32_t x = best;; x += guess > x ? 1 : -1) {
        const double off = x - at->w[k];
        const double bits = stiff * off * off + number_bits(x - guess);

        if (least < 0 || bits < least) {
            least = bits;
            *weight = (int8_t)x;
        }
        if (x == guess)
            break;
    }
    make_up(at, k);
}

/* Twice the length of weights is as bad as so many bits: none becomes too large
 * for a byte. */
#define LENGTH_BITS 400.0

static double largest_of(const double *w, uint32_t n)
{
    double largest = 0;

    for (uint32_t i = 0; i < n; i++)
        largest = size_of(w[i]) > largest ? size_of(w[i]) : largest;
    return largest;
}

/* The best weights w = c G^-1 m, the largest `weight_max`, and what a change d
 * costs. With q = m w the square of the angle grows by (d' G d - c (m d)^2 / q)
 * / q^2: d along w, another length, is nothing but for LENGTH_BITS. `payers`:
 * bits that all frames pay for a number of a QTangent that is wrong by 1. */
static void prepare(const struct squares *squares, uint32_t n,
                    double weight_max, double payers, uint32_t frames_asked,
                    struct choice *out)
{
    /* An angle moves a QTangent by half its length. */
    const double length = QTANGENT_ONE / 2.0;
    struct squares *s = &out->squares;
    double q = 0;
    double largest;

    *s = *squares;
    complete(s, n);
    memcpy(out->w, s->m, sizeof out->w);
    solve(s, 0, n, out->w);
    largest = largest_of(out->w, n);
    for (uint32_t i = 0; i < n; i++) {
        out->w[i] *= largest > 0 ? weight_max / largest : 0;
        q += s->m[i] * out->w[i];
    }
    out->count = n;
    out->bits = 0;
    if (!(q > 0))
        return;
    out->bits = payers * frames_asked * length * length / (q * q);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            s->g[i][k] +=
                s->m[i] * s->m[k] *
                (LENGTH_BITS / (out->bits * q * q) - weight_max / largest / q);
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

static void train_vertex(const struct ring_part *part,
                         const struct ring_around *ring, uint32_t v,
                         struct wire_rings *wire, int8_t *sectors,
                         int8_t *along)
{
    const double payers = part->quality.bits_per_square * part->clip_frames;
    struct squares squares[2];
    struct coder coder;

    memset(squares, 0, sizeof squares);
    for (uint32_t f = 0; f < part->frame_count; f++)
        learn(part, ring, v, f, &squares[0], &squares[1]);
    for (int i = 0; i < 2; i++)
        prepare(&squares[i], ring->count, part->quality.weight_max, payers,
                part->frame_count, &coder.choice[i]);
    coder.choice[0].weights = sectors;
    coder.choice[1].weights = along;
    coder.weight_max = (int32_t)part->quality.weight_max;
    (void)code_ring(&coder, wire, ring, sectors, along);
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
    struct ring_window *window;
    struct wire_rings *wire;
    struct arena scratch;

    arena_init(&scratch);
    wire = ARENA_NEW(&scratch, struct wire_rings, 1);
    window = &wire->window;
    spn__wire_rings_begin(wire);
    wire->weight_max = (int32_t)part->quality.weight_max;
    spn__ring_corners_find(part->triangles, &wire->corners);
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        const uint32_t i = v % RINGS_WINDOW;

        spn__ring_walk(&wire->corners, ring_welded(part->triangles, v),
                       &window->ring[i]);
        train_vertex(part, &window->ring[i], v, wire, window->sectors[i],
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
