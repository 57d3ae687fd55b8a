/* drive_math.h - exact integer arithmetic: a * b / c with 128-bit intermediate
 * results, and square roots.
 *
 * Without floating point, so that results are the same on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_MATH_H
#define SPN_DISC_DRIVE_MATH_H

#include <stdint.h>

/* a * b / c, rounded down; UINT64_MAX if it does not fit. c > 0. */
uint64_t spn__mul_div(uint64_t a, uint64_t b, uint64_t c);
/* The same, rounded to the nearest integer; halves are rounded up. */
uint64_t spn__mul_div_near(uint64_t a, uint64_t b, uint64_t c);
/* Square root, rounded down. */
uint32_t spn__root(uint64_t value);

#endif
