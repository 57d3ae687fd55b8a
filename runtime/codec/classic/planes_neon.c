/* planes_neon.c - bit planes to residuals for 64-bit ARM: the kernels of
 * planes_vector.h.
 *
 * Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/planes.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"
#include "codec/classic/planes_vector.h"

void spn__planes_ops_neon(struct predict_ops *ops)
{
    ops->join_u16 = join_u16;
}

#else

void spn__planes_ops_neon(struct predict_ops *ops)
{
    (void)ops;
}

#endif
