/* bench_playback.c - what playback costs: memory, reads, decodes and updates.
 *
 * A virtual clock and a disc without delays, unless the row says otherwise, so
 * all figures but the times of updates are the same on every machine. The clip
 * is a waving cloth of 30,276 vertices, 300 frames, in the classic codec; the
 * heap is what spn_cache_heap_needed says for one node, unless the row says
 * otherwise. With an argument, the memory rows are those of that cache file.
 *
 *   heap_needed       MB for one node; for a further one
 *   heap_least        MB of the smallest heap that plays at all
 *   play/RATE         late pictures in %; MB read; frames decoded
 *   loop_1s/HEAP      MB read and frames decoded after the first loop
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
 *   random/N          pictures in %, from the second update after a target on,
 *                     within 0.25 s of it, N targets a second; MB read
 *   seek/DISC         ms from the update that sees a new target to the first
 *                     picture of it: mean, largest; on a drive also the mean
 *                     over the time of one seek and the transfer from the first
 *                     to the last byte of its closure and border frame
 *   NAME/DRIVE        on the emulated drive, a clip of 36 MB and 900 frames;
 *                     play: also the ms that the drive was busy, and its reads.
 *                     With the argument "drives", only these
 *   capacity/CODEC/C  different frames shown, over the frames that a worker
 *                     can decode that has C of the time that all frames need;
 *                     largest distance of the nearer shown frame from the
 *                     wanted time, in frames; both after the first second
 *   apart/24          24 nodes 50 ms apart, 128 MiB, 20 MB/s: nodes that play;
 *                     late pictures
 *   update/CASE       processor time of spn_update in microseconds, of 64 nodes
 *                     of a cloth of 2,116 vertices, without reads and decodes:
 *                     median, 99th percentile, largest of 1,200
 */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "compile/compile.h"
#include "disc/drive.h"
#include "harness.h"
#include "play/closure.h"
#include "play/group_table.h"
#include "play/node/update.h"
#include "player/play_worker.h"
#include "runtime.h"
#include "support/cache_checksums.h"
#include "support/cloth_archive.h"
#include "support/slow_platform.h"

#include <spindle/emulator.h>
#include <spindle/listener.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIDE 174u
#define FRAMES 300u
#define LONG_SIDE 155u
#define LONG_FRAMES 900u
#define FRAME_US 33333u
#define TICK_US 16667u
#define NODES_MAX 64u
#define SMALL_SIDE 46u
#define CACHES_MAX 8u
#define MB 1e6

struct show {
    struct slow_platform disc;
    spn_config config;
    spn_runtime *rt;
    spn_job_gate gate; /* of config.job_submit */
    void *memory;
    void *emulator_memory; /* of the drive; NULL: the disc is without delays */
    spn_emulator *emulator;
    spn_platform drive;
    spn_cache cache;
    spn_cache_info info;
    spn_node nodes[NODES_MAX];
    uint32_t node_count;
    uint32_t decodes;          /* of frames */
    struct play_worker worker; /* in use if decode_us > 0 */
};

static void *clip;
static uint64_t clip_bytes;
static uint64_t decode_us; /* virtual time that it takes to decode a frame; 0:
                              none */
static struct show show;

static void on_decompressed(void *user, const spn_event *event)
{
    struct show *s = user;

    (void)event;
    s->decodes++;
}

static void on_decoded(void *user, const spn_event *event)
{
    struct show *s = user;

    if (decode_us > 0)
        play_worker_charge(&s->worker, event);
}

static const spn_listener listener = {
    .user = &show, .decompress_end = on_decompressed, .decode_end = on_decoded};

/* What threads would do until then: reads and jobs go on between updates. */
static void work_until(uint64_t end_us)
{
    for (;;) {
        uint64_t due_us;

        while (spn__runtime_step(show.rt, &due_us) > 0)
            continue;
        if (due_us >= end_us)
            break;
        if (due_us > show.disc.clock_us)
            show.disc.clock_us = due_us;
    }
    show.disc.clock_us = end_us;
}

static void tick(void)
{
    if (show.emulator_memory)
        work_until(show.disc.clock_us + TICK_US);
    else
        show.disc.clock_us += TICK_US;
    if (decode_us > 0)
        play_worker_run(&show.worker, show.disc.clock_us);
    spn_update(show.rt);
    if (decode_us > 0)
        play_worker_run(&show.worker, show.disc.clock_us);
}

/* What the drive has done so far; zeros without a drive. */
static spn_emulator_stats drive_stats(void)
{
    spn_emulator_stats stats = {0};

    if (show.emulator_memory &&
        spn_emulator_get_stats(show.emulator, 0, &stats))
        exit(1);
    return stats;
}

/* The drive on which the next show's files lie; NULL: none. */
static const char *drive_name;

static void start_drive(void)
{
    const spn_emulator_drive drive = {.profile =
                                          spn_drive_profile_find(drive_name)};
    const spn_emulator_config config = {
        .platform = &show.disc.table, .drives = &drive, .drive_count = 1};
    const size_t bytes = spn_emulator_bytes(&config);

    show.emulator_memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!show.emulator_memory ||
        spn_emulator_init(&config, show.emulator_memory, bytes, &show.emulator,
                          &show.drive))
        exit(1);
}

static void start_show(uint64_t heap_bytes, void (*job_submit)(void *user))
{
    size_t bytes;

    memset(&show, 0, sizeof show);
    slow_platform_init(&show.disc);
    if (drive_name)
        start_drive();
    show.config =
        (spn_config){.platform = drive_name ? &show.drive : &show.disc.table,
                     .heap_bytes = (uint32_t)heap_bytes,
                     .node_count = NODES_MAX,
                     .listener = job_submit ? NULL : &listener,
                     .job_submit = job_submit,
                     .job_gate = job_submit ? &show.gate : NULL};
    if (decode_us > 0)
        play_worker_init(&show.worker, decode_us, &show.config);
    bytes = spn_memory_needed(&show.config);
    show.memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!show.memory || spn_init(&show.config, show.memory, bytes, &show.rt))
        exit(1);
    show.worker.rt = show.rt;
}

/* False: the cache finds no room in this heap. */
static bool open_clip(const char *path)
{
    spn_status status = SPN_PENDING;

    slow_platform_add(&show.disc, path, clip, clip_bytes);
    if (spn_cache_open(show.rt, path, &show.cache))
        exit(1);
    for (int i = 0; i < 10000 && status == SPN_PENDING; i++) {
        tick();
        while (show.config.job_submit && spn_job_step(&show.gate, 0))
            continue;
        status = spn_cache_get_status(show.rt, show.cache, NULL);
    }
    return status == SPN_OK &&
           spn_cache_get_info(show.rt, show.cache, &show.info) == SPN_OK;
}

static bool open_show(uint64_t heap_bytes)
{
    start_show(heap_bytes, NULL);
    return open_clip("clip");
}

static void close_show(void)
{
    spn_shutdown(show.rt);
    free(show.memory);
    free(show.emulator_memory);
}

static uint64_t heap_needed(uint32_t nodes)
{
    uint64_t bytes = 0;

    if (!open_show(256u << 20) ||
        spn_cache_heap_needed(show.rt, show.cache, nodes, &bytes))
        exit(1);
    close_show();
    return bytes;
}

static void add_nodes(uint32_t count)
{
    const spn_node_desc desc = {.is_looping = 1};

    for (uint32_t i = 0; i < count; i++)
        if (spn_node_create(show.rt, show.cache, &desc, &show.nodes[i]))
            exit(1);
    show.node_count = count;
}

static void set_time(int64_t time_us)
{
    for (uint32_t i = 0; i < show.node_count; i++)
        if (spn_node_set_playback_time(show.rt, show.nodes[i], time_us))
            exit(1);
}

static spn_node_state state_of(uint32_t i)
{
    spn_node_state state;

    if (spn_node_get_state(show.rt, show.nodes[i], &state))
        exit(1);
    return state;
}

static bool until_ready(uint32_t updates)
{
    for (uint32_t k = 0; k < updates; k++) {
        bool is_ready = true;

        for (uint32_t i = 0; i < show.node_count; i++)
            is_ready = is_ready && state_of(i).is_ready;
        if (is_ready)
            return true;
        tick();
    }
    return false;
}

/* -- rows -- */

static bool plays_in(uint64_t heap_bytes)
{
    bool plays = open_show(heap_bytes);

    if (plays) {
        add_nodes(1);
        set_time(0);
        for (int i = 0; i < 30 && plays; i++) {
            set_time((int64_t)i * 333333);
            plays = until_ready(200);
        }
    }
    close_show();
    return plays;
}

static void print_heap(void)
{
    const uint64_t one = heap_needed(1);
    uint64_t low = 65536;
    uint64_t high = one;

    printf("heap_needed,%.2f,%.2f\n", (double)one / MB,
           (double)(heap_needed(2) - one) / MB);
    while (high - low > 65536) {
        const uint64_t middle = (low + high) / 2;

        if (plays_in(middle))
            high = middle;
        else
            low = middle;
    }
    printf("heap_least,%.2f\n", (double)high / MB);
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

    (void)open_show(heap_bytes);
    add_nodes(1);
    set_time(0);
    (void)until_ready(1000);
    for (int k = 0; k < 60; k++) {
        set_time(rate * (int64_t)k * TICK_US);
        tick();
    }
    state = state_of(0);
    late = state.frames_late;
    shown = state.frames_shown;
    bytes = state.bytes_read;
    decodes = show.decodes;
    before = drive_stats();
    for (int k = 60; k < 60 + 1200; k++) {
        set_time(rate * (int64_t)k * TICK_US);
        tick();
    }
    state = state_of(0);
    after = drive_stats();
    printf("play/%dx%s%s,%.1f,%.2f,%u", rate, drive_name ? "/" : "",
           drive_name ? drive_name : "",
           100.0 * (state.frames_late - late) /
               (state.frames_late - late + state.frames_shown - shown),
           (double)(state.bytes_read - bytes) / MB, show.decodes - decodes);
    if (drive_name)
        printf(",%.0f ms,%u reads",
               (double)(after.busy_us - before.busy_us) / 1000,
               (uint32_t)(after.reads - before.reads));
    printf("\n");
    close_show();
}

static void print_loop(void)
{
    uint64_t bytes = 0;
    uint32_t decodes = 0;

    (void)open_show(32u << 20);
    add_nodes(1);
    set_time(0);
    (void)until_ready(1000);
    for (int k = 0; k < 600; k++) {
        set_time((int64_t)k * TICK_US % 1000000);
        tick();
        if (k == 59) {
            bytes = state_of(0).bytes_read;
            decodes = show.decodes;
        }
    }
    printf("loop_1s/32MiB,%.2f,%u\n",
           (double)(state_of(0).bytes_read - bytes) / MB,
           show.decodes - decodes);
    close_show();
}

static void print_ping_pong(void)
{
    uint32_t late;
    uint32_t shown;

    (void)open_show(32u << 20);
    add_nodes(1);
    set_time(2000000);
    (void)until_ready(1000);
    late = state_of(0).frames_late;
    shown = state_of(0).frames_shown;
    for (int k = 0; k < 1200; k++) {
        const int phase = k % 60;

        set_time(2000000 +
                 (int64_t)(phase < 30 ? phase : 60 - phase) * TICK_US);
        tick();
    }
    late = state_of(0).frames_late - late;
    shown = state_of(0).frames_shown - shown;
    printf("ping_pong/32MiB,%.1f\n", 100.0 * late / (late + shown));
    close_show();
}

static void print_range(const char *name, int64_t length_us,
                        spn_range_mode mode)
{
    spn_node_state before = {0};
    spn_node_state state;
    uint32_t decodes = 0;

    (void)open_show(32u << 20);
    add_nodes(1);
    if (spn_node_set_range(show.rt, show.nodes[0], 2000000, 2000000 + length_us,
                           mode))
        exit(1);
    set_time(2000000);
    (void)until_ready(1000);
    for (int k = 0; k < 1200; k++) {
        if (k == 120) {
            before = state_of(0);
            decodes = show.decodes;
        }
        set_time(2000000 + (int64_t)k * TICK_US);
        tick();
    }
    state = state_of(0);
    printf("range/%s,%.1f,%.2f,%u\n", name,
           100.0 * (state.frames_late - before.frames_late) /
               (state.frames_late - before.frames_late + state.frames_shown -
                before.frames_shown),
           (double)(state.bytes_read - before.bytes_read) / MB,
           show.decodes - decodes);
    close_show();
}

static void print_cut(uint64_t heap_bytes)
{
    int64_t us = 0;
    uint32_t late;

    (void)open_show(heap_bytes);
    add_nodes(1);
    set_time(0);
    (void)until_ready(1000);
    late = state_of(0).frames_late;
    for (int cut = 1; cut <= 10; cut++) {
        const int64_t to_us = cut % 2 ? 5000000 : 0;

        for (int k = 0; k < 180; k++, us += TICK_US) {
            if (k == 60 &&
                spn_node_set_streaming_time(show.rt, show.nodes[0], to_us))
                exit(1);
            set_time(us);
            tick();
        }
        us = to_us;
    }
    printf("cut,%u\n", state_of(0).frames_late - late);
    close_show();
}

/* Largest number of bytes of frames and groups that are held, or needed. */
static double live_bytes(uint32_t nodes, int64_t apart_us, uint64_t heap_bytes,
                         bool is_held)
{
    uint64_t most = 0;

    (void)open_show(heap_bytes);
    add_nodes(nodes);
    for (int k = 0; k < 600; k++) {
        const struct promises *p = &show.rt->manager.promises;
        const uint64_t pages =
            is_held ? p->keeper.held_pages : p->keeper.needed_pages;
        const uint64_t bytes = pages << p->heap->page_shift;

        for (uint32_t i = 0; i < nodes; i++)
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)k * TICK_US + i * apart_us))
                exit(1);
        tick();
        if (k > 60 && bytes > most)
            most = bytes;
    }
    close_show();
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

    (void)open_show(heap_bytes);
    add_nodes(nodes);
    set_time(0);
    (void)until_ready(1000);
    for (int k = 0; k < 600; k++) {
        set_time((int64_t)k * TICK_US);
        tick();
    }
    for (uint32_t i = 0; i < nodes; i++) {
        bytes += state_of(i).bytes_read;
        late += state_of(i).frames_late;
    }
    printf("in_step/%u,%u,%.2f,%u late\n", nodes, show.decodes,
           (double)bytes / MB, late);
    close_show();
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

    (void)open_show(heap_bytes);
    if (spn_cache_set_frame_buffers(show.rt, show.cache, &buffers))
        exit(1);
    add_nodes(nodes);
    set_time(0);
    (void)until_ready(1000);
    buffers_most = buffers_out;
    for (int k = 0; k < 600; k++) {
        set_time((int64_t)k * TICK_US);
        tick();
    }
    for (uint32_t i = 0; i < nodes; i++)
        late += state_of(i).frames_late;
    printf("buffers/%u,%u,%u late\n", nodes, buffers_most, late);
    close_show();
}

/* updates  from one target to the next */
static void print_random(const char *name, uint64_t heap_bytes, int updates)
{
    struct test_random random = {7};
    uint32_t near = 0;
    uint32_t count = 0;

    (void)open_show(heap_bytes);
    add_nodes(1);
    set_time(0);
    (void)until_ready(1000);
    for (int target = 0; target < 200; target++) {
        const uint32_t frame =
            test_random_below(&random, show.info.frame_count);
        int64_t us = 0;

        (void)spn_cache_get_frame_time(show.rt, show.cache, frame, &us);
        set_time(us);
        for (int k = 0; k < updates; k++) {
            spn_node_state state;
            int64_t shown_us = INT64_MIN / 2;

            tick();
            if (k == 0)
                continue;
            state = state_of(0);
            if (state.shown_frame != UINT32_MAX)
                (void)spn_cache_get_frame_time(show.rt, show.cache,
                                               state.shown_frame, &shown_us);
            near += shown_us - us <= 250000 && us - shown_us <= 250000;
            count++;
        }
    }
    printf("random/%s,%.1f,%.2f\n", name, 100.0 * near / count,
           (double)state_of(0).bytes_read / MB);
    close_show();
}

/* Number of the first and of the last stored frame of the closure of a frame
 * and the border of its group, when nothing is decoded. */
static void find_extent(const struct cache *c, uint32_t number, uint64_t *first,
                        uint64_t *limit)
{
    bool is_needed[LONG_FRAMES] = {false};
    const uint32_t border =
        spn__group_border(c, cache_frame_at(c, number)->group);
    bool has_more = true;

    is_needed[number] = true;
    while (has_more) {
        has_more = false;
        for (uint32_t i = 0; i < c->header.frame_count; i++)
            for (uint32_t r = 0;
                 is_needed[i] && r < cache_frame_at(c, i)->reference_count; r++)
                if (!is_needed[closure_reference(c, i, r)]) {
                    is_needed[closure_reference(c, i, r)] = true;
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
    spn__drive_init(&drive, spn_drive_profile_find(drive_name));
    spn__drive_insert(&drive, 0);
    if (spn__drive_read(&drive, head > 2048 ? head - 2048 : 0, 2048,
                        now_us > 1000000 ? now_us - 1000000 : 0, &cost,
                        &end_us) ||
        spn__drive_read(&drive, first, limit - first, now_us, &cost, &end_us))
        exit(1);
    return end_us - now_us;
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

    (void)open_show(heap_bytes);
    add_nodes(1);
    set_time(0);
    (void)until_ready(1000);
    for (int target = 0; target < targets; target++) {
        const uint32_t frame =
            test_random_below(&random, show.info.frame_count);
        uint64_t taken_us = 0;
        int64_t us = 0;

        (void)spn_cache_get_frame_time(show.rt, show.cache, frame, &us);
        set_time(us);
        if (state_of(0).is_ready)
            continue;
        if (drive_name)
            sum_least_us += least_us(frame);
        seeks++;
        for (int k = 1; k <= 120; k++) {
            tick();
            if (taken_us == 0 && state_of(0).is_ready)
                taken_us = (uint64_t)(k - 1) * TICK_US;
        }
        sum_us += taken_us;
        if (taken_us > most_us)
            most_us = taken_us;
    }
    printf("seek/%s,%.1f,%.1f", name, (double)sum_us / seeks / 1000,
           (double)most_us / 1000);
    if (drive_name)
        printf(",%.2f", (double)sum_us / (double)sum_least_us);
    printf("\n");
    close_show();
}

static void print_apart(void)
{
    uint32_t playing = 0;
    uint32_t late = 0;
    uint32_t late_before = 0;

    (void)open_show(128u << 20);
    show.disc.bytes_per_second = 20000000;
    add_nodes(24);
    for (int k = 0; k < 1200; k++) {
        late = 0;
        for (uint32_t i = 0; i < 24; i++) {
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)k * TICK_US +
                                               (int64_t)i * 50000))
                exit(1);
            late += state_of(i).frames_late;
        }
        tick();
        if (k == 60)
            late_before = late;
    }
    for (uint32_t i = 0; i < 24; i++)
        playing += state_of(i).is_ready != 0;
    printf("apart/24,%u,%u late\n", playing, late - late_before);
    close_show();
}

/* -- times of updates -- */

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
    show.disc.clock_us += TICK_US;
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

    start_show(heap_bytes, on_submit);
    for (uint32_t i = 0; i < cache_count; i++) {
        char path[16];

        snprintf(path, sizeof path, "clip%u", i);
        if (!open_clip(path))
            exit(1);
        caches[i] = show.cache;
    }
    for (uint32_t i = 0; i < NODES_MAX; i++)
        if (spn_node_create(show.rt, caches[i % cache_count], &desc,
                            &show.nodes[i]))
            exit(1);
    show.node_count = NODES_MAX;
    for (int k = -120; k < 1200; k++) {
        uint64_t taken;

        for (uint32_t i = 0; i < NODES_MAX; i++)
            if (spn_node_set_playback_time(show.rt, show.nodes[i],
                                           (int64_t)(k + 120) * TICK_US +
                                               i * step_us))
                exit(1);
        taken = measure_update();
        if (k >= 0)
            us[k] = taken;
    }
    for (uint32_t i = 0; i < NODES_MAX; i++)
        late += state_of(i).frames_late;
    qsort(us, 1200, sizeof us[0], compare);
    printf("update/%s,%u,%u,%u,%u late\n", name, (uint32_t)us[600],
           (uint32_t)us[1188], (uint32_t)us[1199], late);
    close_show();
}

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
    static uint8_t vertices[SIDE * SIDE * 6];
    const double wanted = (double)time_us / FRAME_US;
    spn_fill_result result;
    double floor;
    double ceil;

    if (spn_node_fill(show.rt, show.nodes[0], 0, &layout, vertices,
                      sizeof vertices, &result))
        return FRAMES; /* nothing is shown */
    floor = distance(result.floor_frame, wanted);
    ceil = distance(result.ceil_frame, wanted);
    return floor < ceil ? floor : ceil;
}

/* A worker that decodes `percent` of the frames that playback needs. */
static void print_capacity(const char *codec, uint32_t percent,
                           uint64_t heap_bytes)
{
    bool was_shown[FRAMES] = {false};
    uint32_t shown = 0;
    double worst = 0;
    double far;

    decode_us = FRAME_US * 100 / percent;
    (void)open_show(heap_bytes);
    add_nodes(1);
    set_time(0);
    (void)until_ready(1000);
    for (int64_t us = 0; us < (FRAMES - 1) * (int64_t)FRAME_US; us += TICK_US) {
        set_time(us);
        tick();
        if (us < 1000000)
            continue;
        far = worst_distance(us);
        worst = far > worst ? far : worst;
        if (state_of(0).shown_frame == UINT32_MAX)
            continue;
        shown += !was_shown[state_of(0).shown_frame];
        was_shown[state_of(0).shown_frame] = true;
    }
    printf("capacity/%s/%.1f,%.2f,%.1f,%u late\n", codec, percent / 100.0,
           shown / ((double)(FRAMES - 31) * percent / 100), worst,
           state_of(0).frames_late);
    close_show();
    decode_us = 0;
}

/* -- the clip -- */

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(1);
    clip_bytes = (uint64_t)ftell(file);
    rewind(file);
    clip = malloc(clip_bytes);
    if (!clip || fread(clip, 1, clip_bytes, file) != clip_bytes)
        exit(1);
    fclose(file);
}

/* The archive has a frame a second; the clip is to have 30. */
static void set_times(void)
{
    struct wire_header *header = clip;
    struct wire_frame *frames;
    struct cache_parts parts;

    if (!cache_parts_find(clip, clip_bytes, &parts))
        exit(1);
    frames = (void *)((uint8_t *)clip + parts.frame_table);
    for (uint32_t i = 0; i < parts.frame_count; i++)
        spn_store_u64le(frames[i].time_us,
                        (uint64_t)spn_load_u32le(frames[i].number) * FRAME_US);
    spn_store_u64le(header->duration_us,
                    (uint64_t)(parts.frame_count - 1) * FRAME_US);
    cache_checksums_correct(clip, clip_bytes);
}

static void print_capacities(const char *codec)
{
    const uint64_t heap = heap_needed(1);

    print_capacity(codec, 90, heap);
    print_capacity(codec, 60, heap);
    print_capacity(codec, 30, heap);
}

static void make_clip(uint32_t side, uint32_t frames, bool is_lifted)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    char archive[512];
    char cache[512];

    snprintf(archive, sizeof archive, "%s/cloth.abc", test_temp());
    snprintf(cache, sizeof cache, "%s/cloth.sgc", test_temp());
    cloth_archive_write(archive, side, frames);
    diag_init(&diag);
    compile_options_default(&options);
    options.input = archive;
    options.output = cache;
    options.is_lifted = is_lifted;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        exit(1);
    diag_finish(&diag);
    load(cache);
    set_times();
}

/* The rows of drives. */
static void print_drives(void)
{
    uint64_t heap;

    make_clip(LONG_SIDE, LONG_FRAMES, false);
    heap = heap_needed(1);
    drive_name = "x360_dvd12x";
    print_random("5/x360_dvd12x", heap, 12);
    print_random("10/x360_dvd12x", heap, 6);
    print_play(1, heap);
    print_play(-1, heap);
    drive_name = "wii_dvd6x";
    print_seek("wii_dvd6x", heap);
    drive_name = NULL;
    free(clip);
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
        load(argv[1]);
        print_heap();
        return 0;
    }
    make_clip(SIDE, FRAMES, false);
    print_heap();
    heap = heap_needed(1);
    print_play(1, heap);
    print_play(-1, heap);
    print_play(4, 2 * heap);
    print_play(-4, 2 * heap);
    print_loop();
    print_ping_pong();
    print_range("loop", 1000000, SPN_LOOP);
    print_range("ping_pong", 500000, SPN_PING_PONG);
    print_cut(heap_needed(2));
    print_live("in_step", 0, heap_needed(2));
    print_live("apart", 5000000, heap_needed(2));
    print_in_step(1, heap);
    print_in_step(4, heap_needed(4));
    print_buffers(1, heap);
    print_buffers(4, heap_needed(4));
    print_random("10", heap, 6);
    print_seek("page_cache", heap);
    print_apart();
    print_capacities("classic");
    free(clip);
    print_drives();
    make_clip(SIDE, FRAMES, true);
    print_capacities("lifted");
    free(clip);
    make_clip(SMALL_SIDE, FRAMES, false);
    print_update("in_step", 1, 0, 256u << 20);
    print_update("apart", 1, 150000, 256u << 20);
    print_update("apart/64MiB", 1, 150000, 64u << 20);
    print_update("8_caches", 8, 150000, 256u << 20);
    print_update("8_caches/64MiB", 8, 150000, 64u << 20);
    free(clip);
    return 0;
}
