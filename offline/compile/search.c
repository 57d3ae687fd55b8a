/* search.c - weights for a stream, climbed by the compressor's estimate.
 *
 * The prediction F + b (C - F), onward by a (P - Q), blended by c, is linear
 * in b (1 - c), c and c a: one least-squares solution gives all three at once.
 * Squares follow the largest errors and bytes do not, so the solution is only
 * where the climb starts. Sums are integers and everything else is plain
 * double arithmetic in a fixed order: the same choice on every run.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/search.h"

#include "base/endian.h"
#include "common/phases.h"
#include "compile/residual.h"

#include <stddef.h>
#include <string.h>

struct search {
    const struct compressor *compressor;
    const void *values;
    uint32_t raw_bytes;
    struct search_scratch *scratch;
    struct predict_stream best;
    uint32_t best_cost;
};

/* ---- the cost of a candidate -----------------------------------------------
 */

/* Residuals as they lie in the file. */
static void make_residuals(const struct search *s,
                           const struct predict_stream *stream)
{
    uint8_t *residuals = s->scratch->residuals;

    residual_make(stream, s->values, residuals);
    if (stream->channel != CHANNEL_COLOR)
        spn_swap_u16le(residuals, s->raw_bytes / 2);
}

static uint32_t estimate(struct search *s, const struct predict_stream *stream)
{
    make_residuals(s, stream);
    return s->compressor->estimate(s->scratch->residuals, s->raw_bytes,
                                   s->scratch->target, s->scratch->workspace);
}

/* The best so far; of equals the first. */
static void keep(struct search *s, const struct predict_stream *stream,
                 uint32_t cost)
{
    if (cost >= s->best_cost)
        return;
    s->best = *stream;
    s->best_cost = cost;
}

/* ---- least squares
 * ----------------------------------------------------------- */

struct sums {
    int64_t m[3][3];
    int64_t y[3];
};

#define ADD_SUMS(type)                                                         \
    const type *x = values;                                                    \
    const type *f = s->floor_index;                                            \
    const type *c = s->ceil_index;                                             \
    const type *p = s->previous;                                               \
    const type *q = s->previous_two;                                           \
                                                                               \
    for (size_t i = 0; i < count; i++) {                                       \
        int64_t d[3] = {c[i] - f[i], p[i] - f[i], p[i] - q[i]};                \
        int64_t y = x[i] - f[i];                                               \
                                                                               \
        for (int k = 0; k < 3; k++) {                                          \
            sums->y[k] += d[k] * y;                                            \
            for (int j = k; j < 3; j++)                                        \
                sums->m[k][j] += d[k] * d[j];                                  \
        }                                                                      \
    }

static void sum_u16(const struct predict_stream *s, const void *values,
                    size_t count, struct sums *sums)
{
    ADD_SUMS(uint16_t)
}

static void sum_i16(const struct predict_stream *s, const void *values,
                    size_t count, struct sums *sums)
{
    ADD_SUMS(int16_t)
}

static void sum_u8(const struct predict_stream *s, const void *values,
                   size_t count, struct sums *sums)
{
    ADD_SUMS(uint8_t)
}

/* Gauss on a symmetric positive matrix; a small ridge keeps it regular when
 * some of the differences are all zero. */
static void solve(const struct sums *sums, double out[3])
{
    double m[3][4];

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            m[i][j] = (double)(j < i ? sums->m[j][i] : sums->m[i][j]);
        m[i][i] += 1.0 + 1e-6 * m[i][i];
        m[i][3] = (double)sums->y[i];
    }
    for (int i = 0; i < 3; i++)
        for (int r = i + 1; r < 3; r++) {
            double factor = m[r][i] / m[i][i];

            for (int j = i; j < 4; j++)
                m[r][j] -= factor * m[i][j];
        }
    for (int i = 2; i >= 0; i--) {
        double rest = m[i][3];

        for (int j = i + 1; j < 3; j++)
            rest -= m[i][j] * out[j];
        out[i] = rest / m[i][i];
    }
}

static uint8_t to_weight(double value)
{
    if (!(value > 0))
        return 0;
    return value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

static struct sums sums_of(const struct predict_stream *s, const void *values)
{
    size_t count = (size_t)s->count * channel_components(s->channel);
    struct sums sums = {{{0}}, {0}};

    if (s->channel == CHANNEL_QTANGENT)
        sum_i16(s, values, count, &sums);
    else if (s->channel == CHANNEL_COLOR)
        sum_u8(s, values, count, &sums);
    else
        sum_u16(s, values, count, &sums);
    return sums;
}

/* All three weights by least squares. */
static void guess_blend(const struct sums *sums, struct predict_stream *s)
{
    double p[3];

    solve(sums, p);
    s->c = to_weight(p[1] * 128);
    s->b = 128;
    s->a = 0;
    if (p[1] < 0.95 || p[1] > 1.05)
        s->b = to_weight(p[0] / (1 - p[1]) * 256);
    if (p[1] > 0.05)
        s->a = to_weight(p[2] / p[1] * 128);
}

static void guess_lerp(const struct sums *sums, struct predict_stream *s)
{
    s->a = 0;
    s->c = 0;
    s->b = to_weight((double)sums->y[0] / (1.0 + (double)sums->m[0][0]) * 256);
}

/* ---- the climb
 * ----------------------------------------------------------------- */

static uint8_t *weight_of(struct predict_stream *s, int which)
{
    return which == 0 ? &s->c : which == 1 ? &s->b : &s->a;
}

/* One step of one weight, either way; true when one of them was better. */
static bool climb_step(struct search *s, struct predict_stream *best,
                       uint32_t *best_cost, int which, int step)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct predict_stream next = *best;
        uint8_t *weight = weight_of(&next, which);
        int value = *weight + sign * step;
        uint32_t cost;

        if (value < 0 || value > 255)
            continue;
        *weight = (uint8_t)value;
        cost = estimate(s, &next);
        keep(s, &next, cost);
        if (cost < *best_cost) {
            *best = next;
            *best_cost = cost;
            return true;
        }
    }
    return false;
}

/* From coarse steps to single ones; `has_motion`: a and c do something. */
static void climb(struct search *s, struct predict_stream *best,
                  uint32_t *best_cost, bool has_motion)
{
    static const int steps[] = {24, 8, 3, 1};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (int which = 0; which < 3; which++) {
            int turns = 3;

            if ((which != 1 && !has_motion) || (which == 2 && best->c == 0))
                continue;
            while (turns-- > 0 &&
                   climb_step(s, best, best_cost, which, steps[i]))
                ;
        }
}

static void try_temporal(struct search *s, const struct predict_stream *stream)
{
    struct sums sums = sums_of(stream, s->values);
    struct predict_stream best = *stream;
    struct predict_stream other = *stream;
    bool has_motion = stream->previous != stream->floor_index;
    uint32_t best_cost;

    best.coding = CODING_TEMPORAL;
    other.coding = CODING_TEMPORAL;
    guess_lerp(&sums, &best);
    best_cost = estimate(s, &best);
    keep(s, &best, best_cost);
    if (has_motion) {
        uint32_t cost;

        guess_blend(&sums, &other);
        cost = estimate(s, &other);
        keep(s, &other, cost);
        if (cost < best_cost) {
            best = other;
            best_cost = cost;
        }
    }
    climb(s, &best, &best_cost, has_motion);
}

/* ---- the bytes -------------------------------------------------------------
 */

/* Compress what lies in the scratch's residuals. */
static void compress(const struct compressor *compressor, uint32_t raw_bytes,
                     struct search_scratch *scratch,
                     struct search_result *result)
{
    enum phase before = phases_enter(PHASE_COMPRESS);
    uint32_t bytes = compressor->compress(scratch->residuals, raw_bytes,
                                          scratch->target, scratch->workspace);

    phases_enter(before);
    result->is_raw = bytes == 0;
    result->stored_bytes = result->is_raw ? raw_bytes : bytes;
    result->stored = result->is_raw ? scratch->residuals : scratch->target;
}

void search_stream(const struct compressor *compressor,
                   const struct predict_stream *stream, const void *values,
                   struct search_scratch *scratch, struct search_result *result)
{
    struct search s = {.compressor = compressor,
                       .values = values,
                       .raw_bytes = stream->count *
                                    channel_vertex_bytes(stream->channel),
                       .scratch = scratch,
                       .best_cost = UINT32_MAX};
    struct predict_stream plain = *stream;
    struct predict_stream next;

    plain.a = plain.b = plain.c = 0;
    plain.coding = CODING_PLAIN;
    keep(&s, &plain, estimate(&s, &plain));
    if (compressor->id != BLOCK_CODEC_STORE) {
        next = plain;
        next.coding = CODING_SPATIAL;
        if (stream->entries)
            keep(&s, &next, estimate(&s, &next));
        if (stream->floor_index)
            try_temporal(&s, &plain);
    }
    make_residuals(&s, &s.best);
    memset(result, 0, sizeof *result);
    compress(compressor, s.raw_bytes, scratch, result);
    /* Raw blocks are all of one size: plain is the one to have. */
    if (result->is_raw) {
        s.best = plain;
        make_residuals(&s, &plain);
    }
    result->coding = s.best.coding;
    result->a = s.best.a;
    result->b = s.best.b;
    result->c = s.best.c;
}

void search_bytes(const struct compressor *compressor, const void *bytes,
                  uint32_t count, struct search_scratch *scratch,
                  struct search_result *result)
{
    memset(result, 0, sizeof *result);
    memcpy(scratch->residuals, bytes, count);
    compress(compressor, count, scratch, result);
}
