/* fpu.c - the mode of the floating-point unit, from what it answers.
 *
 * The operands are volatile, so that the compiler cannot answer instead. Two
 * sums lie half way between two floats: to nearest, a half to even, one goes
 * down and the other up. The third is negative, and near zero like the first:
 * upward and downward differ from it there.
 */
/* SPDX-License-Identifier: MIT */
#include "base/fpu.h"

#define STEP 1.1920929e-7f      /* 2^-23: from 1 to the next float */
#define HALF_STEP 5.9604645e-8f /* 2^-24 */

bool spn__fpu_rounds_to_nearest(void)
{
    /* Not parameters: inlined, those may lose the qualifier. */
    volatile float one = 1.0f;
    volatile float next = 1.0f + STEP;
    volatile float half_step = HALF_STEP;
    volatile float down = one + half_step;
    volatile float up = next + half_step;
    volatile float negative = -one - half_step;

    return down == 1.0f && up == 1.0f + 2 * STEP && negative == -1.0f;
}
