/* cpu_oracle_sse41.h - which instruction sets the compiler's library finds. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CPU_ORACLE_SSE41_H
#define TESTS_SUPPORT_CPU_ORACLE_SSE41_H

#include <stdint.h>

/* Bits of base/cpu.h, found without the runtime's code. On processors that the
 * runtime asks nothing, those that the build is for. */
uint32_t cpu_oracle(void);

#endif
