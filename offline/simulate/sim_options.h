/* sim_options.h - the options of the verb `simulate`.
 *
 * cmd_simulate.c fills them from the command line and refuses contradictions.
 * sim_session.c sets missing values to their defaults.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_OPTIONS_H
#define OFFLINE_SIMULATE_SIM_OPTIONS_H

#include "common/verb_options.h"
#include "drives/fault_spec.h"

#include <stdbool.h>
#include <stdint.h>

/* Values of options that were not given. */
#define SIM_NOT_GIVEN UINT32_MAX
#define SIM_NO_LIMIT (-1.0)

/* The options of the command line; a text is NULL if its option was not given.
 */
struct sim_options {
    const char *drive;           /* built-in name, or path of a profile */
    struct option_texts traces;  /* paths; none: a generated game */
    struct option_texts layouts; /* paths of the paks on the disc */
    const char *clips;           /* path of a script of clips (clip_script.h) */
    const char *disc_layout;     /* path; NULL: one pak after the other */
    const char *generate;        /* layout of the generated disc (workload.h) */
    const char *scheduler;       /* orders of reads: "all", or one of
                              * game_order_names */
    const char *deadlines;       /* of reads without one: "class": that of their
                              * class, "trace": none */
    const char *output;          /* path of the HTML page to write */
    const char *write_trace;     /* path of the trace to write */
    double load;                 /* of the generated game; 0: not given */
    uint32_t seed;               /* or SIM_NOT_GIVEN */
    uint32_t seconds;            /* length of the run; 0: not given */
    uint32_t fault_count;        /* random faults to draw (game_faults.h) */
    uint32_t heap_mib;           /* size of the runtime's heap */
    struct option_texts faults;  /* as given (drives/fault_spec.h) */
    struct fault_spec *fault_specs; /* parsed `faults` */
    const char *const *compared;    /* paths: one more pak for each layout */
    uint32_t compared_count;        /* SIM_LAYOUTS_MAX if is_compare, else 0 */
    double late_percent_max; /* more late reads are a failure; SIM_NO_LIMIT: not
                              * given */
    bool is_compare;         /* compare two paks under the same trace */
    bool is_open_loop;       /* start every read at its recorded time */
    bool is_strict;          /* refuse where a warning would be printed */
    bool is_json;            /* print one JSON object */
};

#endif
