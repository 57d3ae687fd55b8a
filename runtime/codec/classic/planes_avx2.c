/* planes_avx2.c - bit planes to residuals for AVX2: the kernels of
 * planes_vector.h.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/planes.h"

#if defined(__AVX2__)

#include "base/simd_avx2.h"
#include "codec/classic/planes_vector.h"

void spn__planes_ops_avx2(struct predict_ops *ops)
{
    ops->join_u16 = join_u16;
}

#else

void spn__planes_ops_avx2(struct predict_ops *ops)
{
    (void)ops;
}

#endif
