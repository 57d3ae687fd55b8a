/* compile_progress.h - the progress line of `spindle compile`.
 *
 * A line on stderr that is written over: a bar, the percentage done, and an
 * estimate of the time left. Only for a terminal. One thread at a time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_COMPILE_PROGRESS_H
#define OFFLINE_CLI_COMPILE_PROGRESS_H

struct compile_progress {
    double start_s; /* system_seconds at the beginning */
    int shown;      /* percentage and seconds left, packed; -1: nothing shown */
};

void compile_progress_begin(struct compile_progress *progress);

/* Show the fraction that is done, 0..1. The progress callback of compile_run;
 * `user` is the struct. */
void compile_progress_show(void *user, double done);

/* Erase the line. */
void compile_progress_clear(const struct compile_progress *progress);

#endif
