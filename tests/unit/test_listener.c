/* test_listener.c
 *
 * Goal: a whole runtime notifies its listener of the events of caches and
 *   reads. A listener changes no result, and the events keep every rule of
 *   spindle/listener.h on real threads.
 * Method: a cache played in virtual time with and without a listener, and a
 *   clip with its skeleton and image. Then
 *   the POSIX platform, with several threads that start and abort reads, an io
 *   thread, workers and a reserved worker, for the thread sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#include "base/atomic.h"
#include "harness.h"
#include "host/host.h"
#include "support/event_log.h"
#include "support/pose_stage.h"
#include "support/stage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct event_log event_log;
static struct stage stage;

/* -- caches -- */

static uint32_t play_cache(const spn_listener *listener)
{
    struct tiny_options o = {.frame_count = 40, .has_uvs = true};
    spn_node node;
    uint32_t hash;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 20000;
    stage.config.listener = listener;
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    for (int64_t t = 0; t < 39 * 33333; t += STAGE_TICK_US) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    hash = spn_trace_hash(stage.rt);
    stage_close(&stage);
    return hash;
}

static void a_cache_has_events_and_plays_as_without_them(void)
{
    uint32_t hash = play_cache(NULL);
    const spn_event *e;

    event_log_init(&event_log);
    CHECK_EQ_U(play_cache(&event_log.listener), hash);
    event_log_check(&event_log);
    CHECK_EQ(event_log_count(&event_log, SPN_EVENT_DECOMPRESS_BEGIN), 40);
    CHECK_EQ(event_log_count(&event_log, SPN_EVENT_DECOMPRESS_END), 40);
    e = event_log_at(&event_log, SPN_EVENT_DECOMPRESS_END, 0);
    CHECK_EQ(e->task, SPN_TASK_GEOM_CACHE);
    CHECK_EQ(e->status, SPN_OK);
    CHECK(e->bytes > 0 && e->offset > 0);
    e = event_log_at(&event_log, SPN_EVENT_QUEUED, 0);
    CHECK_EQ(e->task, SPN_TASK_GEOM_CACHE);
    CHECK(!e->user);
    CHECK_STR(e->path, "a");
}

/* -- clips -- */

static struct pose_stage clips;

static void reads_of_clips_have_no_user(void)
{
    const struct made_motion made = {.joints = 3, .frames = 3, .swing = 1};
    spn_anim_play play;
    uint32_t count;

    event_log_init(&event_log);
    pose_stage_init(&clips);
    pose_stage_add(&clips, &made, 0);
    clips.stage.config.listener = &event_log.listener;
    pose_stage_open(&clips);
    pose_stage_skeleton(&clips, 0);
    CHECK_EQ(
        spn_anim_play_start(clips.stage.rt, pose_stage_clip(&clips, 0), &play),
        SPN_OK);
    for (int i = 0; i < 60; i++)
        pose_stage_tick(&clips);
    event_log_check(&event_log);
    count = event_log_count(&event_log, SPN_EVENT_COMPLETED);
    CHECK_EQ(count, 3); /* the image, the skeleton, the clip */
    for (uint32_t i = 0; i < atomic_load_acquire(&event_log.count); i++)
        CHECK(!event_log.events[i].user);
    pose_stage_close(&clips);
}

/* -- threads -- */

#define STARTERS 3u
#define READS_EACH 300u
#define FILE_BYTES 200000u

struct starter {
    pthread_t thread;
    struct test_random random;
    const char *wrong;
    uint32_t started;
    uint8_t buffer[2][20000];
    struct atomic_u32 is_busy[2];
};

static spn_runtime *rt;
static char path[512];
static struct starter starters[STARTERS];
static struct atomic_u32 left;

static void on_async(const spn_read_result *result)
{
    (void)result;
}

static void on_done(const spn_read_result *result)
{
    /* Pairs with the load in start_one. */
    atomic_store_release(result->user, 0);
}

static void start_one(struct starter *s, uint32_t slot)
{
    spn_read_desc desc = {.path = path,
                          .offset = test_random_below(&s->random, 100000),
                          .bytes = 1 + test_random_below(&s->random, 19999),
                          .buffer = s->buffer[slot],
                          .buffer_bytes = sizeof s->buffer[slot],
                          .priority = SPN_PRIORITY_NORMAL,
                          .task = SPN_TASK_TEXTURE,
                          .on_done = on_done,
                          .user = &s->is_busy[slot]};
    spn_read read;

    if (atomic_load_acquire(&s->is_busy[slot]))
        return;
    if (test_random_below(&s->random, 2))
        desc.on_async = on_async;
    if (test_random_below(&s->random, 2))
        desc.task = SPN_TASK_SOUND;
    if (test_random_below(&s->random, 4) == 0)
        desc.priority = SPN_PRIORITY_URGENT;
    atomic_store_release(&s->is_busy[slot], 1);
    if (spn_read_start(rt, &desc, &read) != SPN_OK) {
        s->wrong = "start";
        return;
    }
    s->started++;
    if (test_random_below(&s->random, 4) == 0)
        spn_read_abort(rt, read);
    else if (test_random_below(&s->random, 2))
        spn_read_wait(rt, read, UINT64_MAX, NULL);
}

static void *run_starter(void *argument)
{
    struct starter *s = argument;

    for (uint32_t i = 0; i < READS_EACH && !s->wrong; i++)
        start_one(s, i % 2);
    atomic_add_acq_rel(&left, UINT32_MAX);
    return NULL;
}

static void write_file(void)
{
    FILE *out;

    snprintf(path, sizeof path, "%s/data", test_temp());
    out = fopen(path, "wb");
    CHECK(out);
    for (uint32_t i = 0; i < FILE_BYTES; i++)
        putc((int)(i & 0xff), out);
    CHECK_EQ(fclose(out), 0);
}

static void events_of_threads_keep_the_rules(void)
{
    spn_platform platform;
    void *state = malloc(host_platform_bytes());
    spn_config config = {.platform = &platform,
                         .heap_bytes = 65536,
                         .piece_bytes = 4096,
                         .read_count = 8,
                         .reserved_tasks = {1u << SPN_TASK_SOUND},
                         .listener = &event_log.listener};
    uint32_t started = 0;
    size_t bytes;
    void *memory;

    write_file();
    event_log_init(&event_log);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    memset(starters, 0, sizeof starters);
    atomic_store_release(&left, STARTERS);
    for (uint32_t i = 0; i < STARTERS; i++) {
        starters[i].random.state = i + 1;
        CHECK_EQ(pthread_create(&starters[i].thread, NULL, run_starter,
                                &starters[i]),
                 0);
    }
    while (atomic_load_acquire(&left) > 0)
        spn_update(rt);
    for (uint32_t i = 0; i < STARTERS; i++)
        CHECK_EQ(pthread_join(starters[i].thread, NULL), 0);
    spn_shutdown(rt);
    for (uint32_t i = 0; i < STARTERS; i++) {
        CHECK(!starters[i].wrong);
        started += starters[i].started;
    }
    event_log_check(&event_log);
    CHECK(started > 0);
    CHECK_EQ(event_log_count(&event_log, SPN_EVENT_COMPLETED), started);
    free(memory);
    free(state);
}

TEST_MAIN(TEST(a_cache_has_events_and_plays_as_without_them),
          TEST(reads_of_clips_have_no_user),
          TEST(events_of_threads_keep_the_rules))
