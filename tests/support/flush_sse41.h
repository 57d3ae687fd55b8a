/* flush_sse41.h - let the processor flush denormal numbers to zero. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FLUSH_SSE41_H
#define TESTS_SUPPORT_FLUSH_SSE41_H

#include <stdbool.h>

/* Switch flushing of operands and results for this thread. False when the
 * processor cannot. */
bool flush_to_zero(bool is_on);

#endif
