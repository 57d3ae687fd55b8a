/* bench_mixed.c - many caches on one drive, while nodes jump to other times.
 *
 * 64 MiB, the emulated drive of the Xbox 360, 12 files of 30 s: four cloths of
 * 29,929 vertices and eight of 2,916, in the codec that the tool chooses, a
 * node each. Decoded, each clip takes more memory than caches that play from
 * memory may have. All nodes start at once, and play for 10 s and then for ten
 * minutes, at 60 updates a second. In each 3 s of these minutes one node jumps
 * to a random time, at a random update: 200 jumps. Clock as in bench_playback.
 *
 * Twice: with waves a seventh as high as those of bench_playback ("flat"), so
 * that the streams need less than 0.8 of the drive as the runtime computes it
 * before they play; and a third as high ("wavy"), so that they keep the drive
 * busy for that part of the time.
 *
 *   demand    thousandths of the drive's time that the streams need, as
 *             spn_node_state.drive_permille says; MiB that
 *             spn_cache_heap_needed says for all nodes; MiB of all clips,
 *             decoded
 *   start, jumps: in the 10 s, and in the ten minutes:
 *     late      late pictures more than 1 s after the start or the last jump of
 *               their node; all others; pictures; ms from the start of the row
 *               to the last picture of the first kind
 *     wait      ms from the start or a jump until the node has its picture: in
 *               the mean; the longest
 *     left_out  how often a node leaves out frames at an update; ms of the
 *               longest time until it leaves out none again; how often
 *               spn_node_state.shortage does not say why
 *     drive     thousandths of the time that the drive was busy; its reads; MB
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/play_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_SIDE 173u
#define SMALL_SIDE 54u
#define LARGE_COUNT 4u
#define NODES 12u
#define JUMPS 200u
#define UPDATES_A_JUMP 180u
#define START_UPDATES 600u
#define SETTLED_US 1000000

struct player {
    int64_t offset_us; /* of its playback time from the show's */
    int64_t jumped_us; /* or started */
    bool is_waiting;   /* for its picture, since then */
    uint32_t late;     /* frames_late and frames_shown at the last update */
    uint32_t shown;
    int64_t whole_us; /* when it left out no frame */
};

struct tally {
    uint32_t late_settled;
    uint32_t late;
    uint32_t shown;
    int64_t last_late_us; /* of late_settled */
    uint32_t waits;
    int64_t waited_us;
    int64_t longest_wait_us;
    uint32_t left_out;
    uint32_t unexplained;
    int64_t longest_us;
};

static float flatness; /* how often the waves of bench_playback are higher */
static uint64_t heap_bytes;
static uint64_t decoded_bytes;
static int64_t now_us;
static struct player players[NODES];
static struct test_random random_numbers;

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "bench_mixed: %s\n", what);
    exit(1);
}

static void place(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                  float out[3])
{
    cloth_archive_place(side, frame, x, y, out);
    out[2] /= flatness;
}

static void open_nodes(uint32_t first, uint32_t end, uint32_t side)
{
    /* What lies beyond drive_permille_max plays, too. */
    const spn_node_desc desc = {.is_looping = 1,
                                .overload = SPN_OVERLOAD_IGNORE};

    show_make_clip(side, SHOW_LONG_FRAMES, true);
    for (uint32_t i = first; i < end; i++) {
        uint64_t bytes;
        char path[16];

        snprintf(path, sizeof path, "clip%u", i);
        if (!show_open_clip(path) ||
            spn_node_create(show.rt, show.cache, &desc, &show.nodes[i]) ||
            spn_cache_heap_needed(show.rt, show.cache, 1, &bytes))
            fail(path);
        heap_bytes += bytes;
        decoded_bytes += show.info.decoded_bytes;
    }
    show.node_count = end;
}

static void look_at(uint32_t i, struct tally *t)
{
    struct player *p = &players[i];
    const spn_node_state state = show_state(i);
    const uint32_t late = state.frames_late - p->late;
    const int64_t since_us = now_us - p->jumped_us;

    if (state.status || state.admission != SPN_ADMITTED)
        fail("a node does not play");
    if (since_us <= SETTLED_US) {
        t->late += late;
    } else if (late > 0) {
        t->late_settled += late;
        t->last_late_us = now_us;
    }
    t->shown += state.frames_shown - p->shown;
    p->late = state.frames_late;
    p->shown = state.frames_shown;
    if (p->is_waiting && state.is_ready) {
        p->is_waiting = false;
        t->waits++;
        t->waited_us += since_us;
        if (since_us > t->longest_wait_us)
            t->longest_wait_us = since_us;
    }
    if (state.left_out_permille == 0) {
        p->whole_us = now_us;
        return;
    }
    t->left_out++;
    t->unexplained += state.shortage == SPN_SHORTAGE_NONE;
    if (now_us - p->whole_us > t->longest_us)
        t->longest_us = now_us - p->whole_us;
}

static void jump(void)
{
    struct player *p = &players[test_random_below(&random_numbers, NODES)];

    p->offset_us = (int64_t)test_random_below(&random_numbers, 30000) * 1000;
    p->jumped_us = now_us;
    p->is_waiting = true;
}

static void update(struct tally *t)
{
    for (uint32_t i = 0; i < NODES; i++)
        if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                       now_us + players[i].offset_us))
            fail("no playback time");
    show_tick();
    for (uint32_t i = 0; i < NODES; i++)
        look_at(i, t);
    now_us += SHOW_TICK_US;
}

static void print(const char *name, const char *part, const struct tally *t,
                  int64_t begin_us, const spn_emulator_stats *before)
{
    const spn_emulator_stats drive = show_drive_stats();
    const uint64_t busy_us = drive.busy_us - before->busy_us;

    printf("%s/%s/late,%u,%u,%u", name, part, t->late_settled, t->late,
           t->late_settled + t->late + t->shown);
    if (t->late_settled > 0)
        printf(",%.0f ms", (double)(t->last_late_us - begin_us) / 1000);
    printf("\n%s/%s/wait,%.0f ms,%.0f ms\n", name, part,
           (double)t->waited_us / 1000 / t->waits,
           (double)t->longest_wait_us / 1000);
    printf("%s/%s/left_out,%u,%.0f ms,%u\n", name, part, t->left_out,
           (double)t->longest_us / 1000, t->unexplained);
    printf("%s/%s/drive,%u,%u reads,%.0f MB\n", name, part,
           (uint32_t)(busy_us * 1000 / (uint64_t)(now_us - begin_us)),
           (uint32_t)(drive.reads - before->reads),
           (double)(drive.bytes - before->bytes) / 1e6);
}

static void print_start(const char *name)
{
    const spn_emulator_stats before = show_drive_stats();
    struct tally tally = {0};

    for (uint32_t i = 0; i < NODES; i++)
        players[i].is_waiting = true;
    for (uint32_t k = 0; k < START_UPDATES; k++)
        update(&tally);
    print(name, "start", &tally, 0, &before);
}

static void print_jumps(const char *name)
{
    const spn_emulator_stats before = show_drive_stats();
    const int64_t begin_us = now_us;
    struct tally tally = {0};
    uint32_t jump_at = 0;

    for (uint32_t k = 0; k < JUMPS * UPDATES_A_JUMP; k++) {
        if (k % UPDATES_A_JUMP == 0)
            jump_at = k + test_random_below(&random_numbers, UPDATES_A_JUMP);
        if (k == jump_at)
            jump();
        update(&tally);
    }
    print(name, "jumps", &tally, begin_us, &before);
}

static void print_demand(const char *name)
{
    uint32_t permille = 0;

    for (uint32_t i = 0; i < NODES; i++)
        permille += show_state(i).drive_permille;
    printf("%s/demand,%u,%.0f MiB,%.0f MiB\n", name, permille,
           (double)heap_bytes / 1048576, (double)decoded_bytes / 1048576);
}

static void print_all(const char *name, float waves)
{
    flatness = waves;
    heap_bytes = 0;
    decoded_bytes = 0;
    now_us = 0;
    memset(players, 0, sizeof players);
    random_numbers = (struct test_random){26};
    show_start(64u << 20, NULL);
    open_nodes(0, LARGE_COUNT, LARGE_SIDE);
    open_nodes(LARGE_COUNT, NODES, SMALL_SIDE);
    print_start(name);
    print_demand(name);
    print_jumps(name);
    show_close();
    show_free_clips();
}

int main(void)
{
    show_drive = "x360_dvd12x";
    show_knows_drive = true;
    show_place = place;
    printf("name,figures\n");
    print_all("flat", 7);
    print_all("wavy", 3);
    return 0;
}
