/* encode_lift.c - the encoder's part that knows lifted tiles.
 *
 * A channel of such a tile is a payload, or plain where that is smaller; what
 * leaves here was decoded by the runtime's scalar functions and came out as it
 * went in. References are frames of the source: nothing is lost, so those are
 * what a decoder has.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encoder.h"

#include "base/checksum.h"
#include "common/phases.h"
#include "compile/lift_train.h"
#include "compile/lift_wire_write.h"
#include "geom/cache_wire.h"

#include <string.h>

/* ---- the plan ------------------------------------------------------------ */

static void make_tables(struct encoder *e)
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        struct spn_fault fault;

        if (!e->plan.coder[c])
            continue;
        if (!e->lift_tables[c])
            e->lift_tables[c] = ARENA_NEW(&e->arena, struct triples_tables, 1);
        if (spn__triples_tables(e->plan.coder[c]->wire, TRIPLES_WIRE_BYTES,
                                e->lift_tables[c], &fault) != SPN_OK)
            cache_writer_internal(e->diag, e->clip->file_name, "tables: bad %s",
                                  fault.what);
    }
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
        t->payload =
            ARENA_NEW(&e->arena, uint8_t,
                      LIFT_HEAD_BYTES_MAX +
                          triples_payload_bytes_max(CACHE_TILE_VERTICES_MAX));
        t->lift_workspace = arena_alloc(
            &e->arena, spn__lift_workspace_bytes(CACHE_TILE_VERTICES_MAX), 1);
    }
}

/* Train on the frames, drop what does not pay, train anew. */
static bool train(struct encoder *e, const struct lift_frames *frames,
                  uint32_t distance)
{
    const uint32_t candidates = e->plan.lifted_count;

    lift_train_shapes(e->clip, frames, e->workers, &e->arena, &e->plan);
    lift_train_tables(e->clip, frames, distance, e->workers, &e->arena,
                      &e->plan);
    make_tables(e);
    make_scratch(e);
    if (!e->job->options->lifts_all &&
        !encoder_choose_lifted(e, frames, distance))
        return false;
    if (e->plan.lifted_count < candidates) {
        lift_train_tables(e->clip, frames, distance, e->workers, &e->arena,
                          &e->plan);
        make_tables(e);
    }
    return !diag_has_failed(e->diag);
}

bool encoder_plan_lift(struct encoder *e)
{
    const struct compile_options *options = e->job->options;
    const uint32_t distance =
        options->no_b_frames ? 1 : options->lifted_distance;
    struct lift_frames frames;
    struct arena arena;
    uint32_t missing;
    bool *is_wanted;
    bool is_good;

    lift_plan_begin(e->clip, e->workers, &e->arena, &e->plan);
    if (!encoder_has_lifted(e))
        return true;
    is_wanted = ARENA_NEW(&e->arena, bool, e->clip->mesh_count);
    for (uint32_t m = 0; m < e->clip->mesh_count; m++)
        is_wanted[m] = e->plan.meshes[m].is_lifted;
    arena_init(&arena);
    is_good = lift_frames_make(e->job->source, distance, is_wanted, e->workers,
                               &arena, &frames, &missing);
    if (is_good)
        is_good = train(e, &frames, distance);
    else if (!diag_has_failed(e->diag))
        cache_writer_internal(e->diag, e->clip->file_name,
                              "frame %u is missing", missing);
    arena_free(&arena);
    return is_good;
}

void encoder_free_lift(struct encoder *e)
{
    lift_plan_free(&e->plan);
}

/* ---- channels ------------------------------------------------------------ */

static const struct lift_shape *shape_of(const struct encoder *e, uint32_t tile)
{
    const uint32_t part = e->layout.tiles[tile].first_part;
    const uint32_t mesh = e->layout.parts[part].mesh;

    return &e->plan.meshes[mesh].parts[part - e->layout.first_part[mesh]];
}

uint32_t encoder_payload(const struct encoder *e, struct encoder_thread *thread,
                         const struct lift_shape *shape, enum channel channel,
                         const void *values, const void *const *from,
                         uint32_t from_count, bool *is_temporal)
{
    struct lift_target target = {.channel = channel,
                                 .shape = shape,
                                 .values = thread->numbers[0],
                                 .from_count = from_count};
    struct lift_found found;
    size_t bytes;

    lift_plan_numbers(channel, values, NULL, shape->vertex_count,
                      thread->numbers[0]);
    for (uint32_t j = 0; j < from_count; j++) {
        lift_plan_numbers(channel, from[j], NULL, shape->vertex_count,
                          thread->numbers[1 + j]);
        target.from[j] = thread->numbers[1 + j];
    }
    lift_search(&target, &thread->lift, &found);
    *is_temporal = found.prediction.frame_count > 0;
    bytes =
        lift_head_write(&found.prediction, shape->level_count, thread->payload);
    bytes +=
        triples_encode(e->plan.coder[channel], found.residuals, found.fourth,
                       shape->vertex_count, thread->payload + bytes);
    return (uint32_t)bytes;
}

/* To thread->check, as a game would. */
static bool decode(struct encoder *e, struct encoder_thread *thread,
                   const struct lift_shape *shape, enum channel channel,
                   const struct stream_result *r, const void *const *from,
                   uint32_t from_count)
{
    struct lift_stream stream = {.channel = channel,
                                 .shape = shape,
                                 .tables = e->lift_tables[channel],
                                 .from_count = from_count};
    const struct cache_block_entry entry = {.stored_bytes = r->stored_bytes,
                                            .checksum = r->checksum,
                                            .coding = CODING_LIFTED};
    struct spn_fault fault;

    for (uint32_t j = 0; j < from_count; j++)
        stream.from[j] = from[j];
    return spn__cache_file_unpack_channel(
               &e->ops, e->codec, &entry, r->stored, channel,
               shape->vertex_count, thread->check, thread->codec_workspace,
               thread->channel_scratch) == SPN_OK &&
           spn__lift_decode(&e->lift_ops, &stream, thread->check,
                            r->stored_bytes, thread->lift_workspace,
                            thread->check, &fault) == SPN_OK;
}

bool encoder_lifted(struct encoder *e, struct encoder_thread *thread,
                    uint32_t tile, enum channel channel, const void *values,
                    const void *const *from, uint32_t from_count,
                    struct stream_result *result)
{
    const struct lift_shape *shape = shape_of(e, tile);
    const uint32_t raw_bytes =
        shape->vertex_count * channel_vertex_bytes(channel);
    const struct predict_stream plain = {.channel = channel,
                                         .count = shape->vertex_count};
    enum phase before = phases_enter(PHASE_SEARCH);
    uint8_t *stored;
    uint32_t bytes;
    bool is_temporal;
    bool is_good;

    bytes = encoder_payload(e, thread, shape, channel, values, from, from_count,
                            &is_temporal);
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
    is_good = decode(e, thread, shape, channel, result, from, from_count) &&
              memcmp(thread->check, values, raw_bytes) == 0;
    phases_enter(before);
    return is_good ||
           cache_writer_internal(e->diag, e->clip->file_name,
                                 "a lifted channel does not decode to what "
                                 "was encoded");
}

/* ---- blobs --------------------------------------------------------------- */

bool encoder_lift_blob(struct encoder *e, struct encoder_thread *thread,
                       const struct cache_blob *blob,
                       struct stream_result *result)
{
    const uint8_t *bytes;
    struct lift_wire wire;

    if (blob->kind == CACHE_BLOB_TABLES) {
        bytes = e->plan.coder[blob->channel]->wire;
    } else {
        lift_wire_write(shape_of(e, blob->tile), &thread->arena, &wire);
        bytes = blob->kind == CACHE_BLOB_LAYERS       ? wire.layers
                : blob->kind == CACHE_BLOB_REFERENCES ? wire.references
                                                      : wire.weights;
    }
    return encoder_bytes(e, thread, bytes, blob->raw_bytes, result);
}
