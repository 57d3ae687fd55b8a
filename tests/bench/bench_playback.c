/* bench_playback.c - what playback costs: memory, reads and decodes.
 *
 * A virtual clock and a disc without delays, unless the row says otherwise, so
 * all figures are the same on every machine. The clip is a waving cloth of
 * 30,276 vertices, 300 frames, in the classic codec; the heap is what
 * spn_cache_heap_needed says for one node, unless the row says otherwise. With
 * an argument, only the rows of memory and of normal speed, of that cache file.
 *
 *   heap_needed       MB for one node; for a further one
 *   heap_least        MB of the smallest heap that plays at all
 *   play/RATE         late pictures in %; MB read; frames decoded, in 20 s: two
 *                     loops. These four with "default", too: of the same cloth
 *                     in the codec that the tool chooses
 *   loop_1s/HEAP      MB read and frames decoded after the first loop
 *   from_memory/on    MB read and frames decoded after the first loop of a clip
 *                     of 8 s and 13 MB, decoded, while one of 127 MB plays
 *                     beside it, in 64 MiB
 *   from_memory/off   the same with memory_play_kib 0
 *   ping_pong         late pictures in %, over half a second, in 32 MiB
 *   range/MODE        late pictures in %; MB read and frames decoded after the
 *                     first two seconds: a range of 1 s in a loop, of 0.5 s to
 *                     and fro, in 32 MiB; times run on
 *   cut               late pictures of 10 cuts that a second position prepares
 *                     2 s before; heap for two nodes
 *   live/CASE         MB: how much more is held at most, and needed, by two
 *                     nodes in step or 5 s apart than by one; heap for two
 *   in_step/N         decodes and MB read of N nodes at the same time
 *   buffers/N         buffers of the engine in use at a time, N nodes in step
 *   apart/24          24 nodes 50 ms apart, 128 MiB, 20 MB/s: nodes that play;
 *                     late pictures
 *   play/RATE/DRIVE   on the emulated drive, a clip of 36 MB and 900 frames:
 *                     also the ms that the drive was busy, and its reads. With
 *                     the argument "drives", only these
 */
/* SPDX-License-Identifier: MIT */
#include "support/play_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MB 1e6
/* The clip that plays from memory, and updates in its loop. */
#define MEMORY_SIDE 62u
#define MEMORY_FRAMES 240u
#define MEMORY_LOOP 480

/* Ends the names of rows that do not stand for the classic codec. */
static const char *codec_name = "";

static bool plays_in(uint64_t heap_bytes)
{
    bool plays = show_try_open(heap_bytes);

    if (plays) {
        show_add_nodes(1);
        show_set_time(0);
        for (int i = 0; i < 30 && plays; i++) {
            show_set_time((int64_t)i * 333333);
            plays = show_until_ready(200);
        }
    }
    show_close();
    return plays;
}

static void print_heap(void)
{
    const uint64_t one = show_heap_needed(1);
    uint64_t low = 65536;
    uint64_t high = one;

    printf("heap_needed%s,%.2f,%.2f\n", codec_name, (double)one / MB,
           (double)(show_heap_needed(2) - one) / MB);
    while (high - low > 65536) {
        const uint64_t middle = (low + high) / 2;

        if (plays_in(middle))
            high = middle;
        else
            low = middle;
    }
    printf("heap_least%s,%.2f\n", codec_name, (double)high / MB);
}

/* Play at a rate: 1 is normal, -1 backward. */
static void print_play(int rate, uint64_t heap_bytes)
{
    spn_emulator_stats before;
    spn_emulator_stats after;
    spn_node_state state;
    uint64_t bytes;
    uint32_t late;
    uint32_t shown;
    uint32_t decodes;

    show_open(heap_bytes);
    show_begin(1, 0);
    for (int k = 0; k < 60; k++) {
        show_set_time(rate * (int64_t)k * SHOW_TICK_US);
        show_tick();
    }
    state = show_state(0);
    late = state.frames_late;
    shown = state.frames_shown;
    bytes = state.bytes_read;
    decodes = show.decodes;
    before = show_drive_stats();
    for (int k = 60; k < 60 + 1200; k++) {
        show_set_time(rate * (int64_t)k * SHOW_TICK_US);
        show_tick();
    }
    state = show_state(0);
    after = show_drive_stats();
    printf("play/%dx%s%s%s,%.1f,%.2f,%u", rate, codec_name,
           show_drive ? "/" : "", show_drive ? show_drive : "",
           100.0 * (state.frames_late - late) /
               (state.frames_late - late + state.frames_shown - shown),
           (double)(state.bytes_read - bytes) / MB, show.decodes - decodes);
    if (show_drive)
        printf(",%.0f ms,%u reads",
               (double)(after.busy_us - before.busy_us) / 1000,
               (uint32_t)(after.reads - before.reads));
    printf("\n");
    show_close();
}

static void print_loop(void)
{
    uint64_t bytes = 0;
    uint32_t decodes = 0;

    show_open(32u << 20);
    show_begin(1, 0);
    for (int k = 0; k < 600; k++) {
        show_set_time((int64_t)k * SHOW_TICK_US % 1000000);
        show_tick();
        if (k == 59) {
            bytes = show_state(0).bytes_read;
            decodes = show.decodes;
        }
    }
    printf("loop_1s/32MiB,%.2f,%u\n",
           (double)(show_state(0).bytes_read - bytes) / MB,
           show.decodes - decodes);
    show_close();
}

/* After a loop of the short clip alone, the long one begins, and passes more
 * memory than there is in each further loop. */
static void print_from_memory(const char *name, const char *kib)
{
    const spn_node_desc desc = {.is_looping = 1};
    uint64_t bytes = 0;
    uint32_t decodes = 0;

    show_make_clip(MEMORY_SIDE, MEMORY_FRAMES, false);
    show_start(64u << 20, NULL);
    if (spn_tuning_set(show.rt, "memory_play_kib", kib) ||
        !show_open_clip("short"))
        exit(1);
    show_begin(1, 0);
    show_make_clip(SHOW_SIDE, SHOW_FRAMES, false);
    for (int k = 0; k < 4 * MEMORY_LOOP; k++) {
        if (k == MEMORY_LOOP + 30) {
            bytes = show_state(0).bytes_read;
            decodes = show.first_decodes;
            if (!show_open_clip("long") ||
                spn_node_create(show.rt, show.cache, &desc, &show.nodes[1]))
                exit(1);
            show.node_count = 2;
        }
        show_set_time((int64_t)k * SHOW_TICK_US);
        show_tick();
    }
    printf("from_memory/%s,%.2f,%u\n", name,
           (double)(show_state(0).bytes_read - bytes) / MB,
           show.first_decodes - decodes);
    show_close();
    show_free_clips();
}

static void print_ping_pong(void)
{
    uint32_t late;
    uint32_t shown;

    show_open(32u << 20);
    show_begin(1, 2000000);
    late = show_state(0).frames_late;
    shown = show_state(0).frames_shown;
    for (int k = 0; k < 1200; k++) {
        const int phase = k % 60;

        show_set_time(2000000 + (int64_t)(phase < 30 ? phase : 60 - phase) *
                                    SHOW_TICK_US);
        show_tick();
    }
    late = show_state(0).frames_late - late;
    shown = show_state(0).frames_shown - shown;
    printf("ping_pong/32MiB,%.1f\n", 100.0 * late / (late + shown));
    show_close();
}

static void print_range(const char *name, int64_t length_us,
                        spn_range_mode mode)
{
    spn_node_state before = {0};
    spn_node_state state;
    uint32_t decodes = 0;

    show_open(32u << 20);
    show_add_nodes(1);
    if (spn_node_set_range(show.rt, show.nodes[0], 2000000, 2000000 + length_us,
                           mode))
        exit(1);
    show_set_time(2000000);
    show_wait();
    for (int k = 0; k < 1200; k++) {
        if (k == 120) {
            before = show_state(0);
            decodes = show.decodes;
        }
        show_set_time(2000000 + (int64_t)k * SHOW_TICK_US);
        show_tick();
    }
    state = show_state(0);
    printf("range/%s,%.1f,%.2f,%u\n", name,
           100.0 * (state.frames_late - before.frames_late) /
               (state.frames_late - before.frames_late + state.frames_shown -
                before.frames_shown),
           (double)(state.bytes_read - before.bytes_read) / MB,
           show.decodes - decodes);
    show_close();
}

static void print_cut(uint64_t heap_bytes)
{
    int64_t us = 0;
    uint32_t late;

    show_open(heap_bytes);
    show_begin(1, 0);
    late = show_state(0).frames_late;
    for (int cut = 1; cut <= 10; cut++) {
        const int64_t to_us = cut % 2 ? 5000000 : 0;

        for (int k = 0; k < 180; k++, us += SHOW_TICK_US) {
            if (k == 60 &&
                spn_node_set_streaming_time(show.rt, show.nodes[0], to_us))
                exit(1);
            show_set_time(us);
            show_tick();
        }
        us = to_us;
    }
    printf("cut,%u\n", show_state(0).frames_late - late);
    show_close();
}

/* Largest number of bytes of frames and groups that are held, or needed. */
static double live_bytes(uint32_t nodes, int64_t apart_us, uint64_t heap_bytes,
                         bool is_held)
{
    uint64_t most = 0;

    show_open(heap_bytes);
    show_add_nodes(nodes);
    for (int k = 0; k < 600; k++) {
        const struct promises *p = &show.rt->manager.promises;
        const uint64_t pages =
            is_held ? p->keeper.held_pages : p->keeper.needed_pages;
        const uint64_t bytes = pages << p->heap->page_shift;

        for (uint32_t i = 0; i < nodes; i++)
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)k * SHOW_TICK_US +
                                               i * apart_us))
                exit(1);
        show_tick();
        if (k > 60 && bytes > most)
            most = bytes;
    }
    show_close();
    return (double)most;
}

static void print_live(const char *name, int64_t apart_us, uint64_t heap_bytes)
{
    printf("live/%s,%.2f,%.2f\n", name,
           (live_bytes(2, apart_us, heap_bytes, true) -
            live_bytes(1, 0, heap_bytes, true)) /
               MB,
           (live_bytes(2, apart_us, heap_bytes, false) -
            live_bytes(1, 0, heap_bytes, false)) /
               MB);
}

static void print_in_step(uint32_t nodes, uint64_t heap_bytes)
{
    uint64_t bytes = 0;
    uint32_t late = 0;

    show_open(heap_bytes);
    show_begin(nodes, 0);
    for (int k = 0; k < 600; k++) {
        show_set_time((int64_t)k * SHOW_TICK_US);
        show_tick();
    }
    for (uint32_t i = 0; i < nodes; i++) {
        bytes += show_state(i).bytes_read;
        late += show_state(i).frames_late;
    }
    printf("in_step/%u,%u,%.2f,%u late\n", nodes, show.decodes,
           (double)bytes / MB, late);
    show_close();
}

static uint32_t buffers_out;
static uint32_t buffers_most;

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    (void)user;
    (void)cache;
    (void)frame;
    if (++buffers_out > buffers_most)
        buffers_most = buffers_out;
    return malloc((size_t)show.info.vertex_count * 12);
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    (void)user;
    (void)cache;
    (void)frame;
    buffers_out--;
    free(vertices);
}

static void print_buffers(uint32_t nodes, uint64_t heap_bytes)
{
    const spn_frame_buffers buffers = {
        .layout = {.stride = 12, .position = {0, SPN_FORMAT_F32X3}},
        .acquire = acquire,
        .release = release};
    uint32_t late = 0;

    show_open(heap_bytes);
    if (spn_cache_set_frame_buffers(show.rt, show.cache, &buffers))
        exit(1);
    show_begin(nodes, 0);
    buffers_most = buffers_out;
    for (int k = 0; k < 600; k++) {
        show_set_time((int64_t)k * SHOW_TICK_US);
        show_tick();
    }
    for (uint32_t i = 0; i < nodes; i++)
        late += show_state(i).frames_late;
    printf("buffers/%u,%u,%u late\n", nodes, buffers_most, late);
    show_close();
}

static void print_apart(void)
{
    uint32_t playing = 0;
    uint32_t late = 0;
    uint32_t late_before = 0;

    show_open(128u << 20);
    show.disc.bytes_per_second = 20000000;
    show_add_nodes(24);
    for (int k = 0; k < 1200; k++) {
        late = 0;
        for (uint32_t i = 0; i < 24; i++) {
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)k * SHOW_TICK_US +
                                               (int64_t)i * 50000))
                exit(1);
            late += show_state(i).frames_late;
        }
        show_tick();
        if (k == 60)
            late_before = late;
    }
    for (uint32_t i = 0; i < 24; i++)
        playing += show_state(i).is_ready != 0;
    printf("apart/24,%u,%u late\n", playing, late - late_before);
    show_close();
}

/* The rows of memory and of normal speed. Returns heap_needed of one node. */
static uint64_t print_base(void)
{
    const uint64_t heap = show_heap_needed(1);

    print_heap();
    print_play(1, heap);
    print_play(-1, heap);
    return heap;
}

static void print_default_codec(void)
{
    show_make_clip(SHOW_SIDE, SHOW_FRAMES, true);
    codec_name = "/default";
    (void)print_base();
    codec_name = "";
    show_free_clips();
}

/* The rows of a drive. */
static void print_drives(void)
{
    const uint64_t heap = show_make_long_clip();

    show_drive = "x360_dvd12x";
    print_play(1, heap);
    print_play(-1, heap);
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
    if (argc > 1) {
        show_load_clip(argv[1]);
        print_base();
        return 0;
    }
    print_from_memory("on", "16384");
    print_from_memory("off", "0");
    show_make_clip(SHOW_SIDE, SHOW_FRAMES, false);
    heap = print_base();
    print_play(4, 2 * heap);
    print_play(-4, 2 * heap);
    print_loop();
    print_ping_pong();
    print_range("loop", 1000000, SPN_LOOP);
    print_range("ping_pong", 500000, SPN_PING_PONG);
    print_cut(show_heap_needed(2));
    print_live("in_step", 0, show_heap_needed(2));
    print_live("apart", 5000000, show_heap_needed(2));
    print_in_step(1, heap);
    print_in_step(4, show_heap_needed(4));
    print_buffers(1, heap);
    print_buffers(4, show_heap_needed(4));
    print_apart();
    show_free_clips();
    print_default_codec();
    print_drives();
    return 0;
}
