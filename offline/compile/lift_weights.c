/* lift_weights.c - sums of products, the best four, least squares.
 *
 * With d_j the difference of candidate j to the vertex, and weights that sum
 * up to 1, the error of a prediction is sum w_j d_j, its square w' G w with
 * G_ij = sum d_i d_j. The minimum of w' G w + ridge |w - u|^2, u equal weights,
 * is A w = ridge u + a 1 with A = G + ridge I and `a` such that the sum is 1.
 * Plain double arithmetic in a fixed order; nothing here uses the C library's
 * functions.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/lift_weights.h"

#include <string.h>

#define N LIFT_CANDIDATES_MAX

void lift_training_begin(struct lift_training *training,
                         const struct lift_graph *graph, struct arena *arena)
{
    training->graph = graph;
    training->products =
        ARENA_NEW(arena, struct lift_products, graph->vertex_count);
}

void lift_training_add(struct lift_training *training, const int16_t *values)
{
    const struct lift_graph *graph = training->graph;

    for (uint32_t v = 0; v < graph->vertex_count; v++) {
        const struct lift_candidates *c = &graph->candidates[v];
        int32_t d[N][3];
        int64_t *sum = training->products[v].sum;

        for (uint32_t j = 0; j < c->count; j++)
            for (uint32_t k = 0; k < 3; k++)
                d[j][k] = (int16_t)(values[4 * (size_t)c->vertex[j] + k] -
                                    values[4 * (size_t)v + k]);
        for (uint32_t i = 0; i < c->count; i++)
            for (uint32_t j = i; j < c->count; j++, sum++)
                for (uint32_t k = 0; k < 3; k++)
                    *sum += (int64_t)d[i][k] * d[j][k];
    }
}

struct system {
    uint32_t count;
    double g[N][N];
    double w[N];
    double error; /* w' G w + ridge |w - u|^2 */
};

/* Solve for `w`. Gauss without exchanges: the matrix is positive. */
static void solve(struct system *s)
{
    const uint32_t n = s->count;
    double a[N][N];
    double r[N][2]; /* equal weights' part, and 1 */
    double trace = 0;
    double sum[2] = {0, 0};
    double ridge;

    for (uint32_t i = 0; i < n; i++)
        trace += s->g[i][i];
    ridge = 0.0002 * trace / n + 0.01;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            a[i][j] = s->g[i][j] + (i == j ? ridge : 0);
        r[i][0] = ridge / n;
        r[i][1] = 1;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            const double f = a[k][i] / a[i][i];

            for (uint32_t j = i; j < n; j++)
                a[k][j] -= f * a[i][j];
            r[k][0] -= f * r[i][0];
            r[k][1] -= f * r[i][1];
        }
    for (uint32_t i = n; i-- > 0;)
        for (int b = 0; b < 2; b++) {
            for (uint32_t j = i + 1; j < n; j++)
                r[i][b] -= a[i][j] * r[j][b];
            r[i][b] /= a[i][i];
            sum[b] += r[i][b];
        }
    s->error = 0;
    for (uint32_t i = 0; i < n; i++)
        s->w[i] = r[i][0] + (1 - sum[0]) / sum[1] * r[i][1];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            s->error += s->w[i] * s->g[i][j] * s->w[j];
        s->error += ridge * (s->w[i] - 1.0 / n) * (s->w[i] - 1.0 / n);
    }
}

static void leave_out(struct system *s, uint16_t *vertex, uint32_t out)
{
    s->count--;
    for (uint32_t i = out; i < s->count; i++)
        vertex[i] = vertex[i + 1];
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = 0; j < s->count; j++)
            s->g[i][j] = s->g[i + (i >= out)][j + (j >= out)];
}

/* Leave out, one by one, the candidate that is missed least. */
static void choose(struct system *s, uint16_t *vertex)
{
    while (s->count > LIFT_REFERENCES) {
        struct system best;
        uint32_t out = 0;

        for (uint32_t i = 0; i < s->count; i++) {
            struct system trial = *s;
            uint16_t spare[N];

            memcpy(spare, vertex, sizeof spare);
            leave_out(&trial, spare, i);
            solve(&trial);
            /* cppcheck-suppress uninitvar ; the first one is the best */
            if (i > 0 && trial.error >= best.error)
                continue;
            best = trial;
            out = i;
        }
        leave_out(s, vertex, out);
    }
    solve(s);
}

static int32_t floor_of(double x)
{
    const int32_t i = (int32_t)x;

    return i > x ? i - 1 : i;
}

/* To 64ths that sum up to 64: down first, then up where most was cut. */
static void quantize(const struct system *s, int8_t *weights)
{
    int32_t w[LIFT_REFERENCES] = {0};
    double cut[LIFT_REFERENCES] = {0};
    int32_t sum = 0;

    for (uint32_t j = 0; j < s->count; j++) {
        double x = LIFT_WEIGHT_ONE * s->w[j];

        /* What the others' rounding adds at most keeps this in a byte. */
        x = x < -60 ? -60 : x > 88 ? 88 : x;
        w[j] = floor_of(x);
        cut[j] = x - w[j];
        sum += w[j];
    }
    while (sum != LIFT_WEIGHT_ONE) {
        uint32_t at = 0;

        for (uint32_t j = 1; j < s->count; j++)
            if (sum < LIFT_WEIGHT_ONE ? cut[j] > cut[at] : cut[j] < cut[at])
                at = j;
        w[at] += sum < LIFT_WEIGHT_ONE ? 1 : -1;
        cut[at] += sum < LIFT_WEIGHT_ONE ? -1 : 1;
        sum += sum < LIFT_WEIGHT_ONE ? 1 : -1;
    }
    for (uint32_t j = 0; j < LIFT_REFERENCES; j++)
        weights[j] = (int8_t)w[j];
}

/* Rising references, unused ones (0) first: it is nothing to the prediction
 * and makes files smaller. */
static void sort_references(uint16_t *references, int8_t *weights)
{
    for (uint32_t i = 1; i < LIFT_REFERENCES; i++)
        for (uint32_t j = i; j > 0 && references[j - 1] > references[j]; j--) {
            const uint16_t reference = references[j];
            const int8_t weight = weights[j];

            references[j] = references[j - 1];
            weights[j] = weights[j - 1];
            references[j - 1] = reference;
            weights[j - 1] = weight;
        }
}

void lift_training_finish(const struct lift_training *training,
                          struct arena *arena, struct lift_shape *out)
{
    const struct lift_graph *graph = training->graph;
    const size_t padded = graph->vertex_count + LIFT_PADDING;
    uint16_t *references = ARENA_NEW(arena, uint16_t, LIFT_REFERENCES * padded);
    int8_t *weights = ARENA_NEW(arena, int8_t, LIFT_REFERENCES * padded);

    for (uint32_t v = 0; v < graph->vertex_count; v++) {
        struct lift_candidates c = graph->candidates[v];
        const int64_t *sum = training->products[v].sum;
        struct system s = {.count = c.count};

        if (c.count == 0)
            continue;
        for (uint32_t i = 0; i < c.count; i++)
            for (uint32_t j = i; j < c.count; j++)
                s.g[i][j] = s.g[j][i] = (double)*sum++;
        choose(&s, c.vertex);
        quantize(&s, weights + LIFT_REFERENCES * (size_t)v);
        for (uint32_t j = 0; j < s.count; j++)
            references[LIFT_REFERENCES * (size_t)v + j] = c.vertex[j];
        sort_references(references + LIFT_REFERENCES * (size_t)v,
                        weights + LIFT_REFERENCES * (size_t)v);
    }
    out->vertex_count = graph->vertex_count;
    out->layer_count = graph->layer_count;
    out->level_count = graph->level_count;
    out->weld_first = graph->weld_first;
    out->layers = graph->layers;
    out->references = references;
    out->weights = weights;
}

#undef N
