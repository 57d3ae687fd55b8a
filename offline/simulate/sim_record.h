/* sim_record.h - everything that happened in a run, for its report and page.
 *
 * game_sim.c fills a record while the run goes on; sim_report.c and sim_page.c
 * read it afterwards. Times are microseconds of virtual time from the beginning
 * of the run; positions are bytes from the start of the disc. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_RECORD_H
#define OFFLINE_SIMULATE_SIM_RECORD_H

#include "simulate/played_caches.h"
#include "simulate/played_clips.h"
#include "simulate/sim_heap.h"
#include "simulate/tally.h"

#include <spindle/emulator.h>
#include <spindle/io_stats.h>
#include <stdbool.h>
#include <stdint.h>

/* The drive read one run of bytes for one file. */
struct sim_move {
    uint64_t begin_us;
    uint64_t end_us;
    uint64_t begin; /* first byte */
    uint64_t end;   /* behind the last byte */
    enum deadline_class class;
    uint32_t file; /* load_request.file */
    bool has_failed;
};

/* How a late read ended. */
enum sim_late_outcome {
    SIM_LATE_DONE,
    SIM_LATE_FAILED,
    SIM_LATE_WAITING,   /* it still waited at the end of the run */
    SIM_LATE_UNANSWERED /* it waited for a drive that had stopped for ever */
};

struct sim_late {
    uint64_t end_us;   /* of the read, or of the run */
    uint64_t late_us;  /* from the deadline to end_us; 0: before the deadline */
    uint64_t position; /* of the read's bytes */
    enum deadline_class class;
    uint32_t file; /* load_request.file */
    enum sim_late_outcome outcome;
};

/* Reads of a trace that belong together: a burst, which a scene starts at once
 * (load_burst), or a visit of a scene (load_visit). */
struct sim_group {
    const char *scene; /* owned by the load; lives as long as the trace */
    uint32_t first;    /* of a visit: index in the trace of its first read */
    uint32_t limit;    /* of a visit: index behind its last read */
    uint32_t reads;    /* in the group, without those left out */
    uint32_t begun;    /* of a visit: started so far */
    uint32_t ended;    /* succeeded so far */
    uint32_t failed;   /* failed or were aborted so far */
    uint64_t at_us;    /* of a burst: its recorded time; of a visit: start of
                        * the first read */
    uint64_t end_us;   /* when the last read so far ended */
    uint64_t stored_bytes; /* of a burst: read from the disc for it */
    uint64_t transfer_us;  /* pure transfer time of stored_bytes */
};

/* From at_us on, `depth` reads were requested and had not ended. */
struct sim_depth {
    uint64_t at_us;
    uint32_t depth;
};

/* From at_us on, clips and databases had `bytes` of the heap. */
struct sim_memory {
    uint64_t at_us;
    uint64_t bytes;
};

struct sim_record {
    struct arena arena;       /* of all arrays but the tally's */
    struct tally tally;       /* waits of the reads, per class */
    spn_emulator_stats drive; /* what the drive did */
    struct sim_move *moves;   /* in order of time */
    uint32_t move_count;
    uint64_t move_capacity;
    struct sim_late *lates; /* in order of end_us */
    uint32_t late_count;
    uint64_t late_capacity;
    struct sim_depth *depths; /* in order of time */
    uint32_t depth_count;
    uint64_t depth_capacity;
    struct sim_group *bursts; /* in order of time */
    uint32_t burst_count;
    uint64_t burst_capacity;
    struct sim_group *visits; /* in the order of the trace */
    uint32_t visit_count;
    uint64_t visit_capacity;
    struct sim_heap_map heap;
    struct clips_report clips;   /* of a script; clip_count 0: none */
    struct played_cache *caches; /* of a script, in the order of its lines */
    uint32_t cache_count;
    struct sim_memory *memories; /* of clips, in order of time */
    uint32_t memory_count;
    uint64_t memory_capacity;

    uint64_t time_us;  /* length of the run */
    uint64_t mount_us; /* time to mount the paks, before the run; 0: no pak */
    spn_io_stats io;   /* the runtime's */
    spn_medium_stats medium;
    uint32_t depth_max;
    /* numbers of reads; requested = done + failed + dropped + waiting */
    uint64_t requested;
    uint64_t done;       /* succeeded */
    uint64_t failed;     /* with an error of the drive */
    uint64_t dropped;    /* aborted: the game no longer wanted them */
    uint64_t waiting;    /* still waited at the end of the run */
    uint64_t unanswered; /* of `waiting`: the drive had stopped for ever */
    uint64_t drained;    /* of `waiting`: ended after the run, while nothing new
                       * was requested; all, unless the drive had stopped */
    uint64_t bytes;      /* delivered, compared and found right */
    uint64_t stored_bytes; /* read from the disc for them; a range that several
                            * reads share counts once */
};

void sim_record_init(struct sim_record *record);
void sim_record_free(struct sim_record *record);

/* Add one access of the drive. It extends the last move when it continues that
 * one in position and time, for the same file. */
void sim_record_piece(struct sim_record *record, const struct sim_move *piece);
void sim_record_late(struct sim_record *record, const struct sim_late *late);
/* Add a burst or a visit before the run. */
void sim_record_burst(struct sim_record *record, const struct sim_group *burst);
void sim_record_visit(struct sim_record *record, const struct sim_group *visit);
/* Returns whether all reads of the visit succeeded. Stores in *us the time from
 * the start of the first to the end of the last. */
bool sim_visit_is_ready(const struct sim_group *visit, uint64_t *us);
/* That time in seconds; not a number: not all reads succeeded. */
double sim_visit_ready_s(const struct sim_group *visit);
/* Returns whether all reads of the burst succeeded. */
bool sim_burst_is_over(const struct sim_group *burst);
/* The number of reads in flight is `depth` from `now_us` on. */
void sim_record_depth(struct sim_record *record, uint64_t now_us,
                      uint32_t depth);
/* Clips have `bytes` of the heap from `now_us` on. */
void sim_record_memory(struct sim_record *record, uint64_t now_us,
                       uint64_t bytes);

#endif
