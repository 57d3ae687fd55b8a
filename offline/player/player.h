/* player.h - the runtime and the files of one run of `spindle play` or `view`.
 *
 * player_start.c opens the files and starts the runtime until the first frame
 * of all streams is ready; play.c plays and measures, offline/view plays into a
 * window; player.c has the clock and shuts down. Each part of the run has a
 * module of its own: play_paks.h mounts paks, play_platform.h is the virtual
 * clock, play_drive.h the emulated drive, run_record.h records the reads. The
 * main thread owns everything here.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAYER_H
#define OFFLINE_PLAYER_PLAYER_H

#include "player/frame_hash.h"
#include "player/play.h"
#include "player/play_clips.h"
#include "player/play_drive.h"
#include "player/play_paks.h"
#include "player/play_platform.h"
#include "player/play_worker.h"
#include "player/renamed_files.h"
#include "simulate/run_record.h"

#include <spindle/spindle.h>
#include <stddef.h>

/* A cache that is played. */
struct playing_file {
    const char *path; /* as on the command line: a path, or a name in a pak */
    spn_cache cache;
    spn_cache_info info;
    struct frame_hash hash;   /* of the frames that were shown */
    struct play_fault damage; /* frames that could not be shown */
};

/* A node that plays a cache. Several streams may play the same file. */
struct playing_stream {
    struct playing_file *file;
    spn_node node;
    uint32_t late_before;  /* late frames before playback began */
    int64_t start_us;      /* clip time at which playback begins */
    uint32_t hashed_frame; /* the last frame hashed; UINT32_MAX: none */
    bool is_late;          /* its frame was not ready at the last update */
};

struct player {
    /* inputs and results; the caller's */
    const struct play_options *options;
    struct play_report *report;
    struct arena *arena; /* of everything but `memory` */
    struct diag *diag;

    /* the runtime, and the machine on which it runs */
    spn_runtime *rt;
    void *memory; /* the runtime's block */
    /* The platform that the runtime uses: `virtual_platform` on the virtual
     * clock, the host's on the real clock; wrapped by `drive`. */
    spn_platform platform;
    struct play_platform virtual_platform; /* unused on the real clock */
    struct play_worker worker;    /* in use if options->decode_us > 0 */
    struct play_drive drive;      /* the emulated drive, if any */
    struct play_paks paks;        /* the paks that are mounted */
    struct renamed_files renamed; /* names of files of clips */
    struct run_record record;     /* the trace of all reads, for --record */
    spn_listener listener;        /* adds each ended read to report->reads */

    /* what is played */
    struct playing_file *files;     /* options->file_count */
    struct playing_stream *streams; /* stream_count */
    uint32_t stream_count;
    struct play_clips clips;

    /* buffers for the shown frame */
    uint8_t *vertices;       /* the largest mesh */
    size_t vertices_bytes;   /* size of `vertices` */
    float *matrices;         /* node_count_max nodes */
    uint32_t node_count_max; /* largest number of nodes of any cache */

    /* measurements; the first two are taken when playback begins, and
     * subtracted at its end */
    uint32_t late_before;           /* late frames of all streams */
    spn_medium_window reads_before; /* statistics of the drive */
    double update_s;                /* seconds spent in spn_update */
};

/* Prepare a run: set the inputs, and clear the report and all else. The options
 * and the report must exist until player_finish. */
void player_init(struct player *player, const struct play_options *options,
                 struct arena *arena, struct diag *diag,
                 struct play_report *report);
/* Shut the runtime down, if it was started, and free what is not of the arena.
 * Call it also after a refusal. */
void player_finish(struct player *player);

/* Start the runtime, open the files, create the streams, and wait until all
 * streams are ready. Returns false after a refusal. */
bool player_start(struct player *player);

/* Seconds on the clock of the run. */
double player_now(const struct player *player);
/* Wait until the clock of the run has reached `seconds`. The virtual clock is
 * set to that time at once. */
void player_wait_until(struct player *player, double seconds);
/* Microseconds on the clock of the runtime. */
uint64_t player_now_us(const struct player *player);
/* Call spn_update and measure its time. */
void player_update(struct player *player);

#endif
