/* degrees.h - sine and cosine of an angle in degrees, with the same result on
 * every machine.
 *
 * The functions of C libraries differ in the last bit, between libraries and
 * between processors. Values that go into a file must not differ, so this
 * module uses only operations that IEEE 754 rounds correctly.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_DEGREES_H
#define OFFLINE_COMMON_DEGREES_H

/* Compute both for any angle. The error is a few 1e-16, and 0 at multiples of
 * 90 degrees. For an angle that is not finite both are NaN. */
void degrees_sin_cos(double degrees, double *sine, double *cosine);

#endif
