/* script_record.h - a record of a script's reads, in memory of its exact size.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SCRIPT_RECORD_H
#define TESTS_FUZZ_SCRIPT_RECORD_H

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct script_record {
    bool is_on;
    spn_record_desc desc; /* memory from malloc */
    uint32_t seen;        /* events counted before the record began */
};

/* Begin a record. When one is running: count its events, or end it and write
 * it. */
void script_record_use(struct script_record *record, spn_runtime *rt,
                       uint32_t how);
/* Free its memory. The runtime must be shut down, or the record ended. */
void script_record_drop(struct script_record *record);

#endif
