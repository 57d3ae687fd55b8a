/* report_compile.h - what a compile has to say, for people and machines. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_REPORT_COMPILE_H
#define OFFLINE_CLI_REPORT_COMPILE_H

#include "compile/clip/compile_stats.h"
#include "compile/compile.h"

struct compile_summary {
    const struct compile_options *run;
    const struct compile_report *report;
    struct compile_stats *stats;
    uint32_t warning_count;
    bool is_by_distance; /* nobody named a codec, and frames are no power of
                          * two apart */
};

void report_compile_words(const struct compile_summary *summary);
/* False when stdout refuses the bytes. */
bool report_compile_json(const struct compile_summary *summary,
                         struct diag *diag);

/* A line on stderr, written over: how far, and how long still. */
struct compile_progress {
    double start; /* system_seconds */
    int shown;    /* tenths of percent, or seconds: what stands there; -1 */
};
void compile_progress_begin(struct compile_progress *progress);
/* A progress function; `user` is the struct. */
void compile_progress_show(void *user, double done);
void compile_progress_clear(const struct compile_progress *progress);

#endif
