/* lift_channel_weights.c - trains the per-channel weights of QTangents by ridge
 * regression.
 *
 * The weights in space predict a vertex from its references. The weights in
 * time predict the temporal residual of a vertex from those of its references.
 * These residuals are known only after the search, which needs the weights. The
 * training therefore uses the differences from the mean of the two nearest
 * frames, or from the guess if those are smaller. The ridge pulls the weights
 * towards the weights of positions, in time towards 0.8 times these, because
 * residuals hold noise.
 *
 * The bits of a residual grow with the logarithm of its error, so blocks with
 * large errors must not dominate the sums. In time, the squares of a block are
 * therefore divided by the mean squared error that the weights of positions
 * leave in the block. In space, all squares have the same weight. Doubles are
 * added in a fixed order.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_train.h"

#include "base/cpu.h"
#include "codec/lift/lift_formulas.h"
#include "codec/lift/lift_wire.h"
#include "compile/encode/lift/lift_pyramid.h"

#include <string.h>

#define OWN_FRAMES_MAX 32u
#define N LIFT_REFERENCES

/* Normal equations of one vertex: products of its references with each other
 * (a), and with the vertex (b). */
struct sums {
    double a[N][N];
    double b[N];
};

struct training {
    const struct clip *clip;
    const struct lift_frames *frames;
    uint32_t mesh;
    uint32_t distance;
    const struct lift_hierarchy *hierarchy;
    const uint32_t *order;
    const struct one_rings *rings;
    bool has_guess_signs;
    struct one_ring_ops ops;
    int16_t *values;
    int16_t *from[2];
    int16_t *positions;
    int16_t *guess;
    int16_t *residuals;
};

static bool load_numbers(const struct training *t, uint32_t index,
                         enum channel channel, int16_t *out)
{
    const void *values = NULL;

    if (index < t->frames->count)
        values = lift_frames_values(t->frames, index, t->mesh, channel);
    if (values)
        lift_plan_numbers(channel, values, t->order, t->hierarchy->vertex_count,
                          out);
    return values != NULL;
}

/* -- residuals -- */

static uint64_t sum_of_magnitudes(const int16_t *numbers, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (uint64_t)(numbers[i] < 0 ? -numbers[i] : numbers[i]);
    return sum;
}

/* Compute twice the values minus the sum of the first two reference frames.
 * Return false if one of these is missing. */
static bool subtract_frames(const struct training *t, uint32_t index,
                            int16_t *residuals)
{
    uint32_t references[LIFT_FRAMES_MAX];
    const uint32_t count =
        lift_pyramid_references(t->frames->numbers[index], t->clip->frame_count,
                                t->distance, references);

    if (count < 2)
        return false;
    for (int j = 0; j < 2; j++)
        if (!load_numbers(t, lift_frames_find(t->frames, references[j]),
                          CHANNEL_QTANGENT, t->from[j]))
            return false;
    for (size_t i = 0; i < 4 * (size_t)t->hierarchy->vertex_count; i++)
        residuals[i] =
            (int16_t)(2 * t->values[i] - t->from[0][i] - t->from[1][i]);
    return true;
}

/* Compute twice the values minus twice the guess. The signs of t->values are
 * aligned with the guess first. */
static bool subtract_guess(const struct training *t, uint32_t index,
                           int16_t *residuals)
{
    const uint32_t count = t->hierarchy->vertex_count;

    if (!t->rings || !load_numbers(t, index, CHANNEL_POSITION, t->positions))
        return false;
    if (t->rings->by_uvs)
        lift_plan_add_v(
            lift_frames_values(t->frames, index, t->mesh, CHANNEL_UV), t->order,
            count, t->positions);
    t->ops.guess(t->rings, t->positions, 0, one_ring_batch_count(count),
                 t->guess);
    for (size_t at = 0; at < 4 * (size_t)count; at += 4) {
        lift_align_signs(t->values + at, t->guess + at);
        for (size_t i = at; i < at + 4; i++)
            residuals[i] = (int16_t)(2 * t->values[i] -
                                     lift_multiply(t->guess[i],
                                                   0x10000 >> LIFT_GUESS_BITS));
    }
    return true;
}

/* Return the smaller of the two residuals; NULL: the frame has neither. */
static const int16_t *smaller_residuals(const struct training *t,
                                        uint32_t index)
{
    const size_t numbers = 4 * (size_t)t->hierarchy->vertex_count;
    const bool has_time = !(t->rings && t->has_guess_signs) &&
                          subtract_frames(t, index, t->residuals);

    if (!subtract_guess(t, index, t->guess))
        return has_time ? t->residuals : NULL;
    return has_time && sum_of_magnitudes(t->residuals, numbers) <=
                           sum_of_magnitudes(t->guess, numbers)
               ? t->residuals
               : t->guess;
}

/* -- least squares -- */

/* The ridge: the weights that it pulls to, and its strength. */
struct pull {
    double share;    /* it pulls to `share` times the weights of positions */
    double constant; /* strength, the same for all vertices */
    double relative; /* strength, as a part of the mean diagonal of `a` */
    double step;     /* weights are rounded to multiples of this, in 64ths */
    /* Added to the mean squared error of a block before its squares are divided
     * by it; 0: they are not divided. */
    double error_min;
};

/* Compute the squared error of each component with the weights that the ridge
 * pulls to. */
static void find_errors(const struct lift_hierarchy *hierarchy,
                        const int16_t *x, const struct pull *pull,
                        double *squares)
{
    const double share = pull->share / LIFT_WEIGHT_ONE;

    for (size_t v = 0; v < hierarchy->vertex_count; v++) {
        const uint16_t *r = hierarchy->references + N * v;
        const int8_t *w = hierarchy->weights + N * v;

        for (uint32_t k = 0; k < 4; k++) {
            int32_t near = 0;
            double error;

            for (uint32_t i = 0; i < N; i++)
                near += w[i] * x[4 * (size_t)r[i] + k];
            error = x[4 * v + k] - share * near;
            squares[4 * v + k] = error * error;
        }
    }
}

/* Return the mean squared error of some vertices, plus error_min. */
static double mean_error(const double *squares, const struct pull *pull,
                         uint32_t first, uint32_t limit)
{
    double sum = 0;

    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)limit; i++)
        sum += squares[i];
    return sum / (4 * (limit - first)) + pull->error_min;
}

static void add_vertex(const struct lift_hierarchy *hierarchy, const int16_t *x,
                       uint32_t v, double worth, struct sums *sums)
{
    const uint16_t *r = hierarchy->references + N * (size_t)v;

    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i < N; i++) {
            const double near = worth * x[4 * (size_t)r[i] + k];

            for (uint32_t j = i; j < N; j++)
                sums->a[i][j] += near * x[4 * (size_t)r[j] + k];
            sums->b[i] += near * x[4 * (size_t)v + k];
        }
}

static void add_frame(const struct lift_hierarchy *hierarchy, const int16_t *x,
                      const struct pull *pull, double *squares,
                      struct sums *sums)
{
    const uint32_t count = hierarchy->vertex_count;
    double mean = 0;

    if (pull->error_min > 0) {
        find_errors(hierarchy, x, pull, squares);
        mean = mean_error(squares, pull, 0, count);
    }
    for (uint32_t first = 0; first < count; first += RESIDUAL_RUN) {
        const uint32_t limit =
            count - first < RESIDUAL_RUN ? count : first + RESIDUAL_RUN;
        const double worth =
            pull->error_min > 0 ? mean / mean_error(squares, pull, first, limit)
                                : 1;

        for (uint32_t v = first; v < limit; v++)
            add_vertex(hierarchy, x, v, worth, &sums[v]);
    }
}

/* Solve for those weights that are not 0 in `weights`. The matrix is positive
 * definite, so Gaussian elimination needs no pivoting. */
static void solve(const struct sums *sums, const struct pull *pull,
                  const int8_t *weights, int8_t *own)
{
    double a[N][N];
    double x[N];
    double trace = 0;
    uint32_t place[N] = {0};
    uint32_t n = 0;
    double strength;

    for (uint32_t i = 0; i < N; i++)
        if (weights[i] != 0)
            place[n++] = i;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            a[i][j] =
                (double)sums->a[place[i < j ? i : j]][place[i < j ? j : i]];
        x[i] = (double)sums->b[place[i]];
        trace += a[i][i];
    }
    strength = pull->constant + (n > 0 ? pull->relative * trace / n : 0);
    for (uint32_t i = 0; i < n; i++) {
        a[i][i] += strength;
        x[i] += strength * pull->share * weights[place[i]] / LIFT_WEIGHT_ONE;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            const double f = a[k][i] / a[i][i];

            for (uint32_t j = i; j < n; j++)
                a[k][j] -= f * a[i][j];
            x[k] -= f * x[i];
        }
    for (uint32_t i = n; i-- > 0;) {
        double w;

        for (uint32_t j = i + 1; j < n; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
        w = LIFT_WEIGHT_ONE * x[i];
        w = (w > 124 ? 124 : w < -124 ? -124 : w) / pull->step;
        own[place[i]] =
            (int8_t)((int)(w < 0 ? w - 0.5 : w + 0.5) * (int)pull->step);
    }
}

static const int8_t *solve_all(const struct lift_hierarchy *hierarchy,
                               const struct sums *sums, const struct pull *pull,
                               struct arena *arena)
{
    int8_t *own = ARENA_NEW(
        arena, int8_t, N * ((size_t)hierarchy->vertex_count + LIFT_PADDING));

    for (size_t v = 0; v < hierarchy->vertex_count; v++)
        solve(&sums[v], pull, hierarchy->weights + N * v, own + N * v);
    return own;
}

/* -- a part -- */

static void make_scratch(struct training *t, struct arena *arena)
{
    const size_t numbers =
        4 * ((size_t)t->hierarchy->vertex_count + RESIDUAL_STRIPE);
    int16_t **const all[] = {&t->values,    &t->from[0], &t->from[1],
                             &t->positions, &t->guess,   &t->residuals};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i] = ARENA_NEW(arena, int16_t, numbers);
    spn__one_ring_ops_init(&t->ops, spn__cpu_detect());
}

void lift_train_channel_weights(const struct clip *clip,
                                const struct lift_frames *frames,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part, uint32_t distance,
                                const struct one_rings *rings,
                                bool has_guess_signs, struct arena *arena,
                                const int8_t *weights[2])
{
    const struct lift_plan_mesh *lifted = &plan->meshes[mesh];
    const struct lift_hierarchy *hierarchy = &lifted->parts[part];
    struct training t = {.clip = clip,
                         .frames = frames,
                         .mesh = mesh,
                         .distance = distance,
                         .hierarchy = hierarchy,
                         .order = lift_plan_order(clip, plan, mesh, part),
                         .rings = rings,
                         .has_guess_signs = has_guess_signs};
    /* An odd stride varies the index of the samples within their groups. */
    const uint32_t stride = (frames->count - 1) / OWN_FRAMES_MAX | 1u;
    struct pull in_space = {.share = 1, .step = 1};
    const struct pull in_time = {.share = 0.8,
                                 .constant = 2,
                                 .relative = 0.02,
                                 .step = LIFT_WIRE_CHANNEL_STEP,
                                 .error_min = 1};
    struct arena scratch;
    struct sums *space = NULL;
    struct sums *time;
    double *squares;

    arena_init(&scratch);
    make_scratch(&t, &scratch);
    if (!rings)
        space = ARENA_NEW(&scratch, struct sums, hierarchy->vertex_count);
    squares = ARENA_NEW(&scratch, double, 4 * (size_t)hierarchy->vertex_count);
    time = ARENA_NEW(&scratch, struct sums, hierarchy->vertex_count);
    for (uint32_t i = 0; i < frames->count; i += stride) {
        const int16_t *residuals;

        if (!load_numbers(&t, i, CHANNEL_QTANGENT, t.values))
            continue;
        if (space)
            add_frame(hierarchy, t.values, &in_space, squares, space);
        in_space.constant += 2;
        residuals = smaller_residuals(&t, i);
        if (residuals)
            add_frame(hierarchy, residuals, &in_time, squares, time);
    }
    weights[0] = space ? solve_all(hierarchy, space, &in_space, arena) : NULL;
    weights[1] = solve_all(hierarchy, time, &in_time, arena);
    arena_free(&scratch);
}

#undef N
