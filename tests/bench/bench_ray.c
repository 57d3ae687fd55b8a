/* bench_ray.c - the time of a ray cast.
 *
 * A lifted cloth of 30,276 vertices and 59,858 triangles, between two frames.
 * Each row is the mean of many rays from fixed seeds, in us: rays to points of
 * the cloth, of which nearly all hit, and rays that pass its box. The third row
 * is a fill of all positions, for comparison.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/compile.h"
#include "harness.h"
#include "support/bench.h"
#include "support/cloth_archive.h"
#include "support/slow_platform.h"

#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 174, FRAMES = 5, TICK_US = 16667, RAYS = 200, RUNS = 5 };
#define VERTICES ((size_t)SIDE * SIDE)

static const spn_vertex_layout layout = {.stride = 12,
                                         .position = {0, SPN_FORMAT_F32X3}};

static void stop(const char *what)
{
    fprintf(stderr, "bench_ray: %s\n", what);
    exit(1);
}

static void must(spn_status status, const char *what)
{
    if (status != SPN_OK)
        stop(what);
}

static uint8_t *compile(size_t *bytes)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    char archive[512];
    char cache[512];
    uint8_t *clip;
    FILE *file;

    snprintf(archive, sizeof archive, "%s/cloth.abc", test_temp());
    snprintf(cache, sizeof cache, "%s/cloth.sgc", test_temp());
    cloth_archive_write(archive, SIDE, FRAMES);
    diag_init(&diag);
    diag.is_quiet = true;
    compile_options_default(&options);
    options.input = archive;
    options.output = cache;
    options.is_lifted = true;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        stop("compile");
    diag_finish(&diag);
    file = fopen(cache, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop("open");
    *bytes = (size_t)ftell(file);
    rewind(file);
    clip = malloc(*bytes);
    if (!clip || fread(clip, 1, *bytes, file) != *bytes)
        stop("read");
    fclose(file);
    return clip;
}

static spn_node show(spn_runtime *rt, struct slow_platform *disc)
{
    spn_status status = SPN_PENDING;
    spn_node_state state = {0};
    spn_cache cache;
    spn_node node;

    must(spn_cache_open(rt, "cloth", &cache), "spn_cache_open");
    while (status == SPN_PENDING) {
        disc->clock_us += TICK_US;
        spn_update(rt);
        status = spn_cache_get_status(rt, cache, NULL);
    }
    must(status, "spn_cache_get_status");
    must(spn_node_create(rt, cache, NULL, &node), "spn_node_create");
    must(spn_node_set_playback_time(rt, node, 50000), "time");
    while (!state.is_ready) {
        disc->clock_us += TICK_US;
        spn_update(rt);
        must(spn_node_get_state(rt, node, &state), "spn_node_get_state");
    }
    return node;
}

struct work {
    spn_runtime *rt;
    spn_node node;
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
        must(spn_node_ray_cast(w->rt, w->node, &w->rays[i], &hit), "cast");
        w->hits += hit.is_hit;
    }
}

static void fill(void *user)
{
    struct work *w = user;

    must(spn_node_fill(w->rt, w->node, 0, &layout, w->vertices,
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
    static struct slow_platform disc;
    const spn_config config = {.platform = &disc.table};
    size_t bytes;
    uint8_t *clip = compile(&bytes);
    size_t needed;
    void *memory;
    double us;

    slow_platform_init(&disc);
    slow_platform_add(&disc, "cloth", clip, bytes);
    needed = spn_memory_needed(&config);
    memory = aligned_alloc(64, (needed + 63) / 64 * 64);
    if (!memory)
        stop("no memory");
    must(spn_init(&config, memory, needed, &w.rt), "spn_init");
    w.node = show(w.rt, &disc);
    printf("name,us,hits_of_%d\n", RAYS);
    fill(&w);
    aim(&w, 0);
    us = least_us(cast, &w) / RAYS;
    printf("ray_at_cloth,%.1f,%u\n", us, w.hits);
    aim(&w, 1000);
    us = least_us(cast, &w) / RAYS;
    printf("ray_past_cloth,%.2f,%u\n", us, w.hits);
    printf("fill_of_cloth,%.1f,\n", least_us(fill, &w));
    spn_shutdown(w.rt);
    free(memory);
    free(clip);
    return 0;
}
