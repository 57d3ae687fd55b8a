/* player.h - one run of the runtime, shared by its start and its show. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAYER_H
#define OFFLINE_PLAYER_PLAYER_H

#include "player/frame_hash.h"
#include "player/play.h"
#include "player/play_drive.h"
#include "player/play_paks.h"
#include "player/play_platform.h"
#include "player/play_record.h"

#include <spindle/spindle.h>
#include <stddef.h>

struct playing_file {
    const char *path; /* as it was asked for */
    spn_cache cache;
    spn_cache_info info;
    struct frame_hash hash;
    struct play_fault damage;
};

struct playing_stream {
    struct playing_file *file;
    spn_node node;
    uint32_t late_before; /* frames, until it begins to play */
    int64_t start_us;
    uint32_t hashed_frame; /* that was hashed last; UINT32_MAX: none */
    bool is_late;
};

struct player {
    const struct play_options *options;
    struct play_report *report;
    struct diag *diag;
    struct play_platform world; /* virtual */
    struct play_drive drive;
    struct play_paks paks;
    struct play_record record;
    spn_listener listener;
    spn_platform platform;
    void *platform_state; /* posix */
    void *memory;
    spn_runtime *rt;
    struct playing_file *files;
    struct playing_stream *streams;
    uint32_t stream_count;
    uint8_t *vertices;
    size_t vertices_bytes;
    float *matrices;
    uint32_t node_count_max;
    uint32_t late_before; /* the show */
    spn_medium_window reads_before;
    double update_s;
};

/* Start the runtime, open the files, create the streams, wait until all of
 * them are ready. False after a refusal. */
bool player_start(struct player *player);

/* Seconds on the clock of the run. */
double player_now(const struct player *player);
/* Let time pass up to `seconds` on that clock. */
void player_wait_until(struct player *player, double seconds);
void player_update(struct player *player);

#endif
