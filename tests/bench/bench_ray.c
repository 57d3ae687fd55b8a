/* bench_ray.c - the time of a ray cast.
 *
 * A lifted cloth of 30,276 vertices and 59,858 triangles, between two frames.
 * Each row is the mean of many rays from fixed seeds, in us: rays to points of
 * the cloth, of which nearly all hit, and rays that pass its box. The third row
 * is a fill of all positions, for comparison.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/bench.h"
#include "support/play_show.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 5, RAYS = 200, RUNS = 5 };
#define VERTICES ((size_t)SHOW_SIDE * SHOW_SIDE)
/* Between two frames. */
#define TIME_US (3 * SHOW_FRAME_US / 2)

static const spn_vertex_layout layout = {.stride = 12,
                                         .position = {0, SPN_FORMAT_F32X3}};

static void must(spn_status status, const char *what)
{
    if (status == SPN_OK)
        return;
    fprintf(stderr, "bench_ray: %s\n", what);
    exit(1);
}

struct work {
    spn_ray rays[RAYS];
    uint32_t hits;
    float vertices[VERTICES][3];
};

/* Rays from 10 units away to vertices of the cloth, or past it. */
static void aim(struct work *w, float beside)
{
    struct test_random dice = {1};

    for (uint32_t i = 0; i < RAYS; i++) {
        const float *to = w->vertices[test_random_below(&dice, VERTICES)];

        for (int k = 0; k < 3; k++) {
            const float side =
                (float)test_random_below(&dice, 20001) / 1000 - 10;

            w->rays[i].origin[k] = to[k] + side + beside;
            w->rays[i].direction[k] = -side;
        }
    }
}

static void cast(void *user)
{
    struct work *w = user;
    spn_ray_hit hit;

    w->hits = 0;
    for (uint32_t i = 0; i < RAYS; i++) {
        must(spn_node_ray_cast(show.rt, show.nodes[0], &w->rays[i], &hit),
             "cast");
        w->hits += hit.is_hit;
    }
}

static void fill(void *user)
{
    struct work *w = user;

    must(spn_node_fill(show.rt, show.nodes[0], 0, &layout, w->vertices,
                       sizeof w->vertices, NULL),
         "fill");
}

/* The least of several runs: interruptions only add time. */
static double least_us(void (*run)(void *), struct work *w)
{
    double least = 1e9;

    for (int i = 0; i < RUNS; i++) {
        const double begin_us = bench_cpu_us();

        run(w);
        least = bench_cpu_us() - begin_us < least ? bench_cpu_us() - begin_us
                                                  : least;
    }
    return least;
}

int main(void)
{
    static struct work w;
    double us;

    show_make_clip(SHOW_SIDE, FRAMES, true);
    show_open(64u << 20);
    show_begin(1, TIME_US);
    printf("name,us,hits_of_%d\n", RAYS);
    fill(&w);
    aim(&w, 0);
    us = least_us(cast, &w) / RAYS;
    printf("ray_at_cloth,%.1f,%u\n", us, w.hits);
    aim(&w, 1000);
    us = least_us(cast, &w) / RAYS;
    printf("ray_past_cloth,%.2f,%u\n", us, w.hits);
    printf("fill_of_cloth,%.1f,\n", least_us(fill, &w));
    show_close();
    show_free_clips();
    return 0;
}
