/* predict_avx2.c - temporal prediction for AVX2: the kernels of
 * predict_vector.h.
 *
 * Empty where the compiler was not told to use AVX2.
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
