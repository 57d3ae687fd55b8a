/* load.h - the read requests of a game: generated, or replayed from a trace.
 *
 * game_sim.c advances a load in virtual time, takes its requests, gives them to
 * the runtime, and reports each read that has ended. There are two kinds of
 * loads:
 *
 *   - a generated game (workload.h), read from its generated disc
 *     (sim_disc.h). Its streams request more when a read of theirs has ended;
 *   - a recorded trace (pack/read_trace.h), read from paks or from a generated
 *     disc. A chained read starts when the read that it waits for has ended and
 *     the recorded thinking time has passed; other reads start at their
 *     recorded times.
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

/* -- what a load consists of -- */

/* A pak on the disc. */
struct load_pak {
    const struct pak_reader *reader;
    uint64_t at; /* offset of its first byte on the disc */
};

/* A visit of a scene: a run of consecutive reads of a trace with that scene.
 * The scene is ready when the last of them has ended. */
struct load_visit {
    const char *scene;
    uint32_t first; /* index in the trace of its first read */
    uint32_t limit; /* index behind its last read */
    uint32_t reads; /* in that range, without those left out */
};

/* A burst: the reads that a visit starts within READ_TRACE_AT_ONCE_US of its
 * first one, if they are at least LOAD_BURST_READS_MIN. */
#define LOAD_BURST_READS_MIN 8u
struct load_burst {
    const char *scene;
    uint64_t at_us; /* start of the first read */
    uint32_t reads;
};

struct load_request {
    /* What is read. */
    const struct load_pak *pak; /* NULL: the generated disc is read */
    const char *path;           /* of an entry of the pak */
    uint32_t content;           /* index of the entry's content in the pak */
    uint64_t offset;            /* in the entry, or on the generated disc */
    uint64_t bytes;             /* > 0 */
    bool is_to_end; /* the game gave no length: it reads to the end */

    /* When and how. */
    uint64_t arrival_us;
    uint64_t deadline_us;      /* UINT64_MAX: none */
    bool has_default_deadline; /* the game gave no deadline; it is that of the
                                * class */
    enum deadline_class class;
    spn_task task;
    spn_priority priority;

    /* Where it comes from. */
    uint32_t burst; /* index in load_bursts, or LOAD_NO_BURST */
    uint32_t visit; /* index in load_visits, or LOAD_NO_VISIT */
    uint32_t read;  /* of a trace: index of the read */
    uint32_t file;  /* of a trace: index of the path; of a generated game: index
                     * of the file; or LOAD_NO_FILE */
    struct workload_request generated; /* of a generated game */
};

struct load;

/* -- generated games -- */

/* Generate a game. Returns NULL if workload_create refuses the config. */
struct load *load_generate(const struct workload_config *config);
#define LOAD_NO_ROOM "the disc has no room for one scene of the generated game"

/* From now on keep the requests for load_write_trace. */
void load_keep_requests(struct load *load);
/* Write the kept requests as a trace. On the same disc the trace repeats the
 * reads in the same order and at the same times. A deadline that had passed at
 * the start of its read is written as one microsecond after the start. Returns
 * false as host_output_append does. */
bool load_write_trace(const struct load *load, struct host_output *output);

/* -- traces -- */

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
/* Replay a trace from paks. If several paks have a name, the last one is read.
 * Reads of bytes that no pak has are left out: a read that waits for one of
 * them goes on as if it had ended at its start. Returns NULL after a refusal,
 * for example if all reads are left out. */
struct load *load_trace(const struct load_source *source,
                        const spn_drive_profile *drive, struct diag *diag);
/* Replay a trace on the disc of a generated game. Files have the names that
 * load_write_trace writes. Returns NULL after a refusal. */
struct load *load_trace_generated(const struct load_source *source,
                                  const struct workload_config *config,
                                  struct diag *diag);

/* A load without reads, on a disc with the paks of the source. Returns NULL
 * after a refusal. */
struct load *load_none(const struct load_source *source,
                       const spn_drive_profile *drive, struct diag *diag);

/* The reads of the trace that are left out. */
struct load_missing {
    uint32_t count;
    const char *path; /* of the first one; lives as long as the trace */
    const char *what; /* why it is left out, for a message */
};
struct load_missing load_missing(const struct load *load);
/* Return whether the read of the trace with this index is left out. */
bool load_is_left_out(const struct load *load, uint32_t read);

/* Return the bursts in order of time, and the visits in the order of the trace.
 * Both belong to the load. A generated game has none. */
const struct load_burst *load_bursts(const struct load *load, uint32_t *count);
const struct load_visit *load_visits(const struct load *load, uint32_t *count);

/* Return the recorded time of the last request; UINT64_MAX: a generated game.
 */
uint64_t load_last_us(const struct load *load);

/* -- the run -- */

/* Advance to `now_us`, which must not decrease. Returns true if the caller must
 * drop the requests that are no longer wanted. */
bool load_advance(struct load *load, uint64_t now_us);
/* Take the next request that was made by the present time. Returns false if
 * there is none. */
bool load_take(struct load *load, struct load_request *out);
/* Return whether the game still wants the bytes. */
bool load_is_wanted(const struct load *load,
                    const struct load_request *request);
/* Report that the read of a request has succeeded, failed or been aborted. */
void load_done(struct load *load, const struct load_request *request,
               uint64_t now_us);
/* Return the time at which load_advance must be called next, if no read ends
 * before; UINT64_MAX: never. */
uint64_t load_due_us(const struct load *load);
void load_destroy(struct load *load);

/* -- positions and bytes -- */

/* Return the paks that the load reads; *count is 0 on a generated disc. */
const struct load_pak *load_paks(const struct load *load, uint32_t *count);
/* Return the position on the disc from which a request's bytes are read if the
 * head is at byte `head`: of several copies the one that is reached first. */
uint64_t load_position(const struct load_request *request, uint64_t head,
                       const struct forecast *forecast);
/* Return some position that the load reads; `n` is any number and chooses it.
 */
uint64_t load_any_position(const struct load *load, uint64_t n);
/* Compare delivered bytes with the first `bytes` bytes of the requested range.
 * Returns false if they differ, and after a refusal: the pak is damaged. */
bool load_is_equal(struct load *load, const struct load_request *request,
                   const uint8_t *data, uint64_t bytes, struct diag *diag);

#endif
