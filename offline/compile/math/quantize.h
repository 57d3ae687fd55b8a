/* quantize.h - quantizes floats to 1..16 bits, and chooses the number of bits.
 *
 * A value is stored as an integer q of `bits` bits. The runtime computes, in
 * single precision,
 *     min + q * (size / (2^bits - 1))
 * where min is the smallest value of a range and size its width. The error
 * bounds below include the rounding of this computation.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_QUANTIZE_H
#define OFFLINE_COMPILE_MATH_QUANTIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The range of the values to be quantized. */
struct quantize_range {
    float min;
    float max; /* less than min: no value yet */
};
#define QUANTIZE_NOTHING                                                       \
    {                                                                          \
        1, 0                                                                   \
    }
/* Extend the range so that it contains `value`. */
void quantize_extend(struct quantize_range *range, float value);

/* Compute the smallest float *size with min + size >= max in single precision.
 * Returns false if that is not finite. */
bool quantize_size(const struct quantize_range *range, float *size);

/* Return a bound on the difference between a value in min .. min + size and the
 * value that the runtime computes, in the unit of the values: at least half a
 * quantization step. */
double quantize_error(float min, float size, uint32_t bits);

/* Return the smallest number of bits, 1..16, whose error is at most
 * `error_max`. If 16 bits have a larger error, return 16 and set *is_reached to
 * false. A size of 0 needs 1 bit and is exact. */
uint32_t quantize_bits(float min, float size, double error_max,
                       bool *is_reached);

/* Compute the integers q that are nearest to `count` values of the range.
 * `stride` is the distance between two of them,
 * and between two results, in elements. */
void quantize_values(const float *values, size_t stride, uint32_t count,
                     float min, float size, uint32_t bits, uint16_t *out);
/* Return the value that the runtime computes from q. */
float quantize_back(uint16_t q, float min, float size, uint32_t bits);
/* Clamp a colour component to 0..1 and round it to 0..255. */
uint8_t quantize_color(float value);

#endif
