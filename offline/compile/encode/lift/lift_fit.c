/* lift_fit.c - fits the weights of frames and of levels by iteratively
 * reweighted least squares.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_fit.h"

#include "codec/lift/lift_formulas.h"

#include <math.h>
#include <string.h>

/* -- least squares -- */

/* The bits of a residual grow with the logarithm of its error. Each round
 * therefore divides the squares of a run by the mean squared error that the
 * solution of the round before leaves in this run, plus ERROR_MIN. */
#define SOLVE_ROUNDS 5
#define ERROR_MIN 0.25

/* Return the squared error of the solution `x` with `n` unknowns. Only the
 * upper triangle of s->a is set. */
static double squared_error(const struct lift_run_sums *s, uint32_t n,
                            const double *x)
{
    double left = s->yy;

    for (uint32_t i = 0; i < n; i++) {
        left += x[i] * (s->a[i][i] * x[i] - 2 * s->b[i]);
        for (uint32_t j = i + 1; j < n; j++)
            left += 2 * x[i] * x[j] * s->a[i][j];
    }
    return left > 0 ? left : 0;
}

static void add_run(struct lift_run_sums *sum, const struct lift_run_sums *run,
                    uint32_t n, double worth)
{
    sum->count += worth * run->count;
    sum->yy += worth * run->yy;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i; j < n; j++)
            sum->a[i][j] += worth * run->a[i][j];
        sum->b[i] += worth * run->b[i];
    }
}

/* Sum up the runs. If `x` is NULL, all runs have the same weight. Otherwise
 * each run is divided by the mean squared error of `x` in it, and the sum is
 * scaled back to the number of values. */
static struct lift_run_sums sum_runs(const struct lift_run_sums *runs,
                                     uint32_t run_count, uint32_t n,
                                     const double *x, double error_min)
{
    struct lift_run_sums sum = {0};
    struct lift_run_sums even = {0};
    double count = 0;

    for (uint32_t i = 0; i < run_count; i++) {
        const struct lift_run_sums *run = &runs[i];

        if (run->count == 0)
            continue;
        count += run->count;
        add_run(&sum, run, n,
                x ? 1 / (squared_error(run, n, x) / run->count + error_min)
                  : 1);
    }
    if (count > 0)
        add_run(&even, &sum, n, count / sum.count);
    return even;
}

/* -- weights in time -- */

/* Return the difference f - base of component k of vertex v, minus the
 * prediction of this difference from the references of v. */
static double detail(const struct lift_hierarchy *hierarchy, const int16_t *f,
                     const int16_t *base, uint32_t v, uint32_t k)
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
    const size_t at = 4 * (size_t)v + k;
    int32_t sum = LIFT_WEIGHT_ONE * lift_minus(f[at], base[at]);

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
        const size_t near = 4 * (size_t)r[j] + k;

        sum -= w[j] * lift_minus(f[near], base[near]);
    }
    return sum * (1.0 / LIFT_WEIGHT_ONE);
}

/* Return the difference of f to the first reference frame. If a hierarchy is
 * given (the one of prediction in time), return detail() instead. */
static double difference(const struct lift_target *t, const int16_t *f,
                         const struct lift_hierarchy *hierarchy, uint32_t v,
                         uint32_t k)
{
    const size_t at = 4 * (size_t)v + k;

    return hierarchy ? detail(hierarchy, f, t->from[0], v, k)
                     : lift_minus(f[at], t->from[0][at]);
}

/* Fill `runs` with the sums of each LIFT_RUN vertices. */
static void add_squares(const struct lift_target *t, bool is_detail,
                        struct lift_run_sums *runs)
{
    const uint32_t unknowns = t->from_count - 1;
    const uint32_t components = channel_components(t->channel);
    const uint32_t count = t->hierarchy->vertex_count;
    const struct lift_hierarchy own =
        lift_channel_hierarchy(t->hierarchy, t->channel, true);
    const struct lift_hierarchy *hierarchy = is_detail ? &own : NULL;

    memset(runs, 0, (count / LIFT_RUN + 1) * sizeof *runs);
    /* Every third vertex of the finer three quarters is enough. */
    for (uint32_t v = count < 256 ? 0 : count / 4; v < count;
         v += count < 256 ? 1 : 3) {
        struct lift_run_sums *s = &runs[v / LIFT_RUN];

        s->count += components;
        for (uint32_t k = 0; k < components; k++) {
            const double y = difference(t, t->values, hierarchy, v, k);
            double d[3];

            for (uint32_t i = 0; i < unknowns; i++)
                d[i] = difference(t, t->from[i + 1], hierarchy, v, k);
            for (uint32_t i = 0; i < unknowns; i++) {
                for (uint32_t j = i; j < unknowns; j++)
                    s->a[i][j] += d[i] * d[j];
                s->b[i] += d[i] * y;
            }
            s->yy += y * y;
        }
    }
}

/* Solve by Gaussian elimination. A small ridge pulls the solution to the mean
 * of the first two frames. */
static void solve(struct lift_run_sums *s, uint32_t n, uint32_t vertex_count,
                  double *x)
{
    const double pull = 0.01 * vertex_count + 1e-3;

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++)
            s->a[i][j] = s->a[j][i];
        s->a[i][i] += pull;
    }
    s->b[0] += pull / 2;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            const double f = s->a[k][i] / s->a[i][i];

            for (uint32_t j = i; j < n; j++)
                s->a[k][j] -= f * s->a[i][j];
            s->b[k] -= f * s->b[i];
        }
    for (uint32_t i = n; i-- > 0;) {
        x[i] = s->b[i];
        for (uint32_t j = i + 1; j < n; j++)
            x[i] -= s->a[i][j] * x[j];
        x[i] /= s->a[i][i];
        x[i] = x[i] > 1 ? 1 : x[i] < -1 ? -1 : x[i];
    }
}

void lift_fit_weights(const struct lift_target *t, bool is_detail,
                      struct lift_scratch *scratch, int16_t *weight)
{
    const uint32_t vertex_count = t->hierarchy->vertex_count;
    const uint32_t n = t->from_count - 1;
    double x[LIFT_FRAMES_MAX - 1];

    add_squares(t, is_detail, scratch->runs);
    for (int round = 0; round < SOLVE_ROUNDS; round++) {
        struct lift_run_sums sum =
            sum_runs(scratch->runs, vertex_count / LIFT_RUN + 1, n,
                     round > 0 ? x : NULL, ERROR_MIN);

        solve(&sum, n, vertex_count, x);
    }
    for (uint32_t i = 0; i < n; i++) {
        double scaled = 32768 * x[i];

        scaled = scaled > 32767 ? 32767 : scaled < -32767 ? -32767 : scaled;
        weight[i + 1] = (int16_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    }
}

/* -- fractions -- */

/* At most one vertex in so many may move too far for the fraction bits. */
#define TOO_FAR_ONE_OF 2048u
/* More fraction bits hardly reduce the size. */
#define FRACTION_BITS_USED 6u
/* Frames with is_far decode more slowly, so they must allow more than so many
 * additional fraction bits. */
#define FAR_WORTH 1u

static uint32_t width_of(uint32_t magnitudes)
{
    return magnitudes > 0 ? 32 - (uint32_t)__builtin_clz(magnitudes) : 0;
}

/* Return the number of fraction bits that fit in 16 bits beside the motion.
 * of_width[w]: number of vertices whose motion takes w bits. */
static uint32_t fraction_bits_for(const uint32_t of_width[18], uint32_t count)
{
    uint32_t too_far = 0;
    uint32_t width = 15;

    for (; width > 0; width--) {
        too_far += of_width[width];
        if (too_far > count / TOO_FAR_ONE_OF)
            break;
    }
    if (width + FRACTION_BITS_USED <= 15)
        return FRACTION_BITS_USED;
    return width < 15 ? 15 - width : 1;
}

static uint16_t magnitude(int32_t moved)
{
    return (uint16_t)(moved < 0 ? ~moved : moved);
}

/* Compute two magnitudes of each number: its motion, and its error against the
 * mean of two frames. Compilers vectorize the loops. */
static void find_magnitudes(const struct lift_target *t, uint32_t frame_count,
                            uint16_t *restrict motion,
                            uint16_t *restrict errors)
{
    const size_t limit = 4 * (size_t)t->hierarchy->vertex_count;
    const int16_t *f = t->from[0];
    const int16_t *second = frame_count > 1 ? t->from[1] : f;

    for (size_t i = 0; i < limit; i++) {
        const int32_t own = lift_minus(t->values[i], f[i]);
        const int32_t moved = lift_minus(second[i], f[i]);

        motion[i] = magnitude(own) | magnitude(moved);
        errors[i] = magnitude(own - moved / 2);
    }
    for (uint32_t j = 2; j < frame_count; j++)
        for (size_t i = 0; i < limit; i++)
            motion[i] |= magnitude(lift_minus(t->from[j][i], f[i]));
}

/* Combine the bits of a vertex's four numbers. Unused numbers are 0. */
static uint32_t combined_magnitude(const uint16_t numbers[4])
{
    uint64_t any;

    memcpy(&any, numbers, sizeof any);
    any |= any >> 32;
    return (any | any >> 16) & 0xffff;
}

/* Choose as many fraction bits as the motion leaves room for. Set is_far if the
 * errors against the mean of two frames leave room for more. */
void lift_fit_fraction(const struct lift_target *t, uint32_t frame_count,
                       struct lift_scratch *scratch,
                       struct lift_prediction *prediction)
{
    const uint32_t count = t->hierarchy->vertex_count;
    uint16_t *motion = (uint16_t *)scratch->time_errors;
    uint16_t *errors = (uint16_t *)scratch->error_sums;
    uint32_t of_motion[18] = {0};
    uint32_t of_errors[18] = {0};
    uint32_t of_far;

    find_magnitudes(t, frame_count, motion, errors);
    for (size_t at = 0; at < 4 * (size_t)count; at += 4) {
        of_motion[width_of(combined_magnitude(motion + at))]++;
        of_errors[width_of(combined_magnitude(errors + at))]++;
    }
    prediction->fraction_bits = fraction_bits_for(of_motion, count);
    of_far = fraction_bits_for(of_errors, count);
    prediction->is_far =
        frame_count > 1 && of_far > prediction->fraction_bits + FAR_WORTH;
    if (prediction->is_far)
        prediction->fraction_bits = of_far;
}

/* -- weights of levels -- */

/* Choose the weight of one level, s, from its runs. Return 0 if the best weight
 * saves less than 2 % of the squared error. */
static uint8_t choose_level(const struct lift_run_sums *runs,
                            uint32_t run_count, double error_min)
{
    double weight = 0;

    for (int round = 0; round < SOLVE_ROUNDS; round++) {
        const struct lift_run_sums sum =
            sum_runs(runs, run_count, 1, round > 0 ? &weight : NULL, error_min);

        weight = sum.b[0] / (sum.a[0][0] + 1);
        weight = weight < 0 ? 0 : weight > 1 ? 1 : weight;
        if (round == SOLVE_ROUNDS - 1 &&
            squared_error(&sum, 1, &weight) * 1.02 >= sum.yy)
            return 0;
    }
    return (uint8_t)lround(weight * LIFT_LEVEL_WEIGHT_MAX);
}

/* The references of a run and their weights, one entry for each number. */
struct gathered {
    int16_t x[LIFT_REFERENCES][4 * LIFT_RUN];
    int16_t weight[LIFT_REFERENCES][4 * LIFT_RUN];
};

static void gather(const struct lift_hierarchy *hierarchy,
                   const int16_t *errors, size_t first, size_t count,
                   struct gathered *out)
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * first;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * first;

    if (count < LIFT_RUN)
        memset(out, 0, sizeof *out);
    for (size_t v = 0; v < count; v++)
        for (size_t j = 0; j < LIFT_REFERENCES; j++) {
            const size_t at = LIFT_REFERENCES * v + j;
            const uint64_t four =
                UINT64_C(0x0001000100010001) * (uint16_t)w[at];

            memcpy(out->x[j] + 4 * v, errors + 4 * (size_t)r[at],
                   4 * sizeof *errors);
            memcpy(out->weight[j] + 4 * v, &four, sizeof four);
        }
}

/* Return lift_multiply(x, 256 w), wrapped to 16 bits. x is split into a high
 * and a low part, so that 16-bit arithmetic is enough. */
static inline uint16_t weighted_error(int16_t x, int16_t w)
{
    const int16_t high = (int16_t)(x >> 7);
    const int16_t low = (int16_t)((x & 127) * w);

    return (uint16_t)((uint16_t)((uint32_t)high * (uint32_t)w) +
                      (uint16_t)((int16_t)(low + 64) >> 7));
}

/* Compute S, the weighted sum of each vertex's references. Compilers vectorize
 * the loops. */
void lift_fit_error_sums(const struct lift_hierarchy *hierarchy,
                         const int16_t *errors, uint32_t first, uint32_t limit,
                         int16_t *error_sums)
{
    struct gathered g;

    for (size_t v = first; v < limit; v += LIFT_RUN) {
        const size_t count = limit - v < LIFT_RUN ? limit - v : LIFT_RUN;
        int16_t sums[4 * LIFT_RUN];

        gather(hierarchy, errors, v, count, &g);
        for (size_t i = 0; i < 4 * LIFT_RUN; i++) {
            uint16_t sum = 0;

            for (size_t j = 0; j < LIFT_REFERENCES; j++)
                sum =
                    (uint16_t)(sum + weighted_error(g.x[j][i], g.weight[j][i]));
            sums[i] = lift_wrap(2u * sum);
        }
        memcpy(error_sums + 4 * v, sums, 4 * count * sizeof *error_sums);
    }
}

/* Compute S of the sampled vertices from `first` to `limit`, and the sums of
 * each run, with y = R (scratch->time_errors) and a = S. Unused components are
 * 0. Return the number of runs. */
static uint32_t add_level(const struct lift_target *t, uint32_t first,
                          uint32_t limit, uint32_t step,
                          const struct lift_hierarchy *hierarchy,
                          struct lift_scratch *scratch)
{
    const uint32_t components = channel_components(t->channel);
    uint32_t run_count = 0;

    for (uint32_t v = lift_first_sampled(first, step); v < limit;) {
        const uint32_t next = (v / LIFT_RUN + 1) * LIFT_RUN;
        const uint32_t end = next < limit ? next : limit;
        struct lift_run_sums *run = &scratch->runs[run_count++];
        int64_t yy = 0;
        int64_t sy = 0;
        int64_t ss = 0;

        lift_fit_error_sums(hierarchy, scratch->time_errors, v, end,
                            scratch->error_sums);
        for (size_t i = 4 * (size_t)v; i < 4 * (size_t)end; i++) {
            const int32_t y = scratch->time_errors[i];
            const int32_t s = scratch->error_sums[i];

            yy += y * y;
            sy += s * y;
            ss += s * s;
        }
        *run = (struct lift_run_sums){.count = components * (end - v),
                                      .yy = (double)yy};
        run->b[0] = (double)sy;
        run->a[0][0] = (double)ss;
        v = lift_first_sampled(end, step);
    }
    return run_count;
}

/* Compute S of all vertices, and fit the weight of each level. */
void lift_fit_levels(const struct lift_target *t, uint32_t step,
                     struct lift_scratch *scratch,
                     struct lift_prediction *prediction)
{
    const struct lift_hierarchy own =
        lift_channel_hierarchy(t->hierarchy, t->channel, true);
    const struct lift_layer *layers = own.layers;
    const double error_min = ERROR_MIN * (1u << 2 * prediction->fraction_bits);

    for (uint32_t l = 0; l < own.layer_count;) {
        const uint32_t level = layers[l].level;
        const uint32_t first = layers[l].first;
        uint32_t run_count;

        while (l < own.layer_count && layers[l].level == level)
            l++;
        run_count = add_level(t, first, layers[l].first, step, &own, scratch);
        prediction->level_weight[level] =
            choose_level(scratch->runs, run_count, error_min);
    }
}
