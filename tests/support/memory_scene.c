/* memory_scene.c - see memory_scene.h. */
/* SPDX-License-Identifier: MIT */
#include "support/memory_scene.h"

#include "harness.h"

#include <string.h>

const spn_node_desc memory_scene_looping = {.is_looping = 1};

static void on_decode(void *user, const spn_event *event)
{
    struct memory_scene *s = user;

    for (uint32_t i = 0; i < 2; i++)
        if (event->cache == s->caches[i])
            s->decode_counts[i]++;
}

void memory_scene_open(struct memory_scene *s, uint32_t i)
{
    CHECK_EQ(spn_cache_open(s->stage.rt, i ? "b" : "a", &s->caches[i]), SPN_OK);
    for (uint32_t k = 0; k < 200; k++)
        if (spn_cache_get_status(s->stage.rt, s->caches[i], NULL) ==
            SPN_PENDING)
            stage_tick(&s->stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_get_status(s->stage.rt, s->caches[i], NULL), SPN_OK);
}

void memory_scene_start_node(struct memory_scene *s, uint32_t i, uint32_t cache)
{
    CHECK_EQ(spn_node_create(s->stage.rt, s->caches[cache],
                             &memory_scene_looping, &s->nodes[i]),
             SPN_OK);
    CHECK_EQ(spn_node_start_streaming(s->stage.rt, s->nodes[i], 0), SPN_OK);
}

void memory_scene_open_and_start(struct memory_scene *s, uint32_t i)
{
    memory_scene_open(s, i);
    memory_scene_start_node(s, i, i);
}

void memory_scene_begin(struct memory_scene *s, struct tiny_cache *a,
                        struct tiny_cache *b, uint32_t heap_bytes,
                        const char *memory_play_kib)
{
    stage_init(&s->stage, a);
    s->second = b;
    if (b)
        slow_platform_add(&s->stage.disc, "b", b->bytes, b->size);
    s->stage.config.heap_bytes = heap_bytes;
    s->listener = (spn_listener){.user = s, .decode_begin = on_decode};
    s->stage.config.listener = &s->listener;
    stage_start(&s->stage);
    CHECK_EQ(spn_tuning_set(s->stage.rt, "memory_play_kib", memory_play_kib),
             SPN_OK);
    s->clock_us = 0;
    memset(s->caches, 0, sizeof s->caches);
    memset(s->nodes, 0, sizeof s->nodes);
    memset(s->decode_counts, 0, sizeof s->decode_counts);
}

void memory_scene_end(struct memory_scene *s)
{
    stage_close(&s->stage);
    if (s->second)
        tiny_free(s->second);
}

struct tiny_cache *memory_scene_small_clip(void)
{
    return tiny_build(
        &(struct tiny_options){.frame_count = MEMORY_SCENE_FRAMES});
}

struct tiny_cache *memory_scene_large_clip(void)
{
    return tiny_build(
        &(struct tiny_options){.frame_count = 151, .vertices = 4000});
}

void memory_scene_play(struct memory_scene *s, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        s->clock_us += STAGE_TICK_US;
        for (uint32_t i = 0; i < 2; i++)
            if (s->nodes[i])
                CHECK_EQ(spn_node_set_playback_time(s->stage.rt, s->nodes[i],
                                                    s->clock_us),
                         SPN_OK);
        stage_tick(&s->stage, STAGE_TICK_US);
    }
}

void memory_scene_destroy_node(struct memory_scene *s, uint32_t i)
{
    CHECK_EQ(spn_node_destroy(s->stage.rt, s->nodes[i]), SPN_OK);
    s->nodes[i] = 0;
    memory_scene_play(s, 5);
}

spn_cache_info memory_scene_info(const struct memory_scene *s, uint32_t i)
{
    spn_cache_info info = {0};

    CHECK_EQ(spn_cache_get_info(s->stage.rt, s->caches[i], &info), SPN_OK);
    return info;
}

bool memory_scene_keeps_all(const struct memory_scene *s, uint32_t i)
{
    return memory_scene_info(s, i).keeps_all_frames != 0;
}

uint64_t memory_scene_bytes_read(const struct memory_scene *s)
{
    spn_io_stats stats;

    spn_io_get_stats(s->stage.rt, &stats);
    return stats.bytes_read;
}

void memory_scene_begin_quiet(struct memory_scene *s)
{
    memset(s->decode_counts, 0, sizeof s->decode_counts);
    s->read_bytes = memory_scene_bytes_read(s);
    s->read_count = s->stage.disc.reads;
}

void memory_scene_check_quiet(const struct memory_scene *s)
{
    CHECK_EQ(s->decode_counts[0], 0);
    CHECK_EQ(s->decode_counts[1], 0);
    CHECK_EQ_U(memory_scene_bytes_read(s), s->read_bytes);
    CHECK_EQ_U(s->stage.disc.reads, s->read_count);
}
