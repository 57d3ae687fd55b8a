/* tally.h - statistics of a run: waits and lateness of reads, per class.
 *
 * Input: one call for each read that ended, failed or still waits. Output:
 * counts, sums and percentiles for the reports. Every wait is stored, so
 * percentiles are exact; memory grows by 8 bytes a read. Times are microseconds
 * of virtual time.
 *
 * A wait is the time from a read's start to its end. A read is late when it
 * ends after its deadline, or has a deadline and never succeeds. Deadline
 * UINT64_MAX: none. One thread owns a tally.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_TALLY_H
#define OFFLINE_SIMULATE_TALLY_H

#include "common/arena.h"
#include "schedule/deadline.h"

#include <stdint.h>

struct tally_class {
    uint64_t count;      /* waits in waits_us */
    uint64_t missed;     /* reads that failed or were never answered; not in
                          * `count` */
    uint64_t late;       /* late reads of `count` and `missed` */
    uint64_t waiting;    /* reads that waited at the end of the run */
    uint64_t bytes;      /* delivered */
    uint64_t sum_us;     /* of waits_us */
    uint64_t longest_us; /* longest wait of any read; of one that failed or
                          * still waited, until that moment */
    uint64_t *waits_us;  /* in any order */
    uint64_t capacity;   /* of waits_us */
};

struct tally {
    struct tally_class classes[DEADLINE_CLASSES];
    struct arena arena; /* of waits_us */
};

void tally_init(struct tally *tally);
void tally_free(struct tally *tally);

/* A read succeeded at `end_us`. */
void tally_end(struct tally *tally, enum deadline_class class, uint64_t bytes,
               uint64_t arrival_us, uint64_t deadline_us, uint64_t end_us);
/* A read failed at `now_us`, or will never be answered. It is late if it has a
 * deadline. Its wait counts for longest_us only. */
void tally_miss(struct tally *tally, enum deadline_class class,
                uint64_t arrival_us, uint64_t deadline_us, uint64_t now_us);
/* A read still waits at the end of the run, `now_us`. If its deadline has
 * passed, it is late and its wait so far is stored; otherwise its wait counts
 * for longest_us only. */
void tally_waits(struct tally *tally, enum deadline_class class,
                 uint64_t arrival_us, uint64_t deadline_us, uint64_t now_us);

/* Reads of the class with a result: `count` + `missed`. */
uint64_t tally_class_count(const struct tally_class *c);
/* Of all classes. */
struct tally_sums {
    uint64_t count; /* sum of tally_class_count */
    uint64_t late;
    uint64_t waiting;
    uint64_t longest_us; /* the maximum */
};
struct tally_sums tally_sum(const struct tally *tally);
/* Late reads per million reads; 0 without reads. */
uint64_t tally_late_ppm(const struct tally *tally);
/* Percentile: of the sorted waits the one at index count * permille / 1000;
 * `permille` is 0..1000. 0 without waits. Sorts waits_us. */
uint64_t tally_wait_us(struct tally *tally, enum deadline_class class,
                       uint32_t permille);

#endif
