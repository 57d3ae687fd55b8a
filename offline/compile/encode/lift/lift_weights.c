/* lift_weights.c - chooses four references of each vertex and their weights by
 * least squares.
 *
 * Let d_j be the difference of candidate j to the vertex in one frame, and w_j
 * the weight of this candidate. The weights sum up to 1, so the error of the
 * prediction is sum_j w_j d_j. Its square, summed over the frames, is w' G w
 * with G_ij = sum d_i d_j. Let u be the vector of equal weights and 1 the
 * vector of ones. The minimum of w' G w + ridge |w - u|^2 is w = a (1 / A) 1,
 * with A = G + ridge I and a factor `a` that makes the weights sum up to 1.
 *
 * Doubles are added in a fixed order, and no function of the C library is
 * called, so the result is the same on every machine.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_weights.h"

#include <string.h>

#define N LIFT_CANDIDATES_MAX
/* Factor of the ridge while candidates are chosen. The ridge is proportional to
 * the mean square over all candidates, which distant ones make large. */
#define RIDGE_OF_CHOICE 0.05
/* Limit of weights in descend(), in 64ths: a weight must fit in an int8_t. */
#define WEIGHT_MAX 120
#define MOVES_MAX 64u

void lift_training_begin(struct lift_training *training,
                         const struct lift_graph *graph, struct arena *arena)
{
    *training = (struct lift_training){.graph = graph, .ridge = LIFT_RIDGE};
    for (uint32_t v = 0; v < graph->vertex_count; v++) {
        const uint32_t n = graph->candidates[v].count;

        training->product_count += n * (n + 1) / 2;
    }
    training->products = ARENA_NEW(arena, double, training->product_count);
}

void lift_training_copy(const struct lift_training *from, struct arena *arena,
                        struct lift_training *out)
{
    *out = *from;
    out->products = ARENA_NEW(arena, double, from->product_count);
    memcpy(out->products, from->products,
           from->product_count * sizeof *out->products);
}

void lift_training_add(struct lift_training *training, const int16_t *values,
                       const double *scale, const double *worth)
{
    const struct lift_graph *graph = training->graph;
    double *sum = training->products;

    for (uint32_t v = 0; v < graph->vertex_count; v++) {
        const struct lift_candidates *c = &graph->candidates[v];
        const int16_t *own = values + 4 * (size_t)v;
        double d[3][N]; /* difference of each candidate to the vertex */

        for (uint32_t j = 0; j < c->count; j++) {
            const int16_t *near = values + 4 * (size_t)c->vertex[j];

            for (uint32_t k = 0; k < 3; k++)
                d[k][j] = scale ? scale[v] * near[k] - own[k]
                                : (int16_t)(near[k] - own[k]);
        }
        for (uint32_t i = 0; i < c->count; i++) {
            const double w = worth ? worth[v] : 1;
            const double x = w * d[0][i];
            const double y = w * d[1][i];
            const double z = w * d[2][i];

            for (uint32_t j = i; j < c->count; j++)
                *sum++ += x * d[0][j] + y * d[1][j] + z * d[2][j];
        }
    }
}

struct system {
    uint32_t count;
    double ridge; /* as a part of the mean diagonal of g */
    double g[N][N];
    double w[N];
};

static double ridge_of(const struct system *s)
{
    double trace = 0;

    for (uint32_t i = 0; i < s->count; i++)
        trace += s->g[i][i];
    return s->ridge * trace / s->count + 0.01;
}

/* Invert A = g + ridge I by Gauss-Jordan elimination. A is positive definite,
 * so no pivoting is needed. */
static void invert(const struct system *s, double ridge, double b[N][N])
{
    const uint32_t n = s->count;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            b[i][j] = s->g[i][j] + (i == j ? ridge : 0);
    for (uint32_t k = 0; k < n; k++) {
        const double pivot = 1 / b[k][k];

        for (uint32_t j = 0; j < n; j++)
            b[k][j] *= j == k ? 0 : pivot;
        for (uint32_t i = 0; i < n; i++) {
            const double f = b[i][k];

            if (i == k)
                continue;
            for (uint32_t j = 0; j < n; j++)
                b[i][j] -= f * b[k][j];
            b[i][k] = -f * pivot;
        }
        b[k][k] = pivot;
    }
}

/* Remove candidate `out` from the system, and update b = 1 / A. The last
 * candidate takes its index. */
static void remove_candidate(struct system *s, uint16_t *vertex, double b[N][N],
                             uint32_t out)
{
    const uint32_t last = s->count - 1;

    for (uint32_t i = 0; i < s->count; i++) {
        const double f = b[i][out] / b[out][out];

        for (uint32_t j = 0; i != out && j < s->count; j++)
            b[i][j] -= f * b[out][j];
    }
    for (uint32_t i = 0; i < s->count; i++) {
        b[i][out] = b[i][last];
        s->g[i][out] = s->g[i][last];
    }
    for (uint32_t j = 0; j < s->count; j++) {
        b[out][j] = b[last][j];
        s->g[out][j] = s->g[last][j];
    }
    vertex[out] = vertex[last];
    s->count--;
}

/* Return the candidate whose removal increases the error least. Let B = 1 / A,
 * r_i the sum of row i of B, and s the sum of all of B. Removal of candidate i
 * increases the error by r_i^2 / (B_ii s - r_i^2), times 1 / s. */
static uint32_t least_useful(const struct system *s, double b[N][N])
{
    double row[N];
    double sum = 0;
    double least = 0;
    uint32_t out = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        row[i] = 0;
        for (uint32_t j = 0; j < s->count; j++)
            row[i] += b[i][j];
        sum += row[i];
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const double missed =
            row[i] * row[i] / (b[i][i] * sum - row[i] * row[i]);

        if (i == 0 || missed < least) {
            least = missed;
            out = i;
        }
    }
    return out;
}

/* Remove candidates one by one until LIFT_REFERENCES are left, then compute
 * their weights. */
static void choose(struct system *s, uint16_t *vertex)
{
    double b[N][N];
    double sum = 0;

    invert(s, RIDGE_OF_CHOICE * ridge_of(s), b);
    while (s->count > LIFT_REFERENCES)
        remove_candidate(s, vertex, b, least_useful(s, b));
    invert(s, ridge_of(s), b);
    for (uint32_t i = 0; i < s->count; i++) {
        s->w[i] = 0;
        for (uint32_t j = 0; j < s->count; j++)
            s->w[i] += b[i][j];
        sum += s->w[i];
    }
    for (uint32_t i = 0; i < s->count; i++)
        s->w[i] /= sum;
}

static int32_t round_down(double x)
{
    const int32_t i = (int32_t)x;

    return i > x ? i - 1 : i;
}

/* Return the change of the error, in 64ths squared, when weight `up` grows and
 * weight `down` shrinks by 1/64. slope: half the derivative of the error by
 * each weight. */
static double error_change(const struct system *s, double ridge,
                           const double *slope, uint32_t up, uint32_t down)
{
    return s->g[up][up] + s->g[down][down] - 2 * s->g[up][down] + 2 * ridge +
           2 * (slope[up] - slope[down]);
}

/* Improve the rounded weights together, because separate rounding is poor where
 * candidates have similar errors. Each step moves 1/64 from one weight to
 * another; the move that lowers the error most comes first. */
static void descend(const struct system *s, int32_t *w)
{
    const double ridge = ridge_of(s);

    for (uint32_t moves = 0; moves < MOVES_MAX; moves++) {
        double slope[LIFT_REFERENCES];
        double best = 0;
        uint32_t up = 0;
        uint32_t down = 0;

        for (uint32_t i = 0; i < s->count; i++) {
            slope[i] = ridge * w[i];
            for (uint32_t j = 0; j < s->count; j++)
                slope[i] += s->g[i][j] * w[j];
        }
        for (uint32_t i = 0; i < s->count; i++)
            for (uint32_t j = 0; j < s->count; j++) {
                const double change = error_change(s, ridge, slope, i, j);

                if (i == j || w[i] >= WEIGHT_MAX || w[j] <= -WEIGHT_MAX ||
                    change >= best)
                    continue;
                best = change;
                up = i;
                down = j;
            }
        if (up == down)
            return;
        w[up]++;
        w[down]--;
    }
}

/* Quantize the weights to 64ths that sum up to 64. Round down, correct the sum
 * where the rounding error is largest, then call descend(). */
static void quantize(const struct system *s, int8_t *weights)
{
    int32_t w[LIFT_REFERENCES] = {0};
    double cut[LIFT_REFERENCES] = {0};
    int32_t sum = 0;

    for (uint32_t j = 0; j < s->count; j++) {
        double x = LIFT_WEIGHT_ONE * s->w[j];

        /* With the corrections below, the result must fit in a byte. */
        x = x < -60 ? -60 : x > 88 ? 88 : x;
        w[j] = round_down(x);
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
    descend(s, w);
    for (uint32_t j = 0; j < LIFT_REFERENCES; j++)
        weights[j] = (int8_t)w[j];
}

/* Sort references in ascending order, unused ones (0) first. The order does not
 * change the prediction, but makes files smaller. */
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
                          struct arena *arena, struct lift_hierarchy *out)
{
    const struct lift_graph *graph = training->graph;
    const double *sum = training->products;
    const size_t padded = graph->vertex_count + LIFT_PADDING;
    uint16_t *references = ARENA_NEW(arena, uint16_t, LIFT_REFERENCES * padded);
    int8_t *weights = ARENA_NEW(arena, int8_t, LIFT_REFERENCES * padded);

    for (uint32_t v = 0; v < graph->vertex_count; v++) {
        struct lift_candidates c = graph->candidates[v];
        struct system s = {.count = c.count, .ridge = training->ridge};

        if (c.count == 0)
            continue;
        for (uint32_t i = 0; i < c.count; i++)
            for (uint32_t j = i; j < c.count; j++)
                s.g[i][j] = s.g[j][i] = *sum++;
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
    out->channel_weights[0] = NULL;
    out->channel_weights[1] = NULL;
}

#undef N
