/* fill_sse41.c - the kernels of fill_vector.h for SSE4.1.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill_ops.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"
#include "fill/fill_store_sse41.h"
#include "fill/fill_vector.h"

void spn__fill_ops_sse41(struct fill_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__fill_ops_sse41(struct fill_ops *ops)
{
    (void)ops;
}

#endif
