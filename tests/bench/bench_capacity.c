/* bench_capacity.c - what a node shows when not all frames can be decoded.
 *
 * Clock, disc, clip and heap are those of bench_playback. Codecs: classic,
 * lifted.
 *
 *   capacity/CODEC/C  different frames shown, over the frames that a worker
 *                     can decode that has C of the time that all frames need;
 *                     largest distance of the nearer shown frame from the
 *                     wanted time, in frames; both after the first second
 */
/* SPDX-License-Identifier: MIT */
#include "support/play_show.h"

#include <stdio.h>

/* Distance in frames, over the end of the loop, too. */
static double distance(double frame, double wanted)
{
    const double count = show.info.frame_count;
    const double far = frame > wanted ? frame - wanted : wanted - frame;

    return far < count - far ? far : count - far;
}

static double worst_distance(int64_t time_us)
{
    static const spn_vertex_layout layout = {
        .stride = 6, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[SHOW_SIDE * SHOW_SIDE * 6];
    const double wanted = (double)time_us / SHOW_FRAME_US;
    spn_fill_result result;
    double floor;
    double ceil;

    if (spn_node_fill(show.rt, show.nodes[0], 0, &layout, vertices,
                      sizeof vertices, &result))
        return SHOW_FRAMES; /* nothing is shown */
    floor = distance(result.floor_frame, wanted);
    ceil = distance(result.ceil_frame, wanted);
    return floor < ceil ? floor : ceil;
}

/* A worker that decodes `percent` of the frames that playback needs. */
static void print_capacity(const char *codec, uint32_t percent,
                           uint64_t heap_bytes)
{
    bool was_shown[SHOW_FRAMES] = {false};
    uint32_t shown = 0;
    double worst = 0;
    double far;

    show_decode_us = SHOW_FRAME_US * 100 / percent;
    show_open(heap_bytes);
    show_begin(1, 0);
    for (int64_t us = 0; us < (SHOW_FRAMES - 1) * (int64_t)SHOW_FRAME_US;
         us += SHOW_TICK_US) {
        show_set_time(us);
        show_tick();
        if (us < 1000000)
            continue;
        far = worst_distance(us);
        worst = far > worst ? far : worst;
        if (show_state(0).shown_frame == UINT32_MAX)
            continue;
        shown += !was_shown[show_state(0).shown_frame];
        was_shown[show_state(0).shown_frame] = true;
    }
    printf("capacity/%s/%.1f,%.2f,%.1f,%u late\n", codec, percent / 100.0,
           shown / ((double)(SHOW_FRAMES - 31) * percent / 100), worst,
           show_state(0).frames_late);
    show_close();
    show_decode_us = 0;
}

static void print_capacities(const char *codec, bool is_lifted)
{
    uint64_t heap;

    show_make_clip(SHOW_SIDE, SHOW_FRAMES, is_lifted);
    heap = show_heap_needed(1);
    print_capacity(codec, 90, heap);
    print_capacity(codec, 60, heap);
    print_capacity(codec, 30, heap);
    show_free_clips();
}

int main(void)
{
    printf("name,figures\n");
    print_capacities("classic", false);
    print_capacities("lifted", true);
    return 0;
}
