/* pose_ops.c - the scalar loops, and the choice of a set. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_ops.h"

#include "base/cpu.h"

static const struct pose_ops scalar = {
    .tracks = spn__anim_pose_tracks,
};

const struct pose_ops *spn__pose_ops(uint32_t cpu)
{
    const struct pose_ops *ops = NULL;

    if (cpu & SPN_CPU_AVX2)
        ops = spn__pose_ops_avx2();
    if (!ops && cpu & SPN_CPU_SSE41)
        ops = spn__pose_ops_sse41();
    if (!ops && cpu & SPN_CPU_NEON)
        ops = spn__pose_ops_neon();
    return ops ? ops : &scalar;
}
