/* cpu.h - the instruction sets of this processor that kernels can use. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_CPU_H
#define SPN_BASE_CPU_H

#include <stdint.h>

#define SPN_CPU_SSE41 1u
#define SPN_CPU_AVX2 2u /* the operating system saves the registers, too */
#define SPN_CPU_NEON 4u

/* Detect them: a mask of SPN_CPU_...; 0 on processors without a test. Takes
 * some hundred cycles, more in a virtual machine; called once, by spn_init. */
uint32_t spn__cpu_detect(void);

#endif
