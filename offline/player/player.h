/* player.h - the state of one run of `spindle play`.
 *
 * player_start.c builds it up to the first ready picture; play.c plays,
 * measures and shuts down. The main thread owns everything here.
 */
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
    const char *path; /* the operand */
    spn_cache cache;
    spn_cache_info info;
    struct frame_hash hash;
    struct play_fault damage; /* frames that could not be shown */
};

struct playing_stream {
    struct playing_file *file;
    spn_node node;
    uint32_t late_before;  /* late frames before playback began */
    int64_t start_us;      /* clip time at which playback begins */
    uint32_t hashed_frame; /* the last frame hashed; UINT32_MAX: none */
    bool is_late;          /* in the last picture */
};

struct player {
    const struct play_options *options;
    struct play_report *report;
    struct diag *diag;
    struct play_drive drive;
    struct play_paks paks;
    struct play_record record;
    spn_listener listener; /* fills report->reads */
    /* The platform that the runtime uses: that of `virtual_platform` on the
     * virtual clock, that of the host on the real clock; wrapped by `drive`. */
    spn_platform platform;
    struct play_platform virtual_platform; /* unused on the real clock */
    void *host_state; /* of the host's platform; NULL on the virtual clock */
    void *memory;     /* the runtime's block */
    spn_runtime *rt;
    struct playing_file *files;     /* options->file_count */
    struct playing_stream *streams; /* stream_count */
    uint32_t stream_count;
    uint8_t *vertices;              /* buffer for the largest mesh */
    size_t vertices_bytes;          /* its size */
    float *matrices;                /* buffer for node_count_max nodes */
    uint32_t node_count_max;        /* largest number of nodes of any cache */
    uint32_t late_before;           /* sum of the streams' late_before */
    spn_medium_window reads_before; /* statistics when playback began */
    double update_s;                /* seconds spent in spn_update */
};

/* Start the runtime, open the files, create the streams, and wait until all
 * streams are ready. Returns false after a refusal. */
bool player_start(struct player *player);

/* Seconds on the clock of the run. */
double player_now(const struct player *player);
/* Wait until `seconds` on that clock; the virtual clock is set. */
void player_wait_until(struct player *player, double seconds);
/* Call spn_update and measure its time. */
void player_update(struct player *player);

#endif
