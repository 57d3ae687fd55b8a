/* search.c - chooses order, coding and weights of a stream by estimates of its
 * compressed size.
 *
 * temporal_fit.h gives the first weights of a temporal prediction. They have
 * the least squared error, which depends most on the largest errors; the
 * compressed size does not. So a hill climb follows, which compares estimates
 * of the compressed size of the residuals in their stored order.
 *
 * If the order is bit planes, most of the climb evaluates a quarter of the
 * vertices, in runs, and only the last single steps evaluate all of them.
 * Interleaved streams always evaluate all, because their matches are distant: a
 * part of the vertices tells little about the size of the stream. Bytes per
 * frame and processor time of the search alone, for the B frames of a cloth
 * (30,389 vertices, x86-64):
 *
 *   from one fixed start, all vertices     56,443   39 ms
 *   from least squares, all vertices       52,404   30 ms
 *   a quarter of the vertices              52,856    8 ms
 *   a quarter, then single steps with all  52,618   14 ms
 *
 * All arithmetic is in a fixed order, so every run makes the same choice.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/classic/search.h"

#include "common/phases.h"
#include "compile/encode/classic/temporal_fit.h"
#include "compile/math/residual.h"

#include <stddef.h>
#include <string.h>

/* Vertices of a run. A sample of a stream is one run in RUN_STEP. */
#define RUN 256u
#define RUN_STEP 4u

struct candidate {
    enum coding coding;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    uint32_t cost; /* UINT32_MAX: not possible */
};

struct search {
    const struct compressor *compressor;
    struct predict_stream stream;
    const void *values;
    struct search_scratch *scratch;
    enum residual_order order;
    bool has_residuals; /* of all vertices, by `made` */
    struct candidate made;
};

/* -- the cost of a candidate -- */

static struct predict_stream stream_of(const struct search *s,
                                       const struct candidate *c)
{
    struct predict_stream stream = s->stream;

    stream.coding = c->coding;
    stream.a = c->a;
    stream.b = c->b;
    stream.c = c->c;
    return stream;
}

static bool is_large(const struct search *s)
{
    return s->stream.count >= 2 * RUN * RUN_STEP;
}

static bool is_sampled(const struct search *s)
{
    return s->order == ORDER_PLANES && is_large(s);
}

static bool is_same(const struct candidate *a, const struct candidate *b)
{
    return a->coding == b->coding && a->a == b->a && a->b == b->b &&
           a->c == b->c;
}

/* Make the residuals of all vertices, unless `made` is this candidate. The best
 * candidate is needed again for the other order and for compression. */
static void make_all(struct search *s, const struct candidate *c)
{
    const struct predict_stream stream = stream_of(s, c);

    if (s->has_residuals && is_same(&s->made, c))
        return;
    residual_make(&stream, s->values, 0, stream.count, s->scratch->residuals);
    s->has_residuals = true;
    s->made = *c;
}

/* Make the residuals and store them in their order in the file. Return their
 * bytes. Without takes_all, a large stream is sampled. */
static uint32_t make_bytes(struct search *s, const struct candidate *c,
                           bool takes_all)
{
    const struct predict_stream stream = stream_of(s, c);
    uint32_t vertex_bytes = channel_vertex_bytes(stream.channel);
    uint8_t *residuals = s->scratch->residuals;
    uint32_t count = 0;

    if (takes_all || !is_sampled(s)) {
        count = stream.count;
        make_all(s, c);
    } else {
        s->has_residuals = false;
        for (uint32_t at = RUN; at + RUN <= stream.count;
             at += RUN * RUN_STEP, count += RUN)
            residual_make(&stream, s->values, at, RUN,
                          residuals + (size_t)count * vertex_bytes);
    }
    residual_store(stream.channel, s->order, residuals, count,
                   s->scratch->bytes);
    return count * vertex_bytes;
}

static uint32_t estimate_fast(struct search *s, const struct candidate *c,
                              bool takes_all)
{
    uint32_t bytes = make_bytes(s, c, takes_all);

    return s->compressor->estimate_fast(
        s->scratch->bytes, bytes, s->scratch->target, s->scratch->workspace);
}

static uint32_t estimate(struct search *s, const struct candidate *c)
{
    uint32_t bytes = make_bytes(s, c, true);

    return s->compressor->estimate(s->scratch->bytes, bytes, s->scratch->target,
                                   s->scratch->workspace);
}

static void evaluate(struct search *s, struct candidate *c, bool takes_all)
{
    c->cost = s->order == ORDER_PLANES ? estimate_fast(s, c, takes_all)
                                       : estimate(s, c);
}

/* -- the climb -- */

static uint8_t *weight_of(struct candidate *c, int which)
{
    return which == 0 ? &c->c : which == 1 ? &c->b : &c->a;
}

/* Candidates that a climb has evaluated. None is better than its best one. */
#define TRAIL_MAX 64u

struct trail {
    uint32_t count;
    struct candidate at[TRAIL_MAX];
};

static bool is_in_trail(const struct trail *trail, const struct candidate *c)
{
    for (uint32_t i = 0; i < trail->count; i++)
        if (is_same(&trail->at[i], c))
            return true;
    return false;
}

static void add_to_trail(struct trail *trail, const struct candidate *c)
{
    if (trail->count < TRAIL_MAX)
        trail->at[trail->count++] = *c;
}

/* Change one weight by a step, up or down. Return true if that is cheaper. */
static bool climb_step(struct search *s, struct trail *trail,
                       struct candidate *best, int which, int step,
                       bool takes_all)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct candidate next = *best;
        uint8_t *weight = weight_of(&next, which);
        int value = *weight + sign * step;

        if (value < 0 || value > 255)
            continue;
        *weight = (uint8_t)value;
        if (is_in_trail(trail, &next))
            continue;
        evaluate(s, &next, takes_all);
        add_to_trail(trail, &next);
        if (next.cost < best->cost) {
            *best = next;
            return true;
        }
    }
    return false;
}

/* Climb with steps from `step` down to `last`, at most `rounds` times for each
 * weight and step. */
static void climb(struct search *s, struct candidate *best, int step, int last,
                  int rounds, bool takes_all)
{
    /* Without motion, a and c have no effect. */
    bool has_motion = s->stream.previous != s->stream.floor_index;
    struct trail trail = {0};

    add_to_trail(&trail, best);
    for (; step >= last && step > 0; step /= 3)
        for (int which = 0; which < 3; which++) {
            if ((which != 1 && !has_motion) || (which == 2 && best->c == 0))
                continue;
            for (int i = 0; i < rounds; i++)
                if (!climb_step(s, &trail, best, which, step, takes_all))
                    break;
        }
}

static struct temporal_fit fit_of(const struct search *s)
{
    uint32_t count = s->stream.count;
    struct temporal_fit fit = {{{0}}, {0}};

    if (!is_sampled(s)) {
        temporal_fit_add(&s->stream, s->values, 0, count, &fit);
        return fit;
    }
    for (uint32_t at = RUN; at + RUN <= count; at += RUN * RUN_STEP)
        temporal_fit_add(&s->stream, s->values, at, at + RUN, &fit);
    return fit;
}

static struct candidate evaluate_weights(struct search *s,
                                         struct temporal_weights w)
{
    struct candidate c = {CODING_TEMPORAL, w.a, w.b, w.c, UINT32_MAX};

    evaluate(s, &c, false);
    return c;
}

/* Return the better of two candidates by least squares: interpolation alone, or
 * all weights. Without motion, only interpolation is possible. */
static struct candidate start_temporal(struct search *s)
{
    const struct temporal_fit fit = fit_of(s);
    const struct candidate lerp = evaluate_weights(s, temporal_fit_lerp(&fit));
    struct candidate blend;

    if (s->stream.previous == s->stream.floor_index)
        return lerp;
    blend = evaluate_weights(s, temporal_fit_blend(&fit));
    return blend.cost < lerp.cost ? blend : lerp;
}

/* -- one order -- */

#define CODINGS 3u

/* Could the candidate be the cheapest although `best` has a lower cost? The
 * cost of a sample is not exact. */
static bool is_near(const struct candidate *c, const struct candidate *best)
{
    return c->cost != UINT32_MAX && c->cost <= best->cost + best->cost / 16;
}

static const struct candidate *cheapest(const struct candidate c[CODINGS])
{
    const struct candidate *best = &c[0];

    for (uint32_t i = 1; i < CODINGS; i++)
        if (c[i].cost < best->cost)
            best = &c[i];
    return best;
}

/* Return the cheapest coding in this order, with its cost for all vertices. */
static struct candidate search_order(struct search *s)
{
    struct candidate c[CODINGS] = {
        {CODING_PLAIN, 0, 0, 0, UINT32_MAX},
        {CODING_SPATIAL, 0, 0, 0, UINT32_MAX},
        {CODING_TEMPORAL, 0, 0, 0, UINT32_MAX},
    };
    struct candidate best;

    evaluate(s, &c[0], false);
    if (s->stream.entries)
        evaluate(s, &c[1], false);
    best = *cheapest(c);
    if (s->stream.floor_index) {
        c[2] = start_temporal(s);
        /* A climb seldom gains more than a tenth, mostly in its first steps. */
        if (c[2].cost <= best.cost + best.cost / 8)
            climb(s, &c[2], 27, 9, 3, false);
        if (is_near(&c[2], &best))
            climb(s, &c[2], 3, 1, 3, false);
    }
    if (!is_sampled(s))
        return *cheapest(c);
    best = *cheapest(c);
    for (uint32_t i = 0; i < CODINGS; i++) {
        if (is_near(&c[i], &best))
            evaluate(s, &c[i], true);
        else
            c[i].cost = UINT32_MAX;
    }
    if (cheapest(c) == &c[2])
        climb(s, &c[2], 1, 1, 2, true);
    return *cheapest(c);
}

/* -- the bytes -- */

/* Compress scratch->bytes. */
static void compress(const struct compressor *compressor, uint32_t raw_bytes,
                     struct search_scratch *scratch,
                     struct search_result *result)
{
    enum phase before = phases_enter(PHASE_COMPRESS);
    uint32_t bytes = compressor->compress(scratch->bytes, raw_bytes,
                                          scratch->target, scratch->workspace);

    phases_enter(before);
    result->is_raw = bytes == 0;
    result->stored_bytes = result->is_raw ? raw_bytes : bytes;
    result->stored = result->is_raw ? scratch->bytes : scratch->target;
}

static void compress_candidate(struct search *s, const struct candidate *c,
                               struct search_result *result)
{
    uint32_t raw_bytes = make_bytes(s, c, true);

    memset(result, 0, sizeof *result);
    compress(s->compressor, raw_bytes, s->scratch, result);
    result->order = s->order;
    result->coding = c->coding;
    result->motion_factor = c->a;
    result->lerp_factor = c->b;
    result->motion_weight = c->c;
}

/* Could the best coding as planes be smaller interleaved? Most large streams
 * are not smaller, so a fast estimate comes first. It misses matches of at most
 * a quarter of the size. */
static bool may_be_smaller_interleaved(struct search *s,
                                       const struct candidate *planes)
{
    uint32_t cost;

    s->order = ORDER_INTERLEAVED;
    if (!is_large(s))
        return true;
    cost = estimate_fast(s, planes, true);
    if (cost - cost / 4 >= planes->cost)
        return false;
    return estimate(s, planes) < planes->cost;
}

static uint32_t compressed_bytes(struct search *s, enum residual_order order,
                                 const struct candidate *c)
{
    struct search_result result;

    s->order = order;
    compress_candidate(s, c, &result);
    return result.stored_bytes;
}

/* Return the best coding as planes or interleaved, whichever compresses to
 * fewer bytes. s->order becomes its order. */
static struct candidate search_orders(struct search *s, uint32_t orders)
{
    struct candidate interleaved;
    struct candidate planes;

    s->order = ORDER_INTERLEAVED;
    if (!(orders & ORDER_BIT(ORDER_PLANES)))
        return search_order(s);
    s->order = ORDER_PLANES;
    planes = search_order(s);
    if ((orders & ORDER_BIT(ORDER_INTERLEAVED)) &&
        may_be_smaller_interleaved(s, &planes)) {
        interleaved = search_order(s);
        if (compressed_bytes(s, ORDER_INTERLEAVED, &interleaved) <
            compressed_bytes(s, ORDER_PLANES, &planes)) {
            s->order = ORDER_INTERLEAVED;
            return interleaved;
        }
    }
    s->order = ORDER_PLANES;
    return planes;
}

void search_stream(const struct compressor *compressor, uint32_t orders,
                   const struct predict_stream *stream, const void *values,
                   struct search_scratch *scratch, struct search_result *result)
{
    static const struct candidate plain = {CODING_PLAIN, 0, 0, 0, 0};
    struct search s = {.compressor = compressor,
                       .stream = *stream,
                       .values = values,
                       .scratch = scratch,
                       .order = ORDER_INTERLEAVED};
    struct candidate best = plain;

    if (compressor->id != BLOCK_CODEC_STORE)
        best = search_orders(&s, orders);
    compress_candidate(&s, &best, result);
    if (result->is_raw) {
        /* A raw block has the same size in each coding. Plain interleaved
         * values need no prediction. */
        s.order = ORDER_INTERLEAVED;
        compress_candidate(&s, &plain, result);
    }
}

void search_bytes(const struct compressor *compressor, const void *bytes,
                  uint32_t count, struct search_scratch *scratch,
                  struct search_result *result)
{
    memset(result, 0, sizeof *result);
    memcpy(scratch->bytes, bytes, count);
    compress(compressor, count, scratch, result);
}
