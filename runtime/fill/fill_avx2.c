/* fill_avx2.c - the kernels of fill_vector.h for AVX2 and F16C.
 *
 * Without these instruction sets in the compiler's flags the file has no
 * kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill_ops.h"

#if defined(__AVX2__) && defined(__F16C__)

#include "base/simd_avx2.h"
#include "fill/fill_store_sse41.h"

/* The instruction keeps the payload of a NaN. The packed format requires 0x7e00
 * with the sign. */
#define HAS_HALF_OF
static inline vi half_of(vf v)
{
    const vi half =
        _mm256_cvtepu16_epi32(_mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
    const vi none = vf_bits(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));

    return vi_select(none, vi_and(half, vi_set32(0xfe00u)), half);
}

#include "fill/fill_vector.h"

void spn__fill_ops_avx2(struct fill_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__fill_ops_avx2(struct fill_ops *ops)
{
    (void)ops;
}

#endif
