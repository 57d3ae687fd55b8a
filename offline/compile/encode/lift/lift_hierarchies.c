/* lift_hierarchies.c - builds the hierarchy of a part: welds, layers,
 * references and weights.
 *
 * Vertices that have the same position in all training frames are welded. If
 * their positions differ in another frame, the prediction is worse there, but
 * decoding is still exact. Short clips have equal weights, which take no bytes
 * in the file.
 *
 * Weights are trained in rounds. The first weights are trained on positions.
 * Each round then predicts the frames as the encoder will, and trains new
 * weights on the numbers that are predicted in space: positions or their
 * temporal residuals. The bits of a residual grow with the logarithm of its
 * error, so each square is divided by the squared error of the vertex and its
 * block. Animated UVs share these weights. In this case a second candidate is
 * trained on positions and UVs, and the candidate that needs fewer bits is
 * kept.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_train.h"

#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_search.h"
#include "compile/encode/lift/lift_weights.h"

#include <stdlib.h>
#include <string.h>

struct path {
    uint64_t hash;
    uint32_t vertex;
};

static int compare_paths(const void *a, const void *b)
{
    const struct path *p = a;
    const struct path *q = b;

    if (p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Return the positions of the mesh in one frame; NULL: hidden. */
static const uint16_t *positions_of(const struct clip *clip,
                                    const struct lift_frames *frames,
                                    uint32_t index, uint32_t mesh)
{
    const struct clip_mesh *m = &clip->meshes[mesh];

    return m->animated_mask & CHANNEL_BIT(CHANNEL_POSITION)
               ? lift_frames_values(frames, index, mesh, CHANNEL_POSITION)
               : m->static_channel[CHANNEL_POSITION];
}

static uint64_t hash_path(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          uint32_t vertex)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;

    for (uint32_t i = 0; i < frames->count; i++) {
        const uint16_t *p = positions_of(clip, frames, i, mesh);

        for (uint32_t k = 0; p && k < 3; k++) {
            hash = (hash ^ p[3 * (size_t)vertex + k]) * 0x100000001b3u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

uint32_t *lift_find_welds(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          const uint32_t *members, uint32_t count,
                          struct arena *scratch)
{
    struct path *paths = ARENA_NEW(scratch, struct path, count);
    uint32_t *weld = ARENA_NEW(scratch, uint32_t, count);

    for (uint32_t v = 0; v < count; v++)
        paths[v] = (struct path){hash_path(clip, frames, mesh, members[v]), v};
    qsort(paths, count, sizeof *paths, compare_paths);
    for (uint32_t i = 0; i < count; i++)
        weld[paths[i].vertex] = i > 0 && paths[i].hash == paths[i - 1].hash
                                    ? weld[paths[i - 1].vertex]
                                    : paths[i].vertex;
    return weld;
}

uint32_t *lift_find_triangles(const uint32_t *indices,
                              struct triangle_range range, uint32_t first,
                              uint32_t count, struct arena *scratch,
                              uint32_t *index_count)
{
    const uint32_t *from = indices + 3 * (size_t)range.first;
    uint32_t *out = ARENA_NEW(scratch, uint32_t, 3 * (size_t)range.count);
    uint32_t n = 0;

    for (size_t i = 0; i < 3 * (size_t)range.count; i += 3) {
        bool is_inside = true;

        for (uint32_t k = 0; k < 3; k++) {
            out[n + k] = from[i + k] - first;
            is_inside = is_inside && out[n + k] < count;
        }
        n += is_inside ? 3 : 0;
    }
    *index_count = n;
    return out;
}

/* Return positions or UVs of a part in all frames, in the order of the part. An
 * entry is NULL where the mesh is hidden. */
static int16_t **take_frames(const struct clip *clip,
                             const struct lift_frames *frames, uint32_t mesh,
                             enum channel channel, const uint32_t *order,
                             uint32_t count, struct arena *scratch)
{
    int16_t **numbers = ARENA_NEW(scratch, int16_t *, frames->count);

    for (uint32_t i = 0; i < frames->count; i++) {
        const void *values = channel == CHANNEL_POSITION
                                 ? positions_of(clip, frames, i, mesh)
                                 : lift_frames_values(frames, i, mesh, channel);

        if (!values)
            continue;
        numbers[i] =
            ARENA_NEW(scratch, int16_t, 4 * ((size_t)count + LIFT_PADDING));
        lift_plan_numbers(channel, values, order, count, numbers[i]);
    }
    return numbers;
}

static void train_weights(int16_t *const *numbers, uint32_t frame_count,
                          struct lift_training *training)
{
    for (uint32_t i = 0; i < frame_count; i++)
        if (numbers[i])
            lift_training_add(training, numbers[i], NULL, NULL);
}

/* -- rounds of training -- */

#define ROUNDS 2
/* Weight of a vertex's own squared error in the divisor of its square. The rest
 * is the mean squared error of its block. */
#define OWN_ERROR 0.2
/* Added to this divisor, in squared quantization steps, because smaller
 * residuals hardly take bits. */
#define ERROR_MIN 0.25
/* With UVs: the weight of their squares, and the ridge. Five numbers of a
 * vertex need less ridge than three. Both were measured on an ocean with UVs
 * that are a projection from above. */
#define UV_WORTH 4
#define RIDGE_WITH_UVS (LIFT_RIDGE / 10)
/* Frames that two candidates are compared on. Before the last round, a
 * candidate is dropped only if it is larger by more than one part in
 * CLEAR_ONE_OF. */
#define SAMPLE_FRAMES 6u
#define CLEAR_ONE_OF 100u

struct refining {
    const struct clip *clip;
    const struct lift_frames *frames;
    int16_t *const *numbers[CHANNEL_COUNT]; /* by frame; NULL: unused */
    uint32_t distance;
    struct lift_hierarchy hierarchy;
    struct lift_scratch search;
    double *scale;
    double *importance;
};

static const int16_t *numbers_of(const struct refining *r, enum channel channel,
                                 uint32_t number)
{
    const uint32_t index = lift_frames_find(r->frames, number);

    return index < r->frames->count ? r->numbers[channel][index] : NULL;
}

/* Predict the frame as the encoder will. Return false if it does not show the
 * mesh. */
static bool search_frame(struct refining *r, enum channel channel,
                         uint32_t index, struct lift_target *out,
                         struct lift_found *found)
{
    struct lift_target target = {.channel = channel,
                                 .hierarchy = &r->hierarchy,
                                 .values = r->numbers[channel][index]};
    uint32_t references[LIFT_FRAMES_MAX];
    const uint32_t count =
        lift_pyramid_references(r->frames->numbers[index], r->clip->frame_count,
                                r->distance, references);

    if (!target.values)
        return false;
    for (uint32_t j = 0; j < count && target.from_count == j; j++) {
        target.from[j] = numbers_of(r, channel, references[j]);
        target.from_count += target.from[j] != NULL;
    }
    if (target.from_count < count)
        target.from_count = 0;
    lift_search(&target, &r->search, found);
    *out = target;
    return true;
}

/* Return the mean square of the components. The third number of UVs is 0. */
static double mean_square(const int16_t *residuals, enum channel channel)
{
    double sum = 0;

    for (int k = 0; k < 3; k++)
        sum += (double)residuals[k] * residuals[k];
    return sum / channel_components(channel);
}

/* Compute the weight of each vertex's square. `unit`: quantization steps that
 * one unit of the trained numbers has. */
static void find_importance(struct refining *r, enum channel channel,
                            const int16_t *residuals, double unit)
{
    const uint32_t count = r->hierarchy.vertex_count;
    const double importance = channel == CHANNEL_UV ? UV_WORTH : 1;

    for (uint32_t first = 0; first < count; first += RESIDUAL_RUN) {
        const uint32_t limit =
            count - first < RESIDUAL_RUN ? count : first + RESIDUAL_RUN;
        double mean = 0;

        for (uint32_t v = first; v < limit; v++)
            mean += mean_square(residuals + 4 * (size_t)v, channel);
        mean /= limit - first;
        for (uint32_t v = first; v < limit; v++) {
            const double own = mean_square(residuals + 4 * (size_t)v, channel);

            r->importance[v] =
                importance * unit * unit /
                (OWN_ERROR * own + (1 - OWN_ERROR) * mean + ERROR_MIN);
        }
    }
}

static void find_scales(struct refining *r,
                        const struct lift_prediction *prediction)
{
    const struct lift_hierarchy *hierarchy = &r->hierarchy;

    for (uint32_t l = 0; l < hierarchy->layer_count; l++)
        for (uint32_t v = hierarchy->layers[l].first;
             v < hierarchy->layers[l + 1].first; v++)
            r->scale[v] = prediction->level_weight[hierarchy->layers[l].level] *
                          (1.0 / LIFT_LEVEL_WEIGHT_MAX);
}

static void retrain(struct refining *r, enum channel channel,
                    struct lift_training *training)
{
    for (uint32_t i = 0; i < r->frames->count; i++) {
        struct lift_target target;
        struct lift_found found;
        const struct lift_prediction *p = &found.prediction;

        if (!search_frame(r, channel, i, &target, &found))
            continue;
        find_importance(r, channel, found.residuals,
                        1.0 / (1 << p->fraction_bits));
        if (p->frame_count > 0)
            find_scales(r, p);
        lift_training_add(training, r->search.time_errors,
                          p->frame_count > 0 ? r->scale : NULL, r->importance);
    }
}

/* Finish the current hierarchy, then train on positions predicted with it. */
static void refine(struct refining *r, const struct lift_graph *graph,
                   struct arena *arena, struct lift_training *training)
{
    lift_training_finish(training, arena, &r->hierarchy);
    lift_training_begin(training, graph, arena);
    retrain(r, CHANNEL_POSITION, training);
}

/* Train on UVs in addition to positions. */
static void add_uvs(struct refining *r, struct lift_training *training)
{
    retrain(r, CHANNEL_UV, training);
    training->ridge = RIDGE_WITH_UVS;
}

/* Return the estimated bits of positions and UVs in the sampled frames. */
static uint64_t measure_bits(struct refining *r,
                             const struct lift_training *training,
                             struct arena *arena)
{
    /* An odd stride varies the index of the samples within their groups. */
    const uint32_t stride = (r->frames->count / SAMPLE_FRAMES) | 1u;
    uint64_t bits = 0;

    lift_training_finish(training, arena, &r->hierarchy);
    for (uint32_t i = 0; i < r->frames->count; i += stride)
        for (uint32_t k = 0; k < 2; k++) {
            struct lift_target target;
            struct lift_found found;

            if (search_frame(r, k ? CHANNEL_UV : CHANNEL_POSITION, i, &target,
                             &found))
                bits += lift_found_bits(&target, &r->search);
        }
    return bits;
}

/* Drop the candidate that needs more bits. Before the last round, drop it only
 * if the difference is clear. */
static void drop_worse(struct refining *r, struct arena *arena, bool is_last,
                       struct lift_training *by_positions,
                       struct lift_training *by_both, bool is_in[2])
{
    const uint64_t bits[2] = {measure_bits(r, by_positions, arena),
                              measure_bits(r, by_both, arena)};
    const uint64_t least = bits[0] < bits[1] ? bits[0] : bits[1];
    const uint64_t doubt = is_last ? 0 : least / CLEAR_ONE_OF;

    if (bits[0] > bits[1] + doubt)
        is_in[0] = false;
    else if (bits[1] >= bits[0] + doubt)
        is_in[1] = false;
}

/* Run the rounds for both candidates: trained on positions only, and on
 * positions and UVs if UVs are animated. `training` becomes the better one. */
static void refine_best(struct refining *r, const struct lift_graph *graph,
                        struct arena *arena, struct lift_training *training)
{
    /* 0: positions only; 1: positions and UVs. */
    bool is_in[2] = {true, r->numbers[CHANNEL_UV] != NULL};
    struct lift_training by_both;

    lift_scratch_make(&r->search, graph->vertex_count, arena);
    r->scale = ARENA_NEW(arena, double, graph->vertex_count);
    r->importance = ARENA_NEW(arena, double, graph->vertex_count);
    for (int round = 0; round < ROUNDS; round++) {
        if (is_in[0])
            refine(r, graph, arena, training);
        if (is_in[1] && round == 0)
            lift_training_copy(training, arena, &by_both);
        else if (is_in[1])
            refine(r, graph, arena, &by_both);
        if (is_in[1])
            add_uvs(r, &by_both);
        if (is_in[0] && is_in[1])
            drop_worse(r, arena, round + 1 == ROUNDS, training, &by_both,
                       is_in);
    }
    if (is_in[1])
        *training = by_both;
}

/* -- a part -- */

void lift_train_hierarchy(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          uint32_t number, uint32_t distance,
                          const struct lift_plan_mesh *lifted,
                          struct arena *arena)
{
    const uint32_t mesh_count = clip->meshes[mesh].vertex_count;
    const uint32_t first_vertex =
        lift_parts_first(mesh_count, lifted->part_count, number);
    const uint32_t vertex_count =
        lift_parts_first(mesh_count, lifted->part_count, number + 1) -
        first_vertex;
    uint32_t *order = lifted->vertex_at + first_vertex;
    struct lift_part part = {.vertex_count = vertex_count,
                             .merges_layers = lifted->merges_layers};
    const uint32_t animated = clip->meshes[mesh].animated_mask;
    struct lift_training training;
    struct lift_hierarchy *out = &lifted->parts[number];
    const uint16_t *first = NULL;
    struct lift_graph graph;
    struct lift_layer *layers;
    struct arena scratch;
    uint16_t *positions;
    uint32_t *members;

    arena_init(&scratch);
    members = ARENA_NEW(&scratch, uint32_t, vertex_count);
    memcpy(members, order, vertex_count * sizeof *members);
    positions = ARENA_NEW(&scratch, uint16_t, 3 * (size_t)vertex_count);
    for (uint32_t i = 0; i < frames->count && !first; i++)
        first = positions_of(clip, frames, i, mesh);
    for (uint32_t v = 0; first && v < vertex_count; v++)
        memcpy(positions + 3 * (size_t)v, first + 3 * (size_t)members[v],
               3 * sizeof *first);
    part.positions = positions;
    part.weld =
        lift_find_welds(clip, frames, mesh, members, vertex_count, &scratch);
    part.indices = lift_find_triangles(lifted->indices, lifted->ranges[number],
                                       first_vertex, vertex_count, &scratch,
                                       &part.index_count);
    lift_graph_make(&part, &scratch, &graph);
    for (uint32_t v = 0; v < vertex_count; v++)
        order[v] = members[graph.order[v]];
    for (uint32_t v = 0; v < vertex_count; v++)
        lifted->member_at[first_vertex + v] = (uint16_t)graph.order[v];
    lift_training_begin(&training, &graph, &scratch);
    if (frames->count >= LIFT_FRAMES_WORTH_WEIGHTS) {
        struct refining refining = {
            .clip = clip, .frames = frames, .distance = distance};

        refining.numbers[CHANNEL_POSITION] =
            take_frames(clip, frames, mesh, CHANNEL_POSITION, order,
                        vertex_count, &scratch);
        if (animated & CHANNEL_BIT(CHANNEL_UV))
            refining.numbers[CHANNEL_UV] = take_frames(
                clip, frames, mesh, CHANNEL_UV, order, vertex_count, &scratch);
        train_weights(refining.numbers[CHANNEL_POSITION], frames->count,
                      &training);
        if (animated & CHANNEL_BIT(CHANNEL_POSITION))
            refine_best(&refining, &graph, &scratch, &training);
    }
    lift_training_finish(&training, arena, out);
    layers = ARENA_NEW(arena, struct lift_layer, graph.layer_count + (size_t)1);
    memcpy(layers, graph.layers,
           (graph.layer_count + (size_t)1) * sizeof *layers);
    out->layers = layers;
    arena_free(&scratch);
}
