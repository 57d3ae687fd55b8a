/* fpu.h - test of the rounding mode of the floating-point unit.
 *
 * Decoding of QTangents of lifted meshes (lift.h, one_ring.h) needs single
 * precision with rounding to nearest, ties to even. Another mode would give
 * wrong values that no later check detects. Flushing subnormal numbers to zero
 * has no effect there.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_FPU_H
#define SPN_BASE_FPU_H

#include <stdbool.h>

#define FPU_FAULT "rounding mode of the floating-point unit"

/* Test the calling thread; takes a few additions. */
bool spn__fpu_rounds_to_nearest(void);

#endif
