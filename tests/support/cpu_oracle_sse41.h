/* cpu_oracle_sse41.h - the instruction sets that the compiler's library
 * detects. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CPU_ORACLE_SSE41_H
#define TESTS_SUPPORT_CPU_ORACLE_SSE41_H

#include <stdint.h>

/* Bits of base/cpu.h, detected without the runtime's code. On processors where
 * the runtime detects nothing: the instruction sets of the build. */
uint32_t cpu_oracle(void);

#endif
