/* encode_lift.c - encodes the blocks and blobs of lifted tiles.
 *
 * A channel of a lifted tile is stored as a payload, or as plain values if the
 * payload is not smaller. Each block is decoded again by the runtime's scalar
 * functions, which are the specification, and compared with its values.
 * Reference frames are frames of the source: the codec is lossless, so the
 * decoder has the same ones.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_lift.h"

#include "base/checksum.h"
#include "base/wire.h"
#include "cache/cache_block.h"
#include "cache/cache_wire_tables.h"
#include "common/phases.h"
#include "compile/encode/encode_choice.h"
#include "compile/encode/encode_distance.h"
#include "compile/encode/encode_tangents.h"
#include "compile/encode/lift/index_wire_write.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_train.h"
#include "compile/encode/lift/lift_wire_write.h"

#include <string.h>

/* -- the plan -- */

static void make_tables(struct encoder *e)
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        struct spn_fault fault;

        if (!e->plan.coder[c])
            continue;
        if (!e->lift_tables[c])
            e->lift_tables[c] = ARENA_NEW(&e->arena, struct residual_tables, 1);
        if (spn__residual_tables_expand(e->plan.coder[c]->wire,
                                        RESIDUAL_TABLES_BYTES,
                                        e->lift_tables[c], &fault) != SPN_OK)
            cache_writer_internal(e->diag, e->clip->file_name, "tables: bad %s",
                                  fault.what);
    }
}

/* Train the Huffman tables for the meshes that are lifted now. */
static void train_tables(struct encoder *e, const struct lift_frames *frames,
                         uint32_t distance)
{
    lift_train_tables(e->clip, frames, distance, e->workers, &e->arena,
                      &e->plan);
    make_tables(e);
}

static void make_scratch(struct encoder *e)
{
    for (uint32_t i = 0; i < workers_count(e->workers); i++) {
        struct encoder_thread *t = &e->threads[i];

        lift_scratch_make(&t->lift, CACHE_TILE_VERTICES_MAX, &e->arena);
        for (uint32_t j = 0; j <= LIFT_FRAMES_MAX; j++)
            t->numbers[j] =
                ARENA_NEW(&e->arena, int16_t,
                          4 * (size_t)(CACHE_TILE_VERTICES_MAX + LIFT_PADDING));
        t->positions =
            ARENA_NEW(&e->arena, int16_t,
                      4 * (size_t)(CACHE_TILE_VERTICES_MAX + LIFT_PADDING));
        t->payload =
            ARENA_NEW(&e->arena, uint8_t,
                      LIFT_HEAD_BYTES_MAX +
                          residual_payload_bytes_max(CACHE_TILE_VERTICES_MAX));
        t->lift_workspace = arena_alloc(
            &e->arena, LIFT_WORKSPACE_BYTES(CACHE_TILE_VERTICES_MAX), 1);
    }
}

/* Train on the frames, drop meshes that do not become smaller, and train again.
 * If `distance` is 0, choose it and store it in *chosen_distance. */
static bool train(struct encoder *e, const struct lift_frames *frames,
                  uint32_t distance, uint32_t *chosen_distance)
{
    const uint32_t candidates = e->plan.lifted_count;

    e->plan.merges_layers = e->job->options->is_fast;
    lift_train_hierarchies(e->clip, frames, distance ? distance : LIFT_DISTANCE,
                           e->workers, &e->arena, &e->plan);
    if (e->job->options->is_layered)
        lift_plan_number_by_layers(e->clip, &e->plan);
    make_scratch(e);
    if (distance == 0)
        *chosen_distance = distance = encoder_choose_distance(e, frames);
    encoder_choose_tangents(e, frames, distance);
    train_tables(e, frames, distance);
    if (!e->job->options->lifts_all &&
        !encoder_choose_lifted(e, frames, distance))
        return false;
    if (e->plan.lifted_count < candidates)
        train_tables(e, frames, distance);
    return !diag_has_failed(e->diag);
}

bool encoder_plan_lift(struct encoder *e, uint32_t *distance)
{
    const struct compile_options *options = e->job->options;
    const uint32_t training_distance =
        options->no_b_frames ? 1 : options->lifted_distance;
    struct lift_frames frames;
    uint32_t missing;
    bool *is_wanted;
    bool is_good;

    *distance =
        options->lifted_distance ? options->lifted_distance : LIFT_DISTANCE;
    lift_plan_begin(e->clip, e->workers, &e->arena, &e->plan);
    if (!encoder_has_lifted(e))
        return true;
    is_wanted = ARENA_NEW(&e->arena, bool, e->clip->mesh_count);
    for (uint32_t m = 0; m < e->clip->mesh_count; m++)
        is_wanted[m] = e->plan.meshes[m].is_lifted;
    is_good = lift_frames_make(
        e->job->source,
        training_distance ? training_distance : 2 * LIFT_DISTANCE, is_wanted,
        e->workers, &e->frames_arena, &frames, &missing);
    if (is_good)
        is_good = train(e, &frames, training_distance, distance);
    else if (!diag_has_failed(e->diag))
        cache_writer_internal(e->diag, e->clip->file_name,
                              "frame %u is missing", missing);
    e->all_frames = frames.all_frames;
    if (!e->all_frames)
        arena_free(&e->frames_arena);
    return is_good;
}

void encoder_free_lift(struct encoder *e)
{
    lift_plan_free(&e->plan);
    arena_free(&e->frames_arena);
}

/* -- channels -- */

static const struct lift_hierarchy *hierarchy_of(const struct encoder *e,
                                                 uint32_t tile)
{
    const uint32_t part = e->layout.tiles[tile].first_part;
    const uint32_t mesh = e->layout.parts[part].mesh;

    return &e->plan.meshes[mesh].parts[part - e->layout.first_part[mesh]];
}

static uint32_t mesh_of(const struct encoder *e, uint32_t tile)
{
    return e->layout.parts[e->layout.tiles[tile].first_part].mesh;
}

/* Return the one-rings of the tile's part; NULL: none. */
static const struct one_rings *rings_of(const struct encoder *e, uint32_t tile)
{
    const uint32_t part = e->layout.tiles[tile].first_part;
    const uint32_t mesh = mesh_of(e, tile);
    const struct one_rings *rings = e->plan.meshes[mesh].rings;

    return rings ? &rings[part - e->layout.first_part[mesh]] : NULL;
}

static struct lift_prediction **known_of(const struct encoder *e, uint32_t tile,
                                         enum channel channel, uint32_t frame)
{
    const uint32_t part = e->layout.tiles[tile].first_part;
    const uint32_t mesh = mesh_of(e, tile);

    return lift_plan_found(&e->plan.meshes[mesh], channel, frame,
                           part - e->layout.first_part[mesh]);
}

uint32_t encoder_payload(const struct encoder *e, struct encoder_thread *thread,
                         const struct encoder_lifted_input *input,
                         bool *is_temporal)
{
    const struct lift_hierarchy *hierarchy = input->hierarchy;
    const uint32_t count = hierarchy->vertex_count;
    struct lift_target target = {.channel = input->channel,
                                 .hierarchy = hierarchy,
                                 .values = thread->numbers[0],
                                 .from_count = input->from_count};
    struct lift_found found;
    size_t bytes;

    lift_plan_numbers(input->channel, input->values, NULL, count,
                      thread->numbers[0]);
    for (uint32_t j = 0; j < input->from_count; j++) {
        lift_plan_numbers(input->channel, input->from[j], NULL, count,
                          thread->numbers[1 + j]);
        target.from[j] = thread->numbers[1 + j];
    }
    if (input->rings) {
        lift_plan_numbers(CHANNEL_POSITION, input->positions, NULL, count,
                          thread->positions);
        if (input->rings->by_uvs)
            lift_plan_add_v(input->uvs, NULL, count, thread->positions);
        target.rings = input->rings;
        target.positions = thread->positions;
        target.aligned_values =
            input->has_guess_signs ? thread->numbers[0] : NULL;
    }
    if (input->found)
        lift_search_again(&target, input->found, &thread->lift, &found);
    else
        lift_search(&target, &thread->lift, &found);
    *is_temporal = found.prediction.frame_count > found.prediction.has_guess;
    bytes = lift_head_write(&found.prediction, hierarchy->level_count,
                            thread->payload);
    bytes += residual_encode(e->plan.coder[input->channel], found.residuals,
                             found.fourth, count, thread->payload + bytes);
    return (uint32_t)bytes;
}

/* Decode to thread->decoded, as a game does. */
static bool decode(struct encoder *e, struct encoder_thread *thread,
                   const struct encoder_lifted_input *input,
                   const struct stream_result *r)
{
    struct lift_input stream = {.channel = input->channel,
                                .hierarchy = input->hierarchy,
                                .tables = e->lift_tables[input->channel],
                                .from_count = input->from_count,
                                .rings = input->rings,
                                .positions = input->positions,
                                .uvs = input->uvs};
    const struct cache_block_entry entry = {.stored_bytes = r->stored_bytes,
                                            .checksum = r->checksum,
                                            .coding = CODING_LIFTED};
    struct spn_fault fault;

    for (uint32_t j = 0; j < input->from_count; j++)
        stream.from[j] = input->from[j];
    return spn__cache_unpack_channel(
               &e->predict_ops, e->decompressor, &entry, r->stored,
               input->channel, input->hierarchy->vertex_count, thread->decoded,
               thread->decompressor_workspace, thread->unpack_scratch,
               NULL) == SPN_OK &&
           spn__lift_decode(&e->lift_ops, &stream, thread->decoded,
                            r->stored_bytes, thread->lift_workspace,
                            thread->decoded, &fault) == SPN_OK;
}

bool encoder_lifted(struct encoder *e, struct encoder_thread *thread,
                    uint32_t tile, enum channel channel, uint32_t frame,
                    const void *values, const void *const *from,
                    uint32_t from_count, const void *positions, const void *uvs,
                    struct stream_result *result)
{
    struct encoder_lifted_input input = {.channel = channel,
                                         .hierarchy = hierarchy_of(e, tile),
                                         .values = values,
                                         .from_count = from_count};
    const uint32_t count = input.hierarchy->vertex_count;
    const uint32_t raw_bytes = count * channel_vertex_bytes(channel);
    const void *wanted = values;
    const struct predict_stream plain = {.channel = channel, .count = count};
    struct lift_prediction **known = known_of(e, tile, channel, frame);
    enum phase before = phases_enter(PHASE_SEARCH);
    uint8_t *stored;
    uint32_t bytes;
    bool is_temporal;
    bool is_good;

    for (uint32_t j = 0; j < from_count; j++)
        input.from[j] = from[j];
    if (channel == CHANNEL_QTANGENT && positions)
        input.rings = rings_of(e, tile);
    if (input.rings) {
        input.positions = positions;
        input.uvs = uvs;
        input.has_guess_signs =
            e->plan.meshes[mesh_of(e, tile)].has_guess_signs;
        /* The rotations are the same, but some have the other sign. */
        wanted = input.has_guess_signs ? thread->numbers[0] : values;
    }
    input.found = known ? *known : NULL;
    bytes = encoder_payload(e, thread, &input, &is_temporal);
    if (!wire_is_payload(bytes, false, raw_bytes)) {
        phases_enter(before);
        return encoder_stream(e, thread, &plain, values, result);
    }
    stored = ARENA_NEW(&thread->arena, uint8_t, bytes);
    memcpy(stored, thread->payload, bytes);
    *result = (struct stream_result){
        .coding = CODING_LIFTED,
        .is_temporal = is_temporal,
        .stored_bytes = bytes,
        .checksum = spn__checksum(stored, bytes, WIRE_SEED),
        .stored = stored,
    };
    phases_enter(PHASE_CHECK);
    is_good = decode(e, thread, &input, result) &&
              memcmp(thread->decoded, wanted, raw_bytes) == 0;
    phases_enter(before);
    return is_good ||
           cache_writer_internal(e->diag, e->clip->file_name,
                                 "a lifted channel does not decode to what "
                                 "was encoded");
}

/* -- blobs -- */

static uint32_t number_of(const struct encoder *e,
                          const struct encoder_thread *thread)
{
    return (uint32_t)(thread - e->threads);
}

struct wire_bytes encoder_hierarchy_wire(struct encoder *e,
                                         struct encoder_thread *thread,
                                         uint32_t mesh, uint32_t part)
{
    struct lift_plan_mesh *plan = &e->plan.meshes[mesh];
    struct wire_bytes *wire = &plan->wires[part].hierarchy;
    const uint32_t first = lift_parts_first(e->clip->meshes[mesh].vertex_count,
                                            plan->part_count, part);

    if (wire->count == 0)
        *wire = lift_plan_keep(
            &e->plan, number_of(e, thread),
            lift_wire_write_hierarchy(&plan->parts[part],
                                      plan->member_at + first, &thread->arena));
    return *wire;
}

struct wire_bytes encoder_one_rings_wire(struct encoder *e,
                                         struct encoder_thread *thread,
                                         uint32_t mesh, uint32_t part)
{
    struct lift_plan_mesh *plan = &e->plan.meshes[mesh];
    struct wire_bytes *wire = &plan->wires[part].rings;

    if (wire->count == 0) {
        const struct one_ring_part triangles =
            lift_part_triangles(e->clip, &e->plan, mesh, part, &thread->arena);

        *wire =
            lift_plan_keep(&e->plan, number_of(e, thread),
                           lift_wire_write_one_rings(
                               &plan->rings[part], &triangles, &thread->arena));
    }
    return *wire;
}

/* Store bytes as they are, because they have a coding of their own. */
static bool encode_own(struct encoder *e, struct wire_bytes wire,
                       struct stream_result *result)
{
    if (wire.count == 0 || wire.count >= WIRE_CODED_BYTES_MAX)
        return cache_writer_internal(e->diag, e->clip->file_name,
                                     "the hierarchy of a tile is too large");
    *result = (struct stream_result){
        .coding = CODING_PLAIN,
        .stored_bytes = (uint32_t)wire.count,
        .checksum = spn__checksum(wire.bytes, wire.count, WIRE_SEED),
        .stored = wire.bytes};
    return true;
}

bool encoder_lift_blob(struct encoder *e, struct encoder_thread *thread,
                       const struct cache_blob *blob,
                       struct stream_result *result)
{
    uint32_t part;
    uint32_t mesh;

    if (blob->kind == CACHE_BLOB_TABLES)
        return encoder_bytes(e, thread, e->plan.coder[blob->channel]->wire,
                             blob->raw_bytes, result);
    part = e->layout.tiles[blob->tile].first_part;
    mesh = e->layout.parts[part].mesh;
    part -= e->layout.first_part[mesh];
    return encode_own(e,
                      blob->kind == CACHE_BLOB_HIERARCHY
                          ? encoder_hierarchy_wire(e, thread, mesh, part)
                          : encoder_one_rings_wire(e, thread, mesh, part),
                      result);
}

/* Store the smaller coding of the indices. Files without lifted meshes never
 * have coded indices. */
bool encoder_indices(struct encoder *e, struct encoder_thread *thread,
                     const struct cache_blob *blob, const uint8_t *indices,
                     struct stream_result *result)
{
    const uint32_t width = blob->kind == CACHE_BLOB_INDEX16 ? 2 : 4;
    struct wire_bytes wire = {NULL, 0};

    if (encoder_has_lifted(e))
        wire = index_wire_write(indices, width, blob->raw_bytes / width,
                                &thread->arena);
    if (!encoder_bytes(e, thread, indices, blob->raw_bytes, result))
        return false;
    if (wire.count == 0 || wire.count >= result->stored_bytes)
        return true;
    if (!encode_own(e, wire, result))
        return false;
    result->coding = CODING_LIFTED;
    return true;
}
