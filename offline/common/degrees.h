/* degrees.h - sine and cosine of an angle in degrees, alike on every machine.
 *
 * The functions of C libraries differ in the last bit, between libraries and
 * between processors. Values that go into a file must not differ, so this
 * module uses only operations that IEEE 754 rounds correctly.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_DEGREES_H
#define OFFLINE_COMMON_DEGREES_H

/* Any angle; the error is a few 1e-16, and 0 at multiples of 90 degrees. NaN
 * for an angle that is not finite. */
void degrees_sin_cos(double degrees, double *sine, double *cosine);

#endif
