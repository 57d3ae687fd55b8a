/* io_report.h - what the io thread counts about the devices, and how it reports
 * it to the caller's thread.
 *
 * The io thread keeps one report, and sends a copy of all of it after each step
 * that did something (base/triple_buffer.h). The functions here change the
 * report of the io thread; read_stats.h reads the copy. Owner: the io thread.
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

/* What is counted of a device, in total and over the last second. */
enum device_counter {                   /* as in spn_medium_window */
                      DEVICE_BUSY_US,   /* time with a piece at the device */
                      DEVICE_BYTES,     /* of reads */
                      DEVICE_GAP_BYTES, /* read between the reads of a run, and
                                           dropped */
                      DEVICE_JOINED, /* reads of runs, without the first of each
                                      */
                      DEVICE_READS,  /* that ended */
                      DEVICE_PIECES, /* pieces and runs that came back */
                      DEVICE_SEEKS,  /* that began elsewhere than the one before
                                        ended */
                      DEVICE_SEEK_BYTES, /* sum of these distances */
                      DEVICE_COUNTERS
};

struct device_report {
    uint64_t meter[METER_WORDS(DEVICE_COUNTERS)];
    uint64_t busy_since_us; /* while is_busy */
    bool is_busy;           /* a piece is at the device */
    uint32_t waiting;       /* reads in the queue of the medium */
    struct pace pace;
    /* of the forecast (disc/forecast.h), where the drive is known */
    int32_t error_us[FORECAST_BUCKETS + 1];
    uint32_t rate_scale; /* 0: not known */
};

/* What is counted of compressed entries. */
enum unpack_counter {
    UNPACK_FROM, /* stored bytes of their blocks */
    UNPACK_TO,   /* bytes that were decoded from these */
    UNPACK_COUNTERS
};

struct io_report {
    struct device_report media[SPN_MEDIUM_COUNT];
    uint64_t pending_bytes[SPN_TASK_COUNT]; /* still to be read, by type */
    uint64_t unpack[METER_WORDS(UNPACK_COUNTERS)];
    uint64_t task_unpack[SPN_TASK_COUNT][UNPACK_COUNTERS]; /* by type */
    uint64_t copies_tried; /* other copies, after a bad one */
};

/* A piece went to the device of a medium at medium->piece_start_us; or
 * (is_busy false) the platform refused it. */
void spn__io_note_busy(struct io *io, const struct io_medium *medium,
                       bool is_busy);
/* A piece begins `seek_bytes` from where the one before ended. */
void spn__io_note_seek(struct io *io, const struct io_medium *medium,
                       uint64_t seek_bytes);
/* A piece, or a run of `read_count` reads, came back at medium->ended_us with
 * `bytes` for reads and `gap_bytes` between them. */
void spn__io_note_piece(struct io *io, const struct io_medium *medium,
                        uint64_t bytes, uint64_t gap_bytes,
                        uint32_t read_count);
/* A read ended. */
void spn__io_note_end(struct io *io, const struct io_request *request);
/* `bytes` of a read are still to come. */
void spn__io_note_pending(struct io *io, struct io_request *request,
                          uint64_t bytes);
/* Blocks of a read were decoded: add to each counter. */
void spn__io_note_unpack(struct io *io, const struct io_request *request,
                         const uint64_t add[UNPACK_COUNTERS]);
/* A read goes on with another copy. */
void spn__io_note_copy(struct io *io);

/* The pace of a medium, to be added to. */
struct pace *spn__io_pace_of(struct io *io, const struct io_medium *medium);

/* Send the report. After each step that did something. */
void spn__io_send_report(struct io *io);

#endif
