/* lift_search.c - candidates, least squares, entropy.
 *
 * The residuals are made with the runtime's formulas. References are frames of
 * the source: the codec is lossless, so those are what the decoder has.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/lift_search.h"

#include "base/cpu.h"
#include "base/endian.h"
#include "geom/lift_formulas.h"

#include <math.h>
#include <string.h>

/* Numbers beyond this are rare and counted as if they cost this many bits. */
#define COUNTED 1024
#define UNCOUNTED_BITS 20u

/* ---- scratch and entropy ------------------------------------------------- */

/* 2^16 * log2(x), by squaring. */
static uint32_t logarithm(uint32_t x)
{
    uint32_t whole = 0;
    uint64_t m;
    uint32_t log;

    while (x >> (whole + 1))
        whole++;
    log = whole << 16;
    m = ((uint64_t)x << 31) >> whole; /* 1..2 in 31 bits */
    for (uint32_t bit = 1u << 15; bit > 0; bit >>= 1) {
        m = m * m >> 31;
        if (m >> 32) {
            m >>= 1;
            log += bit;
        }
    }
    return log;
}

void lift_scratch_make(struct lift_scratch *scratch, uint32_t vertex_count,
                       struct arena *arena)
{
    const size_t vertices = vertex_count + TRIPLES_GROUP + (size_t)LIFT_PADDING;

    spn__lift_ops_init(&scratch->ops, spn__cpu_detect());
    scratch->times = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->there = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->guesses = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->alone = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->turned = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->whole = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->rest = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->near = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->residuals = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->fourth = ARENA_NEW(arena, int16_t, vertices);
    scratch->runs =
        ARENA_NEW(arena, struct lift_run_sums, vertex_count / LIFT_RUN + 1);
    scratch->logarithms = ARENA_NEW(arena, uint32_t, vertex_count + (size_t)1);
    for (uint32_t x = 1; x <= vertex_count; x++)
        scratch->logarithms[x] = logarithm(x);
}

uint64_t lift_entropy(const uint32_t *logarithms, const int16_t *numbers,
                      uint32_t count, uint32_t stride)
{
    uint32_t histogram[2 * COUNTED + 1] = {0};
    uint32_t counted = 0;
    uint64_t bits = 0;

    for (uint32_t i = 0; i < count; i++) {
        const int32_t x = numbers[(size_t)i * stride];

        if (x < -COUNTED || x > COUNTED) {
            bits += (uint64_t)UNCOUNTED_BITS << 16;
            continue;
        }
        histogram[x + COUNTED]++;
        counted++;
    }
    for (uint32_t i = 0; i <= 2 * COUNTED; i++)
        if (histogram[i] > 0)
            bits += (uint64_t)histogram[i] *
                    (logarithms[counted] - logarithms[histogram[i]]);
    return bits >> 16;
}

/* ---- least squares ------------------------------------------------------- */

/* Bits follow the logarithm of an error: the squares of a run count by what the
 * last solution leaves over there, which is no less than ERROR_MIN. */
#define SOLVE_ROUNDS 5
#define ERROR_MIN 0.25

/* Of n unknowns; only the upper triangle of `a` is there. */
static double left_over(const struct lift_run_sums *s, uint32_t n,
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

/* All runs; `x` NULL: as they are, else each by what `x` leaves over of it, and
 * together as much as they are. */
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
                x ? 1 / (left_over(run, n, x) / run->count + error_min) : 1);
    }
    if (count > 0)
        add_run(&even, &sum, n, count / sum.count);
    return even;
}

/* ---- weights in time ----------------------------------------------------- */

/* x minus what its neighbours make of it, in 64ths. */
static double detail(const struct lift_shape *shape, const int16_t *f,
                     const int16_t *base, uint32_t v, uint32_t k)
{
    const uint16_t *r = shape->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = shape->weights + LIFT_REFERENCES * (size_t)v;
    const size_t at = 4 * (size_t)v + k;
    int32_t sum = LIFT_WEIGHT_ONE * lift_minus(f[at], base[at]);

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
        const size_t near = 4 * (size_t)r[j] + k;

        sum -= w[j] * lift_minus(f[near], base[near]);
    }
    return sum * (1.0 / LIFT_WEIGHT_ONE);
}

/* `shape`: in time; NULL: no details are asked for. */
static double difference(const struct lift_target *t, const int16_t *f,
                         const struct lift_shape *shape, uint32_t v, uint32_t k)
{
    const size_t at = 4 * (size_t)v + k;

    return shape ? detail(shape, f, t->from[0], v, k)
                 : lift_minus(f[at], t->from[0][at]);
}

/* Of all runs, in the scratch. */
static void add_squares(const struct lift_target *t, uint32_t frame_count,
                        bool is_detail, struct lift_run_sums *runs)
{
    const uint32_t unknowns = frame_count - 1;
    const uint32_t components = channel_components(t->channel);
    const uint32_t count = t->shape->vertex_count;
    const struct lift_shape own = lift_shape_of(t->shape, t->channel, true);
    const struct lift_shape *shape = is_detail ? &own : NULL;

    memset(runs, 0, (count / LIFT_RUN + 1) * sizeof *runs);
    /* The finer three quarters, every third: the others say the same. */
    for (uint32_t v = count < 256 ? 0 : count / 4; v < count;
         v += count < 256 ? 1 : 3) {
        struct lift_run_sums *s = &runs[v / LIFT_RUN];

        s->count += components;
        for (uint32_t k = 0; k < components; k++) {
            const double y = difference(t, t->values, shape, v, k);
            double d[3];

            for (uint32_t i = 0; i < unknowns; i++)
                d[i] = difference(t, t->from[i + 1], shape, v, k);
            for (uint32_t i = 0; i < unknowns; i++) {
                for (uint32_t j = i; j < unknowns; j++)
                    s->a[i][j] += d[i] * d[j];
                s->b[i] += d[i] * y;
            }
            s->yy += y * y;
        }
    }
}

/* Gauss; a small pull to the mean of the first two frames. */
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

static void solve_weights(const struct lift_run_sums *runs,
                          uint32_t vertex_count, uint32_t n, int16_t *weight)
{
    double x[LIFT_FRAMES_MAX - 1];

    for (int round = 0; round < SOLVE_ROUNDS; round++) {
        struct lift_run_sums sum = sum_runs(runs, vertex_count / LIFT_RUN + 1,
                                            n, round > 0 ? x : NULL, ERROR_MIN);

        solve(&sum, n, vertex_count, x);
    }
    for (uint32_t i = 0; i < n; i++) {
        double scaled = 32768 * x[i];

        scaled = scaled > 32767 ? 32767 : scaled < -32767 ? -32767 : scaled;
        weight[i + 1] = (int16_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    }
}

/* ---- some vertices for all ----------------------------------------------- */

/* Candidates are compared by runs of LIFT_RUN vertices, one of `step`; 1: all
 * of them. What is found is then made of all. */
#define ASKED_STEP 4u
#define ASKED_OF_AT_LEAST 2048u

static uint32_t first_asked(uint32_t v, uint32_t step)
{
    const uint32_t run = v / LIFT_RUN;

    return run % step == 0 ? v : (run / step + 1) * step * LIFT_RUN;
}

static uint32_t next_asked(uint32_t v, uint32_t step)
{
    return first_asked(v + 1, step);
}

/* ---- fractions ----------------------------------------------------------- */

/* One vertex in so many may move too far for the fraction of the others. */
#define TOO_FAR_ONE_OF 2048u
/* More is next to nothing in size. */
#define FRACTION_BITS_USED 6u
/* Far frames take longer: for a bit more they are as good as not. */
#define FAR_WORTH 1u

static uint32_t width_of(uint32_t magnitudes)
{
    return magnitudes > 0 ? 32 - (uint32_t)__builtin_clz(magnitudes) : 0;
}

/* `of_width`: vertices that have so many bits. */
static uint32_t room_for(const uint32_t of_width[18], uint32_t count)
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

/* All numbers at once, in loops that compilers make wide: bits of how far they
 * move, and of what the mean of two frames leaves over. */
static void find_magnitudes(const struct lift_target *t, uint32_t frame_count,
                            uint16_t *restrict motion,
                            uint16_t *restrict errors)
{
    const size_t limit = 4 * (size_t)t->shape->vertex_count;
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

/* As many as the motion leaves room for; or it is far, where what the mean of
 * two frames leaves over has room for more. */
static void find_fraction(const struct lift_target *t, uint32_t frame_count,
                          struct lift_scratch *scratch,
                          struct lift_prediction *prediction)
{
    const uint32_t count = t->shape->vertex_count;
    const uint32_t components = channel_components(t->channel);
    uint16_t *motion = (uint16_t *)scratch->rest;
    uint16_t *errors = (uint16_t *)scratch->near;
    uint32_t of_motion[18] = {0};
    uint32_t of_errors[18] = {0};
    uint32_t of_far;

    find_magnitudes(t, frame_count, motion, errors);
    for (size_t at = 0; at < 4 * (size_t)count; at += 4) {
        uint32_t moves = 0;
        uint32_t errs = 0;

        for (size_t i = at; i < at + components; i++) {
            moves |= motion[i];
            errs |= errors[i];
        }
        of_motion[width_of(moves)]++;
        of_errors[width_of(errs)]++;
    }
    prediction->fraction_bits = room_for(of_motion, count);
    of_far = room_for(of_errors, count);
    prediction->is_far =
        frame_count > 1 && of_far > prediction->fraction_bits + FAR_WORTH;
    if (prediction->is_far)
        prediction->fraction_bits = of_far;
}

/* ---- scales in space ----------------------------------------------------- */

/* By the runs of one level. */
static uint8_t choose_level(const struct lift_run_sums *runs,
                            uint32_t run_count, double error_min)
{
    double scale = 0;

    for (int round = 0; round < SOLVE_ROUNDS; round++) {
        const struct lift_run_sums sum =
            sum_runs(runs, run_count, 1, round > 0 ? &scale : NULL, error_min);

        scale = sum.b[0] / (sum.a[0][0] + 1);
        scale = scale < 0 ? 0 : scale > 1 ? 1 : scale;
        if (round == SOLVE_ROUNDS - 1 &&
            left_over(&sum, 1, &scale) * 1.02 >= sum.yy)
            return 0;
    }
    return (uint8_t)lround(scale * LIFT_SCALE_MAX);
}

/* S of vertices: all four numbers at once. */
static void find_near(const struct lift_shape *shape, const int16_t *rest,
                      uint32_t first, uint32_t limit, int16_t *near)
{
    for (size_t v = first; v < limit; v++) {
        const uint16_t *r = shape->references + LIFT_REFERENCES * v;
        const int8_t *w = shape->weights + LIFT_REFERENCES * v;
        int32_t sum[4] = {0};

        for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
            const int16_t *x = rest + 4 * (size_t)r[j];
            const int16_t weight = (int16_t)(256 * w[j]);

            for (uint32_t k = 0; k < 4; k++)
                sum[k] += lift_half(x[k], weight);
        }
        for (uint32_t k = 0; k < 4; k++)
            near[4 * v + k] = lift_wrap(2 * (uint32_t)sum[k]);
    }
}

/* S of the vertices from `first` to `limit`, and sums: y = R, a = S, where
 * numbers that are none are 0. Returns the number of runs. */
static uint32_t add_level(const struct lift_target *t, uint32_t first,
                          uint32_t limit, uint32_t step,
                          const struct lift_shape *shape,
                          struct lift_scratch *scratch)
{
    const uint32_t components = channel_components(t->channel);
    uint32_t run_count = 0;

    for (uint32_t v = first_asked(first, step); v < limit;) {
        const uint32_t next = (v / LIFT_RUN + 1) * LIFT_RUN;
        const uint32_t end = next < limit ? next : limit;
        struct lift_run_sums *run = &scratch->runs[run_count++];
        int64_t yy = 0;
        int64_t sy = 0;
        int64_t ss = 0;

        find_near(shape, scratch->rest, v, end, scratch->near);
        for (size_t i = 4 * (size_t)v; i < 4 * (size_t)end; i++) {
            const int32_t y = scratch->rest[i];
            const int32_t s = scratch->near[i];

            yy += y * y;
            sy += s * y;
            ss += s * s;
        }
        *run = (struct lift_run_sums){.count = components * (end - v),
                                      .yy = (double)yy};
        run->b[0] = (double)sy;
        run->a[0][0] = (double)ss;
        v = first_asked(end, step);
    }
    return run_count;
}

/* S, and from its sums the scales. */
static void fit_levels(const struct lift_target *t, uint32_t step,
                       struct lift_scratch *scratch,
                       struct lift_prediction *prediction)
{
    const struct lift_shape own = lift_shape_of(t->shape, t->channel, true);
    const struct lift_layer *layers = own.layers;
    const double error_min = ERROR_MIN * (1u << 2 * prediction->fraction_bits);

    for (uint32_t l = 0; l < own.layer_count;) {
        const uint32_t level = layers[l].level;
        const uint32_t first = layers[l].first;
        uint32_t run_count;

        while (l < own.layer_count && layers[l].level == level)
            l++;
        run_count = add_level(t, first, layers[l].first, step, &own, scratch);
        prediction->level[level] =
            choose_level(scratch->runs, run_count, error_min);
    }
}

/* ---- residuals ----------------------------------------------------------- */

/* lift_root: never near a half, so floats find it. */
static inline int32_t root_of(int32_t d)
{
    return (int32_t)(sqrtf((float)d) + 0.5f);
}

/* To the place `at`. */
static void residuals_of(const struct lift_target *t,
                         struct lift_scratch *scratch, uint32_t at,
                         const struct lift_point *point, const int16_t *x)
{
    int16_t *e = scratch->residuals + 4 * (size_t)at;

    e[3] = 0;
    if (t->channel == CHANNEL_QTANGENT) {
        lift_norm_residuals(point, x, root_of, e, &scratch->fourth[at]);
        return;
    }
    for (uint32_t k = 0; k < 3; k++)
        e[k] = lift_sided(point->side[k], lift_minus(x[k], point->p[k]));
    scratch->fourth[at] =
        lift_sided(point->side[3], lift_minus(x[3], point->p[3]));
}

/* Returns how many residuals there are. */
static uint32_t try_space(const struct lift_target *t, uint32_t step,
                          struct lift_scratch *scratch)
{
    const struct lift_shape shape = lift_shape_of(t->shape, t->channel, false);
    const uint32_t count = shape.vertex_count;
    const bool is_biased =
        t->channel == CHANNEL_POSITION || t->channel == CHANNEL_UV;
    const uint32_t components = channel_components(t->channel);
    int16_t *x = scratch->rest;
    uint32_t n = 0;

    memcpy(x, t->values, 4 * (size_t)count * sizeof *x);
    for (uint32_t v = 0; is_biased && v < count; v++)
        for (uint32_t k = 0; k < components; k++)
            x[4 * (size_t)v + k] = lift_plus(x[4 * (size_t)v + k], INT16_MIN);
    for (uint32_t v = 0; v < count; v = next_asked(v, step)) {
        struct lift_point point;

        for (uint32_t k = 0; k < 4; k++) {
            const int32_t c = lift_space(&shape, x, v, k);

            point.p[k] = lift_whole(c);
            point.side[k] = lift_side(c, LIFT_SPACE_BITS);
        }
        residuals_of(t, scratch, n++, &point, x + 4 * (size_t)v);
    }
    return n;
}

/* T, D and R of all vertices: any may be another's neighbour. Frame after
 * frame, in loops that compilers make wide. */
static void make_rest(const struct lift_target *t,
                      const struct lift_prediction *prediction,
                      const struct lift_scratch *scratch)
{
    const size_t limit = 4 * (size_t)t->shape->vertex_count;
    const uint32_t fraction_bits = prediction->fraction_bits;
    const bool is_far = prediction->is_far;
    const uint32_t whole_count =
        prediction->frame_count - prediction->has_guess;
    const int16_t *values = t->values;
    const int16_t *from = whole_count > 0 ? t->from[0] : t->guess;
    int16_t *restrict first = scratch->residuals;
    int16_t *restrict whole = scratch->there;
    int16_t *restrict times = scratch->times;
    int16_t *restrict rest = scratch->rest;

    for (size_t i = 0; i < limit; i++) {
        whole[i] = first[i] = lift_first(from[i], whole_count == 0);
        times[i] = 0;
    }
    for (uint32_t j = 1; j < whole_count; j++) {
        const int16_t weight = prediction->weight[j];

        from = t->from[j];
        for (size_t i = 0; i < limit; i++) {
            struct lift_there there = {whole[i], times[i]};

            lift_add_frame(&there, from[i], first[i], weight, fraction_bits,
                           is_far);
            whole[i] = there.t;
            times[i] = there.d;
        }
    }
    if (prediction->has_guess) {
        const int16_t weight = prediction->weight[whole_count];

        from = t->guess;
        for (size_t i = 0; i < limit; i++) {
            struct lift_there there = {whole[i], times[i]};

            lift_add_guess(&there, from[i], first[i], weight);
            times[i] = there.d;
        }
    }
    for (size_t i = 0; i < limit; i++)
        rest[i] = lift_minus(lift_finer(values[i], whole[i], fraction_bits),
                             times[i]);
}

/* From T, D, R, S and scales. Returns how many residuals there are. */
static uint32_t leave_time(const struct lift_target *t, uint32_t step,
                           struct lift_scratch *scratch,
                           const struct lift_prediction *prediction)
{
    const struct lift_shape *shape = t->shape;
    const uint32_t components = channel_components(t->channel);
    uint32_t n = 0;

    for (uint32_t l = 0; l < shape->layer_count; l++) {
        const int32_t scale =
            (int32_t)lift_scale(prediction->level[shape->layers[l].level]);

        for (uint32_t v = first_asked(shape->layers[l].first, step);
             v < shape->layers[l + 1].first; v = next_asked(v, step)) {
            struct lift_point point = {{0}, {0}};

            for (uint32_t k = 0; k < components; k++) {
                const size_t at = 4 * (size_t)v + k;
                const int32_t c =
                    scratch->times[at] + lift_half(scratch->near[at], scale);

                point.p[k] = lift_arrive(scratch->there[at], c,
                                         prediction->fraction_bits);
                point.side[k] = lift_side(c, prediction->fraction_bits);
            }
            residuals_of(t, scratch, n++, &point, t->values + 4 * (size_t)v);
        }
    }
    return n;
}

static uint32_t try_time(const struct lift_target *t, uint32_t step,
                         struct lift_scratch *scratch,
                         struct lift_prediction *prediction)
{
    make_rest(t, prediction, scratch);
    fit_levels(t, step, scratch, prediction);
    return leave_time(t, step, scratch, prediction);
}

/* ---- the search ---------------------------------------------------------- */

static uint64_t entropy(const struct lift_target *t, uint32_t count,
                        const struct lift_scratch *scratch)
{
    const uint32_t components = channel_components(t->channel);
    uint64_t bits = 0;

    for (uint32_t k = 0; k < components && k < 3; k++)
        bits +=
            lift_entropy(scratch->logarithms, scratch->residuals + k, count, 4);
    if (components == 4)
        bits += lift_entropy(scratch->logarithms, scratch->fourth, count, 1);
    return bits;
}

/* Guesses take time to make: where other frames are there, they must save one
 * bit of so many. */
#define GUESS_WORTH 7u

static struct lift_prediction complete(const struct lift_target *t,
                                       const struct lift_prediction *candidate)
{
    struct lift_prediction prediction = *candidate;

    prediction.weight[0] = INT16_MAX;
    prediction.has_guess =
        t->guess != NULL && prediction.frame_count == t->from_count;
    prediction.is_turned = prediction.has_guess;
    if (prediction.has_guess) {
        prediction.fraction_bits = LIFT_GUESS_BITS;
        prediction.is_far = false;
    }
    return prediction;
}

static void ask(const struct lift_target *t, uint32_t step,
                struct lift_scratch *scratch,
                const struct lift_prediction *candidate, struct lift_best *best)
{
    struct lift_prediction prediction = complete(t, candidate);
    uint32_t count;
    uint64_t bits;

    count = prediction.frame_count > 0 ? try_time(t, step, scratch, &prediction)
                                       : try_space(t, step, scratch);
    bits = entropy(t, count, scratch);
    bits += best->is_guessing ? bits / (GUESS_WORTH - 1) : 0;
    if (best->is_any && bits >= best->bits)
        return;
    *best = (struct lift_best){.target = *t,
                               .prediction = prediction,
                               .bits = bits,
                               .is_any = true,
                               .is_guessing = best->is_guessing};
}

static void ask_weights(const struct lift_target *t, uint32_t step,
                        struct lift_scratch *scratch,
                        const struct lift_prediction *fraction, bool is_detail,
                        struct lift_best *best)
{
    const uint32_t frame_count = t->from_count;
    struct lift_prediction prediction = *fraction;

    prediction.frame_count = frame_count;
    add_squares(t, frame_count, is_detail, scratch->runs);
    solve_weights(scratch->runs, t->shape->vertex_count, frame_count - 1,
                  prediction.weight);
    ask(t, step, scratch, &prediction, best);
}

/* What the scratch holds of all vertices is what was found: zeros up to whole
 * groups. */
static void finish(const struct lift_target *t, struct lift_scratch *scratch,
                   const struct lift_prediction *prediction,
                   struct lift_found *found)
{
    const size_t count = t->shape->vertex_count;

    *found = (struct lift_found){.prediction = *prediction,
                                 .residuals = scratch->residuals};
    memset(scratch->residuals + 4 * count, 0,
           4 * TRIPLES_GROUP * sizeof(int16_t));
    memset(scratch->fourth + count, 0, TRIPLES_GROUP * sizeof(int16_t));
    if (channel_components(t->channel) == 4)
        found->fourth = scratch->fourth;
}

/* By the first frame, or the mean of the first two; by all with weights. With
 * guesses fractions are what guesses have, and the mean of two other frames was
 * asked before. */
static void ask_frames(const struct lift_target *t, uint32_t step,
                       struct lift_scratch *scratch, struct lift_best *best)
{
    struct lift_prediction mean = {.frame_count =
                                       t->from_count < 2 ? t->from_count : 2,
                                   .weight = {0, 1 << 14}};
    struct lift_prediction all = {0};

    if (!t->guess)
        find_fraction(t, mean.frame_count, scratch, &mean);
    if (!t->guess || t->from_count <= 2)
        ask(t, step, scratch, &mean, best);
    if (!t->guess && t->from_count > 2)
        find_fraction(t, t->from_count, scratch, &all);
    if (t->from_count == 2) {
        all.fraction_bits = mean.fraction_bits;
        all.is_far = mean.is_far;
    }
    if (t->from_count >= 2)
        ask_weights(t, step, scratch, &all, true, best);
    if (t->from_count > 2)
        ask_weights(t, step, scratch, &all, false, best);
}

static void make_guesses(const struct lift_target *t,
                         struct lift_scratch *scratch)
{
    const uint32_t blocks =
        /* NOLINTNEXTLINE(clang-analyzer-*): who has a guess has rings. */
        ring_block_count(t->rings->vertex_count);

    scratch->ops.rings.guess(t->rings, t->positions, 0, blocks,
                             scratch->guesses);
}

/* The guess as the only frame, turned as without frames; */
static struct lift_target guess_alone(const struct lift_target *t,
                                      struct lift_scratch *scratch)
{
    const uint32_t count = t->shape->vertex_count;
    struct lift_target with = *t;

    memcpy(scratch->alone, scratch->guesses,
           4 * (size_t)count * sizeof *scratch->alone);
    for (uint32_t v = 1; v < count; v++)
        lift_turn(t->values + 4 * lift_nearest(t->shape, v),
                  scratch->alone + 4 * (size_t)v);
    with.from[0] = with.guess = scratch->alone;
    with.from_count = 1;
    return with;
}

/* the same guess as the last of the frames, turned to the first. */
static struct lift_target guess_among(const struct lift_target *t,
                                      struct lift_scratch *scratch)
{
    const uint32_t count = t->shape->vertex_count;
    struct lift_target with = *t;

    memcpy(scratch->turned, scratch->guesses,
           4 * (size_t)count * sizeof *scratch->turned);
    for (uint32_t v = 0; v < count; v++)
        lift_turn(t->from[0] + 4 * (size_t)v, scratch->turned + 4 * (size_t)v);
    if (with.from_count == LIFT_FRAMES_MAX)
        with.from_count--;
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        scratch->whole[i] =
            lift_half(scratch->turned[i], 0x8000 >> LIFT_GUESS_BITS);
    with.from[with.from_count++] = scratch->whole;
    with.guess = scratch->turned;
    return with;
}

/* By the guess alone, and by that and other frames; turned as each needs. */
static void ask_guesses(const struct lift_target *t, uint32_t step,
                        struct lift_scratch *scratch, struct lift_best *best)
{
    struct lift_target with;

    make_guesses(t, scratch);
    with = guess_alone(t, scratch);
    best->is_guessing = t->from_count > 0;
    ask_frames(&with, step, scratch, best);
    if (t->from_count == 0)
        return;
    with = guess_among(t, scratch);
    ask_frames(&with, step, scratch, best);
}

/* By the guess alone, which is not turned: the values are, to it. */
static void search_turned(const struct lift_target *t,
                          struct lift_scratch *scratch,
                          struct lift_found *found)
{
    const struct lift_prediction one = {.frame_count = 1};
    struct lift_target alone = *t;
    struct lift_prediction prediction;

    make_guesses(t, scratch);
    for (uint32_t v = 0; v < t->shape->vertex_count; v++)
        lift_turn(scratch->guesses + 4 * (size_t)v, t->turned + 4 * (size_t)v);
    alone.from[0] = alone.guess = scratch->guesses;
    alone.from_count = 1;
    prediction = complete(&alone, &one);
    (void)try_time(&alone, 1, scratch, &prediction);
    prediction.is_turned = false;
    finish(t, scratch, &prediction, found);
}

static uint32_t step_of(const struct lift_target *t)
{
    return t->shape->vertex_count < ASKED_OF_AT_LEAST ? 1 : ASKED_STEP;
}

/* What was found of some vertices, made of all. */
static void make_found(const struct lift_best *best,
                       struct lift_scratch *scratch, struct lift_found *found)
{
    struct lift_prediction prediction = best->prediction;

    if (prediction.frame_count > 0)
        (void)try_time(&best->target, 1, scratch, &prediction);
    else
        (void)try_space(&best->target, 1, scratch);
    finish(&best->target, scratch, &prediction, found);
}

void lift_search_frames(const struct lift_target *t,
                        struct lift_scratch *scratch, struct lift_best *best)
{
    const struct lift_prediction space = {0};
    const uint32_t step = step_of(t);

    *best = (struct lift_best){.target = *t};
    if (t->from_count > 0 || t->rings)
        ask(t, step, scratch, &space, best);
    if (t->from_count > 0)
        ask_frames(t, step, scratch, best);
}

uint64_t lift_search_rings(const struct lift_target *t,
                           struct lift_scratch *scratch,
                           struct lift_best *frames)
{
    struct lift_best best = *frames;
    struct lift_found found;
    uint64_t bits;

    ask_guesses(t, step_of(t), scratch, &best);
    if (!best.prediction.has_guess && frames->is_made)
        return frames->bits_of_all;
    make_found(&best, scratch, &found);
    bits = lift_found_bits(t, scratch);
    if (!best.prediction.has_guess) {
        frames->bits_of_all = bits;
        frames->is_made = true;
    }
    return bits;
}

void lift_search(const struct lift_target *t, struct lift_scratch *scratch,
                 struct lift_found *found)
{
    struct lift_best best;

    if (t->rings && t->turned) {
        search_turned(t, scratch, found);
        return;
    }
    lift_search_frames(t, scratch, &best);
    if (t->rings)
        ask_guesses(t, step_of(t), scratch, &best);
    make_found(&best, scratch, found);
}

void lift_search_again(const struct lift_target *t,
                       const struct lift_prediction *prediction,
                       struct lift_scratch *scratch, struct lift_found *found)
{
    struct lift_target target = *t;
    struct lift_shape own;

    if (t->rings && t->turned) {
        search_turned(t, scratch, found);
        return;
    }
    if (prediction->has_guess) {
        make_guesses(t, scratch);
        target = prediction->frame_count > 1 ? guess_among(t, scratch)
                                             : guess_alone(t, scratch);
    }
    if (prediction->frame_count > 0) {
        make_rest(&target, prediction, scratch);
        own = lift_shape_of(t->shape, t->channel, true);
        find_near(&own, scratch->rest, 0, own.vertex_count, scratch->near);
        (void)leave_time(&target, 1, scratch, prediction);
    } else {
        (void)try_space(&target, 1, scratch);
    }
    finish(t, scratch, prediction, found);
}

uint64_t lift_found_bits(const struct lift_target *t,
                         const struct lift_scratch *scratch)
{
    return entropy(t, t->shape->vertex_count, scratch);
}

size_t lift_head_write(const struct lift_prediction *prediction,
                       uint32_t level_count, uint8_t *out)
{
    size_t at = 1;

    out[0] =
        (uint8_t)(prediction->frame_count |
                  prediction->fraction_bits << LIFT_FRACTION_SHIFT |
                  (prediction->is_turned || prediction->is_far ? LIFT_IS_TURNED
                                                               : 0) |
                  (prediction->has_guess ? LIFT_HAS_GUESS : 0));
    if (prediction->frame_count == 0)
        return at;
    for (uint32_t j = 1; j < prediction->frame_count; j++, at += 2)
        spn_store_u16le(out + at, (uint16_t)prediction->weight[j]);
    memcpy(out + at, prediction->level, level_count);
    return at + level_count;
}
