/* fpu.h - does the floating-point unit compute as decoding needs it?
 *
 * QTangents of lifted meshes take single precision in which each operation is
 * rounded to nearest, a half to even: those that are guessed from positions
 * (one_ring.h), and by the square roots of vector kernels all others, too. In
 * any other mode the numbers would be wrong, and nothing later would notice.
 * Flushing what is too small to be normal to zero makes no difference there.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_FPU_H
#define SPN_BASE_FPU_H

#include <stdbool.h>

#define FPU_FAULT "rounding mode of the floating-point unit"

/* Of the thread that asks, now: a few additions. */
bool spn__fpu_rounds_to_nearest(void);

#endif
