/* bench_surfaces.c - sums of sines over a grid of points. */
/* SPDX-License-Identifier: MIT */
#include "support/bench_surfaces.h"

#include "support/cloth_archive.h"

#include <math.h>

enum { SIDE = 174, FRAMES = 41 };

#define PI 3.14159265358979
#define FRAMES_PER_SECOND 30.0
#define SEA_METRES 20.0

/* -- a body -- */

/* A walking tube: it bends and twists at joints, and its surface jiggles. */
static void place_body(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                       float out[3])
{
    const double t = frame / FRAMES_PER_SECOND;
    const double along = 1.8 * y / (side - 1);
    const double around =
        2 * PI * x / (side - 1) + 0.5 * sin(2 * PI * t) * (along / 1.8);
    const double radius = 0.16 + 0.05 * sin(4 * along) +
                          0.004 * sin(9 * around) * sin(31 * along) +
                          0.003 * sin(23 * t + 12 * along + 3 * around);
    double bend = 0;
    double at_y = 0;
    double at_z = 0;

    for (int joint = 0; joint < 4; joint++) {
        double in = along / 0.45 - joint;
        const double piece = in < 0 ? 0 : in > 1 ? 0.45 : 0.45 * in;

        in = in < -0.2 ? 0 : in > 0.2 ? 1 : (in + 0.2) / 0.4;
        bend += in * in * (3 - 2 * in) * 0.5 * sin(2 * PI * t + joint);
        at_y += piece * cos(bend);
        at_z += piece * sin(bend);
    }
    out[0] = (float)(radius * cos(around));
    out[1] = (float)(at_y - radius * sin(around) * sin(bend));
    out[2] = (float)(at_z + radius * sin(around) * cos(bend) + 1.2 * t);
}

/* Two charts, front and back, each half of the texture's width minus a margin.
 * Their seams are at the grid's ends and at the points between front and
 * back. */
static void texture_body(uint32_t side, uint32_t frame, uint32_t quad,
                         uint32_t x, uint32_t y, const float point[3],
                         float out[2])
{
    const double margin = 0.02;
    const uint32_t half = (side - 1) / 2;
    const bool is_back = quad >= half;
    const uint32_t first = is_back ? half : 0;
    const uint32_t columns = is_back ? side - 1 - half : half;

    (void)frame;
    (void)point;
    out[0] = (float)(0.5 * is_back + margin +
                     (0.5 - 2 * margin) * (x - first) / columns);
    out[1] = (float)(margin + (1 - 2 * margin) * y / (side - 1));
}

void bench_body_write(const char *path)
{
    const struct grid_texture texture = {texture_body, false};

    grid_archive_write_textured(path, SIDE, FRAMES, place_body, &texture);
}

/* -- a sea -- */

/* Choppy waves: points also move sideways. */
static void place_ocean(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                        float out[3])
{
    const double t = frame / FRAMES_PER_SECOND;
    const double at_x = SEA_METRES * x / (side - 1);
    const double at_z = SEA_METRES * y / (side - 1);
    double sum[3] = {at_x, 0, at_z};

    for (int w = 0; w < 24; w++) {
        const double angle = 0.3 + 0.11 * w * (w % 2 ? 1 : -1);
        const double k = 0.5 + 0.17 * w;
        const double height = 0.12 / (1 + 0.4 * w);
        const double phase = k * (cos(angle) * at_x + sin(angle) * at_z) -
                             sqrt(9.81 * k) * t + 1.7 * w;

        sum[0] -= height * cos(angle) * sin(phase);
        sum[1] += height * cos(phase);
        sum[2] -= height * sin(angle) * sin(phase);
    }
    for (int i = 0; i < 3; i++)
        out[i] = (float)sum[i];
}

/* A map projected from above onto a moving sea: points move below the map. */
static void texture_ocean(uint32_t side, uint32_t frame, uint32_t quad,
                          uint32_t x, uint32_t y, const float point[3],
                          float out[2])
{
    const double t = frame / FRAMES_PER_SECOND;

    (void)side;
    (void)quad;
    (void)x;
    (void)y;
    out[0] = (float)((point[0] - 0.6 * t) / SEA_METRES);
    out[1] = (float)((point[2] - 0.25 * t) / SEA_METRES);
}

/* The map for the sea at rest. */
static void texture_still_ocean(uint32_t side, uint32_t frame, uint32_t quad,
                                uint32_t x, uint32_t y, const float point[3],
                                float out[2])
{
    (void)frame;
    (void)quad;
    (void)point;
    out[0] = (float)((double)x / (side - 1));
    out[1] = (float)((double)y / (side - 1));
}

void bench_ocean_write(const char *path)
{
    const struct grid_texture texture = {texture_still_ocean, false};

    grid_archive_write_textured(path, SIDE, FRAMES, place_ocean, &texture);
}

void bench_flowing_ocean_write(const char *path)
{
    const struct grid_texture texture = {texture_ocean, true};

    grid_archive_write_textured(path, SIDE, FRAMES, place_ocean, &texture);
}
