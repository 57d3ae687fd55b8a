/* io_stats.h - statistics of reads: per medium, per task, and of all.
 *
 * Statistics are sums since spn_init or since the last spn_io_reset_stats, and
 * sums over the last second. Quotients are computed when a function is called,
 * rounded down, and are 0 if the divisor is 0. All numbers are integers, so
 * they never drift, and equal runs give equal numbers.
 *
 * Terms
 *
 *   the last second  sixteen intervals of 1/16 s on the platform's clock, which
 *                    end before the interval of the call; resets do not matter
 *   ended            the result of a read is final (read.h)
 *   completed        the last callback of a read (on_async or on_done) has
 *                    begun; if it has none, the read has ended. So the callback
 *                    already finds the read in the statistics
 *   piece            the part of a read that is one command of the device
 *   seek             the movement of the head to a piece that does not begin
 *                    where the last piece of the medium ended
 *   mHz              number per 1000 seconds
 *   caller's thread  the thread that calls spn_update (spindle.h)
 *   drive profile    the data that describes how fast a disc drive is
 *                    (drive_profile.h)
 *
 * Threads: the caller's for all functions except spn_latency_quantile. The I/O
 * thread publishes the numbers of media after each of its steps, and before
 * each piece.
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

/* A histogram of durations in microseconds. */
typedef struct spn_latency {
    uint64_t count;
    uint64_t sum_us;
    uint64_t mean_us;
    uint64_t max_us;
    /* Element 0 counts durations of 0 us, element i durations of 2^(i-1) to
     * 2^i - 1 us. The last element also counts all that are longer. */
    uint32_t buckets[SPN_LATENCY_BUCKETS];
} spn_latency;

/* A quantile of the durations, in microseconds: the smallest upper end of a
 * bucket such that at least `permille` thousandths of the durations are not
 * longer. It is never above max_us. 0 if `latency` is NULL or has no durations.
 * Thread: any. */
uint64_t spn_latency_quantile(const spn_latency *latency, uint32_t permille);

/* The work of one medium during an interval of time. */
typedef struct spn_medium_window {
    uint64_t elapsed_us; /* length of the interval */
    uint64_t busy_us;    /* time during which the device had a piece */
    uint64_t bytes;      /* bytes that the device delivered for reads, even if
                          * these failed later */
    uint64_t gap_bytes;  /* bytes delivered in addition, because reading through
                          * a gap between two reads is faster than a seek */
    uint64_t coalesced;  /* reads that shared a piece with another read; a read
                          * counts once for each such piece */
    uint64_t reads;      /* reads that ended, also with errors */
    uint64_t pieces;     /* pieces that the device returned */
    uint64_t seeks;      /* pieces with a seek */
    uint64_t seek_bytes; /* sum of the distances of these seeks */
    uint64_t busy_permille;         /* busy_us / elapsed_us, in thousandths */
    uint64_t seek_bytes_mean;       /* seek_bytes / seeks */
    uint64_t bytes_per_second;      /* bytes / elapsed_us */
    uint64_t busy_bytes_per_second; /* bytes / busy_us */
    uint64_t reads_mhz;             /* reads / elapsed_us */
} spn_medium_window;

/* Seeks are divided into ranges by their distance. The first eight ranges end
 * at 1/64, 2/64, 8/64, 16/64, 24/64, 32/64, 48/64 and 64/64 of the longest
 * distance on the drive; the last range is the change of layer. */
#define SPN_DRIVE_DISTANCES 9u

/* Differences between the measured durations of pieces and those that the drive
 * profile predicts, positive if the drive is slower. They are running means:
 * each new sample counts one eighth. Pieces that failed, were repeated, or were
 * the first after a pause of the device are not counted. 0 without samples. */
typedef struct spn_drive_errors {
    /* For each range: of the seek and the wait for the sector together. */
    int32_t seek_us[SPN_DRIVE_DISTANCES];
    int32_t transfer_permille; /* of the transfer, in thousandths of the
                                * predicted time */
} spn_drive_errors;

typedef struct spn_medium_stats {
    spn_order order;        /* the order in use, never SPN_ORDER_AUTOMATIC */
    spn_medium_state state; /* now */
    uint64_t unanswered_us; /* how long the device has had its piece; 0: it has
                             * none */
    spn_medium_window total;
    spn_medium_window second; /* the last second */
    uint32_t waiting;         /* reads in the queue now */
    spn_drive_errors errors;  /* 0 without a drive profile; not reset */
    spn_latency arrival;      /* of completed reads: from start to end */
} spn_medium_stats;

/* The reads of one task that completed during an interval of time. */
typedef struct spn_task_window {
    uint64_t elapsed_us; /* length of the interval */
    uint64_t reads;
    uint64_t bytes;      /* bytes that arrived; of compressed entries the
                          * compressed bytes */
    uint64_t good_bytes; /* valid bytes at their destinations, decompressed */
    uint64_t bytes_per_second; /* bytes / elapsed_us */
    uint64_t reads_mhz;        /* reads / elapsed_us */
} spn_task_window;

typedef struct spn_task_stats {
    spn_task_class task_class;
    uint32_t open;          /* reads that are started and not completed, now */
    uint64_t pending_bytes; /* bytes of these that have not arrived. A read to
                             * the end of a file counts once its size is known
                             */
    /* Completed reads, by result. */
    uint64_t done;
    uint64_t failed;
    uint64_t aborted; /* by the game, or by spn_shutdown */
    spn_task_window total;
    spn_task_window second; /* the last second */
    /* Whole blocks of compressed entries that were decompressed, also if the
     * read needs only a part of them: before and after. */
    uint64_t packed_bytes;
    uint64_t unpacked_bytes;
    spn_latency arrival;    /* from start to end */
    spn_latency completion; /* from start to the begin of the last callback */
} spn_task_stats;

/* All media and tasks together. */
typedef struct spn_io_stats {
    uint64_t elapsed_us; /* since spn_init or the last reset */
    uint64_t bytes_read;
    uint64_t head_travel_bytes; /* sum of the distances of all seeks */
    uint64_t busy_us; /* sum over all media, several may be busy at a time */
    /* Completed reads, by result. */
    uint64_t requests_done;
    uint64_t requests_failed;
    uint64_t requests_aborted;        /* by the game, or by spn_shutdown */
    uint64_t requests_mhz;            /* sum of the three / elapsed_us */
    uint64_t bytes_per_second;        /* bytes_read / elapsed_us */
    uint64_t busy_bytes_per_second;   /* bytes_read / busy_us */
    uint64_t second_bytes_per_second; /* in the last second */
    uint64_t pending_bytes;           /* sum of spn_task_stats.pending_bytes */
    uint32_t pending;      /* reads that are started and not completed, now */
    uint32_t held;         /* reads that are completed but still occupy a slot
                            * of read_count: held ones (read.h), and those
                            * released since the last spn_update. If it only
                            * grows, a spn_read_release is missing */
    uint32_t pending_peak; /* maximum of pending + held; compare it with
                            * spn_config.read_count */
    uint64_t budget_bytes; /* part of spn_config.read_budget_bytes in use */
    uint64_t budget_bytes_peak;
    /* As in spn_task_stats, of all tasks. */
    uint64_t packed_bytes;
    uint64_t unpacked_bytes;
    uint64_t unpacked_bytes_per_second; /* in the last second */
    uint64_t unpack_bytes;              /* part of spn_config.unpack_bytes in
                                         * use */
    uint64_t unpack_bytes_peak;
    uint64_t copies_tried;  /* how often a read of a pak went on with another
                             * copy, because a block of one was bad */
    spn_latency completion; /* as in spn_task_stats, of all reads */
    uint32_t invalid_waits; /* see guard.h */
} spn_io_stats;

#if SPN_WITH_OBSERVERS
/* Get the statistics of all reads. Without a reset, requests_done +
 * requests_failed + requests_aborted + pending is the number of reads that were
 * started. */
void spn_io_get_stats(const spn_runtime *rt, spn_io_stats *out);

/* Get the statistics of one medium or one task. SPN_ERR_ARG if there is no such
 * medium or task, or a pointer is NULL. */
spn_status spn_io_get_medium_stats(const spn_runtime *rt, spn_medium medium,
                                   spn_medium_stats *out);
spn_status spn_io_get_task_stats(const spn_runtime *rt, spn_task task,
                                 spn_task_stats *out);

/* Set all sums to 0, and peaks to what is in use now. Current values (open,
 * pending, waiting ...), drive errors and the last second do not change. */
void spn_io_reset_stats(spn_runtime *rt);
#endif

#ifdef __cplusplus
}
#endif
#endif
