/* clip_times.c - passes over a clip, frame by frame. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_times.h"

#include "support/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const spn_vertex_layout clip_vertex_layout = {
    .stride = 24,
    .position = {0, SPN_FORMAT_F32X3},
    .normal = {12, SPN_FORMAT_SNORM8X4},
    .tangent = {16, SPN_FORMAT_SNORM8X4},
    .uv = {20, SPN_FORMAT_F16X2}};

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes);

    if (memory == NULL) {
        fprintf(stderr, "clip: no memory\n");
        exit(1);
    }
    return memory;
}

double *clip_times_new(const struct whole_clip *cache)
{
    return get(cache->header.frame_count * sizeof(double));
}

void clip_room_open(struct clip_room *room, const struct whole_clip *cache)
{
    const size_t filled_bytes =
        (size_t)cache->vertex_count * clip_vertex_layout.stride;
    const size_t most =
        filled_bytes > cache->data_bytes ? filled_bytes : cache->data_bytes;
    const size_t again_bytes = (most + 63) / 64 * 64;

    room->memory = get(again_bytes + 64 +
                       (size_t)cache->data_bytes * cache->header.frame_count);
    room->again = room->memory + (64 - (uintptr_t)room->memory % 64) % 64;
    room->frames = room->again + again_bytes;
}

void clip_room_close(struct clip_room *room)
{
    free(room->memory);
}

/* Time of reading the clock: half a microsecond when it is a system call. */
static double look_us(void)
{
    double least = 1e30;

    for (int i = 0; i < 1000; i++) {
        const double start = bench_cpu_us();
        const double us = bench_cpu_us() - start;

        least = us < least ? us : least;
    }
    return least;
}

void clip_times_keep(double *least, double start)
{
    const double nothing_us = 1e-3;
    static double clock_us = -1;
    double us = bench_cpu_us() - start;

    if (clock_us < 0)
        clock_us = look_us();
    us = us > clock_us + nothing_us ? us - clock_us : nothing_us;
    *least = *least == 0 || us < *least ? us : *least;
}

static void read_all(struct whole_clip *cache, uint32_t cpu, bool predicts,
                     double *least)
{
    whole_clip_use(cache, cpu);
    for (uint32_t i = 0; i < cache->header.frame_count; i++) {
        const uint32_t f = cache->decode_order[i];
        const double start = bench_cpu_us();

        if (predicts)
            whole_clip_decode(cache, f);
        else
            whole_clip_residuals(cache, f, NULL, NULL);
        clip_times_keep(&least[f], start);
    }
}

void clip_times_decode(struct whole_clip *cache, uint32_t cpu, double *least)
{
    read_all(cache, cpu, true, least);
}

void clip_times_entropy(struct whole_clip *cache, uint32_t cpu, double *least)
{
    read_all(cache, cpu, false, least);
}

void clip_times_fill(const struct whole_clip *cache, uint32_t cpu,
                     const struct clip_room *room, double *least)
{
    const uint32_t count = cache->header.frame_count;
    struct fill_ops fill;

    spn__fill_ops_init(&fill, cpu);
    for (uint32_t f = 0; f < count; f++) {
        const double start = bench_cpu_us();

        whole_clip_fill(cache, &fill, f, f + 1 < count ? f + 1 : f, 0.5f,
                        &clip_vertex_layout, room->again);
        clip_times_keep(&least[f], start);
    }
}

void clip_times_copy(const struct whole_clip *cache,
                     const struct clip_room *room, double *least)
{
    for (uint32_t f = 0; f < cache->header.frame_count; f++) {
        const double start = bench_cpu_us();

        memcpy(room->frames + (size_t)cache->data_bytes * f, cache->data[f],
               cache->frame_bytes);
        clip_times_keep(&least[f], start);
    }
}

void clip_times_copy_near(const struct whole_clip *cache,
                          const struct clip_room *room, double *least)
{
    for (uint32_t f = 0; f < cache->header.frame_count; f++) {
        const double start = bench_cpu_us();

        memcpy(room->again, cache->data[f], cache->frame_bytes);
        clip_times_keep(&least[f], start);
    }
}

double clip_times_mean(const struct whole_clip *cache, const double *least)
{
    double sum = 0;

    for (uint32_t f = 0; f < cache->header.frame_count; f++)
        sum += least[f];
    return sum / cache->header.frame_count;
}
