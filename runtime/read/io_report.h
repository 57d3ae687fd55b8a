/* io_report.h - counters of devices, of unpacking and of waiting bytes, kept by
 * the io thread.
 *
 * The io thread changes its report by the functions here. After each step that
 * did work it sends a copy of the whole report to the caller's thread
 * (base/triple_buffer.h). read_stats.h computes the public statistics from the
 * copy. Thread of all functions: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_REPORT_H
#define SPN_READ_IO_REPORT_H

#include "disc/forecast.h"
#include "observe/meter.h"
#include "observe/pace.h"

#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;
struct io_medium;
struct io_request;

/* Counters of a device, in total and over the last second (observe/meter.h).
 * They are the fields of spn_medium_window. A command is a piece or a run. */
enum device_counter {
    DEVICE_BUSY_US,    /* time during which the device had a command */
    DEVICE_BYTES,      /* bytes that belong to reads */
    DEVICE_GAP_BYTES,  /* bytes of gaps in runs, not used by any read */
    DEVICE_COALESCED,  /* reads of runs, except the first of each run */
    DEVICE_READS,      /* reads that have ended */
    DEVICE_PIECES,     /* commands that have come back */
    DEVICE_SEEKS,      /* commands that did not begin at the end of the previous
                        * one */
    DEVICE_SEEK_BYTES, /* sum of the distances between the two positions */
    DEVICE_COUNTERS
};

struct device_report {
    uint64_t meter[METER_WORDS(DEVICE_COUNTERS)];
    uint64_t busy_since_us; /* start of the command, while is_busy */
    bool is_busy;           /* the device has a command */
    bool has_head;          /* a command has come back */
    uint64_t head;          /* position on the medium at which it ended */
    uint64_t target;        /* while is_busy: where the command begins */
    uint32_t waiting;       /* reads in the queue of the medium */
    struct pace pace;       /* measured rate and latency (observe/pace.h) */
    /* Corrections of the forecast (disc/forecast.h): forecast.error_us and
     * forecast.rate_scale. rate_scale is 0 without a drive profile. */
    int32_t error_us[FORECAST_BUCKETS + 1];
    uint32_t rate_scale;
};

/* Counters of decoded blocks of compressed entries. */
enum unpack_counter {
    UNPACK_FROM, /* stored (compressed) bytes */
    UNPACK_TO,   /* decoded bytes */
    UNPACK_COUNTERS
};

struct io_report {
    struct device_report media[SPN_MEDIUM_COUNT];
    uint64_t pending_bytes[SPN_TASK_COUNT]; /* still to be read */
    uint64_t unpack[METER_WORDS(UNPACK_COUNTERS)];
    uint64_t task_unpack[SPN_TASK_COUNT][UNPACK_COUNTERS];
    uint64_t copies_tried; /* how often a read went on with another copy of its
                            * entry, because a copy was bad */
};

/* Record that a command was submitted to the device of a medium at
 * medium->piece_start_us. is_busy false: the platform refused it. */
void spn__io_note_busy(struct io *io, const struct io_medium *medium,
                       bool is_busy);
/* Record where the head is, and where the command begins that was submitted. */
void spn__io_note_head(struct io *io, const struct io_medium *medium);
/* Record a command that begins `seek_bytes` from the end of the previous one.
 */
void spn__io_note_seek(struct io *io, const struct io_medium *medium,
                       uint64_t seek_bytes);
/* Record that a command for `read_count` reads came back at medium->ended_us,
 * with `bytes` for reads and `gap_bytes` in gaps. */
void spn__io_note_piece(struct io *io, const struct io_medium *medium,
                        uint64_t bytes, uint64_t gap_bytes,
                        uint32_t read_count);
/* Record that a read has ended. */
void spn__io_note_end(struct io *io, const struct io_request *request);
/* Set the number of bytes that a read still needs. */
void spn__io_note_pending(struct io *io, struct io_request *request,
                          uint64_t bytes);
/* Record that blocks of a read were decoded: add[c] is added to counter c. */
void spn__io_note_unpack(struct io *io, const struct io_request *request,
                         const uint64_t add[UNPACK_COUNTERS]);
/* Record that a read goes on with another copy of its entry. */
void spn__io_note_copy(struct io *io);

/* The pace of a medium, to which device.h adds measurements. */
struct pace *spn__io_pace_of(struct io *io, const struct io_medium *medium);

/* Send the report to the caller's thread. Must be called after each step that
 * did work. */
void spn__io_send_report(struct io *io);

#endif
