/* drive_math.h - exact integers where a drive's arithmetic needs more than 64
 * bits or a root. No floating point: the same everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_MATH_H
#define SPN_DISC_DRIVE_MATH_H

#include <stdint.h>

/* a * b / c, rounded down, saturating. c > 0. */
uint64_t spn__mul_div(uint64_t a, uint64_t b, uint64_t c);
/* The same, rounded to the nearest, half up. */
uint64_t spn__mul_div_near(uint64_t a, uint64_t b, uint64_t c);
/* Square root, rounded down. */
uint32_t spn__root(uint64_t value);

#endif
