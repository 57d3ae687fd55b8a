/* bench_fill.c - fill the cloth's vertices in three layouts, alone and together
 * with unpacking and prediction of the compressed frame.
 *
 *   floats  position, normal, tangent, UV as floats: 48 bytes
 *   packed  float position, 8-bit normal and tangent, half UV: 24 bytes
 *   qtang   float position, 16-bit QTangent, half UV: 24 bytes
 *
 * All data is in the second and last cache level, also for the memcpy of
 * comparison. memcpy_frame_cold is the same copy from memory.
 */
/* SPDX-License-Identifier: MIT */
#include "support/bench.h"
#include "support/bench_sail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    struct sail sail;
    struct sail_frame decoded;
    uint16_t *uv_copy;
    struct predict_ops predict;
    struct fill_ops fill;
    const spn_vertex_layout *layout;
    float alpha;
    uint8_t *vertices;
    uint8_t *ring; /* more frames than the caches hold */
    size_t ring_at;
};

static const spn_vertex_layout floats = {.stride = 48,
                                         .position = {0, SPN_FORMAT_F32X3},
                                         .normal = {12, SPN_FORMAT_F32X3},
                                         .tangent = {24, SPN_FORMAT_F32X4},
                                         .uv = {40, SPN_FORMAT_F32X2}};
static const spn_vertex_layout packed = {.stride = 24,
                                         .position = {0, SPN_FORMAT_F32X3},
                                         .normal = {12, SPN_FORMAT_SNORM8X4},
                                         .tangent = {16, SPN_FORMAT_SNORM8X4},
                                         .uv = {20, SPN_FORMAT_F16X2}};
static const spn_vertex_layout qtang = {.stride = 24,
                                        .position = {0, SPN_FORMAT_F32X3},
                                        .qtangent = {12, SPN_FORMAT_SNORM16X4},
                                        .uv = {20, SPN_FORMAT_F16X2}};

/* The whole quantized vertex: position, QTangent, UV. */
#define RAW_BYTES (SAIL_FRAME_BYTES + SAIL_VERTICES * 4u)
#define RING_BYTES ((size_t)256 << 20)

static void copy(void *user)
{
    struct work *work = user;

    memcpy(work->decoded.position, work->sail.frame.position,
           SAIL_VERTICES * 6u);
    memcpy(work->decoded.qtangent, work->sail.frame.qtangent,
           SAIL_VERTICES * 8u);
    memcpy(work->uv_copy, work->sail.uv, SAIL_VERTICES * 4u);
}

/* A copy of a frame that was not touched recently. */
static void copy_cold(void *user)
{
    struct work *work = user;

    work->ring_at = (work->ring_at + RAW_BYTES) % (RING_BYTES - RAW_BYTES);
    memcpy(work->vertices, work->ring + work->ring_at, RAW_BYTES);
}

/* Fill tile by tile, between the frame before and the decoded one. */
static void fill(void *user)
{
    struct work *work = user;

    for (uint32_t tile = 0; tile < SAIL_TILES; tile++) {
        const uint32_t first = sail_tile_first(tile);
        struct fill_source source = {.count = sail_tile_count(tile),
                                     .alpha = work->alpha};

        for (uint32_t c = 0; c < SAIL_CHANNELS; c++) {
            source.floor[c] =
                sail_values(&work->sail.previous, tile, (enum channel)c);
            source.ceil[c] = sail_values(&work->decoded, tile, (enum channel)c);
        }
        source.floor[CHANNEL_UV] = work->sail.uv + 2 * first;
        source.ceil[CHANNEL_UV] = source.floor[CHANNEL_UV];
        spn__fill_run(&work->fill, &work->sail.constants, &source, work->layout,
                      work->vertices + (size_t)first * work->layout->stride);
    }
}

static void decode_and_fill(void *user)
{
    struct work *work = user;

    sail_decode(&work->sail, &work->predict, CODING_TEMPORAL, &work->decoded, 1,
                1);
    fill(work);
}

int main(void)
{
    static struct work work;
    static const struct {
        const char *name;
        const spn_vertex_layout *layout;
        float alpha;
        void (*run)(void *user);
    } cases[] = {
        {"fill_floats", &floats, 0.5f, fill},
        {"fill_packed", &packed, 0.5f, fill},
        {"fill_packed_alpha0", &packed, 0, fill},
        {"fill_qtang", &qtang, 0.5f, fill},
        {"decode_and_fill_packed", &packed, 0.5f, decode_and_fill},
        {"decode_and_fill_floats", &floats, 0.5f, decode_and_fill},
    };
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    double memcpy_us;

    sail_make(&work.sail);
    sail_frame_make(&work.decoded);
    work.uv_copy = malloc(SAIL_VERTICES * 4u);
    work.vertices = malloc((size_t)SAIL_VERTICES * 48u);
    work.ring = malloc(RING_BYTES);
    if (work.uv_copy == NULL || work.vertices == NULL || work.ring == NULL)
        return 70;
    memset(work.ring, 1, RING_BYTES);
    bench_head();
    memcpy_us = bench_best_us(copy, &work, 200);
    bench_line("memcpy_frame", "", RAW_BYTES, memcpy_us, memcpy_us);
    bench_line("memcpy_frame_cold", "", RAW_BYTES,
               bench_best_us(copy_cold, &work, 1000), memcpy_us);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int i = 0; i < set_count; i++) {
            spn__fill_ops_init(&work.fill, sets[i].cpu);
            spn__predict_ops_init(&work.predict, sets[i].cpu);
            work.layout = cases[k].layout;
            work.alpha = cases[k].alpha;
            bench_line(cases[k].name, sets[i].name, RAW_BYTES,
                       bench_best_us(cases[k].run, &work, 200), memcpy_us);
        }
    free(work.ring);
    free(work.uv_copy);
    free(work.vertices);
    sail_frame_free(&work.decoded);
    sail_free(&work.sail);
    return 0;
}
