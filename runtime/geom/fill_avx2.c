/* fill_avx2.c - the fill's kernels for this instruction set: none yet. */
/* SPDX-License-Identifier: MIT */
#include "geom/fill.h"

void spn__fill_ops_avx2(struct fill_ops *ops)
{
    (void)ops;
}
