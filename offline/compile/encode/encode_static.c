/* encode_static.c - finds predictors of the classic codec, and encodes all
 * static data.
 *
 * A tile with animated channels always has a predictor, because its index
 * frames need it. A tile without animated channels has a predictor only if this
 * saves more bytes of its channels than the predictor takes.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_static.h"

#include "base/endian.h"
#include "cache/cache_lift.h"
#include "common/phases.h"
#include "compile/encode/classic/predictor.h"
#include "compile/encode/encode_frame.h"
#include "compile/encode/encode_lift.h"
#include "compile/encode/lift/index_wire_write.h"

#include <string.h>

/* -- predictors -- */

struct predictor_loop {
    struct encoder *e;
    const struct clip_frame *samples;
    uint32_t sample_count;
};

static void fill_samples(const struct predictor_loop *loop,
                         const struct clip_mesh *mesh, uint32_t m,
                         struct predictor_part *part)
{
    if (!mesh->animated_mask) {
        part->sample_count = 1;
        for (int c = 0; c < CHANNEL_COUNT; c++)
            part->sample[0][c] = mesh->static_channel[c];
        return;
    }
    part->sample_count = loop->sample_count;
    for (uint32_t k = 0; k < loop->sample_count; k++)
        for (int c = 0; c < CHANNEL_COUNT; c++)
            part->sample[k][c] = loop->samples[k].meshes[m].channel[c];
}

static void search_part(void *user, uint32_t index, uint32_t worker)
{
    const struct predictor_loop *loop = user;
    struct encoder *e = loop->e;
    const struct cache_part *place = &e->layout.parts[index];
    const struct clip_mesh *mesh = &e->clip->meshes[place->mesh];
    struct predictor_part part = {
        .first_vertex = place->first_vertex,
        .vertex_count = place->vertex_count,
        .indices = mesh->indices,
        .index_count = mesh->index_count,
    };

    if (cache_tile_is_lifted(&e->layout.tiles[place->tile]))
        return;
    phases_enter(PHASE_SEARCH);
    fill_samples(loop, mesh, place->mesh, &part);
    predictor_search(&part, &e->threads[worker].arena,
                     e->predictors[place->tile] + place->tile_vertex);
    arena_reset(&e->threads[worker].arena);
    phases_enter(PHASE_OTHER);
}

void encoder_find_predictors(struct encoder *e,
                             const struct clip_frame *samples,
                             uint32_t sample_count)
{
    struct predictor_loop loop = {e, samples, sample_count};

    e->predictors =
        ARENA_NEW(&e->arena, struct predict_entry *, e->layout.tile_count);
    for (uint32_t t = 0; t < e->layout.tile_count; t++)
        e->predictors[t] = ARENA_NEW(&e->arena, struct predict_entry,
                                     e->layout.tiles[t].vertex_count);
    workers_run(e->workers, e->layout.part_count, search_part, &loop);
}

/* -- contents of blobs -- */

static void gather_channel(const struct encoder *e,
                           const struct cache_tile *tile, uint32_t channel,
                           uint8_t *out)
{
    uint32_t vertex_bytes = channel_vertex_bytes((enum channel)channel);

    for (uint32_t k = 0; k < tile->part_count; k++) {
        const struct cache_part *part = &e->layout.parts[tile->first_part + k];
        const struct clip_mesh *mesh = &e->clip->meshes[part->mesh];

        encoder_copy_part(e, part, channel, mesh->static_channel[channel],
                          out + (size_t)part->tile_vertex * vertex_bytes);
    }
}

static void gather_reflection(const struct encoder *e,
                              const struct cache_tile *tile, uint8_t *out)
{
    for (uint32_t k = 0; k < tile->part_count; k++) {
        const struct cache_part *part = &e->layout.parts[tile->first_part + k];
        const struct clip_mesh *mesh = &e->clip->meshes[part->mesh];
        const uint32_t *order = encoder_order(e, part->mesh);

        for (uint32_t i = 0; i < part->vertex_count; i++) {
            uint32_t bit = part->tile_vertex + i;
            uint32_t vertex = part->first_vertex + i;

            if (mesh->reflection &&
                mesh->reflection[order ? order[vertex] : vertex])
                out[bit / 8] |= (uint8_t)(1u << (bit % 8));
        }
    }
}

/* Return all indices of one width, mesh after mesh, little-endian. They refer
 * to vertices in the order of the output; with is_classic, in the order that
 * they have if no mesh is lifted. */
static uint8_t *gather_indices(const struct encoder *e, struct arena *arena,
                               uint32_t index_bytes, bool is_classic)
{
    uint32_t count =
        index_bytes == 2 ? e->layout.index16_count : e->layout.index32_count;
    uint8_t *out = arena_alloc(arena, count, index_bytes);
    uint8_t *next = out;

    for (uint32_t m = 0; m < e->clip->mesh_count; m++) {
        const struct clip_mesh *mesh = &e->clip->meshes[m];
        const uint32_t *indices = encoder_order(e, m) && !is_classic
                                      ? e->plan.meshes[m].indices
                                      : mesh->indices;

        if (layout_index_bytes(mesh) != index_bytes)
            continue;
        for (uint32_t i = 0; i < mesh->index_count; i++, next += index_bytes)
            if (index_bytes == 2)
                spn_store_u16le(next, (uint16_t)indices[i]);
            else
                spn_store_u32le(next, indices[i]);
    }
    return out;
}

/* -- bytes of indices -- */

/* Indices of one width. */
struct index_loop {
    struct encoder *e;
    uint32_t index_bytes;
    uint32_t run; /* indices of a blob */
    uint32_t count;
    const uint8_t *classic;
    const uint8_t *lifted;
    uint32_t *saved; /* per blob */
};

static void measure_run(void *user, uint32_t number, uint32_t worker)
{
    const struct index_loop *loop = user;
    struct encoder_thread *thread = &loop->e->threads[worker];
    const uint32_t first = number * loop->run;
    const uint32_t count =
        loop->count - first < loop->run ? loop->count - first : loop->run;
    const size_t at = (size_t)first * loop->index_bytes;
    struct search_result classic;
    struct wire_bytes lifted;

    phases_enter(PHASE_SEARCH);
    search_bytes(loop->e->compressor, loop->classic + at,
                 count * loop->index_bytes, &thread->search_scratch, &classic);
    lifted = index_wire_write(loop->lifted + at, loop->index_bytes, count,
                              &thread->arena);
    if (lifted.count > 0 && lifted.count < classic.stored_bytes)
        loop->saved[number] = classic.stored_bytes - (uint32_t)lifted.count;
    arena_reset(&thread->arena);
    phases_enter(PHASE_OTHER);
}

uint64_t encoder_indices_saved(struct encoder *e)
{
    uint64_t saved = 0;

    for (uint32_t width = 2; width <= 4; width += 2) {
        struct index_loop loop = {.e = e,
                                  .index_bytes = width,
                                  .run = CACHE_INDICES_PER_BLOB_32,
                                  .count = e->layout.index32_count};
        struct arena arena;
        uint32_t runs;

        if (width == 2) {
            loop.run = CACHE_INDICES_PER_BLOB_16;
            loop.count = e->layout.index16_count;
        }
        runs = loop.count / loop.run + (loop.count % loop.run != 0);
        arena_init(&arena);
        loop.classic = gather_indices(e, &arena, width, true);
        loop.lifted = gather_indices(e, &arena, width, false);
        loop.saved = ARENA_NEW(&arena, uint32_t, runs);
        workers_run(e->workers, runs, measure_run, &loop);
        for (uint32_t i = 0; i < runs; i++)
            saved += loop.saved[i];
        arena_free(&arena);
    }
    return saved;
}

/* -- encoding them -- */

struct blob_loop {
    struct encoder *e;
    const uint8_t *indices16;
    const uint8_t *indices32;
    struct stream_result *results; /* per blob */
};

static bool encode_channel(struct encoder *e, struct encoder_thread *thread,
                           uint32_t t, uint32_t channel, bool has_predictor,
                           struct stream_result *result)
{
    const struct cache_tile *tile = &e->layout.tiles[t];
    struct predict_stream stream = {
        .channel = (enum channel)channel,
        .count = tile->vertex_count,
        .entries = has_predictor ? e->predictors[t] : NULL,
    };
    uint8_t *values = ARENA_NEW(&thread->arena, uint8_t, BLOCK_RAW_BYTES_MAX);

    gather_channel(e, tile, channel, values);
    if (cache_tile_is_lifted(tile))
        return encoder_lifted(e, thread, t, stream.channel, 0, values, NULL, 0,
                              NULL, NULL, result);
    return encoder_stream(e, thread, &stream, values, result);
}

static bool encode_predictor(struct encoder *e, struct encoder_thread *thread,
                             uint32_t t, struct stream_result *result)
{
    uint32_t bytes = e->layout.tiles[t].vertex_count *
                     (uint32_t)sizeof(struct predict_entry);
    void *wire = arena_alloc(&thread->arena, bytes, 1);

    memcpy(wire, e->predictors[t], bytes);
    spn_swap_u16le(wire, bytes / 2);
    return encoder_bytes(e, thread, wire, bytes, result);
}

static bool encode_blob(const struct blob_loop *loop,
                        struct encoder_thread *thread,
                        const struct cache_blob *blob,
                        struct stream_result *result)
{
    struct encoder *e = loop->e;
    const uint8_t *bytes = NULL;

    switch ((enum cache_blob_kind)blob->kind) {
    case CACHE_BLOB_CHANNEL:
        return encode_channel(
            e, thread, blob->tile, blob->channel,
            e->layout.tiles[blob->tile].predictor_blob != CACHE_NONE, result);
    case CACHE_BLOB_PREDICTOR:
        return encode_predictor(e, thread, blob->tile, result);
    case CACHE_BLOB_REFLECTION: {
        uint8_t *bits = ARENA_NEW(&thread->arena, uint8_t, blob->raw_bytes);

        gather_reflection(e, &e->layout.tiles[blob->tile], bits);
        bytes = bits;
        break;
    }
    case CACHE_BLOB_TABLES:
    case CACHE_BLOB_HIERARCHY:
    case CACHE_BLOB_ONE_RINGS:
        return encoder_lift_blob(e, thread, blob, result);
    case CACHE_BLOB_INDEX16:
        bytes = loop->indices16 +
                (size_t)blob->tile * CACHE_INDICES_PER_BLOB_16 * 2;
        break;
    case CACHE_BLOB_INDEX32:
        bytes = loop->indices32 +
                (size_t)blob->tile * CACHE_INDICES_PER_BLOB_32 * 4;
        break;
    }
    if (cache_blob_is_index(blob))
        return encoder_indices(e, thread, blob, bytes, result);
    return encoder_bytes(e, thread, bytes, blob->raw_bytes, result);
}

static void encode_blob_job(void *user, uint32_t index, uint32_t worker)
{
    struct blob_loop *loop = user;

    /* The diag keeps a failure, which is checked after the loop. */
    (void)encode_blob(loop, &loop->e->threads[worker],
                      &loop->e->layout.blobs[index], &loop->results[index]);
}

/* Give a tile that never moves a predictor if its blobs become smaller by more
 * than the predictor's bytes. */
static void choose_predictor(void *user, uint32_t t, uint32_t worker)
{
    struct encoder *e = user;
    struct encoder_thread *thread = &e->threads[worker];
    struct cache_tile *tile = &e->layout.tiles[t];
    uint64_t with = 0;
    uint64_t without = 0;
    struct stream_result r;

    if (tile->animated_mask)
        return;
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        if (!(tile->static_mask & CHANNEL_BIT(c)))
            continue;
        if (!encode_channel(e, thread, t, c, false, &r))
            return;
        without += r.stored_bytes;
        if (!encode_channel(e, thread, t, c, true, &r))
            return;
        with += r.stored_bytes;
    }
    if (!encode_predictor(e, thread, t, &r))
        return;
    if (with + r.stored_bytes < without)
        tile->predictor_blob = 0;
    arena_reset(&thread->arena);
}

static const uint8_t *join_blobs(struct encoder *e,
                                 const struct stream_result *results,
                                 uint64_t *bytes)
{
    struct cache_blob *blobs = e->layout.blobs;
    uint8_t *joined;

    *bytes = 0;
    for (uint32_t i = 0; i < e->layout.blob_count; i++) {
        blobs[i].coding = (uint8_t)results[i].coding;
        blobs[i].order = (uint8_t)results[i].order;
        blobs[i].is_raw = results[i].is_raw;
        blobs[i].stored_bytes = results[i].stored_bytes;
        blobs[i].checksum = results[i].checksum;
        blobs[i].offset = *bytes;
        *bytes += results[i].stored_bytes;
    }
    joined = arena_alloc(&e->arena, (size_t)*bytes, 1);
    for (uint32_t i = 0; i < e->layout.blob_count; i++)
        memcpy(joined + blobs[i].offset, results[i].stored,
               results[i].stored_bytes);
    return joined;
}

const uint8_t *encoder_make_blobs(struct encoder *e, uint64_t *bytes)
{
    struct blob_loop loop = {.e = e};
    const uint8_t *joined;
    struct arena arena;

    workers_run(e->workers, e->layout.tile_count, choose_predictor, e);
    layout_number(&e->layout, &e->arena);
    arena_init(&arena);
    loop.indices16 = gather_indices(e, &arena, 2, false);
    loop.indices32 = gather_indices(e, &arena, 4, false);
    loop.results =
        ARENA_NEW(&arena, struct stream_result, e->layout.blob_count);
    workers_run(e->workers, e->layout.blob_count, encode_blob_job, &loop);
    joined =
        diag_has_failed(e->diag) ? NULL : join_blobs(e, loop.results, bytes);
    for (uint32_t i = 0; i < workers_count(e->workers); i++)
        arena_reset(&e->threads[i].arena);
    arena_free(&arena);
    return joined;
}
