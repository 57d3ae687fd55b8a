/* predict_avx2.c - the classic codec for AVX2: the kernels of
 * predict_vector.h.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#if defined(__AVX2__)

#include "base/simd_avx2.h"
#include "codec/classic/predict_vector.h"

void spn__predict_ops_avx2(struct predict_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__predict_ops_avx2(struct predict_ops *ops)
{
    (void)ops;
}

#endif
