/* lift_rig.c - cut a mesh into parts, encode and decode them.
 *
 * It does for one mesh in memory what the compiler does for a clip in passes.
 */
/* SPDX-License-Identifier: MIT */
#include "support/lift_rig.h"

#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_plan.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "support/lift_validate.h"
#include "support/residual_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;

    if (timespec_get(&now, TIME_UTC) == 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* -- parts -- */

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

/* For each vertex the first vertex of the part with the same positions in all
 * frames. */
static uint32_t *find_welds(const struct lift_rig *rig,
                            const struct lift_rig_part *part,
                            struct arena *scratch)
{
    struct path *paths = ARENA_NEW(scratch, struct path, part->vertex_count);
    uint32_t *weld = ARENA_NEW(scratch, uint32_t, part->vertex_count);

    for (uint32_t v = 0; v < part->vertex_count; v++) {
        const size_t at = 3 * (size_t)part->members[v];
        uint64_t hash = 0x9e3779b97f4a7c15u;

        for (uint32_t f = 0; f < rig->frame_count; f++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint16_t *p = rig->frames[CHANNEL_POSITION][f];

                hash = (hash ^ p[at + k]) * 0x100000001b3u;
                hash ^= hash >> 29;
            }
        paths[v].hash = hash;
        paths[v].vertex = v;
    }
    qsort(paths, part->vertex_count, sizeof *paths, compare_paths);
    for (uint32_t i = 0; i < part->vertex_count; i++)
        weld[paths[i].vertex] = i > 0 && paths[i].hash == paths[i - 1].hash
                                    ? weld[paths[i - 1].vertex]
                                    : paths[i].vertex;
    return weld;
}

/* Triangles whose corners are all in the part. */
static uint32_t *find_triangles(const struct lift_rig *rig,
                                const struct lift_rig_part *part,
                                struct arena *scratch, uint32_t *index_count)
{
    uint32_t *indices = ARENA_NEW(scratch, uint32_t, rig->index_count);
    uint32_t *number = ARENA_NEW(scratch, uint32_t, rig->vertex_count);
    uint32_t n = 0;

    for (uint32_t v = 0; v < part->vertex_count; v++)
        number[part->members[v]] = v + 1;
    for (uint32_t i = 0; i < rig->index_count; i += 3) {
        bool is_inside = true;

        for (uint32_t k = 0; k < 3; k++) {
            indices[n + k] = number[rig->indices[i + k]] - 1;
            is_inside = is_inside && number[rig->indices[i + k]] > 0;
        }
        n += is_inside ? 3 : 0;
    }
    *index_count = n;
    return indices;
}

/* Values of one frame in the part's order, four numbers for each vertex. */
static void take_numbers(const struct lift_rig_part *part, enum channel channel,
                         const void *values, int16_t *out)
{
    const uint32_t components = channel_components(channel);

    memset(out, 0,
           4 * (size_t)(part->vertex_count + LIFT_PADDING) * sizeof *out);
    for (uint32_t v = 0; v < part->vertex_count; v++)
        for (uint32_t k = 0; k < components; k++)
            out[4 * (size_t)v + k] =
                channel == CHANNEL_COLOR
                    ? ((const uint8_t *)values)[components * (size_t)v + k]
                    : ((const int16_t *)values)[components * (size_t)v + k];
}

static void order_values(const struct lift_rig *rig, struct lift_rig_part *part,
                         enum channel channel)
{
    const size_t bytes = channel_vertex_bytes(channel);

    part->values[channel] = ARENA_NEW(rig->arena, void *, rig->frame_count);
    for (uint32_t f = 0; f < rig->frame_count; f++) {
        const uint8_t *from = rig->frames[channel][f];
        uint8_t *to =
            ARENA_NEW(rig->arena, uint8_t, bytes * part->vertex_count);

        for (uint32_t v = 0; v < part->vertex_count; v++)
            memcpy(to + v * bytes,
                   from + part->members[part->graph.order[v]] * bytes, bytes);
        part->values[channel][f] = to;
    }
}

static void set_channel_weights(const struct lift_rig *rig,
                                struct lift_hierarchy *shape)
{
    const size_t count =
        LIFT_REFERENCES * ((size_t)shape->vertex_count + LIFT_PADDING);

    for (int k = 0; k < 2; k++) {
        int8_t *own = ARENA_NEW(rig->arena, int8_t, count);

        for (size_t i = 0; i < count; i++)
            own[i] = (int8_t)(k ? shape->weights[i] / 4 * 2
                                : shape->weights[i] * 3 / 4);
        shape->channel_weights[k] = own;
    }
}

static void make_part(const struct lift_rig *rig, struct lift_rig_part *part)
{
    struct lift_part source = {.vertex_count = part->vertex_count,
                               .merges_layers = rig->merges_layers};
    struct lift_training training;
    struct arena scratch;
    struct spn_fault fault;
    int16_t *numbers;

    arena_init(&scratch);
    source.weld = find_welds(rig, part, &scratch);
    source.indices = find_triangles(rig, part, &scratch, &source.index_count);
    {
        const uint16_t *from = rig->frames[CHANNEL_POSITION][0];
        uint16_t *positions =
            ARENA_NEW(&scratch, uint16_t, 3 * (size_t)part->vertex_count);

        for (uint32_t v = 0; v < part->vertex_count; v++)
            memcpy(positions + 3 * (size_t)v,
                   from + 3 * (size_t)part->members[v], 3 * sizeof *from);
        source.positions = positions;
    }
    lift_graph_make(&source, rig->arena, &part->graph);
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (rig->frames[c])
            order_values(rig, part, (enum channel)c);
    numbers = ARENA_NEW(&scratch, int16_t,
                        4 * (size_t)(part->vertex_count + LIFT_PADDING));
    lift_training_begin(&training, &part->graph, &scratch);
    for (uint32_t f = 0; !rig->has_equal_weights && f < rig->frame_count; f++) {
        if (rig->frame_count > LIFT_TRAINING_FRAMES_MAX &&
            f % (rig->frame_count / LIFT_TRAINING_FRAMES_MAX + 1) != 0)
            continue;
        take_numbers(part, CHANNEL_POSITION, part->values[CHANNEL_POSITION][f],
                     numbers);
        lift_training_add(&training, numbers, NULL, NULL);
    }
    lift_training_finish(&training, rig->arena, &part->hierarchy);
    if (rig->has_channel_weights)
        set_channel_weights(rig, &part->hierarchy);
    if (lift_validate(&part->hierarchy, &fault) != SPN_OK) {
        fprintf(stderr, "lift_rig: %s at %llu: %llu\n", fault.what,
                (unsigned long long)fault.offset,
                (unsigned long long)fault.value);
        exit(1);
    }
    arena_free(&scratch);
}

/* -- frames -- */

struct kept {
    struct lift_prediction prediction;
    int16_t *residuals;
    int16_t *fourth;
};

static int16_t *copy(struct arena *arena, const int16_t *numbers, size_t count)
{
    int16_t *to = numbers ? ARENA_NEW(arena, int16_t, count) : NULL;

    if (to)
        memcpy(to, numbers, count * sizeof *to);
    return to;
}

static int16_t **take_frames(const struct lift_rig *rig,
                             const struct lift_rig_part *part,
                             enum channel channel, struct arena *arena)
{
    const size_t numbers = 4 * (size_t)(part->vertex_count + LIFT_PADDING);
    int16_t **frames = ARENA_NEW(arena, int16_t *, rig->frame_count);

    for (uint32_t f = 0; f < rig->frame_count; f++) {
        frames[f] = ARENA_NEW(arena, int16_t, numbers);
        take_numbers(part, channel, part->values[channel][f], frames[f]);
    }
    return frames;
}

static void keep(const struct lift_rig_part *part,
                 const struct lift_found *found, uint64_t bits,
                 struct arena *arena, struct kept *kept,
                 struct lift_payload *payload)
{
    const size_t groups =
        (part->vertex_count + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE;

    kept->prediction = found->prediction;
    kept->residuals =
        copy(arena, found->residuals, 4 * RESIDUAL_STRIPE * groups);
    kept->fourth = copy(arena, found->fourth, RESIDUAL_STRIPE * groups);
    payload->entropy_bits = bits;
}

/* Triangles and welded vertices, in the part's order. */
static void learn_rings(const struct lift_rig *rig, struct lift_rig_part *part,
                        int16_t **positions, int16_t **qtangents,
                        struct arena *arena)
{
    struct one_ring_training source = {
        .vertex_count = part->vertex_count,
        .quality = {ONE_RING_WEIGHT_MAX, 1},
        .clip_frames = rig->frame_count,
        .frame_count = rig->frame_count,
        .by_uvs = rig->has_rings_by_uvs,
        .positions = (const int16_t *const *)positions,
        .qtangents = (const int16_t *const *)qtangents};
    struct one_rings *rings = ARENA_NEW(rig->arena, struct one_rings, 1);
    uint16_t *weld = ARENA_NEW(arena, uint16_t, part->vertex_count);
    uint32_t *old_weld = find_welds(rig, part, arena);
    uint32_t *place = ARENA_NEW(arena, uint32_t, part->vertex_count);
    uint32_t index_count;
    uint32_t *indices = find_triangles(rig, part, arena, &index_count);
    uint8_t *run = (void *)indices;
    const struct one_ring_indices triangles = {
        .runs = &run, .bytes = 4, .per_run = UINT32_MAX, .count = index_count};
    const struct one_ring_part walk = {.indices = &triangles,
                                       .range = {0, index_count / 3},
                                       .vertex_count = part->vertex_count,
                                       .weld = weld,
                                       .weld_stride = 1};
    struct spn_fault fault;

    for (uint32_t i = 0; i < part->vertex_count; i++)
        place[part->graph.order[i]] = i;
    for (uint32_t i = 0; i < part->vertex_count; i++)
        weld[i] = (uint16_t)place[old_weld[part->graph.order[i]]];
    for (uint32_t i = 0; i < index_count; i++)
        indices[i] = place[indices[i]];
    source.topology = &walk;
    memcpy(source.step, rig->step, sizeof source.step);
    one_ring_train(&source, rig->arena, rings);
    if (one_rings_validate(rings, &fault) != SPN_OK) {
        fprintf(stderr, "lift_rig: %s\n", fault.what);
        exit(1);
    }
    part->rings = rings;
}

static void search_part(const struct lift_rig *rig, struct lift_rig_part *part,
                        enum channel channel, bool has_rings,
                        struct lift_scratch *scratch, struct arena *arena,
                        struct kept *kept)
{
    int16_t **frames = take_frames(rig, part, channel, arena);
    int16_t **positions =
        has_rings ? take_frames(rig, part, CHANNEL_POSITION, arena) : NULL;

    for (uint32_t f = 0; rig->has_rings_by_uvs && f < rig->frame_count; f++)
        if (has_rings)
            lift_plan_add_v(part->values[CHANNEL_UV][f], NULL,
                            part->vertex_count, positions[f]);
    if (has_rings)
        learn_rings(rig, part, positions, frames, arena);

    for (uint32_t f = 0; f < rig->frame_count; f++) {
        struct lift_target target = {.channel = channel,
                                     .hierarchy = &part->hierarchy,
                                     .values = frames[f]};
        uint32_t references[LIFT_FRAMES_MAX];
        struct lift_found found;

        target.from_count = lift_pyramid_references(f, rig->frame_count,
                                                    rig->distance, references);
        for (uint32_t j = 0; j < target.from_count; j++)
            target.from[j] = frames[references[j]];
        if (has_rings) {
            target.rings = part->rings;
            target.positions = positions[f];
            target.aligned_values = rig->holds_guesses ? frames[f] : NULL;
        }
        lift_search(&target, scratch, &found);
        if (target.aligned_values)
            memcpy(part->values[channel][f], frames[f],
                   4 * (size_t)part->vertex_count * sizeof(int16_t));
        keep(part, &found, lift_found_bits(&target, scratch), arena, &kept[f],
             &part->payload[channel][f]);
    }
}

static void write_part(const struct lift_rig *rig, struct lift_rig_part *part,
                       enum channel channel, const struct kept *kept)
{
    const size_t room =
        LIFT_HEAD_BYTES_MAX + residual_payload_bytes_max(part->vertex_count);
    uint8_t *bytes = malloc(room);

    for (uint32_t f = 0; f < rig->frame_count; f++) {
        struct lift_payload *payload = &part->payload[channel][f];
        size_t size = lift_head_write(&kept[f].prediction,
                                      part->hierarchy.level_count, bytes);

        size +=
            residual_encode(rig->coder[channel], kept[f].residuals,
                            kept[f].fourth, part->vertex_count, bytes + size);
        payload->bytes =
            ARENA_NEW(rig->arena, uint8_t, size + RESIDUAL_PADDING);
        memcpy(payload->bytes, bytes, size);
        payload->size = size;
    }
    free(bytes);
}

static void add_samples(const struct lift_rig *rig,
                        const struct lift_rig_part *part,
                        const struct kept *kept, struct arena *arena,
                        struct residual_sample *samples)
{
    for (uint32_t f = 0; f < rig->frame_count; f++)
        samples[f] = residual_copy(arena, kept[f].residuals, kept[f].fourth,
                                   part->vertex_count);
}

static void encode_channel(struct lift_rig *rig, enum channel channel,
                           bool has_rings, struct lift_scratch *scratch)
{
    struct kept **kept;
    struct residual_sample *samples;
    struct spn_fault fault;
    struct arena arena;

    arena_init(&arena);
    kept = ARENA_NEW(&arena, struct kept *, rig->part_count);
    samples = ARENA_NEW(&arena, struct residual_sample,
                        rig->part_count * rig->frame_count);
    for (uint32_t p = 0; p < rig->part_count; p++) {
        struct lift_rig_part *part = &rig->parts[p];

        kept[p] = ARENA_NEW(&arena, struct kept, rig->frame_count);
        part->payload[channel] =
            ARENA_NEW(rig->arena, struct lift_payload, rig->frame_count);
        search_part(rig, part, channel, has_rings, scratch, &arena, kept[p]);
        add_samples(rig, part, kept[p], &arena, samples + p * rig->frame_count);
    }
    rig->coder[channel] = ARENA_NEW(rig->arena, struct residual_encoder, 1);
    rig->tables[channel] = ARENA_NEW(rig->arena, struct residual_tables, 1);
    residual_train(samples, rig->part_count * rig->frame_count, &arena,
                   rig->coder[channel]);
    if (spn__residual_tables_expand(rig->coder[channel]->wire,
                                    RESIDUAL_TABLES_BYTES, rig->tables[channel],
                                    &fault) != SPN_OK) {
        fprintf(stderr, "lift_rig: %s\n", fault.what);
        exit(1);
    }
    for (uint32_t p = 0; p < rig->part_count; p++)
        write_part(rig, &rig->parts[p], channel, kept[p]);
    arena_free(&arena);
}

void lift_rig_use_one_rings(struct lift_rig *rig)
{
    struct lift_scratch scratch;

    lift_scratch_make(&scratch, rig->vertex_count / rig->part_count + 1,
                      rig->arena);
    encode_channel(rig, CHANNEL_QTANGENT, true, &scratch);
}

void lift_rig_encode(struct lift_rig *rig, uint32_t part_vertices)
{
    const double start = seconds();
    struct lift_scratch scratch;
    uint32_t *order;

    rig->part_count = lift_parts_count(rig->vertex_count, part_vertices);
    rig->parts = ARENA_NEW(rig->arena, struct lift_rig_part, rig->part_count);
    order = ARENA_NEW(rig->arena, uint32_t, rig->vertex_count);
    lift_parts_split(rig->frames[CHANNEL_POSITION][0], rig->vertex_count,
                     rig->part_count, order);
    for (uint32_t p = 0; p < rig->part_count; p++) {
        struct lift_rig_part *part = &rig->parts[p];
        const uint32_t first =
            lift_parts_first(rig->vertex_count, rig->part_count, p);

        part->members = order + first;
        part->vertex_count =
            lift_parts_first(rig->vertex_count, rig->part_count, p + 1) - first;
        make_part(rig, part);
    }
    lift_scratch_make(&scratch, rig->vertex_count / rig->part_count + 1,
                      rig->arena);
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (rig->frames[c])
            encode_channel(rig, (enum channel)c, false, &scratch);
    rig->search_seconds = seconds() - start;
}

spn_status lift_rig_decode(const struct lift_rig *rig,
                           const struct lift_ops *ops,
                           const struct lift_rig_part *part,
                           enum channel channel, uint32_t frame,
                           void *const *from, void *workspace, void *values)
{
    const struct lift_payload *payload = &part->payload[channel][frame];
    struct lift_input stream = {
        .channel = channel,
        .hierarchy = &part->hierarchy,
        .tables = rig->tables[channel],
        .rings = part->rings,
        .positions = part->values[CHANNEL_POSITION][frame],
        .uvs =
            part->values[CHANNEL_UV] ? part->values[CHANNEL_UV][frame] : NULL};
    uint32_t references[LIFT_FRAMES_MAX];
    struct spn_fault fault;

    stream.from_count = lift_pyramid_references(frame, rig->frame_count,
                                                rig->distance, references);
    for (uint32_t j = 0; j < stream.from_count; j++)
        stream.from[j] = from[references[j]];
    return spn__lift_decode(ops, &stream, payload->bytes, payload->size,
                            workspace, values, &fault);
}
