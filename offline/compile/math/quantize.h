/* quantize.h - floats to few bits, and how few.
 *
 * The runtime gets a number back in single precision as
 *     min + q * (size / (2^bits - 1))
 * and the choice of bits counts the rounding of that, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_QUANTIZE_H
#define OFFLINE_COMPILE_MATH_QUANTIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Range of the values that are to be quantized; grows value by value. */
struct quantize_range {
    float min;
    float max; /* min > max: nothing yet */
};
#define QUANTIZE_NOTHING                                                       \
    {                                                                          \
        1, 0                                                                   \
    }
void quantize_extend(struct quantize_range *range, float value);

/* The size such that min + size reaches max, in single precision. False when
 * it does not fit a float. */
bool quantize_size(const struct quantize_range *range, float *size);

/* Bound on the distance between a value in min .. min + size and what the
 * runtime makes of it, in the unit of the values: never less than half a step.
 */
double quantize_error(float min, float size, uint32_t bits);

/* The least number of bits, 1..16, whose error stays within `error_max`; 16
 * when none does (`*is_reached` false). A size of 0 takes 1 and is exact. */
uint32_t quantize_bits(float min, float size, double error_max,
                       bool *is_reached);

/* Nearest q for a value of the range. */
uint16_t quantize_value(float value, float min, float size, uint32_t bits);
/* The same of `count` values, `stride` apart, to as many q, as far apart. */
void quantize_values(const float *values, size_t stride, uint32_t count,
                     float min, float size, uint32_t bits, uint16_t *out);
/* What the runtime makes of q. */
float quantize_back(uint16_t q, float min, float size, uint32_t bits);
/* A colour component: clamped to 0..1, rounded to 0..255. */
uint8_t quantize_color(float value);

#endif
