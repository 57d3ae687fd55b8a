/* compile_summary.h - print the report of `spindle compile`.
 *
 * Input: the options, results and statistics of a finished compile. Output:
 * text or one JSON object on stdout.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_COMPILE_SUMMARY_H
#define OFFLINE_CLI_COMPILE_SUMMARY_H

#include "common/diag.h"
#include "compile/clip/compile_stats.h"
#include "compile/report/compile_report.h"
#include "compile/report/options.h"

struct compile_summary {
    const struct compile_options *options;
    const struct compile_report *report;
    struct compile_stats *stats; /* both functions allocate in its arena */
    uint32_t warning_count;
    bool is_by_distance; /* the default codec was replaced by another because
                          * the index distance is not a power of two */
};

void compile_summary_text(const struct compile_summary *summary);
/* Returns false after a refusal: stdout cannot be written. */
bool compile_summary_json(const struct compile_summary *summary,
                          struct diag *diag);

#endif
