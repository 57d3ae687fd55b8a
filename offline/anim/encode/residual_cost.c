/* residual_cost.c - divides errors into symbols and raw bits. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/residual_cost.h"

#include "anim/encode/affine.h"
#include "base/compiler.h"

struct coded_residual code_residual(const struct residual_code *code,
                                    int32_t residual, uint32_t class_)
{
    struct coded_residual c = {
        .shape = anim_class_shape(class_),
        .low_bits = anim_class_low_bits(class_),
    };
    const uint32_t half = (1u << c.low_bits) >> 1;
    /* The offset makes the number positive, and the division a shift. */
    const uint64_t number =
        (uint64_t)((int64_t)residual + half) + ((uint64_t)1 << 40);
    const int64_t quotient = (int64_t)(number >> c.low_bits) -
                             (int64_t)(((uint64_t)1 << 40) >> c.low_bits);

    c.low = (uint32_t)(number & ((1u << c.low_bits) - 1));
    c.zigzag = anim_zigzag((int32_t)quotient);
    c.symbol = c.zigzag;
    if (c.zigzag >= ANIM_ESCAPE || code->count[c.shape][c.zigzag] == 0) {
        c.symbol = ANIM_ESCAPE;
        c.zigzag_length = compiler_highest_bit(c.zigzag) + 1;
    }
    return c;
}

void residual_code_init(struct residual_code *code)
{
    for (uint32_t s = 0; s < ANIM_SHAPES; s++) {
        spn__anim_symbol_counts(s, code->count[s]);
        for (uint32_t i = 0; i < ANIM_SYMBOLS; i++) {
            const double count = code->count[s][i];

            code->cost[s][i] =
                count > 0 ? (uint32_t)(256 * (ANIM_SLOT_BITS -
                                              binary_logarithm(count)) +
                                       0.5)
                          : UINT32_MAX;
        }
    }
}

uint32_t residual_cost(const struct residual_code *code, int32_t residual,
                       uint32_t class_)
{
    const struct coded_residual c = code_residual(code, residual, class_);
    uint32_t bits = c.low_bits;

    if (c.zigzag_length > 0)
        bits += ANIM_ESCAPE_LENGTH_BITS + c.zigzag_length;
    return code->cost[c.shape][c.symbol] + 256 * bits;
}
