/* sim_session.h - the verb `simulate`: open inputs, run, report.
 *
 * Input: the parsed options. Each trace (or the generated game) is run on each
 * disc in each order of reads. Output: the report on stdout; the page and the
 * trace in the files that the options name.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_SESSION_H
#define OFFLINE_SIMULATE_SIM_SESSION_H

#include "common/verb_options.h"
#include "drives/fault_spec.h"

#include <stdbool.h>
#include <stdint.h>

/* Values of options that were not given. */
#define SIM_NOT_GIVEN UINT32_MAX
#define SIM_NO_LIMIT (-1.0)

struct sim_options {
    const char *drive;
    struct option_texts traces;
    struct option_texts layouts;
    const char *disc_layout;
    const char *generate;
    const char *scheduler;
    const char *deadlines;
    const char *output;
    const char *write_trace;
    double load;      /* 0: not given */
    uint32_t seed;    /* or SIM_NOT_GIVEN */
    uint32_t seconds; /* 0: not given */
    uint32_t fault_count;
    uint32_t heap_mib;
    struct option_texts faults;
    struct fault_spec *fault_specs; /* parsed `faults` */
    const char *const *compared;    /* SIM_LAYOUTS_MAX paths, if is_compare */
    double late_percent_max;        /* SIM_NO_LIMIT: not given */
    bool is_compare;
    bool is_open_loop;
    bool is_strict;
    bool is_json;
};

/* Run the verb. The options do not contradict each other; missing values are
 * set to their defaults. The contents of files are allocated in the arena.
 * Refusals go to `diag`. */
void sim_session_run(struct sim_options *options, struct arena *arena,
                     struct diag *diag);

#endif
