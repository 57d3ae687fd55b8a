/* play.h - playing caches through the real runtime, and what was measured. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_H
#define OFFLINE_PLAYER_PLAY_H

#include "common/diag.h"
#include "drives/fault_spec.h"
#include "player/play_reads.h"

#include <spindle/emulator.h>
#include <spindle/io_stats.h>
#include <spindle/memory.h>
#include <stdbool.h>
#include <stdint.h>

struct play_options {
    const char *const *files;
    uint32_t file_count;
    uint32_t stream_count; /* 0: one a file */
    double seconds;        /* 0: once through the longest clip */
    double rate;           /* pictures a second */
    uint32_t heap_mib;
    uint32_t worker_count; /* UINT32_MAX: the runtime's default */
    bool is_virtual;
    const char *drive;       /* a name or a file; NULL: none, or virtual, */
    double disc_rate;        /* one of so many MB/s, */
    double seek_ms;          /* and such seeks */
    const char *disc_layout; /* a file; NULL: one file behind the other */
    const struct fault_spec *faults; /* of the drive, named or not */
    uint32_t fault_count;
    const char *order;    /* of reads: "key", "deadline"; NULL: automatic */
    const char *overload; /* of the drive: "degrade", "refuse", "ignore";
                           * NULL: the default of a node */
    const char *pak;      /* mounted beside those that operands name */
    bool is_loaded;       /* paks are loaded into memory first */
    const char *record;   /* a trace of all reads; NULL: none */
    const char *scene;    /* what its one scene is called */
    double ahead_min_s;   /* 0: the runtime's defaults */
    double ahead_max_s;
    bool has_memory; /* the report says what the runtime's memory is made of */
};

/* A file of which frames were not shown, damaged or unreadable as they are. */
struct play_fault {
    const char *file;
    uint32_t frames_dropped; /* of all its streams */
    uint32_t frame;          /* of the fault */
    struct spn_fault fault;  /* the last of them; status SPN_OK: not known */
};

struct play_report {
    uint64_t memory_bytes;    /* spn_memory_needed */
    spn_memory_report memory; /* table by table */
    bool has_memory;
    uint64_t heap_bytes;
    uint64_t live_bytes_peak; /* asked for */
    uint64_t used_bytes_peak; /* with what pages waste */
    uint64_t static_bytes;
    uint64_t heap_waits; /* allocations that had to wait */
    uint32_t stream_count;
    uint32_t pictures;     /* fills of all streams */
    uint32_t frames_shown; /* changes of the wanted frame, on time */
    uint32_t frames_late;
    uint32_t frames_late_at_1s; /* of them, in the first second */
    uint32_t frames_distinct;   /* that the frame hash is over */
    uint32_t frames_unequal;    /* shown again, and not the same */
    uint32_t frames_dropped;
    uint32_t fault_count;
    struct play_fault *faults;
    uint32_t stalls;   /* times that a stream began to be late */
    uint32_t overruns; /* pictures that this machine drew too late */
    uint64_t bytes_read;
    uint64_t vertices_filled;
    double seconds;  /* played */
    double start_s;  /* from mounting to the first ready picture */
    double fill_s;   /* calling thread, filling */
    double decode_s; /* processor time of all else in the runtime */
    bool has_drive;
    char drive_name[SPN_DRIVE_NAME_BYTES];
    spn_emulator_stats drive; /* from the first picture on */
    struct play_reads reads;  /* of it, in that time */
    spn_order order;          /* of its reads, of which came along with */
    uint64_t reads_joined;    /* others so many, through gaps of so many */
    uint64_t gap_bytes;       /* bytes; the same */
    uint32_t admitted_count;  /* streams, in the end */
    uint32_t admitted_late;   /* frames of those that are admitted in the end */
    uint32_t degraded_count;
    uint32_t refused_count;
    uint32_t drive_permille; /* what the admitted ones take of the drive */
    double buffered_min_s;   /* the least that any stream had ahead */
    uint64_t frame_hash;
};

/* False after a refusal. Where frames were dropped there is a report all the
 * same: the first file with a fault is refused, the others are warned of. */
bool play_run(const struct play_options *options, struct diag *diag,
              struct play_report *report);
/* What a run has filled in, whether it was refused or not. */
void play_report_free(struct play_report *report);

#endif
