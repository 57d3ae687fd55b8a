/* memory_scene.h - two caches "a" and "b" that loop, for tests of play from
 * memory. What is read and decoded is counted. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_MEMORY_SCENE_H
#define TESTS_MEMORY_SCENE_H

#include "support/stage.h"

#include <spindle/listener.h>
#include <stdbool.h>
#include <stdint.h>

/* Of the small clip. */
#define MEMORY_SCENE_FRAMES 91u

struct memory_scene {
    struct stage stage;
    spn_listener listener;
    struct tiny_cache *second;
    spn_cache caches[2];
    spn_node nodes[2];
    uint32_t decode_counts[2]; /* decode jobs of each cache */
    uint64_t read_bytes;       /* at the last memory_scene_begin_quiet; */
    uint32_t read_count;       /* at the device */
    int64_t clock_us;          /* playback time of all nodes */
};

extern const spn_node_desc memory_scene_looping;

/* Start the runtime. Two files; the second one may be NULL. */
void memory_scene_begin(struct memory_scene *s, struct tiny_cache *a,
                        struct tiny_cache *b, uint32_t heap_bytes,
                        const char *memory_play_kib);
void memory_scene_end(struct memory_scene *s);

struct tiny_cache *memory_scene_small_clip(void);
struct tiny_cache *memory_scene_large_clip(void);

/* Open cache `i`, and wait until it is open. */
void memory_scene_open(struct memory_scene *s, uint32_t i);
/* Create node `i` of a cache, and start its streaming. */
void memory_scene_start_node(struct memory_scene *s, uint32_t i,
                             uint32_t cache);
void memory_scene_open_and_start(struct memory_scene *s, uint32_t i);
void memory_scene_destroy_node(struct memory_scene *s, uint32_t i);

/* Play all nodes. */
void memory_scene_play(struct memory_scene *s, uint32_t ticks);

spn_cache_info memory_scene_info(const struct memory_scene *s, uint32_t i);
bool memory_scene_keeps_all(const struct memory_scene *s, uint32_t i);
uint64_t memory_scene_bytes_read(const struct memory_scene *s);

/* From here on nothing is to be read or decoded. */
void memory_scene_begin_quiet(struct memory_scene *s);
void memory_scene_check_quiet(const struct memory_scene *s);

#endif
