/* fill_store_sse41.h - the type words4 and its operations for SSE4.1 and AVX2.
 *
 * fill_store_vector.h, which this file includes, has the kernel that uses them.
 * <smmintrin.h> must be included before.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_STORE_SSE41_H
#define SPN_FILL_FILL_STORE_SSE41_H

typedef __m128i words4;

#define words4_load(p) _mm_loadu_si128((const void *)(p))
#define words4_store(p, a) _mm_storeu_si128((void *)(p), a)
#define words4_store_low(p, a) _mm_storel_epi64((void *)(p), a)
#define words4_low32(a, b) _mm_unpacklo_epi32(a, b)
#define words4_high32(a, b) _mm_unpackhi_epi32(a, b)
#define words4_low64(a, b) _mm_unpacklo_epi64(a, b)
#define words4_high64(a, b) _mm_unpackhi_epi64(a, b)

#include "fill/fill_store_vector.h"

#endif
