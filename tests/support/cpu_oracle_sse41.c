/* cpu_oracle_sse41.c - asks libgcc or compiler-rt, not the processor. */
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
    /* F16C is there wherever AVX2 is; compilers have no name for it that all
     * of them know. */
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
