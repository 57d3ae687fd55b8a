/* load.h - the read requests of a game: generated, or replayed from a trace.
 *
 * game_sim.c advances a load in virtual time, takes its requests, and reports
 * each read that has ended. There are two kinds of loads:
 *
 *   - a generated game (workload.h) on its generated disc (sim_disc.h); its
 *     streams request more when they were served;
 *   - a recorded trace (pack/read_trace.h), read from paks or from a generated
 *     disc. A chained read starts when the read it waits for has ended and the
 *     recorded thinking time has passed; other reads start at their recorded
 *     times.
 *
 * Times are microseconds of virtual time from the beginning of the run. One
 * thread owns a load.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_LOAD_H
#define OFFLINE_SIMULATE_LOAD_H

#include "disc/forecast.h"
#include "pack/pak_reader.h"
#include "pack/read_trace.h"
#include "simulate/workload.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

#define LOAD_NO_BURST UINT32_MAX
#define LOAD_NO_VISIT UINT32_MAX
#define LOAD_NO_FILE UINT32_MAX
#define LOAD_READ_BYTES_MAX (UINT32_C(1) << 30)

/* The reads that a scene starts within READ_TRACE_AT_ONCE_US of its first one
 * are a burst when there are at least this many. */
#define LOAD_BURST_READS_MIN 8u

struct load_burst {
    const char *scene;
    uint64_t at_us;
    uint32_t reads;
};

/* One stay of a trace in a scene: consecutive reads of the same scene. The
 * scene is ready when the last of them has ended. */
struct load_visit {
    const char *scene;
    uint32_t first; /* index in the trace of its first read */
    uint32_t limit; /* index behind its last read */
    uint32_t reads; /* in that range, without those left out */
};

struct load_pak {
    const struct pak_reader *reader;
    uint64_t at; /* offset of its first byte on the disc */
};

struct load_request {
    const struct load_pak *pak; /* NULL: the generated disc is read */
    const char *path;           /* of an entry of the pak */
    uint64_t offset;            /* in the entry, or on the generated disc */
    uint64_t bytes;             /* > 0 */
    bool is_to_end;   /* the game gave no length: it reads to the end */
    uint32_t content; /* index of the entry's content in the pak */
    uint64_t arrival_us;
    uint64_t deadline_us;      /* UINT64_MAX: none */
    bool has_default_deadline; /* the deadline is that of the class; the game
                                * gave none */
    enum deadline_class class;
    spn_task task;
    spn_priority priority;
    uint32_t burst; /* index in load_bursts, or LOAD_NO_BURST */
    uint32_t visit; /* index in load_visits, or LOAD_NO_VISIT */
    uint32_t read;  /* of a trace: index of the read */
    uint32_t file;  /* of a trace: index of the path; of a generated game: index
                     * of the file; or LOAD_NO_FILE */
    struct workload_request generated; /* of a generated game */
};

struct load;

/* Returns NULL when workload_create refuses the config. */
struct load *load_generate(const struct workload_config *config);
#define LOAD_NO_ROOM "the disc has no room for one scene of the generated game"
/* From now on keep the requests of the generated game for load_write_trace. */
void load_keep_requests(struct load *load);
/* Write the kept requests as a trace. On the same disc the trace repeats the
 * reads in the same order and at the same times. A deadline that had passed at
 * the start of the read is written as one microsecond after it. Returns false
 * as host_output_append does. */
bool load_write_trace(const struct load *load, struct host_output *output);
/* From now on requests of class bulk have priority idle and no deadline. */
void load_make_bulk_idle(struct load *load);
/* Load scene `scene` of a generated game at once (workload_burst), with the
 * head far from its files. Returns NULL when workload_create refuses the config
 * or there is no such scene. */
struct load *load_enter(const struct workload_config *config, uint32_t scene);

/* All pointers are the caller's and must outlive the load. */
struct load_source {
    const struct read_trace *trace;
    const char *trace_path; /* for messages */
    const struct load_pak *paks;
    uint32_t pak_count;
    bool is_open_loop;          /* start every read at its recorded time */
    bool has_default_deadlines; /* reads without a deadline get that of their
                                 * class, as in the runtime (schedule/tasks.h);
                                 * idle reads get none */
};
/* Replay a trace from paks. Where several paks have the name the last one is
 * read. Reads of bytes that no pak has are left out: a read that waits for one
 * of them goes on as if it had ended at its start. Returns NULL after a
 * refusal, for example when all reads are left out. */
struct load *load_trace(const struct load_source *source,
                        const spn_drive_profile *drive, struct diag *diag);
/* Replay a trace on the disc of a generated game. Files have the names that
 * load_write_trace writes. */
struct load *load_trace_generated(const struct load_source *source,
                                  const struct workload_config *config,
                                  struct diag *diag);
/* The reads of the trace that are left out. */
struct load_missing {
    uint32_t count;
    const char *path; /* of the first one; lives as long as the trace */
    const char *what; /* why it is left out, for a message */
};
struct load_missing load_missing(const struct load *load);
/* Is the read of this index of the trace left out? */
bool load_is_left_out(const struct load *load, uint32_t read);
void load_destroy(struct load *load);

/* The paks that the load reads; *count is 0 on a generated disc. */
const struct load_pak *load_paks(const struct load *load, uint32_t *count);
/* The position on the disc from which a request's bytes would be read with the
 * head at byte `head`: of several copies the one that is reached first. */
uint64_t load_position(const struct load_request *request, uint64_t head,
                       const struct forecast *forecast);
/* Compare delivered bytes with the first `bytes` bytes of the requested range.
 * Returns false when they differ, and after a refusal: the pak is damaged. */
bool load_is_equal(struct load *load, const struct load_request *request,
                   const uint8_t *data, uint64_t bytes, struct diag *diag);

/* Advance to `now_us`, which must not decrease. Returns true when the caller
 * must drop the requests for which load_is_wanted returns false. */
bool load_advance(struct load *load, uint64_t now_us);
/* Take the next request made by now. Returns false when there is none. */
bool load_take(struct load *load, struct load_request *out);
/* Does the game still want the bytes? */
bool load_is_wanted(const struct load *load,
                    const struct load_request *request);
/* Report that the read of a request has succeeded, failed or been aborted. */
void load_done(struct load *load, const struct load_request *request,
               uint64_t now_us);
/* Return the time at which load_advance must be called next, if no read ends
 * before; UINT64_MAX: never. */
uint64_t load_due_us(const struct load *load);
/* The recorded time of the last request; UINT64_MAX: a generated game. */
uint64_t load_last_us(const struct load *load);

/* The bursts in order of time; none of a generated game. Owned by the load. */
const struct load_burst *load_bursts(const struct load *load, uint32_t *count);

/* The visits in the order of the trace; none of a generated game. Owned by the
 * load. */
const struct load_visit *load_visits(const struct load *load, uint32_t *count);

/* A position that the load reads, chosen by any number `n`. */
uint64_t load_place(const struct load *load, uint64_t n);

#endif
