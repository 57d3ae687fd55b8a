/* fill_neon.c - the kernels of fill_vector.h for 64-bit ARM.
 *
 * NEON of 32-bit ARM has no division and no square root, and flushes subnormal
 * floats to zero, so the scalar kernels run there. For other machines the file
 * has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill_ops.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"

typedef vi words4;
#define words4_load(p) vi_load(p)
#define words4_store(p, a) vi_store(p, a)
#define words4_store_low(p, a) vst1_u8(p, vget_low_u8(AS_U8(a)))
#define words4_low32(a, b) vi_zip_low32(a, b)
#define words4_high32(a, b) vi_zip_high32(a, b)
#define words4_low64(a, b) vi_zip_low64(a, b)
#define words4_high64(a, b) vi_zip_high64(a, b)

#include "fill/fill_store_vector.h"

#define HAS_LOAD_XYZ
static inline void load_xyz(const void *values, vi out[3])
{
    const uint16x4x3_t xyz = vld3_u16(values);

    for (int k = 0; k < 3; k++)
        out[k] = FROM_U32(vmovl_u16(xyz.val[k]));
}

#include "fill/fill_vector.h"

void spn__fill_ops_neon(struct fill_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__fill_ops_neon(struct fill_ops *ops)
{
    (void)ops;
}

#endif
