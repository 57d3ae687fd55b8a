/* compile_progress.c - draw a progress bar and estimate the time left. */
/* SPDX-License-Identifier: MIT */
#include "cli/compile_progress.h"

#include "common/system.h"

#include <math.h>
#include <stdio.h>

#define BAR_COLUMNS 30

void compile_progress_begin(struct compile_progress *progress)
{
    progress->start_s = system_seconds();
    progress->shown = -1;
}

void compile_progress_show(void *user, double done)
{
    struct compile_progress *progress = user;
    double passed = system_seconds() - progress->start_s;
    int filled = (int)(done * BAR_COLUMNS);
    int left = done > 0 ? (int)ceil(passed / done - passed) : 0;
    /* Print only when the text changes. */
    int shown = (int)(done * 100) * 100000 + (left < 99999 ? left : 99999);

    if (shown == progress->shown)
        return;
    progress->shown = shown;
    fprintf(stderr, "\rcompiling [%-*.*s] %3d %%", BAR_COLUMNS,
            filled > BAR_COLUMNS ? BAR_COLUMNS : filled,
            "##############################", (int)(done * 100));
    /* The first frames are a poor estimate of the total time. */
    if (passed > 1 && done > 0.02)
        fprintf(stderr, "%6d:%02d left", left / 60, left % 60);
    fflush(stderr);
}

void compile_progress_clear(const struct compile_progress *progress)
{
    if (progress->shown >= 0)
        fprintf(stderr, "\r%64s\r", "");
}
