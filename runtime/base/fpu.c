/* fpu.c - test of the rounding mode by three sums.
 *
 * The operands are volatile, so that the compiler cannot compute the sums. Two
 * sums are half-way between two floats: with rounding to nearest, ties to even,
 * one is rounded down and the other up. The third is negative and rounded
 * towards zero, which differs from rounding up or down.
 */
/* SPDX-License-Identifier: MIT */
#include "base/fpu.h"

#define STEP 1.1920929e-7f      /* 2^-23: from 1 to the next float */
#define HALF_STEP 5.9604645e-8f /* 2^-24 */

bool spn__fpu_rounds_to_nearest(void)
{
    /* Local variables, because parameters may lose `volatile` by inlining. */
    volatile float one = 1.0f;
    volatile float next = 1.0f + STEP;
    volatile float half_step = HALF_STEP;
    volatile float down = one + half_step;
    volatile float up = next + half_step;
    volatile float negative = -one - half_step;

    return down == 1.0f && up == 1.0f + 2 * STEP && negative == -1.0f;
}
