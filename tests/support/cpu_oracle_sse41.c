/* cpu_oracle_sse41.c - instruction sets as libgcc or compiler-rt detects
 * them. */
/* SPDX-License-Identifier: MIT */
#include "support/cpu_oracle_sse41.h"

#include "base/cpu.h"

#if defined(__x86_64__) || defined(__i386__)

uint32_t cpu_oracle(void)
{
    uint32_t sets = 0;

    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.1"))
        sets |= SPN_CPU_SSE41;
    /* All processors with AVX2 have F16C. Not all compilers have a name for
     * F16C here. */
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        sets |= SPN_CPU_AVX2;
    return sets;
}

#elif defined(__ARM_NEON) || defined(__aarch64__)

uint32_t cpu_oracle(void)
{
    return SPN_CPU_NEON;
}

#else

uint32_t cpu_oracle(void)
{
    return 0;
}

#endif
