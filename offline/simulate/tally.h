/* tally.h - what came late, how long reads waited, what the drive did. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_TALLY_H
#define OFFLINE_SIMULATE_TALLY_H

#include "disc/drive.h"
#include "schedule/sweep.h"

#include <stdint.h>

struct tally_class {
    uint64_t count;   /* that waited for an end, or past their deadline */
    uint64_t missed;  /* beside these: failed, or never answered */
    uint64_t late;    /* of all these */
    uint64_t waiting; /* when all was over, counted above or not */
    uint64_t bytes;
    uint64_t sum_us;     /* of the waits that are counted */
    uint64_t longest_us; /* of all, until they failed or all was over, too */
    uint64_t *waits_us;  /* from arrival to end, one for each */
    uint64_t capacity;
};

struct tally {
    struct tally_class classes[SWEEP_CLASSES];
    /* the drive */
    uint64_t time_us;
    uint64_t busy_us;
    uint64_t seek_us; /* with the change of layer */
    uint64_t rotate_us;
    uint64_t gap_us;
    uint64_t transfer_us;
    uint64_t seek_count;
    uint64_t travel_nm; /* of the head */
    uint64_t joined;    /* reads that came along with another */
};

void tally_init(struct tally *tally);
void tally_free(struct tally *tally);

/* A read of a class ended. */
void tally_end(struct tally *tally, enum sweep_class class, uint64_t bytes,
               uint64_t arrival_us, uint64_t deadline_us, uint64_t end_us);
/* One failed, or is never answered: what has a deadline (not UINT64_MAX) is
 * late. Its wait may be the longest, and is none of the others. */
void tally_miss(struct tally *tally, enum sweep_class class,
                uint64_t arrival_us, uint64_t deadline_us, uint64_t now_us);
/* One waits still, when all is over: its wait so far may be the longest. If its
 * deadline has passed it is late, and a wait; else it is not counted. */
void tally_waits(struct tally *tally, enum sweep_class class,
                 uint64_t arrival_us, uint64_t deadline_us, uint64_t now_us);
/* The drive served a read, its head having been at `from`. */
void tally_drive(struct tally *tally, const spn_drive_profile *profile,
                 const struct drive_cost *cost, uint64_t from, uint64_t to);

/* Add everything of `more`. */
void tally_add(struct tally *tally, const struct tally *more);

uint64_t tally_class_count(const struct tally_class *c);
uint64_t tally_count(const struct tally *tally);
uint64_t tally_late(const struct tally *tally);
uint64_t tally_waiting(const struct tally *tally);
uint64_t tally_longest_us(const struct tally *tally);
/* Late ones in a million. */
uint64_t tally_late_ppm(const struct tally *tally);
/* No more than `permille` of the waits are shorter; 0 when there are none.
 * Sorts them. */
uint64_t tally_wait_us(struct tally *tally, enum sweep_class class,
                       uint32_t permille);

#endif
