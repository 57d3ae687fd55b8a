/* play_show.h - a made clip, and a runtime that plays it on a virtual clock,
 * for benchmarks of playback.
 *
 * The disc has no delays, or an emulated drive's. Clips are a waving cloth of
 * 30 frames a second. A failure ends the program.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PLAY_SHOW_H
#define TESTS_SUPPORT_PLAY_SHOW_H

#include "player/play_worker.h"
#include "runtime.h"
#include "support/cloth_archive.h"
#include "support/slow_platform.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* The clip of most rows: 30,276 vertices. */
#define SHOW_SIDE 174u
#define SHOW_FRAMES 300u
/* The clip of rows with a drive: 36 MB. */
#define SHOW_LONG_SIDE 155u
#define SHOW_LONG_FRAMES 900u
#define SHOW_FRAME_US 33333u
#define SHOW_TICK_US 16667u /* from one update to the next */
#define SHOW_NODES_MAX 64u

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
    spn_node nodes[SHOW_NODES_MAX];
    uint32_t node_count;
    uint32_t decodes;          /* of frames */
    uint32_t first_decodes;    /* the part of it that nodes[0] needed first */
    struct play_worker worker; /* in use if show_decode_us > 0 */
};

extern struct show show;
/* The drive on which the next show's files lie; NULL: none. */
extern const char *show_drive;
/* True: the runtime gets the profile of that drive, and its own order of reads.
 * Otherwise reads are in the order of their keys. */
extern bool show_knows_drive;
/* Points of the next clips; NULL: those of cloth_archive_write. */
extern cloth_place show_place;
/* Virtual time that it takes to decode a frame; 0: none. */
extern uint64_t show_decode_us;

/* -- the clip -- */

/* A cloth of side x side vertices, in the lifting or the classic codec. */
void show_make_clip(uint32_t side, uint32_t frames, bool is_lifted);
/* The clip of rows with a drive. Returns the heap that one node needs. */
uint64_t show_make_long_clip(void);
/* A cache file, as it is. */
void show_load_clip(const char *path);
/* Free all clips. Call it after show_close: discs refer to them. */
void show_free_clips(void);

/* -- the runtime -- */

/* Start a runtime without caches. With job_submit, jobs wait for
 * spn_job_step, and show.decodes stays 0. */
void show_start(uint64_t heap_bytes, void (*job_submit)(void *user));
/* Add the clip that was made last to the disc as `path`, and open it as
 * show.cache. False: the cache finds no room in this heap. */
bool show_open_clip(const char *path);
/* Both, without jobs of the benchmark. */
bool show_try_open(uint64_t heap_bytes);
/* The same; a cache without room ends the program. */
void show_open(uint64_t heap_bytes);
void show_close(void);

/* What spn_cache_heap_needed says for the clip. */
uint64_t show_heap_needed(uint32_t nodes);

/* Create nodes that loop. */
void show_add_nodes(uint32_t count);
/* Set the time of all nodes. */
void show_set_time(int64_t time_us);
spn_node_state show_state(uint32_t node);

/* Let the time to the next update pass, and update. */
void show_tick(void);
/* Tick until all nodes are ready; false: they are not after so many updates. */
bool show_until_ready(uint32_t updates);
/* Tick until all nodes are ready; after 1,000 updates the program ends. */
void show_wait(void);
/* Create nodes at a time, and wait for their pictures. */
void show_begin(uint32_t nodes, int64_t time_us);

/* What the drive has done so far; zeros without a drive. */
spn_emulator_stats show_drive_stats(void);

#endif
