/* flush_sse41.h - flush numbers too small to be normal to zero, where a test
 * can ask for it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FLUSH_SSE41_H
#define TESTS_SUPPORT_FLUSH_SSE41_H

#include <stdbool.h>

/* Operands and results of this thread. False where the test cannot. */
bool flush_to_zero(bool is_on);

#endif
