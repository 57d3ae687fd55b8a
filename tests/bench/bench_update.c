/* bench_update.c - processor time of updates.
 *
 *   update/CASE       processor time of spn_update in microseconds, of 64 nodes
 *                     of a cloth of 2,116 vertices, without reads and decodes:
 *                     median, 99th percentile, largest of 1,200. Nodes in step
 *                     or 0.15 s apart, on one cache or 8, in a heap of 256 MiB
 *                     or as named
 */
/* SPDX-License-Identifier: MIT */
#include "support/play_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SMALL_SIDE 46u
#define CACHES_MAX 8u

static void on_submit(void *user)
{
    (void)user;
}

/* Processor time of this process, which has one thread. */
static uint64_t cpu_us(void)
{
    return (uint64_t)clock() * 1000000 / CLOCKS_PER_SEC;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return (*x > *y) - (*x < *y);
}

/* An update in which the io engine and the jobs have nothing to do. */
static uint64_t measure_update(void)
{
    uint64_t due_us;
    uint64_t begin_us;

    while (spn__runtime_step(show.rt, &due_us) > 0)
        continue;
    show.disc.clock_us += SHOW_TICK_US;
    while (spn__runtime_step(show.rt, &due_us) > 0)
        continue;
    begin_us = cpu_us();
    spn_update(show.rt);
    begin_us = cpu_us() - begin_us;
    while (spn_job_step(&show.gate, 0))
        continue;
    return begin_us;
}

/* step_us  between the times of one node and the next */
static void print_update(const char *name, uint32_t cache_count,
                         int64_t step_us, uint64_t heap_bytes)
{
    static uint64_t us[1200];
    const spn_node_desc desc = {.is_looping = 1};
    spn_cache caches[CACHES_MAX];
    uint32_t late = 0;

    show_start(heap_bytes, on_submit);
    for (uint32_t i = 0; i < cache_count; i++) {
        char path[16];

        snprintf(path, sizeof path, "clip%u", i);
        if (!show_open_clip(path))
            exit(1);
        caches[i] = show.cache;
    }
    for (uint32_t i = 0; i < SHOW_NODES_MAX; i++)
        if (spn_node_create(show.rt, caches[i % cache_count], &desc,
                            &show.nodes[i]))
            exit(1);
    show.node_count = SHOW_NODES_MAX;
    for (int k = -120; k < 1200; k++) {
        uint64_t taken;

        for (uint32_t i = 0; i < SHOW_NODES_MAX; i++)
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)(k + 120) * SHOW_TICK_US +
                                               i * step_us))
                exit(1);
        taken = measure_update();
        if (k >= 0)
            us[k] = taken;
    }
    for (uint32_t i = 0; i < SHOW_NODES_MAX; i++)
        late += show_state(i).frames_late;
    qsort(us, 1200, sizeof us[0], compare);
    printf("update/%s,%u,%u,%u,%u late\n", name, (uint32_t)us[600],
           (uint32_t)us[1188], (uint32_t)us[1199], late);
    show_close();
}

int main(void)
{
    printf("name,figures\n");
    show_make_clip(SMALL_SIDE, SHOW_FRAMES, false);
    print_update("in_step", 1, 0, 256u << 20);
    print_update("apart", 1, 150000, 256u << 20);
    print_update("apart/64MiB", 1, 150000, 64u << 20);
    print_update("8_caches", 8, 150000, 256u << 20);
    print_update("8_caches/64MiB", 8, 150000, 64u << 20);
    show_free_clip();
    return 0;
}
