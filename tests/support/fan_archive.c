/* fan_archive.c - a rim of points, a centre, and normals that lean outward. */
/* SPDX-License-Identifier: MIT */
#include "support/fan_archive.h"

#include "harness.h"
#include "support/made_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RIM 10.0
#define LEAN 0.5
#define PI 3.14159265358979323846

struct fan {
    float *positions;
    int32_t *counts;
    int32_t *indices;
    float *normals;
};

static void *must(void *memory)
{
    CHECK(memory != NULL);
    return memory;
}

static void fill(struct fan *fan, uint32_t count)
{
    memset(fan->positions, 0, 3 * sizeof *fan->positions);
    for (uint32_t i = 0; i < count; i++) {
        double angle = 2 * PI * i / count;
        float *rim = fan->positions + 3 * ((size_t)i + 1);
        int32_t *corners = fan->indices + 3 * (size_t)i;

        rim[0] = (float)(RIM * cos(angle));
        rim[1] = (float)(RIM * sin(angle));
        rim[2] = (float)(i % 2);
        fan->counts[i] = 3;
        /* Faces of archives are clockwise. */
        corners[0] = 0;
        corners[1] = (int32_t)((i + 1) % count) + 1;
        corners[2] = (int32_t)i + 1;
        for (uint32_t k = 0; k < 3; k++) {
            float *normal = fan->normals + 9 * (size_t)i + 3 * k;

            normal[0] = (float)(LEAN * cos(angle));
            normal[1] = (float)(LEAN * sin(angle));
            normal[2] = 1;
        }
    }
}

void fan_archive_write(const char *path, uint32_t count, bool is_split)
{
    struct fan fan = {
        .positions = must(malloc(12 * ((size_t)count + 1))),
        .counts = must(malloc(4 * (size_t)count)),
        .indices = must(malloc(12 * (size_t)count)),
        .normals = must(malloc(36 * (size_t)count)),
    };
    const uint32_t point_count = count + 1;
    const uint32_t corner_count = 3 * count;
    const struct made_param normals = {.name = "N",
                                       .scope = "fvr",
                                       .pod = ABC_F32,
                                       .extent = 3,
                                       .sample_count = 1,
                                       .counts = &corner_count,
                                       .values = fan.normals};
    const struct made_mesh mesh = {.name = "fan",
                                   .sample_count = 1,
                                   .point_counts = &point_count,
                                   .positions = fan.positions,
                                   .topology_samples = 1,
                                   .face_count = count,
                                   .counts = fan.counts,
                                   .corner_count = corner_count,
                                   .indices = fan.indices,
                                   .param_count = is_split,
                                   .params = &normals};
    static struct made_writer scene;

    fill(&fan, count);
    made_open(&scene);
    made_mesh(&scene, &mesh);
    made_close(&scene, path);
    free(fan.normals);
    free(fan.indices);
    free(fan.counts);
    free(fan.positions);
}
