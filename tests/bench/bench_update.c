/* bench_update.c - processor time of updates.
 *
 *   update/CASE       processor time of spn_update in microseconds, of 64 nodes
 *                     of a cloth of 2,116 vertices, without reads and decodes:
 *                     median, 99th percentile, largest of 1,200; pictures
 *                     late. Nodes in step or 0.15 s apart, on one cache or 8,
 *                     in a heap of 256 MiB or as named; "views": each node has
 *                     a view that changes before each update, and events are
 *                     reported
 *   snapshot/CASE     processor time of spn_debug_snapshot after each 8th of
 *                     these updates: median and largest; the same of
 *                     spn_debug_text; bytes of the largest snapshot
 *
 * All runs of a case do the same work. Of each update and each snapshot the
 * least time of all runs counts: other programs only add to it, because they
 * evict what it needs from the processor's cache.
 */
/* SPDX-License-Identifier: MIT */
#include "support/play_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SMALL_SIDE 46u
#define CACHES_MAX 8u
#define UPDATES 1200
#define UPDATES_BEFORE 120
#define RUNS 5

static void on_submit(void *user)
{
    (void)user;
}

static void on_event(void *user, const spn_geom_event *event)
{
    (void)user;
    (void)event;
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

#define SNAPSHOTS 150u

/* The least of all runs. */
static void note_time(uint64_t *least_us, uint64_t taken_us)
{
    if (taken_us < *least_us)
        *least_us = taken_us;
}

struct snapshots {
    uint64_t us[SNAPSHOTS];
    uint64_t text_us[SNAPSHOTS];
    uint64_t bytes;
};

static void measure_snapshot(struct snapshots *s, uint32_t index)
{
    static uint8_t memory[8 << 20];
    static char text[256 << 10];
    const uint64_t bytes = spn_debug_bytes_needed(show.rt);
    uint64_t begin_us = cpu_us();
    spn_debug shot;

    if (spn_debug_snapshot(show.rt, memory, sizeof memory, &shot) != SPN_OK)
        exit(1);
    note_time(&s->us[index], cpu_us() - begin_us);
    begin_us = cpu_us();
    if (spn_debug_text(&shot, "", text, sizeof text) >= sizeof text)
        exit(1);
    note_time(&s->text_us[index], cpu_us() - begin_us);
    if (bytes > s->bytes)
        s->bytes = bytes;
}

static void print_snapshots(const char *name, struct snapshots *s)
{
    qsort(s->us, SNAPSHOTS, sizeof s->us[0], compare);
    qsort(s->text_us, SNAPSHOTS, sizeof s->text_us[0], compare);
    printf("snapshot/%s,%u,%u,%u,%u,%u bytes\n", name,
           (uint32_t)s->us[SNAPSHOTS / 2], (uint32_t)s->us[SNAPSHOTS - 1],
           (uint32_t)s->text_us[SNAPSHOTS / 2],
           (uint32_t)s->text_us[SNAPSHOTS - 1], (uint32_t)s->bytes);
}

/* The nodes pass by, 40 m long; some are out of reach, some hidden. */
static void set_views(int k)
{
    for (uint32_t i = 0; i < SHOW_NODES_MAX; i++) {
        const spn_view view = {.is_visible = ((uint32_t)k / 30 + i) % 8 != 0,
                               .distance =
                                   (float)(((uint32_t)k + i * 10) % 640) / 16,
                               .stream_distance = 36,
                               .stand_in_distance = 20,
                               .stand_in_other = 1};

        if (spn_node_set_view(show.rt, show.nodes[i], &view))
            exit(1);
    }
}

struct update_case {
    const char *name;
    uint32_t cache_count;
    int64_t step_us; /* between the times of one node and the next */
    uint64_t heap_bytes;
    bool has_views;
};

/* Open the clip as so many caches, and create nodes on them. */
static void open_nodes(const struct update_case *c)
{
    const spn_node_desc desc = {.is_looping = 1};
    spn_cache caches[CACHES_MAX];

    show_start(c->heap_bytes, on_submit);
    if (c->has_views && spn_geom_listen(show.rt, on_event, NULL))
        exit(1);
    for (uint32_t i = 0; i < c->cache_count; i++) {
        char path[16];

        snprintf(path, sizeof path, "clip%u", i);
        if (!show_open_clip(path))
            exit(1);
        caches[i] = show.cache;
    }
    for (uint32_t i = 0; i < SHOW_NODES_MAX; i++)
        if (spn_node_create(show.rt, caches[i % c->cache_count], &desc,
                            &show.nodes[i]))
            exit(1);
    show.node_count = SHOW_NODES_MAX;
}

/* Returns the number of late pictures. */
static uint32_t run(const struct update_case *c, uint64_t us[UPDATES],
                    struct snapshots *snapshots)
{
    uint32_t late = 0;

    open_nodes(c);
    for (int k = 0; k < UPDATES_BEFORE + UPDATES; k++) {
        uint64_t taken_us;

        for (uint32_t i = 0; i < SHOW_NODES_MAX; i++)
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)k * SHOW_TICK_US +
                                               i * c->step_us))
                exit(1);
        if (c->has_views)
            set_views(k);
        taken_us = measure_update();
        if (k < UPDATES_BEFORE)
            continue;
        note_time(&us[k - UPDATES_BEFORE], taken_us);
        if (k % 8 == 0)
            measure_snapshot(snapshots, (uint32_t)(k - UPDATES_BEFORE) / 8);
    }
    for (uint32_t i = 0; i < SHOW_NODES_MAX; i++)
        late += show_state(i).frames_late;
    show_close();
    return late;
}

static void print_update(const struct update_case *c)
{
    static uint64_t us[UPDATES];
    static struct snapshots snapshots;
    uint32_t late = 0;

    memset(us, 0xff, sizeof us);
    memset(&snapshots, 0xff, sizeof snapshots);
    snapshots.bytes = 0;
    for (int i = 0; i < RUNS; i++)
        late = run(c, us, &snapshots);
    qsort(us, UPDATES, sizeof us[0], compare);
    printf("update/%s,%u,%u,%u,%u late\n", c->name, (uint32_t)us[UPDATES / 2],
           (uint32_t)us[UPDATES - UPDATES / 100], (uint32_t)us[UPDATES - 1],
           late);
    print_snapshots(c->name, &snapshots);
}

int main(void)
{
    static const struct update_case cases[] = {
        {"in_step", 1, 0, 256u << 20, false},
        {"apart", 1, 150000, 256u << 20, false},
        {"apart/64MiB", 1, 150000, 64u << 20, false},
        {"8_caches", 8, 150000, 256u << 20, false},
        {"8_caches/64MiB", 8, 150000, 64u << 20, false},
        {"views", 8, 150000, 256u << 20, true},
    };

    printf("name,figures\n");
    show_make_clip(SMALL_SIDE, SHOW_FRAMES, false);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        print_update(&cases[i]);
    show_free_clips();
    return 0;
}
