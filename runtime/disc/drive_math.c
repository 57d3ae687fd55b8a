/* drive_math.c - 64 x 64 -> 128 / 64 bits, and square roots, bit by bit. */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_math.h"

#include "base/assert.h"

struct wide {
    uint64_t high;
    uint64_t low;
};

static struct wide multiply(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a;
    uint64_t a_high = a >> 32;
    uint64_t b_low = (uint32_t)b;
    uint64_t b_high = b >> 32;
    uint64_t low = a_low * b_low;
    /* Each sum is below 2^64: (2^32 - 1)^2 + 2 (2^32 - 1). */
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t other = a_low * b_high + (uint32_t)middle;
    struct wide product;

    product.low = other << 32 | (uint32_t)low;
    product.high = a_high * b_high + (middle >> 32) + (other >> 32);
    return product;
}

/* value / c. value.high < c, so that the quotient fits. */
static uint64_t divide(struct wide value, uint64_t c)
{
    uint64_t rest = value.high;
    uint64_t quotient = 0;

    if (value.high == 0)
        return value.low / c;
    for (uint32_t bit = 64; bit-- > 0;) {
        uint64_t carry = rest >> 63;

        rest = rest << 1 | (value.low >> bit & 1);
        /* With a carry the true rest is 2^64 more, and larger than c. */
        if (carry || rest >= c) {
            rest -= c;
            quotient |= (uint64_t)1 << bit;
        }
    }
    return quotient;
}

static uint64_t quotient_of(uint64_t a, uint64_t b, uint64_t c, uint64_t more)
{
    struct wide product = multiply(a, b);

    SPN_ASSERT(c > 0);
    product.low += more;
    product.high += product.low < more;
    return product.high < c ? divide(product, c) : UINT64_MAX;
}

uint64_t spn__mul_div(uint64_t a, uint64_t b, uint64_t c)
{
    return quotient_of(a, b, c, 0);
}

uint64_t spn__mul_div_near(uint64_t a, uint64_t b, uint64_t c)
{
    return quotient_of(a, b, c, c / 2);
}

uint32_t spn__root(uint64_t value)
{
    uint64_t root = 0;
    uint64_t bit = (uint64_t)1 << 62;

    while (bit > value)
        bit >>= 2;
    for (; bit != 0; bit >>= 2) {
        if (value >= root + bit) {
            value -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint32_t)root;
}
