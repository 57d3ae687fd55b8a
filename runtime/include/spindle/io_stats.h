/* io_stats.h - what the stream engine did, as numbers.
 *
 * All are sums of integers since spn_init or the last reset, and what follows
 * from them at the moment of the call, rounded down: nothing drifts, however
 * long the game runs, and the same run gives the same numbers. A quotient is 0
 * where there is nothing to divide by.
 *
 * "The last second" is the sixteen sixteenths of a second of the platform's
 * clock before the one that the call falls into, resets or not.
 *
 * Thread of all functions: caller's. The device's numbers are as new as the io
 * thread's last step, or as the piece that it has just given to a device.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_IO_STATS_H
#define SPINDLE_IO_STATS_H

#include <spindle/features.h>
#include <spindle/medium.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPN_LATENCY_BUCKETS 32u

/* How long something took, of all times that it happened. */
typedef struct spn_latency {
    uint64_t count;
    uint64_t sum_us;
    uint64_t mean_us;
    uint64_t max_us;
    /* How many took 0 us; then, bucket by bucket, 2^(i-1) to 2^i - 1 us; the
     * last one has all that took longer. */
    uint32_t buckets[SPN_LATENCY_BUCKETS];
} spn_latency;

/* The least time, in microseconds, that `permille` of 1000 did not exceed, as
 * far as the buckets tell: the end of a bucket, and never more than max_us. 0
 * for no latency, or one of nothing. Thread: any. */
uint64_t spn_latency_quantile(const spn_latency *latency, uint32_t permille);

/* One medium over some time. */
typedef struct spn_medium_window {
    uint64_t elapsed_us;
    uint64_t busy_us;    /* with a read at the device, the one there included */
    uint64_t bytes;      /* that the device delivered, for whatever became of
                          * them; without the next */
    uint64_t gap_bytes;  /* that lay between reads of one piece and that nobody
                          * wanted: cheaper than to go past them */
    uint64_t joined;     /* reads that came along with another in its piece,
                          * counted for every piece */
    uint64_t reads;      /* that ended, in whatever way */
    uint64_t pieces;     /* that came back from the device */
    uint64_t seeks;      /* pieces that begin elsewhere than the one before
                          * ended */
    uint64_t seek_bytes; /* sum of these distances */
    uint64_t busy_permille;         /* busy_us of elapsed_us */
    uint64_t seek_bytes_mean;       /* seek_bytes of a seek */
    uint64_t bytes_per_second;      /* of elapsed_us: with waiting */
    uint64_t busy_bytes_per_second; /* of busy_us: without */
    uint64_t reads_mhz;             /* reads in 1000 seconds, of elapsed_us */
} spn_medium_window;

/* Distances of a seek: they end at 1, 2, 8, 16, 24, 32, 48 and 64 sixty-fourths
 * of the drive's longest; the last entry is the change of layer. */
#define SPN_DRIVE_DISTANCES 9u

/* What pieces really took, beside what the profile says. Running means, an
 * eighth of each new sample; pieces that failed, were tried again or came after
 * the device had rested are none. All 0 while nothing is learnt. */
typedef struct spn_drive_errors {
    int32_t seek_us[SPN_DRIVE_DISTANCES]; /* real - expected, the wait for the
                                           * sector included */
    int32_t transfer_permille;            /* the same of 1000 expected */
} spn_drive_errors;

typedef struct spn_medium_stats {
    spn_order order;        /* in force: never automatic */
    spn_medium_state state; /* now */
    uint64_t unanswered_us; /* so long the device has had its piece; 0: none */
    spn_medium_window total;
    spn_medium_window second;
    uint32_t waiting;        /* reads in its queue now */
    spn_drive_errors errors; /* of its profile; 0 without one. Resets leave
                              * them */
    spn_latency arrival;     /* of completed reads: from start to end */
} spn_medium_stats;

/* One type over some time. */
typedef struct spn_task_window {
    uint64_t elapsed_us;
    uint64_t reads; /* completed */
    uint64_t bytes; /* that arrived, of these: of compressed entries as they
                     * are stored, */
    uint64_t good_bytes; /* and what lies at the front of their buffers now */
    uint64_t bytes_per_second; /* `bytes`, of elapsed_us */
    uint64_t reads_mhz;        /* reads in 1000 seconds, the same */
} spn_task_window;

typedef struct spn_task_stats {
    spn_task_class task_class;
    uint32_t open;          /* started and not completed, now */
    uint64_t pending_bytes; /* of these: what has not arrived. A read to the
                             * end of its file counts once its size is known */
    uint64_t done;          /* completed, by how they ended */
    uint64_t failed;
    uint64_t aborted; /* by the caller, or by shutdown */
    spn_task_window total;
    spn_task_window second;
    uint64_t packed_bytes;   /* blocks of compressed entries of paks, since the
                              * reset: bytes as they are stored, */
    uint64_t unpacked_bytes; /* and what these became; whole blocks, also where
                              * a read wants a part */
    spn_latency arrival;     /* from start to end: its data was there */
    spn_latency completion;  /* from start until its last callback began */
} spn_task_stats;

typedef struct spn_io_stats {
    uint64_t elapsed_us;        /* since spn_init or the last reset */
    uint64_t bytes_read;        /* of all media */
    uint64_t head_travel_bytes; /* sum of distances between the end of a
                                 * piece and the start of the next, of all
                                 * media */
    uint64_t busy_us;           /* of all media: two may be busy at a time */
    uint64_t requests_done;
    uint64_t requests_failed;
    uint64_t requests_aborted; /* by the caller, or by shutdown */
    uint64_t requests_mhz;     /* all three, in 1000 seconds of elapsed_us */
    uint64_t bytes_per_second; /* bytes_read, of elapsed_us: with waiting */
    uint64_t busy_bytes_per_second;   /* of busy_us: without */
    uint64_t second_bytes_per_second; /* in the last second, of all media */
    uint64_t pending_bytes;           /* of all types */
    uint32_t pending;                 /* started and not completed */
    uint32_t held; /* completed, and still counted among read_count: held for
                    * their results (read.h), or let go since the last
                    * spn_update. One that only grows is a release forgotten */
    uint32_t pending_peak; /* of both together: what read_count is for */
    uint64_t budget_bytes; /* of spn_config.read_budget_bytes, in use */
    uint64_t budget_bytes_peak;
    uint64_t packed_bytes;   /* blocks of compressed entries of paks: bytes as
                              * they are stored, */
    uint64_t unpacked_bytes; /* and what these became; */
    uint64_t unpacked_bytes_per_second; /* the same in the last second */
    uint64_t unpack_bytes;              /* of spn_config.unpack_bytes, in use */
    uint64_t unpack_bytes_peak;
    uint64_t copies_tried;  /* times that a read of a pak went on in another
                             * copy, for bytes of one were bad */
    spn_latency completion; /* of all reads */
    uint32_t invalid_waits; /* of threads that must not: see guard.h */
} spn_io_stats;

#if SPN_WITH_OBSERVERS
/* Everything together. Completed reads move when they complete: without a
 * reset done + failed + aborted + pending is always what was started. */
void spn_io_get_stats(const spn_runtime *rt, spn_io_stats *out);

/* SPN_ERR_ARG for a medium or type that is none, or NULL. */
spn_status spn_io_get_medium_stats(const spn_runtime *rt, spn_medium medium,
                                   spn_medium_stats *out);
spn_status spn_io_get_task_stats(const spn_runtime *rt, spn_task task,
                                 spn_task_stats *out);

/* Begin all sums anew, as after loading a level; peaks become what is in use
 * now. What is open, pending or waiting stays. */
void spn_io_reset_stats(spn_runtime *rt);
#endif

#ifdef __cplusplus
}
#endif
#endif
