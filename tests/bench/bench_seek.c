/* bench_seek.c - what jumps to other places of a clip cost.
 *
 * Clock, disc, clip and heap are those of bench_playback.
 *
 *   random/N          pictures in %, from the second update after a target on,
 *                     within 0.25 s of it, N targets a second; MB read
 *   seek/DISC         ms from the update that sees a new target to the first
 *                     picture of it: mean, largest; on a drive also the mean
 *                     over the time of one seek and the transfer from the first
 *                     to the last byte of its closure and border frame
 *   NAME/DRIVE        on the emulated drive, a clip of 36 MB and 900 frames.
 *                     With the argument "drives", only these
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive.h"
#include "harness.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "support/play_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MB 1e6

/* updates  from one target to the next */
static void print_random(const char *name, uint64_t heap_bytes, int updates)
{
    struct test_random random = {7};
    uint32_t near = 0;
    uint32_t count = 0;

    show_open(heap_bytes);
    show_begin(1, 0);
    for (int target = 0; target < 200; target++) {
        const uint32_t frame =
            test_random_below(&random, show.info.frame_count);
        int64_t us = 0;

        (void)spn_cache_get_frame_time(show.rt, show.cache, frame, &us);
        show_set_time(us);
        for (int k = 0; k < updates; k++) {
            spn_node_state state;
            int64_t shown_us = INT64_MIN / 2;

            show_tick();
            if (k == 0)
                continue;
            state = show_state(0);
            if (state.shown_frame != UINT32_MAX)
                (void)spn_cache_get_frame_time(show.rt, show.cache,
                                               state.shown_frame, &shown_us);
            near += shown_us - us <= 250000 && us - shown_us <= 250000;
            count++;
        }
    }
    printf("random/%s,%.1f,%.2f\n", name, 100.0 * near / count,
           (double)show_state(0).bytes_read / MB);
    show_close();
}

/* Number of the first and of the last stored frame of the closure of a frame
 * and the border of its group, when nothing is decoded. */
static void find_extent(const struct cache *c, uint32_t number, uint64_t *first,
                        uint64_t *limit)
{
    bool is_needed[SHOW_LONG_FRAMES] = {false};
    const uint32_t border =
        spn__group_border(c, cache_frame_at(c, number)->group);
    bool has_more = true;

    is_needed[number] = true;
    while (has_more) {
        has_more = false;
        for (uint32_t i = 0; i < c->header.frame_count; i++)
            for (uint32_t r = 0;
                 is_needed[i] && r < cache_frame_at(c, i)->reference_count; r++)
                if (!is_needed[cache_reference(c, i, r)]) {
                    is_needed[cache_reference(c, i, r)] = true;
                    has_more = true;
                }
    }
    if (border != CACHE_NONE)
        is_needed[border] = true;
    *first = UINT64_MAX;
    *limit = 0;
    for (uint32_t i = 0; i < c->header.frame_count; i++) {
        const struct cache_frame *f = cache_frame_at(c, i);

        if (is_needed[i] && f->offset < *first)
            *first = f->offset;
        if (is_needed[i] && f->offset + f->bytes > *limit)
            *limit = f->offset + f->bytes;
    }
}

/* Time that the drive takes for that extent after a rest. */
static uint64_t least_us(uint32_t frame)
{
    const struct cache *c = spn__manager_cache(&show.rt->manager, show.cache);
    const uint64_t now_us = show.disc.clock_us;
    const uint64_t head = show.disc.drives[SPN_MEDIUM_HARD_DISK].head;
    struct drive drive;
    struct drive_cost cost;
    uint64_t first;
    uint64_t limit;
    uint64_t end_us;

    find_extent(c, frame, &first, &limit);
    spn__drive_init(&drive, spn_drive_profile_find(show_drive));
    spn__drive_insert(&drive, 0);
    if (spn__drive_read(&drive, head > 2048 ? head - 2048 : 0, 2048,
                        now_us > 1000000 ? now_us - 1000000 : 0, &cost,
                        &end_us) ||
        spn__drive_read(&drive, first, limit - first, now_us, &cost, &end_us))
        exit(1);
    return end_us - now_us;
}

static void stop(const char *what)
{
    fprintf(stderr, "bench_seek: %s\n", what);
    exit(1);
}

/* Seeks to random frames, two seconds apart: the time until the first correct
 * picture. */
static void print_seek(const char *name, uint64_t heap_bytes)
{
    struct test_random random = {9};
    uint64_t sum_us = 0;
    uint64_t most_us = 0;
    uint64_t sum_least_us = 0;
    uint32_t seeks = 0;
    const int targets = 60;

    show_open(heap_bytes);
    show_begin(1, 0);
    for (int target = 0; target < targets; target++) {
        const uint32_t frame =
            test_random_below(&random, show.info.frame_count);
        uint64_t taken_us = UINT64_MAX;
        int64_t us = 0;

        (void)spn_cache_get_frame_time(show.rt, show.cache, frame, &us);
        show_set_time(us);
        if (show_state(0).is_ready)
            continue;
        if (show_drive)
            sum_least_us += least_us(frame);
        seeks++;
        for (int k = 1; k <= 120; k++) {
            show_tick();
            if (taken_us == UINT64_MAX && show_state(0).is_ready)
                taken_us = (uint64_t)(k - 1) * SHOW_TICK_US;
        }
        if (taken_us == UINT64_MAX)
            stop("no picture two seconds after a seek");
        sum_us += taken_us;
        if (taken_us > most_us)
            most_us = taken_us;
    }
    if (seeks == 0)
        stop("all frames were there before their seeks");
    printf("seek/%s,%.1f,%.1f", name, (double)sum_us / seeks / 1000,
           (double)most_us / 1000);
    if (show_drive)
        printf(",%.2f", (double)sum_us / (double)sum_least_us);
    printf("\n");
    show_close();
}

/* The rows of drives. */
static void print_drives(void)
{
    const uint64_t heap = show_make_long_clip();

    show_drive = "x360_dvd12x";
    print_random("5/x360_dvd12x", heap, 12);
    print_random("10/x360_dvd12x", heap, 6);
    show_drive = "wii_dvd6x";
    print_seek("wii_dvd6x", heap);
    show_drive = NULL;
    show_free_clips();
}

int main(int argc, char **argv)
{
    uint64_t heap;

    printf("name,figures\n");
    if (argc > 1 && strcmp(argv[1], "drives") == 0) {
        print_drives();
        return 0;
    }
    show_make_clip(SHOW_SIDE, SHOW_FRAMES, false);
    heap = show_heap_needed(1);
    print_random("10", heap, 6);
    print_seek("page_cache", heap);
    show_free_clips();
    print_drives();
    return 0;
}
