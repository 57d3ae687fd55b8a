/* fill_pack.h - scalar kernels that pack columns of floats (fill_ops.h) to the
 * words of a vertex format.
 *
 * v is the float to pack. round() rounds to nearest, ties to even:
 *
 *   snorm of n bits  round(v (2^(n-1) - 1)). v is a component of a unit vector.
 *                    It may exceed 1 by a rounding error, which the rounding
 *                    here removes, so it is not clamped.
 *   unorm 16         round(65535 v) with v clamped to 0..1; NaN gives 0
 *   unorm 8          round(v); v must be in 0..255
 *   half             the nearest half float; |v| >= 65520 gives infinity; NaN
 *                    gives 0x7e00 with the sign of v
 *
 * The first component has the lowest address in the word, on machines of either
 * byte order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_PACK_H
#define SPN_FILL_FILL_PACK_H

#include "fill/fill_ops.h"

/* Set fill_ops.pack to the scalar packers. */
void spn__fill_pack_init(struct fill_ops *ops);

#endif
