/* quantize.c - quantization and the bound on its error.
 *
 * Let e = 2^-24 be the relative error of one operation in single precision. The
 * quotient size / (2^bits - 1) and the product with q each add e; together the
 * error is less than 2.01 * e * size. The sum with min is rounded to the grid
 * of floats at its magnitude, an error of at most e times the sum.
 *
 * The values themselves lie on this grid. If half a quantization step plus the
 * first error is less than half of the finest grid step in the range, the sum
 * rounds to exactly the value. This is why a small object far from the origin
 * keeps its precision. The bound is at least half a quantization step even
 * then: a step is the precision that the user requested.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/math/quantize.h"

#include <float.h>
#include <math.h>

#define HALF_ULP (FLT_EPSILON / 2.0)

void quantize_extend(struct quantize_range *range, float value)
{
    if (range->min > range->max) {
        range->min = value;
        range->max = value;
        return;
    }
    if (value < range->min)
        range->min = value;
    if (value > range->max)
        range->max = value;
}

bool quantize_size(const struct quantize_range *range, float *size)
{
    float width = range->max - range->min;

    if (!isfinite(width))
        return false;
    if (range->min + width < range->max)
        width = nextafterf(width, INFINITY);
    *size = width;
    return isfinite(range->min + width) && isfinite(width);
}

/* Half the distance between floats at the smallest magnitude in the range. */
static double finest_half_step(float min, float max)
{
    float least = 0;

    if (min > 0)
        least = min;
    else if (max < 0)
        least = -max;
    return ((double)nextafterf(least, INFINITY) - least) / 2;
}

double quantize_error(float min, float size, uint32_t bits)
{
    double levels = (double)((1u << bits) - 1);
    double max = (double)min + size;
    double largest = fabs(min) > fabs(max) ? fabs(min) : fabs(max);
    double before_sum = size / levels / 2 + 2.01 * HALF_ULP * size;

    if (!(size > 0))
        return 0;
    /* Below a power of two the grid is half as wide as above: hence / 2. */
    if (before_sum < finest_half_step(min, (float)max) / 2)
        return before_sum;
    return before_sum + HALF_ULP * largest;
}

uint32_t quantize_bits(float min, float size, double error_max,
                       bool *is_reached)
{
    *is_reached = true;
    for (uint32_t bits = 1; bits <= 16; bits++)
        if (quantize_error(min, size, bits) <= error_max)
            return bits;
    *is_reached = false;
    return 16;
}

void quantize_values(const float *values, size_t stride, uint32_t count,
                     float min, float size, uint32_t bits, uint16_t *out)
{
    double levels = (double)((1u << bits) - 1);

    for (uint32_t i = 0; i < count; i++) {
        double q = ((double)values[i * stride] - min) / size * levels + 0.5;

        /* A size of 0 gives NaN. The conversion to an integer rounds down. */
        q = q > 0 && size > 0 ? q : 0;
        q = q < levels ? q : levels;
        out[i * stride] = (uint16_t)(int32_t)q;
    }
}

float quantize_back(uint16_t q, float min, float size, uint32_t bits)
{
    float step = size / (float)((1u << bits) - 1);

    return min + (float)q * step;
}

uint8_t quantize_color(float value)
{
    if (!(value > 0))
        return 0;
    if (value >= 1)
        return 255;
    return (uint8_t)floor((double)value * 255 + 0.5);
}
