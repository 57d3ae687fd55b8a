/* open_loop.h - run reads that start at fixed times on one drive.
 *
 * Input: reads with their times, positions and classes. A reference_queue
 * chooses, the drive model reads the chosen ones whole, and the loop repeats in
 * virtual time: the same figures on every machine. Output: how many reads were
 * late, and when the last one ended.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_OPEN_LOOP_H
#define TESTS_SUPPORT_OPEN_LOOP_H

#include "support/reference_orders.h"

#include <stdint.h>

struct open_read {
    uint64_t at_us;    /* start time; not before that of the previous read */
    uint64_t position; /* bytes from the start of the disc */
    uint64_t bytes;    /* > 0 */
    enum deadline_class class; /* its deadline is spn__task_class_due_us after
                                * at_us */
};

struct open_result {
    uint32_t late;       /* reads that ended after their deadlines */
    uint64_t end_us;     /* of the last read */
    uint64_t longest_us; /* longest time from a read's start to its end */
};

struct open_result open_loop_run(const spn_drive_profile *drive,
                                 enum reference_order order,
                                 const struct open_read *reads, uint32_t count);

#endif
