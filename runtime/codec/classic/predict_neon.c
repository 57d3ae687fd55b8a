/* predict_neon.c - the classic codec for 64-bit ARM: the kernels of
 * predict_vector.h.
 *
 * Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"
#include "codec/classic/predict_vector.h"

void spn__predict_ops_neon(struct predict_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__predict_ops_neon(struct predict_ops *ops)
{
    (void)ops;
}

#endif
