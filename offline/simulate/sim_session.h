/* sim_session.h - spindle simulate: each trace on each disc in each order. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_SESSION_H
#define OFFLINE_SIMULATE_SIM_SESSION_H

#include "common/verb_options.h"
#include "drives/fault_spec.h"

#include <stdbool.h>
#include <stdint.h>

/* Of what has a default that is told by itself. */
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
    struct fault_spec *fault_specs; /* of these */
    const char *const *compared;    /* SIM_LAYOUTS_MAX paks, if any are */
    double late_percent_max;        /* SIM_NO_LIMIT: not given */
    bool is_compare;
    bool is_open_loop;
    bool is_strict;
    bool is_json;
};

/* Options that fit each other. Reports on stdout, pages and traces where they
 * are to go; refusals are the diag's. What is read lies in the arena. */
void sim_session_run(struct sim_options *options, struct arena *arena,
                     struct diag *diag);

#endif
