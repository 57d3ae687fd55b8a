/* cpu.c - detection of instruction sets.
 *
 * Without state: the caller keeps the result. On unknown processors no set is
 * detected, and scalar code runs.
 */
/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

/* Intel's manual, volume 2, CPUID; volume 1, 14.3: a set with YMM registers
 * counts only where the operating system saves them (XCR0 bits 1 and 2). */
static uint32_t keeps_ymm(void)
{
    uint32_t low;
    uint32_t high;

    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return (low & 6u) == 6u;
}

uint32_t spn__cpu_detect(void)
{
    const uint32_t sse41_ecx = 1u << 19;
    const uint32_t osxsave_ecx = 1u << 27;
    /* Kernels for AVX2 also use F16C and BMI2: all known processors with AVX2
     * have them. */
    const uint32_t f16c_ecx = 1u << 29;
    const uint32_t avx2_ebx = 1u << 5;
    const uint32_t bmi2_ebx = 1u << 8;
    uint32_t cpu = 0;
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t d;

    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (c & sse41_ecx)
        cpu |= SPN_CPU_SSE41;
    if ((c & osxsave_ecx) && (c & f16c_ecx) && keeps_ymm() &&
        __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & avx2_ebx) &&
        (b & bmi2_ebx))
        cpu |= SPN_CPU_AVX2;
    return cpu;
}

#elif defined(__ARM_NEON) || defined(__aarch64__)

/* The code is compiled for NEON, so the processor has it. */
uint32_t spn__cpu_detect(void)
{
    return SPN_CPU_NEON;
}

#else

uint32_t spn__cpu_detect(void)
{
    return 0;
}

#endif
