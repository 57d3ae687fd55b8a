/* compile.h - compile an Alembic archive to a cache file. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_COMPILE_H
#define OFFLINE_COMPILE_COMPILE_H

#include "common/diag.h"
#include "compile/report/compile_report.h"
#include "compile/report/options.h"

/* Run a compile on options->jobs threads. `progress` is called with the
 * fraction that is done, 0..1, rising, by one thread at a time; NULL: not
 * called. Fills `report` on success. Returns false after a refusal; then the
 * output file is as before. */
bool compile_run(const struct compile_options *options, struct diag *diag,
                 void (*progress)(void *user, double done), void *user,
                 struct compile_report *report);

#endif
