/* fill_sse41.c - the fill's kernels for this instruction set: none yet. */
/* SPDX-License-Identifier: MIT */
#include "geom/fill.h"

void spn__fill_ops_sse41(struct fill_ops *ops)
{
    (void)ops;
}
