/* bench_sail.c - a waving cloth of 30,276 vertices, as a cache holds it.
 *
 * Three travelling waves of different lengths cross a square of 3 m. Positions
 * have 12 bits (0.75 mm). The frame lies midway between two index frames that
 * are ten frames apart. The residuals are computed by the decoder's own
 * prediction, so the measured arithmetic is the real one. Compressed sizes
 * depend on this cloth.
 */
/* SPDX-License-Identifier: MIT */
#include "support/bench_sail.h"

#include "base/checksum.h"
#include "base/wire.h"
#include "cache/cache_block.h"

#include <lz4hc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes);

    if (memory == NULL) {
        fprintf(stderr, "no memory\n");
        exit(70);
    }
    return memory;
}

void sail_frame_make(struct sail_frame *frame)
{
    frame->position = get(SAIL_VERTICES * 6u);
    frame->qtangent = get(SAIL_VERTICES * 8u);
}

void sail_frame_free(struct sail_frame *frame)
{
    free(frame->position);
    free(frame->qtangent);
}

uint32_t sail_tile_first(uint32_t tile)
{
    return tile * CACHE_TILE_VERTICES_MAX;
}

uint32_t sail_tile_count(uint32_t tile)
{
    const uint32_t left = SAIL_VERTICES - sail_tile_first(tile);

    return left < CACHE_TILE_VERTICES_MAX ? left : CACHE_TILE_VERTICES_MAX;
}

void *sail_values(const struct sail_frame *frame, uint32_t tile,
                  enum channel channel)
{
    const uint32_t first = sail_tile_first(tile);

    return channel == CHANNEL_POSITION ? (void *)(frame->position + 3 * first)
                                       : (void *)(frame->qtangent + 4 * first);
}

uint32_t sail_block_bytes(uint32_t tile, enum channel channel)
{
    return sail_tile_count(tile) * channel_vertex_bytes(channel);
}

/* -- the cloth -- */

static double height(double x, double y, double t)
{
    return 0.20 * sin(2.1 * x + 1.3 * y - 2.6 * t) +
           0.06 * sin(5.7 * y - 3.9 * x - 4.1 * t) +
           0.015 * sin(17 * x + 11 * y - 7.3 * t);
}

static void wave(struct sail_frame *frame, double t)
{
    for (uint32_t i = 0; i < SAIL_VERTICES; i++) {
        const double step = 1e-4;
        const double u = (double)(i % SAIL_SIDE) / (SAIL_SIDE - 1);
        const double v = (double)(i / SAIL_SIDE) / (SAIL_SIDE - 1);
        const double x = 3 * u + 0.05 * height(3 * v, 3 * u, 1.1 * t);
        const double y = 3 * v + 0.05 * height(3 * u, 3 * v, 0.9 * t);
        const double z = height(x, y, t);
        const double slope_x = (height(x + step, y, t) - z) / step;
        const double slope_y = (height(x, y + step, t) - z) / step;
        const double q[4] = {slope_y / 2, -slope_x / 2, 0.1 * z, 1};
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + 1);
        const double point[3] = {x, y, z + 1.5};

        for (int k = 0; k < 3; k++)
            frame->position[3 * i + (uint32_t)k] =
                (uint16_t)lrint((point[k] + 0.1) / 3.2 * 4095);
        for (int k = 0; k < 4; k++)
            frame->qtangent[4 * i + (uint32_t)k] =
                (int16_t)lrint(q[k] / length * QTANGENT_ONE);
    }
}

static void make_entries(struct predict_entry *entries)
{
    for (uint32_t i = 0; i < SAIL_VERTICES; i++) {
        const uint32_t in_tile = i % CACHE_TILE_VERTICES_MAX;
        const struct predict_entry grid = {1, SAIL_SIDE, SAIL_SIDE + 1};
        const struct predict_entry none = {PREDICT_NO_TRIANGLE, 0, 0};
        const int has_grid = in_tile > SAIL_SIDE && i % SAIL_SIDE != 0;

        entries[i] = has_grid ? grid : none;
    }
}

/* -- blocks -- */

void sail_stream(const struct sail *sail, enum coding coding, uint32_t tile,
                 enum channel channel, struct predict_stream *out)
{
    memset(out, 0, sizeof *out);
    out->channel = channel;
    out->coding = coding;
    out->count = sail_tile_count(tile);
    out->entries = sail->entries + sail_tile_first(tile);
    if (coding != CODING_TEMPORAL)
        return;
    out->a = 120;
    out->b = 128;
    out->c = 64;
    out->floor_index = sail_values(&sail->floor_index, tile, channel);
    out->ceil_index = sail_values(&sail->ceil_index, tile, channel);
    out->previous = sail_values(&sail->previous, tile, channel);
    out->previous_two = sail_values(&sail->previous_two, tile, channel);
}

/* Both predictions add a residual to a value that does not depend on it. So
 * decode zero residuals to get the predicted values. The temporal prediction
 * decodes all at once. The spatial prediction needs true values before each
 * vertex, so go from the last vertex to the first. */
static void find_residuals(const struct predict_stream *stream,
                           const void *values, void *residuals)
{
    const uint32_t components = channel_components(stream->channel);
    const uint16_t *x = values;
    uint16_t *r = residuals;
    struct predict_ops ops;

    spn__predict_ops_init(&ops, 0);
    if (stream->coding == CODING_TEMPORAL) {
        memset(r, 0, (size_t)stream->count * components * 2);
        if (spn__predict_decode(&ops, stream, r) != SPN_OK)
            exit(70);
        for (uint32_t i = 0; i < stream->count * components; i++)
            r[i] = (uint16_t)(x[i] - r[i]);
        return;
    }
    for (uint32_t i = 0; i < stream->count * components; i++) {
        const struct predict_entry *e = stream->entries + i / components;
        uint32_t predicted = 0;

        if (e->u == PREDICT_NO_TRIANGLE)
            predicted = i >= components ? x[i - components] : 0;
        else if (stream->channel == CHANNEL_POSITION)
            predicted = (uint32_t)x[i - e->u * components] +
                        x[i - e->v * components] - x[i - e->w * components];
        else
            predicted = (uint32_t)(((int16_t)x[i - e->u * components] +
                                    (int16_t)x[i - e->v * components]) /
                                   2);
        r[i] = (uint16_t)(x[i] - predicted);
    }
}

static void make_block(const struct sail *sail, enum coding coding,
                       uint32_t tile, enum channel channel,
                       struct sail_block *out)
{
    const int bytes = (int)sail_block_bytes(tile, channel);
    uint16_t *residuals = get((size_t)bytes);
    struct predict_stream stream;
    int stored;

    sail_stream(sail, coding, tile, channel, &stream);
    find_residuals(&stream, sail_values(&sail->frame, tile, channel),
                   residuals);
    out->stored = get((size_t)LZ4_compressBound(bytes));
    stored = LZ4_compress_HC((const char *)residuals, (char *)out->stored,
                             bytes, LZ4_compressBound(bytes), 9);
    if (stored <= 0)
        exit(70);
    out->stored_bytes = (uint32_t)stored;
    out->checksum = spn__checksum(out->stored, (size_t)stored, WIRE_SEED);
    free(residuals);
}

void sail_decode(const struct sail *sail, const struct predict_ops *ops,
                 enum coding coding, const struct sail_frame *out,
                 int is_unpacked, int is_predicted)
{
    const spn_codec *codec = spn__block_codec_find(BLOCK_CODEC_LZ4, NULL, 0);
    spn_status status = SPN_OK;

    for (uint32_t tile = 0; tile < SAIL_TILES; tile++)
        for (uint32_t c = 0; c < SAIL_CHANNELS; c++) {
            const enum channel channel = (enum channel)c;
            const struct sail_block *block = &sail->block[coding][tile][c];
            void *values = sail_values(out, tile, channel);
            const struct cache_block_entry entry = {
                .stored_bytes = block->stored_bytes,
                .checksum = block->checksum};
            struct predict_stream stream;

            if (is_unpacked)
                status = spn__cache_unpack(
                    codec, &entry, block->stored, 2, values,
                    sail_block_bytes(tile, channel), NULL, NULL);
            sail_stream(sail, coding, tile, channel, &stream);
            if (status == SPN_OK && is_predicted)
                status = spn__predict_decode(ops, &stream, values);
            if (status != SPN_OK) {
                fprintf(stderr, "block refused: %d\n", (int)status);
                exit(70);
            }
        }
}

void sail_make(struct sail *sail)
{
    struct predict_ops ops;
    struct sail_frame check;

    memset(sail, 0, sizeof *sail);
    for (int k = 0; k < 3; k++) {
        sail->constants.range[CHANNEL_POSITION].min[k] = -0.1f;
        sail->constants.range[CHANNEL_POSITION].step[k] = 3.2f / 4095;
    }
    for (int k = 0; k < 2; k++)
        sail->constants.range[CHANNEL_UV].step[k] = 1.0f / 65535;
    sail->constants.range[CHANNEL_POSITION].fourth = 1;
    sail_frame_make(&sail->floor_index);
    sail_frame_make(&sail->ceil_index);
    sail_frame_make(&sail->previous);
    sail_frame_make(&sail->previous_two);
    sail_frame_make(&sail->frame);
    wave(&sail->floor_index, 1.0);
    wave(&sail->previous_two, 1.0 + 3 / 30.0);
    wave(&sail->previous, 1.0 + 4 / 30.0);
    wave(&sail->frame, 1.0 + 5 / 30.0);
    wave(&sail->ceil_index, 1.0 + 10 / 30.0);
    sail->uv = get(SAIL_VERTICES * 4u);
    for (uint32_t i = 0; i < SAIL_VERTICES; i++) {
        sail->uv[2 * i] = (uint16_t)(i % SAIL_SIDE * 378);
        sail->uv[2 * i + 1] = (uint16_t)(i / SAIL_SIDE * 378);
    }
    sail->entries = get(SAIL_VERTICES * sizeof *sail->entries);
    make_entries(sail->entries);
    sail_frame_make(&check);
    spn__predict_ops_init(&ops, 0);
    for (enum coding coding = CODING_SPATIAL; coding <= CODING_TEMPORAL;
         coding++) {
        for (uint32_t tile = 0; tile < SAIL_TILES; tile++)
            for (uint32_t c = 0; c < SAIL_CHANNELS; c++)
                make_block(sail, coding, tile, (enum channel)c,
                           &sail->block[coding][tile][c]);
        sail_decode(sail, &ops, coding, &check, 1, 1);
        if (memcmp(check.position, sail->frame.position, SAIL_VERTICES * 6u) ||
            memcmp(check.qtangent, sail->frame.qtangent, SAIL_VERTICES * 8u)) {
            fprintf(stderr, "coding %d does not decode\n", (int)coding);
            exit(70);
        }
    }
    sail_frame_free(&check);
}

void sail_free(struct sail *sail)
{
    struct sail_frame *frames[] = {&sail->floor_index, &sail->ceil_index,
                                   &sail->previous, &sail->previous_two,
                                   &sail->frame};

    for (int i = 0; i < 5; i++)
        sail_frame_free(frames[i]);
    for (int coding = 0; coding < CODING_COUNT; coding++)
        for (uint32_t tile = 0; tile < SAIL_TILES; tile++)
            for (uint32_t c = 0; c < SAIL_CHANNELS; c++)
                free(sail->block[coding][tile][c].stored);
    free(sail->uv);
    free(sail->entries);
}
