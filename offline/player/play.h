/* play.h - play caches and clips through the runtime and measure: the verb
 * `play`.
 *
 * Input: the parsed options. A run starts a runtime, opens the caches, plays
 * one or more streams of each for some seconds, and shuts down. Output: a
 * play_report. play.c plays; player_start.c starts; play_report.c prints.
 *
 * The main thread makes all calls. On the real clock the runtime has its own
 * threads besides.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_H
#define OFFLINE_PLAYER_PLAY_H

#include "common/arena.h"
#include "common/diag.h"
#include "drives/fault_spec.h"
#include "player/play_clips.h"
#include "player/play_reads.h"
#include "player/play_snapshot.h"

#include <spindle/emulator.h>
#include <spindle/io_stats.h>
#include <spindle/memory.h>
#include <stdbool.h>
#include <stdint.h>

/* The options of the command line. Pointers are the caller's. */
struct play_options {
    const char *const *files; /* operands (play_paks.h): caches, then others */
    uint32_t file_count;      /* caches */
    uint32_t clip_file_count; /* operands after them: clips, skeletons, images
                               * (operand_kind.h) */
    uint32_t characters;      /* of an image, that play at the same time */
    uint32_t stream_count;    /* nodes that play; 0: one for each file */
    double seconds;           /* length of playback; 0: that of the longest
                               * cache or clip */
    double rate;              /* updates and pictures per second */
    uint32_t heap_mib;        /* the runtime's heap for decoded frames, MiB */
    uint32_t worker_count;    /* threads of the runtime; UINT32_MAX: its default
                               */
    bool is_virtual;          /* run on the virtual clock (play_platform.h) */
    uint32_t decode_us;       /* on the virtual clock: time that it takes to
                               * decode a frame (play_worker.h); 0: none */
    /* The emulated drive: a built-in name or a profile's path. NULL: none on
     * the real clock; on the virtual clock a drive of disc_rate and seek_ms. */
    const char *drive;
    double disc_rate;                /* MB/s */
    double seek_ms;                  /* of every seek */
    const char *disc_layout;         /* path; NULL: one file after the other */
    const struct fault_spec *faults; /* of the drive */
    uint32_t fault_count;
    const char *order;    /* of reads: "key", "deadline"; NULL: automatic */
    const char *overload; /* spn_node_desc.overload: "degrade", "refuse",
                           * "ignore"; NULL: the default */
    const char *pak;      /* path of --pak; NULL: none */
    bool is_loaded;       /* load the paks into memory first */
    const char *record;   /* path of a trace to write; NULL: none */
    const char *scene;    /* name of the trace's scene */
    double ahead_min_s;   /* least and most seconds of playback that a stream
                         * buffers ahead; 0: the runtime's default */
    double ahead_max_s;
    bool has_memory;   /* report the runtime's memory table by table */
    double snapshot_s; /* take a snapshot at this time of playback, or after the
                        * last picture; 0: none */
    /* Tuning variables to set first, as NAME=VALUE (spindle/tuning.h). */
    const char *const *tunings;
    uint32_t tuning_count;
};

/* A file with frames that were damaged or unreadable, and not shown. */
struct play_fault {
    const char *file;
    uint32_t frames_dropped; /* sum over its streams */
    uint32_t frame;          /* of `fault` */
    struct spn_fault fault;  /* the last one; status SPN_OK: not known */
};

struct play_report {
    uint64_t memory_bytes;    /* spn_memory_needed */
    spn_memory_report memory; /* if has_memory */
    bool has_memory;
    uint64_t heap_bytes;
    uint64_t live_bytes_peak; /* requested of the heap */
    uint64_t used_bytes_peak; /* pages in use */
    uint64_t static_bytes;    /* static data of the caches */
    uint64_t heap_waits;      /* allocations that had to wait for room */
    uint32_t cache_count;
    uint32_t from_memory_count; /* caches that play from memory at the end */
    uint32_t stream_count;
    uint32_t pictures;        /* fills of all streams */
    uint32_t frames_shown;    /* changes of the wanted frame, on time */
    uint32_t frames_left_out; /* changes of it to a frame left out, on time */
    uint32_t frames_late;
    uint32_t frames_late_at_1s; /* of them, in the first second */
    uint32_t frames_distinct;   /* frames in frame_hash */
    uint32_t frames_unequal;    /* shown again with other values */
    uint32_t frames_dropped;
    uint32_t fault_count;
    struct play_fault *faults;
    uint32_t stalls;   /* times that a stream became late */
    uint32_t overruns; /* pictures that this machine finished too late */
    uint64_t bytes_read;
    uint64_t vertices_filled;
    struct play_snapshot snapshot; /* if snapshot_s was given */
    double seconds;                /* length of playback */
    double start_s;  /* from mounting to the first ready picture */
    double fill_s;   /* spent filling vertex buffers */
    double decode_s; /* processor time of the rest of the runtime */
    bool has_drive;
    char drive_name[SPN_DRIVE_NAME_BYTES];
    /* if has_drive: during playback */
    spn_emulator_stats drive;
    struct play_reads reads;  /* from the drive */
    spn_order order;          /* of reads */
    uint64_t reads_coalesced; /* reads coalesced with another */
    uint64_t gap_bytes;       /* unwanted bytes read between coalesced reads */
    uint32_t admitted_count;  /* streams that are admitted at the end */
    uint32_t admitted_late;   /* late frames of these */
    uint32_t degraded_count;  /* streams */
    uint32_t refused_count;   /* streams */
    uint32_t drive_permille; /* share of the drive that admitted streams need */
    double buffered_min_s;   /* least play time that any stream had buffered */
    uint64_t frame_hash;     /* frame_hash.h, over all files */
    struct clips_report clips; /* animation clips */
};

/* Run and fill `report`. `arena` holds the arrays of the report and what the
 * run allocates. Returns false after a refusal. When frames were
 * dropped the report is complete all the same: the first damaged file is
 * refused, the others are warnings. */
bool play_run(const struct play_options *options, struct arena *arena,
              struct diag *diag, struct play_report *report);
/* Free what the report has outside of the arena, after success or refusal. */
void play_report_free(struct play_report *report);

#endif
