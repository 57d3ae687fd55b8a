/* cpu.h - which instruction sets this processor has. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_CPU_H
#define SPN_BASE_CPU_H

#include <stdint.h>

#define SPN_CPU_SSE41 1u
#define SPN_CPU_AVX2 2u /* and the operating system keeps its registers */
#define SPN_CPU_NEON 4u

/* Ask the processor. Bits of the sets above; 0 where nothing is known. Costs
 * some hundred cycles (more in a virtual machine): once, at init. */
uint32_t spn__cpu_detect(void);

#endif
