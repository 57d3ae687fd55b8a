/* made_verify.h - compiles small archives, and verifies caches against them. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MADE_VERIFY_H
#define TESTS_SUPPORT_MADE_VERIFY_H

#include "compile/compile.h"
#include "verify/verify.h"

/* Sets the paths of `options`; the test fails where either refuses. */
void made_compile(const char *archive, const char *cache,
                  struct compile_options *options);
void made_verify(const char *archive, const char *cache, bool flip_v,
                 struct verify_report *report);

#endif
