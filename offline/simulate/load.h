/* load.h - what is read when: a made up game, or a recorded one on a pak.
 *
 * A made up game (workload.h) reacts: its streams ask for more when they were
 * given. It reads a made up disc (sim_disc.h). A recorded one
 * (pack/read_trace.h) asks for entries of paks by their names: a chained read
 * when the one that it waits for has ended and the game has thought, any other
 * at its time, whatever becomes of those before it.
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

/* What a scene wants at once (READ_TRACE_AT_ONCE_US) is a burst, if it is many.
 */
#define LOAD_BURST_READS_MIN 8u

struct load_burst {
    const char *scene;
    uint64_t at_us;
    uint32_t reads;
};

/* Reads of a trace in a row that are of one scene: until the last of them has
 * ended the scene is not ready. */
struct load_visit {
    const char *scene;
    uint32_t first; /* index of its first read in the trace, */
    uint32_t limit; /* and behind its last */
    uint32_t reads; /* of these, that are not left out */
};

/* A pak, and where it lies: its first byte on the disc. */
struct load_pak {
    const struct pak_reader *reader;
    uint64_t at;
};

struct load_request {
    const struct load_pak *pak; /* NULL: the disc itself is read */
    const char *path;           /* of an entry of the pak */
    uint64_t offset;            /* in what that is */
    uint64_t bytes;             /* > 0 */
    bool is_to_end;             /* the game does not say how many */
    uint32_t content;           /* of the entry, in the pak */
    uint64_t arrival_us;
    uint64_t deadline_us; /* UINT64_MAX: none */
    bool is_usual;        /* the game did not name it: its class has it */
    enum sweep_class class;
    spn_task task;
    spn_priority priority;
    uint32_t burst; /* index of the one that it is of, or LOAD_NO_BURST */
    uint32_t visit; /* the same of a visit, or LOAD_NO_VISIT */
    uint32_t read;  /* of a trace: its index there, */
    uint32_t file;  /* and that of its path; of a made up
                     * game its file; or LOAD_NO_FILE */
    struct workload_request made; /* of a made up game */
};

struct load;
/* NULL when there is no such workload: with a load that is none, or where the
 * disc is too small. */
struct load *load_generate(const struct workload_config *config);
#define LOAD_NO_ROOM "the disc has no room for one scene of the made up game"
/* Keep what the made up game asks for from now on, */
void load_keep_requests(struct load *load);
/* and write it as a trace, one that reads from the same disc in the same order
 * and time. A deadline that had passed when it was asked for is one
 * microsecond later. False: see host_output_append. */
bool load_write_trace(const struct load *load, struct host_output *output);
/* From now on its bulk is idle, and has no deadline. */
void load_make_bulk_idle(struct load *load);
/* Scene `scene` of a made up game is entered, and everything is wanted at once
 * (workload_burst), the head coming from elsewhere. NULL also when there is no
 * such scene. */
struct load *load_enter(const struct workload_config *config, uint32_t scene);
struct load_source {
    const struct read_trace *trace;
    const char *trace_path; /* for messages */
    const struct load_pak *paks;
    uint32_t pak_count;
    bool is_open_loop; /* no read waits for another, whatever the trace says */
    bool has_usual_deadlines; /* reads that name none, and are not idle, have
                               * that of their class, which the runtime takes
                               * for granted (schedule/tasks.h) */
};
/* Of a name that several paks have the last of them is read. Reads of bytes
 * that none has are left out: what waits for one of them goes on as if it had
 * ended as soon as it was started. NULL after a refusal, as of a trace of which
 * nothing is left. What the source points to must outlive it. */
struct load *load_trace(const struct load_source *source,
                        const spn_drive_profile *drive, struct diag *diag);
/* The same on the disc of a made up game, without paks: its files have the
 * names that load_write_trace gives them. */
struct load *load_trace_made(const struct load_source *source,
                             const struct workload_config *config,
                             struct diag *diag);
/* What was left out of a trace: how many reads, and what was wrong with the
 * first, in words that live as long as the trace. */
struct load_missing {
    uint32_t count;
    const char *path;
    const char *what;
};
struct load_missing load_missing(const struct load *load);
/* Was the read of this index of the trace left out? */
bool load_is_left_out(const struct load *load, uint32_t read);
void load_destroy(struct load *load);

/* Whose entries are read; none: the made up disc is. */
const struct load_pak *load_paks(const struct load *load, uint32_t *count);
/* Where on the disc a request's bytes would be read: of several copies the one
 * that is there first. */
uint64_t load_position(const struct load_request *request, uint64_t head,
                       const struct forecast *forecast);
/* Are these the first `bytes` of what was asked for? False also after a
 * refusal: the pak is damaged. */
bool load_is_equal(struct load *load, const struct load_request *request,
                   const uint8_t *data, uint64_t bytes, struct diag *diag);

/* As of a workload: time goes on, and never back. True: look at what waits with
 * load_is_wanted. */
bool load_advance(struct load *load, uint64_t now_us);
/* Take the next request that has been made by now; false: none. */
bool load_take(struct load *load, struct load_request *out);
bool load_is_wanted(const struct load *load,
                    const struct load_request *request);
/* It has ended, somehow. */
void load_done(struct load *load, const struct load_request *request,
               uint64_t now_us);
/* When to advance next, if nothing ends before; UINT64_MAX: never. */
uint64_t load_due_us(const struct load *load);
/* When the last request is made, as recorded; UINT64_MAX: there is no last. */
uint64_t load_last_us(const struct load *load);

/* Bursts of scenes, in order of time; of a made up game that goes on none. They
 * live as long as the load. */
const struct load_burst *load_bursts(const struct load *load, uint32_t *count);

/* Visits of a trace, in its order; else none. They live as long as the load. */
const struct load_visit *load_visits(const struct load *load, uint32_t *count);

/* A place that is read, of many. */
uint64_t load_place(const struct load *load, uint64_t n);

#endif
