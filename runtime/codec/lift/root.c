/* root.c - a first estimate, Newton's steps, and one exact correction. */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/root.h"

#include "base/mem.h"

#include <stdint.h>

float spn__float_root(float x)
{
    const uint32_t one = 0x3f800000u;
    uint32_t bits;
    uint32_t odd;
    uint32_t scaled_bits;
    uint32_t radicand;
    uint32_t root;
    float scaled; /* in [1, 4): x times an even power of two */
    float inverse;
    float guess;

    /* Biased exponents of 127, 129, ... are even powers of two. */
    memcpy(&bits, &x, sizeof bits);
    odd = (~bits >> 23) & 1u;
    scaled_bits = one + (odd << 23) + (bits & 0x7fffffu);
    memcpy(&scaled, &scaled_bits, sizeof scaled);

    /* 1 / sqrt(scaled): a first guess from the bits of the float, then Newton's
     * steps. Each step squares the relative error: 3.5e-2, 1.8e-3, 4.7e-6. The
     * last step improves the root itself, where it loses least to rounding. */
    scaled_bits = 0x5f3759dfu - (scaled_bits >> 1);
    memcpy(&inverse, &scaled_bits, sizeof inverse);
    inverse = inverse * (1.5f - 0.5f * scaled * inverse * inverse);
    inverse = inverse * (1.5f - 0.5f * scaled * inverse * inverse);
    guess = scaled * inverse;
    guess = guess + 0.5f * inverse * (scaled - guess * guess);

    /* The root as an integer of 24 bits, of the mantissa times 2^23 or 2^24.
     * The guess is at most one step off (all mantissas were tried); one exact
     * correction makes it the nearest. There are no ties. */
    root = (uint32_t)(int32_t)(guess * 8388608.0f);
    radicand = ((bits & 0x7fffffu) | 0x800000u) << 23;
    radicand += radicand & (0u - odd);
    root = root_correct(root, radicand);

    bits = (((bits >> 23) + 127u - odd) / 2 << 23) + root - 0x800000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}
