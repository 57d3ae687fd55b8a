/* root.h - a correctly rounded square root.
 *
 * The runtime has no C library, but the guess (one_ring.h) and the fill need
 * square roots with the same bits on every machine. These functions use only
 * integers and single-precision additions and multiplications.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ROOT_H
#define SPN_CODEC_LIFT_ROOT_H

#include <stdint.h>

/* Correct `root`, which differs from the nearest integer to sqrt(R) by at
 * most 1. `radicand` is R modulo 2^32. root is the nearest integer if -root < R
 * - root^2 <= root; this difference is small, so its value modulo 2^32 is
 * enough. */
static inline uint32_t root_correct(uint32_t root, uint32_t radicand)
{
    int32_t remainder = (int32_t)(radicand - root * root);

    return root + (uint32_t)(remainder > (int32_t)root) -
           (uint32_t)(remainder <= -(int32_t)root);
}

/* The square root of a normal, positive, finite x, rounded to nearest. */
float spn__float_root(float x);

#endif
