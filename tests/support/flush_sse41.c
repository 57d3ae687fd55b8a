/* flush_sse41.c - set the two flush bits of MXCSR. */
/* SPDX-License-Identifier: MIT */
#include "support/flush_sse41.h"

#if defined(__SSE2__)
#include <immintrin.h>

#define FLUSH_RESULTS 0x8000u
#define FLUSH_OPERANDS 0x0040u

bool flush_to_zero(bool is_on)
{
    const unsigned bits = FLUSH_RESULTS | FLUSH_OPERANDS;

    _mm_setcsr(is_on ? _mm_getcsr() | bits : _mm_getcsr() & ~bits);
    return true;
}
#else
bool flush_to_zero(bool is_on)
{
    (void)is_on;
    return false;
}
#endif
