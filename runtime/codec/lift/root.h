/* root.h - a correctly rounded square root out of adds, multiplies, integers.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ROOT_H
#define SPN_CODEC_LIFT_ROOT_H

#include <stdint.h>

/* One step towards the integer root of a radicand R, |root^2 - R| small; both
 * modulo 2^32, which is enough for the sign and size of what remains. With
 * root - 1/2 < sqrt(R) < root + 1/2, -root < remainder <= root. */
static inline uint32_t root_correct(uint32_t root, uint32_t radicand)
{
    int32_t remainder = (int32_t)(radicand - root * root);

    return root + (uint32_t)(remainder > (int32_t)root) -
           (uint32_t)(remainder <= -(int32_t)root);
}

/* Of a normal, positive, finite x, to nearest. Without branches. */
float spn__float_root(float x);

#endif
