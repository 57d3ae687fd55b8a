/* crowd_archive.c - cloths of the same shape with waves of their own. */
/* SPDX-License-Identifier: MIT */
#include "support/crowd_archive.h"

#include "harness.h"
#include "support/made_writer.h"

#include <stdio.h>
#include <stdlib.h>

static void *must(void *memory)
{
    CHECK(memory != NULL);
    return memory;
}

/* Parabolas in place of a sine: period 256, height 64 * 64. */
static int32_t wave(uint32_t x)
{
    const int32_t half = (int32_t)(x & 127);
    const int32_t height = half * (128 - half);

    return x & 128 ? -height : height;
}

static void place_points(float *out, uint32_t cloth, uint32_t side,
                         uint32_t frame)
{
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t x = i % side;
        const uint32_t y = i / side;
        const int32_t z = wave(5 * x + 3 * frame + 31 * cloth) +
                          wave(3 * y + 7 * frame + 17 * cloth);

        out[3 * i] = (float)x / 64 + (float)(2 * cloth);
        out[3 * i + 1] = (float)y / 64;
        out[3 * i + 2] = (float)z / 32768;
    }
}

static void set_quads(int32_t *counts, int32_t *indices, uint32_t side)
{
    const uint32_t quads = side - 1;

    for (uint32_t i = 0; i < quads * quads; i++) {
        const int32_t at = (int32_t)(i / quads * side + i % quads);

        counts[i] = 4;
        indices[4 * i] = at;
        indices[4 * i + 1] = at + (int32_t)side;
        indices[4 * i + 2] = at + (int32_t)side + 1;
        indices[4 * i + 3] = at + 1;
    }
}

void crowd_archive_write(const char *path, uint32_t count, uint32_t side,
                         uint32_t frames)
{
    const uint32_t points = side * side;
    const uint32_t quads = (side - 1) * (side - 1);
    float *positions =
        must(malloc((size_t)frames * points * 3 * sizeof *positions));
    uint32_t *point_counts = must(malloc(frames * sizeof *point_counts));
    int32_t *counts = must(malloc(quads * sizeof *counts));
    int32_t *indices = must(malloc(4 * (size_t)quads * sizeof *indices));
    struct made_writer scene;

    made_open(&scene);
    scene.step_s = 1.0 / 30;
    set_quads(counts, indices, side);
    for (uint32_t c = 0; c < count; c++) {
        char name[32];
        const struct made_mesh mesh = {.name = name,
                                       .sample_count = frames,
                                       .point_counts = point_counts,
                                       .positions = positions,
                                       .topology_samples = 1,
                                       .face_count = quads,
                                       .counts = counts,
                                       .corner_count = 4 * quads,
                                       .indices = indices};

        snprintf(name, sizeof name, "cloth%u", (unsigned)c);
        for (uint32_t f = 0; f < frames; f++) {
            point_counts[f] = points;
            place_points(positions + (size_t)f * points * 3, c, side, f);
        }
        made_mesh(&scene, &mesh);
    }
    made_close(&scene, path);
    free(positions);
    free(point_counts);
    free(counts);
    free(indices);
}
