/* made_verify.h - compile small archives, and verify caches against them. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MADE_VERIFY_H
#define TESTS_SUPPORT_MADE_VERIFY_H

#include "compile/compile.h"
#include "verify/verify.h"

/* Sets the paths in `options`. Fails the claim when the compiler or verify
 * refuses. */
void made_compile(const char *archive, const char *cache,
                  struct compile_options *options);
void made_verify(const char *archive, const char *cache, bool flip_v,
                 struct verify_report *report);

#endif
