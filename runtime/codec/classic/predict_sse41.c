/* predict_sse41.c - the classic codec for SSE4.1: the kernels of
 * predict_vector.h.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"
#include "codec/classic/predict_vector.h"

void spn__predict_ops_sse41(struct predict_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__predict_ops_sse41(struct predict_ops *ops)
{
    (void)ops;
}

#endif
