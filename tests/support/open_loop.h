/* open_loop.h - reads that are asked for at fixed times, on one drive under one
 * order: how many are late, and when the last has ended. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_OPEN_LOOP_H
#define TESTS_SUPPORT_OPEN_LOOP_H

#include "simulate/policy.h"

#include <stdint.h>

struct open_read {
    uint64_t at_us; /* never before that of the read before it */
    uint64_t position;
    uint64_t bytes;
    enum sweep_class class;
};

struct open_result {
    uint32_t late; /* later than spn__task_class_due_us after at_us */
    uint64_t end_us;
    uint64_t longest_us; /* wait */
};

/* Virtual time; the same figures on every machine. */
struct open_result open_loop_run(const spn_drive_profile *drive,
                                 enum policy_kind kind,
                                 const struct open_read *reads, uint32_t count);

#endif
