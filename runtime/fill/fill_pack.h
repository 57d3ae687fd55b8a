/* fill_pack.h - scalar kernels that pack float columns to words of a format.
 *
 * All roundings are to nearest, ties to even:
 *
 *   snorm of n bits  round(v (2^(n-1) - 1)). v is a component of a unit vector,
 *                    so nothing is clamped: rounding absorbs its small error.
 *   unorm 16         round(65535 v) with v clamped to 0..1; NaN gives 0
 *   unorm 8          round(v); v is in 0..255 already
 *   half             the nearest one; infinity from 65520 on; NaN gives 0x7e00
 *
 * Components lie in a word in the order of memory, on machines of either byte
 * order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_PACK_H
#define SPN_FILL_FILL_PACK_H

#include "fill/fill_ops.h"

/* Set fill_ops.pack. */
void spn__fill_pack_init(struct fill_ops *ops);

#endif
