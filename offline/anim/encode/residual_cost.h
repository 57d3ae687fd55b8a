/* residual_cost.h - how many bits a prediction error takes. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_RESIDUAL_COST_H
#define OFFLINE_ANIM_ENCODE_RESIDUAL_COST_H

#include "anim/anim_symbols.h"

#include <stdint.h>

/* A prediction error as it is coded (anim_symbols.h). */
struct coded_residual {
    uint32_t shape;
    uint32_t symbol;
    uint32_t low_bits; /* their number */
    uint32_t low;
    uint32_t zigzag;        /* of an escape */
    uint32_t zigzag_length; /* bits; 0 unless the symbol is an escape */
};
/* The magnitude that changes a running mean. */
static inline uint32_t residual_magnitude(int32_t residual)
{
    const uint32_t magnitude =
        residual < 0 ? 0u - (uint32_t)residual : (uint32_t)residual;

    return magnitude < 1u << 15 ? magnitude : 1u << 15;
}

/* The code of symbols, the same for all clips. */
struct residual_code {
    uint16_t count[ANIM_SHAPES][ANIM_SYMBOLS];
    uint32_t cost[ANIM_SHAPES][ANIM_SYMBOLS]; /* in units of 1/256 bit */
};
void residual_code_init(struct residual_code *code);

struct coded_residual code_residual(const struct residual_code *code,
                                    int32_t residual, uint32_t class_);
/* The cost of an error with a class, in units of 1/256 bit. */
uint32_t residual_cost(const struct residual_code *code, int32_t residual,
                       uint32_t class_);

#endif
