/* compile.h - archive in, cache out; and what was measured on the way. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_COMPILE_H
#define OFFLINE_COMPILE_COMPILE_H

#include "common/diag.h"
#include "compile/report/compile_report.h"
#include "compile/report/options.h"

/* `progress` (0..1, rising) is called from one thread at a time; may be NULL.
 * False after a refusal: the output is as it was before. */
bool compile_run(const struct compile_options *options, struct diag *diag,
                 void (*progress)(void *user, double done), void *user,
                 struct compile_report *report);

#endif
