/* turn.h - sine and cosine of degrees, the same on every machine.
 *
 * The C library's differ from one to the next, and within one from processor
 * to processor, in the last bit. What ends in a file is made of operations
 * that are correctly rounded everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_TURN_H
#define OFFLINE_COMMON_TURN_H

/* Any angle, off by a few 1e-16; exact at multiples of 90. Not a number
 * for what is not finite. */
void turn_sin_cos(double degrees, double *sine, double *cosine);

#endif
